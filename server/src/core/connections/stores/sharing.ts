/** Every SQL statement about what administrators decide about a connection for others. */
import { SharingMode } from '@atrium/contract/connections'
import { z } from 'zod'
import type { AnyTransaction } from '../../../platform/db/types.ts'
import { storedJson, unlessUnreadable } from '../../../platform/stored-json.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import type { StoreContext } from './context.ts'
import type { ConnectionTables, SharedKeyRow, SharingRow } from '../tables.ts'
import type { InstalledDefinition } from '../types.ts'

/** Who has a connection, as it is stored. */
export interface StoredSharing {
  readonly mode: SharingMode
  readonly ownerId: string | null
  readonly groupIds: readonly string[]
}

export interface StoredSharedKey {
  readonly value: string
  /** The route that it was saved for. */
  readonly route: string
  readonly savedAt: number
}

type Also = (trx: AnyTransaction) => Promise<void>

const groupIdsJson = storedJson('connection_sharing.group_ids', z.array(z.string()))
/** Where what is stored cannot be read, nobody but administrators has the connection. */
const closed: StoredSharing = { mode: 'private', ownerId: null, groupIds: [] }

export const createSharingStore = ({ database, vault, clock, tables }: StoreContext) => ({
  async sharingOf(id: string): Promise<{ sharing: StoredSharing; key: StoredSharedKey | null }> {
    const instance = await vault.keyring(null)
    const row = await tables()
      .selectFrom('connection_sharing')
      .selectAll()
      .where('connection_id', '=', id)
      .executeTakeFirst()
    const key = await tables()
      .selectFrom('connection_shared_keys')
      .selectAll()
      .where('connection_id', '=', id)
      .executeTakeFirst()
    const value = key ? unlessUnreadable(() => openSharedKey(instance, key), null) : null
    return {
      sharing: toSharing(row),
      key: key && value !== null ? { value, route: key.route, savedAt: key.saved_at } : null,
    }
  },

  async isAnySharedWithGroups(): Promise<boolean> {
    const row = await tables()
      .selectFrom('connection_sharing')
      .select('connection_id')
      .where('mode', '=', 'groups')
      .limit(1)
      .executeTakeFirst()
    return row !== undefined
  },

  /** Puts it in the place of what was decided before, and does `also` with it. */
  async saveSharing(id: string, { mode, ownerId, groupIds }: StoredSharing, also: Also): Promise<void> {
    await database.write<ConnectionTables, void>(async (trx) => {
      const owner_id = ownerId
      const group_ids = groupIdsJson.write([...groupIds])
      if (mode === 'opt-in') await trx.deleteFrom('connection_sharing').where('connection_id', '=', id).execute()
      else {
        await trx
          .insertInto('connection_sharing')
          .values({ connection_id: id, mode, owner_id, group_ids, shared_at: clock.now() })
          // Since when it is shared stays: who switched it off since then keeps it off.
          .onConflict((conflict) => conflict.columns(['connection_id']).doUpdateSet({ mode, owner_id, group_ids }))
          .execute()
      }
      await also(trx)
    }, 'audit')
  },

  async saveSharedKey({ definition, fingerprint }: InstalledDefinition, key: string, also: Also): Promise<void> {
    const instance = await vault.keyring(null)
    const { id } = definition
    const secret = instance.seal('connection_shared_keys.secret', id, key)
    const saved = { secret, route: fingerprint, saved_at: clock.now() }
    await database.write<ConnectionTables, void>(async (trx) => {
      await trx
        .insertInto('connection_shared_keys')
        .values({ connection_id: id, ...saved })
        .onConflict((conflict) => conflict.columns(['connection_id']).doUpdateSet(saved))
        .execute()
      await also(trx)
    }, 'audit')
  },

  async removeSharedKey(id: string, also: Also): Promise<void> {
    await database.write<ConnectionTables, void>(async (trx) => {
      await trx.deleteFrom('connection_shared_keys').where('connection_id', '=', id).execute()
      await also(trx)
    }, 'audit')
  },
})

export const openSharedKey = (instance: Keyring, row: SharedKeyRow): string =>
  instance.open('connection_shared_keys.secret', row.connection_id, row.secret)

/** What a row means for one account: since when it has the connection (null: it was not given it), and whether only others have it. */
export function audienceOf(
  row: SharingRow | undefined,
  accountId: string,
  groupIds: readonly string[],
): { readonly sharedAt: number | null; readonly excluded: boolean } {
  const { mode, ownerId, groupIds: sharedWith } = toSharing(row)
  if (!row || mode === 'opt-in') return { sharedAt: null, excluded: false }
  const has =
    mode === 'everyone' ||
    (mode === 'private' && ownerId === accountId) ||
    (mode === 'groups' && sharedWith.some((id) => groupIds.includes(id)))
  return { sharedAt: has ? row.shared_at : null, excluded: !has }
}

function toSharing(row: SharingRow | undefined): StoredSharing {
  if (!row) return { mode: 'opt-in', ownerId: null, groupIds: [] }
  const { success, data } = SharingMode.safeParse(row.mode)
  if (!success) return closed
  return unlessUnreadable(
    () => ({
      mode: data,
      ownerId: row.owner_id,
      groupIds: groupIdsJson.read(row.connection_id, row.group_ids),
    }),
    closed,
  )
}
