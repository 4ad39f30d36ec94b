/**
 * What an API token may do: one closed list, and one rule that gives every route its scopes. A new route is covered by
 * the rule; a new area is shut for tokens until its scopes are listed here.
 */
import type { Route } from './route.ts'

/** `inference` is all of `/v1`; `<area>:read` and `<area>:write` are the rest; `admin` comes on top for administrators. */
export const scopes = [
  'inference',
  'chat:read',
  'chat:write',
  'model-management:read',
  'model-management:write',
  'local-runtime:read',
  'local-runtime:write',
  'document-knowledge:read',
  'document-knowledge:write',
  'access-control:read',
  'access-control:write',
  'audit:read',
  'audit:write',
  'web-search:read',
  'web-search:write',
  'search:read',
  'usage:read',
  'usage:write',
  'settings-preferences:read',
  'settings-preferences:write',
  'durable-jobs:read',
  'durable-jobs:write',
  'email:read',
  'email:write',
  'user-administration:read',
  'user-administration:write',
  'account-data:read',
  'account-data:write',
  'system:read',
  'admin',
] as const
export type Scope = (typeof scopes)[number]

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
