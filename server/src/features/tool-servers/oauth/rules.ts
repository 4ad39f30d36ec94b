/** What is decided about sign-ins, without asking anybody (MCP authorization, OAuth 2.1, RFC 6749, 8414, 8707, 9728). */
import { z } from 'zod'

/** What a server said when it refused a call (`WWW-Authenticate`). */
export const Challenge = z.object({
  /** Where it says what protects it. */
  resourceMetadataUrl: z.string().nullable(),
  scope: z.string().nullable(),
})
export type Challenge = z.infer<typeof Challenge>

/** Who asks for tokens, as the authorization server knows it. */
export const OAuthClient = z.object({
  /** Entered by an administrator, a document at an address of ours, or registered by ourselves. */
  source: z.enum(['administrator', 'document', 'registered']),
  client_id: z.string(),
  client_secret: z.string().optional(),
  token_endpoint_auth_method: z.string().optional(),
})
export type OAuthClient = z.infer<typeof OAuthClient>

/** What is used of the metadata of an authorization server. */
export const Endpoints = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  registration_endpoint: z.string().optional(),
  revocation_endpoint: z.string().optional(),
  response_types_supported: z.array(z.string()),
  code_challenge_methods_supported: z.array(z.string()).optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  scopes_supported: z.array(z.string()).optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
  client_id_metadata_document_supported: z.boolean().optional(),
})
export type Endpoints = z.infer<typeof Endpoints>

/** The endpoints that a client calls or sends a browser to. */
export const endpointNames = [
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
] as const

/** What an account was given by one issuer for one server. */
export const Grant = z.object({
  endpoints: Endpoints,
  client: OAuthClient,
  /** The server, as its tokens are for it. */
  resource: z.string(),
  requestedScope: z.string().nullable(),
  grantedScope: z.string().nullable(),
  accessToken: z.string(),
  refreshToken: z.string().nullable(),
  signedInAt: z.number(),
})
export type Grant = z.infer<typeof Grant>

/** What stands of a sign-in: what was given, and what the server last refused. */
export const SignIn = z.object({
  grant: Grant.nullable(),
  /** Of a sign-in that is over: what it covered, so that the next one covers it too. */
  lastScope: z.string().nullable(),
  challenge: Challenge.nullable(),
})
export type SignIn = z.infer<typeof SignIn>

export const nobody: SignIn = { grant: null, lastScope: null, challenge: null }

/** A minute before its end a token is replaced. */
const earlyMs = 60_000

/** Whether a token that ends then is to be replaced first. null: nobody said when it ends. */
export const isEnding = (expiresAt: number | null, now: number): boolean =>
  expiresAt !== null && expiresAt - now <= earlyMs

/** When a token ends that lasts so many seconds; null where nobody says. */
export const endOf = (expiresIn: number | undefined, now: number): number | null =>
  expiresIn === undefined || !Number.isFinite(expiresIn) ? null : Math.round(now + Math.max(0, expiresIn) * 1000)

/** Whether a sign-in asked for everything that is needed already, so that asking again would change nothing. */
export const isCovered = (grant: Grant, needed: string | null): boolean =>
  isWithin(needed, `${grant.requestedScope ?? ''} ${grant.grantedScope ?? ''}`)

/** Whether a scope covers all that is needed; null needs nothing. */
export const isWithin = (needed: string | null, scope: string): boolean => {
  const had = new Set(scopesOf(scope))
  return scopesOf(needed).every((each) => had.has(each))
}

/** The words of a scope (RFC 6749, 3.3). */
export const scopesOf = (scope: string | null): string[] => (scope ?? '').split(/\s+/).filter((each) => each !== '')

/** How a client that registers itself would show who it is: with a secret where the server takes one. */
export const authMethodOf = ({ token_endpoint_auth_methods_supported: supported }: Endpoints): string =>
  ['client_secret_basic', 'client_secret_post', 'none'].find((each) => supported?.includes(each)) ??
  'client_secret_basic'
