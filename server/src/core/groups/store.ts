/** Every SQL statement about groups and who is in them; rows become groups here and nowhere else. */
import type { Group } from '@atrium/contract/groups'
import { type Kysely, type Transaction, sql } from 'kysely'
import { openWords } from '../../platform/stored-json.ts'
import { createdAfter, creationKey, cutPage, decodeCursor } from '../../platform/db/cursor.ts'
import { type AnyTransaction, type Database, inTables } from '../../platform/db/types.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { ColumnName, Vault } from '../../platform/vault/types.ts'
import { plainName } from '../accounts/index.ts'
import { sourcesOf } from './source-store.ts'
import { type AccountGroupRow, byHand, type GroupSource, type GroupTables } from './tables.ts'

/** So many groups there can be. */
const maxGroups = 500

export interface NamedGroup {
  readonly id: string
  readonly name: string
}

/** Who is in which group at this moment, for questions of others that ask about it. */
export const groupMemberships = sql<{ group_id: string; account_id: string }>`
  select group_id, account_id from account_group_members`

export type GroupStore = ReturnType<typeof createGroupStore>

export const createGroupStore = ({ database, vault }: { database: Database; vault: Vault }) => {
  const tables = () => database.tables<GroupTables>()
  const nameIndex = (name: string) => vault.blindIndex('account_groups.name', plainName(name))
  const sealName = async (id: string, name: string) => ({
    name_index: nameIndex(name),
    name: (await vault.keyring(null)).seal('account_groups.name', id, name),
  })
  const sealDescription = async (id: string, description: string | null) =>
    description ? (await vault.keyring(null)).seal('account_groups.description', id, description) : null
  const opener = async () => {
    const keyring = await vault.keyring(null)
    const open = ({ id, name }: Pick<AccountGroupRow, 'id' | 'name'>): NamedGroup => ({
      id,
      name: openWords(keyring, 'account_groups.name', id, name),
    })
    const text = (place: ColumnName, id: string, sealed: Uint8Array) => openWords(keyring, place, id, sealed)
    return Object.assign(open, { text })
  }
  const counted = (reader: Pick<Kysely<GroupTables>, 'selectFrom'>) =>
    reader
      .selectFrom('account_groups')
      .selectAll()
      .select((by) =>
        by
          .selectFrom('account_group_members')
          .select((count) => count.fn.countAll<number>().as('count'))
          .whereRef('account_group_members.group_id', '=', 'account_groups.id')
          .as('members'),
      )
      .select((by) =>
        by
          .selectFrom('account_group_origins')
          .select('source')
          .whereRef('account_group_origins.group_id', '=', 'account_groups.id')
          .as('source'),
      )
  const present = (row: CountedRow, open: Awaited<ReturnType<typeof opener>>): Group => ({
    ...open(row),
    description: row.description && open.text('account_groups.description', row.id, row.description),
    memberCount: Number(row.members),
    managedBy: row.source,
    createdAt: new Date(row.created_at).toISOString(),
  })

  return {
    /** All groups, oldest first. Refuses with `bad_cursor`. */
    async page(limit: number, cursor: string | undefined): Promise<{ items: Group[]; nextCursor: string | null }> {
      let query = counted(tables())
        .orderBy('created_at')
        .orderBy('id')
        .limit(limit + 1)
      if (cursor !== undefined) query = query.where(createdAfter(cursor))
      const { items, nextCursor } = cutPage(await query.execute(), limit, creationKey)
      const open = await opener()
      return { items: items.map((row) => present(row, open)), nextCursor }
    },

    /** Refuses with `group_exists`, `group_limit`. */
    async insert(id: string, name: string, description: string | null, now: number): Promise<Group> {
      const sealed = { ...(await sealName(id, name)), description: await sealDescription(id, description) }
      await database.write<GroupTables, void>(async (trx) => {
        await requireFree(trx, sealed.name_index, id)
        const { count } = await trx
          .selectFrom('account_groups')
          .select((by) => by.fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
        if (Number(count) >= maxGroups) throw fail('group_limit')
        await trx
          .insertInto('account_groups')
          .values({ id, ...sealed, created_at: now })
          .execute()
      })
      return {
        id,
        name,
        description: description || null,
        memberCount: 0,
        managedBy: null,
        createdAt: new Date(now).toISOString(),
      }
    },

    /** `description` undefined: it stays. Refuses with `group_not_found`, `group_exists`, `group_managed`. */
    async rename(
      id: string,
      name: string,
      description: string | null | undefined,
      keeper: GroupSource | null,
    ): Promise<Group> {
      const sealed = {
        ...(await sealName(id, name)),
        ...(description === undefined ? {} : { description: await sealDescription(id, description) }),
      }
      const row = await database.write<GroupTables, CountedRow>(async (trx) => {
        await requireGroup(trx, id, keeper)
        await requireFree(trx, sealed.name_index, id)
        await trx.updateTable('account_groups').set(sealed).where('id', '=', id).execute()
        return await counted(trx).where('id', '=', id).executeTakeFirstOrThrow()
      })
      return present(row, await opener())
    },

    /** false: there is none. */
    async remove(id: string): Promise<boolean> {
      const gone = await tables().deleteFrom('account_groups').where('id', '=', id).returning('id').execute()
      return gone.length > 0
    },

    async find(id: string): Promise<NamedGroup | null> {
      const row = await tables()
        .selectFrom('account_groups')
        .select(['id', 'name'])
        .where('id', '=', id)
        .executeTakeFirst()
      return row ? (await opener())(row) : null
    },

    async names(ids: readonly string[]): Promise<Map<string, string>> {
      if (ids.length === 0) return new Map()
      const rows = await tables().selectFrom('account_groups').select(['id', 'name']).where('id', 'in', ids).execute()
      const open = await opener()
      return new Map(rows.map((row) => [row.id, open(row).name]))
    },

    async findByName(name: string): Promise<NamedGroup | null> {
      const row = await tables()
        .selectFrom('account_groups')
        .select(['id', 'name'])
        .where('name_index', '=', nameIndex(name))
        .executeTakeFirst()
      return row ? (await opener())(row) : null
    },

    /** Refuses with `group_not_found`, `user_not_found`, `group_managed`. */
    addMember: (groupId: string, accountId: string): Promise<void> =>
      database.write<GroupTables, void>(async (trx) => {
        await requireGroup(trx, groupId, null)
        const account = await trx
          .selectFrom('accounts')
          .select('id')
          .where('id', '=', accountId)
          .where('removing_at', 'is', null)
          .executeTakeFirst()
        if (!account) throw fail('user_not_found')
        const pair = { group_id: groupId, account_id: accountId }
        await trx
          .insertInto('account_group_members')
          .values(pair)
          .onConflict((on) => on.doNothing())
          .execute()
        // Whom a directory keeps here already stays when it lets go.
        if ((await sourcesOf(trx, pair)).length > 0)
          await trx
            .insertInto('account_group_sources')
            .values({ ...pair, source: byHand })
            .onConflict((on) => on.doNothing())
            .execute()
      }),

    /** Refuses with `group_not_found`, `group_managed`. */
    removeMember: (groupId: string, accountId: string): Promise<void> =>
      database.write<GroupTables, void>(async (trx) => {
        await requireGroup(trx, groupId, null)
        const kept = await trx
          .selectFrom('account_group_sources')
          .select('source')
          .where('group_id', '=', groupId)
          .where('account_id', '=', accountId)
          .where('source', '!=', byHand)
          .limit(1)
          .executeTakeFirst()
        // It would come back with the next word from there.
        if (kept) throw fail('group_managed', 'A directory or sign-in provider manages this membership.')
        await trx
          .deleteFrom('account_group_members')
          .where('group_id', '=', groupId)
          .where('account_id', '=', accountId)
          .execute()
      }),

    async idsOf(accountId: string): Promise<string[]> {
      const rows = await tables()
        .selectFrom('account_group_members')
        .select('group_id')
        .where('account_id', '=', accountId)
        .execute()
      return rows.map(({ group_id }) => group_id)
    },

    /** A page of the accounts in a group, oldest account first. Refuses with `bad_cursor`. */
    async memberPage(
      groupId: string,
      limit: number,
      cursor: string | undefined,
    ): Promise<{ items: string[]; nextCursor: string | null }> {
      let query = tables()
        .selectFrom('account_group_members')
        .innerJoin('accounts', 'accounts.id', 'account_group_members.account_id')
        .select(['accounts.id', 'accounts.created_at'])
        .where('group_id', '=', groupId)
        .where('accounts.removing_at', 'is', null)
        .orderBy('accounts.created_at')
        .orderBy('accounts.id')
        .limit(limit + 1)
      if (cursor !== undefined) {
        const { time, id } = decodeCursor(cursor)
        query = query.where((by) => by(by.refTuple('accounts.created_at', 'accounts.id'), '>', by.tuple(time, id)))
      }
      const { items, nextCursor } = cutPage(await query.execute(), limit, creationKey)
      return { items: items.map(({ id }) => id), nextCursor }
    },

    /** Takes an account out of all groups, within somebody's transaction. */
    async leaveAll(trx: AnyTransaction, accountId: string): Promise<void> {
      await inTables<GroupTables>(trx).deleteFrom('account_group_members').where('account_id', '=', accountId).execute()
    },

    async memberIds(groupId: string): Promise<string[]> {
      const rows = await tables()
        .selectFrom('account_group_members')
        .select('account_id')
        .where('group_id', '=', groupId)
        .execute()
      return rows.map(({ account_id }) => account_id)
    },

    /** The groups of each of these accounts that is in one, oldest first. */
    async namesOf(accountIds: readonly string[]): Promise<Map<string, NamedGroup[]>> {
      const found = new Map<string, NamedGroup[]>()
      if (accountIds.length === 0) return found
      const rows = await tables()
        .selectFrom('account_group_members')
        .innerJoin('account_groups', 'account_groups.id', 'account_group_members.group_id')
        .select(['account_group_members.account_id', 'account_groups.id', 'account_groups.name'])
        .where('account_group_members.account_id', 'in', accountIds)
        .orderBy('account_groups.created_at')
        .orderBy('account_groups.id')
        .execute()
      const open = await opener()
      for (const row of rows) found.set(row.account_id, [...(found.get(row.account_id) ?? []), open(row)])
      return found
    },
  }
}

type Writer = Transaction<GroupTables>
type CountedRow = AccountGroupRow & { members: number | null; source: GroupSource | null }

/** Refuses a group that is not there, and one that somebody else than `keeper` (null: administrators) has made and keeps. */
const requireGroup = async (trx: Writer, id: string, keeper: GroupSource | null): Promise<void> => {
  const group = await trx
    .selectFrom('account_groups')
    .leftJoin('account_group_origins', 'account_group_origins.group_id', 'account_groups.id')
    .select('account_group_origins.source')
    .where('account_groups.id', '=', id)
    .executeTakeFirst()
  if (!group) throw fail('group_not_found')
  if (group.source !== null && group.source !== keeper) throw fail('group_managed')
}

const requireFree = async (trx: Writer, index: string, own: string): Promise<void> => {
  const other = await trx
    .selectFrom('account_groups')
    .select('id')
    .where('name_index', '=', index)
    .where('id', '!=', own)
    .executeTakeFirst()
  if (other) throw fail('group_exists')
}
