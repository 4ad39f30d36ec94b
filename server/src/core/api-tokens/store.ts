/** Every SQL statement about API tokens; rows become records here and nowhere else. */
import type { ApiToken } from '@atrium/contract/api-tokens'
import { type Scope, scopes as allScopes } from '@atrium/contract/scopes'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { openWords, storedJson, unlessUnreadable } from '../../platform/stored-json.ts'
import { cutPage, decodeCursor } from '../../platform/db/cursor.ts'
import { type AnyTransaction, type Database, inTables } from '../../platform/db/types.ts'
import type { CallerToken } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { Keyring, Vault } from '../../platform/vault/types.ts'
import type { AccountRow } from '../accounts/index.ts'
import { maxLiveTokens } from './rules.ts'
import type { ApiTokenRow, ApiTokenTables } from './tables.ts'

export interface NewToken {
  readonly id: string
  readonly accountId: string
  readonly digest: string
  readonly prefix: string
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly models: readonly string[] | null
  readonly ratePerMinute: number
  readonly createdAt: number
  readonly expiresAt: number | null
}

export interface TokenChange {
  readonly name?: string | undefined
  readonly scopes?: readonly Scope[] | undefined
  readonly models?: readonly string[] | null | undefined
  readonly ratePerMinute?: number | undefined
}

/** As the table holds it: what it may spend is kept elsewhere. */
export type TokenRecord = Omit<ApiToken, 'budget'>

/** What a token stands for, read together with its account. */
export interface AuthenticatedToken {
  readonly accountId: string
  readonly role: AccountRow['role']
  readonly status: AccountRow['status']
  readonly token: CallerToken
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  lastUsedAt: number | null
}

/** Ended tokens stay listed this long. */
const keptMs = 30 * 24 * 3600_000

export type ApiTokenStore = ReturnType<typeof createApiTokenStore>

