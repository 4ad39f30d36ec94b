/** Writes to the audit what was done at the machine, and not by an account. */
import { type AuditEntry, createAudit } from '../../platform/audit/index.ts'
import type { Database } from '../../platform/db/index.ts'
import { createLog } from '../../platform/log/log.ts'
import { systemClock } from '../../platform/system-clock.ts'
import { openVault } from '../../platform/vault/vault.ts'

export const recordAtMachine = async (
  database: Database,
  instanceKey: Buffer,
  action: AuditEntry['action'],
  details: AuditEntry['details'],
): Promise<void> => {
  const vault = await openVault({ database, instanceKey, clock: systemClock })
  const audit = createAudit({ database, vault, clock: systemClock, log: createLog({ level: 'silent' }) })
  await audit.record({ action, actor: { kind: 'system', accountId: null }, details })
  await audit.stop()
}
