/** What stands in the form of a provider, and how it becomes what the server takes. */
import type { IdentityProvider } from '@atrium/contract/sign-in-providers'

export const providerKinds: readonly IdentityProvider['kind'][] = ['oidc', 'github', 'huggingface']

/** Lists are texts here, as people type them. */
export interface ProviderDraft
  extends Pick<IdentityProvider, 'kind' | 'name' | 'clientId' | 'trustsEmail' | 'syncGroups' | 'signUp' | 'enabled'> {
  readonly issuerUrl: string
  readonly clientSecret: string
  readonly scopes: string
  readonly allowedDomains: string
  readonly groupClaim: string
  readonly adminGroups: string
  readonly allowPrivate: boolean
}

export const draftOf = (provider: IdentityProvider | null): ProviderDraft => ({
  kind: provider?.kind ?? 'oidc',
  name: provider?.name ?? '',
  clientId: provider?.clientId ?? '',
  trustsEmail: provider?.trustsEmail ?? false,
  syncGroups: provider?.syncGroups ?? false,
  signUp: provider?.signUp ?? 'pending',
  enabled: provider?.enabled ?? true,
  issuerUrl: provider?.issuerUrl ?? '',
  clientSecret: '',
  scopes: provider?.scopes.join(' ') ?? '',
  allowedDomains: provider?.allowedDomains.join(' ') ?? '',
  groupClaim: provider?.groupClaim ?? '',
  adminGroups: provider?.adminGroups.join(', ') ?? '',
  allowPrivate: false,
})

/** A secret that was not typed stays as it is. */
export const bodyOf = (draft: ProviderDraft) => ({
  name: draft.name.trim(),
  // Where Hugging Face is needs no saying.
  issuerUrl: draft.kind === 'huggingface' || draft.issuerUrl.trim() === '' ? null : draft.issuerUrl.trim(),
  clientId: draft.clientId.trim(),
  ...(draft.clientSecret === '' ? {} : { clientSecret: draft.clientSecret }),
  scopes: wordsOf(draft.scopes),
  allowedDomains: wordsOf(draft.allowedDomains).map((domain) => domain.replace(/^@/, '').toLowerCase()),
  trustsEmail: draft.trustsEmail,
  groupClaim: draft.groupClaim.trim() || null,
  adminGroups: draft.adminGroups
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== ''),
  syncGroups: draft.syncGroups,
  signUp: draft.signUp,
  enabled: draft.enabled,
  ...(draft.allowPrivate ? { allowPrivate: true } : {}),
})

/** What a new provider is called in addresses: after its name, and none that is taken. */
export const idOf = ({ kind, name }: Pick<ProviderDraft, 'kind' | 'name'>, taken: readonly string[]): string => {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 32)
    .replace(/^-+|-+$/g, '')
  const base = kind === 'oidc' ? plain || 'oidc' : kind
  for (let count = 1; ; count++) {
    const id = count === 1 ? base : `${base}-${count}`
    if (!taken.includes(id)) return id
  }
}

const wordsOf = (text: string): string[] => text.split(/[\s,]+/).filter((word) => word !== '')
