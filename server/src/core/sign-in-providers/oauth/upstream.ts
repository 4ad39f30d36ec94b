/** What the library says went wrong, in the words of our list. What answers said beyond their error code is left out. */
import type { ExternalReason } from '@atrium/contract/sign-in-providers'
import { OAuthFailure } from './failure.ts'
import { loadOpenid } from './openid.ts'

/** `otherwise`: what it is when nothing more exact is known. A bug stays what it is. */
export const asOAuthFailure = (error: unknown, otherwise: ExternalReason, detail: string): unknown => {
  const inner = findFailure(error)
  if (inner) return inner
  if (error instanceof loadOpenid().AuthorizationResponseError) {
    const reason = error.error === 'access_denied' ? 'denied-there' : 'upstream-error'
    return new OAuthFailure(reason, `The provider refused the sign-in (${codeWord(error.error)}).`, error)
  }
  if (error instanceof loadOpenid().ResponseBodyError)
    return new OAuthFailure('upstream-error', `The provider refused the code (${codeWord(error.error)}).`, error)
  if (error instanceof loadOpenid().WWWAuthenticateChallengeError)
    return new OAuthFailure('upstream-error', `The provider refused the request (${error.status}).`, error)
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return error
  if (error.code === 'OAUTH_TIMEOUT' || error.code === 'OAUTH_ABORT')
    return new OAuthFailure('upstream-timeout', 'The provider didn’t respond within ten seconds.', error)
  const about = aboutOf(error)
  const reason = reasonOf(error.code, about, otherwise)
  return new OAuthFailure(reason, `${detail} (${about === '' ? error.code : `${error.code}: ${about}`})`, error)
}

const reasonOf = (code: string, about: string, otherwise: ExternalReason): ExternalReason => {
  if (about === 'nonce') return 'nonce-mismatch'
  if (about === 'iss' || about === 'issuer') return 'issuer-mismatch'
  if (about === 'id_token') return 'no-id-token'
  if (about === 'alg' || /JWT|ALGORITHM|KEY/.test(code)) return 'id-token-invalid'
  return otherwise
}

/** The claim or parameter that it is about, where the library names one. */
const aboutOf = (error: Error): string => {
  const cause: unknown = error.cause
  for (const holder of [cause, cause instanceof Error ? cause.cause : null]) {
    if (typeof holder !== 'object' || holder === null) continue
    for (const name of ['claim', 'attribute'] as const)
      if (name in holder && typeof (holder as Record<string, unknown>)[name] === 'string')
        return codeWord((holder as Record<string, string>)[name] as string)
  }
  const named = /"(iss|nonce|id_token|alg|state)"/.exec(
    `${error.message} ${cause instanceof Error ? cause.message : ''}`,
  )
  return named?.[1] ?? ''
}

const codeWord = (text: string): string => (/^[\w.:/-]{1,80}$/.test(text) ? text : 'unknown')

const findFailure = (error: unknown): OAuthFailure | null => {
  let inner = error
  for (let depth = 0; depth < 6 && inner instanceof Error; depth++) {
    if (inner instanceof OAuthFailure) return inner
    inner = inner.cause
  }
  return null
}
