/** Sign-in providers of the environment. */
import { z } from 'zod'
import type { EnvironmentProvider } from '../core/sign-in-providers/index.ts'

const text = z.string().trim()
const url = text.refine((given) => /^https?:$/.test(URL.parse(given)?.protocol ?? ''), 'must be a web address')
const words = text.transform((given) => given.split(/[\s,]+/).filter((word) => word !== ''))
const names = text.transform((given) =>
  given
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== ''),
)

/** The variables, as they stand beside the others. */
export const providerVariables = {
  GITHUB_CLIENT_ID: text.optional(),
  GITHUB_CLIENT_SECRET: text.optional(),
  GITHUB_CALLBACK_URL: url.optional(),
  HUGGINGFACE_CLIENT_ID: text.optional(),
  HUGGINGFACE_CLIENT_SECRET: text.optional(),
  HUGGINGFACE_CALLBACK_URL: url.optional(),
  OIDC_ISSUER_URL: url.optional(),
  OIDC_CLIENT_ID: text.optional(),
  OIDC_CLIENT_SECRET: text.optional(),
  OIDC_CALLBACK_URL: url.optional(),
  OIDC_DISPLAY_NAME: text.max(80).optional(),
  OIDC_SCOPES: words.optional(),
  OIDC_ALLOWED_EMAIL_DOMAINS: words.transform((list) => list.map((domain) => domain.toLowerCase())).optional(),
  OIDC_GROUP_CLAIM: text.optional(),
  OIDC_ADMIN_GROUPS: names.optional(),
  OIDC_SYNC_GROUPS: text
    .toLowerCase()
    .refine((given) => /^(true|false|1|0|yes|no|on|off)$/.test(given), 'must be true or false')
    .transform((given) => /^(true|1|yes|on)$/.test(given))
    .optional(),
}
const Variables = z.object(providerVariables)

const families = [
  { prefix: 'GITHUB_', needed: ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'] },
  { prefix: 'HUGGINGFACE_', needed: ['HUGGINGFACE_CLIENT_ID', 'HUGGINGFACE_CLIENT_SECRET'] },
  // A public client has no secret.
  { prefix: 'OIDC_', needed: ['OIDC_ISSUER_URL', 'OIDC_CLIENT_ID'] },
] as const

/** A variable that is set, and those that it needs and that are not. */
export interface Half {
  readonly variable: string
  readonly needs: readonly string[]
}

/** The variables of providers of which something is set, and something that they need is not. */
export const halfProviders = (given: Readonly<Record<string, string | undefined>>): Half[] =>
  families.flatMap(({ prefix, needed }) => {
    const needs = needed.filter((name) => given[name] === undefined)
    if (needs.length === 0) return []
    const variables = Object.keys(providerVariables)
    return variables
      .filter((name) => name.startsWith(prefix) && given[name] !== undefined)
      .map((variable) => ({ variable, needs }))
  })

/** The providers that are set up; those of which half is there were refused before. */
export const environmentProviders = (read: z.output<typeof Variables>): EnvironmentProvider[] => {
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
