/** Every SQL statement about activations and catalogues. */
import type { Discovery } from '@atrium/contract/connections'
import { type AnyTransaction, inTables } from '../../../platform/db/types.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import type { ListedModel } from '../../../providers/model-list.ts'
import { createParseCache } from './parse-cache.ts'
import { idOf, modelsJson, outcomeJson, type OwnRow, sealMark } from './rows.ts'
import type { StoreContext } from './context.ts'
import type { CatalogueRow, ConnectionTables } from '../tables.ts'
import type { AccountConnection, ModelCatalogue } from '../types.ts'

export const createCatalogueStore = ({ database, vault, clock, tables, readInstalled }: StoreContext) => ({
  async activate(accountId: string, id: string): Promise<void> {
    await database.write<ConnectionTables, void>((trx) => saveActivations(trx, accountId, [id], true, clock.now()))
  },

  async deactivate(accountId: string, ids: readonly string[]): Promise<void> {
    await database.write<ConnectionTables, void>((trx) => saveActivations(trx, accountId, ids, false, clock.now()))
  },

  /** What the last look at each connection in use found, over all accounts; at most 5,000. */
  async outcomes(): Promise<{ accountId: string; connectionId: string; outcome: Discovery['outcome'] }[]> {
    const rows = await tables()
      .selectFrom('connection_catalogues as catalogue')
      .leftJoin('connection_activations as active', (join) =>
        join
          .onRef('active.account_id', '=', 'catalogue.account_id')
          .onRef('active.connection_id', '=', 'catalogue.connection_id'),
      )
      .leftJoin('connection_sharing as sharing', 'sharing.connection_id', 'catalogue.connection_id')
      .where((where) =>
        where.or([
          where('active.active', '=', 1),
          where.and([where('active.active', 'is', null), where('sharing.mode', 'is not', null)]),
        ]),
      )
      .select(['catalogue.account_id', 'catalogue.connection_id', 'catalogue.outcome'])
      .limit(5000)
      .execute()
    return rows.map((row) => ({
      accountId: row.account_id,
      connectionId: row.connection_id,
      outcome: outcomeJson.read(idOf(row), row.outcome).outcome,
    }))
  },

  /**
   * Records a discovery of models. Without `models` the old ones stay. False when the connection was removed or its
   * route changed while the provider was asked: nothing is recorded then.
   */
  async saveDiscovery(
    accountId: string,
    asked: AccountConnection,
    outcome: Discovery,
    models?: readonly ListedModel[],
  ) {
    const keyring = await vault.keyring(accountId)
    const instance = await vault.keyring(null)
    const { definition, fingerprint } = asked.installed
    const now = clock.now()
    const own = { account_id: accountId, connection_id: definition.id }
    return await database.write<ConnectionTables, boolean>(async (trx) => {
      const current = await readInstalled(trx, definition.id, instance)
      if (current?.fingerprint !== fingerprint) return false
      const record = { route: fingerprint, checkedAt: now, outcome }
      if (models) await insertCatalogue(trx, keyring, own, { ...record, models, discoveredAt: now })
      else await updateOutcome(trx, own, record)
      return true
    })
  },
})

/** Rows to catalogues; a list of hundreds of models is parsed once as long as its row stays the same. */
export const createCatalogueReader = () => {
  const remembered = createParseCache<readonly ListedModel[]>()
  return (row: CatalogueRow, keyring: Keyring): ModelCatalogue => {
    const { models } = row
    return {
      models:
        models === null
          ? null
          : remembered(idOf(row), sealMark(models), () => modelsJson.open(keyring, idOf(row), models)),
      discoveredAt: row.discovered_at,
      checkedAt: row.checked_at,
      outcome: outcomeJson.read(idOf(row), row.outcome),
    }
  }
}

/** Switches connections on or off for an account; what is on already keeps its place in the order of use. */
async function saveActivations(
  trx: AnyTransaction,
  accountId: string,
  ids: readonly string[],
  on: boolean,
  now: number,
): Promise<void> {
  const open = inTables<ConnectionTables>(trx)
  for (const id of ids) {
    const active = on ? 1 : 0
    await open
      .insertInto('connection_activations')
      .values({ account_id: accountId, connection_id: id, activated_at: now, active })
      .onConflict((conflict) => {
        const update = conflict.columns(['account_id', 'connection_id']).doUpdateSet({ activated_at: now, active })
        return on ? update.where('connection_activations.active', '=', 0) : update
      })
      .execute()
  }
}

export async function insertCatalogue(
  trx: AnyTransaction,
  keyring: Keyring,
  own: OwnRow,
  record: ModelCatalogue & { route: string },
): Promise<void> {
  const models = record.models && modelsJson.seal(keyring, idOf(own), [...record.models])
  const values = {
    models,
    route: record.route,
    discovered_at: record.discoveredAt,
    checked_at: record.checkedAt,
    outcome: outcomeJson.write(record.outcome),
  }
  await inTables<ConnectionTables>(trx)
    .insertInto('connection_catalogues')
    .values({ ...own, ...values })
    .onConflict((conflict) => conflict.columns(['account_id', 'connection_id']).doUpdateSet(values))
    .execute()
}

/** A discovery without a list: the models of an earlier one at this route stay. */
async function updateOutcome(
  trx: AnyTransaction,
  own: OwnRow,
  record: { route: string; checkedAt: number; outcome: Discovery },
): Promise<void> {
  const open = inTables<ConnectionTables>(trx)
  await open
    .deleteFrom('connection_catalogues')
    .where('account_id', '=', own.account_id)
    .where('connection_id', '=', own.connection_id)
    .where('route', '<>', record.route)
    .execute()
  const changes = { checked_at: record.checkedAt, outcome: outcomeJson.write(record.outcome) }
  await open
    .insertInto('connection_catalogues')
    .values({ ...own, ...changes, route: record.route, models: null, discovered_at: null })
    .onConflict((conflict) => conflict.columns(['account_id', 'connection_id']).doUpdateSet(changes))
    .execute()
}

/** What any account found at a route that is not the connection's any more. */
export async function clearOldCatalogues(trx: AnyTransaction, id: string, fingerprint: string): Promise<void> {
  await inTables<ConnectionTables>(trx)
    .deleteFrom('connection_catalogues')
    .where('connection_id', '=', id)
    .where('route', '<>', fingerprint)
    .execute()
}
