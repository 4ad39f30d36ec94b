/** What protects a server, and what its authorization server can do (RFC 9728, RFC 8414, OpenID Connect Discovery). */
import {
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  type FetchLike,
  checkResourceAllowed,
  IssuerMismatchError,
  type OAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/client'
import { ownFailure, SignInFailure } from './failure.ts'
import { type Gate, requireAddress } from './oauth-fetch.ts'
import { type Challenge, Endpoints, endpointNames } from './rules.ts'

export interface ServerProtection {
  /** The server as its tokens are for it, letter by letter as it calls itself. */
  readonly resource: string
  readonly resourceScopes: readonly string[] | undefined
  readonly endpoints: Endpoints
}

/** `issuer`: the one that is taken where the server names several. Throws SignInFailure. */
export type Discover = (
  serverUrl: string,
  challenge: Challenge | null,
  issuer: string | null,
) => Promise<ServerProtection>

export const createDiscovery = (gate: Gate, fetchFn: FetchLike): Discover => {
  const readResource = async (
    serverUrl: string,
    named: string | null,
  ): Promise<OAuthProtectedResourceMetadata | null> => {
    let status = 0
    const noting: FetchLike = async (address, init) => {
      const answer = await fetchFn(address, init)
      status = answer.status
      return answer
    }
    try {
      return await discoverOAuthProtectedResourceMetadata(
        serverUrl,
        named === null ? {} : { resourceMetadataUrl: named },
        noting,
      )
    } catch (error) {
      const own = ownFailure(error)
      if (own) throw own
      // Servers of the time before RFC 9728 have none, and are their own authorization servers.
      if (named === null && status >= 400 && status < 500) return null
      throw new SignInFailure('resource-invalid', 'The server’s sign-in metadata is invalid.', error)
    }
  }

  const readEndpoints = async (issuer: string): Promise<Endpoints> => {
    const metadata = await discoverAuthorizationServerMetadata(issuer, { fetchFn }).catch((error: unknown) => {
      const own = ownFailure(error)
      if (own) throw own
      if (error instanceof IssuerMismatchError)
        throw new SignInFailure('issuer-mismatch', 'The authorization server reports a different issuer.', error)
      throw new SignInFailure('metadata-invalid', 'The authorization server’s metadata is invalid.', error)
    })
    const read = Endpoints.safeParse(metadata)
    if (!read.success) throw new SignInFailure('metadata-invalid', 'The authorization server’s metadata is invalid.')
    return read.data
  }

  const requireUsable = async (endpoints: Endpoints): Promise<void> => {
    for (const name of endpointNames) {
      const address = endpoints[name]
      if (address !== undefined) await requireAddress(gate, address)
    }
    if (!endpoints.response_types_supported.includes('code'))
      throw new SignInFailure('metadata-invalid', 'The authorization server gives no authorization codes.')
    if (!endpoints.code_challenge_methods_supported?.includes('S256'))
      throw new SignInFailure('pkce-missing', 'The authorization server doesn’t protect codes with PKCE (S256).')
  }

  return async (serverUrl, challenge, preferred) => {
    const own = new URL(serverUrl)
    own.hash = ''
    const described = await readResource(serverUrl, challenge?.resourceMetadataUrl ?? null)
    if (described && !isOwn(own, described.resource))
      throw new SignInFailure('resource-mismatch', 'The server’s metadata is for another server.')
    const issuers = described?.authorization_servers ?? []
    const issuer = issuers.find((each) => each === preferred) ?? issuers[0] ?? String(new URL('/', serverUrl))
    const endpoints = await readEndpoints(issuer)
    await requireUsable(endpoints)
    return { resource: described?.resource ?? own.href, resourceScopes: described?.scopes_supported, endpoints }
  }
}

const isOwn = (own: URL, resource: string): boolean =>
  URL.canParse(resource) && checkResourceAllowed({ requestedResource: own, configuredResource: resource })
