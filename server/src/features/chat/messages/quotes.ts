/** Of what questions quote, only what whoever reads them can be led to. Nothing is asked for where nothing is quoted. */
import type { Message, SentQuote } from '@atrium/contract/chat'
import type { AuthorisedResource } from '../../../platform/http/area.ts'
import type { ChatContext } from '../context.ts'
import { redactFor } from '../sharing/redact.ts'
import type { SessionRow } from '../tables.ts'

/** Without quotes of messages that are gone. */
export const keepLiveQuotes = async (
  { store }: Pick<ChatContext, 'store'>,
  chatId: string,
  messages: Message[],
): Promise<Message[]> => keepQuotes(messages, (ids) => store.quotes.listLive(chatId, ids))

/** As somebody with this right on the chat may see them. */
export const messagesFor = async (
  context: Pick<ChatContext, 'store'>,
  chat: Pick<SessionRow, 'id' | 'active_leaf_id'>,
  { right }: Pick<AuthorisedResource, 'right'>,
  messages: Message[],
): Promise<Message[]> => (right === 'owner' ? messages : messagesForReader(context, chat, messages))

/** As readers see them, who are led nowhere but along the path that the owner has open. */
export const messagesForReader = async (
  { store }: Pick<ChatContext, 'store'>,
  chat: Pick<SessionRow, 'id' | 'active_leaf_id'>,
  messages: readonly Message[],
): Promise<Message[]> =>
  keepQuotes(redactFor({ right: 'read' }, messages), (ids) =>
    store.quotes.listOnPath(chat.id, chat.active_leaf_id, ids),
  )

const keepQuotes = async (
  messages: Message[],
  listKept: (ids: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<Message[]> => {
  const quoted = new Set(messages.flatMap(({ quotes = [] }) => quotes.map(({ messageId }) => messageId)))
  if (quoted.size === 0) return messages
  const kept = await listKept([...quoted])
  const isKept = ({ messageId }: SentQuote): boolean => kept.has(messageId)
  return messages.map((message) => (message.quotes ? { ...message, quotes: message.quotes.filter(isKept) } : message))
}
