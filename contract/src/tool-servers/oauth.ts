/** Signing in at tool servers (OAuth 2.1), each account for itself. */
import { z } from 'zod'
import { Nothing, Time } from '../common.ts'
import { redirect, routes } from '../route.ts'
import { ById, OAuthClientChange } from './fields.ts'

/** Why a sign-in at a tool server failed. */
export const toolSignInReasons = [
  'address-not-allowed',
  'unreachable',
  'resource-invalid',
  'resource-mismatch',
  'metadata-invalid',
  'issuer-mismatch',
  'issuer-changed',
  'pkce-missing',
  'no-client',
  'registration-refused',
  'state-invalid',
  'session-ended',
  'denied-there',
  'refused-there',
  'tokens-invalid',
  'scope-useless',
] as const
export type ToolSignInReason = (typeof toolSignInReasons)[number]

export const ToolSignIn = z.strictObject({
  /** `needed`: the account was signed in and is no more, or a call was refused because it is not. */
  state: z.enum(['none', 'signed-in', 'needed']),
  /** Who signed the account in there. */
  issuer: z.string().nullable(),
  /** What the account allowed. */
  scopes: z.array(z.string()),
  /** What the server asks for besides, since it refused a call. */
  wanted: z.array(z.string()),
  signedInAt: Time.nullable(),
})
export type ToolSignIn = z.infer<typeof ToolSignIn>

/** Who Atrium is to the authorization server, as an administrator entered it. The secret is never told. */
export const ToolOAuthClient = z.strictObject({
  clientId: z.string().nullable(),
  hasSecret: z.boolean(),
  /** The one that it belongs to; null until somebody signs in. */
  issuer: z.string().nullable(),
  /** What has to be registered there. */
  redirectUrl: z.string(),
})
export type ToolOAuthClient = z.infer<typeof ToolOAuthClient>

export const toolSignInRoutes = routes({
  toolSignIn: {
    method: 'get',
    path: '/api/tools/servers/{id}/oauth/status',
    access: 'user',
    names: 'instance',
    summary: 'Get whether you are signed in to a tool server',
    params: ById,
    returns: ToolSignIn,
    errors: ['tool_server_not_found'],
  },
  startToolSignIn: {
    method: 'post',
    path: '/api/tools/servers/{id}/oauth/start',
    access: 'user',
    names: 'instance',
    forPeople: true,
    limit: 'connect',
    noStore: true,
    summary: 'Start signing in to a tool server. Returns the address to open in a small window of the same browser',
    params: ById,
    returns: z.strictObject({ authorizeUrl: z.string() }),
    errors: ['tool_server_not_found', 'tool_sign_in_failed', 'place_unknown'],
  },
  toolSignInCallback: {
    method: 'get',
    path: '/api/tools/servers/{id}/oauth/callback',
    access: 'public',
    limit: 'external',
    names: 'instance',
    summary:
      'Return from an authorization server. Redirects to the web app with `mcpOAuth=connected` or `mcpOAuth=error`',
    params: ById,
    // RFC 6749, section 4.1.2: what is not known is ignored.
    query: z.looseObject({
      code: z.string().max(4000).optional(),
      state: z.string().max(200).optional(),
      iss: z.string().max(2000).optional(),
      error: z.string().max(200).optional(),
    }),
    returns: redirect,
    errors: ['tool_server_not_found'],
  },
  endToolSignIn: {
    method: 'delete',
    path: '/api/tools/servers/{id}/oauth',
    access: 'user',
    names: 'instance',
    forPeople: true,
    limit: 'connect',
    summary: 'Sign out of a tool server. Tokens are revoked there if possible, and deleted here',
    params: ById,
    returns: z.strictObject({
      /** Whether the authorization server took them back. */
      revoked: z.boolean(),
    }),
    errors: ['tool_server_not_found'],
  },
  toolClientDocument: {
    method: 'get',
    path: '/api/tools/servers/{id}/oauth/client-metadata',
    access: 'public',
    limit: 'external',
    names: 'instance',
    summary:
      'Get this client’s OAuth Client ID Metadata Document, for authorization servers. Only if BASE_URL begins with https',
    params: ById,
    returns: z.strictObject({
      client_id: z.string(),
      client_name: z.string(),
      client_uri: z.string(),
      redirect_uris: z.array(z.string()),
      grant_types: z.array(z.string()),
      response_types: z.array(z.string()),
      application_type: z.string(),
      token_endpoint_auth_method: z.literal('none'),
    }),
    errors: ['tool_server_not_found'],
  },
  toolOAuthClient: {
    method: 'get',
    path: '/api/tools/servers/{id}/oauth/client',
    access: 'admin',
    names: 'instance',
    summary: 'Get the client ID entered for a tool server, and what to register there',
    params: ById,
    returns: ToolOAuthClient,
    errors: ['tool_server_not_found', 'place_unknown'],
  },
  saveToolOAuthClient: {
    method: 'put',
    path: '/api/tools/servers/{id}/oauth/client',
    access: 'admin',
    names: 'instance',
    forPeople: true,
    summary: 'Save the client ID (and secret, if any) that the authorization server of a tool server issued',
    params: ById,
    body: OAuthClientChange,
    returns: ToolOAuthClient,
    errors: ['tool_server_not_found', 'place_unknown'],
  },
  removeToolOAuthClient: {
    method: 'delete',
    path: '/api/tools/servers/{id}/oauth/client',
    access: 'admin',
    names: 'instance',
    forPeople: true,
    summary: 'Delete the client ID entered for a tool server',
    params: ById,
    returns: Nothing,
    errors: ['tool_server_not_found'],
  },
})
