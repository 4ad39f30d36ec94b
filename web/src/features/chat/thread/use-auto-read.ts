import { useEffect, useRef } from 'react'
import { usePreferences } from '../../../api/account.ts'
import { startReading } from '../../../blocks/read-aloud/start.ts'
import { talks } from '../../../blocks/voice-mode/state.ts'
import { textOf } from './message-menu.tsx'

/** Reads an answer aloud once it is done, where the person wants that; not one that was done before the page was there. */
export function useAutoRead(messageId: string, live: boolean, who: string): void {
  const { autoPlay } = usePreferences().readAloud
  const wasLive = useRef(live)
  useEffect(() => {
    const isDone = wasLive.current && !live
    wasLive.current = live
    // The text is on the page after this.
    // In a voice conversation it was heard already.
    if (isDone && autoPlay && !talks.getState().now) startReading(messageId, who, textOf(messageId))
  }, [live, autoPlay, messageId, who])
}
