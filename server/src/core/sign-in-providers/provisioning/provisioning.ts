/** Accounts as a directory that manages them finds and changes them. */
import type { User } from '@atrium/contract/accounts'
import type { Accounts } from '../../accounts/index.ts'
import type { DirectoryIds } from './directory-id-store.ts'

export interface Provisioning {
  readonly ids: DirectoryIds
  /** The account, or null. */
  user(accountId: string): Promise<User | null>
  /** The id of the account that has exactly this name, whatever its capitals. */
  byUsername(username: string): Promise<string | null>
  byEmail(email: string): Promise<string | null>
}

export const createProvisioning = ({
  ids,
  store,
}: {
  ids: DirectoryIds
  store: Pick<Accounts['store'], 'user' | 'usernameOwner' | 'emailOwner'>
}): Provisioning => ({
  ids,
  user: store.user,
  byUsername: store.usernameOwner,
  byEmail: store.emailOwner,
})
