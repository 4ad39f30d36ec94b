/** Dependencies of the area, and the context that its modules share. */
import type { AuditAction } from '@atrium/contract/audit'
import type { Accounts } from '../../core/accounts/index.ts'
import type { GroupsArea } from '../../core/groups/index.ts'
import type { SignInProviders } from '../../core/sign-in-providers/index.ts'
import type { Audit, AuditEntry } from '../../platform/audit/types.ts'
import type { Context } from '../../platform/http/area.ts'
import type { Platform } from '../../platform/platform.ts'
import type { ScimStore } from './store.ts'

export interface ScimDeps extends Pick<Platform, 'clock' | 'database' | 'log' | 'vault'> {
  readonly audit: Audit
  readonly accounts: Pick<Accounts, 'administration'>
  readonly groups: GroupsArea
  readonly signInProviders: Pick<SignInProviders, 'provisioning'>
  /** Where people reach the instance. */
  readonly baseUrl: URL | null | undefined
}

type Who = Pick<AuditEntry, 'actor' | 'requestId' | 'address'>

export interface ScimContext extends Pick<ScimDeps, 'clock'> {
  readonly provisioning: SignInProviders['provisioning']
  readonly administration: Pick<Accounts['administration'], 'create' | 'update' | 'setStatus'>
  readonly groups: GroupsArea
  readonly store: ScimStore
  /** Goes before paths; empty where the instance does not know where it is. */
  readonly base: string
  /** A directory acts for nobody, so the system does. */
  whoOf(context: Context<null>): Who
  /** Writes into the audit what a directory did, and with which token. */
  note(
    action: AuditAction,
    id: string,
    context: Context<null>,
    details: NonNullable<AuditEntry['details']>,
    type?: 'account' | 'group',
  ): Promise<void>
}
