/** What grants need of the rest of the house, and what they give to it. */
import type { ResourceType, Right } from '@atrium/contract/access-control'
import type { Clock } from '../../platform/clock.ts'
import type { AnyTransaction, Database } from '../../platform/db/types.ts'
import type { Area } from '../../platform/http/area.ts'
import type { GrantRow } from './tables.ts'

export interface Reachable {
  readonly resourceId: string
  readonly ownerId: string
  readonly right: Right
}

/** How an area answers for its kind of thing. */
export interface Owner {
  /** Whose these things are and what they are called; absent ids do not exist (any more). */
  describe(ids: readonly string[]): Promise<ReadonlyMap<string, { readonly accountId: string; readonly name: string }>>
  /** Something about who may read this thing changed, for these accounts. */
  changed(resourceId: string, accountIds: readonly string[]): Promise<void>
}

/** The accounts and groups that something can be shared with. */
export interface Principals {
  /** Active accounts with a name that begins so, by name, without `but`. */
  search(beginning: string, limit: number, but: string): Promise<readonly { id: string; name: string }[]>
  /** An active account, or null. */
  find(accountId: string): Promise<{ id: string; name: string } | null>
  /** By id. */
  names(accountIds: readonly string[]): Promise<ReadonlyMap<string, string>>
  readonly groups: {
    list(
      limit: number,
      cursor: string | undefined,
    ): Promise<{ items: readonly { id: string; name: string }[]; nextCursor: string | null }>
    find(groupId: string): Promise<{ id: string; name: string } | null>
    /** The groups an account is in at this moment. */
    ofNow(accountId: string): Promise<readonly string[]>
    memberIds(groupId: string): Promise<readonly string[]>
  }
}

export interface AccessDeps {
  readonly database: Database
  readonly clock: Clock
  readonly principals: Principals
}

export interface Access {
  readonly area: Area
  /** Things of others that an account reaches now: by its own grants and by those of its groups, none that has ended. */
  reachable(accountId: string, type: ResourceType): Promise<readonly Reachable[]>
  /** The accounts that reach a thing of somebody else now, for telling them of changes. */
  readers(type: ResourceType, id: string): Promise<readonly string[]>
  /** How many grants stand on each of these things. */
  grantCounts(type: ResourceType, ids: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Ends every grant on things that are gone. */
  forget(type: ResourceType, ids: readonly string[], trx?: AnyTransaction): Promise<void>
  /** Called once for every kind, before the first request. */
  registerOwner(type: ResourceType, owner: Owner): void
  removeAccount(accountId: string): Promise<void>
  removeGroup(groupId: string): Promise<void>
}

/** A thing of somebody else, and the grant by which it is reached. */
export interface Shared {
  readonly grant: GrantRow
  readonly ownerId: string
  readonly name: string
}