export const createApiTokenStore = ({ database, vault }: { database: Database; vault: Vault }) => {
  const tables = () => database.tables<ApiTokenTables>()

  return {
    /** Refuses with `token_limit`, also when many are made at the same time. Rows that ended long ago are dropped. */
    async insert(token: NewToken): Promise<{ record: TokenRecord; dropped: readonly string[] }> {
      const keyring = await vault.keyring(token.accountId)
      const now = token.createdAt
      const row: ApiTokenRow = {
        id: token.id,
        account_id: token.accountId,
        token_digest: token.digest,
        prefix: token.prefix,
        name: keyring.seal('api_tokens.name', token.id, token.name),
        scopes: JSON.stringify(inOrder(token.scopes)),
        models: token.models && JSON.stringify(token.models),
        rate_per_minute: token.ratePerMinute,
        created_at: now,
        expires_at: token.expiresAt,
        last_used_at: null,
        revoked_at: null,
      }
      const dropped = await database.write<ApiTokenTables, string[]>(async (trx) => {
        const account = await trx
          .selectFrom('accounts')
          .select('id')
          .where('id', '=', token.accountId)
          .where('status', '=', 'active')
          .executeTakeFirst()
        if (!account) throw fail('unauthenticated')
        const longAgo = now - keptMs
        const gone = await trx
          .deleteFrom('api_tokens')
          .where('account_id', '=', token.accountId)
          .where((by) => by.or([by('expires_at', '<', longAgo), by('revoked_at', '<', longAgo)]))
          .returning('id')
          .execute()
        const live = await liveIds(trx, token.accountId, now)
        if (live.length >= maxLiveTokens) throw fail('token_limit')
        await trx.insertInto('api_tokens').values(row).execute()
        return gone.map(({ id }) => id)
      })
      return { record: toRecord(keyring, row), dropped }
    },

    async update(accountId: string, id: string, change: TokenChange, now: number): Promise<TokenRecord | null> {
      const keyring = await vault.keyring(accountId)
      const { name, scopes, models, ratePerMinute } = change
      const row = await tables()
        .updateTable('api_tokens')
        .set((by) => ({
          // Something has to be set, also when nothing changes.
          id: by.ref('id'),
          ...(name === undefined ? {} : { name: keyring.seal('api_tokens.name', id, name) }),
          ...(scopes === undefined ? {} : { scopes: JSON.stringify(inOrder(scopes)) }),
          ...(models === undefined ? {} : { models: models && JSON.stringify(models) }),
          ...(ratePerMinute === undefined ? {} : { rate_per_minute: ratePerMinute }),
        }))
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .where((by) => by.or([by('expires_at', 'is', null), by('expires_at', '>', now)]))
        .returningAll()
        .executeTakeFirst()
      return row ? toRecord(keyring, row) : null
    },

    /** false when the account has no such token that was not revoked. `record` runs in the transaction. */
    revoke: (
      accountId: string,
      id: string,
      now: number,
      record: (trx: AnyTransaction) => Promise<void>,
    ): Promise<boolean> =>
      database.write<ApiTokenTables, boolean>(async (trx) => {
        const rows = await trx
          .updateTable('api_tokens')
          .set({ revoked_at: now })
          .where('account_id', '=', accountId)
          .where('id', '=', id)
          .where('revoked_at', 'is', null)
          .returning('id')
          .execute()
        if (rows.length > 0) await record(trx)
        return rows.length > 0
      }, 'audit'),

    /** All of an account, within a transaction; gives their ids. */
    async revokeAll(trx: AnyTransaction, accountId: string, now: number): Promise<string[]> {
      const rows = await inTables<ApiTokenTables>(trx)
        .updateTable('api_tokens')
        .set({ revoked_at: now })
        .where('account_id', '=', accountId)
        .where('revoked_at', 'is', null)
        .returning('id')
        .execute()
      return rows.map(({ id }) => id)
    },

    live: (accountId: string, now: number) => liveIds(tables(), accountId, now),

    /** Those of an account that nobody revoked. */
    async openIds(accountId: string): Promise<string[]> {
      const rows = await tables()
        .selectFrom('api_tokens')
        .select('id')
        .where('account_id', '=', accountId)
        .where('revoked_at', 'is', null)
        .execute()
      return rows.map(({ id }) => id)
    },

    /** When one of each of these accounts was last used; those without one are left out. */
    async lastUsedAt(accountIds: readonly string[]): Promise<Map<string, number>> {
      if (accountIds.length === 0) return new Map()
      const rows = await tables()
        .selectFrom('api_tokens')
        .select(['account_id', (by) => by.fn.max<number | string | null>('last_used_at').as('at')])
        .where('account_id', 'in', accountIds)
        .groupBy('account_id')
        .execute()
      return new Map(rows.flatMap(({ account_id, at }) => (at === null ? [] : [[account_id, Number(at)] as const])))
    },

    async byDigest(digest: string): Promise<AuthenticatedToken | null> {
      const row = await tables()
        .selectFrom('api_tokens')
        .innerJoin('accounts', 'accounts.id', 'api_tokens.account_id')
        .select([
          'api_tokens.id as id',
          'accounts.id as accountId',
          'accounts.role as role',
          'accounts.status as status',
          'api_tokens.scopes as scopes',
          'api_tokens.models as models',
          'api_tokens.rate_per_minute as ratePerMinute',
          'api_tokens.expires_at as expiresAt',
          'api_tokens.revoked_at as revokedAt',
          'api_tokens.last_used_at as lastUsedAt',
        ])
        .where('api_tokens.token_digest', '=', digest)
        .executeTakeFirst()
      if (!row) return null
      const { id, scopes, models, ratePerMinute, ...holder } = row
      const token = { id, scopes: openScopes(id, scopes), models: openModels(id, models), ratePerMinute }
      return { ...holder, token }
    },

    /** What its owner calls a token, and whose it is; null when there is none, or it is revoked. */
    async owner(id: string): Promise<{ name: string; accountId: string } | null> {
      const row = await tables()
        .selectFrom('api_tokens')
        .select(['account_id', 'name'])
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      if (!row) return null
      const keyring = await vault.keyring(row.account_id)
      return { name: openWords(keyring, 'api_tokens.name', id, row.name), accountId: row.account_id }
    },

    /** Written only when the last time was `everyMs` ago or more, whichever process asks. */
    async touch(id: string, now: number, everyMs: number): Promise<void> {
      await tables()
        .updateTable('api_tokens')
        .set({ last_used_at: now })
        .where('id', '=', id)
        .where((by) => by.or([by('last_used_at', 'is', null), by('last_used_at', '<=', now - everyMs)]))
        .execute()
    },

    /** Newest first; those that ended long ago are left out. Refuses with `bad_cursor`. */
    async page(accountId: string, limit: number, cursor: string | undefined, now: number) {
      const after = cursor === undefined ? null : decodeCursor(cursor)
      const keyring = await vault.keyring(accountId)
      const longAgo = now - keptMs
      let query = tables()
        .selectFrom('api_tokens')
        .selectAll()
        .where('account_id', '=', accountId)
        .where((by) => by.or([by('expires_at', 'is', null), by('expires_at', '>=', longAgo)]))
        .where((by) => by.or([by('revoked_at', 'is', null), by('revoked_at', '>=', longAgo)]))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit + 1)
      if (after)
        query = query.where((by) =>
          by.or([
            by('created_at', '<', after.time),
            by.and([by('created_at', '=', after.time), by('id', '<', after.id)]),
          ]),
        )
      const { items, nextCursor } = cutPage(await query.execute(), limit, (row) => ({
        time: row.created_at,
        id: row.id,
      }))
      return { items: items.map((row) => toRecord(keyring, row)), nextCursor }
    },
  }
}

const liveIds = async (trx: Pick<Kysely<ApiTokenTables>, 'selectFrom'>, accountId: string, now: number) => {
  const rows = await trx
    .selectFrom('api_tokens')
    .select('id')
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .where((by) => by.or([by('expires_at', 'is', null), by('expires_at', '>', now)]))
    .execute()
  return rows.map(({ id }) => id)
}

const toRecord = (keyring: Keyring, row: ApiTokenRow): TokenRecord => ({
  id: row.id,
  name: openWords(keyring, 'api_tokens.name', row.id, row.name),
  tokenPrefix: row.prefix,
  scopes: openScopes(row.id, row.scopes),
  models: openModels(row.id, row.models),
  ratePerMinute: row.rate_per_minute,
  createdAt: new Date(row.created_at).toISOString(),
  expiresAt: timeOrNull(row.expires_at),
  lastUsedAt: timeOrNull(row.last_used_at),
  revokedAt: timeOrNull(row.revoked_at),
})

const timeOrNull = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

/** Each once, in the order of the list. */
const inOrder = (scopes: readonly Scope[]): Scope[] => allScopes.filter((scope) => scopes.includes(scope))

const Texts = z.array(z.string())
const scopesJson = storedJson('api_tokens.scopes', Texts)
const modelsJson = storedJson('api_tokens.models', Texts)
// Where they cannot be read, a token has no right and no model at all.
/** A scope that was taken from the list since is a right that nobody has. */
const openScopes = (id: string, json: string): Scope[] =>
  inOrder(unlessUnreadable(() => scopesJson.read(id, json), []) as Scope[])
const openModels = (id: string, json: string | null): string[] | null =>
  json === null ? null : unlessUnreadable(() => modelsJson.read(id, json), [])
