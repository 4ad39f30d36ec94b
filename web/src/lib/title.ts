import { useEffect } from 'react'

const product = 'Atrium'

/**
 * Sets the name of the browser's tab while the component is there. `running` puts a dot in front while an answer is
 * written, `done` a tick until it was looked at.
 */
export function useTitle(title: string | undefined, mark?: 'running' | 'done' | null): void {
  useEffect(() => {
    const sign = mark === 'running' ? '● ' : mark === 'done' ? '✓ ' : ''
    document.title = `${sign}${title ? `${title} · ${product}` : product}`
  }, [title, mark])
}
