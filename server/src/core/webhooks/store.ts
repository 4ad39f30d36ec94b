/** Every SQL statement about webhooks; rows become records here and nowhere else. */
import { mostWebhooks, type Webhook } from '@atrium/contract/webhooks'
import { z } from 'zod'
import { type AnyTransaction, type Database, inTables } from '../../platform/db/types.ts'
import { fail } from '../../platform/http/refusal.ts'
import { readableOf, storedJson, unlessUnreadable } from '../../platform/stored-json.ts'
import type { Keyring, Vault } from '../../platform/vault/types.ts'
import type { WebhookRow, WebhookTables } from './tables.ts'

/** Whose webhooks: an account's, or null for the instance's. */
export type OwnerId = string | null

export interface WebhookSettings {
  readonly name: string
  readonly url: string
  readonly events: readonly string[]
  readonly content: boolean
  readonly enabled: boolean
}

/** Times are milliseconds. */
export interface StoredWebhook extends WebhookSettings {
  readonly id: string
  readonly accountId: OwnerId
  readonly offReason: WebhookRow['off_reason']
  readonly failingSince: number | null
  readonly oldSecretUntil: number | null
  readonly createdAt: number
  readonly updatedAt: number
}

const Target = z.strictObject({ name: z.string(), url: z.string(), content: z.boolean() })
const targetJson = storedJson('webhooks.target', Target)
const eventsJson = storedJson('webhooks.events', z.array(z.string()))

export type WebhookStore = ReturnType<typeof createWebhookStore>

