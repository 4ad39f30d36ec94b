/** A sign-in for trying: what a provider said and what would follow, in words for an administrator. */
import { Trial } from '@atrium/contract/sign-in-providers'
import { OAuthFailure } from './failure.ts'
import type { SignInDecision } from './profile-mapping.ts'
import { type ProviderProfile, type OAuthProvider, publicOf, shownClaim } from './rules.ts'

const mostClaims = 200

/**
 * Runs the try and says how it ended; a failure of the list is a result as well. `said` is told who came back, so that
 * the claims are there even when something fails afterwards.
 */
export const trialOf = async (
  { id, provider, now }: { id: string; provider: OAuthProvider; now: number },
  run: (said: (profile: ProviderProfile) => void) => Promise<{ profile: ProviderProfile; decision: SignInDecision }>,
): Promise<Trial> => {
  const base = { id, provider: publicOf(provider), finishedAt: new Date(now).toISOString() }
  let heard: ProviderProfile | null = null
  try {
    const { profile, decision } = await run((profile) => {
      heard = profile
    })
    const { account, refusal, known, groups } = decision
    return Trial.parse({
      ...base,
      outcome: refusal ? 'refused' : known ? 'sign-in' : 'new-account',
      reason: refusal?.reason ?? null,
      detail: refusal?.detail ?? null,
      claims: claimsIn(profile),
      mapping: {
        subject: profile.subject,
        username: account?.username ?? decision.username,
        email: profile.email,
        emailVerified: profile.emailVerified,
        account: account && { id: account.id, username: account.username, role: account.role, status: account.status },
        role: decision.role ?? account?.role ?? 'user',
        groups,
      },
    })
  } catch (error) {
    if (!(error instanceof OAuthFailure)) throw error
    const claims = heard === null ? [] : claimsIn(heard)
    return { ...base, outcome: 'refused', reason: error.reason, detail: error.message, claims, mapping: null }
  }
}

const claimsIn = ({ claims }: ProviderProfile) => claims.slice(0, mostClaims).map(shownClaim)
