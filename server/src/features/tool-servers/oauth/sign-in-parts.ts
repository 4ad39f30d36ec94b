import type { ToolOAuthDeps } from './index.ts'
import { createSignedInAuth } from './auth.ts'
import { createOAuthClients } from './clients.ts'
import { createDiscovery } from './discovery.ts'
import { createOAuthFetch, type Gate } from './oauth-fetch.ts'
import { createRevocation } from './revocation.ts'
import { createOAuthSignIn } from './sign-in.ts'
import type { OAuthStore } from './store.ts'
import { createTokens } from './tokens.ts'

export type SignInParts = ReturnType<typeof createSignInParts>

/** What signs in over one way out. */
export const createSignInParts = (deps: ToolOAuthDeps, gate: Gate, store: OAuthStore) => {
  const { clock, documentUrl } = deps
  const fetchFn = createOAuthFetch(gate)
  const clients = createOAuthClients({ store, clock, fetchFn, documentUrl })
  const signIn = createOAuthSignIn({ store, clients, discover: createDiscovery(gate, fetchFn), fetchFn, clock })
  const tokens = createTokens({ ...deps, store, clients, fetchFn })
  return { clients, signIn, revoke: createRevocation(fetchFn), openAuth: createSignedInAuth(tokens) }
}
