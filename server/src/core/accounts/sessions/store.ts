/** Every SQL statement about sessions. */
import type { AuthSession, SessionKind } from '@atrium/contract/accounts'
import { openWords } from '../../../platform/stored-json.ts'
import { type AnyTransaction, type Database, inTables } from '../../../platform/db/types.ts'
import type { Keyring, Vault } from '../../../platform/vault/types.ts'
import type { AccountRow, AccountTables, AuthSessionRow, AccountTransaction } from '../tables.ts'
import { endOf, type SessionLifetimes } from './policy.ts'

/** What a token stands for, read together with its account. */
export interface AuthenticatedSession {
  readonly sessionId: string
  readonly accountId: string
  readonly role: AccountRow['role']
  readonly status: AccountRow['status']
  readonly createdAt: number
  readonly expiresAt: number
  readonly revokedAt: number | null
  lastSeenAt: number
}

/** Which sessions of an account end: one, all but one, or all. */
export type SessionSelection = { readonly only: string } | { readonly but: string } | 'all'

/** Ended sessions stay listed this long. */
const keptMs = 7 * 24 * 3600_000
const listed = 100
/** So many sessions of an account can be live at a time. */
const mostLive = 100
const userAgentLength = 256
const addressLength = 64

export type SessionStore = ReturnType<typeof createSessionStore>

