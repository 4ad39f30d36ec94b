/** Every SQL statement about memberships that a directory keeps. What administrators did by hand stays theirs. */
import type { Transaction } from 'kysely'
import type { Database } from '../../platform/db/types.ts'
import { byHand, type GroupSource, type GroupTables } from './tables.ts'

/** What a source changed: the ids of accounts or groups. */
export interface ChangedIds {
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

export type GroupSources = ReturnType<typeof createGroupSources>

/** What is put in and what is taken out; `others`: whatever the source kept until now and is not put in. */
export interface MembershipChange {
  readonly add: readonly string[]
  readonly remove: readonly string[] | 'others'
}

export const createGroupSources = ({ database }: { database: Database }) => {
  const tables = () => database.tables<GroupTables>()

  /** Changes what a source keeps, seen from an account (its groups) or from a group (its accounts). What is not there is passed over. */
  const change = (
    from: keyof Pair,
    id: string,
    source: GroupSource,
    { add, remove }: MembershipChange,
  ): Promise<ChangedIds> => {
    const to = from === 'account_id' ? 'group_id' : 'account_id'
    const pairOf = (other: string): Pair =>
      from === 'account_id' ? { account_id: id, group_id: other } : { group_id: id, account_id: other }
    return database.write<GroupTables, ChangedIds>(async (trx) => {
      const held = await trx
        .selectFrom('account_group_sources')
        .select(to)
        .where(from, '=', id)
        .where('source', '=', source)
        .execute()
      const before = new Set(held.map((row) => row[to]))
      const wanted = new Set(add)
      const removed = (remove === 'others' ? [...before].filter((other) => !wanted.has(other)) : remove).filter(
        (other) => before.has(other),
      )
      for (const other of removed) await letGo(trx, pairOf(other), source)
      const added: string[] = []
      for (const other of wanted) if (!before.has(other) && (await hold(trx, pairOf(other), source))) added.push(other)
      return { added, removed }
    })
  }

  return {
    /** Makes these the groups that the source keeps an account in. */
    setGroups: (accountId: string, source: GroupSource, groupIds: readonly string[]) =>
      change('account_id', accountId, source, { add: groupIds, remove: 'others' }),

    /** Puts accounts into a group and takes others out. */
    changeMembers: (groupId: string, source: GroupSource, wanted: MembershipChange) =>
      change('group_id', groupId, source, wanted),

    /** The accounts that a source keeps in a group. */
    async members(groupId: string, source: GroupSource): Promise<string[]> {
      const rows = await tables()
        .selectFrom('account_group_sources')
        .select('account_id')
        .where('group_id', '=', groupId)
        .where('source', '=', source)
        .orderBy('account_id')
        .execute()
      return rows.map(({ account_id }) => account_id)
    },

    /** Who keeps which of these accounts in a group: by hand where an account is not named. */
    async memberSources(groupId: string): Promise<Map<string, GroupSource[]>> {
      const rows = await tables()
        .selectFrom('account_group_sources')
        .select(['account_id', 'source'])
        .where('group_id', '=', groupId)
        .orderBy('source')
        .execute()
      const found = new Map<string, GroupSource[]>()
      for (const { account_id, source } of rows) found.set(account_id, [...(found.get(account_id) ?? []), source])
      return found
    },

    /** The groups that a source keeps an account in. */
    async groupIds(accountId: string, source: GroupSource): Promise<string[]> {
      const rows = await tables()
        .selectFrom('account_group_sources')
        .select('group_id')
        .where('account_id', '=', accountId)
        .where('source', '=', source)
        .execute()
      return rows.map(({ group_id }) => group_id)
    },

    /** The groups that a source made, with whoever made each. */
    async origins(): Promise<Map<string, GroupSource>> {
      const rows = await tables().selectFrom('account_group_origins').selectAll().execute()
      return new Map(rows.map(({ group_id, source }) => [group_id, source]))
    },

    /** Says that a source made this group. */
    async claim(groupId: string, source: GroupSource): Promise<void> {
      await tables()
        .insertInto('account_group_origins')
        .values({ group_id: groupId, source })
        .onConflict((on) => on.column('group_id').doUpdateSet({ source }))
        .execute()
    },
  }
}

type Writer = Transaction<GroupTables>

interface Pair {
  readonly group_id: string
  readonly account_id: string
}

/** false: there is no such group or account. */
const hold = async (trx: Writer, pair: Pair, source: GroupSource): Promise<boolean> => {
  const group = await trx.selectFrom('account_groups').select('id').where('id', '=', pair.group_id).executeTakeFirst()
  const account = await trx.selectFrom('accounts').select('id').where('id', '=', pair.account_id).executeTakeFirst()
  if (!group || !account) return false
  const member = await trx
    .selectFrom('account_group_members')
    .select('group_id')
    .where('group_id', '=', pair.group_id)
    .where('account_id', '=', pair.account_id)
    .executeTakeFirst()
  const sources = await sourcesOf(trx, pair)
  const rows = member && sources.length === 0 ? [byHand, source] : [source]
  if (!member) await trx.insertInto('account_group_members').values(pair).execute()
  await trx
    .insertInto('account_group_sources')
    .values(rows.map((each) => ({ ...pair, source: each })))
    .onConflict((on) => on.doNothing())
    .execute()
  return true
}

const letGo = async (trx: Writer, pair: Pair, source: GroupSource): Promise<void> => {
  await trx
    .deleteFrom('account_group_sources')
    .where('group_id', '=', pair.group_id)
    .where('account_id', '=', pair.account_id)
    .where('source', '=', source)
    .execute()
  if ((await sourcesOf(trx, pair)).length > 0) return
  await trx
    .deleteFrom('account_group_members')
    .where('group_id', '=', pair.group_id)
    .where('account_id', '=', pair.account_id)
    .execute()
}

/** Who keeps an account in a group; none where it was put there by hand and nobody else keeps it. */
export const sourcesOf = async (trx: Writer, pair: Pair): Promise<GroupSource[]> => {
  const rows = await trx
    .selectFrom('account_group_sources')
    .select('source')
    .where('group_id', '=', pair.group_id)
    .where('account_id', '=', pair.account_id)
    .execute()
  return rows.map(({ source }) => source)
}
