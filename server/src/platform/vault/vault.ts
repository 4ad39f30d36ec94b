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
import { indexKey, wrap } from './keys.ts'
import type { VaultTables } from './tables.ts'
import type { Keyring, Vault } from './types.ts'
import {
  chooseWrapKey,
  instanceOwner,
  keysQueue,
  readFormerKeys,
  unwrapWithAny,
  verifyInstanceKey,
  type WrapKeys,
  wrapKeysOf,
} from './wrapped-keys.ts'

export interface OpenVault extends Vault {
  /** Destroys the data keys of an owner: whatever they sealed cannot be read any more, in backups of rows either. */
  removeKeys(owner: string): Promise<void>
  /** The instance keys of before, 32 bytes each: what was wrapped for them elsewhere goes on opening. */
  formerKeys(): Promise<Buffer[]>
}

/**
 * Opens the vault of a database whose migrations are done. On first use it makes the instance's data key;
 * later that key doubles as the check that `instanceKey` is the right one. Throws VaultFailure `key-wrong`.
 */
export const openVault = async (options: {
  database: Database
  instanceKey: Buffer
  /** The key that `instanceKey` takes the place of: what is wrapped for it opens, too. */
  previousKey?: Buffer | null
  clock: Clock
}): Promise<OpenVault> => {
  const { database, clock } = options
  const { instanceKey, previousKey = null } = options
  const wrapping = wrapKeysOf(instanceKey, previousKey)
  await verifyInstanceKey(database, instanceKey, previousKey)
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
    keyring: (owner) => (owner === null ? Promise.resolve(instance) : keyringOf(owner)),
    blindIndex: (purpose, value) => createHmac('sha256', indexing).update(`${purpose}\0${value}`, 'utf8').digest('hex'),
    async removeKeys(owner) {
      if (owner === instanceOwner) throw new Error('An owner has an id.')
      await database.tables<VaultTables>().deleteFrom('vault_keys').where('owner', '=', owner).execute()
      await keyrings.forgetEverywhere(owner)
    },
    formerKeys: () => readFormerKeys(database, instance),
  }
}

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

const removedChannel = 'vault-key-removed'
const keptKeyrings = 2000

/** The data keys of an owner by number; the first is made when there is none. Two makers end with the same key. */
const loadKeys = async (
  database: Database,
  clock: Clock,
  wrapping: WrapKeys,
  owner: string,
): Promise<Map<number, KeyObject>> => {
  const known = await readKeys(database, wrapping, owner)
  if (known.size > 0) return known
  await database.write<VaultTables, void>(async (trx) => {
    const wrapped = wrap(await chooseWrapKey(trx, wrapping), owner, 1, randomBytes(32))
    await trx
      .insertInto('vault_keys')
      .values({ owner, number: 1, wrapped, created_at: clock.now() })
      .onConflict((conflict) => conflict.columns(['owner', 'number']).doNothing())
      .execute()
  }, keysQueue)
  return await readKeys(database, wrapping, owner)
}

const readKeys = async (database: Database, wrapping: WrapKeys, owner: string): Promise<Map<number, KeyObject>> => {
  const rows = await database
    .tables<VaultTables>()
    .selectFrom('vault_keys')
    .selectAll()
    .where('owner', '=', owner)
    .execute()
  return new Map(rows.map((row) => [row.number, createSecretKey(unwrapWithAny(wrapping, row))]))
}
