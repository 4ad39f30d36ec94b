/** Sign-in providers that the environment sets up. */
import { z } from 'zod'
import { type BoundDeclarations, declareVariables, yesNo } from '../../platform/settings/index.ts'
import type { EnvironmentProvider } from './oauth/providers.ts'

const text = z.string().trim()
const url = text.refine((given) => /^https?:$/.test(URL.parse(given)?.protocol ?? ''), 'must be a web address')
const words = text.transform((given) => given.split(/[\s,]+/).filter((word) => word !== ''))
const names = text.transform((given) =>
  given
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== ''),
)

const set = { usual: 'unset: set in the app' }
const github = { ...set, needs: ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'] }
const huggingface = { ...set, needs: ['HUGGINGFACE_CLIENT_ID', 'HUGGINGFACE_CLIENT_SECRET'] }
// A public client has no secret.
const oidc = { ...set, needs: ['OIDC_ISSUER_URL', 'OIDC_CLIENT_ID'] }

export const signInProviderSettings = declareVariables({
  GITHUB_CLIENT_ID: [text, 'client ID for sign-in with GitHub ([docs/sign-in.md](docs/sign-in.md))', github],
  GITHUB_CLIENT_SECRET: [text, 'client secret', github],
  GITHUB_CALLBACK_URL: [url, 'callback URL, if not at `BASE_URL`', github],
  HUGGINGFACE_CLIENT_ID: [text, 'client ID for sign-in with Hugging Face', huggingface],
  HUGGINGFACE_CLIENT_SECRET: [text, 'client secret', huggingface],
  HUGGINGFACE_CALLBACK_URL: [url, 'callback URL, if not at `BASE_URL`', huggingface],
  OIDC_ISSUER_URL: [url, 'issuer URL of an OpenID provider, for sign-in', oidc],
  OIDC_CLIENT_ID: [text, 'client ID of this server there', oidc],
  OIDC_CLIENT_SECRET: [text, 'client secret; public clients have none', oidc],
  OIDC_CALLBACK_URL: [url, 'callback URL, if not at `BASE_URL`', oidc],
  OIDC_DISPLAY_NAME: [text.max(80), 'the provider’s name on the sign-in page', oidc],
  OIDC_SCOPES: [words, 'the scopes to request, separated by spaces or commas', oidc],
  OIDC_ALLOWED_EMAIL_DOMAINS: [
    words.transform((list) => list.map((domain) => domain.toLowerCase())),
    'e-mail domains that may sign in',
    oidc,
  ],
  OIDC_GROUP_CLAIM: [text, 'the claim that lists a person’s groups', { ...oidc, usual: '`groups`' }],
  OIDC_ADMIN_GROUPS: [names, 'groups whose members become administrators, separated by commas', oidc],
  OIDC_SYNC_GROUPS: [yesNo, 'whether the provider’s groups become groups here', { ...oidc, plain: true }],
})

/** The providers that are set up; those of which half is there were refused before. */
export const environmentProviders = (
  values: BoundDeclarations<typeof signInProviderSettings>,
): EnvironmentProvider[] => {
  const found: EnvironmentProvider[] = []
  for (const [kind, id, secret, callbackUrl] of [
    ['github', values.GITHUB_CLIENT_ID, values.GITHUB_CLIENT_SECRET, values.GITHUB_CALLBACK_URL],
    ['huggingface', values.HUGGINGFACE_CLIENT_ID, values.HUGGINGFACE_CLIENT_SECRET, values.HUGGINGFACE_CALLBACK_URL],
  ] as const)
    if (id && secret) found.push({ kind, clientId: id, clientSecret: secret, callbackUrl })
  if (values.OIDC_ISSUER_URL && values.OIDC_CLIENT_ID)
    found.push({
      kind: 'oidc',
      clientId: values.OIDC_CLIENT_ID,
      clientSecret: values.OIDC_CLIENT_SECRET ?? null,
      callbackUrl: values.OIDC_CALLBACK_URL,
      issuerUrl: values.OIDC_ISSUER_URL,
      name: values.OIDC_DISPLAY_NAME,
      scopes: values.OIDC_SCOPES,
      allowedDomains: values.OIDC_ALLOWED_EMAIL_DOMAINS,
      groupClaim: values.OIDC_GROUP_CLAIM ?? 'groups',
      adminGroups: values.OIDC_ADMIN_GROUPS,
      syncGroups: values.OIDC_SYNC_GROUPS,
    })
  return found
}
