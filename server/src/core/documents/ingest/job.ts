/**
 * The job that reads a document. It may be killed at any point and run again: what an earlier run left is removed first,
 * nothing of a document is found before its last step, and what an older revision still writes is refused.
 */
import type { DocumentFailure, FileType, ReadingStage } from '@atrium/contract/documents'
import type { Extract } from '../../../platform/formats/types.ts'
import { isRefusal } from '../../../platform/http/refusal.ts'
import { type JobContext, JobFailure, type JobHandler, defineJob } from '../../../platform/jobs/types.ts'
import { runInWorker } from '../../../platform/work/work.ts'
import type { Chunk, ChunkSize } from '../chunks/index.ts'
import { failureMessages } from './failures.ts'
import { cleanName } from './file-names.ts'
import { type DocumentContext, announceDocument } from '../context.ts'
import { openName, sealName } from '../stores/index.ts'
import type { DocumentRow } from '../tables.ts'
import { ReadingPayload } from './kind.ts'
import { type ReadContent, readContent } from './read.ts'
import {
  beginReading,
  clearContents,
  completeDocument,
  failureKey,
  countTokens,
  ReadingSuperseded,
  type WriteParts,
  inReadingTransaction,
  writePassages,
  writeText,
} from './write.ts'

const attempts = 5
/** Models may take their time with twenty pages. */
const longestMs = 45 * 60_000

export const readingJob = (context: DocumentContext): JobHandler =>
  defineJob({
    payload: ReadingPayload,
    attempts,
    timeoutMs: longestMs + 60_000,
    // Reading takes whole cores, and jobs of other kinds are to go on.
    atOnce: 2,
    async run({ documentId, revision, keepText, from, builtin }, job) {
      const row = await context.store.rows.readOwn(job.accountId ?? '', documentId)
      if (!row || row.revision !== revision || row.state === 'completed') return
      const late = AbortSignal.timeout(longestMs)
      const signal = AbortSignal.any([job.signal, late])
      const parts: WriteParts = { context, row, signal, guard: job.guard }
      const begun = performance.now()
      const told = (outcome: DocumentFailure | 'completed'): void =>
        context.recorder?.read(outcome, performance.now() - begun)
      try {
        const failure = await readAll(parts, job, { keepText, from, builtin })
        told(failure ?? 'completed')
        if (failure !== null) await end(parts, failure)
      } catch (error) {
        if (job.signal.aborted || error instanceof JobFailure) throw error
        // It was deleted, or another job reads it again.
        if (error instanceof ReadingSuperseded) return
        if (late.aborted) {
          told('timeout')
          await end(parts, 'timeout')
        }
        if (job.attempt < attempts || isFull(error)) throw error
        context.log.error('A document could not be read.', { error })
        told('internal')
        await end(parts, 'internal')
      }
    },
  })

/** A full disk may have space later; the last try ends the job, and maintenance.ts handles what still waits. */
const isFull = (error: unknown): boolean => isRefusal(error) && error.code === 'storage_full'

const readAll = async (
  parts: WriteParts,
  job: JobContext,
  { keepText, from, builtin }: Pick<ReadingPayload, 'keepText' | 'from' | 'builtin'>,
): Promise<DocumentFailure | null> => {
  const { context, row, signal } = parts
  const stage = stageOf(job)
  await beginReading(parts, keepText || from !== null)
  await announceDocument(context, row, 'document-changed')
  const content = keepText ? await readStoredContent(context, row) : await readFresh(parts, stage, from, builtin)
  if ('failure' in content) return content.failure
  const { extract } = content
  if (!keepText) {
    if (from !== null) await clearContents(parts, false)
    await writeText(parts, extract)
  }
  stage('cutting')
  const settings = await context.settingsOf(row.account_id)
  const task: CutTask = {
    extract,
    fileType: content.fileType,
    size: settings.chunkSize,
    overlap: settings.chunkOverlap,
  }
  const pieces = await runInWorker<CutTask, Chunk[]>(cutting, 'runCutTask', task, { signal })
  if (pieces.length === 0) return 'no_text'
  await writePassages(parts, pieces, (done) => stage('indexing', done, pieces.length))
  const completed = await completeDocument(parts, {
    ...(await toTitlePatch(context, row, extract.title)),
    file_type: content.fileType,
    media_type: content.mediaType,
    parts: content.parts,
    parts_read: content.partsRead,
    unread_from: content.unreadFrom,
    read_by: content.readBy,
    content_chars: extract.text.length,
    tokens: await countTokens(extract.text),
    chunks: pieces.length,
    embedding_state: settings.enabled ? 'pending' : 'off',
    embedded: 0,
    embedding_model: null,
    chunk_size: settings.chunkSize,
    chunk_overlap: settings.chunkOverlap,
  })
  await announceDocument(context, completed, 'document-changed')
  if (settings.enabled) await context.embedLater(row.account_id)
  return null
}

