/** The keys of OpenID providers: kept for ten minutes, and asked for once more when a token names one that is not there. */
import type { JSONWebKeySet, JWTVerifyOptions, JWTPayload } from 'jose'
import { z } from 'zod'
import { createCache } from '../../../platform/cache/cache.ts'
import type { Clock } from '../../../platform/clock.ts'
import { loadPackage } from '../../../platform/load-package.ts'
import { OAuthFailure } from './failure.ts'
import type { ProviderFetch } from './provider-fetch.ts'

/** Signatures with a public key only: never none, and never one that our own secret could make. */
export const signatureAlgorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]
const keptMs = 10 * 60_000
const keptCount = 100

const KeySet = z.object({ keys: z.array(z.record(z.string(), z.unknown())).max(100) })
interface CachedKeys {
  readonly keys: JSONWebKeySet
}

/** How far the clock of a provider may be off. */
const toleranceSeconds = 30

export interface ProviderKeys {
  /**
   * The claims of a token with a right signature that was issued to the audience, and not in the future (OpenID Connect
   * Core 1.0, section 3.1.3.7). Throws OAuthFailure.
   */
  verify(token: string, jwksUri: string, options: JWTVerifyOptions & { readonly audience: string }): Promise<JWTPayload>
}

export const createProviderKeys = ({ fetch, clock }: { fetch: ProviderFetch; clock: Clock }): ProviderKeys => {
  const kept = createCache<CachedKeys>({ max: keptCount, ttl: { ms: keptMs, clock } })

  const load = async (uri: string): Promise<CachedKeys> => {
    const response = await fetch(uri, { headers: { accept: 'application/jwk-set+json, application/json' } })
    const body = response.ok ? KeySet.safeParse(await response.json().catch(() => null)) : null
    if (!body?.success) throw new OAuthFailure('jwks-invalid', 'Couldn’t read the provider’s keys (jwks_uri).')
    // A key that both sides know is no proof of who signed.
    const keys = body.data.keys.filter(({ kty }) => kty !== 'oct') as unknown as JSONWebKeySet['keys']
    const loaded = { keys: { keys } }
    kept.set(uri, loaded)
    return loaded
  }

  return {
    async verify(token, jwksUri, options) {
      const known = kept.get(jwksUri)
      const fresh = known ?? (await load(jwksUri))
      try {
        return requireOwn(await check(token, fresh.keys, options, clock), options.audience, clock)
      } catch (error) {
        // What was asked for just now is as new as it can be.
        if (!isKeyMissing(error) || fresh !== known) throw asFailure(error)
      }
      const again = await load(jwksUri)
      const claims = await check(token, again.keys, options, clock).catch((error: unknown) => {
        throw asFailure(error)
      })
      return requireOwn(claims, options.audience, clock)
    },
  }
}

const check = async (
  token: string,
  keys: JSONWebKeySet,
  options: JWTVerifyOptions,
  clock: Clock,
): Promise<JWTPayload> => {
  const checks = {
    ...options,
    signatureAlgorithms,
    clockTolerance: toleranceSeconds,
    currentDate: new Date(clock.now()),
  }
  const { createLocalJWKSet, errors, jwtVerify } = loadPackage('jose')
  try {
    return (await jwtVerify(token, createLocalJWKSet(keys), checks)).payload
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    for await (const key of error) {
      try {
        return (await jwtVerify(token, key, checks)).payload
      } catch (inner) {
        // The next one may fit.
        if (!(inner instanceof errors.JWSSignatureVerificationFailed)) throw inner
      }
    }
    throw new errors.JWSSignatureVerificationFailed()
  }
}

/** A token that another client was given stays that client's, also when we are among those it is for. */
const requireOwn = (claims: JWTPayload, clientId: string, clock: Clock): JWTPayload => {
  const { azp, iat } = claims
  if (azp !== undefined && azp !== clientId)
    throw new OAuthFailure('id-token-invalid', 'The provider’s token was issued to another client (azp).')
  if (typeof iat !== 'number')
    throw new OAuthFailure('id-token-invalid', 'The provider’s token doesn’t say when it was issued (iat).')
  if (iat > clock.now() / 1000 + toleranceSeconds)
    throw new OAuthFailure('id-token-invalid', 'The provider’s token was issued in the future (iat).')
  return claims
}

const isKeyMissing = (error: unknown): boolean => error instanceof loadPackage('jose').errors.JWKSNoMatchingKey

const asFailure = (error: unknown): OAuthFailure => {
  if (error instanceof OAuthFailure) return error
  if (isKeyMissing(error))
    return new OAuthFailure('jwks-no-key', 'The token is signed with a key that the provider doesn’t list.', error)
  if (error instanceof loadPackage('jose').errors.JOSEError) {
    const claim = 'claim' in error && typeof error.claim === 'string' ? ` (${error.claim})` : ''
    return new OAuthFailure('id-token-invalid', `The provider’s token is invalid: ${error.code}${claim}.`, error)
  }
  throw error
}
