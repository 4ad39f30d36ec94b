/** The people of the instance as administrators see them: who they are, what they may be, and their end. */
import type { GroupStore } from '../../groups/store.ts'
import type { Revocations } from '../sessions/revocations.ts'
import type { AccountDeps, RemovalHook } from '../types.ts'
import { createUserList, type KeeperReader, type UserList, type MeansReader } from './user-list.ts'
import { createAccountRemovals, type AccountRemovals } from './removal.ts'
import { createAccountRoles, type AccountRoles } from './roles.ts'
import type { AccountStore } from './store.ts'

export interface People {
  /** The same store; administrators hear of every account it makes that waits for them. */
  readonly store: AccountStore
  readonly userList: UserList
  readonly roles: AccountRoles
  readonly removals: AccountRemovals
  /** Tells the open pages of administrators; `waiting`: a new account wants to be let in. */
  peopleChanged(waiting: boolean): Promise<void>
}

export const createPeople = (
  deps: AccountDeps & {
    readonly accounts: AccountStore
    readonly groupStore: GroupStore
    readonly revocations: Revocations
    readonly removed: ReadonlySet<RemovalHook>
    readonly means: readonly MeansReader[]
    readonly keepers: readonly KeeperReader[]
  },
): People => {
  const { accounts, announce, log } = deps
  const userList = createUserList({ ...deps, store: accounts, groups: deps.groupStore })
  const roles = createAccountRoles(deps)

  const peopleChanged = async (waiting: boolean): Promise<void> => {
    // News for open pages: what happened has happened, also when nobody hears of it.
    for (const id of await userList.administratorIds())
      await announce(id, { type: 'people-changed', data: { waiting } }).catch((error: unknown) =>
        log.warn('an administrator could not be told of a change', { error }),
      )
  }
  const insert: AccountStore['insert'] = async (...account) => {
    const user = await accounts.insert(...account)
    if (user.status === 'pending') await peopleChanged(true)
    return user
  }

  return {
    store: { ...accounts, insert },
    userList,
    roles,
    removals: createAccountRemovals({ ...deps, roles }),
    peopleChanged,
  }
}
