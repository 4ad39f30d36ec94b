/** Rows of chats and messages as the shapes of the contract. */
import type { Attachment, Chat, ChatSummary, Draft, Message, Queue, QueueEntry } from '@atrium/contract/chat'
import { openWords, unlessUnreadable } from '../../../platform/stored-json.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import { toIsoTime } from '../../../platform/iso-time.ts'
import type { ChatContext } from '../context.ts'
import { summaryForReader } from '../sharing/redact.ts'
import { readOwnerName, listShown } from '../sharing/readers.ts'
import {
  openBranchName,
  openContent,
  openDocuments,
  openForkedFrom,
  openQueuedMaking,
  openQueuedQuotes,
  openQueuedTools,
  openQuotes,
  openSettings,
  rowToAttachment,
  rowToSummary,
  textToSelection,
} from '../stores/rows.ts'
import type { AttachmentRow, MessageRow, QueueRow, SessionRow } from '../tables.ts'
import { keepLiveQuotes, messagesForReader } from './quotes.ts'

/**
 * Messages with their attachments and their place among siblings, and the summaries that end at them.
 * `rows` are in reading order; the cost is three queries, and one more where something is quoted, however many rows there are.
 */
export const rowsToMessages = async (
  context: ChatContext,
  keys: Keyring,
  chat: Pick<SessionRow, 'id' | 'summary_id'>,
  rows: readonly MessageRow[],
): Promise<Message[]> => {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const parents = [...new Set(rows.flatMap((row) => row.parent_id ?? []))]
  const root = rows.some((row) => row.parent_id === null)
  const [children, attachments, summaries, covered] = await Promise.all([
    context.store.messages.childIds(chat.id, parents, root),
    context.store.attachments.ofMessages(rows),
    // Without a summary in force there is none on the path.
    chat.summary_id === null ? [] : context.store.messages.summariesAt(ids),
    coveredDepth(context, chat),
  ])
  const siblings = new Map<string | null, string[]>()
  for (const child of children) {
    const list = siblings.get(child.parent_id)
    if (list) list.push(child.id)
    else siblings.set(child.parent_id, [child.id])
  }
  const present = (row: MessageRow): Message => {
    if (row.role === 'summary') return presentSummary(keys, row, chat.summary_id)
    const around = siblings.get(row.parent_id) ?? [row.id]
    return {
      ...plainMessage(keys, row, attachments.get(row.id) ?? []),
      siblingIndex: Math.max(0, around.indexOf(row.id)),
      siblingCount: Math.max(1, around.length),
      summarised: row.depth <= covered,
    }
  }
  const messages = rows.flatMap((row) => [
    present(row),
    ...summaries
      .filter((summary) => summary.covers_to_id === row.id)
      .map((summary) => presentSummary(keys, summary, chat.summary_id)),
  ])
  return keepLiveQuotes(context, chat.id, messages)
}

/** One message. */
export const rowToMessage = async (
  context: ChatContext,
  keys: Keyring,
  chat: Pick<SessionRow, 'id' | 'summary_id'>,
  row: MessageRow,
): Promise<Message> => {
  const [message] = await rowsToMessages(context, keys, chat, [row])
  if (!message) throw fail('message_not_found')
  return message
}

/** A summary is listed right after the last message it covers. */
const presentSummary = (keys: Keyring, row: MessageRow, inForce: string | null): Message => ({
  ...plainMessage(keys, row, []),
  parentId: row.covers_to_id,
  siblingIndex: 0,
  siblingCount: 1,
  summarised: row.id !== inForce,
})

/** The depth of the last message that the summary in force stands for; -1 without one. */
const coveredDepth = async (context: ChatContext, chat: Pick<SessionRow, 'id' | 'summary_id'>): Promise<number> => {
  if (chat.summary_id === null) return -1
  return (await context.store.messages.read(chat.id, chat.summary_id))?.depth ?? -1
}

