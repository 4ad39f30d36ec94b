/** Handlers for grants: managers change them, others see their own. */
import type { accessRoutes, Grant, Principal, ResourceType } from '@atrium/contract/access'
import { resources as traits } from '@atrium/contract/resources'
import { type Audit, actorOf } from '../../platform/audit/index.ts'
import type { Clock } from '../../platform/clock.ts'
import { cutPage, decodeCursor } from '../../platform/db/cursor.ts'
import type { AnyTransaction } from '../../platform/db/types.ts'
import type { Caller, Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { Authoriser } from './authorise.ts'
import { grantAuditEntry } from './audit-entry.ts'
import { includesRight } from './rules.ts'
import type { AccessStore } from './store.ts'
import type { GrantRow } from './tables.ts'
import type { ReaderNotifier } from './notify-readers.ts'
import type { ShareNotices } from './share-notices.ts'
import type { Shareable } from '../resources/index.ts'
import type { Principals, SharedResource } from './context.ts'

/** So many accounts and groups a thing can be shared with. */
const mostGrants = 200

type Routes = Pick<
  typeof accessRoutes,
  'grants' | 'grant' | 'revoke' | 'principals' | 'principalGroups' | 'sharedWithMe' | 'sharedByMe' | 'leave'
>

export const grantHandlers = (
  parts: {
    readonly clock: Clock
    readonly audit: Audit
    readonly store: AccessStore
    readonly principals: Principals
    readonly signupEnabled: () => Promise<boolean>
    readonly kinds: ReadonlyMap<ResourceType, Shareable>
    readonly notifier: ReaderNotifier
    readonly shareNotices: ShareNotices
    /** A grant ends at this time. */
    readonly notice: (time: number | null) => void
    /** Things of others that an account reaches now. */
    readonly shared: (accountId: string, type?: ResourceType) => Promise<SharedResource[]>
  } & Pick<Authoriser, 'decideFor'>,
): Handlers<Routes> => {
  const { clock, audit, store, principals, signupEnabled, kinds, shared, notifier, shareNotices, decideFor } = parts

  /** The kind of a thing, when the caller may manage who sees the thing. */
  const requireManager = async (caller: Caller, type: ResourceType, id: string): Promise<Shareable> => {
    const kind = kinds.get(type)
    const { right } = await decideFor(caller, type, id)
    if (!kind || right === null) throw fail('resource_not_found')
    if (!includesRight(right, 'admin')) throw fail('right_missing')
    return kind
  }
  const find = async (type: Principal['type'], id: string): Promise<Principal | null> => {
    if (type === 'account') {
      const account = await principals.find(id)
      return account && toPrincipal(account)
    }
    const group = await principals.groups.find(id)
    return group && groupPrincipal(group)
  }

  /** The accounts and groups of grants, by their ids. */
  const principalsOf = async (rows: readonly GrantRow[]): Promise<ReadonlyMap<string, Principal>> => {
    const ids = rows.flatMap((row) => (row.principal_type === 'account' ? [row.principal_id] : []))
    const accounts = await principals.named([...new Set(ids)])
    const found = new Map<string, Principal>()
    for (const { principal_type: type, principal_id: id } of rows) {
      if (found.has(id)) continue
      const account = accounts.get(id)
      const group = type === 'group' ? await principals.groups.find(id) : null
      found.set(id, account ? toPrincipal(account) : { type, id, name: group?.name ?? '', avatar: null })
    }
    return found
  }

  /** What shared things are called, by the grant. */
  const titlesOf = async (grants: readonly GrantRow[]): Promise<Map<string, string>> => {
    const titles = new Map<string, string>()
    for (const [type, same] of Map.groupBy(grants, ({ resource_type }) => resource_type)) {
      const described = await kinds.get(type)?.describe(same.map(({ resource_id }) => resource_id))
      for (const grant of same) titles.set(grant.id, described?.get(grant.resource_id)?.name ?? '')
    }
    return titles
  }

  return {
    async grants({ query }, { caller }) {
      const { resourceType: type, resourceId: id, limit, cursor } = query
      await requireManager(caller, type, id)
      const { items, nextCursor } = await store.page({ type, id }, clock.now(), limit, cursor)
      const found = await principalsOf(items)
      return { items: items.map((row) => rowToGrant(row, found)), nextCursor }
    },

    async grant({ body }, context) {
      const { caller } = context
      const { resourceType, resourceId, principalType, principalId, right } = body
      const kind = await requireManager(caller, resourceType, resourceId)
      if (traits[resourceType].private) throw fail('not_shareable')
      const now = clock.now()
      const expiresAt = body.expiresAt ? Date.parse(body.expiresAt) : null
      if (expiresAt !== null && expiresAt <= now) throw invalidGrant('body.expiresAt', 'this time is over')
      if (principalType === 'account' && principalId === caller.accountId)
        throw invalidGrant('body.principalId', 'this is your own account')
      const place = (await store.placesOf(kind, [resourceId])).get(resourceId)
      if (place && !place.shown) throw fail('not_shareable')
      const ownerId = place?.ownerId
      if (principalType === 'account' && principalId === ownerId)
        throw invalidGrant('body.principalId', 'it belongs to this account')
      const principal = await find(principalType, principalId)
      if (!principal) throw fail('principal_not_found')
      const given: GrantRow = {
        id: clock.id(),
        resource_type: resourceType,
        resource_id: resourceId,
        created_at: now,
        principal_type: principalType,
        principal_id: principalId,
        access_right: right,
        expires_at: expiresAt,
      }
      const shareNotice = await shareNotices.prepare(given, caller.accountId)
      const row = await store.put(given, mostGrants, async (trx, stored) => {
        await audit.recordIn(trx, { ...actorOf(context), ...grantAuditEntry('grant.create', stored) })
        // Another right or another end is no news.
        if (stored.id === given.id) await shareNotice.publish(trx)
      })
      if (!row) throw fail('grant_limit')
      parts.notice(row.expires_at)
      await shareNotice.tell()
      await notifier.notifyGrantees([row])
      return rowToGrant(row, new Map([[principal.id, principal]]))
    },

    async revoke({ params }, context) {
      const { caller } = context
      const row = await store.find(params.id)
      if (!row || !kinds.has(row.resource_type)) throw fail('grant_not_found')
      if (row.principal_type !== 'account' || row.principal_id !== caller.accountId) {
        const { right } = await decideFor(caller, row.resource_type, row.resource_id)
        if (right === null) throw fail('grant_not_found')
        if (!includesRight(right, 'admin')) throw fail('right_missing')
      }
      const withdrawal = await shareNotices.publisher()
      const removed = await store.remove(row.id, async (trx) => {
        await audit.recordIn(trx, { ...actorOf(context), ...grantAuditEntry('grant.delete', row) })
        await shareNotices.withdraw(withdrawal, trx, [row])
      })
      if (!removed) throw fail('grant_not_found')
      await withdrawal.tell()
      await notifier.notifyGrantees([row])
      return {}
    },

    async leave({ body }, context) {
      const { accountId } = context.caller
      const reaching = await store.listReaching(accountId, body.resourceType, clock.now())
      const its = reaching.filter(({ resource_id }) => resource_id === body.resourceId)
      if (its.length === 0) throw fail('resource_not_found')
      const withdrawal = await shareNotices.publisher()
      for (const row of its) {
        const record = async (trx: AnyTransaction) => {
          await audit.recordIn(trx, {
            ...actorOf(context),
            ...grantAuditEntry('grant.delete', row, { reason: 'left' }),
          })
          await shareNotices.withdraw(withdrawal, trx, [row], accountId)
        }
        if (row.principal_type === 'account') await store.remove(row.id, record)
        else await store.optOut(row.id, accountId, record)
      }
      await withdrawal.tell()
      await notifier.notifyMembers(its, [accountId])
      return {}
    },

    async principals({ query }, { caller }) {
      // Where anyone can sign up, accounts can’t be listed by asking.
      if (query.q === '' && caller.role !== 'admin' && (await signupEnabled())) return { items: [], nextCursor: null }
      const found = await principals.search(query.q, query.limit, caller.accountId)
      return { items: found.map(toPrincipal), nextCursor: null }
    },

    async principalGroups({ query }) {
      const { items, nextCursor } = await principals.groups.list(query.limit, query.cursor)
      return { items: items.map(groupPrincipal), nextCursor }
    },

    async sharedWithMe({ query }, { caller }) {
      const place = query.cursor === undefined ? null : decodeCursor(query.cursor)
      const found = (await shared(caller.accountId, query.resourceType))
        .filter(({ grant }) => !place || isAfter(grant, place))
        .sort((a, b) => (isAfter(a.grant, { time: b.grant.created_at, id: b.grant.id }) ? 1 : -1))
      const { items, nextCursor } = cutPage(found, query.limit, ({ grant }) => ({
        time: grant.created_at,
        id: grant.id,
      }))
      const owners = await principals.named([...new Set(items.map(({ ownerId }) => ownerId))])
      const titles = await titlesOf(items.map(({ grant }) => grant))
      return {
        items: items.map(({ grant, directId, ownerId }) => ({
          resourceType: grant.resource_type,
          resourceId: grant.resource_id,
          name: titles.get(grant.id) ?? '',
          grantId: directId,
          ownerName: owners.get(ownerId)?.name ?? '',
          ownerAvatar: owners.get(ownerId)?.avatar ?? null,
          right: grant.access_right,
          expiresAt: timeOf(grant.expires_at),
          sharedAt: new Date(grant.created_at).toISOString(),
        })),
        nextCursor,
      }
    },

    async sharedByMe({ query }, { caller }) {
      const { limit, cursor } = query
      const { items, nextCursor } = await store.pageOfOwner(kinds, caller.accountId, clock.now(), limit, cursor)
      const [found, titles] = await Promise.all([principalsOf(items), titlesOf(items)])
      const toShare = (row: GrantRow) => Object.assign(rowToGrant(row, found), { name: titles.get(row.id) ?? '' })
      return { items: items.map(toShare), nextCursor }
    },
  }
}

/** Whether a grant comes after a place in the list, which has the newest first. */
const isAfter = (grant: GrantRow, { time, id }: { time: number; id: string }): boolean =>
  grant.created_at < time || (grant.created_at === time && grant.id < id)

const invalidGrant = (path: string, message: string) => fail('validation_failed', undefined, [{ path, message }])

const timeOf = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString())

const toPrincipal = ({ id, name, avatar }: Omit<Principal, 'type'>): Principal => ({
  type: 'account',
  id,
  name,
  avatar,
})
const groupPrincipal = ({ id, name }: Pick<Principal, 'id' | 'name'>): Principal => ({
  type: 'group',
  id,
  name,
  avatar: null,
})

const rowToGrant = (row: GrantRow, principals: ReadonlyMap<string, Principal>): Grant => ({
  id: row.id,
  resourceType: row.resource_type,
  resourceId: row.resource_id,
  principal: principals.get(row.principal_id) ?? {
    type: row.principal_type,
    id: row.principal_id,
    name: '',
    avatar: null,
  },
  right: row.access_right,
  expiresAt: timeOf(row.expires_at),
  createdAt: new Date(row.created_at).toISOString(),
})
