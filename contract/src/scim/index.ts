/** SCIM 2.0 (RFC 7643, RFC 7644): a directory keeps accounts and groups here. And the tokens with which it may. */
import { area } from '../area.ts'
import { scimDescription } from './area.ts'
import { z } from 'zod'
import { Id, Nothing, Time } from '../common.ts'
import { routes } from '../route.ts'

/** RFC 7644, section 3.12. */
export const ScimError = z.object({
  schemas: z.array(z.string()),
  status: z.string(),
  scimType: z.string().optional(),
  detail: z.string(),
})

/** The token of a directory. The token itself is shown once, when it is made. */
export const ScimToken = z.strictObject({
  id: Id,
  name: z.string(),
  /** The first twelve characters, to tell tokens apart. */
  tokenPrefix: z.string(),
  createdAt: Time,
  expiresAt: Time.nullable(),
  lastUsedAt: Time.nullable(),
})
export type ScimToken = z.infer<typeof ScimToken>

const Loose = z.looseObject({})
const text = z.string().max(1000)
/** Some directories write booleans as words. */
const flag = z.union([z.boolean(), z.string().max(5)])

export const ScimUserBody = z.looseObject({
  schemas: z.array(z.string().max(200)).max(20).optional(),
  userName: z.string().min(1).max(500),
  externalId: text.nullish(),
  displayName: text.nullish(),
  name: Loose.nullish(),
  emails: z.array(Loose).max(50).nullish(),
  active: flag.nullish(),
})
export type ScimUserBody = z.infer<typeof ScimUserBody>

export const ScimGroupBody = z.looseObject({
  schemas: z.array(z.string().max(200)).max(20).optional(),
  displayName: z.string().min(1).max(500),
  externalId: text.nullish(),
  members: z.array(Loose).max(10_000).nullish(),
})
export type ScimGroupBody = z.infer<typeof ScimGroupBody>

export const ScimPatchBody = z.looseObject({
  schemas: z.array(z.string().max(200)).max(20).optional(),
  Operations: z
    .array(
      z.looseObject({
        op: z.string().max(10),
        path: z.string().max(500).nullish(),
        value: z.unknown().optional(),
      }),
    )
    .min(1)
    .max(1000),
})
export type ScimPatchBody = z.infer<typeof ScimPatchBody>

const Pick = {
  attributes: z.string().max(1000).optional(),
  excludedAttributes: z.string().max(1000).optional(),
  /** A switch that one directory appends to every address. */
  aadOptscim062020: z.string().max(20).optional(),
}
const PickQuery = z.strictObject(Pick)
const ListQuery = z.strictObject({
  ...Pick,
  filter: z.string().max(2000).optional(),
  startIndex: z.coerce.number().int().optional(),
  count: z.coerce.number().int().optional(),
  sortBy: z.string().max(100).optional(),
  sortOrder: z.string().max(20).optional(),
})
const Resource = z.looseObject({ schemas: z.array(z.string()), id: z.string() })
const Resources = z.looseObject({ schemas: z.array(z.string()), totalResults: z.number().int() })

const common = {
  access: 'scim',
  dialect: 'scim',
  limit: 'scim',
  maxBodyBytes: 4 * 1024 * 1024,
  /** Groups come with all their members, each with some values of its own. */
  maxBodyValues: 40_000,
} as const
const one = { ...common, names: 'instance', params: z.strictObject({ id: Id }) } as const
const writing = ['scim_value', 'version_outdated', 'username_taken', 'email_taken', 'last_administrator'] as const
const user = ['user_not_found', 'scim_mutability', 'identity_linked'] as const
const group = ['group_not_found', 'group_exists', 'group_limit', 'scim_value', 'version_outdated'] as const
const patching = ['scim_path', 'scim_no_target'] as const

