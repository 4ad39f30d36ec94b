/** The data keys as they lie in the database: wrapped by the instance key, or by the one before while it is replaced. */
import { createSecretKey, type KeyObject } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Database } from '../db/types.ts'
import { VaultFailure } from './failure.ts'
import { fingerprintOf } from './instance-key.ts'
import { unwrap, wrap, wrapKey } from './keys.ts'
import { sealPlain } from './seal.ts'
import type { VaultKeyRow, VaultTables } from './tables.ts'
import type { Keyring } from './types.ts'

/** That of the instance key first, then that of the key which it takes the place of. */
export type WrapKeys = readonly [KeyObject, ...KeyObject[]]

export const wrapKeysOf = (instanceKey: Buffer, previousKey: Buffer | null = null): WrapKeys =>
  previousKey ? [wrapKey(instanceKey), wrapKey(previousKey)] : [wrapKey(instanceKey)]

/** The owner of what belongs to nobody. */
export const instanceOwner = ''
/** New data keys are made in turn with the exchange of the instance key, so that none is left behind. */
export const keysQueue = 'vault-keys'

/** Throws VaultFailure `damaged` where none of the keys wrapped it. */
export const unwrapWithAny = (wrapping: WrapKeys, { owner, number, wrapped }: VaultKeyRow): Buffer => {
  for (const key of wrapping.slice(0, -1))
    try {
      return unwrap(key, owner, number, wrapped)
    } catch (error) {
      if (!(error instanceof VaultFailure)) throw error
    }
  return unwrap(wrapping.at(-1) ?? wrapping[0], owner, number, wrapped)
}

/**
 * The key that wraps what is new: the one that wraps the data key of the instance. So every process can open what
 * another one made, before and after the exchange. Throws VaultFailure `key-wrong`.
 */
export const chooseWrapKey = async (trx: Transaction<VaultTables>, wrapping: WrapKeys): Promise<KeyObject> => {
  const row = await firstRow(trx)
  if (!row) return wrapping[0]
  const found = wrapping.find((key) => isWrappedBy(key, row))
  if (!found) throw wrongKey()
  return found
}

/**
 * Throws VaultFailure `key-wrong` when the database was sealed with another instance key. Reads only, and may be called
 * before the migrations, so that a start with the wrong key changes nothing.
 */
export const verifyInstanceKey = async (
  database: Database,
  instanceKey: Buffer,
  previousKey: Buffer | null = null,
): Promise<void> => {
  const tables = await database.tables<VaultTables>().introspection.getTables()
  if (!tables.some((table) => table.name === 'vault_keys')) return
  const row = await firstRow(database.tables<VaultTables>())
  if (row && !wrapKeysOf(instanceKey, previousKey).some((key) => isWrappedBy(key, row))) throw wrongKey()
}

/** Throws VaultFailure `key-wrong` where one of the data keys cannot be opened with the instance key. Gives their number. */
export const verifyAllKeys = async (database: Database, instanceKey: Buffer): Promise<number> => {
  const wrapping = wrapKey(instanceKey)
  const rows = await database.tables<VaultTables>().selectFrom('vault_keys').selectAll().execute()
  if (!rows.every((row) => isWrappedBy(wrapping, row))) throw wrongKey()
  return rows.length
}

/** All data keys by owner (empty for the instance) and number. Throws VaultFailure where one cannot be opened. */
export const readDataKeys = async (
  database: Database,
  instanceKey: Buffer,
): Promise<Map<string, Map<number, KeyObject>>> => {
  const wrapping = wrapKeysOf(instanceKey)
  const rows = await database.tables<VaultTables>().selectFrom('vault_keys').selectAll().execute()
  const keys = new Map<string, Map<number, KeyObject>>()
  for (const row of rows) {
    const own = keys.get(row.owner) ?? new Map<number, KeyObject>()
    keys.set(row.owner, own.set(row.number, createSecretKey(unwrapWithAny(wrapping, row))))
  }
  return keys
}

export interface Rewrapping {
  /** Data keys that were wrapped anew. */
  readonly rewrapped: number
  /** Those that neither key opens: they were damaged before, and stay as they are. */
  readonly unreadable: number
}

/**
 * Exchanges the instance key of a database, beside processes that know both keys. From its first transaction on, new
 * data keys are wrapped by `to`; `from` is kept, sealed. Nothing that is sealed changes, and blind indexes stay valid.
 * Interrupted, it can be run again. Throws VaultFailure `key-wrong` before the first write.
 */
