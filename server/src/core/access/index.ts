/**
 * Who may do what with a thing: one decision for every route, stream, socket and job, and the grants that it goes by.
 * It knows no kind of thing by name: what can be shared is in the registry of resources. Only the owner of
 * a thing, and whom the owner lets manage it, learn that there are grants on it. Nothing about grants is remembered: each
 * question is answered by the rows as they are.
 */
import { accessRoutes, type ResourceType } from '@atrium/contract/access'
import { bindRoutes } from '../../platform/http/area.ts'
import { createAuthoriser } from './authorise.ts'
import { supportAccessHandlers } from './support-access/handlers.ts'
import { createSupportSessions } from './support-access/sessions.ts'
import { createSupportAccessStore } from './support-access/store.ts'
import { effectiveRightsHandlers } from './effective-rights.ts'
import { featureHandlers } from './features/handlers.ts'
import { createGrantExpiry } from './grant-expiry.ts'
import { createPermissionQuery } from './permission-query.ts'
import { grantHandlers } from './handlers.ts'
import { widestGrants } from './rules.ts'
import { type ListGrantees, createOwnerShares } from './shared-by.ts'
import { createAccessStore } from './store.ts'
import { accessMigrations, type GrantRow } from './tables.ts'
import { createReaderNotifier } from './notify-readers.ts'
import { createShareNotices } from './share-notices.ts'
import type { Access, AccessDeps, SharedResource } from './context.ts'

export { accessMigrations, accessSealed } from './tables.ts'
export { linkAuditEntry } from './links/audit-entry.ts'
export { type LinkRow, type RecordLink, createLinkStore } from './links/store.ts'
export { type OpenVisit, type Visits, createVisits, isSame } from './links/visits.ts'
export { type LinkWatch, createLinkWatch } from './links/watch.ts'

export type { Feature, Features, RuleChange } from './features/features.ts'
export type { FeatureWatch } from './features/watches.ts'
export { modeRule, switchChange, switchRule } from './features/rules.ts'
export type { Access, AccessDecision, ReachableResource, AccessReason, ResourceRef } from './context.ts'

export const createAccess = (deps: AccessDeps): Access => {
  const { database, clock, principals } = deps
  const store = createAccessStore(database, principals.groups.memberships)
  const supportAccessStore = createSupportAccessStore(database)
  const kinds = deps.resources.shared
  const find = createPermissionQuery({ database, memberships: principals.groups.memberships, kinds })
  const supportSessions = createSupportSessions({ ...deps, store: supportAccessStore })
  const authority = createAuthoriser({ clock, find, kinds, supportSessions })
  const notifier = createReaderNotifier({ ...deps, kinds })
  const shareNotices = createShareNotices({ ...deps, find, kinds, store })
  const timed = createGrantExpiry({ ...deps, store, supportAccess: supportAccessStore, notifier, shareNotices })

  const shared = async (accountId: string, type?: ResourceType): Promise<SharedResource[]> => {
    const all = await store.listReaching(accountId, type, clock.now())
    const direct = new Map(all.flatMap((row) => (row.principal_type === 'account' ? [[keyOf(row), row.id]] : [])))
    const found: SharedResource[] = []
    for (const [kind, grants] of Map.groupBy(widestGrants(all), ({ resource_type }) => resource_type)) {
      const places = await store.placesOf(
        kinds.get(kind),
        grants.map(({ resource_id }) => resource_id),
      )
      for (const grant of grants) {
        const place = places.get(grant.resource_id)
        if (!place?.shown || place.ownerId === accountId) continue
        found.push({ grant, directId: direct.get(keyOf(grant)) ?? null, ownerId: place.ownerId })
      }
    }
    return found
  }

  /** Whom a grant is for. */
  const accountsBy: ListGrantees = async ({ id, principal_type, principal_id }) => {
    if (principal_type === 'account') return [principal_id]
    const [members, left] = await Promise.all([principals.groups.memberIds(principal_id), store.listOptOuts(id)])
    return members.filter((accountId) => !left.has(accountId))
  }
  const sharedBy = createOwnerShares({ store, accountsBy, kinds })

  return {
    area: bindRoutes({
      name: 'access-control',
      routes: accessRoutes,
      handlers: {
        ...grantHandlers({
          ...deps,
          ...authority,
          store,
          kinds,
          shared,
          notifier,
          shareNotices,
          notice: timed.schedule,
        }),
        ...featureHandlers(deps.features),
        ...effectiveRightsHandlers({ ...deps, ...authority, store, kinds }),
        ...supportAccessHandlers({
          ...deps,
          store: supportAccessStore,
          supportSessions,
          kinds,
          notice: timed.schedule,
          mailSupportAccess: deps.mailSupportAccess,
        }),
      },
      migrations: accessMigrations,
    }),
    features: deps.features,
    authorise: authority.authorise,
    async listReachable(accountId, type) {
      const found = await shared(accountId, type)
      return found.map(({ grant, ownerId }) => ({ resourceId: grant.resource_id, ownerId, right: grant.access_right }))
    },
    async listReaders(type, id) {
      const ids = new Set<string>()
      for (const grant of await store.listCurrent({ type, id }, clock.now()))
        for (const accountId of await accountsBy(grant)) ids.add(accountId)
      return [...ids]
    },
    async announceReach(accountIds) {
      if (accountIds.length > 0) await deps.interrupt(accountIds)
    },
    countGrants: (type, ids) => store.countByResource(type, ids, clock.now()),
    async removeGrants(type, ids, trx) {
      await store.removeResources(type, ids, trx)
      await shareNotices.withdrawThings(type, ids, trx)
    },
    countShares: sharedBy.count,
    listShares: sharedBy.list,
    passOn: (trx, resource, change) => store.passOn(trx, resource, { ...change, id: clock.id(), now: clock.now() }),
    async announceOwner(resource) {
      await notifier.notifyGrantees(await store.listCurrent(resource, clock.now()))
    },
    endShares: sharedBy.end,
    async removeAccount(accountId) {
      await store.removePrincipal('account', accountId)
      await supportAccessStore.removeAccount(accountId, clock.now())
    },
    async removeGroup(groupId, memberIds) {
      const rows = await store.removePrincipal('group', groupId)
      await shareNotices.withdrawAlone(rows)
      await notifier.notifyGrantees(rows, memberIds)
    },
    async announceMembers(groupId, accountIds) {
      const rows = await store.ofPrincipal('group', groupId)
      const members = new Set(await principals.groups.memberIds(groupId))
      const gone = accountIds.filter((id) => !members.has(id))
      if (gone.length > 0) await shareNotices.withdrawAlone(rows, gone)
      await notifier.notifyMembers(rows, accountIds)
    },
    jobs: shareNotices.jobs,
    startExpiry: timed.start,
    endExpired: timed.sweep,
    close: timed.close,
  }
}

const keyOf = ({ resource_type, resource_id }: GrantRow): string => `${resource_type} ${resource_id}`