const plainMessage = (keys: Keyring, row: MessageRow, attachments: readonly AttachmentRow[]): Message => {
  const content = openContent(keys, row)
  return {
    id: row.id,
    parentId: row.parent_id,
    role: row.role,
    status: row.status,
    content: content.text,
    reasoning: content.reasoning,
    attachments: attachments.map((attachment) => rowToAttachment(keys, attachment)),
    documents: content.documents,
    quotes: content.quotes,
    toolCalls: content.toolCalls,
    sources: content.sources,
    retrieval: content.retrieval,
    making: content.making,
    lostPictures: content.lostPictures,
    selection: textToSelection(row.selection),
    usage: content.usage,
    context: content.context,
    finishReason: row.finish_reason,
    failure: content.failure,
    rating: row.rating === 1 ? 1 : row.rating === -1 ? -1 : null,
    pinned: row.pinned_at !== null,
    branchName: openBranchName(keys, row),
    siblingIndex: 0,
    siblingCount: 1,
    depth: row.depth,
    summarised: false,
    generationId: row.generation_id,
    createdAt: toIsoTime(row.created_at),
    editedAt: row.edited_at === null ? null : toIsoTime(row.edited_at),
  }
}

export const messageCursor = (id: string): string => Buffer.from(`m.${id}`).toString('base64url')

/** The message that a marker of an earlier page points to. Refuses with `bad_cursor`. */
export const readMessageCursor = (cursor: string): string => {
  const [, id] = /^m\.([\w-]{1,100})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (id === undefined || messageCursor(id) !== cursor) throw fail('bad_cursor')
  return id
}

/** A page that ends at `leafId`, in reading order. */
export const readMessagePage = async (
  context: ChatContext,
  keys: Keyring,
  chat: SessionRow,
  leafId: string | null,
  limit: number,
): Promise<{ items: Message[]; nextCursor: string | null; leaf: MessageRow | null }> => {
  if (leafId === null) return { items: [], nextCursor: null, leaf: null }
  const rows = await context.store.messages.upwards(chat.id, leafId, limit)
  const oldest = rows.at(-1)
  return {
    items: await rowsToMessages(context, keys, chat, rows.toReversed()),
    nextCursor: oldest?.parent_id ? messageCursor(oldest.parent_id) : null,
    leaf: rows[0] ?? null,
  }
}

/** A chat of the caller as it stands in lists. */
export const readChatSummary = async (context: ChatContext, keys: Keyring, chat: SessionRow): Promise<ChatSummary> =>
  (await readChatSummaries(context, keys, [chat]))[0] ?? rowToSummary(keys, chat, {})

export const readChatSummaries = async (
  context: ChatContext,
  keys: Keyring,
  chats: readonly SessionRow[],
): Promise<ChatSummary[]> => {
  const [shown, tags] = await Promise.all([
    listShown(context, chats),
    readTagNames(
      context,
      keys,
      chats.map(({ id }) => id),
    ),
  ])
  return chats.map((chat) => rowToSummary(keys, chat, { shared: shown.has(chat.id), tags: tags.get(chat.id) ?? [] }))
}

/** What the tags of chats of one account are called, by the ids of the chats. */
export const readTagNames = async (
  context: Pick<ChatContext, 'store'>,
  keys: Keyring,
  chatIds: readonly string[],
): Promise<ReadonlyMap<string, string[]>> => {
  const rows = await context.store.tags.ofChats(chatIds)
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  const nameOf = new Map([...names].map(([id, name]) => [id, openWords(keys, 'chat_tags.name', id, name)]))
  const ofChat = Map.groupBy(rows, (row) => row.chat_id)
  return new Map([...ofChat].map(([chatId, uses]) => [chatId, uses.map(({ id }) => nameOf.get(id) ?? '').sort(byTag)]))
}

/** Tags are listed by their names. */
export const byTag = (one: string, other: string): number =>
  one.localeCompare(other, undefined, { numeric: true }) || (one < other ? -1 : 1)

