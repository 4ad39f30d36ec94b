/** Resources and lists as SCIM words them. */
import { createHash } from 'node:crypto'
import type { User } from '@atrium/contract/accounts'
import type { Context, RelayAnswer } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { GroupState } from './group-state.ts'
import type { UserState } from './user-state.ts'

export const mediaType = 'application/scim+json; charset=utf-8'
export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const listSchema = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

export interface ScimResource {
  readonly id: string
  readonly meta: { readonly version: string; readonly location: string }
  readonly [name: string]: unknown
}
export type AttributeSelection = {
  readonly attributes?: string | undefined
  readonly excludedAttributes?: string | undefined
}

/** An account as the directory sees it. `base`: where the instance is. */
export const userResource = (base: string, user: User, state: UserState): ScimResource => {
  const { externalId, displayName, email, name } = state
  const resource = {
    schemas: [userSchema],
    id: user.id,
    ...(externalId === null ? {} : { externalId }),
    userName: user.username,
    ...(displayName === null ? {} : { displayName }),
    ...(Object.keys(name).length === 0 ? {} : { name }),
    ...(email === null ? {} : { emails: [{ value: email, type: 'work', primary: true }] }),
    active: state.active,
  }
  const times = { created: user.createdAt, lastModified: user.updatedAt }
  return withMeta(base, 'User', resource, times)
}

export const groupResource = (
  base: string,
  id: string,
  { displayName, externalId, members }: GroupState,
): ScimResource =>
  withMeta(base, 'Group', {
    schemas: [groupSchema],
    id,
    ...(externalId === null ? {} : { externalId }),
    displayName,
    members: [...members].sort().map((value) => ({ value, $ref: `${base}/scim/v2/Users/${value}`, type: 'User' })),
  })

const withMeta = <R extends { id: string }>(base: string, resourceType: 'User' | 'Group', resource: R, times = {}) => {
  const digest = createHash('sha256').update(JSON.stringify(resource)).digest('base64url').slice(0, 22)
  const location = `${base}/scim/v2/${resourceType}s/${resource.id}`
  return { ...resource, meta: { resourceType, ...times, location, version: `W/"${digest}"` } }
}

/** The answer with one resource, as much of it as was asked for. */
export const answerOne = (resource: ScimResource, selection: AttributeSelection = {}, status = 200): RelayAnswer => ({
  mediaType,
  status,
  body: JSON.stringify(project(resource, selection)),
  headers: {
    etag: resource.meta.version,
    ...(status === 201 ? { location: resource.meta.location } : {}),
  },
})

export const answerNothing = (): RelayAnswer => ({ mediaType, status: 204, body: '' })

export const answerJson = (body: object): RelayAnswer => ({ mediaType, body: JSON.stringify(body) })

/** Counted from 1; what is out of range is moved into it, as the standard says. */
export const readRange = (query: { startIndex?: number | undefined; count?: number | undefined }) => ({
  startIndex: Math.max(1, query.startIndex ?? 1),
  limit: Math.min(mostResults, Math.max(0, query.count ?? usualResults)),
})
export const mostResults = 200
const usualResults = 100

export const answerList = (
  total: number,
  startIndex: number,
  resources: readonly ScimResource[],
  selection: AttributeSelection,
): RelayAnswer =>
  answerJson({
    schemas: [listSchema],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources.map((resource) => project(resource, selection)),
  })

/** Refuses with `version_outdated` when the client has seen another state. */
export const requireVersion = ({ header }: Pick<Context<null>, 'header'>, { meta }: ScimResource): void => {
  const wanted = header('if-match')
  if (wanted === null || wanted === '*') return
  if (!wanted.split(/\s*,\s*/).includes(meta.version)) throw fail('version_outdated')
}

const project = (resource: ScimResource, { attributes, excludedAttributes }: AttributeSelection): object => {
  const names = (list: string) => new Set(list.split(',').map(plainName))
  const always = new Set(['schemas', 'id'])
  if (attributes !== undefined) {
    const wanted = names(attributes)
    return keep(resource, (name) => always.has(name) || wanted.has(name))
  }
  if (excludedAttributes === undefined) return resource
  const unwanted = names(excludedAttributes)
  return keep(resource, (name) => always.has(name) || !unwanted.has(name))
}

/** Without the schema's name and what is within: all of an attribute is given, or nothing. */
const plainName = (name: string): string =>
  name
    .trim()
    .replace(/^urn:.*:/i, '')
    .replace(/\..*$/, '')
    .toLowerCase()

const keep = (resource: ScimResource, isWanted: (name: string) => boolean): object =>
  Object.fromEntries(Object.entries(resource).filter(([name]) => isWanted(name.toLowerCase())))
