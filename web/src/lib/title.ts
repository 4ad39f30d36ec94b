import { useEffect } from 'react'
import { useWaiting } from './waiting.ts'
import { useWorkspace } from './workspace.ts'

/**
 * Sets the name of the browser's tab while the component is there. `running` puts a dot in front while an answer is
 * written, `done` a tick until it was looked at; a number says how much waits. null leaves the name to another component.
 */
export function useTitle(title: string | null | undefined, mark?: 'running' | 'done' | null): void {
  const product = useWorkspace(({ name }) => name)
  const waiting = useWaiting()
  useEffect(() => {
    if (title === null) return
    const sign = mark === 'running' ? '● ' : mark === 'done' ? '✓ ' : ''
    const count = waiting > 0 ? `(${waiting > 99 ? '99+' : waiting}) ` : ''
    document.title = `${count}${sign}${title ? `${title} · ${product}` : product}`
  }, [title, mark, product, waiting])
}
