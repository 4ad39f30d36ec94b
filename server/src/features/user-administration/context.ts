/** What the area needs of others. */
import type { Features } from '../../core/access/index.ts'
import type { Accounts } from '../../core/accounts/index.ts'
import type { ApiTokensArea } from '../../core/api-tokens/index.ts'
import type { Connections } from '../../core/connections/index.ts'
import type { GroupsArea } from '../../core/groups/index.ts'
import type { SignInProviders } from '../../core/sign-in-providers/index.ts'
import type { Usage } from '../../core/usage/index.ts'
import type { Audit } from '../../platform/audit/index.ts'

export interface UserAdministrationContext {
  readonly audit: Audit
  readonly accounts: Pick<
    Accounts,
    'administration' | 'resetSecondFactor' | 'store' | 'handedLinks' | 'accountMail' | 'notices' | 'accountNames'
  >
  readonly groups: Pick<GroupsArea, 'find' | 'findByName' | 'addMember' | 'removeMember'>
  readonly apiTokens: Pick<ApiTokensArea, 'page' | 'revoke'>
  /** Bytes that accounts keep in files, by their ids; absent ones keep nothing. */
  readonly storedBy: (accountIds: readonly string[]) => Promise<ReadonlyMap<string, number>>
  /** What calls of accounts cost in so many days, by their ids, as decimal numbers; absent ones made none. */
  readonly spentBy: Usage['spentBy']
  /** What accounts can use, as they see it themselves. */
  readonly features: Pick<Features, 'decideAll'>
  readonly listModels: Connections['listModels']
  readonly ownBudgets: Usage['ownBudgets']
  /** Bytes that an account may keep; 0: no limit. */
  readonly storageQuota: () => Promise<number>
  readonly signInProviders: Pick<SignInProviders, 'hasDirectoryPassword'>
}
