/**
 * Files of accounts, sealed in the database in small pieces: they work on both databases, and a backup of the database
 * has them. Names and types are kept by whoever saves a file.
 */
import type { Kysely } from 'kysely'
import type { Clock } from '../clock.ts'
import { type AnyTransaction, type Database, inTables } from '../db/types.ts'
import type { Vault } from '../vault/types.ts'
import { type StorageLimits, noLimits, requireQuota, requireSpace } from './quota.ts'
import type { FileRow, FileTables } from './tables.ts'

export interface Files {
  /**
   * Keeps bytes and gives the file's id. `accountId` null: the instance's; `uncounted`: not against the quota of the
   * account. Refuses with `quota_full` and `storage_full` before anything is stored.
   */
  save(accountId: string | null, bytes: Uint8Array, options?: { readonly uncounted?: boolean }): Promise<string>
  /** The bytes of an account's file, or null when it has no such file. */
  read(accountId: string | null, id: string): Promise<Uint8Array | null>
  /** The bytes of an account's file from one place up to another, the last one left out; null when it is gone. */
  readPart(accountId: string | null, id: string, start: number, end: number): Promise<Uint8Array | null>
  remove(ids: readonly string[], trx?: AnyTransaction): Promise<void>
  /** Bytes that an account keeps in files. */
  size(accountId: string | null): Promise<number>
  /** Those of them that count against its quota. */
  used(accountId: string): Promise<number>
  /** The accounts that keep most that counts, the first with the most. */
  largestAccounts(limit: number): Promise<{ readonly accountId: string; readonly bytes: number }[]>
  /** How many they are. */
  count(accountId: string | null): Promise<number>
  /** Removes what was left by a `save` that began before a time (milliseconds) and never ended. */
  sweep(before: number): Promise<void>
  removeAccount(accountId: string, trx?: AnyTransaction): Promise<void>
}

export interface FilesDeps {
  readonly database: Database
  readonly vault: Vault
  readonly clock: Clock
  readonly limits?: StorageLimits
}

/** With its seal a chunk stays under 256 KiB, which the vault seals without another thread. */
const chunkBytes = 256 * 1024 - 64

