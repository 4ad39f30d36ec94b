/** Sign-in with an account that somebody has elsewhere: GitHub, Hugging Face, and every OpenID provider. */
import { z } from 'zod'
import { Id, Nothing, Time } from '../common.ts'
import { redirect, routes } from '../route.ts'
import { MfaRequired, SignedIn, User } from '../accounts/account.ts'
import { Proof } from '../accounts/proof.ts'

export const providerKinds = ['github', 'huggingface', 'oidc'] as const

/** Names a provider in addresses; it never changes. */
const ProviderId = z
  .string()
  .max(40)
  .regex(/^[a-z0-9][a-z0-9-]*$/, 'small letters, digits and hyphens only')
const ByProvider = z.strictObject({ idp: ProviderId })
const ById = z.strictObject({ id: Id })

/** As visitors see it: what a button needs. */
export const ExternalProvider = z.strictObject({ id: ProviderId, name: z.string(), kind: z.enum(providerKinds) })
export type ExternalProvider = z.infer<typeof ExternalProvider>

const Domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'a domain, such as example.org')
const GroupName = z.string().trim().min(1).max(200)

const settings = {
  name: z.string().trim().min(1).max(80),
  /** The issuer of an OpenID provider, or the address of a GitHub Enterprise server; null for the usual place. */
  issuerUrl: z.string().trim().min(1).max(2000).nullable(),
  clientId: z.string().trim().min(1).max(500),
  scopes: z.array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/, 'one word without quotes')).max(50),
  /** Empty: every address. Otherwise a verified address of one of these is needed. */
  allowedDomains: z.array(Domain).max(200),
  /** Its addresses count as verified, though it does not say so (`email_verified` is missing). */
  trustsEmail: z.boolean(),
  /** The claim that lists groups; dots lead inside: `realm_access.roles`. */
  groupClaim: z.string().trim().min(1).max(200).nullable(),
  /** Who is in one of these is administrator, and who is not is none. Empty: roles are left alone. */
  adminGroups: z.array(GroupName).max(100),
  /** Memberships of groups that have the same name here follow at each sign-in. */
  syncGroups: z.boolean(),
  /** What becomes of people who have no account here. */
  signUp: z.enum(['off', 'pending', 'active']),
  enabled: z.boolean(),
}

/** As administrators see it. The client secret is never told. */
export const IdentityProvider = z.strictObject({
  id: ProviderId,
  kind: z.enum(providerKinds),
  ...settings,
  hasSecret: z.boolean(),
  source: z.enum(['saved', 'environment']),
  /** What has to be registered with the provider. */
  callbackUrl: z.string(),
  logoutUrl: z.string().nullable(),
  /** How many accounts are linked. */
  accounts: z.number().int(),
})
export type IdentityProvider = z.infer<typeof IdentityProvider>

const clientSecret = z.string().min(1).max(2000)
/** Puts the host and port of the provider on the list of private addresses that may be called. */
const allowPrivate = z.boolean()

/** A sign-in that an account is linked with. */
export const Identity = z.strictObject({
  id: Id,
  provider: ExternalProvider,
  /** What the provider calls this person: a name or an address. */
  label: z.string(),
  createdAt: Time,
  lastUsedAt: Time.nullable(),
})
export type Identity = z.infer<typeof Identity>

/** A sign-in that began without a click here: whose it is, so that the person can say whether it is meant. */
const ToConfirm = z.strictObject({
  confirm: z.strictObject({ username: z.string(), provider: ExternalProvider }),
})

/** Why an external sign-in was refused: in the audit, and for administrators who try a provider. */
export const externalReasons = [
  'unconfigured',
  'place-unknown',
  'state-invalid',
  'denied-there',
  'upstream-error',
  'upstream-timeout',
  'address-not-allowed',
  'discovery-invalid',
  'issuer-mismatch',
  'jwks-invalid',
  'jwks-no-key',
  'no-id-token',
  'id-token-invalid',
  'nonce-mismatch',
  'email-domain-denied',
  'email-in-use',
  'registration-disabled',
  'first-account-local',
  'account-pending',
  'account-disabled',
  'account-create-failed',
  'identity-taken',
  'session-ended',
] as const
export type ExternalReason = (typeof externalReasons)[number]

const Groups = z.strictObject({
  claimed: z.array(z.string()),
  joins: z.array(z.string()),
  leaves: z.array(z.string()),
  /** Claimed, but there is no group of this name here. */
  unknown: z.array(z.string()),
})

