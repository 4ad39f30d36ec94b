import { type ChannelMessage, channelsRoutes as routes } from '@atrium/contract/channels'
import { useEffect, useState } from 'react'
import { follow } from '../../../api/follow.ts'
import { showMessage } from '../open/store.ts'

const ends: ReadonlySet<string> = new Set(['done', 'cancelled', 'error'])

/** The words of an answer: as they come while it is written, then as it is kept. */
export function useAnswerText({ id, content, answer }: ChannelMessage): string {
  const [live, setLive] = useState('')
  const isPending = answer?.state === 'pending'
  useEffect(() => {
    if (!isPending) return undefined
    const abort = new AbortController()
    setLive('')
    follow(
      routes.answerEvents,
      { params: { messageId: id }, query: {} },
      {
        signal: abort.signal,
        perFrame: true,
        isLast: ({ type }) => ends.has(type),
        onEvents: (events) => {
          const words = events.map((event) => (event.type === 'text' ? event.data.delta : '')).join('')
          if (words !== '') setLive((before) => before + words)
          for (const { data } of events) if ('message' in data && data.message) showMessage(data.message)
        },
      },
      // What the channel says of it is what counts.
    ).catch(() => undefined)
    return () => abort.abort()
  }, [id, isPending])
  return isPending ? live : content
}
