/**
 * Prompts that wait on the server until the running answer is done, and are then sent one by one. When an answer is
 * stopped or fails, those behind it are paused until the person resumes them: nothing that costs starts by itself then.
 */
import { unlessUnreadable } from '../../../platform/stored-json.ts'
import type { chatRoutes, MakeWish, Queue, SentQuote } from '@atrium/contract/chat'
import type { ToolChoice } from '@atrium/contract/generation'
import { isUniqueViolation } from '../../../platform/db/index.ts'
import type { Handlers } from '../../../platform/http/area.ts'
import { fail, isRefusal } from '../../../platform/http/refusal.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import { lacksTools, requireTools, requireToolScope } from '../generations/tool-turn.ts'
import { QueueEntryTaken, startAnswer } from '../generations/ask.ts'
import { requireMaking } from '../generations/making.ts'
import { findAttachments } from '../attachments.ts'
import { type ChatContext, openChat } from '../context.ts'
import { readQueue, rowToQueueEntry } from '../messages/serialise.ts'
import {
  openDocuments,
  openQueuedMaking,
  openQueuedQuotes,
  openQueuedTools,
  sealDocuments,
  sealQueuedMaking,
  sealQueuedQuotes,
  sealQueuedTools,
  waitsForDecision,
} from '../stores/rows.ts'
import type { SessionRow } from '../tables.ts'

type Routes = Pick<
  typeof chatRoutes,
  'enqueue' | 'enqueueMaking' | 'reorderQueue' | 'resumeQueue' | 'updateQueued' | 'removeQueued'
>

const maxQueued = 20

export const queueHandlers = (context: ChatContext): Handlers<Routes> => ({
  async enqueue({ params, body }, { caller }) {
    const opened = await openChat(context, params.sessionId, caller.accountId)
    if (body.content.trim() === '' && (body.attachmentIds ?? []).length === 0) {
      throw fail('validation_failed', undefined, [
        { path: 'body.content', message: 'a prompt needs text or attachments' },
      ])
    }
    if (body.webSearch === true && !(await context.web.isAllowed(caller.accountId)))
      throw fail('web_search_unavailable')
    const withoutTools = lacksTools(caller)
    requireToolScope(body.tools, withoutTools)
    await requireTools(context, caller.accountId, body.tools)
    return await append(context, opened, { ...body, make: null, withoutTools })
  },

  async enqueueMaking({ params, body }, { caller }) {
    const opened = await openChat(context, params.sessionId, caller.accountId)
    requireMaking({ ...body, message: body.content }, opened.chat, 'body.content')
    return await append(context, opened, { ...body, withoutTools: lacksTools(caller) })
  },

  async reorderQueue({ params, body }, { caller }) {
    const { chat, keys } = await openChat(context, params.sessionId, caller.accountId)
    await context.store.queue.reorder(chat.id, body.order)
    context.announceChange(caller.accountId, chat.id)
    return readQueue(context, keys, chat)
  },

  async resumeQueue({ params }, { caller }) {
    const { chat, keys } = await openChat(context, params.sessionId, caller.accountId)
    await context.store.sessions.update(chat, { queue_held: 0 })
    context.announceChange(caller.accountId, chat.id)
    await drainQueue(context, caller.accountId, chat.id)
    return readQueue(context, keys, chat)
  },

  async updateQueued({ params, body }, { caller }) {
    const { chat, keys } = await openChat(context, params.sessionId, caller.accountId)
    const content = keys.seal('chat_queue.content', params.entryId, body.content)
    if (!(await context.store.queue.update(chat.id, params.entryId, content))) throw fail('queue_entry_not_found')
    context.announceChange(caller.accountId, chat.id)
    return readQueue(context, keys, chat)
  },

  async removeQueued({ params }, { caller }) {
    const { chat, keys } = await openChat(context, params.sessionId, caller.accountId)
    const row = await context.store.queue.read(chat.id, params.entryId)
    if (!row) throw fail('queue_entry_not_found')
    const holder = `queue:${row.id}`
    const held = (await context.store.attachments.ofHolders([holder])).get(holder) ?? []
    const taken = await context.store.write((trx) => context.store.queue.take(trx, chat.id, row.id))
    if (!taken) throw fail('queue_entry_not_found')
    context.announceChange(caller.accountId, chat.id)
    return { entry: rowToQueueEntry(keys, row, held), ...(await readQueue(context, keys, chat)) }
  },
})

interface Prompt {
  readonly id?: string | undefined
  readonly content: string
  readonly attachmentIds?: readonly string[] | undefined
  readonly documentIds?: string[] | undefined
  readonly quotes?: readonly SentQuote[] | undefined
  readonly webSearch?: boolean | undefined
  readonly tools?: ToolChoice | undefined
  readonly make: MakeWish | null
  readonly withoutTools: boolean
}

