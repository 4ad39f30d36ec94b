import { useEffect } from 'react'
import { useWorkspace } from './workspace.ts'

/**
 * Sets the name of the browser's tab while the component is there. `running` puts a dot in front while an answer is
 * written, `done` a tick until it was looked at. null leaves the name to another component.
 */
export function useTitle(title: string | null | undefined, mark?: 'running' | 'done' | null): void {
  const product = useWorkspace(({ name }) => name)
  useEffect(() => {
    if (title === null) return
    const sign = mark === 'running' ? '● ' : mark === 'done' ? '✓ ' : ''
    document.title = `${sign}${title ? `${title} · ${product}` : product}`
  }, [title, mark, product])
}
