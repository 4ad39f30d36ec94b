/** Every SQL statement about memberships that a directory keeps. What administrators did by hand stays theirs. */
import type { Transaction } from 'kysely'
import type { Database } from '../../../platform/db/types.ts'
import type { AccountTables } from '../tables.ts'
import type { GroupSource } from './tables.ts'

/** What a source changed: the ids of accounts or groups. */
export interface SourceChange {
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

export type GroupSources = ReturnType<typeof createGroupSources>

export const createGroupSources = ({ database }: { database: Database }) => {
  const tables = () => database.tables<AccountTables>()
  return {
    /** Makes these the groups that the source keeps an account in. Groups that do not exist are passed over. */
    setGroups: (accountId: string, source: GroupSource, groupIds: readonly string[]): Promise<SourceChange> =>
      database.write<AccountTables, SourceChange>(async (trx) => {
        const held = await trx
          .selectFrom('account_group_sources')
          .select('group_id')
          .where('account_id', '=', accountId)
          .where('source', '=', source)
          .execute()
        const before = new Set(held.map(({ group_id }) => group_id))
        const wanted = new Set(groupIds)
        const removed = [...before].filter((id) => !wanted.has(id))
        for (const groupId of removed) await letGo(trx, groupId, accountId, source)
        const added: string[] = []
        for (const groupId of wanted)
          if (!before.has(groupId) && (await hold(trx, groupId, accountId, source))) added.push(groupId)
        return { added, removed }
      }),

    /** Puts accounts into a group and takes others out. Accounts that do not exist are passed over. */
    changeMembers: (
      groupId: string,
      source: GroupSource,
      change: { add: readonly string[]; remove: readonly string[] | 'others' },
    ): Promise<SourceChange> =>
      database.write<AccountTables, SourceChange>(async (trx) => {
        const held = await trx
          .selectFrom('account_group_sources')
          .select('account_id')
          .where('group_id', '=', groupId)
          .where('source', '=', source)
          .execute()
        const before = new Set(held.map(({ account_id }) => account_id))
        const wanted = new Set(change.add)
        const remove = change.remove === 'others' ? [...before].filter((id) => !wanted.has(id)) : change.remove
        const removed = remove.filter((id) => before.has(id))
        for (const accountId of removed) await letGo(trx, groupId, accountId, source)
        const added: string[] = []
        for (const accountId of wanted)
          if (!before.has(accountId) && (await hold(trx, groupId, accountId, source))) added.push(accountId)
        return { added, removed }
      }),

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

type Writer = Transaction<AccountTables>

/** false: there is no such group or account. */
const hold = async (trx: Writer, groupId: string, accountId: string, source: GroupSource): Promise<boolean> => {
  const group = await trx.selectFrom('account_groups').select('id').where('id', '=', groupId).executeTakeFirst()
  const account = await trx.selectFrom('accounts').select('id').where('id', '=', accountId).executeTakeFirst()
  if (!group || !account) return false
  const pair = { group_id: groupId, account_id: accountId }
  const member = await trx
    .selectFrom('account_group_members')
    .select('group_id')
    .where('group_id', '=', groupId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  const sources = await sourcesOf(trx, groupId, accountId)
  const rows = member && sources.length === 0 ? ['manual', source] : [source]
  if (!member) await trx.insertInto('account_group_members').values(pair).execute()
  await trx
    .insertInto('account_group_sources')
    .values(rows.map((each) => ({ ...pair, source: each })))
    .onConflict((on) => on.doNothing())
    .execute()
  return true
}

const letGo = async (trx: Writer, groupId: string, accountId: string, source: GroupSource): Promise<void> => {
  await trx
    .deleteFrom('account_group_sources')
    .where('group_id', '=', groupId)
    .where('account_id', '=', accountId)
    .where('source', '=', source)
    .execute()
  if ((await sourcesOf(trx, groupId, accountId)).length > 0) return
  await trx
    .deleteFrom('account_group_members')
    .where('group_id', '=', groupId)
    .where('account_id', '=', accountId)
    .execute()
}

const sourcesOf = async (trx: Writer, groupId: string, accountId: string): Promise<string[]> => {
  const rows = await trx
    .selectFrom('account_group_sources')
    .select('source')
    .where('group_id', '=', groupId)
    .where('account_id', '=', accountId)
    .execute()
  return rows.map(({ source }) => source)
}