/** A chat of another account, as its readers see it. */
export const readSharedChat = async (
  context: ChatContext,
  keys: Keyring,
  chat: SessionRow,
  limit: number,
): Promise<Chat> => {
  const [{ leaf, items, nextCursor }, ownerName] = await Promise.all([
    readMessagePage(context, keys, chat, chat.active_leaf_id, limit),
    readOwnerName(context, chat.account_id),
  ])
  return {
    ...summaryForReader(rowToSummary(keys, chat, {})),
    ownerName,
    settings: {},
    activeLeafId: chat.active_leaf_id,
    messageCount: leaf ? leaf.depth + 1 : 0,
    pinnedCount: 0,
    forkedFrom: null,
    messages: { items: await messagesForReader(context, chat, items), nextCursor },
    queue: [],
    queuePaused: false,
    draft: emptyDraft,
  }
}

/** A chat of the caller with the last page of its active path. */
export const readChat = async (context: ChatContext, keys: Keyring, chat: SessionRow, limit = 30): Promise<Chat> => {
  const [{ leaf, ...messages }, summary, { queue, paused }, draft, pinnedCount] = await Promise.all([
    readMessagePage(context, keys, chat, chat.active_leaf_id, limit),
    readChatSummary(context, keys, chat),
    readQueue(context, keys, chat),
    readDraft(context, keys, chat.id, chat.account_id),
    context.store.pins.count(chat.id),
  ])
  return {
    ...summary,
    ownerName: null,
    settings: openSettings(keys, chat),
    activeLeafId: chat.active_leaf_id,
    messageCount: leaf ? leaf.depth + 1 : 0,
    pinnedCount,
    forkedFrom: openForkedFrom(keys, chat),
    messages,
    queue,
    queuePaused: paused,
    draft,
  }
}

/** The queue of a chat, and whether it is paused. */
export const readQueue = async (
  context: ChatContext,
  keys: Keyring,
  { id, account_id }: Pick<SessionRow, 'id' | 'account_id'>,
): Promise<Queue> => {
  const rows = await context.store.queue.list(id)
  if (rows.length === 0) return { queue: [], paused: false }
  const [attachments, chat] = await Promise.all([
    context.store.attachments.ofHolders(rows.map((row) => `queue:${row.id}`)),
    context.store.sessions.read(id, account_id),
  ])
  const queue = rows.map((row) => rowToQueueEntry(keys, row, attachments.get(`queue:${row.id}`) ?? []))
  return { queue, paused: chat?.queue_held === 1 }
}

export const rowToQueueEntry = (keys: Keyring, row: QueueRow, attachments: readonly AttachmentRow[]): QueueEntry => ({
  id: row.id,
  content: openWords(keys, 'chat_queue.content', row.id, row.content),
  attachments: attachments.map((attachment) => rowToAttachment(keys, attachment)),
  documents: openDocuments(keys, row),
  quotes: openQueuedQuotes(keys, row),
  webSearch: row.web_search === 1,
  tools: unlessUnreadable(() => openQueuedTools(keys, row), null),
  make: unlessUnreadable(() => openQueuedMaking(keys, row), null),
  createdAt: toIsoTime(row.created_at),
})

const emptyDraft: Draft = { content: '', quotes: [], attachments: [] }

/** What is typed but not sent. `id` is a chat's, or `new:<account id>`. */
export const readDraft = async (context: ChatContext, keys: Keyring, id: string, accountId: string): Promise<Draft> => {
  const row = await context.store.queue.readDraft(id)
  if (!row || row.account_id !== accountId) return emptyDraft
  const holder = `draft:${id}`
  const attachments = (await context.store.attachments.ofHolders([holder])).get(holder) ?? []
  return {
    content: unlessUnreadable(() => keys.open('chat_drafts.content', row.id, row.content), ''),
    quotes: openQuotes(keys, row),
    attachments: attachments.map((attachment): Attachment => rowToAttachment(keys, attachment)),
  }
}
