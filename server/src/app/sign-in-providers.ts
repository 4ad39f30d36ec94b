/** Sign-in providers of the environment. */
import { z } from 'zod'
import type { EnvironmentProvider } from '../core/sign-in-providers/index.ts'
import { declareVariables, type Given, givenAmong, yesNo } from '../platform/settings/index.ts'

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

export const providerVariables = declareVariables({
  GITHUB_CLIENT_ID: [text, 'sign-in with an account at GitHub ([docs/sign-in.md](docs/sign-in.md)): the id', github],
  GITHUB_CLIENT_SECRET: [text, 'the secret that goes with that id', github],
  GITHUB_CALLBACK_URL: [url, 'where GitHub leads back to, if not to `BASE_URL`', github],
  HUGGINGFACE_CLIENT_ID: [text, 'sign-in with an account at Hugging Face: the id', huggingface],
  HUGGINGFACE_CLIENT_SECRET: [text, 'the secret that goes with that id', huggingface],
  HUGGINGFACE_CALLBACK_URL: [url, 'where Hugging Face leads back to, if not to `BASE_URL`', huggingface],
  OIDC_ISSUER_URL: [url, 'sign-in with an account at an OpenID provider: its address', oidc],
  OIDC_CLIENT_ID: [text, 'the id of this instance there', oidc],
  OIDC_CLIENT_SECRET: [text, 'the secret that goes with that id; a public client has none', oidc],
  OIDC_CALLBACK_URL: [url, 'where the provider leads back to, if not to `BASE_URL`', oidc],
  OIDC_DISPLAY_NAME: [text.max(80), 'what the provider is called on the page', oidc],
  OIDC_SCOPES: [words, 'what is asked of the provider, separated by spaces or commas', oidc],
  OIDC_ALLOWED_EMAIL_DOMAINS: [
    words.transform((list) => list.map((domain) => domain.toLowerCase())),
    'the domains of addresses that may come in by it',
    oidc,
  ],
  OIDC_GROUP_CLAIM: [text, 'the claim that names the groups of an account', { ...oidc, usual: '`groups`' }],
  OIDC_ADMIN_GROUPS: [names, 'the groups there whose members are administrators here, separated by commas', oidc],
  OIDC_SYNC_GROUPS: [yesNo, 'whether groups there become groups here', oidc],
})

/** The providers that are set up; those of which half is there were refused before. */
export const environmentProviders = (given: Given): EnvironmentProvider[] => {
  const read = givenAmong(given, providerVariables)
  const found: EnvironmentProvider[] = []
  for (const [kind, id, secret, callbackUrl] of [
    ['github', read.GITHUB_CLIENT_ID, read.GITHUB_CLIENT_SECRET, read.GITHUB_CALLBACK_URL],
    ['huggingface', read.HUGGINGFACE_CLIENT_ID, read.HUGGINGFACE_CLIENT_SECRET, read.HUGGINGFACE_CALLBACK_URL],
  ] as const)
    if (id && secret) found.push({ kind, clientId: id, clientSecret: secret, callbackUrl })
  if (read.OIDC_ISSUER_URL && read.OIDC_CLIENT_ID)
    found.push({
      kind: 'oidc',
      clientId: read.OIDC_CLIENT_ID,
      clientSecret: read.OIDC_CLIENT_SECRET ?? null,
      callbackUrl: read.OIDC_CALLBACK_URL,
      issuerUrl: read.OIDC_ISSUER_URL,
      name: read.OIDC_DISPLAY_NAME,
      scopes: read.OIDC_SCOPES,
      allowedDomains: read.OIDC_ALLOWED_EMAIL_DOMAINS,
      groupClaim: read.OIDC_GROUP_CLAIM ?? 'groups',
      adminGroups: read.OIDC_ADMIN_GROUPS,
      syncGroups: read.OIDC_SYNC_GROUPS,
    })
  return found
}