/** Puts a prompt at the end of the queue, and sends it where nothing is running. */
const append = async (
  context: ChatContext,
  { chat, keys }: { readonly chat: SessionRow; readonly keys: Keyring },
  {
    content,
    attachmentIds = [],
    documentIds = [],
    quotes = [],
    webSearch = false,
    tools,
    make,
    withoutTools,
    id: given,
  }: Prompt,
): Promise<Queue> => {
  const { account_id } = chat
  const attachments = await findAttachments(context, account_id, attachmentIds)
  const documents = await context.documents.describeDocuments(account_id, chat.id, documentIds)
  const id = given ?? context.clock.id()
  const row = {
    id,
    chat_id: chat.id,
    account_id,
    content: keys.seal('chat_queue.content', id, content),
    documents: sealDocuments(keys, id, documents),
    web_search: webSearch ? 1 : 0,
    without_tools: withoutTools ? 1 : 0,
    making: sealQueuedMaking(keys, id, make),
    tools: sealQueuedTools(keys, id, tools),
    quotes: sealQueuedQuotes(keys, id, quotes),
    created_at: context.clock.now(),
  }
  const ids = attachments.map((attachment) => attachment.id)
  try {
    await context.store.write(async (trx) => {
      if (!(await context.store.queue.append(trx, row, maxQueued))) throw fail('queue_full')
      await context.store.attachments.assignNew(trx, `queue:${id}`, chat.id, ids)
    })
  } catch (error) {
    // The same prompt sent twice is in the queue once.
    const twin = isUniqueViolation(error) ? await context.store.queue.anyOfId(id) : null
    if (twin?.chat_id !== chat.id) throw isUniqueViolation(error) ? fail('conflict') : error
  }
  context.announceChange(account_id, chat.id)
  // Nothing may be running any more: then nothing would ever send it.
  context.background('a queued prompt could not be sent', () => drainQueue(context, account_id, chat.id))
  return await readQueue(context, keys, chat)
}

/**
 * Sends the first queued prompt of an idle chat, unless the queue is paused. One that is refused stays, and pauses it.
 * `known`: the chat, by whoever read it just now.
 */
export const drainQueue = async (
  context: ChatContext,
  accountId: string,
  chatId: string,
  known: SessionRow | null = null,
): Promise<void> => {
  for (let first = known; ; first = null) {
    const chat = first ?? (await context.store.sessions.read(chatId, accountId))
    if (!chat || chat.queue_held === 1 || chat.running_generation_id !== null || waitsForDecision(chat)) return
    const entry = await context.store.queue.first(chatId)
    if (!entry) return
    const keys = await context.vault.keyring(accountId)
    const holder = `queue:${entry.id}`
    const held = (await context.store.attachments.ofHolders([holder])).get(holder) ?? []
    const prompt = unlessUnreadable(
      () => ({
        message: keys.open('chat_queue.content', entry.id, entry.content),
        make: openQueuedMaking(keys, entry),
        tools: openQueuedTools(keys, entry),
      }),
      null,
    )
    if (prompt === null) {
      // It stays in the queue as unreadable, until it is edited or removed.
      await context.store.sessions.update(chat, { queue_held: 1, failed: 1 })
      context.announceChange(accountId, chatId)
      return
    }
    const body = {
      ...(prompt.message === '' ? {} : { message: prompt.message }),
      ...(prompt.make ? { make: prompt.make } : {}),
      ...(prompt.tools ? { tools: prompt.tools } : {}),
      attachmentIds: held.map((attachment) => attachment.id),
      documentIds: openDocuments(keys, entry).map((document) => document.id),
      quotes: openQueuedQuotes(keys, entry),
      ...(entry.web_search === 1 ? { webSearch: true } : {}),
    }
    try {
      await startAnswer(context, accountId, chatId, body, {
        queueEntryId: entry.id,
        withoutTools: entry.without_tools === 1,
      })
      return
    } catch (error) {
      if (error instanceof QueueEntryTaken) continue
      if (!isRefusal(error)) throw error
      if (error.code === 'generation_running' || error.code === 'unavailable' || error.code === 'chat_not_found') return
      await context.store.sessions.update(chat, { queue_held: 1, failed: 1 })
      context.announceChange(accountId, chatId)
      return
    }
  }
}

/** Sends what waited when an earlier process ended between an answer and the next prompt. */
export const resumeQueues = async (context: ChatContext): Promise<void> => {
  for (const { id, account_id } of await context.store.sessions.idleWithQueue(500))
    await drainQueue(context, account_id, id)
}
