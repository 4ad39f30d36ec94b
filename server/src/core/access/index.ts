/** Grants: who else may see or change a thing. It never widens what the owner of a thing may do. */
import type { ResourceType, Right } from '@atrium/contract/access-control'
import type { AnyTransaction } from '../../platform/db/types.ts'
import type { Area } from '../../platform/http/area.ts'

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

export interface Access {
  readonly area: Area
  /** Things of others that an account reaches now: by its own grants and by those of its groups, none that has ended. */
  reachable(accountId: string, type: ResourceType): Promise<readonly Reachable[]>
  /** How many grants stand on each of these things. */
  grantCounts(type: ResourceType, ids: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Ends every grant on things that are gone. */
  forget(type: ResourceType, ids: readonly string[], trx?: AnyTransaction): Promise<void>
  /** Called once for every kind, before the first request. */
  registerOwner(type: ResourceType, owner: Owner): void
  removeAccount(accountId: string): Promise<void>
  removeGroup(groupId: string): Promise<void>
}
