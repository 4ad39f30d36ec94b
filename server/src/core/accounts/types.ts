/** What the area needs, and what its parts share. */
import type { AccountEvent } from '@atrium/contract/system'
import type { Audit } from '../../platform/audit/index.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/types.ts'
import type { Log } from '../../platform/log/log.ts'
import type { OpenVault } from '../../platform/vault/vault.ts'
import type { Endings } from './sessions/endings.ts'
import type { Entrance } from './sign-in/entrance.ts'
import type { SessionStore } from './sessions/store.ts'
import type { Sessions } from './sessions/sessions.ts'
import type { AccountStore } from './people/store.ts'
import type { TokenStore } from './tokens/store.ts'
import type { Tokens } from './tokens/tokens.ts'

export interface AccountDeps {
  readonly database: Database
  readonly vault: OpenVault
  readonly clock: Clock
  readonly log: Log
  readonly audit: Audit
  /** The version of the service, as visitors may see it. */
  readonly version: string
  /** How long a session lasts from its sign-in. */
  readonly sessionDays: number
  /** Whether strangers may ask for an account just now. The very first one always may. */
  readonly signupEnabled: () => Promise<boolean>
  /** Tells the open pages of an account. */
  readonly announce: (accountId: string, event: AccountEvent) => Promise<void>
}

/** Called with the id of an account that was removed, after its rows and its data key are gone. */
export type AccountRemoved = (accountId: string) => Promise<void>

/** What handlers and tools of the area share. */
export interface AccountParts extends AccountDeps {
  readonly store: AccountStore
  readonly sessions: Sessions
  readonly sessionList: SessionStore
  readonly tokens: Tokens
  readonly tokenList: TokenStore
  readonly endings: Endings
  readonly entrance: Entrance
  readonly removed: Set<AccountRemoved>
}
