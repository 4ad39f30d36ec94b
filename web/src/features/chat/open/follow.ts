/** Follows the answer that is being written in an open chat, and what is due when it stands. */
import { chatRoutes as routes, type ChatEvent, type Message } from '@atrium/contract/chat'
import { settingsRoutes, type Preferences } from '@atrium/contract/settings'
import { call } from '../../../api/client.ts'
import { Problem } from '../../../api/errors.ts'
import { follow } from '../../../api/follow.ts'
import { keyOf, queryClient, refresh } from '../../../api/query.ts'
import { announce } from '../../../lib/announce.ts'
import { formatNumber } from '../../../lib/format.ts'
import { translate } from 'virtual:words/chat-list'
import { type Conversation, applyEvent } from './conversation.ts'
import { changeConversation, loadChat, type OpenChat, outdateReads, whenSettled } from './store.ts'

/** Follows the running answer, if there is one that is not followed yet. */
export function followRunning(chat: OpenChat): void {
  const live = chat.store.getState().conversation?.live
  if (!live?.generationId || chat.users === 0) return
  if (chat.following?.generationId === live.generationId) return
  chat.following?.abort.abort()
  const abort = new AbortController()
  chat.following = { generationId: live.generationId, abort }
  void run(chat, live.generationId, live.seq, abort)
}

/** Stops listening; the answer goes on without this page. */
export function stopFollowing(chat: OpenChat): void {
  chat.following?.abort.abort()
  chat.following = null
}

async function run(chat: OpenChat, generationId: string, after: number, abort: AbortController): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    const input = { params: { sessionId: chat.id }, query: { generation: generationId } }
    await follow(routes.events, input, {
      signal: abort.signal,
      after: after || undefined,
      perFrame: true,
      isLast,
      onEvents: (events) => {
        const now = Date.now()
        if (events.some(isLast)) outdateReads(chat)
        changeConversation(chat, (before) =>
          events.reduce<Conversation>((state, event) => applyEvent(state, generationId, event.id, event, now), before),
        )
      },
      onState: (state) => {
        clearTimeout(timer)
        if (state === 'open') return chat.store.setState({ lost: false })
        timer = setTimeout(() => chat.store.setState({ lost: true }), 3000)
      },
    })
  } catch (error) {
    if (abort.signal.aborted) return
    // The server does not know this answer any more: what it does know is in the chat.
    if (error instanceof Problem) await loadChat(chat)
    else throw error
  } finally {
    clearTimeout(timer)
    chat.store.setState({ lost: false })
    if (chat.following?.abort === abort) chat.following = null
  }
  followRunning(chat)
}

const isLast = (event: ChatEvent) => event.type === 'done' || event.type === 'cancelled' || event.type === 'error'

whenSettled((chat, answer) => {
  const words = answer.content.split(/\s+/).filter(Boolean).length
  if (answer.status === 'complete')
    announce(translate('chat-list:said.ready', { count: words, words: formatNumber(words) }))
  else announce(translate(`chat-list:said.${answer.status}`))
  void refresh(routes.context, { params: { sessionId: chat.id } })
  // A queued prompt starts by itself on the server.
  if (chat.store.getState().conversation?.queue.length) void loadChat(chat).then(() => followRunning(chat))
  else if (!chat.store.getState().conversation?.head.ownerName) void suggest(chat, answer)
})

/** Asks for questions that could come next. An extra: without it the chat is as good, so a failure is silent. */
async function suggest(chat: OpenChat, answer: Message): Promise<void> {
  const preferences = queryClient.getQueryData<Preferences>(keyOf(settingsRoutes.read))?.chat
  if (answer.status !== 'complete' || preferences?.followUps === false) return
  // Between the page of a new chat and the chat's own page nobody has it open, for as long as that one takes to come.
  for (let tries = 0; chat.users === 0 && tries < 50; tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 200))
  if (chat.users === 0 || document.visibilityState === 'hidden') return
  const params = { sessionId: chat.id }
  const found = await call(routes.followups, { params }).catch(() => ({ suggestions: [] }))
  const { conversation } = chat.store.getState()
  if (!conversation?.live && conversation?.messages.at(-1)?.id === answer.id)
    chat.store.setState({ followUps: found.suggestions })
}
