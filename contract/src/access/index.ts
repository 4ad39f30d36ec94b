/** Who else may see or change a thing: grants to accounts and groups, why somebody may, and support access. */
import { area } from '../area.ts'
import { accessDescription } from './area.ts'
import { BreakGlass, BreakGlassUse } from './break-glass.ts'
import { EffectiveReason } from './effective.ts'
import { z } from 'zod'
import { breakGlassRoutes } from './break-glass.ts'
import { effectiveRoutes } from './effective.ts'
import { FeatureDecision, FeatureRule, featureRoutes } from './features.ts'
import { Principal } from './shapes.ts'
import { Id, Nothing, PageQuery, Time, page } from '../common.ts'
import { ResourceType, Right } from '../resources.ts'
import { routes } from '../route.ts'

export { BreakGlass, BreakGlassUse } from './break-glass.ts'
export { EffectiveReason } from './effective.ts'
export {
  FeatureDecision,
  FeatureName,
  type FeatureReason,
  FeatureRule,
  featureNames,
} from './features.ts'
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
    summary: 'List who has access to a resource, as its owner or someone who can manage it',
    query: PageQuery.extend({ resourceType: ResourceType, resourceId: Id }),
    returns: page(Grant),
    errors: ['resource_not_found', 'right_missing', 'bad_cursor'],
  },
  grant: {
    method: 'post',
    path: '/api/access/grants',
    access: 'user',
    summary:
      'Share a resource that you own or manage. Sharing it again with the same principal updates the right and the end date',
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
    summary: 'Revoke a grant, or leave what was shared with you. Takes effect from the next request',
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
      'List accounts whose name starts with these letters, without yourself; the first ones without letters. Without letters, people get an empty list if sign-up is open',
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
    summary: 'List the groups that you can share with',
    query: PageQuery,
    returns: page(Principal),
    errors: ['bad_cursor'],
  },
  sharedWithMe: {
    method: 'get',
    path: '/api/access/shared-with-me',
    access: 'user',
    summary: 'List what others share with you, newest first',
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
    summary: 'List what you share with accounts and groups, newest first',
    query: PageQuery,
    returns: page(Grant.extend({ name: z.string() })),
    errors: ['bad_cursor'],
  },
  leave: {
    method: 'post',
    path: '/api/access/shared-with-me/leave',
    access: 'user',
    summary:
      'Leave a shared resource. One shared with your group is hidden from you alone, until it is shared with you directly',
    body: z.strictObject({ resourceType: ResourceType, resourceId: Id }),
    returns: Nothing,
    errors: ['resource_not_found'],
  },
})

export const accessRoutes = { ...grantRoutes, ...effectiveRoutes, ...featureRoutes, ...breakGlassRoutes } as const

export const accessArea = area(accessDescription, {
  routes: accessRoutes,
  shapes: { BreakGlass, BreakGlassUse, EffectiveReason, FeatureDecision, FeatureRule, Grant, Principal },
})
