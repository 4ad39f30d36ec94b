import { type RefObject, useEffect, useEffectEvent } from 'react'
import { markSeen } from '../open/read-mark.ts'
import type { OpenTimeline } from '../open/store.ts'
import { reachesUnread } from '../open/timeline.ts'
import { useChannel } from './context.ts'
import type { Row } from './rows.ts'

/** Moves the read mark to the last message whose end is on screen, while the page is seen. */
export function useSeen(open: OpenTimeline, box: RefObject<HTMLElement | null>, rows: readonly Row[]): void {
  const { channel } = useChannel()
  const look = useEffectEvent(() => {
    const element = box.current
    const { timeline, held } = open.store.getState()
    if (!element || !timeline || document.visibilityState !== 'visible' || held !== null || !channel.isMember) return
    // What is further up was never on screen.
    if (!reachesUnread(timeline, channel.readSeq)) return
    const bottom = element.getBoundingClientRect().bottom + 2
    const seen = [...element.querySelectorAll<HTMLElement>('[data-message]')]
      .filter((row) => row.getBoundingClientRect().bottom <= bottom)
      .at(-1)?.dataset['message']
    const row = rows.findLast(({ id, unsent }) => id === seen && !unsent)
    if (row) markSeen(channel.id, row.message)
  })
  useEffect(() => {
    const element = box.current
    const again = () => requestAnimationFrame(() => look())
    element?.addEventListener('scroll', again, { passive: true })
    document.addEventListener('visibilitychange', again)
    addEventListener('focus', again)
    return () => {
      element?.removeEventListener('scroll', again)
      document.removeEventListener('visibilitychange', again)
      removeEventListener('focus', again)
    }
  }, [box])
  useEffect(() => {
    // Once the rows stand in their places.
    const timer = setTimeout(() => look(), 60)
    return () => clearTimeout(timer)
  }, [rows, channel.readSeq, channel.isMember])
}
