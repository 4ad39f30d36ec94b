/** What the routes of the area share. Only they import it: what it names imports options.ts instead. */
import type { AccountExtensions } from './extensions.ts'
import type { AccountOptions } from './options.ts'
import type { Lockout } from './lockout/lockout.ts'
import type { PasskeyStore } from './passkeys/store.ts'
import type { PasswordHasher } from './password/hashing.ts'
import type { People } from './people/index.ts'
import type { RequireRemainingMethod } from './people/require-remaining-method.ts'
import type { AccountStore } from './people/store.ts'
import type { SecondFactorPolicy } from './second-factor/policy.ts'
import type { SecondFactor } from './second-factor/second-factor.ts'
import type { SessionPolicySetting } from './sessions/policy.ts'
import type { Revocations } from './sessions/revocations.ts'
import type { Sessions } from './sessions/sessions.ts'
import type { SessionStore } from './sessions/store.ts'
import type { KnownDevices } from './sign-in/known-devices.ts'
import type { OwnOrigins } from './sign-in/own-origins.ts'
import type { SessionStarter } from './sign-in/start-session.ts'
import type { SocketTickets } from './tickets/tickets.ts'

export type { AccountOptions } from './options.ts'

export interface AccountContext extends AccountOptions {
  readonly extensions: AccountExtensions
  readonly store: AccountStore
  readonly sessions: Sessions
  readonly sessionStore: SessionStore
  readonly policy: SessionPolicySetting
  readonly passwords: PasswordHasher
  readonly lockout: Lockout
  readonly devices: KnownDevices
  readonly passkeyStore: PasskeyStore
  readonly requireRemainingMethod: RequireRemainingMethod
  readonly tickets: SocketTickets
  readonly revocations: Revocations
  readonly sessionStarter: SessionStarter
  readonly ownOrigins: OwnOrigins
  readonly secondFactor: SecondFactor
  /** Asked for before dangerous acts. */
  readonly requireProof: SecondFactor['requireProof']
  readonly secondFactorPolicy: SecondFactorPolicy
  readonly people: People
  readonly openCredentials: People['openCredentials']
}
