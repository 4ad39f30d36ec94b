/**
 * Keeps messages and titles in the index of words. Nobody waits for it: every row says which version the index knows,
 * so what was not reached before the process ended is found again, and chats from before there was an index are taken
 * in the same way.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { TextEntry, TextIndex } from '../../../platform/db/search/index.ts'
import type { Keyring, Vault } from '../../../platform/vault/types.ts'
import type { ChatStore } from '../stores/index.ts'
import type { DueMessage } from '../stores/index-entries.ts'
import { type MessageContent, openContent, openTitle } from '../stores/rows.ts'
import type { SessionRow } from '../tables.ts'

export const chatPartition = (accountId: string): string => `chats:${accountId}`
/** Chats in the trash stand apart, and come back as they were. */
export const trashPartition = (accountId: string): string => `trashed-chats:${accountId}`
export const titleEntry = (chatId: string): string => `chat:${chatId}`
/**
 * What tools gave for an answer has an entry of its own, which only leads its owner to that message: readers of a shared
 * chat see no results.
 */
const resultsEntry = (messageId: string): string => `results:${messageId}`
/** All that may stand in the index of messages. */
export const messageEntries = (ids: readonly string[]): string[] => ids.flatMap((id) => [id, resultsEntry(id)])
/** The message whose results an entry holds; null: it holds something else. */
export const messageOfResults = (entryId: string): string | null =>
  entryId.startsWith('results:') ? entryId.slice('results:'.length) : null

export interface ChatIndexer {
  /** Something of an account may have changed: it is indexed soon. */
  schedule(accountId: string): void
  /** Takes in everything of everybody that is not known yet; ends early when the signal aborts. */
  sweep(signal: AbortSignal): Promise<void>
}

interface IndexingDeps {
  readonly texts: TextIndex
  readonly store: ChatStore
  readonly vault: Vault
  readonly closing: AbortSignal
  readonly background: (what: string, work: () => Promise<void>) => void
}

/** Question and answer are often taken in together. */
const afterMs = 700
const batchSize = 100
/** Bytes of sealed messages in a batch, give or take one: nobody who wants to write waits longer than for this. */
const batchBytes = 60_000
/** Text after this length of a message is not indexed. */
const mostText = 200_000
/** Between two batches, so that others get a turn. */
const breathMs = 15

