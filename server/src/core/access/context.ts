/** What grants need of other areas, and what they give to them. */
import type { accessRoutes } from '@atrium/contract/access'
import type { ResourceType, Right } from '@atrium/contract/resources'
import type { AccountEvent } from '@atrium/contract/system'
import type { RawBuilder } from 'kysely'
import type { Audit } from '../../platform/audit/index.ts'
import type { AnyTransaction } from '../../platform/db/types.ts'
import type { BoundRoutes, Caller, Context } from '../../platform/http/area.ts'
import type { JobHandlers, Jobs } from '../../platform/jobs/types.ts'
import type { Authorise } from '../../platform/http/authenticate.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Vault } from '../../platform/vault/types.ts'
import type { Notifications } from '../notifications/index.ts'
import type { ResourceRegistry } from '../resources/index.ts'
import type { Features } from './features/features.ts'
import type { GrantRow } from './tables.ts'

export interface ResourceRef {
  readonly type: ResourceType
  readonly id: string
}

export interface OwnerChange {
  readonly fromId: string
  readonly toId: string
  /** null: the former owner keeps none. */
  readonly keeps: Right | null
}

export interface ReachableResource {
  readonly resourceId: string
  readonly ownerId: string
  readonly right: Right
}

/** The owner of a resource, and whether others may see it. */
export interface ResourcePlace {
  readonly ownerId: string
  /** 0: it is there for its owner alone, as in the trash. */
  readonly shown: 0 | 1
}

/** Why somebody has a right, or none. */
export type AccessReason =
  | { readonly kind: 'inactive-account' | 'not-found' | 'owner' | 'no-grant' }
  | { readonly kind: 'member'; readonly right: Right | 'owner' }
  /** Of the account or of a group that it is in, on the thing or on what it lies in. */
  | { readonly kind: 'grant'; readonly grant: GrantRow }
  | { readonly kind: 'break-glass'; readonly id: string; readonly expiresAt: number }

export interface AccessDecision {
  readonly right: Right | 'owner' | null
  /** null: there is no such thing, or the account may nothing at all. */
  readonly ownerId: string | null
  /** All of them, the one that counts first. */
  readonly reasons: readonly AccessReason[]
}

/** `avatar`: where its picture is, if it has one. */
interface PrincipalAccount {
  readonly id: string
  readonly name: string
  readonly avatar: string | null
}

/** The accounts and groups that something can be shared with. */
export interface Principals {
  /** Active accounts with a name that begins so, by name, without `but`. */
  search(beginning: string, limit: number, but: string): Promise<readonly PrincipalAccount[]>
  /** An active account, or null. */
  find(accountId: string): Promise<PrincipalAccount | null>
  /** Accounts by id, active or not. */
  named(accountIds: readonly string[]): Promise<ReadonlyMap<string, PrincipalAccount>>
  /** What they are called, by id. */
  names(accountIds: readonly string[]): Promise<ReadonlyMap<string, string>>
  readonly groups: {
    list(
      limit: number,
      cursor: string | undefined,
    ): Promise<{ items: readonly { id: string; name: string }[]; nextCursor: string | null }>
    find(groupId: string): Promise<{ id: string; name: string } | null>
    /** The groups an account is in at this moment. */
    currentIdsOf(accountId: string): Promise<readonly string[]>
    memberIds(groupId: string): Promise<readonly string[]>
    /** Who is in which group at this moment, for questions that ask about it. */
    readonly memberships: RawBuilder<{ group_id: string; account_id: string }>
  }
}

/** What an account is here, for administrators. */
export interface AccountOverview {
  readonly username: string
  readonly role: 'admin' | 'user'
  readonly status: 'pending' | 'active' | 'disabled'
  /** What of the instance it may use. */
  readonly features: Record<string, boolean>
}

