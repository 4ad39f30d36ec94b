/** Every SQL statement about definitions. */
import type { Definition, Discovery } from '@atrium/contract/connections'
import { type AnyTransaction, inTables } from '../../../platform/db/types.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { ListedModel } from '../../../providers/model-list.ts'
import { clearOldCatalogues, insertCatalogue } from './catalogues.ts'
import { insertKey } from './keys.ts'
import { routeFingerprint, routeOf } from '../definitions/routing.ts'
import { definitionJson } from './rows.ts'
import type { StoreContext } from './context.ts'
import type { ConnectionTables } from '../tables.ts'

/** `new`: nothing may be installed under the id; `any`: what is installed is replaced; `known`: something must be. */
export type ExpectedState = 'new' | 'any' | 'known'

export const createDefinitionStore = ({ database, vault, clock, bundled, tables, readInstalled }: StoreContext) => ({
  /** Whether something is installed under an id. */
  async isInstalled(id: string): Promise<boolean> {
    const row = await tables().selectFrom('connection_definitions').select('id').where('id', '=', id).executeTakeFirst()
    return row !== undefined
  },

  /**
   * Stores a definition. Every activation of what stood there ends, and catalogues of a route that was left are cleared;
   * keys stay, and are used only if the route is the one they were saved for. Gives the accounts that used it. Refuses
   * with `plugin_exists` or `plugin_not_found`. The id of the server's own sign-in is taken for good: what stood in its
   * place would be shown to everybody, and the sign-in would be out of use.
   */
  async putDefinition(definition: Definition, expected: ExpectedState): Promise<string[]> {
    const instance = await vault.keyring(null)
    const { id } = definition
    if (bundled.some((own) => own.id === id && own.signIn)) {
      throw fail('plugin_exists', 'This id is reserved for the server’s own sign-in. Choose another.')
    }
    const now = clock.now()
    const document = definitionJson.seal(instance, id, definition)
    return await database.write<ConnectionTables, string[]>(async (trx) => {
      const rival = await trx.selectFrom('connection_definitions').select('id').where('id', '=', id).executeTakeFirst()
      if (rival && expected === 'new') throw fail('plugin_exists')
      if (!rival && expected === 'known') throw fail('plugin_not_found')
      await trx
        .insertInto('connection_definitions')
        .values({ id, document, created_at: now, updated_at: now })
        .onConflict((conflict) => conflict.columns(['id']).doUpdateSet({ document, updated_at: now }))
        .execute()
      // What was set for Atrium's own definition says nothing about the one in its place.
      if (!rival) await deleteValues(trx, id)
      const users = await endActivations(trx, id)
      const current = await readInstalled(trx, id, instance)
      if (current) await clearOldCatalogues(trx, id, current.fingerprint)
      return users
    })
  },

  /**
   * Changes what an installed definition is called, or the models that it names: neither says where calls go, so
   * activations, keys and catalogues stay. Refuses with `plugin_not_found`. Does `also` with it.
   */
  async changeDefinition(
    id: string,
    change: Partial<Pick<Definition, 'name' | 'model_map'>>,
    also: (trx: AnyTransaction) => Promise<void>,
  ): Promise<void> {
    const instance = await vault.keyring(null)
    await database.write<ConnectionTables, void>(async (trx) => {
      const row = await trx
        .selectFrom('connection_definitions')
        .select('document')
        .where('id', '=', id)
        .executeTakeFirst()
      if (!row) throw fail('plugin_not_found')
      const document = definitionJson.seal(instance, id, {
        ...definitionJson.open(instance, id, row.document),
        ...change,
      })
      await trx
        .updateTable('connection_definitions')
        .set({ document, updated_at: clock.now() })
        .where('id', '=', id)
        .execute()
      await also(trx)
    }, 'audit')
  },

  /** A definition with its first account's key, activation and catalogue, and whatever else belongs to the step. */
  async installWhole(
    accountId: string,
    definition: Definition,
    {
      key,
      models,
      outcome,
      also,
    }: {
      key: string | null
      /** null: the provider listed none. */
      models: readonly ListedModel[] | null
      outcome: Discovery
      also: (trx: AnyTransaction) => Promise<void>
    },
  ): Promise<void> {
    const keyring = await vault.keyring(accountId)
    const instance = await vault.keyring(null)
    const now = clock.now()
    const { id } = definition
    const route = routeFingerprint(definition, 'installed', routeOf(definition))
    const document = definitionJson.seal(instance, id, definition)
    const own = { account_id: accountId, connection_id: id }
    await database.write<ConnectionTables, void>(async (trx) => {
      const rival = await trx.selectFrom('connection_definitions').select('id').where('id', '=', id).executeTakeFirst()
      if (rival || bundled.some((ours) => ours.id === id)) throw fail('plugin_exists')
      await trx
        .insertInto('connection_definitions')
        .values({ id, document, created_at: now, updated_at: now })
        .execute()
      await trx
        .insertInto('connection_activations')
        .values({ ...own, activated_at: now, active: 1 })
        .execute()
      if (key !== null) await insertKey(trx, keyring, own, key, route, now)
      const discoveredAt = models === null ? null : now
      await insertCatalogue(trx, keyring, own, { models, route, discoveredAt, checkedAt: now, outcome })
      await also(trx)
    })
  },

  /**
   * Removes an installed definition with everything that any account has of it. Gives the accounts that used it; null:
   * nothing is installed there.
   */
  async remove(id: string): Promise<string[] | null> {
    return await database.write<ConnectionTables, string[] | null>(async (trx) => {
      const { numDeletedRows } = await trx
        .deleteFrom('connection_definitions')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      if (numDeletedRows === 0n) return null
      const users = await endActivations(trx, id)
      await trx.deleteFrom('connection_activations').where('connection_id', '=', id).execute()
      await trx.deleteFrom('connection_credentials').where('connection_id', '=', id).execute()
      await trx.deleteFrom('connection_catalogues').where('connection_id', '=', id).execute()
      await trx.deleteFrom('connection_sharing').where('connection_id', '=', id).execute()
      await trx.deleteFrom('connection_shared_keys').where('connection_id', '=', id).execute()
      await deleteValues(trx, id)
      return users
    })
  },
})

async function endActivations(trx: AnyTransaction, id: string): Promise<string[]> {
  const open = inTables<ConnectionTables>(trx)
  const users = await open
    .selectFrom('connection_activations')
    .select('account_id')
    .where('connection_id', '=', id)
    .where('active', '=', 1)
    .execute()
  // Who switched off what an administrator gave keeps it off.
  await open.deleteFrom('connection_activations').where('connection_id', '=', id).where('active', '=', 1).execute()
  return users.map((row) => row.account_id)
}

async function deleteValues(trx: AnyTransaction, id: string): Promise<void> {
  const open = inTables<ConnectionTables>(trx)
  await open.deleteFrom('connection_instance_values').where('connection_id', '=', id).execute()
  await open.deleteFrom('connection_values').where('connection_id', '=', id).execute()
}
