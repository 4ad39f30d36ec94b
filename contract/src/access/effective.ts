/** What an account may do with a thing, and why. */
import { z } from 'zod'
import { Id, Time } from '../common.ts'
import { ResourceType, Right } from '../resources.ts'
import { routes } from '../route.ts'
import { Principal } from './shapes.ts'

export const ReasonKind = z.enum([
  'owner',
  'direct-grant',
  'group-grant',
  'member',
  'break-glass',
  'no-grant',
  'inactive-account',
])

/** One reason; what it does not have is null. */
export const EffectiveReason = z.strictObject({
  kind: ReasonKind,
  right: Right.nullable(),
  grantId: Id.nullable(),
  /** Where the grant stands: on the thing itself, or on what it lies in. */
  on: z.strictObject({ type: ResourceType, id: Id, name: z.string().nullable() }).nullable(),
  principal: Principal.nullable(),
  expiresAt: Time.nullable(),
})
export type EffectiveReason = z.infer<typeof EffectiveReason>

export const effectiveRoutes = routes({
  effective: {
    method: 'get',
    path: '/api/access/effective',
    access: 'user',
    summary:
      'Get what you can do with a resource, and why. Those who manage the resource can also ask about another account',
    query: z.strictObject({ resourceType: ResourceType, resourceId: Id, accountId: Id.optional() }),
    returns: z.strictObject({
      accountId: Id,
      /** null: nothing, as with a thing that is not there. */
      right: z.enum(['owner', ...Right.options]).nullable(),
      /** The one that counts first. */
      reasons: z.array(EffectiveReason),
    }),
    errors: ['resource_not_found', 'right_missing', 'principal_not_found'],
  },
  standing: {
    method: 'get',
    path: '/api/groups/effective/{userId}',
    access: 'admin',
    names: 'instance',
    summary: 'Get the groups, features and grants of an account. Resources appear by id, without their names',
    params: z.strictObject({ userId: Id }),
    returns: z.strictObject({
      userId: Id,
      username: z.string(),
      role: z.enum(['admin', 'user']),
      status: z.enum(['pending', 'active', 'disabled']),
      groups: z.array(z.strictObject({ id: Id, name: z.string() })),
      features: z.record(z.string(), z.boolean()),
      grants: z.array(
        z.strictObject({
          id: Id,
          resourceType: ResourceType,
          resourceId: Id,
          right: Right,
          expiresAt: Time.nullable(),
          via: Principal.shape.type,
          principalId: Id,
        }),
      ),
    }),
    errors: ['user_not_found'],
  },
})
