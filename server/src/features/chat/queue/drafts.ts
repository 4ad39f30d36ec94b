/** What is typed but not sent, per chat and for the next one. A draft never moves its chat's time. */
import type { chatRoutes, Quote } from '@atrium/contract/chat'
import type { Handlers } from '../../../platform/http/area.ts'
import { findAttachments } from '../attachments.ts'
import { type ChatContext, openChat } from '../context.ts'
import { readDraft } from '../messages/serialise.ts'
import { sealQuotes } from '../stores/rows.ts'

type Routes = Pick<typeof chatRoutes, 'saveDraft' | 'newDraft' | 'saveNewDraft'>
interface Typed {
  readonly content: string
  readonly quotes: readonly Quote[]
  readonly attachmentIds: readonly string[]
}

export const draftHandlers = (context: ChatContext): Handlers<Routes> => ({
  async saveDraft({ params, body }, { caller }) {
    const { chat } = await openChat(context, params.sessionId, caller.accountId)
    await save(context, caller.accountId, chat.id, chat.id, body)
    return {}
  },

  async newDraft(_input, { caller }) {
    const { accountId } = caller
    const keys = await context.vault.keyring(accountId)
    const [draft, sessionId] = await Promise.all([
      readDraft(context, keys, newDraftId(accountId), accountId),
      context.store.sessions.latestDraft(accountId),
    ])
    return { ...draft, sessionId }
  },

  async saveNewDraft({ body }, { caller }) {
    await save(context, caller.accountId, newDraftId(caller.accountId), null, body)
    return {}
  },
})

const newDraftId = (accountId: string): string => `new:${accountId}`

const save = async (
  context: ChatContext,
  accountId: string,
  id: string,
  chatId: string | null,
  typed: Typed,
): Promise<void> => {
  const attachments = await findAttachments(context, accountId, typed.attachmentIds)
  const keys = await context.vault.keyring(accountId)
  const content = keys.seal('chat_drafts.content', id, typed.content)
  const quotes = sealQuotes(keys, id, typed.quotes)
  await context.store.write(async (trx) => {
    const isEmpty = typed.content === '' && typed.quotes.length === 0 && attachments.length === 0
    if (isEmpty) return context.store.queue.removeDraft(trx, id)
    await context.store.queue.writeDraft(trx, { id, account_id: accountId, content, quotes })
    await context.store.attachments.assign(
      trx,
      `draft:${id}`,
      chatId,
      attachments.map((attachment) => attachment.id),
    )
  })
}
