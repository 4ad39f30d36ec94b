/** What is looked after: documents whose reading was lost, and those that are to be gone for good. */
import { z } from 'zod'
import type { AnyTransaction } from '../../platform/db/types.ts'
import type { JobHandler } from '../../platform/jobs/types.ts'
import { queueReading } from './ingest/intake.ts'
import { type Room, tellOf } from './context.ts'
import type { DocumentRow } from './tables.ts'

export const upkeepKind = 'documents.upkeep'
export const upkeepEveryMs = 60_000
/** How long a deleted document can be restored. */
const keptMs = 30 * 24 * 60 * 60_000
/** One that is being read says so more often than this. */
const quietMs = 30_000

export const upkeepJob = (
  room: Room,
  /** Goes on with what waits for vectors. */
  resumeEmbeddings: (signal: AbortSignal) => Promise<void>,
): JobHandler<Record<string, never>> => ({
  payload: z.strictObject({}),
  attempts: 1,
  timeoutMs: 10 * 60_000,
  async run(_payload, { signal }) {
    await settleWaiting(room, signal)
    await resumeEmbeddings(signal)
    for (;;) {
      signal.throwIfAborted()
      const gone = await room.store.rows.gone({ before: room.clock.now() - keptMs }, 50)
      if (gone.length === 0) return
      await purge(room, gone)
    }
  },
})

/** Sees to documents that wait, or are said to be read, but that no job works on. */
export const settleWaiting = async (room: Room, signal?: AbortSignal, quiet = quietMs): Promise<void> => {
  for (const row of await room.store.rows.waiting(room.clock.now() - quiet, 1000)) {
    signal?.throwIfAborted()
    await settle(room, row)
  }
}

/** A document whose job ended without a word of it has failed; one that has no job gets one. */
export const settle = async (room: Room, row: DocumentRow): Promise<DocumentRow> => {
  if (row.state !== 'queued' && row.state !== 'processing') return row
  const job = row.job_id === null ? null : await room.jobs.read(row.account_id, row.job_id)
  if (!job) return await queueReading(room, row)
  if (job.finishedAt === null) return row
  const failure_code = job.state === 'cancelled' ? 'cancelled' : 'internal'
  const current = await room.store.rows.own(row.account_id, row.id)
  // The job ended after the row was read; then the row says how.
  if (!current || current.revision !== row.revision || current.state === 'completed' || current.state === 'failed') {
    return current ?? row
  }
  const failed = await room.store.rows.change(undefined, row, {
    state: 'failed',
    failure_code,
    updated_at: room.clock.now(),
  })
  if (!failed) return row
  await tellOf(room, failed, 'document-changed')
  return failed
}

/** Deletes documents for good: index, vectors, passages, texts and files, in pieces that keep nobody waiting. */
export const purge = async (
  room: Room,
  rows: readonly Pick<DocumentRow, 'id' | 'account_id' | 'file_id' | 'job_id'>[],
): Promise<void> => {
  for (const row of rows) {
    if (row.job_id !== null) await room.jobs.cancel(row.account_id, row.job_id)
    await room.indexes.texts.removeGroups([row.id])
    while (await room.store.write((trx) => room.store.contents.clearSome(trx, row.id, 1000)));
    await room.store.rows.drop([row.id])
    await room.access.forget('document', [row.id])
    if (row.file_id !== null) await room.files.remove([row.file_id])
  }
}

/** Deletes the documents of chats that are gone for good. */
export const removeSessions = async (room: Room, sessionIds: readonly string[]): Promise<void> => {
  for (let at = 0; at < sessionIds.length; at += 200) {
    const which = { sessionIds: sessionIds.slice(at, at + 200) }
    for (;;) {
      const rows = await room.store.rows.gone(which, 50)
      if (rows.length === 0) break
      await purge(room, rows)
      for (const row of rows) await room.announce(row.account_id, { type: 'document-removed', data: { id: row.id } })
    }
  }
}

/** Everything that an account had here. Its files go with the account. */
export const removeAccount = async (room: Room, accountId: string, trx?: AnyTransaction): Promise<void> => {
  const collections = await room.store.collections.idsOf(accountId)
  await room.access.forget('collection', collections, trx)
  if (!trx) {
    for (;;) {
      const rows = await room.store.rows.gone({ accountId }, 50)
      if (rows.length === 0) break
      await purge(room, rows)
    }
  } else {
    const rows = await room.store.rows.gone({ accountId }, 1_000_000)
    await room.access.forget(
      'document',
      rows.map(({ id }) => id),
      trx,
    )
    await room.indexes.texts.removeGroups(
      rows.map(({ id }) => id),
      trx,
    )
  }
  await room.store.rows.dropAccount(accountId, trx)
}
