/** The list of accounts as administrators see it: narrowed, searched, page by page. Rows become listed users here and nowhere else. */
import type { User } from '@atrium/contract/accounts'
import type { ListedUser } from '@atrium/contract/user-administration'
import { sql } from 'kysely'
import { createCache } from '../../../platform/cache/cache.ts'
import { cutPage, decodeCursor, encodeCursor } from '../../../platform/db/cursor.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { AccountExtensions } from '../extensions.ts'
import type { PasskeyStore } from '../passkeys/store.ts'
import type { SecondFactorStore } from '../second-factor/store.ts'
import type { SessionStore } from '../sessions/store.ts'
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

export interface UserListDeps extends Pick<Platform, 'database'> {
  readonly store: AccountStore
  readonly extensions: Pick<AccountExtensions, 'methodsOf' | 'managersOf' | 'groupsOf' | 'memberships' | 'lastUsedAt'>
  readonly sessionStore: Pick<SessionStore, 'lastSeenAt'>
  readonly passkeyStore: Pick<PasskeyStore, 'ownersAmong'>
  readonly secondFactorStore: Pick<SecondFactorStore, 'ownersAmong'>
}

/** Names are opened so many at a time. */
const atOnce = 200
const remembered = 5_000

export type UserList = ReturnType<typeof createUserList>

export const createUserList = (deps: UserListDeps) => {
  const { database, store, extensions, sessionStore, passkeyStore, secondFactorStore } = deps
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
      for (const memberships of extensions.memberships())
        query = query.where(
          sql<boolean>`accounts.id in (select account_id from (${memberships}) as m where group_id = ${groupId})`,
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
    const [groups, seen, used, approvers, passkeys, codes, methods, managers] = await Promise.all([
      extensions.groupsOf(ids),
      sessionStore.lastSeenAt(ids),
      extensions.lastUsedAt(ids),
      namesOf(found.flatMap((row) => row.approved_by ?? [])),
      passkeyStore.ownersAmong(ids),
      secondFactorStore.ownersAmong(ids),
      extensions.methodsOf(ids),
      extensions.managersOf(ids),
    ])
    return await Promise.all(
      found.map(async (row) => ({
        ...(await store.open(row)),
        groups: groups.get(row.id) ?? [],
        signIn: [
          ...((await store.hasPassword(row)) ? (['password'] as const) : []),
          ...(passkeys.has(row.id) ? (['passkey'] as const) : []),
          ...(codes.has(row.id) ? (['totp'] as const) : []),
          ...new Set(methods.get(row.id)),
        ],
        lastActiveAt: timeOf(Math.max(seen.get(row.id) ?? 0, used.get(row.id) ?? 0) || null),
        approvedAt: timeOf(row.approved_at),
        approvedBy:
          row.approved_by === null ? null : { id: row.approved_by, name: approvers.get(row.approved_by) ?? null },
        managedBy: managers.get(row.id) ?? null,
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
      const row = await store.readLive(id)
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
