/** What the area needs. */
import type { AccountEvent } from '@atrium/contract/system'
import type { Audit } from '../../platform/audit/index.ts'
import type { Platform } from '../../platform/platform.ts'
import type { SavedSettings } from '../../platform/settings/index.ts'
import type { Accounts } from '../accounts/index.ts'
import type { GroupsArea } from '../groups/index.ts'
import type { OAuthOptions } from './oauth/options.ts'

export interface SignInProvidersDeps extends Pick<Platform, 'clock' | 'database' | 'log' | 'vault'> {
  readonly audit: Audit
  /** Tells the open pages of an account. */
  readonly announce: (accountId: string, event: AccountEvent) => Promise<void>
  /** What administrators set for the instance. */
  readonly saved: Pick<SavedSettings, 'document'>
  /** Where people reach the instance. */
  readonly baseUrl?: URL | undefined
  /** Whether strangers may ask for an account just now. */
  readonly signupEnabled: () => Promise<boolean>
  /** What it takes to call providers. */
  readonly oauth: OAuthOptions
  readonly accounts: Pick<
    Accounts,
    | 'store'
    | 'sessionStore'
    | 'challengeOrStart'
    | 'ownOrigins'
    | 'checkOwnPassword'
    | 'syncRole'
    | 'requireProof'
    | 'requireRemainingMethod'
    | 'publishRevocation'
    | 'registerSignInProvider'
  >
  readonly groups: Pick<GroupsArea, 'findByName' | 'find' | 'add' | 'setGroups' | 'sources' | 'registerSourceNames'>
}
