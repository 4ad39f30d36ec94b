/** Which accounts have one-time codes, passkeys, or an entry of the directory (LDAP), for the list of people. */
import type { Database } from '../../../platform/db/types.ts'
import type { DirectoryIds } from '../../sign-in-providers/provisioning/directory-ids.ts'
import type { AccountTables } from '../tables.ts'
import type { MeansReader } from './user-list.ts'

export const passkeyMeans =
  ({ database }: { database: Database }): MeansReader =>
  async (accountIds) => {
    if (accountIds.length === 0) return new Map()
    const rows = await database
      .tables<AccountTables>()
      .selectFrom('passkeys')
      .select('account_id')
      .distinct()
      .where('account_id', 'in', accountIds)
      .execute()
    return new Map(rows.map(({ account_id }) => [account_id, ['passkey']]))
  }

export const codeMeans =
  ({ database }: { database: Database }): MeansReader =>
  async (accountIds) => {
    if (accountIds.length === 0) return new Map()
    const rows = await database
      .tables<AccountTables>()
      .selectFrom('second_factors')
      .select('account_id')
      .where('account_id', 'in', accountIds)
      .where('activated_at', 'is not', null)
      .execute()
    return new Map(rows.map(({ account_id }) => [account_id, ['totp']]))
  }

export const ldapMeans =
  (ids: DirectoryIds): MeansReader =>
  async (accountIds) =>
    new Map([...(await ids.known('ldap', accountIds))].map((id) => [id, ['ldap']]))
