/**
 * Grants: who else may see or change a thing. It never widens what the owner of a thing may do, and it knows no thing
 * itself: an area that has something to share registers as the owner of its kind. Only the owner of a thing learns that
 * there are grants on it, and nothing about grants is remembered: each question is answered by the rows as they are.
 */
import { accessControl, type ResourceType } from '@atrium/contract/access-control'
import { defineArea } from '../../platform/http/area.ts'
import { createHandlers } from './handlers.ts'
import { widest } from './rules.ts'
import { createAccessStore } from './store.ts'
import { accessMigrations } from './tables.ts'
import type { Access, AccessDeps, Owner, Shared } from './types.ts'

export { accessMigrations } from './tables.ts'

export type { Access, Owner, Reachable } from './types.ts'

export const createAccess = ({ database, clock, principals }: AccessDeps): Access => {
  const store = createAccessStore(database)
  const owners = new Map<ResourceType, Owner>()

  const shared = async (accountId: string, type?: ResourceType): Promise<Shared[]> => {
    const groupIds = await principals.groups.ofNow(accountId)
    const grants = widest(await store.reaching(accountId, groupIds, type, clock.now()))
    const found: Shared[] = []
    for (const [kind, owner] of owners) {
      const own = grants.filter(({ resource_type }) => resource_type === kind)
      if (own.length === 0) continue
      const described = await owner.describe(own.map(({ resource_id }) => resource_id))
      for (const grant of own) {
        const thing = described.get(grant.resource_id)
        if (thing && thing.accountId !== accountId) found.push({ grant, ownerId: thing.accountId, name: thing.name })
      }
    }
    return found
  }

  return {
    area: defineArea({
      name: 'access-control',
      routes: accessControl,
      handlers: createHandlers({ clock, store, principals, owners, shared }),
      migrations: accessMigrations,
    }),
    async reachable(accountId, type) {
      const found = await shared(accountId, type)
      return found.map(({ grant, ownerId }) => ({ resourceId: grant.resource_id, ownerId, right: grant.access_right }))
    },
    async readers(type, id) {
      const ids = new Set<string>()
      for (const { principal_type, principal_id } of await store.standing({ type, id }, clock.now())) {
        const found = principal_type === 'account' ? [principal_id] : await principals.groups.memberIds(principal_id)
        for (const accountId of found) ids.add(accountId)
      }
      return [...ids]
    },
    grantCounts: (type, ids) => store.counts(type, ids, clock.now()),
    forget: (type, ids, trx) => store.removeResources(type, ids, trx),
    registerOwner(type, owner) {
      if (owners.has(type)) throw new Error('This kind of thing has an owner already.')
      owners.set(type, owner)
    },
    removeAccount: (accountId) => store.removePrincipal('account', accountId),
    removeGroup: (groupId) => store.removePrincipal('group', groupId),
  }
}
