/**
 * Groups of accounts, so that something can be for all of them. Administrators keep them, or a directory or a provider
 * does: what one of these keeps, only that one changes.
 */
import type { Audit } from '../../platform/audit/index.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Accounts } from '../accounts/index.ts'
import { createGroups } from './groups.ts'
import { groupHandlers } from './routes.ts'
import { createGroupSources } from './source-store.ts'
import { createGroupStore, groupMemberships } from './store.ts'

export type { Groups } from './groups.ts'
export { groupMemberships } from './store.ts'
export { type GroupSource, type GroupTables, groupMigrations, groupSealed } from './tables.ts'

export interface GroupsDeps extends Pick<Platform, 'clock' | 'database' | 'vault'> {
  readonly audit: Audit
  readonly accounts: Pick<Accounts, 'registerGroups'> & { readonly store: Pick<Accounts['store'], 'users'> }
}
/** What sources of memberships are called, by their id. */
type SourceNames = () => Promise<ReadonlyMap<string, string>>

export const createGroupsArea = (deps: GroupsDeps) => {
  const { accounts } = deps
  const store = createGroupStore(deps)
  const groups = createGroups({ ...deps, store, sources: createGroupSources(deps) })
  const sourceNames: SourceNames[] = []
  accounts.registerGroups({
    namesOf: store.namesOf,
    memberships: groupMemberships,
    leaveAll: store.leaveAll,
    async join(accountId, groupIds) {
      for (const id of groupIds) if (await groups.find(id)) await groups.addMember(id, accountId)
    },
  })

  return {
    ...groups,
    handlers: groupHandlers({
      ...deps,
      groups,
      sourceNames: async () =>
        new Map((await Promise.all(sourceNames.map((names) => names()))).flatMap((names) => [...names])),
    }),
    /** Says what sources of memberships are called that are no directory. */
    registerSourceNames: (names: SourceNames): void => void sourceNames.push(names),
    /** How many groups an account is in. */
    countOf: async (accountId: string) => ({ groups: (await groups.currentIdsOf(accountId)).length }),
  }
}
export type GroupsArea = ReturnType<typeof createGroupsArea>
