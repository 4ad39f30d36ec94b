/** Who is typing in a channel or a thread just now, and telling others that one types oneself. */
import {
  type ChannelEvent,
  type ChannelPerson,
  type ChannelTyping,
  channelsRoutes as routes,
} from '@atrium/contract/channels'
import { useCallback, useEffect, useState } from 'react'
import { call } from '../../../api/client.ts'
import { useShownStream } from '../../../api/shown-streams.ts'
import { onStreamEvent } from '../../../api/stream-events.ts'
import type { ChannelDraft } from '../compose/draft.ts'

export interface TypingPlace {
  readonly channelId: string
  /** Of a thread. */
  readonly parentId: string | null
}

/** So long somebody counts as typing after the last sign of it. */
const typingMs = 5000
/** So often others are told. */
const everyMs = 3000

/** Everybody else who types there, who began first before the others. */
export function useTyping({ channelId, parentId }: TypingPlace, meId: string): readonly ChannelPerson[] {
  const [typing, setTyping] = useState<readonly { user: ChannelPerson; until: number }[]>([])
  const stream = `channel:${channelId}`
  const hear = useCallback(
    ({ type, data }: { type: string; data: unknown }) => {
      if (type !== 'typing') return
      const { user, parentId: place } = data as ChannelTyping['data']
      if (place !== parentId || user.id === meId) return
      const one = { user, until: Date.now() + typingMs }
      setTyping((known) =>
        known.some((other) => other.user.id === user.id)
          ? known.map((other) => (other.user.id === user.id ? one : other))
          : [...known, one],
      )
    },
    [parentId, meId],
  )
  useShownStream(stream, hear)
  // Who has sent it types no more.
  useEffect(
    () =>
      onStreamEvent<ChannelEvent>(stream, (event) => {
        if (event.type !== 'message-created') return
        const { author, parentId: place } = event.data.message
        if (place === parentId) setTyping((known) => known.filter(({ user }) => user.id !== author?.id))
      }),
    [stream, parentId],
  )
  useEffect(() => {
    if (typing.length === 0) return
    const next = Math.min(...typing.map(({ until }) => until))
    const forget = () => setTyping((known) => known.filter(({ until }) => until > Date.now()))
    const timer = setTimeout(forget, Math.max(0, next - Date.now()) + 1)
    return () => clearTimeout(timer)
  }, [typing])
  return typing.map(({ user }) => user)
}

/** Tells those who look at it while something is typed into a draft. */
export function useTellTyping({ channelId, parentId }: TypingPlace, draft: ChannelDraft): void {
  useEffect(() => {
    let toldAt = 0
    let later: ReturnType<typeof setTimeout> | undefined
    const tell = () => {
      later = undefined
      toldAt = Date.now()
      const body = parentId === null ? {} : { parentId }
      // Nobody misses it where it does not arrive.
      void call(routes.typing, { params: { channelId }, body }).catch(() => undefined)
    }
    const forget = () => {
      clearTimeout(later)
      later = undefined
    }
    const stop = draft.store.subscribe(({ content }, before) => {
      if (content === before.content) return
      if (content.trim() === '') return forget()
      // What another tab wrote is not typed here.
      if (!document.hasFocus()) return
      const wait = toldAt + everyMs - Date.now()
      if (wait <= 0) tell()
      else later ??= setTimeout(tell, wait)
    })
    return () => {
      stop()
      forget()
    }
  }, [channelId, parentId, draft])
}
