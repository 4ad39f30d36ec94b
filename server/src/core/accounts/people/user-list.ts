/** The list of accounts as administrators see it: narrowed, searched, page by page. Rows become listed users here and nowhere else. */
import type { User } from '@atrium/contract/authentication'
import type { ListedUser, SignInMeans } from '@atrium/contract/user-administration'
import { sql } from 'kysely'
import { createCache } from '../../../platform/cache/cache.ts'
import { cutPage, decodeCursor, encodeCursor } from '../../../platform/db/cursor.ts'
import type { Database } from '../../../platform/db/types.ts'
import type { GroupStore } from '../../groups/store.ts'
import { plainName } from '../rules.ts'
import type { AccountRow, AccountTables } from '../tables.ts'
import type { AccountStore } from './store.ts'

export interface UserFilter {
  readonly q?: string | undefined
  readonly role?: User['role'] | undefined
  readonly status?: User['status'] | undefined
  readonly groupId?: string | undefined
  readonly sort?: 'newest' | 'oldest' | undefined
}

/** Tells what each of these accounts can sign in with; one for every kind. */
export type MeansReader = (accountIds: readonly string[]) => Promise<ReadonlyMap<string, readonly SignInMeans[]>>
/** Tells who keeps these accounts, where that is not this instance. */
export type KeeperReader = (accountIds: readonly string[]) => Promise<ReadonlyMap<string, string>>

export interface UserListDeps {
  readonly database: Database
  readonly store: AccountStore
  readonly groups: Pick<GroupStore, 'namesOf'>
  readonly means: readonly MeansReader[]
  readonly keepers: readonly KeeperReader[]
}

/** Names are opened so many at a time. */
const atOnce = 200
const remembered = 5_000

export type UserList = ReturnType<typeof createUserList>

