/** Automations in the database, sealed with the keys of their owners. Times are integer milliseconds. */
import { mostAutomations } from '@atrium/contract/automations'
import type { Transaction } from 'kysely'
import type { Database } from '../../../platform/db/types.ts'
import { readableOf } from '../../../platform/stored-json.ts'
import type { Keyring, Vault } from '../../../platform/vault/types.ts'
import { contentJson } from '../content.ts'
import { watchedPlaces } from '../events/rules.ts'
import type { StoredAutomation } from '../context.ts'
import { putWatches } from './events.ts'
import type { AutomationRow, AutomationTables, RunRow } from '../tables.ts'

export type AutomationStore = ReturnType<typeof createAutomationStore>

interface StoreDeps {
  readonly database: Database
  readonly vault: Pick<Vault, 'keyring'>
}

/** What changes of an automation beside what its owner wrote. */
export type AutomationChange = Partial<
  Pick<AutomationRow, 'status' | 'paused_by_failures' | 'next_run_at' | 'failures' | 'updated_at'>
>

export const createAutomationStore = ({ database, vault }: StoreDeps) => {
  const tables = database.tables<AutomationTables>()
  const all = () => tables.selectFrom('automations').selectAll()

  const openAll = async (rows: readonly AutomationRow[]): Promise<StoredAutomation[]> => {
    const keyrings = new Map<string, Keyring>()
    for (const { account_id } of rows)
      if (!keyrings.has(account_id)) keyrings.set(account_id, await vault.keyring(account_id))
    return readableOf(rows, (row) => rowToAutomation(row, keyrings.get(row.account_id) as Keyring))
  }

  return {
    /** Of an account, by name. */
    async list(accountId: string): Promise<StoredAutomation[]> {
      const rows = await all().where('account_id', '=', accountId).orderBy('id').execute()
      return (await openAll(rows)).toSorted((a, b) => a.content.name.localeCompare(b.content.name))
    },

    /** `accountId`: null for whomever. */
    async read(id: string, accountId: string | null): Promise<StoredAutomation | null> {
      const row = await all()
        .where('id', '=', id)
        .$if(accountId !== null, (query) => query.where('account_id', '=', accountId ?? ''))
        .executeTakeFirst()
      return row ? ((await openAll([row]))[0] ?? null) : null
    },

    /** Those of the ids that are there, of whomever. */
    async readMany(ids: readonly string[]): Promise<StoredAutomation[]> {
      return ids.length === 0 ? [] : openAll(await all().where('id', 'in', ids).execute())
    },

    /** false: the account has as many as it may. */
    async add(automation: StoredAutomation): Promise<boolean> {
      const keyring = await vault.keyring(automation.accountId)
      const row: AutomationRow = {
        id: automation.id,
        account_id: automation.accountId,
        content: contentJson.seal(keyring, automation.id, automation.content),
        secret: null,
        status: automation.status,
        paused_by_failures: 0,
        next_run_at: automation.nextRunAt,
        started_count: 0,
        failures: 0,
        last_run_id: null,
        event_fired_at: null,
        version: 1,
        created_at: automation.createdAt,
        updated_at: automation.updatedAt,
      }
      return await database.write<AutomationTables, boolean>(async (trx) => {
        const { count } = await trx
          .selectFrom('automations')
          .select((by) => by.fn.countAll<number>().as('count'))
          .where('account_id', '=', automation.accountId)
          .executeTakeFirstOrThrow()
        if (Number(count) >= mostAutomations) return false
        await trx.insertInto('automations').values(row).execute()
        const places = watchedPlaces(automation, automation.content.triggers)
        await putWatches(trx, automation, places, automation.createdAt)
        return true
      })
    },

    /** Replaces what its owner wrote, and when it runs next. false: it was changed, started or removed since it was read. */
    async replace({ id, accountId, version, content, nextRunAt, updatedAt }: StoredAutomation): Promise<boolean> {
      const keyring = await vault.keyring(accountId)
      const sealed = contentJson.seal(keyring, id, content)
      return await database.write<AutomationTables, boolean>(async (trx) => {
        const rows = await trx
          .updateTable('automations')
          .set((by) => ({
            content: sealed,
            next_run_at: nextRunAt,
            updated_at: updatedAt,
            version: by('version', '+', 1),
          }))
          .where('id', '=', id)
          .where('version', '=', version)
          .returning('id')
          .execute()
        if (rows.length === 0) return false
        await putWatches(trx, { id, accountId }, watchedPlaces({ id, accountId }, content.triggers), updatedAt)
        return true
      })
    },

    /** false: it was changed, started or removed since it was read. */
    async change(
      { id, version }: Pick<StoredAutomation, 'id' | 'version'>,
      values: AutomationChange,
    ): Promise<boolean> {
      const rows = await tables
        .updateTable('automations')
        .set((by) => ({ ...values, version: by('version', '+', 1) }))
        .where('id', '=', id)
        .where('version', '=', version)
        .returning('id')
        .execute()
      return rows.length > 0
    },

    /** Removes one with its runs; gives the messages of answers that were being written, or waited, for them. null: the account has none such. */
    remove: (id: string, accountId: string): Promise<string[] | null> =>
      database.write<AutomationTables, string[] | null>(async (trx) => {
        const rows = await trx
          .deleteFrom('automations')
          .where('id', '=', id)
          .where('account_id', '=', accountId)
          .returning('id')
          .execute()
        if (rows.length === 0) return null
        await trx.deleteFrom('automation_watches').where('automation_id', '=', id).execute()
        await trx.deleteFrom('automation_event_tries').where('automation_id', '=', id).execute()
        return await removeRuns(trx, 'automation_id', id)
      }),

    /** Gives the messages of answers that were being written, or waited. */
    removeAccount: (accountId: string): Promise<string[]> =>
      database.write<AutomationTables, string[]>(async (trx) => {
        await trx
          .deleteFrom('automation_event_tries')
          .where('automation_id', 'in', (by) =>
            by.selectFrom('automations').select('id').where('account_id', '=', accountId),
          )
          .execute()
        await trx.deleteFrom('automations').where('account_id', '=', accountId).execute()
        await trx.deleteFrom('automation_watches').where('account_id', '=', accountId).execute()
        return await removeRuns(trx, 'account_id', accountId)
      }),

    async count(accountId: string): Promise<number> {
      const { count } = await tables
        .selectFrom('automations')
        .select((by) => by.fn.countAll<number>().as('count'))
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    /** Those whose time has come, of everybody, the longest due first. */
    async due(now: number, limit: number, offset: number): Promise<StoredAutomation[]> {
      return openAll(
        await all()
          .where('next_run_at', '<=', now)
          .where('status', '=', 'active')
          .orderBy('next_run_at')
          .orderBy('id')
          .limit(limit)
          .offset(offset)
          .execute(),
      )
    },

    /** When the next one of all is due. */
    async nextDue(): Promise<number | null> {
      const row = await tables
        .selectFrom('automations')
        .select((by) => by.fn.min('next_run_at').as('next'))
        .executeTakeFirst()
      return row?.next == null ? null : Number(row.next)
    },

    /** Sets or takes away the secret of its webhook. false: the account has no such automation. */
    async setSecret(id: string, accountId: string, secret: string | null): Promise<boolean> {
      const keyring = await vault.keyring(accountId)
      const rows = await tables
        .updateTable('automations')
        .set({ secret: secret === null ? null : keyring.seal('automations.secret', id, secret) })
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .returning('id')
        .execute()
      return rows.length > 0
    },

    async readSecret(id: string): Promise<string | null> {
      const row = await tables
        .selectFrom('automations')
        .select(['account_id', 'secret'])
        .where('id', '=', id)
        .executeTakeFirst()
      if (!row?.secret) return null
      return (await vault.keyring(row.account_id)).open('automations.secret', id, row.secret)
    },
  }
}

const removeRuns = async (
  trx: Transaction<AutomationTables>,
  column: 'automation_id' | 'account_id',
  id: string,
): Promise<string[]> => {
  const rows = await trx
    .deleteFrom('automation_runs')
    .where(column, '=', id)
    .returning(['state', 'message_id'])
    .execute()
  return rows.flatMap(({ state, message_id }: Pick<RunRow, 'state' | 'message_id'>) =>
    (state === 'running' || state === 'waiting') && message_id !== null ? [message_id] : [],
  )
}

const rowToAutomation = (row: AutomationRow, keyring: Keyring): StoredAutomation => ({
  id: row.id,
  accountId: row.account_id,
  content: contentJson.open(keyring, row.id, row.content),
  hasSecret: row.secret !== null,
  status: row.status,
  pausedByFailures: row.paused_by_failures === 1,
  nextRunAt: row.next_run_at,
  startedCount: row.started_count,
  lastRunId: row.last_run_id,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
