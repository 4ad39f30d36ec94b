/** Every SQL statement about what webhooks were told. Times are milliseconds. */
import { WebhookFailure, type WebhookDelivery } from '@atrium/contract/webhooks'
import { createdBefore, creationKey, cutPage } from '../../platform/db/cursor.ts'
import { type AnyTransaction, type Database, inTables } from '../../platform/db/types.ts'
import { unlessUnreadable } from '../../platform/stored-json.ts'
import type { Vault } from '../../platform/vault/types.ts'
import type { CallOutcome } from './call.ts'
import { type OwnerId, timeOrNull } from './store.ts'
import type { WebhookDeliveryRow, WebhookTables } from './tables.ts'

export type StoredDelivery = Omit<WebhookDeliveryRow, 'body'>

export interface NewDelivery {
  readonly id: string
  readonly webhook: { readonly id: string; readonly accountId: OwnerId }
  readonly source: string
  readonly type: string
  readonly body: string
}

/** What came of a try: an end, or another one at a time. */
export interface TriedDelivery extends Pick<CallOutcome, 'status' | 'failure'> {
  readonly state: WebhookDeliveryRow['state']
  readonly durationMs: number
  readonly nextTryAt: number | null
}

export type WebhookDeliveryStore = ReturnType<typeof createDeliveryStore>

export const createDeliveryStore = ({ database, vault }: { readonly database: Database; readonly vault: Vault }) => {
  const tables = () => database.tables<WebhookTables>()
  return {
    /** Keeps what a webhook is to be told, once for each source. Gives it as it stands. */
    async add({ id, webhook, source, type, body }: NewDelivery, now: number): Promise<StoredDelivery> {
      const keyring = await vault.keyring(webhook.accountId)
      const row: WebhookDeliveryRow = {
        id,
        webhook_id: webhook.id,
        account_id: webhook.accountId,
        source,
        type,
        body: keyring.seal('webhook_deliveries.body', id, body),
        state: 'waiting',
        tries: 0,
        begun_at: now,
        status: null,
        failure: null,
        duration_ms: null,
        created_at: now,
        tried_at: null,
        next_try_at: now,
      }
      return await database.write<WebhookTables, StoredDelivery>(async (trx) => {
        await trx
          .insertInto('webhook_deliveries')
          .values(row)
          .onConflict((conflict) => conflict.columns(['webhook_id', 'source']).doNothing())
          .execute()
        return await trx
          .selectFrom('webhook_deliveries')
          .selectAll()
          .where('webhook_id', '=', webhook.id)
          .where('source', '=', source)
          .executeTakeFirstOrThrow()
      })
    },

    /** With its body; null where it is gone or cannot be read. */
    async find(id: string): Promise<(StoredDelivery & { readonly text: string }) | null> {
      const row = await tables().selectFrom('webhook_deliveries').selectAll().where('id', '=', id).executeTakeFirst()
      if (!row) return null
      const keyring = await vault.keyring(row.account_id)
      const text = unlessUnreadable(() => keyring.open('webhook_deliveries.body', id, row.body), null)
      return text === null ? null : Object.assign(row, { text })
    },

    /** Writes what a try came to; false: another try was counted meanwhile. */
    async record(trx: AnyTransaction, { id, tries }: StoredDelivery, tried: TriedDelivery, now: number) {
      const { numUpdatedRows } = await inTables<WebhookTables>(trx)
        .updateTable('webhook_deliveries')
        .set({
          state: tried.state,
          tries: tries + 1,
          status: tried.status,
          failure: tried.failure,
          duration_ms: tried.durationMs,
          tried_at: now,
          next_try_at: tried.nextTryAt,
        })
        .where('id', '=', id)
        .where('state', '=', 'waiting')
        .where('tries', '=', tries)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    /** Ends one that is not to be tried: its webhook is off. */
    async giveUp(id: string): Promise<void> {
      await tables()
        .updateTable('webhook_deliveries')
        .set({ state: 'failed', failure: 'off', next_try_at: null })
        .where('id', '=', id)
        .where('state', '=', 'waiting')
        .execute()
    },

    /** Begins one anew that ended; null where it waits. */
    async restart(id: string, now: number): Promise<StoredDelivery | null> {
      const row = await tables()
        .updateTable('webhook_deliveries')
        .set({ state: 'waiting', tries: 0, begun_at: now, next_try_at: now })
        .where('id', '=', id)
        .where('state', '!=', 'waiting')
        .returningAll()
        .executeTakeFirst()
      return row ?? null
    },

    /** Newest first. Refuses with `bad_cursor`. */
    async page(webhookId: string, limit: number, cursor: string | undefined) {
      const rows = await tables()
        .selectFrom('webhook_deliveries')
        .selectAll()
        .where('webhook_id', '=', webhookId)
        .$if(cursor !== undefined, (query) => query.where(createdBefore(cursor ?? '')))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute()
      const { items, nextCursor } = cutPage(rows, limit, creationKey)
      return { items: items.map(toDelivery), nextCursor }
    },

    async removeBefore(time: number): Promise<void> {
      await tables()
        .deleteFrom('webhook_deliveries')
        .where('created_at', '<', time)
        .where('state', '!=', 'waiting')
        .execute()
    },
  }
}

/** As the contract has it. */
export const toDelivery = (row: StoredDelivery): WebhookDelivery => ({
  id: row.id,
  type: row.type,
  state: row.state,
  tries: row.tries,
  status: row.status,
  failure: WebhookFailure.nullable().catch(null).parse(row.failure),
  durationMs: row.duration_ms,
  createdAt: new Date(row.created_at).toISOString(),
  triedAt: timeOrNull(row.tried_at),
  nextTryAt: timeOrNull(row.next_try_at),
})
