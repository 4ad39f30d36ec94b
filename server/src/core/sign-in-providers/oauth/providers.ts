/** Which providers there are: those of the environment, which cannot be changed here, and those of the settings. */
import { fail } from '../../../platform/http/refusal.ts'
import type { ProviderStore } from './provider-store.ts'
import type { OAuthProvider } from './rules.ts'

/** What the environment says of a provider. */
export interface EnvironmentProvider {
  readonly kind: OAuthProvider['kind']
  readonly clientId: string
  readonly clientSecret: string | null
  readonly callbackUrl?: string | undefined
  readonly issuerUrl?: string | undefined
  readonly name?: string | undefined
  readonly scopes?: readonly string[] | undefined
  readonly allowedDomains?: readonly string[] | undefined
  readonly groupClaim?: string | undefined
  readonly adminGroups?: readonly string[] | undefined
  readonly syncGroups?: boolean | undefined
}

export interface OAuthProviders {
  /** All of them; one of the environment stands in the place of a saved one of its id. */
  list(): Promise<OAuthProvider[]>
  /** One that is enabled, by its id; `oidc` is also the first OpenID provider. Refuses with `identity_provider_not_found`. */
  require(id: string): Promise<OAuthProvider>
  /** One that may be disabled, by its exact id; null for none. */
  find(id: string): Promise<OAuthProvider | null>
}

const usualNames = { github: 'GitHub', huggingface: 'Hugging Face', oidc: 'OpenID Connect' } as const

export const createOAuthProviders = (deps: {
  store: ProviderStore
  environment: readonly EnvironmentProvider[]
  signupEnabled: () => Promise<boolean>
  /** Where Hugging Face is. */
  huggingface: string
}): OAuthProviders => {
  const { store, environment, huggingface } = deps

  /** New accounts follow the setting of the instance: closed, or waiting for approval. */
  const fixed = async (): Promise<OAuthProvider[]> => {
    if (environment.length === 0) return []
    const signUp = (await deps.signupEnabled()) ? 'pending' : 'off'
    return environment.map((given) => ({
      id: given.kind,
      kind: given.kind,
      enabled: true,
      source: 'environment',
      signUp,
      trustsEmail: false,
      name: given.name ?? usualNames[given.kind],
      clientId: given.clientId,
      clientSecret: given.clientSecret,
      issuerUrl: given.issuerUrl ?? null,
      callbackUrl: given.callbackUrl ?? null,
      scopes: [...(given.scopes ?? [])],
      allowedDomains: [...(given.allowedDomains ?? [])],
      groupClaim: given.groupClaim ?? null,
      adminGroups: [...(given.adminGroups ?? [])],
      syncGroups: given.syncGroups ?? false,
    }))
  }
  /** Hugging Face is an OpenID provider whose place is known. */
  const placed = (provider: OAuthProvider): OAuthProvider =>
    provider.kind === 'huggingface' && provider.issuerUrl === null ? { ...provider, issuerUrl: huggingface } : provider

  const list = async (): Promise<OAuthProvider[]> => {
    const first = await fixed()
    const taken = new Set(first.map(({ id }) => id))
    return [...first, ...(await store.list()).filter(({ id }) => !taken.has(id))].map(placed)
  }

  return {
    list,
    async find(id) {
      return (await list()).find((provider) => provider.id === id) ?? null
    },
    async require(id) {
      const enabled = (await list()).filter((provider) => provider.enabled)
      const found =
        enabled.find((provider) => provider.id === id) ??
        (id === 'oidc' ? enabled.find(({ kind }) => kind === 'oidc') : undefined)
      if (!found) throw fail('identity_provider_not_found')
      return found
    },
  }
}
