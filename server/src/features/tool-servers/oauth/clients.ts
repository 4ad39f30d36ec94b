/** Who Atrium is to an authorization server: entered, a document at an address of ours, or registered (RFC 7591). */
import { type FetchLike, registerClient, RegistrationRejectedError } from '@modelcontextprotocol/client'
import type { Clock } from '../../../platform/clock.ts'
import { clientMetadata } from './client-metadata.ts'
import { ownFailure, SignInFailure } from './failure.ts'
import { authMethodOf, type Endpoints, isWithin, type OAuthClient } from './rules.ts'
import type { OAuthStore, StoredClient } from './store.ts'

export interface ClientChoice {
  readonly serverId: string
  readonly redirectUrl: string
  readonly scope: string | null
  readonly endpoints: Endpoints
}

export interface OAuthClients {
  /** The client for an issuer; registers one where it has to. Throws SignInFailure. */
  choose(choice: ClientChoice): Promise<OAuthClient>
  /** The client that a sign-in was made with, with the secret that it has now. */
  current(serverId: string, client: OAuthClient): Promise<OAuthClient>
  /** The authorization server does not know it any more. */
  forget(serverId: string, issuer: string, client: OAuthClient): Promise<void>
}

export const createOAuthClients = (deps: {
  store: OAuthStore
  clock: Clock
  fetchFn: FetchLike
  /** Where the document of a server's client is, for everybody to read; null where nobody could. */
  documentUrl: (serverId: string) => string | null
}): OAuthClients => {
  const { store, clock, fetchFn, documentUrl } = deps

  const entered = async (serverId: string, issuer: string): Promise<OAuthClient | null> => {
    const stored = await store.client(serverId, null)
    if (!stored) return null
    // A secret that was entered for one issuer is never shown to another.
    if (stored.issuer !== null && stored.issuer !== issuer)
      throw new SignInFailure(
        'issuer-changed',
        'The authorization server has changed. An administrator has to enter the client ID again.',
      )
    if (stored.issuer === null) await store.saveClient(serverId, null, { ...stored, issuer })
    return stored.client
  }

  /** Some authorization servers hold a client to the scope that it was registered with. */
  const isUsable = ({ redirectUrl, scope, secretEndsAt }: StoredClient, choice: ClientChoice): boolean =>
    redirectUrl === choice.redirectUrl &&
    (scope === null || isWithin(choice.scope, scope)) &&
    (secretEndsAt === null || secretEndsAt > clock.now())

  const register = async ({ redirectUrl, scope, endpoints }: ClientChoice): Promise<StoredClient> => {
    const known = await registerClient(endpoints.issuer, {
      metadata: { ...endpoints },
      clientMetadata: { ...clientMetadata(redirectUrl), token_endpoint_auth_method: authMethodOf(endpoints) },
      ...(scope === null ? {} : { scope }),
      fetchFn,
    }).catch((error: unknown) => {
      const own = ownFailure(error)
      if (own) throw own
      const status = error instanceof RegistrationRejectedError ? ` (${error.status})` : ''
      throw new SignInFailure('registration-refused', `The authorization server refused to register Atrium${status}.`)
    })
    const { client_id, client_secret, token_endpoint_auth_method, client_secret_expires_at: ends } = known
    return {
      client: {
        source: 'registered',
        client_id,
        ...(client_secret === undefined ? {} : { client_secret }),
        ...(token_endpoint_auth_method === undefined ? {} : { token_endpoint_auth_method }),
      },
      issuer: endpoints.issuer,
      redirectUrl,
      scope,
      secretEndsAt: ends ? ends * 1000 : null,
    }
  }

  return {
    async choose(choice) {
      const { serverId, endpoints } = choice
      const own = await entered(serverId, endpoints.issuer)
      if (own) return own
      const document = documentUrl(serverId)
      if (endpoints.client_id_metadata_document_supported && document !== null)
        return { source: 'document', client_id: document, token_endpoint_auth_method: 'none' }
      const known = await store.client(serverId, endpoints.issuer)
      if (known && isUsable(known, choice)) return known.client
      if (endpoints.registration_endpoint === undefined)
        throw new SignInFailure(
          'no-client',
          'The authorization server doesn’t register apps automatically. An administrator has to enter a client ID.',
        )
      const registered = await register(choice)
      // Where two register at once, both use the one that was first: tokens belong to the client that asked for them.
      await store.saveClient(serverId, endpoints.issuer, registered, known ? undefined : 'exists')
      return (await store.client(serverId, endpoints.issuer))?.client ?? registered.client
    },

    async current(serverId, client) {
      if (client.source !== 'administrator') return client
      const stored = await store.client(serverId, null)
      return stored?.client.client_id === client.client_id ? stored.client : client
    },

    async forget(serverId, issuer, client) {
      const known = client.source === 'registered' ? await store.client(serverId, issuer) : null
      if (known?.client.client_id === client.client_id) await store.removeClient(serverId, issuer)
    },
  }
}
