/** Every SQL statement about connections; sealed rows become definitions, keys and catalogues here and nowhere else. */
import { Definition, Discovery } from '@atrium/contract/model-management'
import { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import { type AnyTransaction, type Database, over } from '../../platform/db/types.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { Keyring, Vault } from '../../platform/vault/types.ts'
import { ListedModel } from '../../providers/model-list.ts'
import { createMemory } from './memory.ts'
import { routeFingerprint } from './rules.ts'
import type { CatalogueRow, ConnectionTables, CredentialRow, DefinitionRow } from './tables.ts'
import type { AccountConnection, Catalogue, Installed, Own } from './types.ts'

export type ConnectionStore = ReturnType<typeof createConnectionStore>

type Write = (trx: AnyTransaction) => Promise<void>

export const createConnectionStore = ({
  database,
  vault,
  clock,
}: {
  database: Database
  vault: Vault
  clock: Clock
}) => {
  const tables = () => database.tables<ConnectionTables>()
  const definitions = createMemory<Installed>()
  const catalogues = createMemory<readonly ListedModel[]>()

  const toInstalled = (row: DefinitionRow, instance: Keyring): Installed =>
    definitions(row.id, `${row.updated_at} ${row.route}`, () => ({
      definition: Definition.parse(JSON.parse(instance.open('connection_definitions.document', row.id, row.document))),
      route: row.route,
      createdAt: row.created_at,
    }))

  const toCatalogue = (row: CatalogueRow, keyring: Keyring): Catalogue => {
    const id = rowId(row.account_id, row.connection_id)
    const { models } = row
    return {
      models:
        models === null
          ? null
          : catalogues(id, `${row.checked_at} ${models.length}`, () =>
              z.array(ListedModel).parse(JSON.parse(keyring.open('connection_catalogues.models', id, models))),
            ),
      discoveredAt: row.discovered_at,
      checkedAt: row.checked_at,
      outcome: Discovery.parse(JSON.parse(row.outcome)),
    }
  }

  const toOwn = (
    { route }: Installed,
    keyring: Keyring,
    rows: { activated_at?: number; credential?: CredentialRow; catalogue?: CatalogueRow },
  ): Own => {
    const { credential, catalogue } = rows
    const usable = credential?.route === route
    return {
      activatedAt: rows.activated_at ?? null,
      key:
        credential && usable
          ? keyring.open('connection_credentials.secret', idOf(credential), credential.secret)
          : null,
      keyElsewhere: credential !== undefined && !usable,
      // What was found at another route says nothing about this one.
      catalogue: catalogue?.route === route ? toCatalogue(catalogue, keyring) : null,
    }
  }

  const read = async (accountId: string, id?: string): Promise<AccountConnection[]> => {
    const keyring = await vault.keyring(accountId)
    const instance = await vault.keyring(null)
    const own = <T extends 'connection_activations' | 'connection_credentials' | 'connection_catalogues'>(table: T) =>
      tables()
        .selectFrom(table as 'connection_credentials')
        .selectAll()
        .where('account_id', '=', accountId)
        .$if(id !== undefined, (query) => query.where('connection_id', '=', id as string))
        .execute() as unknown as Promise<ConnectionTables[T][]>
    const [installed, activations, credentials, rows] = await Promise.all([
      tables()
        .selectFrom('connection_definitions')
        .selectAll()
        .$if(id !== undefined, (query) => query.where('id', '=', id as string))
        .orderBy('created_at')
        .orderBy('id')
        .execute(),
      own('connection_activations'),
      own('connection_credentials'),
      own('connection_catalogues'),
    ])
    return installed.map((row) => {
      const known = toInstalled(row, instance)
      const mine = <R extends { connection_id: string }>(list: readonly R[]) =>
        list.find((r) => r.connection_id === row.id)
      const activated_at = mine(activations)?.activated_at
      const credential = mine(credentials)
      const catalogue = mine(rows)
      return {
        installed: known,
        own: toOwn(known, keyring, {
          ...(activated_at === undefined ? {} : { activated_at }),
          ...(credential ? { credential } : {}),
          ...(catalogue ? { catalogue } : {}),
        }),
      }
    })
  }

  return {
    /** Every connection of the instance with what the account has of it, oldest first. */
    all: (accountId: string): Promise<AccountConnection[]> => read(accountId),

    async one(accountId: string, id: string): Promise<AccountConnection | null> {
      return (await read(accountId, id))[0] ?? null
    },

    async exists(id: string): Promise<boolean> {
      const row = await tables()
        .selectFrom('connection_definitions')
        .select('id')
        .where('id', '=', id)
        .executeTakeFirst()
      return row !== undefined
    },

    /** A definition with its first account's key, activation and catalogue, and whatever else belongs to the step. */
    async install(
      accountId: string,
      definition: Definition,
      {
        key,
        models,
        outcome,
        also,
      }: { key: string | null; models: readonly ListedModel[]; outcome: Discovery; also: Write },
    ): Promise<void> {
      const keyring = await vault.keyring(accountId)
      const instance = await vault.keyring(null)
      const now = clock.now()
      const { id } = definition
      const route = routeFingerprint(definition)
      const document = instance.seal('connection_definitions.document', id, JSON.stringify(definition))
      const own = { account_id: accountId, connection_id: id }
      await database.write<ConnectionTables, void>(async (trx) => {
        const rival = await trx
          .selectFrom('connection_definitions')
          .select('id')
          .where('id', '=', id)
          .executeTakeFirst()
        if (rival) throw fail('plugin_exists')
        await trx
          .insertInto('connection_definitions')
          .values({ id, document, route, created_at: now, updated_at: now })
          .execute()
        await trx
          .insertInto('connection_activations')
          .values({ ...own, activated_at: now })
          .execute()
        if (key !== null) await insertKey(trx, keyring, own, key, route, now)
        await insertCatalogue(trx, keyring, own, { models, route, discoveredAt: now, checkedAt: now, outcome })
        await also(trx)
      })
    },

    async activate(accountId: string, id: string): Promise<void> {
      const activated_at = clock.now()
      await tables()
        .insertInto('connection_activations')
        .values({ account_id: accountId, connection_id: id, activated_at })
        .onConflict((conflict) => conflict.columns(['account_id', 'connection_id']).doNothing())
        .execute()
    },

    async deactivate(accountId: string, id: string): Promise<void> {
      await tables()
        .deleteFrom('connection_activations')
        .where('account_id', '=', accountId)
        .where('connection_id', '=', id)
        .execute()
    },

    async saveKey(accountId: string, { definition, route }: Installed, key: string): Promise<void> {
      const keyring = await vault.keyring(accountId)
      const now = clock.now()
      const own = { account_id: accountId, connection_id: definition.id }
      await database.write<ConnectionTables, void>((trx) => insertKey(trx, keyring, own, key, route, now))
    },

    async removeKey(accountId: string, id: string): Promise<void> {
      await tables()
        .deleteFrom('connection_credentials')
        .where('account_id', '=', accountId)
        .where('connection_id', '=', id)
        .execute()
    },

    /**
     * Records a look at the models. Without `models` the old ones stay. False when the connection was removed or its
     * route changed while the provider was asked: nothing is recorded then.
     */
    async saveLook(accountId: string, asked: AccountConnection, outcome: Discovery, models?: readonly ListedModel[]) {
      const keyring = await vault.keyring(accountId)
      const { definition, route } = asked.installed
      const now = clock.now()
      const own = { account_id: accountId, connection_id: definition.id }
      const before = asked.own.catalogue
      const look = {
        models: models ?? before?.models ?? null,
        discoveredAt: models ? now : (before?.discoveredAt ?? null),
      }
      return await database.write<ConnectionTables, boolean>(async (trx) => {
        const row = await trx
          .selectFrom('connection_definitions')
          .select('route')
          .where('id', '=', definition.id)
          .executeTakeFirst()
        if (row?.route !== route) return false
        await insertCatalogue(trx, keyring, own, { ...look, route, checkedAt: now, outcome })
        return true
      })
    },

    /** Removes a connection with everything that any account has of it. Gives the accounts that used it; null: no such. */
    async remove(id: string): Promise<string[] | null> {
      return await database.write<ConnectionTables, string[] | null>(async (trx) => {
        const users = await trx
          .selectFrom('connection_activations')
          .select('account_id')
          .where('connection_id', '=', id)
          .execute()
        const { numDeletedRows } = await trx
          .deleteFrom('connection_definitions')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
        return numDeletedRows === 0n ? null : users.map((row) => row.account_id)
      })
    },
  }
}

type OwnKey = Pick<CredentialRow, 'account_id' | 'connection_id'>

async function insertKey(trx: AnyTransaction, keyring: Keyring, own: OwnKey, key: string, route: string, now: number) {
  const secret = keyring.seal('connection_credentials.secret', idOf(own), key)
  await over<ConnectionTables>(trx)
    .insertInto('connection_credentials')
    .values({ ...own, secret, route, saved_at: now })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'connection_id']).doUpdateSet({ secret, route, saved_at: now }),
    )
    .execute()
}

async function insertCatalogue(
  trx: AnyTransaction,
  keyring: Keyring,
  own: OwnKey,
  look: Catalogue & { route: string },
): Promise<void> {
  const models = look.models && keyring.seal('connection_catalogues.models', idOf(own), JSON.stringify(look.models))
  const values = {
    models,
    route: look.route,
    discovered_at: look.discoveredAt,
    checked_at: look.checkedAt,
    outcome: JSON.stringify(look.outcome),
  }
  await over<ConnectionTables>(trx)
    .insertInto('connection_catalogues')
    .values({ ...own, ...values })
    .onConflict((conflict) => conflict.columns(['account_id', 'connection_id']).doUpdateSet(values))
    .execute()
}

const rowId = (accountId: string, connectionId: string): string => `${accountId}/${connectionId}`
const idOf = (row: OwnKey): string => rowId(row.account_id, row.connection_id)
