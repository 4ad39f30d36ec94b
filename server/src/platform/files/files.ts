/**
 * Files of accounts, sealed in the database in small pieces: they work on both databases, and a backup of the database
 * has them. Names and types are kept by whoever saves a file.
 */
import type { Clock } from '../clock.ts'
import { type AnyTransaction, type Database, inTables } from '../db/types.ts'
import type { Vault } from '../vault/types.ts'
import type { FileRow, FileTables } from './tables.ts'

export interface Files {
  /** Keeps bytes and gives the file's id. `accountId` null: the instance's. */
  save(accountId: string | null, bytes: Uint8Array): Promise<string>
  /** The bytes of an account's file, or null when it has no such file. */
  read(accountId: string | null, id: string): Promise<Uint8Array | null>
  /** The bytes of an account's file from one place up to another, the last one left out; null when it is gone. */
  readPart(accountId: string | null, id: string, start: number, end: number): Promise<Uint8Array | null>
  remove(ids: readonly string[], trx?: AnyTransaction): Promise<void>
  /** Bytes that an account keeps in files. */
  size(accountId: string | null): Promise<number>
  /** How many they are. */
  count(accountId: string | null): Promise<number>
  /** Removes what was left by a `save` that began before a time (milliseconds) and never ended. */
  sweep(before: number): Promise<void>
  removeAccount(accountId: string, trx?: AnyTransaction): Promise<void>
}

/** With its seal a chunk stays under 256 KiB, which the vault seals without another thread. */
const chunkBytes = 256 * 1024 - 64

/** Opens the files over a database; their tables are `fileMigrations`. */
export const createFiles = ({ database, vault, clock }: { database: Database; vault: Vault; clock: Clock }): Files => {
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

  return {
    save: async (accountId, bytes) => {
      const keyring = await vault.keyring(accountId)
      const id = clock.id()
      const chunks = Math.ceil(bytes.byteLength / chunkBytes)
      const row = { id, account_id: accountId, size: bytes.byteLength, chunks, complete: 0, created_at: clock.now() }
      await tables.insertInto('files').values(row).execute()
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

const place = 'file_chunks.content'
/** The count is bound in, so that a file can neither be cut short nor reordered unseen. */
const rowId = (id: string, number: number, chunks: number): string => `${id}:${number}/${chunks}`