export const scimRoutes = routes({
  tokens: {
    method: 'get',
    path: '/api/scim/tokens',
    access: 'admin',
    summary: 'List the tokens of directories',
    returns: z.strictObject({ items: z.array(ScimToken), nextCursor: z.null() }),
  },
  createToken: {
    method: 'post',
    path: '/api/scim/tokens',
    access: 'admin',
    proof: true,
    limit: 'account',
    noStore: true,
    summary: 'Create a token for a directory. The token itself is returned only this once',
    body: z.strictObject({
      name: z.string().trim().min(1).max(80),
      /** null or absent: it does not expire. */
      expiresInDays: z.number().int().min(1).max(3650).nullable().optional(),
    }),
    returns: z.strictObject({ token: z.string(), record: ScimToken }),
    errors: ['scim_token_limit'],
  },
  rotateToken: {
    method: 'post',
    path: '/api/scim/tokens/{id}/rotate',
    access: 'admin',
    proof: true,
    names: 'instance',
    limit: 'account',
    noStore: true,
    summary: 'Rotate a token. The previous one stops working at once',
    params: z.strictObject({ id: Id }),
    returns: z.strictObject({ token: z.string(), record: ScimToken }),
    errors: ['scim_token_not_found'],
  },
  revokeToken: {
    method: 'delete',
    path: '/api/scim/tokens/{id}',
    access: 'admin',
    names: 'instance',
    summary: 'Revoke a token, at once and permanently. Accounts and groups stay as they are',
    params: z.strictObject({ id: Id }),
    returns: Nothing,
    errors: ['scim_token_not_found'],
  },
  config: {
    ...common,
    method: 'get',
    path: '/scim/v2/ServiceProviderConfig',
    summary: 'Get the supported SCIM features',
    returns: Loose,
  },
  resourceTypes: {
    ...common,
    method: 'get',
    path: '/scim/v2/ResourceTypes',
    summary: 'List the resource types that directories can provision',
    returns: Resources,
  },
  schemas: {
    ...common,
    method: 'get',
    path: '/scim/v2/Schemas',
    summary: 'List the schemas of accounts and groups',
    returns: Resources,
  },
  users: {
    ...common,
    method: 'get',
    path: '/scim/v2/Users',
    summary:
      'List accounts kept by directories. Filtering by name, id or address also finds those that no directory keeps yet',
    query: ListQuery,
    returns: Resources,
    errors: ['scim_filter'],
  },
  createUser: {
    ...common,
    method: 'post',
    path: '/scim/v2/Users',
    summary: 'Create an account',
    body: ScimUserBody,
    returns: Resource,
    errors: [...writing, 'identity_linked'],
  },
  user: {
    ...one,
    method: 'get',
    path: '/scim/v2/Users/{id}',
    summary: 'Get an account',
    query: PickQuery,
    returns: Resource,
    errors: ['user_not_found'],
  },
  replaceUser: {
    ...one,
    method: 'put',
    path: '/scim/v2/Users/{id}',
    summary: 'Replace an account',
    body: ScimUserBody,
    returns: Resource,
    errors: [...writing, ...user],
  },
  patchUser: {
    ...one,
    method: 'patch',
    path: '/scim/v2/Users/{id}',
    summary: 'Update some attributes of an account',
    body: ScimPatchBody,
    returns: Resource,
    errors: [...writing, ...user, ...patching],
  },
  removeUser: {
    ...one,
    method: 'delete',
    path: '/scim/v2/Users/{id}',
    summary: 'Disable an account and stop keeping it from the directory. What belongs to it is kept',
    returns: Loose,
    errors: ['user_not_found', 'last_administrator', 'scim_mutability', 'version_outdated'],
  },
  groups: {
    ...common,
    method: 'get',
    path: '/scim/v2/Groups',
    summary: 'List the groups that directories keep',
    query: ListQuery,
    returns: Resources,
    errors: ['scim_filter'],
  },
  createGroup: {
    ...common,
    method: 'post',
    path: '/scim/v2/Groups',
    summary: 'Create a group',
    body: ScimGroupBody,
    returns: Resource,
    errors: ['group_exists', 'group_limit', 'scim_value'],
  },
  group: {
    ...one,
    method: 'get',
    path: '/scim/v2/Groups/{id}',
    summary: 'Get a group',
    query: PickQuery,
    returns: Resource,
    errors: ['group_not_found'],
  },
  replaceGroup: {
    ...one,
    method: 'put',
    path: '/scim/v2/Groups/{id}',
    summary: 'Replace a group',
    body: ScimGroupBody,
    returns: Resource,
    errors: [...group],
  },
  patchGroup: {
    ...one,
    method: 'patch',
    path: '/scim/v2/Groups/{id}',
    summary: 'Update some attributes of a group',
    body: ScimPatchBody,
    returns: Resource,
    errors: [...group, ...patching],
  },
  removeGroup: {
    ...one,
    method: 'delete',
    path: '/scim/v2/Groups/{id}',
    summary: 'Delete a group. Its members’ accounts are kept',
    returns: Loose,
    errors: ['group_not_found', 'version_outdated'],
  },
})

export const scimArea = area(scimDescription, {
  routes: scimRoutes,
  shapes: { ScimError, ScimGroupBody, ScimPatchBody, ScimToken, ScimUserBody },
})