export interface AccessDeps extends Pick<Platform, 'clock' | 'database' | 'log'> {
  readonly jobs: Pick<Jobs, 'prepare'>
  readonly vault: Pick<Vault, 'keyring'>
  readonly audit: Audit
  readonly notifications: Pick<Notifications, 'publisher'>
  readonly principals: Principals
  readonly features: Features
  /** Whether anybody may have an account here. */
  readonly signupEnabled: () => Promise<boolean>
  /** The kinds of things that can be shared. */
  readonly resources: Pick<ResourceRegistry, 'shared'>
  /** The account, of any status, or null. */
  readonly readAccount: (accountId: string) => Promise<AccountOverview | null>
  /** Has what is open for these accounts show its right again, in every process. */
  readonly interrupt: (accountIds: readonly string[]) => Promise<void>
  readonly announce: (accountId: string, event: AccountEvent) => Promise<void>
  /** Refuses when whoever acts does not show just now that the account is theirs. */
  readonly requireProof: (
    context: Context<Caller>,
    proof: { readonly code?: string | undefined; readonly password?: string | undefined },
  ) => Promise<void>
  /** Tells the owner of things by mail that an administrator looks into them; absent where no mail can be sent. */
  readonly mailSupportAccess?:
    | ((
        accountId: string,
        about: { readonly administrator: string; readonly reason: string; readonly expiresAt: string },
      ) => Promise<void>)
    | undefined
}

export interface Access {
  readonly area: BoundRoutes<typeof accessRoutes>
  /** Who may use what of the instance. */
  readonly features: Features
  /**
   * The one decision whether a caller that came in may do something with a thing. Throws the refusal of the thing's
   * kind where it may not be read, and `right_missing` where it may be read and no more. For every route by
   * `Route.names`, and for whatever else acts for a caller.
   */
  readonly authorise: Authorise
  /** Things of others that an account reaches now: by its own grants and by those of its groups, none that has ended. */
  listReachable(accountId: string, type: ResourceType): Promise<readonly ReachableResource[]>
  /** The accounts that reach a thing of somebody else now, for telling them of changes. */
  listReaders(type: ResourceType, id: string): Promise<readonly string[]>
  /** To be called when accounts reach more or less without a grant that changed: what they see shows its right again. */
  announceReach(accountIds: readonly string[]): Promise<void>
  /** How many grants stand on each of these things. */
  countGrants(type: ResourceType, ids: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Ends every grant on things that are gone. */
  removeGrants(type: ResourceType, ids: readonly string[], trx?: AnyTransaction): Promise<void>
  /** How many things of an account others reach, and how many they are. */
  countShares(accountId: string): Promise<{ shared: number; losingAccess: number }>
  /** What an account has and others reach by grants, of each thing once. */
  listShares(accountId: string): Promise<readonly ResourceRef[]>
  /**
   * A thing has another owner: the grant that this one had ends, and the former owner gets one, where it keeps a right. In
   * the transaction that does it; `announceOwner` after it.
   */
  passOn(trx: AnyTransaction, resource: ResourceRef, change: OwnerChange): Promise<void>
  /** Tells everybody who reads the thing. */
  announceOwner(resource: ResourceRef): Promise<void>
  /** Ends every grant on what an account has. Call it before the things themselves go. */
  endShares(accountId: string): Promise<void>
  removeAccount(accountId: string): Promise<void>
  /** `memberIds`: who was in it. */
  removeGroup(groupId: string, memberIds: readonly string[]): Promise<void>
  /** To be called when accounts came into a group or left it. */
  announceMembers(groupId: string, accountIds: readonly string[]): Promise<void>
  readonly jobs: JobHandlers
  /** Begins to end grants when their time is over. */
  startExpiry(): Promise<void>
  /** Ends what is over by now; done by itself after `begin()`. */
  endExpired(): Promise<void>
  close(): void
}

/** A thing of somebody else, and the grants by which it is reached. */
export interface SharedResource {
  /** The one that counts. */
  readonly grant: GrantRow
  /** The account's own, which it may give back. */
  readonly directId: string | null
  readonly ownerId: string
}
