import { type RefObject, useEffect, useEffectEvent } from 'react'
import { type OpenTimeline, useOpen } from '../open/store.ts'
import type { Row } from '../timeline/rows.ts'
import { markThreadSeen } from './data.ts'

/** Moves the place in a thread to the last reply whose end is on screen, while the page is seen. */
export function useThreadSeen(open: OpenTimeline, box: RefObject<HTMLElement | null>, rows: readonly Row[]): void {
  const readSeq = useOpen(open, (state) => state.readSeq)
  const look = useEffectEvent(() => {
    const element = box.current
    if (!element || open.rootId === null || document.visibilityState !== 'visible') return
    if (open.store.getState().held !== null) return
    const bottom = element.getBoundingClientRect().bottom + 2
    const seen = [...element.querySelectorAll<HTMLElement>('[data-message]')]
      .filter((row) => row.getBoundingClientRect().bottom <= bottom)
      .at(-1)?.dataset['message']
    const row = rows.findLast(({ id, unsent }) => id === seen && !unsent)
    if (row && rows.length > 1) markThreadSeen(open.rootId, row.message)
  })
  useEffect(() => {
    const again = () => requestAnimationFrame(() => look())
    // Scrolling does not bubble, and the box is drawn once the thread is loaded.
    document.addEventListener('scroll', again, { passive: true, capture: true })
    document.addEventListener('visibilitychange', again)
    return () => {
      document.removeEventListener('scroll', again, { capture: true })
      document.removeEventListener('visibilitychange', again)
    }
  }, [])
  useEffect(() => {
    // Once the rows stand in their places.
    const timer = setTimeout(() => look(), 60)
    return () => clearTimeout(timer)
  }, [rows, readSeq])
}
