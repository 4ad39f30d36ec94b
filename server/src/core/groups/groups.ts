/** Groups of accounts as administrators keep them, and in memory for every call that asks which ones an account is in. */
import type { User } from '@atrium/contract/accounts'
import type { Group } from '@atrium/contract/groups'
import { createCache } from '../../platform/cache/cache.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/types.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { GroupSources, ChangedIds, MembershipChange } from './source-store.ts'
import { type GroupStore, groupMemberships } from './store.ts'
import type { GroupSource } from './tables.ts'
import type { Accounts } from '../accounts/index.ts'

/** Called with the id of a group that was removed, and who was in it. */
export type GroupRemovedHook = (groupId: string, memberIds: readonly string[]) => Promise<void>
/** Called when accounts came into a group or left it. */
export type MembersChangedHook = (groupId: string, accountIds: readonly string[]) => Promise<void>

interface Page<T> {
  readonly items: T[]
  readonly nextCursor: string | null
}

export interface Groups {
  /** All groups, oldest first. Refuses with `bad_cursor`. */
  list(limit: number, cursor: string | undefined): Promise<Page<Group>>
  /** Refuses with `group_exists`, `group_limit`. */
  add(name: string, description?: string | null): Promise<Group>
  /**
   * `description` undefined: it stays. `keeper`: who changes it, where that is not an administrator; a group that
   * somebody keeps is changed by that one alone. Refuses with `group_not_found`, `group_exists`, `group_managed`.
   */
  rename(groupId: string, name: string, description?: string | null, keeper?: GroupSource | null): Promise<Group>
  /** Removes a group and what was for it; its members stay. Refuses with `group_not_found`. */
  remove(groupId: string): Promise<void>
  /** Refuses with `group_not_found`, `bad_cursor`. */
  members(groupId: string, limit: number, cursor: string | undefined): Promise<Page<User>>
  /** Refuses with `group_not_found`, `user_not_found`, `group_managed`. */
  addMember(groupId: string, accountId: string): Promise<void>
  /** Refuses with `group_not_found`, `group_managed`. */
  removeMember(groupId: string, accountId: string): Promise<void>
  /** The group, or null. */
  find(groupId: string): Promise<{ id: string; name: string } | null>
  /** What groups are called, by id; those that are gone are not there. */
  names(groupIds: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** The ids of the groups an account is in. Answers from memory for some seconds, but never past a change it heard of. */
  idsOf(accountId: string): Promise<readonly string[]>
  /** The same as it is at this moment, for what must hold from the next request on. */
  currentIdsOf(accountId: string): Promise<readonly string[]>
  /** The ids of all accounts in a group. */
  memberIds(groupId: string): Promise<readonly string[]>
  /** Who is in which group at this moment, as a part of questions that others ask the database. */
  readonly memberships: typeof groupMemberships
  /** The group of this name, whatever its capitals, or null. */
  findByName(name: string): Promise<{ id: string; name: string } | null>
  /** Makes these the groups that a directory keeps an account in; what was done by hand stays. */
  setGroups(accountId: string, source: GroupSource, groupIds: readonly string[]): Promise<ChangedIds>
  /** Puts accounts into a group and takes others out, in the name of a directory; what was done by hand stays. */
  changeMembers(groupId: string, source: GroupSource, wanted: MembershipChange): Promise<ChangedIds>
  /** What directories keep: who is in a group because of them, and which groups they made. */
  readonly sources: Pick<GroupSources, 'members' | 'memberSources' | 'groupIds' | 'origins' | 'claim'>
  onRemoved(hook: GroupRemovedHook): void
  onMembersChanged(hook: MembersChangedHook): void
  close(): void
}

const channel = 'account-groups-changed'
/** How long what was read is believed without asking again. */
const cacheMs = 5_000
const maxCached = 5_000

export const createGroups = (deps: {
  database: Database
  clock: Clock
  store: GroupStore
  sources: GroupSources
  accounts: { readonly store: Pick<Accounts['store'], 'users'> }
}): Groups => {
  const { database, clock, store, sources, accounts } = deps
  const removed: GroupRemovedHook[] = []
  const membersChanged: MembersChangedHook[] = []
  const idsByAccount = createCache<readonly string[]>({
    max: maxCached,
    ttl: { ms: cacheMs, clock },
    channel: { name: channel, database },
  })

  const announceMembers = async (groupId: string, accountIds: readonly string[]): Promise<void> => {
    if (accountIds.length > 0) for (const hook of membersChanged) await hook(groupId, accountIds)
  }

  return {
    list: (limit, cursor) => store.page(limit, cursor),
    add: (name, description = null) => store.insert(clock.id(), name, description, clock.now()),
    rename: (groupId, name, description, keeper = null) => store.rename(groupId, name, description, keeper),

    async remove(groupId) {
      const memberIds = await store.memberIds(groupId)
      if (!(await store.remove(groupId))) throw fail('group_not_found')
      await idsByAccount.forgetEverywhere()
      for (const hook of removed) await hook(groupId, memberIds)
    },

    async members(groupId, limit, cursor) {
      if (!(await store.find(groupId))) throw fail('group_not_found')
      const { items, nextCursor } = await store.memberPage(groupId, limit, cursor)
      return { items: await accounts.store.users(items), nextCursor }
    },

    async addMember(groupId, accountId) {
      await store.addMember(groupId, accountId)
      await idsByAccount.forgetEverywhere(accountId)
      await announceMembers(groupId, [accountId])
    },

    async removeMember(groupId, accountId) {
      await store.removeMember(groupId, accountId)
      await idsByAccount.forgetEverywhere(accountId)
      await announceMembers(groupId, [accountId])
    },

    find: (groupId) => store.find(groupId),
    names: (groupIds) => store.names(groupIds),

    idsOf: (accountId) => idsByAccount.load(accountId, () => store.idsOf(accountId)),

    currentIdsOf: (accountId) => store.idsOf(accountId),
    memberIds: (groupId) => store.memberIds(groupId),
    memberships: groupMemberships,
    findByName: (name) => store.findByName(name),
    sources,

    async setGroups(accountId, source, groupIds) {
      const change = await sources.setGroups(accountId, source, groupIds)
      const groupIdsChanged = [...change.added, ...change.removed]
      if (groupIdsChanged.length > 0) await idsByAccount.forgetEverywhere(accountId)
      for (const groupId of groupIdsChanged) await announceMembers(groupId, [accountId])
      return change
    },

    async changeMembers(groupId, source, wanted) {
      const change = await sources.changeMembers(groupId, source, wanted)
      const changed = [...change.added, ...change.removed]
      for (const accountId of changed) await idsByAccount.forgetEverywhere(accountId)
      await announceMembers(groupId, changed)
      return change
    },

    onRemoved: (hook) => void removed.push(hook),
    onMembersChanged: (hook) => void membersChanged.push(hook),
    close: idsByAccount.close,
  }
}
