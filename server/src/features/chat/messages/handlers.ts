/** Messages of a chat: read by the page, written by hand, changed, rated. */
import type { Message, chatRoutes } from '@atrium/contract/chat'
import { isUniqueViolation } from '../../../platform/db/index.ts'
import type { Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import { isOwnCall } from '../../../core/generation/index.ts'
import { denyWaiting } from '../generations/waiting.ts'
import { findAttachments } from '../attachments.ts'
import { type ChatContext, openChat } from '../context.ts'
import { appendToPath, summaryAfter } from './path.ts'
import { setPinned } from './pins.ts'
import { readMessagePage, rowToMessage, rowsToMessages, readMessageCursor } from './serialise.ts'
import { messagesFor } from './quotes.ts'
import { firstWords, quotesIn } from '../rules.ts'
import { openContent, plainContent, sealBranchName, sealContent, sealTitle, selectionToText } from '../stores/rows.ts'
import type { MessageRow, SessionRow } from '../tables.ts'

type Routes = Pick<typeof chatRoutes, 'messages' | 'newer' | 'addMessage' | 'updateMessage' | 'addBranch'>

export const messageHandlers = (context: ChatContext): Handlers<Routes> => ({
  async messages({ query }, { resource }) {
    const { chat, keys } = await openChat(context, resource.id, resource.ownerId)
    const from = await pageEnd(context, chat, query)
    const { leaf, ...page } = await readMessagePage(context, keys, chat, from, query.limit)
    const items = await messagesFor(context, chat, resource, page.items)
    const active = query.around === undefined || (await isActive(context, chat, from))
    return { ...page, items, previousCursor: leaf?.active_child_id ? leaf.id : null, active }
  },

  async newer({ params, query }, { resource }) {
    const { chat, keys } = await openChat(context, resource.id, resource.ownerId)
    await readMessage(context, chat, params.messageId)
    const rows = await context.store.messages.downwards(chat.id, params.messageId, query.limit)
    const last = rows.at(-1)
    const items = await messagesFor(context, chat, resource, await rowsToMessages(context, keys, chat, rows))
    return { items, nextCursor: rows.length === query.limit && last?.active_child_id ? last.id : null }
  },

  async addMessage({ params, body }, { caller }) {
    const { chat, keys } = await openChat(context, params.sessionId, caller.accountId)
    const attachments = await findAttachments(context, caller.accountId, body.attachmentIds ?? [])
    return insertMessage(context, keys, chat, {
      ...body,
      attachmentIds: attachments.map((attachment) => attachment.id),
      parentOf: (fresh) => fresh.active_leaf_id,
    })
  },

  async updateMessage({ params, body }, { caller }) {
    const { chat, keys } = await openChat(context, params.sessionId, caller.accountId)
    const row = await readMessage(context, chat, params.messageId)
    const { content, reasoning, rating, pinned, branchName } = body
    const changes = content !== undefined || reasoning !== undefined
    // What is being written would write over other words; ratings, pins and names stand beside them.
    if (changes && (row.status === 'running' || row.status === 'waiting')) throw fail('generation_running')
    // A summary is in no branch.
    if (branchName !== undefined && row.role === 'summary') throw fail('message_not_found')
    if (pinned !== undefined) await setPinned(context, row, pinned)
    const old = openContent(keys, row)
    // Words that somebody changed stand behind what was called, wherever that stood.
    const toolCalls =
      content === undefined
        ? old.toolCalls
        : old.toolCalls.map((call) => ({ ...call, ...(isOwnCall(call) && { textBefore: 0 }) }))
    const text = {
      ...old,
      toolCalls,
      text: content ?? old.text,
      quotes: content === undefined ? old.quotes : quotesIn(content, old.quotes),
      reasoning: reasoning === undefined ? old.reasoning : reasoning,
    }
    if (changes) {
      const edited_at = context.clock.now()
      await context.store.messages.update(row.id, { content: sealContent(keys, row.id, text), edited_at })
      // What its provider knew of it was about other words.
      await context.store.replays.remove(row.id)
    }
    if (rating !== undefined) await context.store.messages.update(row.id, { rating })
    if (branchName !== undefined) {
      const branch_name = branchName === null ? null : sealBranchName(keys, row.id, branchName)
      await context.store.messages.update(row.id, { branch_name })
    }
    context.announceChange(caller.accountId, chat.id)
    return rowToMessage(context, keys, chat, await readMessage(context, chat, row.id))
  },

  async addBranch({ params, body }, { caller }) {
    const { chat, keys } = await openChat(context, params.sessionId, caller.accountId)
    const twin = await readMessage(context, chat, params.messageId)
    if (twin.role === 'summary') throw fail('message_not_found')
    return insertMessage(context, keys, chat, {
      ...body,
      role: twin.role,
      attachmentIds: [],
      parentOf: () => twin.parent_id,
    })
  },
})

/** A live message or summary of a chat. Refuses with `message_not_found`. */
export const readMessage = async (context: ChatContext, chat: SessionRow, id: string): Promise<MessageRow> => {
  const row = await context.store.messages.read(chat.id, id)
  if (!row) throw fail('message_not_found')
  return row
}

/** Where an asked page ends: at its marker, some messages after one, or at the end of the path. */
const pageEnd = async (
  context: ChatContext,
  chat: SessionRow,
  query: { limit: number; cursor?: string | undefined; around?: string | undefined },
): Promise<string | null> => {
  if (query.cursor !== undefined) {
    const id = readMessageCursor(query.cursor)
    if (!(await context.store.messages.read(chat.id, id))) throw fail('bad_cursor')
    return id
  }
  if (query.around === undefined) return chat.active_leaf_id
  const row = await readMessage(context, chat, query.around)
  const middle = row.role === 'summary' ? row.covers_to_id : row.id
  if (middle === null) throw fail('message_not_found')
  const below = await context.store.messages.downwards(chat.id, middle, Math.floor(query.limit / 2))
  return below.at(-1)?.id ?? middle
}

const isActive = async (context: ChatContext, chat: SessionRow, id: string | null): Promise<boolean> =>
  id !== null && (await context.store.messages.isOnPath(chat.id, id, chat.active_leaf_id))

/** Stores a message that no model is asked about, and makes it the end of the active path. */
const insertMessage = async (
  context: ChatContext,
  keys: Keyring,
  chat: SessionRow,
  given: {
    readonly id?: string | undefined
    readonly role: 'user' | 'assistant'
    readonly content: string
    readonly attachmentIds: readonly string[]
    readonly selection?: Parameters<typeof selectionToText>[0] | undefined
    readonly parentOf: (fresh: SessionRow) => string | null
  },
): Promise<Message> => {
  await denyWaiting(context, keys, chat)
  const id = given.id ?? context.clock.id()
  const now = context.clock.now()
  const digest = context.vault.blindIndex(
    'chat.message',
    JSON.stringify([chat.id, given.role, given.content, given.attachmentIds, given.selection ?? null]),
  )
  const findRepeat = async (): Promise<Message | null> => {
    const twin = given.id === undefined ? null : await context.store.messages.anyOfId(given.id)
    if (!twin) return null
    if (twin.chat_id !== chat.id || twin.digest !== digest || twin.deleted_at !== null) throw fail('id_reused')
    return rowToMessage(context, keys, chat, twin)
  }
  const before = await findRepeat()
  if (before) return before
  const sealed = sealContent(keys, id, plainContent(given.content))
  const title = given.role === 'user' ? sealTitle(keys, chat.id, firstWords(given.content)) : null
  try {
    await context.store.write(async (trx) => {
      const fresh = await context.store.sessions.readIn(trx, chat.id, chat.account_id)
      if (!fresh) throw fail('chat_not_found')
      if (fresh.running_generation_id !== null) throw fail('generation_running')
      const parentId = given.parentOf(fresh)
      const parent = parentId === null ? null : await context.store.messages.readIn(trx, chat.id, parentId)
      if (parentId !== null && !parent) throw fail('message_not_found')
      const grows = parentId === fresh.active_leaf_id
      const summary_id = await summaryAfter(context.store, trx, fresh, parentId, grows)
      await appendToPath(context.store, trx, fresh, {
        id,
        chat_id: chat.id,
        account_id: chat.account_id,
        parent_id: parentId,
        role: given.role,
        status: 'complete',
        depth: parent ? parent.depth + 1 : 0,
        content: sealed,
        selection: selectionToText(given.selection ?? null),
        rating: null,
        finish_reason: null,
        generation_id: null,
        active_child_id: null,
        covers_to_id: null,
        digest,
        attachment_count: given.attachmentIds.length,
        created_at: now,
        edited_at: null,
        deleted_at: null,
        trash_id: null,
      })
      await context.store.attachments.assignNew(trx, id, chat.id, given.attachmentIds)
      const first = title && fresh.title_source === 'default' && fresh.active_leaf_id === null
      await context.store.sessions.updateIn(trx, chat.id, {
        ...(first ? { title } : {}),
        ...(fresh.draft === 1 ? { draft: 0 } : {}),
        active_leaf_id: id,
        summary_id,
        updated_at: now,
      })
    })
  } catch (error) {
    // Sent twice at once: the other one was faster.
    const winner = isUniqueViolation(error) ? await findRepeat() : null
    if (winner) return winner
    throw isUniqueViolation(error) ? fail('id_reused') : error
  }
  context.announceChange(chat.account_id, chat.id)
  const fresh = (await openChat(context, chat.id, chat.account_id)).chat
  return rowToMessage(context, keys, fresh, await readMessage(context, fresh, id))
}
