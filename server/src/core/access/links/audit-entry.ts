import type { AuditEntry } from '../../../platform/audit/index.ts'
import { toIsoTime } from '../../../platform/iso-time.ts'
import type { LinkRow } from './store.ts'

/** A link in the audit is a grant to whoever has it: ids and facts, and nothing that opens it. */
export const linkAuditEntry = (
  action: 'grant.create' | 'grant.update' | 'grant.delete',
  target: AuditEntry['target'],
  row: LinkRow,
  more: Readonly<Record<string, string | number | boolean>> = {},
): Pick<AuditEntry, 'action' | 'target' | 'details'> => ({
  action,
  target,
  details: {
    grantId: row.id,
    principalType: 'link',
    right: 'read',
    expiresAt: toIsoTime(row.expires_at),
    hasPassword: row.password !== null,
    ...more,
  },
})
