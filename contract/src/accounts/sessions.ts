/** Where an account is signed in. */
import { z } from 'zod'
import { Id, Nothing, SettingSource, Time } from '../common.ts'
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
  /** From where it was used last; null where that is not known. */
  address: z.string().nullable(),
  /** Its last moment, unless it is used before. */
  expiresAt: Time,
  revokedAt: Time.nullable(),
  current: z.boolean(),
})
export type AuthSession = z.infer<typeof AuthSession>

const sourced = <T extends z.ZodType>(value: T) =>
  z.strictObject({ value, source: SettingSource, variable: z.string().nullable() })
const lifetimeDays = z.number().int().min(1).max(3650)
const idleHours = z.number().int().min(1).max(87_600)

/** How long sessions last, each with where it comes from. */
export const SessionPolicy = z.strictObject({
  /** From the sign-in on. A longer one is for sessions that begin later. */
  lifetimeDays: sourced(lifetimeDays),
  /** From the last use on. */
  idleHours: sourced(idleHours),
})
export type SessionPolicy = z.infer<typeof SessionPolicy>

export const sessions = routes({
  sessions: {
    method: 'get',
    path: '/api/auth/sessions',
    access: 'user',
    summary: 'List your sessions, most recently active first',
    returns: z.strictObject({ items: z.array(AuthSession), nextCursor: z.null() }),
  },
  revokeOthers: {
    method: 'post',
    path: '/api/auth/sessions/revoke-others',
    access: 'user',
    summary: 'End all of your sessions except this one',
    returns: z.strictObject({ revokedCount: z.number().int() }),
  },
  revokeSession: {
    method: 'delete',
    path: '/api/auth/sessions/{id}',
    access: 'user',
    names: 'own',
    summary: 'End one of your sessions',
    params: z.strictObject({ id: Id }),
    returns: Nothing,
    errors: ['session_not_found'],
  },
  sessionPolicy: {
    method: 'get',
    path: '/api/auth/session-policy',
    access: 'admin',
    summary: 'Get how long sessions last',
    returns: SessionPolicy,
  },
  updateSessionPolicy: {
    method: 'put',
    path: '/api/auth/session-policy',
    access: 'admin',
    proof: true,
    limit: 'account',
    summary: 'Set how long sessions last. A shorter time also applies to open sessions at once',
    body: z.strictObject({ lifetimeDays: lifetimeDays.optional(), idleHours: idleHours.optional() }),
    returns: SessionPolicy,
    errors: ['setting_locked'],
  },
})
