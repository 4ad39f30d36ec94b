/** Who does something to accounts, and from where, as the audit records it. */
import type { AuditEntry } from '../../platform/audit/index.ts'

export type AuditActor = Pick<AuditEntry, 'actor' | 'requestId' | 'address'>
export const systemActor: AuditActor = { actor: { kind: 'system', accountId: null } }
