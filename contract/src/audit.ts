/** What was done that matters for safety: who, what, to what, when, from where. Never content, never secrets. */
import { z } from 'zod'
import { Id, Time } from './common.ts'

/** The closed list of what is recorded. */
export const auditActions = [
  'auth.signup',
  'auth.login',
  'auth.logout',
  'auth.mfa.enroll',
  'auth.mfa.activate',
  'auth.mfa.verify',
  'auth.mfa.disable',
  'auth.mfa.recovery-codes',
  'auth.passkey.register',
  'auth.passkey.remove',
  'auth.password.change',
  'auth.password.reset',
  'auth.email.change',
  'auth.email.verify',
  'auth.identity.link',
  'auth.identity.unlink',
  'auth.identity.sync',
  'auth.encryption-key.reveal',
  'session.revoke',
  'session.revoke-others',
  'token.create',
  'token.update',
  'token.revoke',
  'grant.create',
  'grant.delete',
  'break-glass.create',
  'break-glass.use',
  'break-glass.end',
  'group.create',
  'group.update',
  'group.delete',
  'group.member-add',
  'group.member-remove',
  'user.create',
  'user.invite',
  'user.approve',
  'user.reject',
  'user.disable',
  'user.enable',
  'user.role',
  'user.update',
  'user.delete',
  'user.export',
  'user.mfa-reset',
  'user.password-link',
  'provider.create',
  'provider.update',
  'provider.delete',
  'definition.install',
  'definition.update',
  'definition.delete',
  'setting.change',
  'audit.export',
  'audit.prune',
] as const
export type AuditAction = (typeof auditActions)[number]

export const AuditActorKind = z.enum(['user', 'api-token', 'system', 'anonymous'])
export const AuditResult = z.enum(['success', 'denied', 'failure'])

export const AuditEvent = z.strictObject({
  id: Id,
  occurredAt: Time,
  actorKind: AuditActorKind,
  actorUserId: Id.nullable(),
  action: z.enum(auditActions),
  targetType: z.string().nullable(),
  targetId: z.string().nullable(),
  result: AuditResult,
  requestId: z.string().nullable(),
  /** Where the request came from, as far as it is known. */
  address: z.string().nullable(),
  details: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]))
    .nullable(),
})
export type AuditEvent = z.infer<typeof AuditEvent>
