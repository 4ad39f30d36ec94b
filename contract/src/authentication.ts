/** Who is asking: accounts, sign-in, sessions and API tokens. */
import { z } from 'zod'
import { Id, Nothing, PageQuery, Time, page } from './common.ts'
import { routes } from './route.ts'
import { scopes } from './scopes.ts'

export const Username = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}._@-]*$/u, 'letters, digits, dot, underscore, @ and hyphen only')
export const Password = z.string().min(1).max(1000)
export const Email = z.email().max(254)

export const User = z.strictObject({
  id: Id,
  username: z.string(),
  displayName: z.string().nullable(),
  email: z.string().nullable(),
  role: z.enum(['admin', 'user']),
  status: z.enum(['pending', 'active', 'disabled']),
  createdAt: Time,
  updatedAt: Time,
})
export type User = z.infer<typeof User>

export const SignedIn = z.strictObject({ token: z.string(), expiresAt: Time, user: User })
export const Pending = z.strictObject({ status: z.literal('pending'), user: User })
export const AuthSession = z.strictObject({
  id: Id,
  kind: z.enum(['password', 'signup']),
  userAgent: z.string().nullable(),
  createdAt: Time,
  lastSeenAt: Time,
  expiresAt: Time,
  revokedAt: Time.nullable(),
  current: z.boolean(),
})
export type AuthSession = z.infer<typeof AuthSession>

/** A token for programs. The token itself is shown once, when it is made. */
export const ApiToken = z.strictObject({
  id: Id,
  name: z.string(),
  /** The first twelve characters, to tell tokens apart. */
  tokenPrefix: z.string(),
  scopes: z.array(z.enum(scopes)),
  /** The models it may use on `/v1`, as raw or qualified ids; null for all. */
  models: z.array(z.string()).nullable(),
  ratePerMinute: z.number().int(),
  createdAt: Time,
  expiresAt: Time.nullable(),
  lastUsedAt: Time.nullable(),
  revokedAt: Time.nullable(),
})
export type ApiToken = z.infer<typeof ApiToken>

const tokenName = z.string().trim().min(1).max(128)
const tokenScopes = z.array(z.enum(scopes)).min(1).max(scopes.length)
const tokenModels = z.array(z.string().trim().min(1).max(401)).min(1).max(200).nullable()
const ratePerMinute = z.number().int().min(1).max(10_000_000)

export const authentication = routes({
  systemInfo: {
    method: 'get',
    path: '/api/auth/system-info',
    access: 'public',
    summary: 'What a visitor may know before signing in',
    returns: z.strictObject({
      requiresAuth: z.literal(true),
      hasUsers: z.boolean(),
      signupEnabled: z.boolean(),
      version: z.string(),
    }),
  },
  signup: {
    method: 'post',
    path: '/api/auth/signup',
    access: 'public',
    limit: 'sign-up',
    summary: 'Make an account; the first one becomes administrator. 202 when it waits for approval',
    body: z.strictObject({ username: Username, password: Password, email: Email.optional() }),
    returns: z.union([SignedIn, Pending]),
    errors: ['signup_closed', 'username_taken', 'email_taken', 'weak_password'],
  },
  login: {
    method: 'post',
    path: '/api/auth/login',
    access: 'public',
    limit: 'sign-in',
    summary: 'Sign in with user name and password',
    body: z.strictObject({ username: z.string().min(1).max(254), password: Password }),
    returns: SignedIn,
    errors: ['wrong_credentials', 'account_pending', 'account_disabled'],
  },
  logout: {
    method: 'post',
    path: '/api/auth/logout',
    access: 'user',
    summary: 'End this session',
    returns: Nothing,
  },
  me: { method: 'get', path: '/api/auth/me', access: 'user', summary: 'The signed-in account', returns: User },
  verify: {
    method: 'get',
    path: '/api/auth/verify',
    access: 'user',
    summary: 'Whether this token still stands, and whose it is',
    returns: User,
  },
  updateMe: {
    method: 'put',
    path: '/api/auth/me',
    access: 'user',
    limit: 'account',
    summary: 'Change the own profile',
    body: z.strictObject({
      username: Username.optional(),
      displayName: z.string().trim().max(120).nullable().optional(),
      email: Email.nullable().optional(),
    }),
    returns: User,
    errors: ['username_taken', 'email_taken'],
  },
  changePassword: {
    method: 'post',
    path: '/api/auth/password',
    access: 'user',
    limit: 'sign-in',
    summary: 'Change the own password; every other session ends',
    body: z.strictObject({ currentPassword: Password, newPassword: Password }),
    returns: Nothing,
    errors: ['wrong_password', 'weak_password'],
  },
  sessions: {
    method: 'get',
    path: '/api/auth/sessions',
    access: 'user',
    summary: 'Where the account is signed in, newest activity first',
    returns: z.strictObject({ items: z.array(AuthSession), nextCursor: z.null() }),
  },
  revokeOthers: {
    method: 'post',
    path: '/api/auth/sessions/revoke-others',
    access: 'user',
    summary: 'End every session but this one',
    returns: z.strictObject({ revokedCount: z.number().int() }),
  },
  revokeSession: {
    method: 'delete',
    path: '/api/auth/sessions/{id}',
    access: 'user',
    summary: 'End one own session',
    params: z.strictObject({ id: Id }),
    returns: Nothing,
    errors: ['session_not_found'],
  },
  tokens: {
    method: 'get',
    path: '/api/auth/tokens',
    access: 'user',
    summary: 'The own API tokens, newest first; those that ended stay listed for 30 days',
    query: PageQuery,
    returns: page(ApiToken),
    errors: ['bad_cursor'],
  },
  createToken: {
    method: 'post',
    path: '/api/auth/tokens',
    access: 'user',
    limit: 'account',
    noStore: true,
    summary: 'Make an API token. This answer is the only one that holds the token itself',
    body: z.strictObject({
      name: tokenName,
      scopes: tokenScopes,
      /** null or absent: it does not expire. */
      expiresInDays: z.number().int().min(1).max(3650).nullable().optional(),
      models: tokenModels.optional(),
      ratePerMinute: ratePerMinute.default(600),
    }),
    returns: z.strictObject({ token: z.string(), record: ApiToken }),
    errors: ['forbidden', 'token_limit'],
  },
  updateToken: {
    method: 'patch',
    path: '/api/auth/tokens/{id}',
    access: 'user',
    limit: 'account',
    summary: 'Rename an own API token, or change what it may do',
    params: z.strictObject({ id: Id }),
    body: z.strictObject({
      name: tokenName.optional(),
      scopes: tokenScopes.optional(),
      models: tokenModels.optional(),
      ratePerMinute: ratePerMinute.optional(),
    }),
    returns: ApiToken,
    errors: ['token_not_found', 'forbidden'],
  },
  revokeToken: {
    method: 'delete',
    path: '/api/auth/tokens/{id}',
    access: 'user',
    summary: 'Revoke an own API token, at once and for good',
    params: z.strictObject({ id: Id }),
    returns: Nothing,
    errors: ['token_not_found'],
  },
})
