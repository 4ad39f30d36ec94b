/** Groups for tests without the area that keeps them: they are called by their ids, and their rows are the real ones. */
import { type GroupTables, groupMemberships } from '../core/groups/index.ts'
import type { Principals } from '../core/access/context.ts'
import type { Database } from '../platform/db/types.ts'

export interface TestGroups extends Pick<Principals, 'groups'> {
  /** Makes the group, if there is none, and these its members. */
  set(groupId: string, accountIds: readonly string[]): Promise<void>
}

export const createTestGroups = (database: Database): TestGroups => {
  const tables = () => database.tables<GroupTables>()
  const named = (id: string) => ({ id, name: id })
  const column = async (of: 'group_id' | 'account_id', by: 'group_id' | 'account_id', id: string) =>
    (await tables().selectFrom('account_group_members').select(of).where(by, '=', id).execute()).map((row) => row[of])
  return {
    async set(groupId, accountIds) {
      const name = Buffer.from(groupId)
      await tables()
        .insertInto('account_groups')
        .values({ id: groupId, name, name_index: groupId, description: null, created_at: 0 })
        .onConflict((on) => on.doNothing())
        .execute()
      await tables().deleteFrom('account_group_members').where('group_id', '=', groupId).execute()
      for (const account_id of accountIds)
        await tables().insertInto('account_group_members').values({ group_id: groupId, account_id }).execute()
    },
    groups: {
      list: async () => ({
        items: (await tables().selectFrom('account_groups').select('id').execute()).map(({ id }) => named(id)),
        nextCursor: null,
      }),
      async find(id) {
        const row = await tables().selectFrom('account_groups').select('id').where('id', '=', id).executeTakeFirst()
        return row ? named(row.id) : null
      },
      currentIdsOf: (accountId) => column('group_id', 'account_id', accountId),
      memberIds: (groupId) => column('account_id', 'group_id', groupId),
      memberships: groupMemberships,
    },
  }
}