export const replaceInstanceKey = async (
  database: Database,
  { from, to, now }: { readonly from: Buffer; readonly to: Buffer; readonly now: number },
): Promise<Rewrapping> => {
  const rewrapped = await database.write<VaultTables, number>(async (trx) => {
    const rows = await rowsAfter(trx, null).where('owner', '=', instanceOwner).execute()
    const wrapping = wrapKeysOf(to, from)
    const newest = rows.at(-1)
    if (!newest || !rows.every((row) => wrapping.some((key) => isWrappedBy(key, row)))) throw wrongKey()
    const dataKey = createSecretKey(unwrapWithAny(wrapping, newest))
    const fingerprint = fingerprintOf(from)
    await trx
      .insertInto('vault_former_keys')
      .values({
        fingerprint,
        sealed: sealPlain(dataKey, newest.number, formerPlace, fingerprint, from),
        replaced_at: now,
      })
      .onConflict((conflict) => conflict.column('fingerprint').doNothing())
      .execute()
    return (await rewrapRows(trx, rows, [from], to)).rewrapped
  }, keysQueue)
  const others = await rewrapKeys(database, [from], to)
  return { rewrapped: rewrapped + others.rewrapped, unreadable: others.unreadable }
}

/** Wraps every data key for `to` that one of `from` wrapped, some at a time. Run again, it goes on. */
export const rewrapKeys = async (database: Database, from: readonly Buffer[], to: Buffer): Promise<Rewrapping> => {
  let sum: Rewrapping = { rewrapped: 0, unreadable: 0 }
  let last: VaultKeyRow | null = null
  do {
    const after: VaultKeyRow | null = last
    const [page, end]: readonly [Rewrapping, VaultKeyRow | null] = await database.write<
      VaultTables,
      readonly [Rewrapping, VaultKeyRow | null]
    >(async (trx) => {
      const rows = await rowsAfter(trx, after).limit(rowsAtOnce).execute()
      return [await rewrapRows(trx, rows, from, to), rows.at(-1) ?? null]
    }, keysQueue)
    sum = { rewrapped: sum.rewrapped + page.rewrapped, unreadable: sum.unreadable + page.unreadable }
    last = end
  } while (last !== null)
  return sum
}

/** The keys that were replaced. */
export const readFormerKeys = async (database: Database, instance: Keyring): Promise<Buffer[]> => {
  const rows = await database.tables<VaultTables>().selectFrom('vault_former_keys').selectAll().execute()
  const keys: Buffer[] = []
  for (const { fingerprint, sealed } of rows.toSorted((a, b) => a.replaced_at - b.replaced_at))
    keys.push(Buffer.from(await instance.openBytes(formerPlace, fingerprint, sealed)))
  return keys
}

const formerPlace = 'vault_former_keys.sealed'
const rowsAtOnce = 200

type Reading = Pick<Transaction<VaultTables>, 'selectFrom'>

const firstRow = (db: Reading) => rowsAfter(db, null).limit(1).executeTakeFirst()

const rowsAfter = (db: Reading, last: Pick<VaultKeyRow, 'owner' | 'number'> | null) => {
  const query = db.selectFrom('vault_keys').selectAll().orderBy('owner').orderBy('number')
  if (last === null) return query
  return query.where(({ eb, or, and }) =>
    or([eb('owner', '>', last.owner), and([eb('owner', '=', last.owner), eb('number', '>', last.number)])]),
  )
}

const rewrapRows = async (
  trx: Transaction<VaultTables>,
  rows: readonly VaultKeyRow[],
  from: readonly Buffer[],
  to: Buffer,
): Promise<Rewrapping> => {
  const wrapping = wrapKey(to)
  const former = from.map((key) => wrapKey(key))
  let [rewrapped, unreadable] = [0, 0]
  for (const row of rows) {
    if (isWrappedBy(wrapping, row)) continue
    const key = former.find((one) => isWrappedBy(one, row))
    if (!key) {
      unreadable += 1
      continue
    }
    const wrapped = wrap(wrapping, row.owner, row.number, unwrap(key, row.owner, row.number, row.wrapped))
    await trx
      .updateTable('vault_keys')
      .set({ wrapped })
      .where('owner', '=', row.owner)
      .where('number', '=', row.number)
      .execute()
    rewrapped += 1
  }
  return { rewrapped, unreadable }
}

/** For when the question is whether the instance key is right, not whether a row is. */
const isWrappedBy = (wrapping: KeyObject, { owner, number, wrapped }: VaultKeyRow): boolean => {
  try {
    unwrap(wrapping, owner, number, wrapped)
    return true
  } catch (error) {
    if (!(error instanceof VaultFailure)) throw error
    return false
  }
}

const wrongKey = () =>
  new VaultFailure(
    'key-wrong',
    'This database was sealed with another encryption key. Start with the key it was made with (ENCRYPTION_KEY, or the file encryption.key beside it). Nothing was changed.',
  )
