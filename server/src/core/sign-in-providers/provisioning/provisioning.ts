/** Accounts as a directory that keeps them finds and changes them. */
import type { User } from '@atrium/contract/authentication'
import type { Database } from '../../../platform/db/types.ts'
import type { Vault } from '../../../platform/vault/types.ts'
import type { KeeperReader } from '../../accounts/people/user-list.ts'
import type { AccountStore } from '../../accounts/people/store.ts'
import { plainName } from '../../accounts/rules.ts'
import type { AccountTables } from '../../accounts/tables.ts'
import type { DirectoryIds } from './directory-ids.ts'

export interface Provisioning {
  readonly ids: DirectoryIds
  /** The account, or null. */
  user(accountId: string): Promise<User | null>
  /** The id of the account that has exactly this name, whatever its capitals. */
  byUsername(username: string): Promise<string | null>
  byEmail(email: string): Promise<string | null>
}

export const createProvisioning = (deps: {
  database: Database
  vault: Vault
  ids: DirectoryIds
  store: Pick<AccountStore, 'user'>
}): Provisioning => {
  const { database, vault, ids, store } = deps
  const find = async (column: 'username_index' | 'email_index', index: string): Promise<string | null> => {
    const row = await database
      .tables<AccountTables>()
      .selectFrom('accounts')
      .select('id')
      .where(column, '=', index)
      .executeTakeFirst()
    return row?.id ?? null
  }
  return {
    ids,
    user: (accountId) => store.user(accountId),
    byUsername: (username) => find('username_index', vault.blindIndex('accounts.username', plainName(username))),
    byEmail: (email) => find('email_index', vault.blindIndex('accounts.email', plainName(email))),
  }
}

/** Says in the list of people whom a directory keeps. */
export const directoryManager =
  (ids: DirectoryIds): KeeperReader =>
  async (accountIds) =>
    new Map([...(await ids.known('scim', accountIds))].map((id) => [id, 'scim']))
