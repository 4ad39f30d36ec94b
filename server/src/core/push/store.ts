/** Every SQL statement about browsers that take push messages; rows become records here and nowhere else. */
import { mostPushDevices } from '@atrium/contract/push'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../platform/db/types.ts'
import { fail } from '../../platform/http/refusal.ts'
import { openWords, storedJson, unlessUnreadable } from '../../platform/stored-json.ts'
import type { Vault } from '../../platform/vault/types.ts'
import { digestOf } from '../accounts/index.ts'
import type { PushDeviceRow, PushTables } from './tables.ts'

/** As the browser got it from its push service; keys are base64url. */
export const PushSubscription = z.strictObject({
  endpoint: z.string(),
  keys: z.strictObject({ p256dh: z.string(), auth: z.string() }),
})
export type PushSubscription = z.infer<typeof PushSubscription>

/** Times are milliseconds. */
export interface StoredDevice {
  readonly id: string
  readonly accountId: string
  readonly sessionId: string
  readonly userAgent: string | null
  readonly publicKey: string
  readonly createdAt: number
  readonly lastUsedAt: number | null
}

export interface NewDevice {
  readonly id: string
  readonly accountId: string
  readonly sessionId: string
  readonly subscription: PushSubscription
  readonly userAgent: string | null
  readonly publicKey: string
}

const subscriptionJson = storedJson('push_devices.subscription', PushSubscription)
const userAgentLength = 256

export type PushStore = ReturnType<typeof createPushStore>

export const createPushStore = ({ database, vault }: { readonly database: Database; readonly vault: Vault }) => {
  const tables = () => database.tables<PushTables>()

  const open = async (row: PushDeviceRow): Promise<StoredDevice> => ({
    id: row.id,
    accountId: row.account_id,
    sessionId: row.session_id,
    userAgent:
      row.user_agent &&
      openWords(await vault.keyring(row.account_id), 'push_devices.user_agent', row.id, row.user_agent),
    publicKey: row.public_key,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  })

  const live = (from: Pick<Kysely<PushTables>, 'selectFrom'>, accountId: string, now: number) =>
    from
      .selectFrom('push_devices')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('session_id', 'in', liveSessions(from, accountId, now))
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')

  return {
    /** Those whose sessions nobody ended, newest first. */
    async list(accountId: string, now: number): Promise<StoredDevice[]> {
      return await Promise.all((await live(tables(), accountId, now).execute()).map(open))
    },

    /** null: there is none, or nobody can read what its browser is known by. */
    async find(id: string): Promise<(StoredDevice & { readonly subscription: PushSubscription }) | null> {
      const row = await tables().selectFrom('push_devices').selectAll().where('id', '=', id).executeTakeFirst()
      if (!row) return null
      const keyring = await vault.keyring(row.account_id)
      const subscription = unlessUnreadable(() => subscriptionJson.open(keyring, row.id, row.subscription), null)
      return subscription && { ...(await open(row)), subscription }
    },

    /**
     * Puts a browser in. One that is there already is the session's that asks from now on, whosesoever it was. Refuses
     * with `push_device_limit`, and with `unauthenticated` when the session has ended meanwhile.
     */
    async put({ id, accountId, sessionId, subscription, userAgent, publicKey }: NewDevice, now: number) {
      const keyring = await vault.keyring(accountId)
      const digest = digestOf(subscription.endpoint)
      const agent = userAgent?.slice(0, userAgentLength) ?? null
      const row = await database.write<PushTables, PushDeviceRow>(async (trx) => {
        const session = await liveSessions(trx, accountId, now).where('id', '=', sessionId).executeTakeFirst()
        if (!session) throw fail('unauthenticated')
        const known = await trx
          .selectFrom('push_devices')
          .selectAll()
          .where('endpoint_digest', '=', digest)
          .executeTakeFirst()
        const own = known?.account_id === accountId ? known : null
        const rowId = own?.id ?? id
        const next: PushDeviceRow = {
          id: rowId,
          account_id: accountId,
          session_id: sessionId,
          endpoint_digest: digest,
          subscription: subscriptionJson.seal(keyring, rowId, subscription),
          user_agent: agent === null ? null : keyring.seal('push_devices.user_agent', rowId, agent),
          public_key: publicKey,
          created_at: own?.created_at ?? now,
          last_used_at: own?.last_used_at ?? null,
        }
        if (known) await trx.deleteFrom('push_devices').where('id', '=', known.id).execute()
        const others = await live(trx, accountId, now).execute()
        if (others.length >= mostPushDevices) throw fail('push_device_limit')
        await trx.insertInto('push_devices').values(next).execute()
        return next
      }, `push ${digest}`)
      return await open(row)
    },

    /** false: the account has no such browser. */
    async remove(accountId: string, which: { readonly id: string } | { readonly endpoint: string }): Promise<boolean> {
      const { numDeletedRows } = await tables()
        .deleteFrom('push_devices')
        .where('account_id', '=', accountId)
        .where('id' in which ? 'id' : 'endpoint_digest', '=', 'id' in which ? which.id : digestOf(which.endpoint))
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },

    /** Those of a session that ended; gives whether there were any. */
    async removeSession(sessionId: string): Promise<boolean> {
      const { numDeletedRows } = await tables()
        .deleteFrom('push_devices')
        .where('session_id', '=', sessionId)
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },

    async markUsed(id: string, now: number): Promise<void> {
      await tables().updateTable('push_devices').set({ last_used_at: now }).where('id', '=', id).execute()
    },

    async removeAccount(accountId: string): Promise<void> {
      await tables().deleteFrom('push_devices').where('account_id', '=', accountId).execute()
    },
  }
}

/** Ids of the sessions of an account that nobody ended and whose time is not over. */
const liveSessions = (from: Pick<Kysely<PushTables>, 'selectFrom'>, accountId: string, now: number) =>
  from
    .selectFrom('auth_sessions')
    .select('id')
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
