/**
 * One run of an account's job. It may be killed at any point: what has a vector is not asked for again, and vectors of a
 * document that was deleted or read again meanwhile are not stored.
 */
import type { EmbeddingSettings } from '@atrium/contract/documents'
import { setTimeout as sleep } from 'node:timers/promises'
import { type JobContext, JobFailure } from '../../../platform/jobs/types.ts'
import { rereadDocument } from '../ingest/intake.ts'
import { type DocumentContext, announceDocument } from '../context.ts'
import { chunkId, type StoredPassage } from '../stores/index.ts'
import type { DocumentRow } from '../tables.ts'
import { modelKey } from './model-key.ts'
import { type EmbedTexts, embedWithRetry, type RetryPolicy } from './retry.ts'
import { withPassagePrefix } from './prefixes.ts'

export interface EmbedRun {
  readonly context: DocumentContext
  readonly retryPolicy: RetryPolicy
  readonly job: JobContext
}

/** Documents of one batch, so that many small ones share a request. */
const documentsAtOnce = 50
const cutAtOnce = 4
const mostTexts = 64
const mostChars = 48_000
/** So many documents in a row that could not be embedded, and the model is at fault. */
const mostFailures = 5

export const embedAccount = async (parts: EmbedRun, accountId: string): Promise<void> => {
  const { context, job } = parts
  const failures = { inARow: 0 }
  for (;;) {
    job.signal.throwIfAborted()
    const settings = await context.settingsOf(accountId)
    if (await cutSome(parts, accountId, settings)) continue
    // Who changed something since has asked for this job once more.
    if (!settings.enabled) return
    await context.store.vectors.awaitModel(accountId, modelKey(settings))
    const rows = await context.store.vectors.ofEmbedding(accountId, 'pending', documentsAtOnce)
    if (rows.length === 0) return
    await embedSome(parts, accountId, rows, settings, failures)
  }
}

/** Has some documents cut again from their text, and waits until they can be found; the others stay as they are. */
const cutSome = async (
  { context, job: { signal } }: EmbedRun,
  accountId: string,
  { chunkSize, chunkOverlap }: EmbeddingSettings,
): Promise<boolean> => {
  const rows = await context.store.vectors.cutOtherwise(accountId, chunkSize, chunkOverlap, cutAtOnce)
  for (const row of rows) await rereadDocument(context, row, { keepText: true })
  for (const { id } of rows) {
    for (;;) {
      const row = await context.store.rows.readOwn(accountId, id)
      if (!row || row.state === 'completed' || row.state === 'failed') break
      await sleep(100, undefined, { signal })
    }
  }
  return rows.length > 0
}

/** A document on its way. */
interface Progress {
  readonly row: DocumentRow
  embedded: number
  failed: number
  /** It was deleted or read again. */
  gone: boolean
}
interface Waiting {
  readonly of: Progress
  readonly id: string
  readonly text: string
}

const embedSome = async (
  parts: EmbedRun,
  accountId: string,
  rows: readonly DocumentRow[],
  settings: EmbeddingSettings,
  failures: { inARow: number },
): Promise<void> => {
  const { context, job } = parts
  const found = await context.capability(accountId, 'embedding', settings)
  if ('unavailable' in found) throw new JobFailure('model_unavailable', found.unavailable)
  const embed: EmbedTexts = async (input, signal) => (await found.usable.call({ input }, signal)).vectors
  let batch: Waiting[] = []
  let chars = 0
  let open: Progress[] = []

  const send = async (): Promise<void> => {
    if (batch.length > 0) await embedBatch(parts, batch, settings, embed)
    batch = []
    chars = 0
    await announceProgress(parts, accountId)
  }
  const finish = async (): Promise<void> => {
    for (const progress of open) await finishDocument(parts, progress, settings, failures)
    open = []
  }
  for (const row of rows) {
    const progress: Progress = { row, embedded: 0, failed: 0, gone: false }
    for await (const passages of passagesToEmbed(context, progress, modelKey(settings))) {
      for (const { id, head, text } of passages) {
        job.signal.throwIfAborted()
        const whole = withPassagePrefix(settings.model, head === null ? text : `${head}\n${text}`)
        if (batch.length >= mostTexts || (batch.length > 0 && chars + whole.length > mostChars)) {
          await send()
          await finish()
        }
        batch.push({ of: progress, id, text: whole })
        chars += whole.length
      }
    }
    open.push(progress)
    if (batch.length === 0) await finish()
  }
  await send()
  await finish()
}

/** The passages of a document that have no vector of the model, some at a time; those that have are counted. */
async function* passagesToEmbed(
  context: DocumentContext,
  progress: Progress,
  model: string,
): AsyncGenerator<StoredPassage[]> {
  const { row } = progress
  for (let at = 0; at < row.chunks; at += 200) {
    const ids = Array.from({ length: Math.min(200, row.chunks - at) }, (_, index) => chunkId(row.id, at + index))
    const having = await context.indexes.vectors.having(model, ids)
    progress.embedded += having.size
    const missing = ids.filter((id) => !having.has(id))
    if (missing.length > 0) yield await context.store.contents.passages(missing)
  }
}

const embedBatch = async (
  { context, job, retryPolicy }: EmbedRun,
  batch: readonly Waiting[],
  settings: EmbeddingSettings,
  embed: EmbedTexts,
): Promise<void> => {
  const texts = batch.map(({ text }) => text)
  const vectors = await embedWithRetry(embed, texts, job.signal, retryPolicy)
  for (const progress of new Set(batch.map(({ of }) => of))) {
    const entries = batch.flatMap(({ of, id }, at) => {
      const vector = vectors[at]
      return of === progress && vector ? [{ id, vector }] : []
    })
    progress.failed += batch.filter(({ of }, at) => of === progress && !vectors[at]).length
    if (progress.gone || entries.length === 0) continue
    const embedded = progress.embedded + entries.length
    const held = await context.store.write(async (trx) => {
      await job.guard(trx)
      const current = await context.store.vectors.setEmbedding(progress.row, { embedded }, trx)
      if (current) await context.indexes.vectors.put(modelKey(settings), entries, trx)
      return current
    })
    if (held) progress.embedded = embedded
    else progress.gone = true
  }
}

/** Says of a document that was gone through what became of it. */
const finishDocument = async (
  { context, job }: EmbedRun,
  { row, embedded, failed, gone }: Progress,
  settings: EmbeddingSettings,
  failures: { inARow: number },
): Promise<void> => {
  if (gone) return
  const model = modelKey(settings)
  const embedding_state = failed > 0 ? 'failed' : 'done'
  const held = await context.store.write(async (trx) => {
    await job.guard(trx)
    const values = { embedding_state, embedded, embedding_model: model } as const
    const current = await context.store.vectors.setEmbedding(row, values, trx)
    if (current && failed === 0) await context.indexes.vectors.removeOthers(model, [row.id], trx)
    return current
  })
  if (held) await announceDocument(context, row, 'document-changed')
  failures.inARow = failed > 0 ? failures.inARow + 1 : 0
  if (failures.inARow >= mostFailures) {
    throw new JobFailure('embedding_failed', 'The model couldn’t embed several documents. Choose another one.')
  }
}

const announceProgress = async ({ context, job }: EmbedRun, accountId: string): Promise<void> => {
  const { embeddedChunks, totalChunks } = await context.store.vectors.embeddingTally(accountId)
  job.progress(Math.min(embeddedChunks, totalChunks), totalChunks)
}