type CutTask = ChunkSize & { readonly extract: Extract; readonly fileType: FileType }
const cutting = new URL('../chunks/cut.ts', import.meta.url)

const readFresh = async (
  { context, row, signal }: WriteParts,
  stage: ReturnType<typeof stageOf>,
  from: number | null,
  builtin: boolean,
): Promise<ReadContent> => {
  const bytes = row.file_id === null ? null : await context.files.read(row.account_id, row.file_id)
  if (!bytes) return { failure: 'internal' }
  const name = openName(await context.vault.keyring(row.account_id), row)
  const file = { bytes, name, mediaType: row.media_type }
  // A run that was killed while it wrote may have left no text: then all is read again.
  const kept = from === null ? null : await context.store.contents.text(row)
  const earlier =
    from === null || !kept?.content
      ? null
      : { from, readBy: row.read_by, extract: { text: kept.content, segments: kept.segments, title: null } }
  return await readContent({ context, accountId: row.account_id, signal, stage, builtin }, file, earlier)
}

const readStoredContent = async (context: DocumentContext, row: DocumentRow): Promise<ReadContent> => {
  const kept = await context.store.contents.text(row)
  if (!kept) return { failure: 'internal' }
  return {
    fileType: row.file_type as FileType,
    mediaType: row.media_type,
    extract: { text: kept.content, segments: kept.segments, title: null },
    parts: row.parts,
    partsRead: row.parts_read,
    unreadFrom: row.unread_from,
    readBy: row.read_by,
  }
}

/** A page is called by its title. */
const toTitlePatch = async (
  context: DocumentContext,
  row: DocumentRow,
  title: string | null,
): Promise<Partial<DocumentRow>> => {
  if (row.url === null || title === null || title.trim() === '') return {}
  const keys = await context.vault.keyring(row.account_id)
  return { name: sealName(keys, row.id, cleanName(title.replace(/[/\\]/g, '-'))) }
}

/** Writes the failure down, with nothing left of what was read; the job fails with it. */
const end = async (parts: WriteParts, failure: DocumentFailure): Promise<never> => {
  const { context, row } = parts
  await clearContents(parts, false)
  const [keys, publisher] = await Promise.all([
    context.vault.keyring(row.account_id),
    context.notifications.publisher([row.account_id]),
  ])
  const failed = { state: 'failed', failure_code: failure, updated_at: context.clock.now() } as const
  await inReadingTransaction(parts, async (trx) => {
    const changed = await context.store.rows.change(trx, row, failed)
    if (!changed) return
    await publisher.publish(trx, {
      accountId: row.account_id,
      kind: 'document-failed',
      sourceKey: failureKey(row),
      about: `document:${row.id}`,
      facts: { documentId: row.id, name: openName(keys, changed) },
      again: true,
    })
  })
  await publisher.tell()
  await announceDocument(context, row, 'document-changed')
  throw new JobFailure(`document_${failure}`, failureMessages[failure])
}

/** Where each stage begins and ends, of 100. */
const shares: Readonly<Record<ReadingStage, readonly [number, number]>> = {
  reading: [0, 10],
  looking: [10, 50],
  transcribing: [10, 50],
  cutting: [50, 55],
  indexing: [55, 100],
}

const stageOf =
  ({ progress }: JobContext) =>
  (stage: ReadingStage, done?: number, total?: number): void => {
    const [from, to] = shares[stage]
    const counted = done !== undefined && total !== undefined && total > 0
    const percent = counted ? from + ((to - from) * done) / total : from
    progress(Math.round(percent), 100, counted ? `${stage} ${done} ${total}` : stage)
  }
