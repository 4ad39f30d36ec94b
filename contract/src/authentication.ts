/** Who is asking: accounts, sign-in and sessions. */
import { z } from 'zod'
import { Id, Nothing, Time } from './common.ts'
import { routes } from './route.ts'

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
})
