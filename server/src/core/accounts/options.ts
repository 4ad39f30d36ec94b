/** What the area needs. */
import type { NotificationContent } from '@atrium/contract/notifications'
import type { Theme } from '@atrium/contract/settings'
import type { AccountEvent } from '@atrium/contract/system'
import type { Language } from '@atrium/contract/languages'
import type { Audit } from '../../platform/audit/index.ts'
import type { Platform } from '../../platform/platform.ts'
import type { SavedSettings } from '../../platform/settings/index.ts'
import type { PasswordCosts } from './password/hashing.ts'
import type { AccountSettings } from './settings.ts'

export interface AccountOptions
  extends Pick<Platform, 'clock' | 'database' | 'instanceKey' | 'log' | 'vault' | 'version'> {
  readonly audit: Audit
  readonly settings: Pick<AccountSettings, 'sessions' | 'secondFactor'>
  /** What is kept for the instance beside them. */
  readonly saved: Pick<SavedSettings, 'document'>
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
  /** How it looks for visitors. */
  readonly defaultTheme: () => Promise<Theme>
  /** Outgoing mail. */
  readonly mail: MailSender
  /** The language that an account chose; undefined where it did not. */
  readonly languageOf: (accountId: string) => Promise<Language | undefined>
  /** The time zone that an account chose; undefined where it did not. */
  readonly timeZoneOf: (accountId: string) => Promise<string | undefined>
  /** Keeps work for a job of the instance. */
  readonly enqueue: (kind: string, payload: unknown, options: { readonly accountId: null }) => Promise<unknown>
  /** Tells the owner of an account in its inbox. `key` names the occasion. */
  readonly notify: (accountId: string, key: string, facts: SecurityFacts) => Promise<void>
  /** Tells the open pages of an account. */
  readonly announce: (accountId: string, event: AccountEvent) => Promise<void>
}

/** What concerned the safety of an account. */
export type SecurityFacts = Extract<NotificationContent, { kind: 'security' }>['facts']

/** Sends mail some time later; nobody waits for it, and a request tells nothing by its time. */
export interface MailSender {
  /** Switched on, with all that it needs. */
  available(): Promise<boolean>
  /** Where people find this instance, without a slash at the end; null while nobody said. */
  address(): Promise<string | null>
  /** What the workspace is called. */
  workspaceName(): Promise<string>
  /** Keeps a letter for a job. `accountId`: it is dropped when that account is not active any more. */
  send(letter: {
    readonly accountId?: string | null
    readonly to: string
    readonly subject: string
    readonly text: string
    readonly language?: Language
  }): Promise<unknown>
}
