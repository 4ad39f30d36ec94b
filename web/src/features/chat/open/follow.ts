/** Follows the answer that is being written in an open chat, and what is due when it stands. */
import { chat as routes, type ChatEvent } from '@atrium/contract/chat'
import { settingsPreferences } from '@atrium/contract/settings-preferences'
import type { Preferences } from '@atrium/contract/settings-preferences'
import { call } from '../../../api/client.ts'
import { Problem } from '../../../api/errors.ts'
import { follow } from '../../../api/follow.ts'
import { keyOf, queryClient, refresh } from '../../../api/query.ts'
import { announce } from '../../../lib/announce.ts'
import { number } from '../../../lib/format.ts'
import { text } from '../texts.ts'
import { type Conversation, received } from './conversation.ts'
import { change, load, type OpenChat } from './store.ts'

/** Follows the running answer, if there is one that is not followed yet. */
export function followRunning(chat: OpenChat): void {
  const live = chat.store.getState().conversation?.live
  if (!live?.generationId || chat.users === 0) return
  if (chat.following?.generationId === live.generationId) return
  chat.following?.abort.abort()
  const abort = new AbortController()
  chat.following = { generationId: live.generationId, abort }
  void run(chat, live.generationId, live.messageId, live.seq, abort)
}

/** Stops listening; the answer goes on without this page. */
export function leave(chat: OpenChat): void {
  chat.following?.abort.abort()
  chat.following = null
}

async function run(
  chat: OpenChat,
  generationId: string,
  messageId: string,
  after: number,
  abort: AbortController,
): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    const input = { params: { sessionId: chat.id }, query: { generation: generationId } }
    const end = await follow(routes.events, input, {
      signal: abort.signal,
      after: after || undefined,
      perFrame: true,
      isLast,
      onEvents: (events) => {
        const now = Date.now()
        change(chat, (before) =>
          events.reduce<Conversation>((state, event) => received(state, event.id, event, now), before),
        )
      },
      onState: (state) => {
        clearTimeout(timer)
        if (state === 'open') return chat.store.setState({ lost: false })
        timer = setTimeout(() => chat.store.setState({ lost: true }), 3000)
      },
    })
    if (end === 'ended') await settled(chat, messageId)
  } catch (error) {
    if (abort.signal.aborted) return
    // The server does not know this answer any more: what it does know is in the chat.
    if (error instanceof Problem) await load(chat)
    else throw error
  } finally {
    clearTimeout(timer)
    chat.store.setState({ lost: false })
    if (chat.following?.abort === abort) chat.following = null
  }
  followRunning(chat)
}

const isLast = (event: ChatEvent) => event.type === 'done' || event.type === 'cancelled' || event.type === 'error'

/** The answer stands: say so, name the chat, load what it may have started. */
async function settled(chat: OpenChat, messageId: string): Promise<void> {
  const state = chat.store.getState().conversation
  const message = state?.messages.find((m) => m.id === messageId)
  if (!state || !message) return
  const words = message.content.split(/\s+/).filter(Boolean).length
  if (message.status === 'complete') announce(text('chat:said.ready', { count: words, words: number(words) }))
  else announce(text(`chat:said.${message.status}`))
  void refresh(routes.context, { params: { sessionId: chat.id } })
  if (chat.following) chat.following = null
  // A queued prompt starts by itself on the server.
  if (state.queue.length > 0) await load(chat)
  const preferences = queryClient.getQueryData<Preferences>(keyOf(settingsPreferences.read))?.chat
  const params = { sessionId: chat.id }
  if (message.status !== 'complete') return
  // An extra: without it the chat is as good, so a failure is not worth a word.
  if (preferences?.followUps !== false && document.visibilityState === 'visible') {
    const found = await call(routes.followups, { params }).catch(() => ({ suggestions: [] }))
    if (chat.store.getState().conversation?.messages.at(-1)?.id === messageId)
      chat.store.setState({ followUps: found.suggestions })
  }
}
