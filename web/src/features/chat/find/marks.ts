import { useEffect } from 'react'
import { useFind } from './state.ts'
import { findRanges, messageElement } from './ranges.ts'

/**
 * Marks the words in the rows that are in the page, and the place one is at more strongly. Where the browser knows no
 * highlights, rows are gone to and not marked.
 */
export function useMarks(log: () => HTMLElement | null): void {
  useEffect(() => {
    if (!('highlights' in CSS)) return
    const element = log()
    if (!element) return
    let frame = 0
    const mark = () => {
      frame = 0
      const { words, messageIds, now } = useFind.getState()
      const all: Range[] = []
      const current: Range[] = []
      for (const id of messageIds) {
        const message = messageElement(id)
        if (!message) continue
        for (const [nth, range] of findRanges(message, words).entries())
          (now?.messageId === id && now.nth === nth ? current : all).push(range)
      }
      CSS.highlights.set('find', new Highlight(...all))
      CSS.highlights.set('find-now', new Highlight(...current))
    }
    const soon = () => {
      frame ||= requestAnimationFrame(mark)
    }
    // Rows come and go as one scrolls.
    const rows = new MutationObserver(soon)
    rows.observe(element, { childList: true, subtree: true, characterData: true })
    const unsubscribe = useFind.subscribe(soon)
    soon()
    return () => {
      rows.disconnect()
      unsubscribe()
      cancelAnimationFrame(frame)
      CSS.highlights.delete('find')
      CSS.highlights.delete('find-now')
    }
  }, [log])
}