export const createChatIndexer = (deps: IndexingDeps): ChatIndexer => {
  const waiting = new Set<string>()
  /** One batch at a time. */
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <R>(work: () => Promise<R>): Promise<R> => {
    const mine = last.then(work)
    last = mine.catch(() => undefined)
    return mine
  }
  /** Takes in what is due of one account. */
  const indexRows = async (accountId: string, signal: AbortSignal): Promise<void> => {
    while (!signal.aborted && (await inTurn(() => indexBatch(deps, accountId)))) {
      await pause(breathMs, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }
  const work = async (): Promise<void> => {
    await pause(afterMs, undefined, { signal: deps.closing, ref: false }).catch(() => undefined)
    for (const accountId of waiting) {
      waiting.delete(accountId)
      await indexRows(accountId, deps.closing)
    }
  }
  let working = false
  return {
    schedule(accountId) {
      waiting.add(accountId)
      if (working) return
      working = true
      deps.background('messages could not be taken into the index', async () => {
        try {
          do await work()
          while (waiting.size > 0 && !deps.closing.aborted)
        } finally {
          working = false
        }
      })
    },

    async sweep(signal) {
      const until = AbortSignal.any([signal, deps.closing])
      let accountId: string | null = ''
      while (!until.aborted && (accountId = await deps.store.indexing.nextAccount(accountId)) !== null) {
        await indexRows(accountId, until)
      }
    },
  }
}

/** Takes in some of what is due of an account; false when nothing is left, as far as could be seen at the beginning. */
const indexBatch = async ({ texts, store, vault }: IndexingDeps, accountId: string): Promise<boolean> => {
  const [sessions, due] = await Promise.all([
    store.indexing.dueSessions(accountId, batchSize),
    store.indexing.dueMessages(accountId, batchSize),
  ])
  const messages = atOnce(due)
  if (sessions.length === 0 && messages.length === 0) return false
  const keys = await vault.keyring(accountId)
  const entries = [
    ...sessions.map((row) => entryOfTitle(keys, row)),
    ...messages.flatMap((row) => entriesOfMessage(keys, accountId, row)),
  ]
  const known = new Set(entries.map(({ id }) => id))
  const gone = messages
    .flatMap(({ id, deleted_at }) => (deleted_at === null ? [id] : messageEntries([id])))
    .filter((id) => !known.has(id))
  const hashed = await texts.hash(entries)
  let tries = 0
  try {
    await store.write(async (trx) => {
      tries += 1
      if (tries > 1) throw new Gone()
      await store.indexing.note(trx, 'chat_sessions', sessions)
      await store.indexing.note(trx, 'chat_messages', messages)
      await texts.put(hashed, trx)
      await texts.remove(gone, trx)
      for (const [partition, rows] of Map.groupBy(sessions, (row) => partitionOf(accountId, row.deleted_at))) {
        await texts.move(
          rows.map(({ id }) => id),
          partition,
          trx,
        )
      }
    })
  } catch (error) {
    if (!(error instanceof Gone)) throw error
    return true
  }
  return sessions.length === batchSize || due.length === batchSize || messages.length < due.length
}

const atOnce = (due: readonly DueMessage[]): DueMessage[] => {
  let bytes = 0
  const end = due.findIndex(({ content }) => (bytes += content.byteLength) > batchBytes)
  return end === -1 ? [...due] : due.slice(0, end + 1)
}

/** Something was deleted while it was being hashed: what is left is read again. */
class Gone extends Error {}

const partitionOf = (accountId: string, deletedAt: number | null): string =>
  deletedAt === null ? chatPartition(accountId) : trashPartition(accountId)

const entryOfTitle = (keys: Keyring, row: SessionRow): TextEntry => ({
  id: titleEntry(row.id),
  group: row.id,
  partition: partitionOf(row.account_id, row.deleted_at),
  time: row.created_at,
  facets: ['kind:chat'],
  text: openTitle(keys, row),
  prefixes: true,
})

/** Its words, and those of the results that tools gave for it, as far as there are any. */
const entriesOfMessage = (keys: Keyring, accountId: string, row: DueMessage): TextEntry[] => {
  if (row.deleted_at !== null || row.role === 'summary') return []
  const content = openContent(keys, row)
  const common = {
    group: row.chat_id,
    partition: partitionOf(accountId, row.chat_deleted_at),
    time: row.created_at,
    facets: facetsOf(row.role, row.attachment_count, content),
  }
  return [
    { id: row.id, text: content.text },
    { id: resultsEntry(row.id), text: resultsOf(content) },
  ].flatMap(({ id, text }) => (text.trim() === '' ? [] : [{ ...common, id, text: text.slice(0, mostText) }]))
}

/** What tools gave for an answer, as its model was told. */
export const resultsOf = ({ toolTexts }: Pick<MessageContent, 'toolTexts'>): string =>
  Object.values(toolTexts).join('\n\n')

/** What a search can ask of a message beside its words. */
export const facetsOf = (role: 'user' | 'assistant', attachments: number, content: MessageContent): string[] => [
  'kind:message',
  `from:${role}`,
  ...(attachments > 0 ? ['has:attachment'] : []),
  ...(/^\s{0,3}(?:```|~~~)/m.test(content.text) ? ['has:code'] : []),
  ...(content.sources.length > 0 ? ['has:source'] : []),
  ...(content.sources.some(({ kind }) => kind === 'document') ? ['has:document'] : []),
]