export const createWebhookStore = ({ database, vault }: { readonly database: Database; readonly vault: Vault }) => {
  const tables = () => database.tables<WebhookTables>()
  const of = (accountId: OwnerId) =>
    tables()
      .selectFrom('webhooks')
      .selectAll()
      .where('account_id', accountId === null ? 'is' : '=', accountId)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
  const sealSettings = (keyring: Keyring, id: string, { name, url, content, events, enabled }: WebhookSettings) => ({
    target: targetJson.seal(keyring, id, { name, url, content }),
    events: eventsJson.write([...new Set(events)]),
    enabled: enabled ? (1 as const) : (0 as const),
  })

  return {
    async list(accountId: OwnerId): Promise<StoredWebhook[]> {
      const keyring = await vault.keyring(accountId)
      return readableOf(await of(accountId).execute(), (row) => toRecord(keyring, row))
    },

    /** One of an owner; null where there is none. */
    async find(id: string): Promise<StoredWebhook | null> {
      const row = await tables().selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst()
      if (!row) return null
      const keyring = await vault.keyring(row.account_id)
      return unlessUnreadable(() => toRecord(keyring, row), null)
    },

    /** Refuses with `webhook_limit`. */
    async insert(id: string, accountId: OwnerId, settings: WebhookSettings, secret: string, now: number) {
      const keyring = await vault.keyring(accountId)
      const row: WebhookRow = {
        id,
        account_id: accountId,
        ...sealSettings(keyring, id, settings),
        secret: keyring.seal('webhooks.secret', id, secret),
        old_secret: null,
        old_secret_until: null,
        off_reason: null,
        failing_since: null,
        created_at: now,
        updated_at: now,
      }
      await database.write<WebhookTables, void>(async (trx) => {
        const { count } = await trx
          .selectFrom('webhooks')
          .select((by) => by.fn.countAll<number | string>().as('count'))
          .where('account_id', accountId === null ? 'is' : '=', accountId)
          .executeTakeFirstOrThrow()
        if (Number(count) >= mostWebhooks) throw fail('webhook_limit')
        await trx.insertInto('webhooks').values(row).execute()
      })
      return toRecord(keyring, row)
    },

    /** What is turned on again begins anew: why it was off, and since when it failed, are forgotten. */
    async update({ id, accountId, enabled }: StoredWebhook, settings: WebhookSettings, now: number) {
      const keyring = await vault.keyring(accountId)
      const isTurnedOn = settings.enabled && !enabled
      const row = await tables()
        .updateTable('webhooks')
        .set({
          ...sealSettings(keyring, id, settings),
          updated_at: now,
          ...(isTurnedOn && { off_reason: null, failing_since: null }),
        })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
      return row ? toRecord(keyring, row) : null
    },

    async remove(id: string): Promise<boolean> {
      const { numDeletedRows } = await tables().deleteFrom('webhooks').where('id', '=', id).executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },

    /** Another secret; the one before signs as well until a time, or not at all (null). */
    async rotate({ id, accountId }: StoredWebhook, secret: string, oldUntil: number | null, now: number) {
      const keyring = await vault.keyring(accountId)
      const row = await database.write<WebhookTables, WebhookRow | null>(async (trx) => {
        const before = await trx.selectFrom('webhooks').select('secret').where('id', '=', id).executeTakeFirst()
        if (!before) return null
        const old =
          oldUntil === null ? null : unlessUnreadable(() => keyring.open('webhooks.secret', id, before.secret), null)
        return await trx
          .updateTable('webhooks')
          .set({
            secret: keyring.seal('webhooks.secret', id, secret),
            old_secret: old === null ? null : keyring.seal('webhooks.old_secret', id, old),
            old_secret_until: old === null ? null : oldUntil,
            updated_at: now,
          })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow()
      })
      return row && toRecord(keyring, row)
    },

    /** Those that sign now, the newest first; none where they cannot be read. */
    async secretsOf(id: string, now: number): Promise<string[]> {
      const row = await tables().selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst()
      if (!row) return []
      const keyring = await vault.keyring(row.account_id)
      const { secret, old_secret: old, old_secret_until: until } = row
      const open = (column: 'webhooks.secret' | 'webhooks.old_secret', sealed: Uint8Array) =>
        unlessUnreadable(() => [keyring.open(column, id, sealed)], [])
      return [
        ...open('webhooks.secret', secret),
        ...(old !== null && until !== null && until > now ? open('webhooks.old_secret', old) : []),
      ]
    },

    async markArrived(trx: AnyTransaction, id: string): Promise<void> {
      await inTables<WebhookTables>(trx)
        .updateTable('webhooks')
        .set({ failing_since: null })
        .where('id', '=', id)
        .where('failing_since', 'is not', null)
        .execute()
    },

    /** Gives since when it fails. */
    async markFailing(trx: AnyTransaction, id: string, now: number): Promise<number> {
      const own = inTables<WebhookTables>(trx)
      await own
        .updateTable('webhooks')
        .set({ failing_since: now })
        .where('id', '=', id)
        .where('failing_since', 'is', null)
        .execute()
      const row = await own.selectFrom('webhooks').select('failing_since').where('id', '=', id).executeTakeFirst()
      return row?.failing_since ?? now
    },

    /** false: it was off already. */
    async turnOff(trx: AnyTransaction, id: string, reason: 'gone' | 'failing'): Promise<boolean> {
      const { numUpdatedRows } = await inTables<WebhookTables>(trx)
        .updateTable('webhooks')
        .set({ enabled: 0, off_reason: reason })
        .where('id', '=', id)
        .where('enabled', '=', 1)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    async removeAccount(accountId: string): Promise<void> {
      await tables().deleteFrom('webhook_deliveries').where('account_id', '=', accountId).execute()
      await tables().deleteFrom('webhooks').where('account_id', '=', accountId).execute()
    },
  }
}

const toRecord = (keyring: Keyring, row: WebhookRow): StoredWebhook => ({
  id: row.id,
  accountId: row.account_id,
  ...targetJson.open(keyring, row.id, row.target),
  events: eventsJson.read(row.id, row.events),
  enabled: row.enabled === 1,
  offReason: row.off_reason,
  failingSince: row.failing_since,
  oldSecretUntil: row.old_secret_until,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** As the contract has it. `now`: milliseconds. */
export const toWebhook = (webhook: StoredWebhook, now: number): Webhook => ({
  id: webhook.id,
  of: webhook.accountId === null ? 'instance' : 'account',
  name: webhook.name,
  url: webhook.url,
  events: [...webhook.events],
  content: webhook.content,
  enabled: webhook.enabled,
  off: webhook.offReason,
  failingSince: timeOrNull(webhook.failingSince),
  oldSecretUntil: timeOrNull((webhook.oldSecretUntil ?? 0) > now ? webhook.oldSecretUntil : null),
  createdAt: new Date(webhook.createdAt).toISOString(),
  updatedAt: new Date(webhook.updatedAt).toISOString(),
})

export const timeOrNull = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())
