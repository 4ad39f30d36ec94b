/** Why an account has a right: asked by the account itself, by managers of a resource, and by administrators with ids only. */
import type { accessRoutes, EffectiveReason } from '@atrium/contract/access'
import type { ResourceType } from '@atrium/contract/resources'
import type { Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { Authoriser } from './authorise.ts'
import { includesRight } from './rules.ts'
import type { AccessStore } from './store.ts'
import type { Shareable } from '../resources/index.ts'
import type { AccessDeps, AccessDecision, AccessReason } from './context.ts'

type Routes = Pick<typeof accessRoutes, 'effective' | 'standing'>

const plain = { right: null, grantId: null, on: null, principal: null, expiresAt: null } as const

export const effectiveRightsHandlers = ({
  clock,
  store,
  principals,
  kinds,
  decideFor,
  readAccount,
}: Pick<AccessDeps, 'clock' | 'principals' | 'readAccount'> &
  Pick<Authoriser, 'decideFor'> & {
    readonly store: AccessStore
    readonly kinds: ReadonlyMap<ResourceType, Shareable>
  }): Handlers<Routes> => {
  const toEffectiveRight = async (reason: AccessReason): Promise<EffectiveReason> => {
    if (reason.kind === 'break-glass')
      return { ...plain, kind: 'break-glass', right: 'read', expiresAt: timeOf(reason.expiresAt) }
    if (reason.kind === 'member')
      return { ...plain, kind: 'member', right: reason.right === 'owner' ? 'admin' : reason.right }
    // Only those who may read a resource learn that it exists.
    if (reason.kind !== 'grant') return { ...plain, kind: reason.kind === 'not-found' ? 'no-grant' : reason.kind }
    const { id, principal_type, principal_id, resource_type, resource_id, access_right, expires_at } = reason.grant
    const isGroup = principal_type === 'group'
    const account = isGroup ? null : (await principals.named([principal_id])).get(principal_id)
    const name = isGroup ? (await principals.groups.find(principal_id))?.name : account?.name
    const described = await kinds.get(resource_type)?.describe([resource_id])
    return {
      kind: isGroup ? 'group-grant' : 'direct-grant',
      right: access_right,
      grantId: id,
      on: { type: resource_type, id: resource_id, name: described?.get(resource_id)?.name ?? null },
      principal: { type: principal_type, id: principal_id, name: name ?? '', avatar: account?.avatar ?? null },
      expiresAt: timeOf(expires_at),
    }
  }

  /** The decision for an account that is not the caller, and that may be disabled. */
  const ofAnother = async (accountId: string, type: ResourceType, id: string): Promise<AccessDecision> =>
    (await principals.find(accountId))
      ? await decideFor({ accountId, role: 'user', token: null }, type, id)
      : { right: null, ownerId: null, reasons: [{ kind: 'inactive-account' }] }

  return {
    async effective({ query }, { caller }) {
      const { resourceType: type, resourceId: id, accountId = caller.accountId } = query
      if (accountId !== caller.accountId) {
        const { right } = await decideFor(caller, type, id)
        if (right === null) throw fail('resource_not_found')
        if (!includesRight(right, 'admin')) throw fail('right_missing')
        if (!(await principals.names([accountId])).has(accountId)) throw fail('principal_not_found')
      }
      const { right, reasons } =
        accountId === caller.accountId ? await decideFor(caller, type, id) : await ofAnother(accountId, type, id)
      return { accountId, right, reasons: await Promise.all(reasons.map(toEffectiveRight)) }
    },

    async standing({ params: { userId } }) {
      const account = await readAccount(userId)
      if (!account) throw fail('user_not_found')
      const groupIds = await principals.groups.currentIdsOf(userId)
      const groups = await Promise.all(groupIds.map((groupId) => principals.groups.find(groupId)))
      const grants = await store.listReaching(userId, undefined, clock.now())
      return {
        userId,
        ...account,
        groups: groups.flatMap((group) => (group ? [{ id: group.id, name: group.name }] : [])),
        grants: grants.map((row) => ({
          id: row.id,
          resourceType: row.resource_type,
          resourceId: row.resource_id,
          right: row.access_right,
          expiresAt: timeOf(row.expires_at),
          via: row.principal_type,
          principalId: row.principal_id,
        })),
      }
    },
  }
}

const timeOf = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString())