/** What a sign-in for trying would have done. Nothing was made and nothing was changed. */
export const Trial = z.strictObject({
  id: Id,
  provider: ExternalProvider,
  finishedAt: Time,
  outcome: z.enum(['sign-in', 'new-account', 'refused']),
  reason: z.enum(externalReasons).nullable(),
  detail: z.string().nullable(),
  claims: z.array(z.strictObject({ source: z.string(), name: z.string(), value: z.string() })),
  mapping: z
    .strictObject({
      subject: z.string(),
      username: z.string(),
      email: z.string().nullable(),
      emailVerified: z.boolean(),
      account: User.pick({ id: true, username: true, role: true, status: true }).nullable(),
      role: z.enum(['admin', 'user']),
      groups: Groups,
    })
    .nullable(),
})
export type Trial = z.infer<typeof Trial>

export const external = routes({
  externalProviders: {
    method: 'get',
    path: '/api/auth/oauth',
    access: 'public',
    summary: 'List the providers that people can sign in with',
    returns: z.strictObject({ items: z.array(ExternalProvider), nextCursor: z.null() }),
  },
  externalStart: {
    method: 'get',
    path: '/api/auth/oauth/{idp}',
    access: 'public',
    limit: 'external',
    summary: 'Redirect to a provider to sign in',
    names: 'instance',
    params: ByProvider,
    query: z.strictObject({
      /** A path of the web app to come back to. */
      next: z.string().max(2000).optional(),
      /** Whether a window was opened for it, which is closed at the end. */
      window: z.literal('1').optional(),
    }),
    returns: redirect,
    errors: ['identity_provider_not_found'],
  },
  externalCallback: {
    method: 'get',
    path: '/api/auth/oauth/{idp}/callback',
    access: 'public',
    limit: 'external',
    summary: 'Return from a provider. Redirects to the web app with `auth=success`, `approval=pending` or `error=…`',
    names: 'instance',
    params: ByProvider,
    // RFC 6749, section 4.1.2: what is not known is ignored.
    query: z.looseObject({
      code: z.string().max(4000).optional(),
      state: z.string().max(200).optional(),
      error: z.string().max(200).optional(),
    }),
    returns: redirect,
    errors: ['identity_provider_not_found'],
  },
  externalStatus: {
    method: 'get',
    path: '/api/auth/oauth/{idp}/status',
    access: 'public',
    summary: 'Get whether a provider is set up',
    names: 'instance',
    params: ByProvider,
    returns: z.strictObject({ configured: z.boolean(), displayName: z.string().optional() }),
    errors: ['identity_provider_not_found'],
  },
  externalExchange: {
    method: 'post',
    path: '/api/auth/oauth/exchange',
    access: 'public',
    limit: 'external',
    noStore: true,
    summary:
      'Exchange the callback’s cookie for a session, or for a challenge if a second factor is needed. A sign-in not started on this site’s sign-in page must be confirmed first',
    body: z.strictObject({ confirmed: z.boolean().default(false) }).default({ confirmed: false }),
    returns: z.union([SignedIn, MfaRequired, ToConfirm]),
    errors: ['challenge_over', 'account_pending', 'account_disabled'],
  },
  backchannelLogout: {
    method: 'post',
    path: '/api/auth/oauth/{idp}/backchannel-logout',
    access: 'public',
    limit: 'external',
    noStore: true,
    summary: 'End the sessions of someone who signed out at an OpenID provider (OpenID Connect Back-Channel Logout)',
    names: 'instance',
    params: ByProvider,
    upload: { maxBytes: 64 * 1024 },
    returns: Nothing,
    errors: ['identity_provider_not_found', 'logout_token_invalid'],
  },
  identities: {
    method: 'get',
    path: '/api/auth/identities',
    access: 'user',
    summary: 'List your linked sign-ins',
    returns: z.strictObject({
      items: z.array(Identity),
      nextCursor: z.null(),
      /** Whether the account can sign in with a password. */
      hasPassword: z.boolean(),
      /** One that was shown at the sign-in page and waits to be linked with this account. */
      waiting: z.strictObject({ provider: ExternalProvider, label: z.string() }).nullable(),
    }),
  },
  linkIdentity: {
    method: 'post',
    path: '/api/auth/identities/{idp}/link',
    access: 'user',
    limit: 'account',
    summary: 'Start linking a sign-in; returns the address to open. Needs a proof or a sign-in just before',
    names: 'instance',
    params: ByProvider,
    body: Proof.default({}),
    returns: z.strictObject({ url: z.string() }),
    errors: [
      'identity_provider_not_found',
      'proof_needed',
      'wrong_password',
      'wrong_code',
      'place_unknown',
      'provider_unreachable',
    ],
  },
  linkWaiting: {
    method: 'post',
    path: '/api/auth/identities/waiting',
    access: 'user',
    proof: true,
    limit: 'account',
    summary: 'Link the sign-in that is waiting since the sign-in page',
    returns: Identity,
    errors: ['identity_not_found', 'identity_linked'],
  },
  forgetWaiting: {
    method: 'delete',
    path: '/api/auth/identities/waiting',
    access: 'user',
    summary: 'Discard the sign-in that is waiting to be linked',
    returns: Nothing,
  },
  unlinkIdentity: {
    method: 'delete',
    path: '/api/auth/identities/{id}',
    access: 'user',
    proof: true,
    limit: 'account',
    summary: 'Unlink a sign-in. Refused for your last sign-in method',
    names: 'own',
    params: ById,
    returns: Nothing,
    errors: ['identity_not_found', 'last_way_in'],
  },
  identityProviders: {
    method: 'get',
    path: '/api/auth/providers',
    access: 'admin',
    summary: 'List all sign-in providers with their settings',
    returns: z.strictObject({
      items: z.array(IdentityProvider),
      /** The ids of saved ones that cannot be read: nobody signs in with them, and they can be removed. */
      unreadable: z.array(z.string()),
      nextCursor: z.null(),
    }),
  },
  addIdentityProvider: {
    method: 'post',
    path: '/api/auth/providers',
    access: 'admin',
    proof: true,
    limit: 'account',
    summary: 'Add a sign-in provider. The settings of an OpenID provider are fetched from it first',
    body: z.strictObject({
      id: ProviderId,
      kind: z.enum(providerKinds),
      name: settings.name,
      clientId: settings.clientId,
      clientSecret: clientSecret.nullable().default(null),
      issuerUrl: settings.issuerUrl.default(null),
      scopes: settings.scopes.default([]),
      allowedDomains: settings.allowedDomains.default([]),
      trustsEmail: settings.trustsEmail.default(false),
      groupClaim: settings.groupClaim.default(null),
      adminGroups: settings.adminGroups.default([]),
      syncGroups: settings.syncGroups.default(false),
      signUp: settings.signUp.default('off'),
      enabled: settings.enabled.default(true),
      allowPrivate: allowPrivate.default(false),
    }),
    returns: IdentityProvider,
    errors: [
      'identity_provider_exists',
      'identity_provider_limit',
      'issuer_invalid',
      'url_not_allowed',
      'setting_locked',
    ],
  },
  updateIdentityProvider: {
    method: 'patch',
    path: '/api/auth/providers/{id}',
    access: 'admin',
    proof: true,
    limit: 'account',
    summary: 'Update a sign-in provider. A new issuer removes its links',
    names: 'instance',
    params: ById,
    body: z.strictObject({ ...settings, clientSecret: clientSecret.nullable(), allowPrivate }).partial(),
    returns: IdentityProvider,
    errors: ['identity_provider_not_found', 'issuer_invalid', 'url_not_allowed', 'setting_locked'],
  },
  removeIdentityProvider: {
    method: 'delete',
    path: '/api/auth/providers/{id}',
    access: 'admin',
    proof: true,
    limit: 'account',
    summary: 'Delete a sign-in provider and all links with it. Accounts are kept',
    names: 'instance',
    params: ById,
    returns: Nothing,
    errors: ['identity_provider_not_found', 'setting_locked'],
  },
  tryIdentityProvider: {
    method: 'post',
    path: '/api/auth/providers/{id}/trials',
    access: 'admin',
    limit: 'account',
    summary: 'Start a test sign-in that only shows what would happen. Returns the address to open',
    names: 'instance',
    params: ById,
    returns: z.strictObject({ url: z.string() }),
    errors: ['identity_provider_not_found'],
  },
  trial: {
    method: 'get',
    path: '/api/auth/providers/trials/{id}',
    access: 'admin',
    noStore: true,
    summary: 'Get what a test sign-in would have done. Kept for one hour, for whoever ran it',
    names: 'own',
    params: ById,
    returns: Trial,
    errors: ['trial_not_found'],
  },
})
