/**
 * Replaces the data keys of all accounts: a new one for each, everything sealed anew with it, and only then the former
 * one destroyed. The database is for this command alone meanwhile. It notes nothing: what is left to be done is seen by
 * the keys that are there and by the number that stands in front of each value, so that it can end anywhere and be run
 * again. Until its end a server opens everything, because all keys are there.
 */
import { type KeyObject, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { auditMigrations } from '../../platform/audit/index.ts'
import { type Database, listMigrations, openDatabase } from '../../platform/db/index.ts'
import { type DatabaseHold, holdPlace } from '../../platform/db/hold.ts'
import { findFileKey } from '../../platform/db/sqlite/rekey.ts'
import { VaultFailure } from '../../platform/vault/failure.ts'
import { sqliteKey, wrap } from '../../platform/vault/keys.ts'
import { keyNumberOf, openSealed, sealPlain } from '../../platform/vault/seal.ts'
import { placeOf, type SealedColumn } from '../../platform/vault/sealed-columns.ts'
import { readSealedRows, type SealedRow } from '../../platform/vault/sealed-rows.ts'
import type { VaultKeyRow, VaultTables } from '../../platform/vault/tables.ts'
import {
  chooseWrapKey,
  instanceOwner,
  keysQueue,
  readDataKeys,
  verifyInstanceKey,
  wrapKeysOf,
} from '../../platform/vault/wrapped-keys.ts'
import { migrations, sealed } from '../areas.ts'
import { type Config, dataPathsIn } from '../config.ts'
import { sizeOf } from '../data-folder.ts'
import { refuseUnfinishedDatabase, refuseUnfinishedFolder } from './marker.ts'
import { recordAtMachine } from './record.ts'
import { RotationFailure } from './rotate.ts'
import { ownInstanceKeys } from './secret.ts'

export interface DataKeyOptions {
  readonly config: Config
  readonly now: () => number
  /** Told after each transaction, with how many values were sealed anew so far. */
  readonly onProgress?: (step: DataKeyStep, values: number) => void
}
export type DataKeyStep = 'make' | 'seal' | 'destroy'

export interface DataKeyResult {
  /** Accounts and channels whose former keys are destroyed. */
  readonly owners: number
  readonly values: number
  /** Values that do not open, by column; the former keys of their owners stay. */
  readonly unreadable: Readonly<Record<string, number>>
  readonly keptOwners: number
}

const log = { warn: () => undefined, error: () => undefined }
/** Counting all of a large table takes a while. */
const queryMs = 12 * 3600_000

/** Throws RotationFailure, DatabaseLockedError beside a server, and VaultFailure for a wrong key. */
export const replaceDataKeys = async ({ config, now, onProgress }: DataKeyOptions): Promise<DataKeyResult> => {
  const { database: file } = dataPathsIn(config.dataDir)
  await refuseUnfinishedFolder(config.dataDir)
  const { key: instanceKey, previous } = await ownInstanceKeys(config)
  if (previous)
    throw new RotationFailure(
      'The encryption key is being replaced. Run npm run rotate-key first, which ends it.',
      true,
    )
  if (!config.databaseUrl && !((await sizeOf(file)) ?? 0))
    throw new RotationFailure(`There is no database in ${config.dataDir} yet.`, true)
  const hold = await holdPlace(config.databaseUrl ? { url: config.databaseUrl } : { file })
  try {
    const database = await openOwn(config, instanceKey)
    try {
      await refuseUnfinishedDatabase(database)
      await requireSchema(database)
      await verifyInstanceKey(database, instanceKey)
      const tell = onProgress ?? (() => undefined)
      const round = { database, instanceKey, now: now(), hold, tell }
      const goneOn = await goThrough(round, 'go-on')
      // Where what does not open keeps former keys, nothing is left to go on with.
      const isDone = goneOn.made > 0 || goneOn.values > 0 || goneOn.owners > 0 || goneOn.keptOwners === 0
      const { made: _, ...result } = isDone ? goneOn : await goThrough(round, 'begin')
      const details = { accounts: result.owners, kept: result.keptOwners }
      await recordAtMachine(database, instanceKey, 'auth.data-keys.replace', details)
      return result
    } finally {
      await database.close()
    }
  } finally {
    await hold.release()
  }
}

interface Round {
  readonly database: Database
  readonly instanceKey: Buffer
  readonly now: number
  readonly hold: DatabaseHold
  readonly tell: (step: DataKeyStep, values: number) => void
}

/** `go-on`: with what an earlier run began, and where none did, anew. */
const goThrough = async (
  { database, instanceKey, now, hold, tell }: Round,
  how: 'go-on' | 'begin',
): Promise<DataKeyResult & { readonly made: number }> => {
  const made = await makeKeys(database, instanceKey, { now, how, told: () => tell('make', 0) })
  const keys = await readDataKeys(database, instanceKey)
  const { values, unreadable } = await sealAll(database, keys, (count) => tell('seal', count))
  await hold.requireHeld()
  const { destroyed, kept } = await destroyFormer(database, keys, () => tell('destroy', values))
  return { made, owners: destroyed, values, unreadable, keptOwners: kept }
}

const openOwn = async ({ databaseUrl, dataDir }: Config, instanceKey: Buffer): Promise<Database> => {
  if (databaseUrl) return await openDatabase({ url: databaseUrl, lock: false, poolSize: 2, queryMs, log })
  const { database: file } = dataPathsIn(dataDir)
  const key = findFileKey(file, [sqliteKey(instanceKey)])
  if (!key)
    throw new VaultFailure(
      'key-wrong',
      `${file} cannot be opened with the encryption key that is here, or is damaged. Nothing was changed.`,
    )
  return await openDatabase({ file, key, frugal: true, lock: false, log })
}

/** What is sealed is known of the schema of this version alone. */
const requireSchema = async (database: Database): Promise<void> => {
  const applied = new Set((await listMigrations(database)).map(({ id }) => id))
  if (auditMigrations.some(({ id }) => !applied.has(id)) || migrations.some(({ id }) => !applied.has(id)))
    throw new RotationFailure('The database was made by an older version. Start this one once, then run this again.')
  if (applied.size !== migrations.length)
    throw new RotationFailure('The database was made by a newer version. Run that one.')
}

const rowsAtOnce = 200

/** Where some accounts have a further key already, it goes to those that an end left out, else to all. Gives how many were made. */
const makeKeys = async (
  database: Database,
  instanceKey: Buffer,
  { now, how, told }: { readonly now: number; readonly how: 'go-on' | 'begin'; readonly told: () => void },
): Promise<number> => {
  const rows = await database
    .tables<VaultTables>()
    .selectFrom('vault_keys')
    .select(['owner', 'number', 'created_at'])
    .where('owner', '<>', instanceOwner)
    .orderBy('owner')
    .orderBy('number')
    .execute()
  const owners = Map.groupBy(rows, ({ owner }) => owner)
  const newest = [...owners.values()].flatMap((own) => own.at(-1) ?? [])
  const begun = how === 'begin' ? [] : newest.filter(({ owner }) => (owners.get(owner)?.length ?? 0) > 1)
  const beganAt = begun.length === 0 ? now : Math.min(...begun.map(({ created_at }) => created_at))
  const due = begun.length === 0 ? newest : newest.filter(({ created_at }) => created_at < beganAt)
  for (let at = 0; at < due.length; at += rowsAtOnce) {
    await database.write<VaultTables, void>(async (trx) => {
      const wrapping = await chooseWrapKey(trx, wrapKeysOf(instanceKey))
      const values = due.slice(at, at + rowsAtOnce).map(({ owner, number }): VaultKeyRow => {
        const wrapped = wrap(wrapping, owner, number + 1, randomBytes(32))
        return { owner, number: number + 1, wrapped, created_at: beganAt }
      })
      await trx.insertInto('vault_keys').values(values).execute()
    }, keysQueue)
    told()
  }
  return due.length
}

type DataKeys = ReadonlyMap<string, ReadonlyMap<number, KeyObject>>

const newestOf = (own: ReadonlyMap<number, KeyObject>): number => Math.max(...own.keys())

const sealAll = async (
  database: Database,
  keys: DataKeys,
  told: (values: number) => void,
): Promise<Pick<DataKeyResult, 'values' | 'unreadable'>> => {
  const unreadable: Record<string, number> = {}
  let values = 0
  for (const column of ofAccounts)
    for await (const rows of readSealedRows(database, column)) {
      const changed = rows.flatMap((row) => {
        const own = keys.get(row.owner ?? instanceOwner)
        if (row.owner === null || own === undefined || keyNumberOf(row.sealed) === newestOf(own)) return []
        const again = sealAgain(own, column, row)
        if (again === null) unreadable[placeOf(column)] = (unreadable[placeOf(column)] ?? 0) + 1
        return again === null ? [] : [{ row, again }]
      })
      if (changed.length === 0) continue
      await database.write<unknown, void>(async (trx) => {
        for (const { row, again } of changed) {
          const at = column.key.map((name, place) => sql`${sql.ref(name)} = ${row.key[place]}`)
          const value = sql.ref(column.column)
          await sql`update ${sql.table(column.table)} set ${value} = ${again}
            where ${sql.join(at, sql` and `)} and ${value} = ${row.sealed}`.execute(trx)
        }
      })
      values += changed.length
      told(values)
    }
  return { values, unreadable }
}

const ofAccounts = sealed.filter(({ owner }) => owner !== 'null')

/** null where the value does not open. */
const sealAgain = (
  own: ReadonlyMap<number, KeyObject>,
  column: SealedColumn,
  { row, sealed: value }: SealedRow,
): Uint8Array | null => {
  const number = newestOf(own)
  const key = own.get(number)
  if (!key) throw new Error('An account has no key.')
  try {
    const plain = openSealed((one) => own.get(one), placeOf(column), row, value)
    return sealPlain(key, number, placeOf(column), row, plain)
  } catch (error) {
    if (!(error instanceof VaultFailure)) throw error
    return null
  }
}

/** Goes by what stands in the database now, and not by what was done before. */
const destroyFormer = async (
  database: Database,
  keys: DataKeys,
  done: () => void,
): Promise<{ destroyed: number; kept: number }> => {
  const kept = new Set<string>()
  for (const { table, column, owner, where = 'true' } of ofAccounts) {
    const value = sql.ref(`${table}.${column}`)
    const { rows } = await sql<{ row_owner: string | null; number: Uint8Array }>`
      select ${sql.raw(owner)} as row_owner, substr(${value}, 2, 4) as number
      from ${sql.table(table)} where ${value} is not null and (${sql.raw(where)}) group by 1, 2`.execute(
      database.tables(),
    )
    for (const { row_owner: of, number } of rows) {
      const own = of === null ? undefined : keys.get(of)
      if (of !== null && own && Buffer.from(number).readUInt32BE(0) !== newestOf(own)) kept.add(of)
    }
  }
  let destroyed = 0
  const due = [...keys].filter(([owner, own]) => owner !== instanceOwner && own.size > 1 && !kept.has(owner))
  for (let at = 0; at < due.length; at += rowsAtOnce) {
    await database.write<VaultTables, void>(async (trx) => {
      for (const [owner, own] of due.slice(at, at + rowsAtOnce))
        await trx.deleteFrom('vault_keys').where('owner', '=', owner).where('number', '<', newestOf(own)).execute()
    }, keysQueue)
    destroyed += Math.min(rowsAtOnce, due.length - at)
    done()
  }
  return { destroyed, kept: kept.size }
}
