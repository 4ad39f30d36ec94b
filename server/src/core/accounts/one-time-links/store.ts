/** Every SQL statement about one-time links. */
import { z } from 'zod'
import { storedJson, unlessUnreadable } from '../../../platform/stored-json.ts'
import { randomBytes } from 'node:crypto'
import type { LinkPurpose } from '@atrium/contract/accounts'
import type { Kysely } from 'kysely'
import type { Clock } from '../../../platform/clock.ts'
import { cutPage, decodeCursor } from '../../../platform/db/cursor.ts'
import type { Database } from '../../../platform/db/types.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { Vault } from '../../../platform/vault/types.ts'
import { digestOf } from '../sessions/token-cache.ts'
import type { AccountTables, AccountTransaction } from '../tables.ts'
import { isLinkShaped, keptMs, linkPrefix } from './rules.ts'
import type { OneTimeLinkRow } from './tables.ts'

/** A link that can be used now. `details` is the JSON that was prepared. */
export interface LiveLink {
  readonly id: string
  readonly purpose: LinkPurpose
  readonly accountId: string | null
  readonly details: unknown
  readonly createdBy: string | null
  readonly createdAt: number
  readonly expiresAt: number
}

export interface NewLink {
  readonly purpose: LinkPurpose
  readonly accountId: string | null
  readonly details: unknown
  readonly createdBy: string | null
  readonly lifetimeMs: number
}

export type LinkStore = ReturnType<typeof createLinkStore>
type Tables = Pick<Kysely<AccountTables>, 'selectFrom' | 'updateTable'>

const Details = z.record(z.string(), z.unknown())

export const createLinkStore = (deps: { database: Database; vault: Vault; clock: Clock }) => {
  const { database, vault, clock } = deps
  const tables = () => database.tables<AccountTables>()
  const detailsJson = storedJson('one_time_links.details', Details)

  /** Unused, in time, and of a maker who is still an administrator, where somebody else made it. */
  const live = (from: Pick<Tables, 'selectFrom'>, now: number) =>
    from
      .selectFrom('one_time_links as links')
      .selectAll('links')
      .where('links.used_at', 'is', null)
      .where('links.revoked_at', 'is', null)
      .where('links.expires_at', '>', now)
      .where((by) =>
        by.or([
          by('links.created_by', 'is', null),
          by.exists(
            by
              .selectFrom('accounts as makers')
              .select('makers.id')
              .whereRef('makers.id', '=', 'links.created_by')
              .where('makers.role', '=', 'admin')
              .where('makers.status', '=', 'active'),
          ),
        ]),
      )

  /** null: they cannot be read. */
  const openDetails = async (row: OneTimeLinkRow): Promise<unknown> => {
    const keyring = await vault.keyring(row.account_id)
    return unlessUnreadable(() => detailsJson.open(keyring, row.id, row.details), null)
  }
  const open = async (row: OneTimeLinkRow): Promise<LiveLink> => ({
    id: row.id,
    purpose: row.purpose,
    accountId: row.account_id,
    createdBy: row.created_by,
    details: await openDetails(row),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  })

  /** The open links of a purpose, of an account where one is given. */
  const count = async (purpose: LinkPurpose, accountId: string | null, since = 0): Promise<number> => {
    let query = live(tables(), clock.now()).where('links.purpose', '=', purpose).where('links.created_at', '>', since)
    if (accountId !== null) query = query.where('links.account_id', '=', accountId)
    return (await query.execute()).length
  }

  return {
    count,

    /** Makes a link; its secret is in the answer and nowhere else. */
    async insert(link: NewLink): Promise<{ token: string; link: LiveLink }> {
      const token = `${linkPrefix}${randomBytes(32).toString('base64url')}`
      const now = clock.now()
      const id = clock.id()
      const keyring = await vault.keyring(link.accountId)
      const row: OneTimeLinkRow = {
        id,
        token_digest: digestOf(token),
        purpose: link.purpose,
        account_id: link.accountId,
        details: detailsJson.seal(keyring, id, Details.parse(link.details)),
        created_by: link.createdBy,
        created_at: now,
        expires_at: now + link.lifetimeMs,
        used_at: null,
        revoked_at: null,
      }
      await database.write<AccountTables, void>(async (trx) => {
        await trx
          .deleteFrom('one_time_links')
          .where('expires_at', '<', now - keptMs)
          .execute()
        await trx.insertInto('one_time_links').values(row).execute()
      })
      return { token, link: await open(row) }
    },

    /** The link of a secret; null when it is none, was used or revoked, or its time is over. */
    async find(token: string): Promise<LiveLink | null> {
      if (!isLinkShaped(token)) return null
      const row = await live(tables(), clock.now()).where('links.token_digest', '=', digestOf(token)).executeTakeFirst()
      const link = row && (await open(row))
      return link && link.details !== null ? link : null
    },

    /** Uses a link within somebody's transaction: of many at the same time exactly one gets through. Else `link_invalid`. */
    async claim(trx: AccountTransaction, id: string): Promise<void> {
      const now = clock.now()
      const usable = await live(trx, now).where('links.id', '=', id).executeTakeFirst()
      const claimed = await trx
        .updateTable('one_time_links')
        .set({ used_at: now })
        .where('id', '=', id)
        .where('used_at', 'is', null)
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', now)
        .returning('id')
        .execute()
      if (!usable || claimed.length === 0) throw fail('link_invalid')
    },

    /** Revokes what an account has open, all or of one purpose. */
    async revokeOf(accountId: string, purpose: LinkPurpose | null, trx: Tables = tables()): Promise<void> {
      let query = trx
        .updateTable('one_time_links')
        .set({ revoked_at: clock.now() })
        .where('account_id', '=', accountId)
        .where('used_at', 'is', null)
        .where('revoked_at', 'is', null)
      if (purpose !== null) query = query.where('purpose', '=', purpose)
      await query.execute()
    },

    /** Revokes an open invitation. false: there is none. */
    async revokeInvitation(id: string): Promise<boolean> {
      const now = clock.now()
      const revoked = await tables()
        .updateTable('one_time_links')
        .set({ revoked_at: now })
        .where('id', '=', id)
        .where('purpose', '=', 'invite')
        .where('used_at', 'is', null)
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', now)
        .returning('id')
        .execute()
      return revoked.length > 0
    },

    /** The open invitations, newest first. Refuses with `bad_cursor`. */
    async invitations(
      limit: number,
      cursor: string | undefined,
    ): Promise<{ items: LiveLink[]; nextCursor: string | null }> {
      let query = live(tables(), clock.now())
        .where('links.purpose', '=', 'invite')
        .orderBy('links.created_at', 'desc')
        .orderBy('links.id', 'desc')
        .limit(limit + 1)
      if (cursor !== undefined) {
        const { time, id } = decodeCursor(cursor)
        query = query.where((by) =>
          by.or([
            by('links.created_at', '<', time),
            by.and([by('links.created_at', '=', time), by('links.id', '<', id)]),
          ]),
        )
      }
      const { items, nextCursor } = cutPage(await query.execute(), limit, (row) => ({
        time: row.created_at,
        id: row.id,
      }))
      return { items: await Promise.all(items.map(open)), nextCursor }
    },
  }
}