export const createSessionStore = ({ database, vault }: { database: Database; vault: Vault }) => {
  const tables = () => database.tables<AccountTables>()

  /** Ends sessions that are live, and gives their ids. */
  const end = async (trx: Ender, accountId: string, which: SessionSelection, now: number): Promise<string[]> => {
    let query = trx
      .updateTable('auth_sessions')
      .set({ revoked_at: now })
      .where('account_id', '=', accountId)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', now)
    if (which !== 'all')
      query = 'only' in which ? query.where('id', '=', which.only) : query.where('id', '!=', which.but)
    return (await query.returning('id').execute()).map((row) => row.id)
  }

  /** Ends those that were used longest ago where there are too many. */
  const endOldest = async (trx: AccountTransaction, accountId: string, now: number): Promise<string[]> => {
    const live = await trx
      .selectFrom('auth_sessions')
      .select('id')
      .where('account_id', '=', accountId)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', now)
      .orderBy('last_seen_at', 'desc')
      .orderBy('id', 'desc')
      .execute()
    const tooMany = live.slice(mostLive).map(({ id }) => id)
    if (tooMany.length > 0)
      await trx.updateTable('auth_sessions').set({ revoked_at: now }).where('id', 'in', tooMany).execute()
    return tooMany
  }

  /** A session with its account. */
  const sessionBy = async (
    column: 'auth_sessions.token_digest' | 'auth_sessions.id',
    value: string,
  ): Promise<AuthenticatedSession | null> => {
    const row = await tables()
      .selectFrom('auth_sessions')
      .innerJoin('accounts', 'accounts.id', 'auth_sessions.account_id')
      .select([
        'auth_sessions.id as sessionId',
        'accounts.id as accountId',
        'accounts.role as role',
        'accounts.status as status',
        'auth_sessions.created_at as createdAt',
        'auth_sessions.expires_at as expiresAt',
        'auth_sessions.revoked_at as revokedAt',
        'auth_sessions.last_seen_at as lastSeenAt',
      ])
      .where(column, '=', value)
      .executeTakeFirst()
    return row ?? null
  }

  const live = (accountId: string, now: number) =>
    tables()
      .selectFrom('auth_sessions')
      .select(['id', 'kind'])
      .where('account_id', '=', accountId)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', now)

  return {
    end: (trx: AnyTransaction, accountId: string, which: SessionSelection, now: number) =>
      end(inTables<AccountTables>(trx), accountId, which, now),

    /** How a live session began; null when it is over. */
    async kindOf(accountId: string, sessionId: string, now: number): Promise<SessionKind | null> {
      return (await live(accountId, now).where('id', '=', sessionId).executeTakeFirst())?.kind ?? null
    },

    /**
     * The live sessions of a kind that began before a time; where `upstream` names a session at a provider, those that
     * came from it, and those of which it is not known where they came from.
     */
    async idsOfKind(
      accountId: string,
      { kind, before, upstream }: { kind: SessionKind; before: number; upstream: string | null },
      now: number,
    ): Promise<string[]> {
      let query = live(accountId, now).where('kind', '=', kind).where('created_at', '<', before)
      if (upstream !== null)
        query = query.where((by) => by.or([by('upstream_index', '=', upstream), by('upstream_index', 'is', null)]))
      return (await query.execute()).map(({ id }) => id)
    },

    /** Those of an account that nobody ended. */
    async openIds(accountId: string): Promise<string[]> {
      const rows = await tables()
        .selectFrom('auth_sessions')
        .select('id')
        .where('account_id', '=', accountId)
        .where('revoked_at', 'is', null)
        .execute()
      return rows.map(({ id }) => id)
    },

    async count(accountId: string): Promise<number> {
      const row = await tables()
        .selectFrom('auth_sessions')
        .select((by) => by.fn.countAll<number | string>().as('count'))
        .where('account_id', '=', accountId)
        .where('revoked_at', 'is', null)
        .executeTakeFirstOrThrow()
      return Number(row.count)
    },

    /** When one of each of these accounts was last used. */
    async lastSeenAt(accountIds: readonly string[]): Promise<Map<string, number>> {
      if (accountIds.length === 0) return new Map()
      const rows = await tables()
        .selectFrom('auth_sessions')
        .select(['account_id', (by) => by.fn.max<number | string>('last_seen_at').as('at')])
        .where('account_id', 'in', accountIds)
        .groupBy('account_id')
        .execute()
      return new Map(rows.map(({ account_id, at }) => [account_id, Number(at)]))
    },
    endNow: (accountId: string, which: SessionSelection, now: number) => end(tables(), accountId, which, now),

    /**
     * Stores a session; rows of the account that ended long ago go. `credential`: what the account must still have,
     * else the password was changed while it was checked. Gives the ids of those that ended because there are too many;
     * null when the account may not sign in any more.
     */
    async insert(
      session: Omit<AuthSessionRow, 'user_agent' | 'last_address' | 'revoked_at' | 'last_seen_at' | 'proved_at'> & {
        userAgent: string | null
        address: string
      },
      credential: Uint8Array | null,
    ): Promise<string[] | null> {
      const { userAgent, address, ...row } = session
      const keyring = await vault.keyring(row.account_id)
      const sealed = userAgent && keyring.seal('auth_sessions.user_agent', row.id, userAgent.slice(0, userAgentLength))
      const longAgo = row.created_at - keptMs
      return await database.write<AccountTables, string[] | null>(async (trx) => {
        const account = await trx
          .selectFrom('accounts')
          .select('credential')
          .where('id', '=', row.account_id)
          .where('status', '=', 'active')
          .executeTakeFirst()
        if (!account || (credential && Buffer.compare(account.credential, credential) !== 0)) return null
        await trx
          .deleteFrom('auth_sessions')
          .where('account_id', '=', row.account_id)
          .where((by) => by.or([by('expires_at', '<', longAgo), by('revoked_at', '<', longAgo)]))
          .execute()
        await trx
          .insertInto('auth_sessions')
          .values({
            ...row,
            user_agent: sealed || null,
            last_address: sealAddress(keyring, row.id, address),
            last_seen_at: row.created_at,
            revoked_at: null,
            proved_at: null,
          })
          .execute()
        return await endOldest(trx, row.account_id, row.created_at)
      })
    },

    byDigest: (digest: string): Promise<AuthenticatedSession | null> => sessionBy('auth_sessions.token_digest', digest),
    byId: (id: string): Promise<AuthenticatedSession | null> => sessionBy('auth_sessions.id', id),

    async touch(
      { accountId, sessionId }: Pick<AuthenticatedSession, 'accountId' | 'sessionId'>,
      now: number,
      address: string,
    ): Promise<void> {
      const last_address = sealAddress(await vault.keyring(accountId), sessionId, address)
      await tables()
        .updateTable('auth_sessions')
        .set({ last_seen_at: now, ...(last_address && { last_address }) })
        .where('id', '=', sessionId)
        .where('last_seen_at', '<', now)
        .execute()
    },

    async exists(accountId: string, sessionId: string): Promise<boolean> {
      const row = await tables()
        .selectFrom('auth_sessions')
        .select('id')
        .where('account_id', '=', accountId)
        .where('id', '=', sessionId)
        .executeTakeFirst()
      return row !== undefined
    },

    /** Newest activity first; those that ended long ago are left out. `currentId`: the one that asks; null for none of them. */
    async list(
      accountId: string,
      currentId: string | null,
      now: number,
      lifetimes: SessionLifetimes,
    ): Promise<AuthSession[]> {
      const keyring = await vault.keyring(accountId)
      const rows = await tables()
        .selectFrom('auth_sessions')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('expires_at', '>=', now - keptMs)
        .where((by) => by.or([by('revoked_at', 'is', null), by('revoked_at', '>=', now - keptMs)]))
        .orderBy('last_seen_at', 'desc')
        .orderBy('id', 'desc')
        .limit(listed)
        .execute()
      const time = (at: number) => new Date(at).toISOString()
      const over = (row: AuthSessionRow): number =>
        endOf({ createdAt: row.created_at, lastSeenAt: row.last_seen_at, expiresAt: row.expires_at }, lifetimes)
      return rows
        .filter((row) => over(row) >= now - keptMs)
        .map((row) => ({
          id: row.id,
          kind: row.kind,
          userAgent: row.user_agent && openWords(keyring, 'auth_sessions.user_agent', row.id, row.user_agent),
          createdAt: time(row.created_at),
          lastSeenAt: time(row.last_seen_at),
          address: row.last_address && openWords(keyring, 'auth_sessions.last_address', row.id, row.last_address),
          expiresAt: time(over(row)),
          revokedAt: row.revoked_at === null ? null : time(row.revoked_at),
          current: row.id === currentId,
        }))
    },
  }
}

/** null where it is not known, as of a client that is gone already. */
const sealAddress = (keyring: Keyring, id: string, address: string): Uint8Array | null =>
  address === '' ? null : keyring.seal('auth_sessions.last_address', id, address.slice(0, addressLength))

type Ender = Pick<AccountTransaction, 'updateTable'>
