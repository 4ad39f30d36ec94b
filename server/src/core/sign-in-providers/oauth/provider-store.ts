/** Every SQL statement about sign-in providers that administrators set up. */
import { IdentityProvider } from '@atrium/contract/sign-in-providers'
import type { z } from 'zod'
import type { Database } from '../../../platform/db/types.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { readableOf, storedJson, unlessUnreadable } from '../../../platform/stored-json.ts'
import type { Keyring, Vault } from '../../../platform/vault/types.ts'
import type { OAuthProvider } from './rules.ts'
import type { OAuthTables, IdentityProviderRow } from './tables.ts'

/** All but what stands in columns of its own. Members that a later version adds have defaults. */
const Saved = IdentityProvider.pick({
  name: true,
  issuerUrl: true,
  clientId: true,
  scopes: true,
  allowedDomains: true,
  trustsEmail: true,
  groupClaim: true,
  adminGroups: true,
  syncGroups: true,
  signUp: true,
})
type Saved = z.infer<typeof Saved>
const savedJson = storedJson('identity_providers.settings', Saved)
export type ProviderSettings = Saved & { readonly enabled: boolean; readonly clientSecret: string | null }

const mostProviders = 50

export type ProviderStore = ReturnType<typeof createProviderStore>

export const createProviderStore = ({ database, vault }: { database: Database; vault: Vault }) => {
  const tables = () => database.tables<OAuthTables>()

  const open = (keyring: Keyring, row: IdentityProviderRow): OAuthProvider => {
    const saved = savedJson.open(keyring, row.id, row.settings)
    return {
      ...saved,
      id: row.id,
      kind: row.kind,
      enabled: row.enabled === 1,
      source: 'saved',
      callbackUrl: null,
      clientSecret: row.secret && keyring.open('identity_providers.secret', row.id, row.secret),
    }
  }
  const allRows = () =>
    tables().selectFrom('identity_providers').selectAll().orderBy('created_at').orderBy('id').execute()
  const seal = async (id: string, { enabled, clientSecret, ...settings }: ProviderSettings) => {
    const keyring = await vault.keyring(null)
    return {
      settings: savedJson.seal(keyring, id, Saved.parse(settings)),
      secret: clientSecret === null ? null : keyring.seal('identity_providers.secret', id, clientSecret),
      enabled: enabled ? (1 as const) : (0 as const),
    }
  }

  return {
    /** Those that can be read, oldest first. */
    async list(): Promise<OAuthProvider[]> {
      const keyring = await vault.keyring(null)
      return readableOf(await allRows(), (row) => open(keyring, row))
    },

    /** The ids of those that cannot be read. */
    async unreadable(): Promise<string[]> {
      const keyring = await vault.keyring(null)
      return (await allRows()).flatMap((row) => (unlessUnreadable(() => open(keyring, row), null) ? [] : [row.id]))
    },

    async find(id: string): Promise<OAuthProvider | null> {
      const row = await tables().selectFrom('identity_providers').selectAll().where('id', '=', id).executeTakeFirst()
      const keyring = await vault.keyring(null)
      return row ? unlessUnreadable(() => open(keyring, row), null) : null
    },

    /** Refuses with `identity_provider_exists`, `identity_provider_limit`. */
    async insert(id: string, kind: OAuthProvider['kind'], settings: ProviderSettings, now: number): Promise<void> {
      const sealed = await seal(id, settings)
      await database.write<OAuthTables, void>(async (trx) => {
        const rows = await trx.selectFrom('identity_providers').select('id').execute()
        if (rows.some((row) => row.id === id)) throw fail('identity_provider_exists')
        if (rows.length >= mostProviders) throw fail('identity_provider_limit')
        await trx
          .insertInto('identity_providers')
          .values({ id, kind, ...sealed, created_at: now, updated_at: now })
          .execute()
      })
    },

    /** `forget`: also removes every link with it, as with another issuer nobody is who they were. */
    async update(
      id: string,
      settings: ProviderSettings,
      { now, forget }: { now: number; forget: boolean },
    ): Promise<void> {
      const sealed = await seal(id, settings)
      await database.write<OAuthTables, void>(async (trx) => {
        const set = { ...sealed, updated_at: now }
        const rows = await trx.updateTable('identity_providers').set(set).where('id', '=', id).returning('id').execute()
        if (rows.length === 0) throw fail('identity_provider_not_found')
        if (forget) await trx.deleteFrom('identities').where('provider_id', '=', id).execute()
      })
    },

    /** Removes it with every link. */
    async remove(id: string): Promise<void> {
      await database.write<OAuthTables, void>(async (trx) => {
        const rows = await trx.deleteFrom('identity_providers').where('id', '=', id).returning('id').execute()
        if (rows.length === 0) throw fail('identity_provider_not_found')
        await trx.deleteFrom('identities').where('provider_id', '=', id).execute()
        await trx.deleteFrom('external_flows').where('provider_id', '=', id).execute()
        await trx.deleteFrom('external_arrivals').where('provider_id', '=', id).execute()
      })
    },

    /** How many accounts are linked with each. */
    async counts(): Promise<Map<string, number>> {
      const rows = await tables()
        .selectFrom('identities')
        .select(['provider_id', (by) => by.fn.countAll<number | string>().as('count')])
        .groupBy('provider_id')
        .execute()
      return new Map(rows.map(({ provider_id, count }) => [provider_id, Number(count)]))
    },
  }
}
