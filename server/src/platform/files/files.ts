/**
 * Files of accounts, sealed in the database in small pieces: they work on both databases, and a backup of the database
 * has them. Names and types are kept by whoever saves a file.
 */
import type { Clock } from '../clock.ts'
import { type AnyTransaction, type Database, inTables } from '../db/types.ts'
import type { Vault } from '../vault/types.ts'
import { chunkBytes, sealChunk } from './chunks.ts'
import { type HandOverFiles, handOverIn, resealFiles } from './hand-over.ts'
import { type HoldRoom, holdIn } from './held-room.ts'
import { type OpenFile, openFile, readWhole } from './read.ts'
import { type QuotaOptions, type SavedFile, type StreamOptions, writeStream } from './write-stream.ts'
import { type StorageLimits, noLimits, requireQuota, requireSpace } from './quota.ts'
import type { FileRow, FileTables } from './tables.ts'
import { largestAccounts, totalOf, usedIn, usedInEach } from './usage.ts'

export interface Files {
  /**
   * Keeps bytes and gives the file's id. `accountId` null: the instance's. Refuses with `quota_full` and `storage_full`
   * before anything is stored.
   */
  save(accountId: string | null, bytes: Uint8Array, options?: QuotaOptions): Promise<string>
  /**
   * Keeps bytes as they arrive, without ever holding many of them. Refuses with `too_large`, `quota_full` and
   * `storage_full`; then, and when the source fails or the signal aborts, nothing of it stays.
   */
  saveStream(accountId: string | null, pieces: AsyncIterable<Uint8Array>, options: StreamOptions): Promise<SavedFile>
  /** The bytes of an account's file, or null when it has no such file. */
  read(accountId: string | null, id: string): Promise<Uint8Array | null>
  /** The file to be read as far as it is wanted, or null when the account has no such file. */
  open(accountId: string | null, id: string): Promise<OpenFile | null>
  /** Held room, too. */
  remove(ids: readonly string[], trx?: AnyTransaction): Promise<void>
  /**
   * To be asked for before a transaction. In it, room is held for what something in other tables takes; refuses with
   * `quota_full` what takes more than before, and more than there is.
   */
  prepareHold(): Promise<HoldRoom>
  /**
   * To be asked for before a transaction. In it, files and held room of one account become those of another; refuses with
   * `quota_full` what that one has no room for. Chunks stay sealed with the former key until `reseal`.
   */
  prepareHandOver(): Promise<HandOverFiles>
  /** Refuses with `quota_full` where an account has no room for so many bytes more. */
  requireRoom(accountId: string, bytes: number): Promise<void>
  /** Seals what was an account's with the key of whose it is now, file by file; goes on where it was interrupted. */
  reseal(formerId: string): Promise<void>
  /** Bytes that an account keeps in files. */
  size(accountId: string | null): Promise<number>
  /** Those that count against its quota, with the room that is held for it. */
  used(accountId: string): Promise<number>
  /** The same for some accounts, by id; those that keep nothing are left out. */
  usedBy(accountIds: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** The accounts that keep most that counts, the first with the most. */
  largestAccounts(limit: number): Promise<{ readonly accountId: string; readonly bytes: number }[]>
  /** How many they are. */
  count(accountId: string | null): Promise<number>
  /** Removes what was left by a `save` or `saveStream` that began before a time (milliseconds) and never ended. */
  sweep(before: number): Promise<void>
  removeAccount(accountId: string, trx?: AnyTransaction): Promise<void>
}

export interface FilesDeps {
  readonly database: Database
  readonly vault: Vault
  readonly clock: Clock
  readonly limits?: StorageLimits
}

/** Opens the files over a database; their tables are `fileMigrations`. */
export const createFiles = ({ database, vault, clock, limits = noLimits }: FilesDeps): Files => {
  const tables = database.tables<FileTables>()
  const source = { database, vault }
  const within = (trx: AnyTransaction | undefined) => (trx ? inTables<FileTables>(trx) : tables)
  const remove: Files['remove'] = async (ids, trx) => {
    for (let at = 0; at < ids.length; at += 500)
      await within(trx)
        .deleteFrom('files')
        .where('id', 'in', ids.slice(at, at + 500))
        .execute()
  }

  const find = async (accountId: string | null, id: string): Promise<FileRow | null> =>
    (await tables
      .selectFrom('files')
      .selectAll()
      .where('id', '=', id)
      .where('account_id', accountId === null ? 'is' : '=', accountId)
      .where('complete', '=', 1)
      .where('held', '=', 0)
      .executeTakeFirst()) ?? null

  const quotaOf = async ({ account_id, counted }: FileRow): Promise<number> =>
    account_id === null || counted === 0 ? 0 : await limits.quotaBytes()

  /** The row of a file that is being written holds its place: of many at a time, none goes past the quota. */
  const reserve = async (row: FileRow, quota: number): Promise<void> => {
    if (quota === 0) return void (await tables.insertInto('files').values(row).execute())
    await database.write<FileTables, void>(async (trx) => {
      requireQuota(quota, await usedIn(trx, row.account_id as string), row.size)
      await trx.insertInto('files').values(row).execute()
    })
  }

  /** The row is there from the beginning, and goes again when the writing fails. */
  const saveAs = async <T>(row: FileRow, quota: () => Promise<number>, write: () => Promise<T>): Promise<T> => {
    await reserve(row, await quota())
    try {
      return await write()
    } catch (error) {
      // Best effort: what stays is swept later, and the first error says more.
      await remove([row.id]).catch(() => undefined)
      throw error
    }
  }
  const quotaFor = async (row: FileRow, { pastQuota = false }: QuotaOptions): Promise<number> =>
    pastQuota ? 0 : await quotaOf(row)
  const newRow = (accountId: string | null, { uncounted = false }: QuotaOptions): FileRow => ({
    id: clock.id(),
    account_id: accountId,
    size: 0,
    chunks: 0,
    complete: 0,
    created_at: clock.now(),
    counted: uncounted ? 0 : 1,
    streamed: 0,
    held: 0,
    sealed_by: null,
  })

  return {
    save: async (accountId, bytes, options = {}) => {
      const keyring = await vault.keyring(accountId)
      const [size, chunks] = [bytes.byteLength, Math.ceil(bytes.byteLength / chunkBytes)]
      const row = { ...newRow(accountId, options), size, chunks }
      await requireSpace(limits, size)
      return await saveAs(
        row,
        () => quotaFor(row, options),
        async () => {
          // A transaction for each: other writers need not wait for a whole file.
          for (let number = 0; number < chunks; number++) {
            const plain = bytes.subarray(number * chunkBytes, (number + 1) * chunkBytes)
            const content = await sealChunk(keyring, row, number, plain)
            await tables.insertInto('file_chunks').values({ file_id: row.id, number, content }).execute()
          }
          await tables.updateTable('files').set({ complete: 1 }).where('id', '=', row.id).execute()
          return row.id
        },
      )
    },
    saveStream: async (accountId, pieces, options) => {
      const keyring = await vault.keyring(accountId)
      const row = { ...newRow(accountId, options), streamed: 1 }
      const quota = () => quotaFor(row, options)
      const deps = { database, keyring, limits, quota }
      return await saveAs(row, quota, () => writeStream(deps, row, pieces, options))
    },
    read: async (accountId, id) => {
      const file = await find(accountId, id)
      return file && (await readWhole(source, file))
    },
    open: async (accountId, id) => {
      const file = await find(accountId, id)
      return file ? openFile(source, file) : null
    },
    remove,
    async prepareHold() {
      const quota = await limits.quotaBytes()
      return (trx, room) => holdIn(inTables<FileTables>(trx), room, quota, clock.now())
    },
    async prepareHandOver() {
      const quota = await limits.quotaBytes()
      return (trx, move) => handOverIn(inTables<FileTables>(trx), move, quota)
    },
    async requireRoom(accountId, bytes) {
      const quota = await limits.quotaBytes()
      if (quota > 0 && bytes > 0) requireQuota(quota, await usedIn(tables, accountId), bytes)
    },
    reseal: (formerId) => resealFiles({ database, vault }, formerId),
    size: async (accountId) => (await totalOf(tables, accountId)).bytes,
    used: (accountId) => usedIn(tables, accountId),
    usedBy: (accountIds) => usedInEach(tables, accountIds),
    largestAccounts: (limit) => largestAccounts(tables, limit),
    count: async (accountId) => (await totalOf(tables, accountId)).count,
    sweep: async (before) => {
      await tables.deleteFrom('files').where('complete', '=', 0).where('created_at', '<', before).execute()
    },
    removeAccount: async (accountId, trx) => {
      await within(trx).deleteFrom('files').where('account_id', '=', accountId).execute()
    },
  }
}
