import { computeScopeUnion } from '@modelcontextprotocol/client'
import type { Challenge, Endpoints, SignIn } from './rules.ts'

/**
 * Which scope to ask for: what the server asked for and what the account had before, else all that the server names, else
 * none; and a refresh token where the authorization server says how (SEP-2207, SEP-2350).
 */
export const scopeFor = (known: {
  readonly challenge: Challenge | null
  readonly signIn: SignIn | null
  readonly resourceScopes: readonly string[] | undefined
  readonly endpoints: Endpoints
}): string | null => {
  const { challenge, signIn, resourceScopes, endpoints } = known
  const before = signIn?.grant
    ? computeScopeUnion(signIn.grant.requestedScope ?? undefined, signIn.grant.grantedScope ?? undefined)
    : (signIn?.lastScope ?? undefined)
  const asked = challenge?.scope
    ? computeScopeUnion(before, challenge.scope)
    : (before ?? computeScopeUnion(resourceScopes?.join(' ')))
  if (asked === undefined) return null
  const isOffline = endpoints.scopes_supported?.includes('offline_access')
  return (isOffline ? computeScopeUnion(asked, 'offline_access') : asked) ?? null
}
