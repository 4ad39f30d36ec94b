/** What was asked for and may not be, as the audit has it: names, ids and reasons, and nothing of what was called with. */
import type { Audit } from '../../platform/audit/index.ts'

/** `toolId`: as `AuditIds` name it; null: no tool is meant, or none that there is. */
export const recordRefusal = (
  { audit }: { readonly audit: Pick<Audit, 'record'> },
  accountId: string,
  toolId: string | null,
  details: { readonly reason: string; readonly callId?: string },
): Promise<void> =>
  audit.record({
    actor: { kind: 'user', accountId },
    action: 'tool.refuse',
    target: { type: 'tool', id: toolId },
    result: 'denied',
    details,
  })
