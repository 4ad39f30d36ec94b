/** Recurring maintenance: documents whose job was lost are failed or queued again; and deleting documents for good. */
import { z } from 'zod'
import { type JobHandler, defineJob } from '../../platform/jobs/types.ts'
import { queueReading } from './ingest/intake.ts'
import { type DocumentContext, announceDocument } from './context.ts'
import type { DocumentRow } from './tables.ts'

export const maintenanceKind = 'documents.upkeep'
export const maintenanceEveryMs = 60_000
/** One that is being read says so more often than this. */
const quietMs = 30_000

export const maintenanceJob = (
  context: DocumentContext,
  /** Goes on with what waits for vectors. */
  resumeEmbeddings: (signal: AbortSignal) => Promise<void>,
): JobHandler =>
  defineJob({
    payload: z.strictObject({}),
    attempts: 1,
    timeoutMs: 10 * 60_000,
    async run(_payload, { signal }) {
      await failAllOrphaned(context, signal)
      await resumeEmbeddings(signal)
    },
  })

/** Sees to documents that wait, or are said to be read, but that no job works on. */
export const failAllOrphaned = async (
  context: DocumentContext,
  signal?: AbortSignal,
  quiet = quietMs,
): Promise<void> => {
  for (const row of await context.store.rows.listStale(context.clock.now() - quiet, 1000)) {
    signal?.throwIfAborted()
    await failOrphaned(context, row)
  }
}

/** A document whose job ended without a word of it has failed; one that has no job gets one. */
export const failOrphaned = async (context: DocumentContext, row: DocumentRow): Promise<DocumentRow> => {
  if (row.state !== 'queued' && row.state !== 'processing') return row
  const job = row.job_id === null ? null : await context.jobs.read(row.account_id, row.job_id)
  if (!job) return await queueReading(context, row)
  if (job.finishedAt === null) return row
  const failure_code = job.state === 'cancelled' ? 'cancelled' : 'internal'
  const current = await context.store.rows.readOwn(row.account_id, row.id)
  // The job ended after the row was read; then the row says how.
  if (!current || current.revision !== row.revision || current.state === 'completed' || current.state === 'failed') {
    return current ?? row
  }
  const failed = await context.store.rows.change(undefined, row, {
    state: 'failed',
    failure_code,
    updated_at: context.clock.now(),
  })
  if (!failed) return row
  await announceDocument(context, failed, 'document-changed')
  return failed
}

/** Deletes documents for good: index, vectors, passages, texts and files, in pieces that keep nobody waiting. */
export const purgeDocuments = async (
  context: DocumentContext,
  rows: readonly Pick<DocumentRow, 'id' | 'account_id' | 'file_id' | 'job_id'>[],
): Promise<void> => {
  for (const row of rows) {
    if (row.job_id !== null) await context.jobs.cancel(row.account_id, row.job_id)
    await context.indexes.texts.removeGroups([row.id])
    while (await context.store.write((trx) => context.store.contents.clearSome(trx, row.id, 1000)));
    await context.store.rows.deleteRows([row.id])
    await context.access.removeGrants('document', [row.id])
    if (row.file_id !== null) await context.files.remove([row.file_id])
  }
}

/** Deletes the documents of chats that are gone for good. */
export const removeSessions = async (context: DocumentContext, sessionIds: readonly string[]): Promise<void> => {
  for (let at = 0; at < sessionIds.length; at += 200) {
    const which = { sessionIds: sessionIds.slice(at, at + 200) }
    for (;;) {
      const rows = await context.store.rows.gone(which, 50)
      if (rows.length === 0) break
      await purgeDocuments(context, rows)
      for (const row of rows) await context.announce(row.account_id, { type: 'document-removed', data: { id: row.id } })
    }
  }
}

/** All documents of an account, in the trash too, and how they are cut and searched. Its files go with the account. */
export const removeDocumentsOf = async (context: DocumentContext, accountId: string): Promise<void> => {
  for (;;) {
    const rows = await context.store.rows.gone({ accountId }, 50)
    if (rows.length === 0) break
    await purgeDocuments(context, rows)
  }
  await context.store.rows.deleteAccount(accountId)
}

export const stopReading = async (context: DocumentContext, row: DocumentRow): Promise<void> => {
  if (row.job_id !== null) await context.jobs.cancel(row.account_id, row.job_id)
}