/** Opens the files over a database; their tables are `fileMigrations`. */
export const createFiles = ({ database, vault, clock, limits = noLimits }: FilesDeps): Files => {
  const tables = database.tables<FileTables>()
  const within = (trx: AnyTransaction | undefined) => (trx ? inTables<FileTables>(trx) : tables)
  const remove: Files['remove'] = async (ids, trx) => {
    for (let at = 0; at < ids.length; at += 500)
      await within(trx)
        .deleteFrom('files')
        .where('id', 'in', ids.slice(at, at + 500))
        .execute()
  }

  const find = (accountId: string | null, id: string): Promise<FileRow | undefined> =>
    tables
      .selectFrom('files')
      .selectAll()
      .where('id', '=', id)
      .where('account_id', accountId === null ? 'is' : '=', accountId)
      .where('complete', '=', 1)
      .executeTakeFirst()

  const readOf = async (file: FileRow, start: number, end: number): Promise<Uint8Array | null> => {
    const keyring = await vault.keyring(file.account_id)
    const bytes = new Uint8Array(Math.max(0, end - start))
    let filled = 0
    for (let number = Math.floor(start / chunkBytes); number < file.chunks && number * chunkBytes < end; number++) {
      const chunk = await tables
        .selectFrom('file_chunks')
        .select('content')
        .where('file_id', '=', file.id)
        .where('number', '=', number)
        .executeTakeFirst()
      // Removed while it is read.
      if (!chunk) return null
      const plain = await keyring.openBytes(place, rowId(file.id, number, file.chunks), chunk.content)
      const wanted = plain.subarray(Math.max(0, start - number * chunkBytes), end - number * chunkBytes)
      bytes.set(wanted, filled)
      filled += wanted.byteLength
    }
    if (filled !== bytes.byteLength) throw new Error(`The file ${file.id} is not whole.`)
    return bytes
  }

  /** The row of a file that is being written holds its place: of many at a time, none goes past the quota. */
  const reserve = async (row: FileRow): Promise<void> => {
    const quota = row.account_id === null || row.counted === 0 ? 0 : await limits.quotaBytes()
    if (quota === 0) return void (await tables.insertInto('files').values(row).execute())
    await database.write<FileTables, void>(async (trx) => {
      requireQuota(quota, await usedIn(trx, row.account_id as string), row.size)
      await trx.insertInto('files').values(row).execute()
    })
  }

  return {
    save: async (accountId, bytes, { uncounted = false } = {}) => {
      const keyring = await vault.keyring(accountId)
      const id = clock.id()
      const chunks = Math.ceil(bytes.byteLength / chunkBytes)
      const row = {
        id,
        account_id: accountId,
        size: bytes.byteLength,
        chunks,
        complete: 0,
        created_at: clock.now(),
        counted: uncounted ? 0 : 1,
      }
      await requireSpace(limits, bytes.byteLength)
      await reserve(row)
      try {
        // A transaction for each: other writers need not wait for a whole file.
        for (let number = 0; number < chunks; number++) {
          const plain = bytes.subarray(number * chunkBytes, (number + 1) * chunkBytes)
          const content = await keyring.sealBytes(place, rowId(id, number, chunks), plain)
          await tables.insertInto('file_chunks').values({ file_id: id, number, content }).execute()
        }
        await tables.updateTable('files').set({ complete: 1 }).where('id', '=', id).execute()
      } catch (error) {
        // Best effort: what stays is swept later, and the first error says more.
        await remove([id]).catch(() => undefined)
        throw error
      }
      return id
    },
    read: async (accountId, id) => {
      const file = await find(accountId, id)
      return file ? await readOf(file, 0, file.size) : null
    },
    readPart: async (accountId, id, start, end) => {
      const file = await find(accountId, id)
      return file ? await readOf(file, Math.min(start, file.size), Math.min(end, file.size)) : null
    },
    remove,
    size: async (accountId) => {
      const row = await tables
        .selectFrom('files')
        .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('size'), eb.lit(0)).as('size'))
        .where('account_id', accountId === null ? 'is' : '=', accountId)
        .executeTakeFirst()
      return Number(row?.size ?? 0)
    },
    used: (accountId) => usedIn(tables, accountId),
    largestAccounts: async (limit) => {
      const rows = await tables
        .selectFrom('files')
        .select((by) => ['account_id', by.fn.sum<number>('size').as('bytes')])
        .where('account_id', 'is not', null)
        .where('counted', '=', 1)
        .groupBy('account_id')
        .orderBy('bytes', 'desc')
        .orderBy('account_id')
        .limit(limit)
        .execute()
      return rows.map(({ account_id, bytes }) => ({ accountId: account_id as string, bytes: Number(bytes) }))
    },
    count: async (accountId) => {
      const row = await tables
        .selectFrom('files')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('account_id', accountId === null ? 'is' : '=', accountId)
        .executeTakeFirst()
      return Number(row?.count ?? 0)
    },
    sweep: async (before) => {
      await tables.deleteFrom('files').where('complete', '=', 0).where('created_at', '<', before).execute()
    },
    removeAccount: async (accountId, trx) => {
      await within(trx).deleteFrom('files').where('account_id', '=', accountId).execute()
    },
  }
}

const usedIn = async (tables: Kysely<FileTables>, accountId: string): Promise<number> => {
  const row = await tables
    .selectFrom('files')
    .select((by) => by.fn.coalesce(by.fn.sum<number>('size'), by.lit(0)).as('size'))
    .where('account_id', '=', accountId)
    .where('counted', '=', 1)
    .executeTakeFirst()
  return Number(row?.size ?? 0)
}

const place = 'file_chunks.content'
/** The count is bound in, so that a file can neither be cut short nor reordered unseen. */
const rowId = (id: string, number: number, chunks: number): string => `${id}:${number}/${chunks}`
