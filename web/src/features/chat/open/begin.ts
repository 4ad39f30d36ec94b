/** A chat that begins with its first question: on screen at once, then made on the server. */
import { chatRoutes as routes } from '@atrium/contract/chat'
import type { Selection } from '@atrium/contract/common'
import { call } from '../../../api/client.ts'
import { newId } from '../../../lib/id.ts'
import { askQuestion, type QuestionInput } from './ask.ts'
import { changeHead, createConversation } from './conversation.ts'
import { createEmptyChat } from './empty-chat.ts'
import { stopFollowing } from './follow.ts'
import { changeConversation, forgetChats, type OpenChat, openChat } from './store.ts'

export interface NewChatInput extends QuestionInput {
  readonly selection: Selection | null
  readonly folderId: string | null
  readonly title: string
}

/**
 * Opens a chat that is not on the server yet and asks its first question. Gives the chat at once; `done` rejects when
 * the server refuses, and then the chat is gone again.
 */
export function beginChat(beginning: NewChatInput): { chat: OpenChat; done: Promise<void> } {
  // The question is on screen while the chat is made.
  return make(beginning, (chat) => askQuestion(chat, beginning))
}

/** Opens a chat that nothing was asked in yet, for documents that belong to it. */
export function beginEmptyChat(beginning: Omit<NewChatInput, keyof QuestionInput>): {
  chat: OpenChat
  done: Promise<void>
} {
  return make(beginning, () => Promise.resolve())
}

function make(
  beginning: Omit<NewChatInput, keyof QuestionInput>,
  first: (chat: OpenChat) => Promise<void>,
): { chat: OpenChat; done: Promise<void> } {
  const id = newId()
  const { selection, folderId } = beginning
  const chat = openChat(id)
  chat.store.setState({
    conversation: createConversation(createEmptyChat({ ...beginning, id, now: new Date().toISOString() }), Date.now()),
    draft: { content: '', attachments: [] },
  })
  // On touch screens the focus would bring the keyboard up over the answer.
  chat.takesFocus = !matchMedia('(pointer: coarse)').matches
  const creating = call(routes.create, { body: { id, selection, folderId } })
  chat.creating = creating
  // Until it stands, it is in use, whether its page is there yet or not.
  chat.users++
  const done = (async () => {
    try {
      const asking = first(chat)
      await creating.then(({ messages: _messages, queue: _queue, draft: _draft, ...head }) => {
        // The first words stand in as a title until there is one.
        changeConversation(chat, (now) =>
          changeHead(now, { ...head, title: beginning.title || head.title, runningGenerationId: null }),
        )
        chat.creating = null
      })
      await asking
    } catch (error) {
      const made = chat.creating === null
      forgetChats(id)
      if (made) void clearAway(id)
      throw error
    } finally {
      chat.users--
      if (chat.users === 0) stopFollowing(chat)
    }
  })()
  return { chat, done }
}

/** An empty chat in the list, or in the trash, would be a riddle. */
async function clearAway(id: string): Promise<void> {
  await call(routes.remove, { params: { sessionId: id } })
    .then(() => call(routes.removeTrash, { params: { itemId: id } }))
    .catch(() => undefined) // The question is back in the box, and that is what counts.
}
