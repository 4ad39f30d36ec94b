/** Writes what was read in short transactions, so that other writers do not wait long. */
import { type StoredPassage, chunkId, nameId, openName, partitionOf, textPiece } from '../stores/index.ts'
import { estimateTokens } from '../../generation/index.ts'
import type { AnyTransaction } from '../../../platform/db/types.ts'
import type { Extract } from '../../../platform/formats/types.ts'
import type { Chunk } from '../chunks/index.ts'
import { type DocumentContext, noteCollected } from '../context.ts'
import type { DocumentChunkRow, DocumentRow } from '../tables.ts'

export interface WriteParts {
  readonly context: DocumentContext
  readonly row: DocumentRow
  readonly signal: AbortSignal
  /** First thing in every transaction: whether this is still ours to write. */
  readonly guard: (trx: AnyTransaction) => Promise<void>
}

/** The document was deleted, or is read again by another job. */
export class ReadingSuperseded extends Error {}

const passagesAtOnce = 100
/** Before others have a turn. */
const sealedAtOnce = 25
const textsAtOnce = 5

/** Says that reading has begun, and removes what an earlier one left; before the very first there is nothing. */
export const beginReading = async (parts: WriteParts, keepText: boolean): Promise<void> =>
  parts.row.revision === 1 && parts.row.state === 'queued'
    ? await inReadingTransaction(parts, async () => undefined)
    : await clearContents(parts, keepText)

/** Removes what an earlier reading left, in the order in which nothing is found that is not there. */
export const clearContents = async (parts: WriteParts, keepText: boolean): Promise<void> => {
  const { context, row } = parts
  await inReadingTransaction(parts, (trx) => context.indexes.texts.removeGroups([row.id], trx))
  while (await inReadingTransaction(parts, (trx) => context.store.contents.clearSome(trx, row.id, 500, keepText)));
}

export const writeText = async (parts: WriteParts, { text, segments }: Extract): Promise<void> => {
  const { context, row, signal } = parts
  const { contents } = context.store
  const keys = await context.vault.keyring(row.account_id)
  const borders = cutEvenly(text)
  for (let at = 0; at < borders.length; at += textsAtOnce) {
    signal.throwIfAborted()
    const rows = borders
      .slice(at, at + textsAtOnce)
      .map(([start, end], index) => contents.sealText(keys, row.id, at + index, text.slice(start, end)))
    if (at === 0) rows.push(contents.sealSegments(keys, row.id, segments))
    await inReadingTransaction(parts, (trx) => contents.addTexts(trx, rows))
  }
}

/** An estimate of the tokens of a text, which others need not wait for. */
export const countTokens = async (text: string): Promise<number> => {
  let tokens = 0
  for (const [start, end] of cutEvenly(text)) {
    tokens += estimateTokens(text.slice(start, end))
    if (end < text.length) await new Promise(setImmediate)
  }
  return tokens
}

export const writePassages = async (
  parts: WriteParts,
  pieces: readonly Chunk[],
  told: (done: number) => void,
): Promise<void> => {
  const { context, row, signal } = parts
  const { contents } = context.store
  const keys = await context.vault.keyring(row.account_id)
  const entry = {
    group: row.id,
    partition: partitionOf({ ...row, state: 'processing' }),
    time: row.uploaded_at,
    facets: [],
  }
  for (let at = 0; at < pieces.length; at += passagesAtOnce) {
    signal.throwIfAborted()
    const passages = pieces.slice(at, at + passagesAtOnce).map((piece) => toPassage(row.id, piece))
    const hashed = await context.indexes.texts.hash(
      passages.map(({ id, text, head }) => ({ ...entry, id, text: head === null ? text : `${head}\n${text}` })),
    )
    const rows: DocumentChunkRow[] = []
    for (const passage of passages) {
      rows.push(contents.sealPassage(keys, passage))
      if (rows.length % sealedAtOnce === 0) await new Promise(setImmediate)
    }
    await inReadingTransaction(parts, async (trx) => {
      await contents.addPassages(trx, rows)
      await context.indexes.texts.put(hashed, trx)
    })
    told(Math.min(at + passagesAtOnce, pieces.length))
  }
}

/** The last step: from here on searches find it. */
export const completeDocument = async (parts: WriteParts, values: Partial<DocumentRow>): Promise<DocumentRow> => {
  const { context, row } = parts
  const done = { ...values, state: 'completed', failure_code: null, updated_at: context.clock.now() } as const
  const keys = await context.vault.keyring(row.account_id)
  const named = await context.indexes.texts.hash([
    {
      id: nameId(row.id),
      group: row.id,
      partition: partitionOf({ ...row, state: 'processing' }),
      time: row.uploaded_at,
      facets: [],
      text: openName(keys, { ...row, ...values }),
      prefixes: true,
    },
  ])
  const publisher = await context.notifications.publisher([])
  let isAwaited = false
  const completed = await inReadingTransaction(parts, async (trx) => {
    const completed = await context.store.rows.change(trx, row, done)
    if (!completed) throw new ReadingSuperseded()
    await context.indexes.texts.put(named, trx)
    await context.indexes.texts.move([row.id], partitionOf(completed), trx)
    // It could be read this time.
    await publisher.withdraw(trx, { sourceKeys: [failureKey(row)] })
    isAwaited = await noteCollected(context, trx, completed)
    return completed
  })
  await publisher.tell()
  if (isAwaited) context.watch.value?.wake()
  return completed
}

/** A transaction that holds only while the job and the revision of the document do. */
export const inReadingTransaction = <R>(
  { context, row, guard }: WriteParts,
  work: (trx: Trx) => Promise<R>,
): Promise<R> =>
  context.store.write(async (trx) => {
    await guard(trx)
    const held = await context.store.rows.change(trx, row, { state: 'processing', updated_at: context.clock.now() })
    if (!held) throw new ReadingSuperseded()
    return await work(trx)
  })
type Trx = Parameters<Parameters<DocumentContext['store']['write']>[0]>[0]

const toPassage = (documentId: string, { number: index, start, end, text, head, location }: Chunk): StoredPassage => ({
  id: chunkId(documentId, index),
  documentId,
  index,
  start,
  end,
  text,
  head,
  location,
})

/** Stretches of a text that cut no character in two. */
const cutEvenly = (text: string): [number, number][] => {
  const borders: [number, number][] = []
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + textPiece)
    const code = text.charCodeAt(end - 1)
    if (end < text.length && code >= 0xd800 && code <= 0xdbff) end -= 1
    borders.push([start, end])
    start = end
  }
  return borders
}

/** Names that a document could not be read, among notifications. */
export const failureKey = ({ id }: Pick<DocumentRow, 'id'>): string => `document-failed:${id}`
