/**
 * Forks: the path up to a message, all branches, or those without what follows a message, copied into a chat of the caller's own. Of a chat of somebody else, what a
 * reader sees is copied, sealed with the keys of the reader, attachments too.
 */
import type { chatRoutes } from '@atrium/contract/chat'
import type { Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { copyBranches, copyPath } from './copy-messages.ts'
import type { ForkKeys } from './fork-attachments.ts'
import { type ChatContext, openChat } from '../context.ts'
import { readMessage } from '../messages/handlers.ts'
import { readChatSummary } from '../messages/serialise.ts'
import { openSettings, openTitle, sealForkedFrom, sealSettings, sealTitle } from '../stores/rows.ts'
import { type NewSessionRow, initialState } from '../stores/sessions.ts'
import type { MessageRow, SessionRow } from '../tables.ts'
import { announceTags } from '../tags.ts'
import { removeChatForGood } from '../trash.ts'
import { expiryFrom } from './temporary.ts'

type Routes = Pick<typeof chatRoutes, 'fork'>

export const forkHandlers = (context: ChatContext): Handlers<Routes> => ({
  async fork({ body }, { caller, resource }) {
    if (body.branches && resource.ownerId !== caller.accountId) {
      throw fail('right_missing', 'Only the owner of a chat can copy its branches.')
    }
    const { chat, keys: from } = await openChat(context, resource.id, resource.ownerId)
    const keys = { from, to: await context.vault.keyring(caller.accountId) }
    const last = body.messageId === undefined ? null : await readMessage(context, chat, body.messageId)
    if (last?.role === 'summary') throw fail('message_not_found')
    const id = context.clock.id()
    const fork = forkOf(context, keys, chat, { id, accountId: caller.accountId, last, title: body.title })
    await context.store.sessions.insert(fork)
    try {
      const { leaf, summary } = body.branches
        ? await copyBranches(context, keys, chat, fork, last?.id ?? null)
        : await copyPath(context, keys, chat, fork, last?.id ?? chat.active_leaf_id)
      if (chat.account_id === caller.accountId) await context.store.tags.copy(chat.id, id)
      await context.store.sessions.update(fork, { active_leaf_id: leaf, summary_id: summary, ready: 1 })
    } catch (error) {
      await removeChatForGood(context, id)
      throw error
    }
    context.announceChange(caller.accountId, id)
    await announceTags(context, caller.accountId)
    return readChatSummary(context, keys.to, (await openChat(context, id, caller.accountId)).chat)
  },
})

/** Removes copies that an earlier process did not finish. */
export const removeUnfinishedForks = async (context: ChatContext): Promise<void> => {
  const before = context.clock.now() - oldEnoughMs
  for (const id of await context.store.sessions.listUnfinished(before)) await removeChatForGood(context, id)
}

/** Another process may be copying just now; nothing takes this long. */
const oldEnoughMs = 10 * 60_000

const forkOf = (
  context: ChatContext,
  { from, to }: ForkKeys,
  chat: SessionRow,
  given: { id: string; accountId: string; last: MessageRow | null; title: string | undefined },
): NewSessionRow => {
  const { id, accountId, last, title } = given
  const now = context.clock.now()
  const name = openTitle(from, chat)
  const own = chat.account_id === accountId
  return {
    ...chat,
    id,
    account_id: accountId,
    title: sealTitle(to, id, title ?? name),
    title_source: title === undefined ? chat.title_source : 'own',
    // How its owner wants it answered is the owner's, and so is the folder.
    settings: chat.settings && own ? sealSettings(to, id, openSettings(from, chat)) : null,
    folder_id: own ? chat.folder_id : null,
    forked_from: sealForkedFrom(to, id, { chatId: chat.id, title: name, messageId: last?.id ?? chat.active_leaf_id }),
    ...initialState,
    ready: 0,
    // The copy of a temporary chat is as temporary.
    expires_at: chat.expires_at === null ? null : expiryFrom(context, now),
    digest: null,
    created_at: now,
    updated_at: now,
    deleted_at: null,
    trash_id: null,
  }
}
