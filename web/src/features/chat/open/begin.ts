/** A chat that begins with its first question: on screen at once, then made on the server. */
import type { Selection } from '@atrium/contract/common'
import { askQuestion, type QuestionInput } from './ask.ts'
import { changeHead } from './conversation.ts'
import { createChat, releaseDraftChat, takeBackDraftChat } from './draft-chat.ts'
import { stopFollowing } from './follow.ts'
import { changeConversation, type OpenChat } from './store.ts'

export interface NewChatInput extends QuestionInput {
  readonly selection: Selection | null
  readonly folderId: string | null
  readonly temporary: boolean
  readonly title: string
}

/**
 * Asks the first question in a draft. `done` rejects when the server refuses; then the draft is there again, with its
 * documents and settings.
 */
export async function beginChat(chat: OpenChat, beginning: NewChatInput): Promise<void> {
  const { selection, folderId, title, temporary } = beginning
  // A guess, until the server says when it goes.
  const expiresAt = temporary ? new Date(Date.now() + 24 * 3600_000).toISOString() : null
  changeConversation(chat, (now) => changeHead(now, { selection, folderId, title, expiresAt }))
  // On touch screens the focus would bring the keyboard up over the answer.
  chat.takesFocus = !matchMedia('(pointer: coarse)').matches
  // Until it stands, it is in use, whether its page is there yet or not.
  chat.users++
  releaseDraftChat(chat)
  const creating = createChat(chat, { selection, folderId, ...(temporary && { temporary }) })
  chat.creating = creating
  try {
    // The question is on screen while the chat is made.
    const asking = askQuestion(chat, beginning)
    asking.catch(() => undefined)
    const head = await creating
    chat.creating = null
    // The first words stand in as a title until there is one.
    changeConversation(chat, (now) =>
      changeHead(now, { ...head, title: title || head.title, runningGenerationId: null }),
    )
    await asking
  } catch (error) {
    chat.creating = null
    takeBackDraftChat(chat)
    throw error
  } finally {
    chat.users--
    if (chat.users === 0) stopFollowing(chat)
  }
}
