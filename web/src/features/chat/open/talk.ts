/** A chat, as one talks with it: what is said are questions as any other, with what waits in the box. */
import type { DraftBox } from '../../../blocks/composer/draft.ts'
import type { Reply, TalkingChat } from '../../../blocks/voice-mode/state.ts'
import { codeOf, Problem, wordsOf } from '../../../api/errors.ts'
import { askQuestion, type QuestionInput, stopAnswer } from './ask.ts'
import { isDraftChat } from './draft-chat.ts'
import { followRunning, stopFollowing } from './follow.ts'
import { conversationOf, loadChat, type OpenChat, type OpenState } from './store.ts'

/** `begin` asks the first question of a chat that is a draft yet; `draftOfNow` is the box of the chat, whose files go along. */
export function talkWith(
  chat: OpenChat,
  draftOfNow: () => DraftBox,
  begin?: (question: QuestionInput) => Promise<void>,
): TalkingChat {
  const ask = async (question: QuestionInput): Promise<void> => {
    if (begin && isDraftChat(chat)) return begin(question)
    if (conversationOf(chat).live) await stopAnswer(chat)
    try {
      await askQuestion(chat, question)
    } catch (error) {
      if (codeOf(error) !== 'generation_running') throw error
      // Another page was faster: its answer is stopped for this question, as an own one is.
      await loadChat(chat)
      await stopAnswer(chat)
      await askQuestion(chat, question)
    }
  }
  return {
    async ask(content) {
      const draft = draftOfNow()
      const { content: typed, ...along } = draft.take()
      if (typed) draft.type(typed)
      try {
        await ask({ content, ...along })
      } catch (error) {
        draft.putBack({ content: '', ...along })
        throw error
      }
    },
    keep: (content) => draftOfNow().putBack({ content, attachments: [] }),
    stop: () => (chat.store.getState().conversation ? stopAnswer(chat) : Promise.resolve()),
    follow(listener) {
      // Its answer is followed for as long as it is talked with, whatever page is on screen.
      chat.users++
      followRunning(chat)
      listener(replyOf(chat.store.getState()))
      const unsubscribe = chat.store.subscribe((state, before) => {
        if (state.conversation !== before.conversation) listener(replyOf(state))
      })
      return () => {
        unsubscribe()
        chat.users--
        if (chat.users === 0) stopFollowing(chat)
      }
    },
  }
}

function replyOf({ conversation }: OpenState): Reply | null {
  const answer = conversation?.messages.findLast(({ role }) => role === 'assistant')
  if (!answer) return null
  const live = conversation?.live?.messageId === answer.id ? conversation.live : null
  const { failure } = answer
  return {
    id: answer.id,
    text: live ? live.text : answer.content,
    isWhole: !live && answer.status !== 'running',
    isAsking: live?.toolCalls.some(({ approval }) => approval?.decision === null) === true,
    failure: !live && failure ? wordsOf(new Problem(failure.code, failure.detail)) : null,
  }
}
