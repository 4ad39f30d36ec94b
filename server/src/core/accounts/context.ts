/** What the area needs, and what its parts share. */
import type { Language } from '@atrium/contract/languages'
import type { AccountEvent } from '@atrium/contract/system'
import type { z } from 'zod'
import type { Audit } from '../../platform/audit/index.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/types.ts'
import type { Log } from '../../platform/log/log.ts'
import type { KeyCard } from '../../platform/vault/instance-key.ts'
import type { OpenVault } from '../../platform/vault/vault.ts'
import type { AccountExtensions } from './extensions.ts'
import type { Lockout } from './lockout/lockout.ts'
import type { MailSender } from './notices/notices.ts'
import type { PasskeyStore } from './passkeys/store.ts'
import type { PasswordCosts, Passwords } from './password/hashing.ts'
import type { People } from './people/index.ts'
import type { RequireRemainingMethod } from './people/require-remaining-method.ts'
import type { AccountStore } from './people/store.ts'
import type { MfaMode, SecondFactorPolicy } from './second-factor/policy.ts'
import type { SecondFactor } from './second-factor/second-factor.ts'
import type { SessionPolicySetting } from './sessions/policy.ts'
import type { Revocations } from './sessions/revocations.ts'
import type { Sessions } from './sessions/sessions.ts'
import type { SessionStore } from './sessions/store.ts'
import type { KnownDevices } from './sign-in/known-devices.ts'
import type { OwnOrigins } from './sign-in/own-origins.ts'
import type { SessionStarter } from './sign-in/start-session.ts'
import type { SocketTickets } from './tickets/tickets.ts'

export interface AccountOptions {
  readonly database: Database
  readonly vault: OpenVault
  readonly clock: Clock
  readonly log: Log
  readonly audit: Audit
  /** The version of the service, as visitors may see it. */
  readonly version: string
  /** How long a session lasts from its sign-in, where the environment fixes it. */
  readonly sessionDays?: number | undefined
  /** How long it lasts unused, where the environment fixes it. */
  readonly sessionIdleHours?: number | undefined
  /** Whether everybody needs a second factor, where the environment fixes it. */
  readonly mfaRequiredMode?: MfaMode | undefined
  /** What administrators set for this area. */
  readonly document: InstanceDocuments
  /** The key of the instance, as far as administrators may see it. */
  readonly instanceKey: KeyCard
  /** What hashing a password takes; tests of other things take less. */
  readonly passwordCosts?: PasswordCosts | undefined
  /** The name that passkeys are made for, where the environment fixes it. */
  readonly webauthnRpId?: string | undefined
  /** Where people reach the instance. */
  readonly baseUrl?: URL | undefined
  /** The addresses of this machine in its networks, as they are now. */
  readonly machineAddresses?: () => ReadonlySet<string>
  /** Whether strangers may ask for an account just now. The very first one always may. */
  readonly signupEnabled: () => Promise<boolean>
  /** Outgoing mail. */
  readonly mail: MailSender
  /** The language that an account chose; undefined where it did not. */
  readonly languageOf: (accountId: string) => Promise<Language | undefined>
  /** Keeps work for a job of the instance. */
  readonly enqueue: (kind: string, payload: unknown, options: { readonly accountId: null }) => Promise<unknown>
  /** Tells the open pages of an account. */
  readonly announce: (accountId: string, event: AccountEvent) => Promise<void>
}

/** Sealed settings of the instance: read from memory, changed in one transaction. */
export type InstanceDocuments = <T>(
  name: string,
  form: z.ZodType<T>,
  /** Holds while what was saved cannot be read. */
  strict?: NoInfer<T>,
) => { read(): Promise<T>; change(change: (before: T) => T): Promise<T> }

/** What handlers and tools of the area share. */
export interface AccountContext extends AccountOptions {
  readonly extensions: AccountExtensions
  readonly store: AccountStore
  readonly sessions: Sessions
  readonly sessionStore: SessionStore
  readonly policy: SessionPolicySetting
  readonly passwords: Passwords
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
