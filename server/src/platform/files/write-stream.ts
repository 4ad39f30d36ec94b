/** Writes a file as its bytes arrive: what of it is in memory does not grow with it, and half a file is no file. */
import type { Kysely } from 'kysely'
import { type AnyTransaction, type Database, inTables } from '../db/types.ts'
import { fail } from '../http/refusal.ts'
import type { Keyring, Sealed } from '../vault/types.ts'
import { freeMemory } from '../memory.ts'
import { chunkBytes, sealChunk } from './chunks.ts'
import { type StorageLimits, inWords, requireQuota, requireSpace } from './quota.ts'
import type { FileRow, FileTables } from './tables.ts'
import { usedIn } from './usage.ts'

export interface QuotaOptions {
  /** Does not count against the quota of the account. */
  readonly uncounted?: boolean
  /** Counts against the quota, and is kept whether it has the room or not. */
  readonly pastQuota?: boolean
}

export interface StreamOptions extends QuotaOptions {
  /** Refused with `too_large` past it. */
  readonly maxBytes: number
  /** Ends the writing at once, also while nothing arrives, with its reason. */
  readonly signal?: AbortSignal
}

export interface SavedFile {
  readonly id: string
  readonly size: number
}

export interface StreamDeps {
  readonly database: Database
  readonly keyring: Keyring
  readonly limits: StorageLimits
  /** The quota that the file counts against; 0: none. */
  quota(): Promise<number>
}

/** So many chunks go into one transaction: fewer waits for the disk, and twice about a megabyte in memory. */
const chunksAtOnce = 4
/** Room is kept ahead in pieces of this size, so that the quota is not added up for each chunk. */
const reservedAtOnce = 8 * 1024 * 1024

/**
 * Writes what arrives under `row`, which is in the database as an unfinished file of no size. Throws what the source
 * throws, the reason of `signal`, `too_large`, `quota_full` and `storage_full`; whoever calls removes the row then.
 */
export const writeStream = async (
  deps: StreamDeps,
  row: FileRow,
  pieces: AsyncIterable<Uint8Array>,
  { maxBytes, signal }: StreamOptions,
): Promise<SavedFile> => {
  const { database, keyring, limits } = deps
  const plain = new Uint8Array(chunkBytes)
  let sealed: Sealed[] = []
  let [filled, stored, size, reserved] = [0, 0, 0, 0]
  /** What is being stored while more arrives. */
  let storing: Promise<void> = Promise.resolve()

  const store = (then?: (trx: AnyTransaction) => Promise<void>): Promise<void> => {
    const chunks = sealed
    const first = stored
    sealed = []
    stored += chunks.length
    storing = write(chunks, first, size, then)
    // Whoever stores next hears of its failure.
    storing.catch(() => undefined)
    return storing
  }
  const write = async (
    chunks: readonly Sealed[],
    first: number,
    size: number,
    then?: (trx: AnyTransaction) => Promise<void>,
  ): Promise<void> => {
    await requireSpace(
      limits,
      chunks.reduce((sum, { byteLength }) => sum + byteLength, 0),
    )
    const quota = size > reserved ? await deps.quota() : 0
    reserved = await database.write<FileTables, number>(async (trx) => {
      const most = Math.max(size, Math.min(maxBytes, reserved + reservedAtOnce))
      const room = size > reserved ? await reserve(trx, row, quota, { from: reserved, least: size, most }) : reserved
      for (const [at, content] of chunks.entries())
        await trx
          .insertInto('file_chunks')
          .values({ file_id: row.id, number: first + at, content })
          .execute()
      await then?.(trx)
      return room
    })
    for (const chunk of chunks) freeMemory(chunk)
  }
  /** `chunks`: of the whole file, where this is the last. */
  const seal = async (chunks: number): Promise<void> => {
    const number = stored + sealed.length
    sealed.push(await sealChunk(keyring, { id: row.id, chunks, streamed: 1 }, number, plain.subarray(0, filled)))
    filled = 0
  }

  try {
    for await (const piece of until(pieces, signal)) {
      size += piece.byteLength
      if (size > maxBytes) throw fail('too_large', `This file is larger than ${inWords(maxBytes)}.`)
      for (let at = 0; at < piece.byteLength; ) {
        // A full chunk waits until it is known that it is not the last.
        if (filled === chunkBytes) {
          await seal(0)
          if (sealed.length === chunksAtOnce) {
            await storing
            void store()
          }
        }
        const taken = Math.min(chunkBytes - filled, piece.byteLength - at)
        plain.set(piece.subarray(at, at + taken), filled)
        filled += taken
        at += taken
      }
    }
  } finally {
    // What is left of a file that failed is removed by whoever called: nothing of it may be stored after that.
    await storing.catch(() => undefined)
  }
  await storing
  const chunks = stored + sealed.length + (filled > 0 ? 1 : 0)
  if (filled > 0) await seal(chunks)
  signal?.throwIfAborted()
  await store(async (trx) => {
    const { numUpdatedRows } = await inTables<FileTables>(trx)
      .updateTable('files')
      .set({ size, chunks, complete: 1 })
      .where('id', '=', row.id)
      .executeTakeFirst()
    // With its account, or as it took so long that it was swept.
    if (numUpdatedRows === 0n) throw new Error(`The file ${row.id} was removed while it was written.`)
  })
  return { id: row.id, size }
}

/** Makes the place that the file takes larger, up to `most` bytes where the quota has them; gives how many it has then. */
const reserve = async (
  trx: Kysely<FileTables>,
  { id, account_id }: FileRow,
  quota: number,
  { from, least, most }: { readonly from: number; readonly least: number; readonly most: number },
): Promise<number> => {
  const used = quota > 0 && account_id !== null ? await usedIn(trx, account_id) : 0
  if (quota > 0) requireQuota(quota, used, least - from)
  const size = quota > 0 ? Math.min(most, from + quota - used) : most
  await trx.updateTable('files').set({ size }).where('id', '=', id).execute()
  return size
}

/** The pieces until `signal` aborts: its reason is thrown then, also where the source hangs. */
async function* until(pieces: AsyncIterable<Uint8Array>, signal: AbortSignal | undefined): AsyncIterable<Uint8Array> {
  if (!signal) return yield* pieces
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  aborted.catch(() => {})
  const abort = (): void => reject(signal.reason)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  const source = pieces[Symbol.asyncIterator]()
  try {
    for (;;) {
      const step = await Promise.race([aborted, source.next()])
      if (step.done) return
      yield step.value
    }
  } finally {
    signal.removeEventListener('abort', abort)
    // A source that hangs would not hear of it before its next piece: nobody waits for it.
    void source.return?.().catch(() => undefined)
  }
}
