/**
 * The vault: hands out keyrings, makes data keys when first needed, and keeps them wrapped by the instance key.
 * It does not know what is sealed, and it keeps no key in plain on disk.
 */
import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { createCache } from '../cache/cache.ts'
import type { Clock } from '../clock.ts'
import type { Database } from '../db/types.ts'
import { VaultFailure } from './failure.ts'
import { createKeyring } from './keyring.ts'
import { indexKey, unwrap, wrap, wrapKey } from './keys.ts'
import type { VaultKeyRow, VaultTables } from './tables.ts'
import type { Keyring, Vault } from './types.ts'

export interface OpenVault extends Vault {
  /** Destroys the data keys of an account: whatever they sealed cannot be read any more, in backups of rows either. */
  removeAccount(accountId: string): Promise<void>
}

/**
 * Opens the vault of a database whose migrations are done. On first use it makes the instance's data key;
 * later that key doubles as the check that `instanceKey` is the right one. Throws VaultFailure `key-wrong`.
 */
export const openVault = async (options: {
  database: Database
  instanceKey: Buffer
  clock: Clock
}): Promise<OpenVault> => {
  const { database, clock } = options
  const wrapping = wrapKey(options.instanceKey)
  await verifyInstanceKey(database, options.instanceKey)
  const keyrings = createCache<Keyring>({ max: keptKeyrings, channel: { name: removedChannel, database } })

  const keyringOf = (owner: string): Promise<Keyring> =>
    keyrings
      .load(owner, async () => createKeyring(await loadKeys(database, clock, wrapping, owner)))
      .catch((error: unknown) => {
        if (!(error instanceof VaultFailure)) throw error
        // Not kept: the row may be put back from a backup.
        return brokenKeyring(error)
      })

  const instanceKeys = await loadKeys(database, clock, wrapping, instanceOwner)
  const first = instanceKeys.get(1)
  if (!first) throw new VaultFailure('damaged', 'The first data key of this instance is gone from the database.')
  const indexing = indexKey(first)
  const instance = createKeyring(instanceKeys)

  return {
    keyring: (accountId) => (accountId === null ? Promise.resolve(instance) : keyringOf(accountId)),
    blindIndex: (purpose, value) => createHmac('sha256', indexing).update(`${purpose}\0${value}`, 'utf8').digest('hex'),
    async removeAccount(accountId) {
      if (accountId === instanceOwner) throw new Error('An account has an id.')
      await database.tables<VaultTables>().deleteFrom('vault_keys').where('owner', '=', accountId).execute()
      await keyrings.forgetEverywhere(accountId)
    },
  }
}

/**
 * Throws VaultFailure `key-wrong` when the database was sealed with another instance key. Reads only, and may be called
 * before the migrations, so that a start with the wrong key changes nothing.
 */
export const verifyInstanceKey = async (database: Database, instanceKey: Buffer): Promise<void> => {
  const tables = await database.tables<VaultTables>().introspection.getTables()
  if (!tables.some((table) => table.name === 'vault_keys')) return
  const row = await database
    .tables<VaultTables>()
    .selectFrom('vault_keys')
    .selectAll()
    .orderBy('owner')
    .orderBy('number')
    .limit(1)
    .executeTakeFirst()
  if (row) unwrapRow(wrapKey(instanceKey), row)
}

/** Throws VaultFailure `key-wrong` where one of the data keys cannot be opened with the instance key. Gives their number. */
export const verifyAllKeys = async (database: Database, instanceKey: Buffer): Promise<number> => {
  const wrapping = wrapKey(instanceKey)
  const rows = await database.tables<VaultTables>().selectFrom('vault_keys').selectAll().execute()
  for (const row of rows) unwrapRow(wrapping, row)
  return rows.length
}

/**
 * Wraps every data key anew with `newKey`. Nothing that is sealed changes, and blind indexes stay valid.
 * All or nothing; gives the number of keys. The service must not run meanwhile, and starts with `newKey` afterwards.
 * (An encrypted SQLite file is keyed by the instance key as well and has to be rekeyed besides.)
 */
export const rewrap = (database: Database, oldKey: Buffer, newKey: Buffer): Promise<number> =>
  database.write<VaultTables, number>(async (trx) => {
    const from = wrapKey(oldKey)
    const to = wrapKey(newKey)
    const rows = await trx.selectFrom('vault_keys').selectAll().execute()
    for (const row of rows) {
      const wrapped = wrap(to, row.owner, row.number, unwrapRow(from, row))
      await trx
        .updateTable('vault_keys')
        .set({ wrapped })
        .where('owner', '=', row.owner)
        .where('number', '=', row.number)
        .execute()
    }
    return rows.length
  })

/** Of an account whose data key cannot be read: nothing opens, each value by itself, so that lists of many go on. */
const brokenKeyring = (failure: VaultFailure): Keyring => {
  const refuse = (): never => {
    throw failure
  }
  return {
    seal: refuse,
    open: refuse,
    sealBytes: () => Promise.reject(failure),
    openBytes: () => Promise.reject(failure),
  }
}

const instanceOwner = ''
const removedChannel = 'vault-key-removed'
const keptKeyrings = 2000

/** The data keys of an owner by number; the first is made when there is none. Two makers end with the same key. */
const loadKeys = async (
  database: Database,
  clock: Clock,
  wrapping: KeyObject,
  owner: string,
): Promise<Map<number, KeyObject>> => {
  const known = await readKeys(database, wrapping, owner)
  if (known.size > 0) return known
  await database
    .tables<VaultTables>()
    .insertInto('vault_keys')
    .values({ owner, number: 1, wrapped: wrap(wrapping, owner, 1, randomBytes(32)), created_at: clock.now() })
    .onConflict((conflict) => conflict.columns(['owner', 'number']).doNothing())
    .execute()
  return await readKeys(database, wrapping, owner)
}

const readKeys = async (database: Database, wrapping: KeyObject, owner: string): Promise<Map<number, KeyObject>> => {
  const rows = await database
    .tables<VaultTables>()
    .selectFrom('vault_keys')
    .selectAll()
    .where('owner', '=', owner)
    .execute()
  return new Map(rows.map((row) => [row.number, createSecretKey(unwrap(wrapping, row.owner, row.number, row.wrapped))]))
}

/** For when the question is whether the instance key is right, not whether a row is. */
const unwrapRow = (wrapping: KeyObject, row: VaultKeyRow): Buffer => {
  try {
    return unwrap(wrapping, row.owner, row.number, row.wrapped)
  } catch (error) {
    if (!(error instanceof VaultFailure)) throw error
    throw new VaultFailure(
      'key-wrong',
      'This database was sealed with another encryption key. Start with the key it was made with (ENCRYPTION_KEY, or the file encryption.key beside it). Nothing was changed.',
    )
  }
}
