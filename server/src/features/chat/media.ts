/**
 * What was made as an answer, for those who may read the chat. It is in the gallery of the chat's owner, of which they
 * reach nothing else: the answer names it, never the request.
 */
import type { chatRoutes } from '@atrium/contract/chat'
import type { BytesAnswer, Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import { type ChatContext, openChat } from './context.ts'
import { openContent } from './stores/rows.ts'
import type { SessionRow } from './tables.ts'

export const sentMediaHandlers = (context: ChatContext): Handlers<Pick<typeof chatRoutes, 'sentMedia'>> => ({
  async sentMedia({ params }, { resource }) {
    const { chat } = await openChat(context, resource.id, resource.ownerId)
    return openSentMedia(context, chat, params.messageId)
  },
})

/** Refuses with `attachment_not_found` where nothing was made, or it is not there any more. */
export const openSentMedia = async (
  context: ChatContext,
  chat: SessionRow,
  messageId: string,
): Promise<BytesAnswer> => {
  const row = await context.store.messages.read(chat.id, messageId)
  const making = row && openContent(await context.vault.keyring(chat.account_id), row).making
  const made = making?.jobId ? await context.gallery?.openMade(chat.account_id, making.jobId) : null
  if (!made) throw fail('attachment_not_found')
  return made
}
