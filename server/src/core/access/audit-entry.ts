/** What the audit keeps of grants: ids and rights, no names. */
import type { AuditEntry } from '../../platform/audit/index.ts'
import type { GrantRow } from './tables.ts'

export const grantAuditEntry = (
  action: 'grant.create' | 'grant.delete',
  row: GrantRow,
  more: { readonly reason?: string } = {},
): Pick<AuditEntry, 'action' | 'target'> & { details: NonNullable<AuditEntry['details']> } => ({
  action,
  target: { type: row.resource_type, id: row.resource_id },
  details: {
    grantId: row.id,
    principalType: row.principal_type,
    principalId: row.principal_id,
    right: row.access_right,
    expiresAt: row.expires_at === null ? null : new Date(row.expires_at).toISOString(),
    ...more,
  },
})
