import type { Selection } from '@atrium/contract/common'
import type { Preferences } from '@atrium/contract/settings'
import { rememberModel } from '../../../blocks/models.ts'
import { changeChat } from '../list/changes.ts'
import { changeHead } from './conversation.ts'
import { isDraftChat } from './draft-chat.ts'
import { changeConversation, type OpenChat } from './store.ts'

/** Has a chat answered by another model from now on, and puts it first among the lately used ones. */
export async function chooseModel(chat: OpenChat, preferences: Preferences, selection: Selection): Promise<void> {
  // A chat that nothing was asked in learns of it with its first question.
  if (isDraftChat(chat)) changeConversation(chat, (now) => changeHead(now, { selection }))
  else await changeChat(chat.id, { selection })
  await rememberModel(preferences, selection)
}
