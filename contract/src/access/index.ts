/** Who else may see or change a thing: grants to accounts and groups, why somebody may, and support access. */
import { area } from '../area.ts'
import { accessDescription } from './area.ts'
import { BreakGlass, BreakGlassUse } from './break-glass.ts'
import { EffectiveReason } from './effective.ts'
import { z } from 'zod'
import { breakGlassRoutes } from './break-glass.ts'
import { effectiveRoutes } from './effective.ts'
import { Principal } from './shapes.ts'
import { Id, Nothing, PageQuery, Time, page } from '../common.ts'
import { ResourceType, Right } from '../resources.ts'
import { routes } from '../route.ts'

export { BreakGlass, BreakGlassUse } from './break-glass.ts'
export { EffectiveReason } from './effective.ts'
export { Principal } from './shapes.ts'
export { ResourceType, Right } from '../resources.ts'

export const Grant = z.strictObject({
  id: Id,
  resourceType: ResourceType,
  resourceId: Id,
  principal: Principal,
  right: Right,
  /** When it ends by itself. */
  expiresAt: Time.nullable(),
  createdAt: Time,
})
export type Grant = z.infer<typeof Grant>

const grantRoutes = routes({
  grants: {
    method: 'get',
    path: '/api/access/grants',
    access: 'user',
    summary: 'Who a thing is shared with; for its owner and those who may manage it',
    query: PageQuery.extend({ resourceType: ResourceType, resourceId: Id }),
    returns: page(Grant),
    errors: ['resource_not_found', 'right_missing', 'bad_cursor'],
  },
  grant: {
    method: 'post',
    path: '/api/access/grants',
    access: 'user',
    summary: 'Share a thing that one owns or manages; the same principal again changes right and end of its grant',
    body: z.strictObject({
      resourceType: ResourceType,
      resourceId: Id,
      principalType: Principal.shape.type,
      principalId: Id,
      right: Right.default('read'),
      expiresAt: Time.nullable().optional(),
    }),
    returns: Grant,
    errors: ['resource_not_found', 'right_missing', 'principal_not_found', 'not_shareable', 'grant_limit'],
  },
  revoke: {
    method: 'delete',
    path: '/api/access/grants/{id}',
    access: 'user',
    names: 'own',
    summary: 'Stop sharing, or give back what was shared with oneself; it holds from the next request on',
    params: z.strictObject({ id: Id }),
    returns: Nothing,
    errors: ['grant_not_found', 'right_missing'],
  },
  principals: {
    method: 'get',
    path: '/api/access/principals',
    access: 'user',
    limit: 'account',
    summary:
      'Accounts whose name begins with these letters, the caller left out; without letters the first ones, and nobody where anybody may sign up',
    query: z.strictObject({
      q: z.string().trim().max(100).default(''),
      limit: z.coerce.number().int().min(1).max(50).default(20),
    }),
    returns: z.strictObject({ items: z.array(Principal), nextCursor: z.null() }),
  },
  principalGroups: {
    method: 'get',
    path: '/api/access/principals/groups',
    access: 'user',
    summary: 'The groups that things can be shared with',
    query: PageQuery,
    returns: page(Principal),
    errors: ['bad_cursor'],
  },
  sharedWithMe: {
    method: 'get',
    path: '/api/access/shared-with-me',
    access: 'user',
    summary: 'What others share with the caller, newest first',
    query: PageQuery.extend({ resourceType: ResourceType.optional() }),
    returns: page(
      z.strictObject({
        resourceType: ResourceType,
        resourceId: Id,
        name: z.string(),
        ownerName: z.string(),
        ownerAvatar: z.string().nullable(),
        right: Right,
        /** The caller's own grant, which it may give back; null where it comes by a group. */
        grantId: Id.nullable(),
        expiresAt: Time.nullable(),
        sharedAt: Time,
      }),
    ),
    errors: ['bad_cursor'],
  },
  sharedByMe: {
    method: 'get',
    path: '/api/access/shared-by-me',
    access: 'user',
    summary: 'What the caller shares with accounts and groups, newest first',
    query: PageQuery,
    returns: page(Grant.extend({ name: z.string() })),
    errors: ['bad_cursor'],
  },
  leave: {
    method: 'post',
    path: '/api/access/shared-with-me/leave',
    access: 'user',
    summary:
      'Give back what is shared with oneself; of what a group has, for oneself alone, until it is shared with oneself directly',
    body: z.strictObject({ resourceType: ResourceType, resourceId: Id }),
    returns: Nothing,
    errors: ['resource_not_found'],
  },
})

export const accessRoutes = { ...grantRoutes, ...effectiveRoutes, ...breakGlassRoutes } as const

export const accessArea = area(accessDescription, {
  routes: accessRoutes,
  shapes: { BreakGlass, BreakGlassUse, EffectiveReason, Grant, Principal },
})
