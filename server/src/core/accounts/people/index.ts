/** The people of the instance as administrators see them: who they are, what they may be, and their end. */
import type { AccountOptions } from '../options.ts'
import type { AccountExtensions } from '../extensions.ts'
import type { PasskeyStore } from '../passkeys/store.ts'
import type { SecondFactorStore } from '../second-factor/store.ts'
import type { Revocations } from '../sessions/revocations.ts'
import type { SessionStore } from '../sessions/store.ts'
import { type AccountRemovals, createAccountRemovals, type RemovalHook } from './removal.ts'
import { type AccountRoles, createAccountRoles } from './role-store.ts'
import type { AccountStore } from './store.ts'
import { createUserList, type UserList } from './user-list-store.ts'

export interface People {
  /** The same store; administrators hear of every account it makes that waits for them. */
  readonly store: AccountStore
  readonly userList: UserList
  readonly roles: AccountRoles
  readonly removals: AccountRemovals
  /** The ids of sessions and other credentials that have not ended: open streams depend on them. */
  openCredentials(accountId: string): Promise<readonly string[]>
  /** Tells the open pages of administrators; `waiting`: a new account wants to be let in. */
  peopleChanged(waiting: boolean): Promise<void>
}

export const createPeople = (
  deps: Pick<AccountOptions, 'database' | 'vault' | 'clock' | 'log' | 'audit' | 'announce'> & {
    readonly accounts: AccountStore
    readonly extensions: AccountExtensions
    readonly sessionStore: SessionStore
    readonly passkeyStore: PasskeyStore
    readonly secondFactorStore: SecondFactorStore
    readonly revocations: Revocations
    readonly removed: ReadonlySet<RemovalHook>
  },
): People => {
  const { accounts, extensions, sessionStore, announce, log } = deps
  const userList = createUserList({ ...deps, store: accounts })
  const roles = createAccountRoles({ ...deps, leaveGroups: extensions.leaveGroups })
  const openCredentials = async (accountId: string) => {
    const [sessions, credentials] = await Promise.all([
      sessionStore.openIds(accountId),
      extensions.liveCredentials(accountId),
    ])
    return [...sessions, ...credentials]
  }

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
    removals: createAccountRemovals({ ...deps, roles, openCredentials }),
    openCredentials,
    peopleChanged,
  }
}
