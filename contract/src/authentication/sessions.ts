/** Where an account is signed in. */
import { z } from 'zod'
import { Id, Nothing, Time } from '../common.ts'
import { routes } from '../route.ts'

/** The roads by which a session can begin. */
export const sessionKinds = [
  'password',
  'password+totp',
  'password+recovery',
  'passkey',
  'signup',
  'oauth:github',
  'oauth:huggingface',
  'oidc',
  'ldap',
] as const
export type SessionKind = (typeof sessionKinds)[number]

export const AuthSession = z.strictObject({
  id: Id,
  kind: z.enum(sessionKinds),
  userAgent: z.string().nullable(),
  createdAt: Time,
  lastSeenAt: Time,
  expiresAt: Time,
  revokedAt: Time.nullable(),
  current: z.boolean(),
})
export type AuthSession = z.infer<typeof AuthSession>

export const sessions = routes({
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
