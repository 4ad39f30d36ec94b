/** The one function that says who may do what with a thing. Nothing is remembered: it goes by the rows as they are. */
import { type ResourceType, resources as traits } from '@atrium/contract/resources'
import type { Clock } from '../../platform/clock.ts'
import type { Caller, AuthorisedResource } from '../../platform/http/area.ts'
import type { Authorise } from '../../platform/http/authenticate.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { SupportSessions } from './support-access/sessions.ts'
import type { PermissionQuery } from './permission-query.ts'
import { decideAccess, includesRight } from './rules.ts'
import type { Shareable } from '../resources/index.ts'
import type { AccessDecision } from './context.ts'

export interface Authoriser {
  readonly authorise: Authorise
  /** The decision for an authenticated caller. */
  decideFor(
    caller: Pick<Caller, 'accountId' | 'role' | 'token'>,
    type: ResourceType,
    id: string,
  ): Promise<AccessDecision>
}

export const createAuthoriser = (parts: {
  readonly clock: Clock
  readonly find: PermissionQuery
  readonly kinds: ReadonlyMap<ResourceType, Shareable>
  readonly supportSessions: SupportSessions
}): Authoriser => {
  const { clock, find, kinds, supportSessions } = parts

  const decideFor: Authoriser['decideFor'] = async ({ accountId, role, token }, type, id) => {
    const { place, grants, membership } = await find(accountId, { type, id }, clock.now())
    // What is the instance's is every administrator's, and nobody's support access leads to it.
    if (place && traits[type].instance && role === 'admin')
      return { right: 'owner', ownerId: place.ownerId, reasons: [{ kind: 'owner' }] }
    // Support access is for people in a session, never for API tokens.
    const maySupport =
      role === 'admin' &&
      token === null &&
      place?.shown === 1 &&
      place.ownerId !== accountId &&
      // What people say to each other is not one account's to be looked into.
      kinds.get(type)?.members === undefined
    const supportSession = maySupport ? await supportSessions.findActive(accountId, place.ownerId) : null
    return decideAccess({
      accountId,
      place,
      grants,
      membership,
      breakGlass: supportSession && { id: supportSession.id, expiresAt: supportSession.expires_at },
    })
  }

  return {
    decideFor,

    // An authenticated caller is active.
    async authorise(caller, named, id): Promise<AuthorisedResource> {
      const { right, ownerId, reasons } = await decideFor(caller, named.resource, id)
      if (right === null || ownerId === null) throw fail(kinds.get(named.resource)?.missing ?? 'resource_not_found')
      if (!includesRight(right, named.right)) throw fail('right_missing')
      const [reason] = reasons
      // Who reads by nothing else leaves a trace, and before the first word is read.
      if (reason?.kind === 'break-glass')
        await supportSessions.recordUse(
          { id: reason.id, admin_id: caller.accountId, account_id: ownerId },
          { type: named.resource, id },
        )
      return { type: named.resource, id, ownerId, right }
    },
  }
}
