/** The way to an authorization server and back: where the browser is sent, and what the code that it brings is good for. */
import { randomBytes } from 'node:crypto'
import {
  exchangeAuthorization,
  extractWWWAuthenticateParams,
  type FetchLike,
  IssuerMismatchError,
  OAuthError,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client'
import type { Clock } from '../../../platform/clock.ts'
import type { Cookie } from '../../../platform/http/area.ts'
import type { OAuthClients } from './clients.ts'
import type { Discover } from './discovery.ts'
import { ownFailure, SignInFailure } from './failure.ts'
import { type Challenge, endOf, type Grant } from './rules.ts'
import { scopeFor } from './scope.ts'
import { cookieOf, type OAuthStore, type PendingFlow } from './store.ts'

/** What the way back has in its address. */
export interface Arrival {
  readonly code?: string | undefined
  readonly state?: string | undefined
  readonly iss?: string | undefined
  readonly error?: string | undefined
}

export interface OAuthSignIn {
  /** The address to send the browser to, and the cookie by which it is known again. Throws SignInFailure. */
  begin(try_: {
    readonly accountId: string
    readonly sessionId: string
    readonly server: { readonly id: string; readonly url: string }
    readonly redirectUrl: string
  }): Promise<{ authorizeUrl: string; cookie: Cookie }>
  /** The try that came back, once, and only to the browser that began it. Throws SignInFailure `state-invalid`. */
  take(serverId: string, arrival: Arrival, cookie: (name: string) => string | null): Promise<PendingFlow>
  /** What the authorization server gives for the code. Throws SignInFailure. */
  finish(flow: PendingFlow, arrival: Arrival): Promise<{ grant: Grant; expiresAt: number | null }>
}

export const createOAuthSignIn = (deps: {
  store: OAuthStore
  clients: OAuthClients
  discover: Discover
  fetchFn: FetchLike
  clock: Clock
}): OAuthSignIn => {
  const { store, clients, discover, fetchFn, clock } = deps

  /** What a server says to somebody who is not signed in; null where it says nothing of use. */
  const probe = async (url: string): Promise<Challenge | null> => {
    const answer = await fetchFn(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    })
    if (answer.status !== 401) return null
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(answer)
    return { resourceMetadataUrl: resourceMetadataUrl?.href ?? null, scope: scope ?? null }
  }

  return {
    async begin({ accountId, sessionId, server, redirectUrl }) {
      const known = await store.find({ accountId, serverId: server.id })
      const signIn = known?.signIn ?? null
      // Servers that answer requests without a token in other ways are found by their well-known addresses.
      const challenge = signIn?.challenge ?? (await probe(server.url).catch(() => null))
      const entered = await store.client(server.id, null)
      const preferred = entered?.issuer ?? signIn?.grant?.endpoints.issuer ?? null
      const { resource, resourceScopes, endpoints } = await discover(server.url, challenge, preferred)
      const scope = scopeFor({ challenge, signIn, resourceScopes, endpoints })
      const client = await clients.choose({ serverId: server.id, redirectUrl, scope, endpoints })
      const state = randomBytes(32).toString('base64url')
      const { authorizationUrl, codeVerifier } = await startAuthorization(endpoints.issuer, {
        metadata: { ...endpoints },
        clientInformation: client,
        redirectUrl,
        state,
        resource,
        ...(scope === null ? {} : { scope }),
      })
      const cookie = await store.beginFlow(
        {
          accountId,
          sessionId,
          serverId: server.id,
          verifier: codeVerifier,
          redirectUrl,
          resource,
          scope,
          client,
          endpoints,
        },
        state,
      )
      return { authorizeUrl: authorizationUrl.href, cookie }
    },

    async take(serverId, { state }, cookie) {
      const browser = state === undefined ? null : cookie(cookieOf(state))
      const flow = state === undefined || browser === null ? null : await store.takeFlow(state, browser, serverId)
      if (!flow)
        throw new SignInFailure('state-invalid', 'This sign-in wasn’t started here, took too long or was already used.')
      return flow
    },

    async finish(flow, { code, iss, error }) {
      const { endpoints, client, resource, scope } = flow
      try {
        // Before anything else of the answer is believed: another issuer may have worded all of it (RFC 9207).
        validateAuthorizationResponseIssuer({
          iss,
          expectedIssuer: endpoints.issuer,
          issParameterSupported: endpoints.authorization_response_iss_parameter_supported === true,
        })
        if (error !== undefined || code === undefined) throw refusalOf(error)
        const tokens = await exchangeAuthorization(endpoints.issuer, {
          metadata: { ...endpoints },
          clientInformation: client,
          authorizationCode: code,
          codeVerifier: flow.verifier,
          redirectUri: flow.redirectUrl,
          resource,
          fetchFn,
          ...(iss === undefined ? {} : { iss }),
        })
        if (tokens.token_type.toLowerCase() !== 'bearer')
          throw new SignInFailure('tokens-invalid', 'The authorization server issued an unknown kind of token.')
        const grant: Grant = {
          endpoints,
          client,
          resource,
          requestedScope: scope,
          grantedScope: tokens.scope ?? null,
          accessToken: tokens.access_token,
          refreshToken: tokens.refresh_token ?? null,
          signedInAt: clock.now(),
        }
        return { grant, expiresAt: endOf(tokens.expires_in, clock.now()) }
      } catch (failure) {
        throw asFailure(failure)
      }
    },
  }
}

const refusalOf = (error: string | undefined): SignInFailure =>
  error === 'access_denied'
    ? new SignInFailure('denied-there', 'The sign-in was declined there.')
    : new SignInFailure('refused-there', 'The authorization server refused the sign-in.')

const asFailure = (error: unknown): SignInFailure => {
  const own = ownFailure(error)
  if (own) return own
  if (error instanceof IssuerMismatchError)
    return new SignInFailure('issuer-mismatch', 'The answer came from another authorization server.', error)
  if (error instanceof OAuthError)
    return new SignInFailure('refused-there', 'The authorization server refused the code.')
  return new SignInFailure('tokens-invalid', 'The authorization server gave no usable tokens.')
}
