/**
 * Exports: one archive of everything that an account has, made by a job and kept for a week, sealed with the key of its
 * owner. Whoever asked for it, its owner alone can open it.
 */
import type { AccountExport } from '@atrium/contract/account-data'
import { z } from 'zod'
import { type ArchiveFile, writeArchive } from '../../platform/archive/write.ts'
import type { BytesAnswer } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import { JobFailure, defineJob } from '../../platform/jobs/types.ts'
import type { AccountDataDeps } from './context.ts'
import { createExportStore, rowToExport } from './store.ts'
import type { AccountExportRow } from './tables.ts'

export const exportKind = 'account-data.export'
const retentionMs = 7 * 24 * 3600_000
/** No export takes this long. */
const longestMs = 6 * 3600_000
const tries = 3
/** What is kept as one file. */
const partBytes = 4 * 1024 * 1024

export type AccountExports = ReturnType<typeof createAccountExports>

export const createAccountExports = (deps: AccountDataDeps) => {
  const { clock, files, jobs, announce } = deps
  const store = createExportStore(deps.database)
  const tell = (accountId: string) => announce(accountId, { type: 'exports-changed', data: {} })

  const clear = async (id: string): Promise<void> => {
    const parts = await store.parts(id)
    await files.remove(parts.map(({ file_id }) => file_id))
    await store.dropParts(id)
  }
  const remove = async (row: Pick<AccountExportRow, 'id' | 'account_id'>): Promise<void> => {
    await clear(row.id)
    await store.drop(row.id)
    await tell(row.account_id)
  }

  async function* contents(accountId: string, signal: AbortSignal): AsyncIterable<ArchiveFile> {
    yield* deps.about(accountId, signal)
    for (const resource of deps.resources.all.values()) if (resource.export) yield* resource.export(accountId, signal)
  }

  const make = async (accountId: string, id: string, signal: AbortSignal): Promise<void> => {
    // What an earlier try left.
    await clear(id)
    let waiting: Uint8Array[] = []
    let number = 0
    let size = 0
    const keep = async () => {
      const bytes = Buffer.concat(waiting)
      waiting = []
      await store.addPart({
        export_id: id,
        number: number++,
        size_bytes: bytes.byteLength,
        file_id: await files.save(accountId, bytes, { uncounted: true }),
      })
      size += bytes.byteLength
    }
    for await (const piece of writeArchive(contents(accountId, signal))) {
      signal.throwIfAborted()
      waiting.push(piece)
      if (waiting.reduce((sum, { byteLength }) => sum + byteLength, 0) >= partBytes) await keep()
    }
    if (waiting.length > 0) await keep()
    await store.finish(id, 'ready', size)
  }

  const job = defineJob({
    payload: z.strictObject({ accountId: z.string(), exportId: z.string() }),
    attempts: tries,
    timeoutMs: longestMs,
    atOnce: 1,
    async run({ accountId, exportId }, { signal, attempt }) {
      const row = await store.find(accountId, exportId)
      if (row?.state !== 'running') return
      try {
        await make(accountId, exportId, signal)
      } catch (error) {
        const isTooLarge = error instanceof RangeError
        if (signal.aborted || (attempt < tries && !isTooLarge)) throw error
        await clear(exportId)
        await store.finish(exportId, 'failed', null)
        await tell(accountId)
        if (isTooLarge) throw new JobFailure('too_large', 'The archive would be larger than 4 GB.')
        throw error
      }
      // The new one has everything that older ones had.
      for (const older of await store.list(accountId)) if (older.id !== exportId) await remove(older)
      await tell(accountId)
    },
  })

  return {
    job,

    /** Refuses with `export_running`. */
    async order(accountId: string, byAdministrator: boolean): Promise<AccountExport> {
      const now = clock.now()
      const row: AccountExportRow = {
        id: clock.id(),
        account_id: accountId,
        state: 'running',
        size_bytes: null,
        by_administrator: byAdministrator ? 1 : 0,
        created_at: now,
        expires_at: now + retentionMs,
      }
      if (!(await store.insert(row))) throw fail('export_running')
      // A job of the instance: an administrator's order shows no content, and the owner sees the export itself.
      await jobs.enqueue(exportKind, { accountId, exportId: row.id }, { accountId: null })
      await tell(accountId)
      return rowToExport(row)
    },

    list: async (accountId: string): Promise<AccountExport[]> => (await store.list(accountId)).map(rowToExport),

    /** Refuses with `export_not_found`. */
    async open(accountId: string, id: string): Promise<BytesAnswer> {
      const row = await store.find(accountId, id)
      if (row?.state !== 'ready') throw fail('export_not_found')
      const parts = await store.parts(id)
      return {
        mediaType: 'application/zip',
        fileName: `atrium-${new Date(row.created_at).toISOString().slice(0, 10)}.zip`,
        disposition: 'attachment',
        body: {
          size: row.size_bytes ?? 0,
          id: row.id,
          async *read(start, end) {
            let at = 0
            for (const { file_id, size_bytes } of parts) {
              const [from, to] = [Math.max(start - at, 0), Math.min(end - at, size_bytes)]
              at += size_bytes
              if (from >= to) continue
              const part = await files.open(accountId, file_id)
              if (!part) throw new Error('This export was removed while it was read.')
              yield* part.read(from, to)
            }
          },
        },
      }
    },

    /** Refuses with `export_not_found`. */
    async remove(accountId: string, id: string): Promise<void> {
      const row = await store.find(accountId, id)
      if (!row) throw fail('export_not_found')
      await remove(row)
    },

    /** Removes what is over, and gives up what was lost. */
    async tidy(): Promise<void> {
      for (const row of await store.expired(clock.now())) await remove(row)
      for (const row of await store.stale(clock.now() - 2 * longestMs)) {
        await clear(row.id)
        await store.finish(row.id, 'failed', null)
      }
    },
  }
}
