/** Why a sign-in with a provider failed: one closed list, for the audit and for whoever tries a provider. */
import type { ExternalReason } from '@atrium/contract/sign-in-providers'

/** The detail is for administrators: it never holds a secret or what an answer said beyond its error code. */
export class OAuthFailure extends Error {
  override name = 'OAuthFailure'
  readonly reason: ExternalReason
  constructor(reason: ExternalReason, detail: string, cause?: unknown) {
    super(detail, { cause })
    this.reason = reason
  }
}

/** The codes that the web app gets in its address. */
export const publicErrorOf = (reason: ExternalReason): string => {
  switch (reason) {
    case 'unconfigured':
      return 'oauth_not_configured'
    case 'registration-disabled':
    case 'first-account-local':
      return 'registration_disabled'
    case 'email-in-use':
      return 'email_in_use'
    case 'email-domain-denied':
      return 'domain_not_allowed'
    case 'place-unknown':
      return 'place_unknown'
    case 'account-disabled':
      return 'account_disabled'
    case 'identity-taken':
      return 'identity_linked'
    default:
      return 'oauth_failed'
  }
}