export const createUserList = ({ database, store, groups, means, keepers }: UserListDeps) => {
  const tables = () => database.tables<AccountTables>()
  const known = createCache<{ updatedAt: number; words: string }>({ max: remembered })

  /** What is searched of an account; opened once, and again after it changed. */
  const words = async (row: AccountRow): Promise<string> => {
    const before = known.get(row.id)
    if (before?.updatedAt === row.updated_at) return before.words
    const { username, displayName, email } = await store.open(row)
    const found = [username, displayName ?? '', email ?? ''].map(plainName).join('\n')
    known.set(row.id, { updatedAt: row.updated_at, words: found })
    return found
  }

  const rows = ({ role, status, groupId, sort }: UserFilter, cursor: string | undefined, limit: number) => {
    const newest = sort !== 'oldest'
    let query = tables().selectFrom('accounts').selectAll().where('removing_at', 'is', null)
    if (role !== undefined) query = query.where('role', '=', role)
    if (status !== undefined) query = query.where('status', '=', status)
    if (groupId !== undefined)
      query = query.where('id', 'in', (by) =>
        by.selectFrom('account_group_members').select('account_id').where('group_id', '=', groupId),
      )
    if (cursor !== undefined) {
      const { time, id } = decodeCursor(cursor)
      const after = newest ? '<' : '>'
      query = query.where((by) => by(by.refTuple('created_at', 'id'), after, by.tuple(time, id)))
    }
    const direction = newest ? 'desc' : 'asc'
    return query.orderBy('created_at', direction).orderBy('id', direction).limit(limit).execute()
  }

  /** One page of rows whose words hold what was typed. Names are sealed, so all that come before are opened too. */
  const searched = async (filter: UserFilter, q: string, limit: number, cursor: string | undefined) => {
    const found: AccountRow[] = []
    for (let from = cursor; found.length <= limit; ) {
      const slice = await rows(filter, from, atOnce)
      for (const row of slice) if ((await words(row)).includes(q)) found.push(row)
      const last = slice.at(-1)
      if (!last || slice.length < atOnce) break
      from = encodeCursor(placeOf(last))
    }
    return found.slice(0, limit + 1)
  }

  const listed = async (found: readonly AccountRow[]): Promise<ListedUser[]> => {
    const ids = found.map(({ id }) => id)
    const [inGroups, active, approvers, ways, kept] = await Promise.all([
      groups.namesOf(ids),
      lastActive(ids),
      namesOf(found.flatMap((row) => row.approved_by ?? [])),
      Promise.all(means.map((read) => read(ids))),
      Promise.all(keepers.map((read) => read(ids))),
    ])
    return await Promise.all(
      found.map(async (row) => ({
        ...(await store.open(row)),
        groups: inGroups.get(row.id) ?? [],
        signIn: [
          ...((await store.hasPassword(row)) ? (['password'] as const) : []),
          ...new Set(ways.flatMap((way) => way.get(row.id) ?? [])),
        ],
        lastActiveAt: timeOf(active.get(row.id) ?? null),
        approvedAt: timeOf(row.approved_at),
        approvedBy:
          row.approved_by === null ? null : { id: row.approved_by, name: approvers.get(row.approved_by) ?? null },
        managedBy: kept.flatMap((by) => by.get(row.id) ?? [])[0] ?? null,
        removalAt: timeOf(row.removal_at),
      })),
    )
  }

  const namesOf = async (ids: readonly string[]): Promise<Map<string, string>> => {
    if (ids.length === 0) return new Map()
    const found = await tables()
      .selectFrom('accounts')
      .selectAll()
      .where('id', 'in', [...new Set(ids)])
      .execute()
    const users = await Promise.all(found.map(store.open))
    return new Map(users.map(({ id, displayName, username }) => [id, displayName ?? username]))
  }

  /** When a session or token of each account was last used. */
  const lastActive = async (ids: readonly string[]): Promise<Map<string, number>> => {
    if (ids.length === 0) return new Map()
    const [sessions, tokens] = await Promise.all([
      tables()
        .selectFrom('auth_sessions')
        .select(['account_id', sql<number>`max(last_seen_at)`.as('at')])
        .where('account_id', 'in', ids)
        .groupBy('account_id')
        .execute(),
      tables()
        .selectFrom('api_tokens')
        .select(['account_id', sql<number | null>`max(last_used_at)`.as('at')])
        .where('account_id', 'in', ids)
        .groupBy('account_id')
        .execute(),
    ])
    const latest = new Map<string, number>()
    for (const { account_id, at } of [...sessions, ...tokens])
      if (at !== null) latest.set(account_id, Math.max(latest.get(account_id) ?? 0, Number(at)))
    return latest
  }

  return {
    /** A page of accounts. Refuses with `bad_cursor`. */
    async page(filter: UserFilter, limit: number, cursor: string | undefined) {
      const q = plainName(filter.q ?? '')
      const found = q === '' ? await rows(filter, cursor, limit + 1) : await searched(filter, q, limit, cursor)
      const { items, nextCursor } = cutPage(found, limit, placeOf)
      return { items: await listed(items), nextCursor }
    },

    /** One account, or null. */
    async find(id: string): Promise<ListedUser | null> {
      const row = await tables()
        .selectFrom('accounts')
        .selectAll()
        .where('id', '=', id)
        .where('removing_at', 'is', null)
        .executeTakeFirst()
      return row ? ((await listed([row]))[0] ?? null) : null
    },

    /** Who waits for approval. */
    async pending(): Promise<{ count: number; latestCreatedAt: string | null }> {
      const { count, latest } = await tables()
        .selectFrom('accounts')
        .select([sql<number>`count(*)`.as('count'), sql<number | null>`max(created_at)`.as('latest')])
        .where('status', '=', 'pending')
        .executeTakeFirstOrThrow()
      return { count: Number(count), latestCreatedAt: timeOf(latest === null ? null : Number(latest)) }
    },

    /** Sessions and tokens that have not ended, and groups. */
    async countOf(id: string): Promise<{ sessions: number; tokens: number; groups: number }> {
      const count = async (table: 'auth_sessions' | 'api_tokens' | 'account_group_members') => {
        const query = tables()
          .selectFrom(table)
          .select(sql<number>`count(*)`.as('count'))
          .where('account_id', '=', id)
          .$if(table !== 'account_group_members', (live) => live.where(sql<boolean>`revoked_at is null`))
        return Number((await query.executeTakeFirstOrThrow()).count)
      }
      const [sessions, tokens, groups] = await Promise.all([
        count('auth_sessions'),
        count('api_tokens'),
        count('account_group_members'),
      ])
      return { sessions, tokens, groups }
    },

    /** The active administrators. */
    async administratorIds(): Promise<string[]> {
      const found = await tables()
        .selectFrom('accounts')
        .select('id')
        .where('role', '=', 'admin')
        .where('status', '=', 'active')
        .execute()
      return found.map(({ id }) => id)
    },
  }
}

const placeOf = (row: Pick<AccountRow, 'id' | 'created_at'>) => ({ time: row.created_at, id: row.id })
const timeOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())
