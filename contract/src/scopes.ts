/**
 * What an API token may do: one closed list, and one rule that gives every route its scopes. A new route is covered by
 * the rule; a new area is shut for tokens until its scopes are listed here.
 */
import { type AreaDescriptions, descriptions } from './index.ts'
import type { Route } from './route.ts'

type ScopesOf<D> = D extends {
  readonly tag: infer T extends string
  readonly scopes: readonly (infer S extends string)[]
}
  ? `${T}:${S}`
  : never
/** `inference` is all of `/v1`; `<tag>:read` and `<tag>:write` are the rest; `admin` comes on top for administrators. */
export type Scope = 'inference' | ScopesOf<AreaDescriptions> | 'admin'

const areaScopes = descriptions.flatMap(({ tag, scopes = [] }) => scopes.map((scope) => `${tag}:${scope}` as Scope))
export const scopes: readonly [Scope, ...Scope[]] = ['inference', ...areaScopes, 'admin']

/**
 * The scopes that a token needs for a route, all of them; null where no token will do. The account's own routes
 * (sign-in, password, sessions, tokens, taking all it has along or away) are for people: a token may only ask whose it is.
 */
export const scopesOf = (
  area: string,
  { access, method, path, forPeople }: Pick<Route, 'access' | 'method' | 'path' | 'forPeople'>,
): readonly string[] | null => {
  if (access === 'public') return []
  if (forPeople) return null
  // Directories have tokens of their own, and only people hand them out.
  if (area === 'scim') return null
  if (area === 'account-data' && access === 'user') return null
  if (area === 'authentication') return method === 'get' && path === '/api/auth/me' ? [] : null
  const own = path.startsWith('/v1/') ? 'inference' : `${area}:${method === 'get' ? 'read' : 'write'}`
  return access === 'admin' ? [own, 'admin'] : [own]
}
