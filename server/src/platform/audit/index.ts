/**
 * The audit: an append-only list in which every row holds a keyed digest over itself and the row before, so that a
 * row that was changed, removed or put in between is found by whoever has the instance key.
 */
import { inTables } from '../db/types.ts'
import type { Metrics } from '../metrics/index.ts'
import { append } from './chain.ts'
import { createChainMaintenance } from './maintenance.ts'
import { createAuditRecorder } from './metrics.ts'
import { createReader } from './read.ts'
import type { AuditTables } from './tables.ts'
import type { Audit } from './types.ts'
import { createWriter, type WriterParts } from './writer.ts'

export type { AuditFilter, StoredEvent } from './read.ts'
export { recordOutcome, recordRefusal } from './outcomes.ts'
export { auditMigrations, auditSealed } from './tables.ts'
export { type Audit, type AuditEntry, actorOf } from './types.ts'

export type AuditLog = ReturnType<typeof createAudit>

export const createAudit = ({ metrics = null, ...deps }: WriterParts & { readonly metrics?: Metrics | null }) => {
  const writer = createWriter(deps)
  const tell = metrics && createAuditRecorder(metrics)
  const audit: Audit = {
    record: (entry) => {
      tell?.(entry)
      return writer.record(entry)
    },
    recordIn: (trx, entry) => append(deps, inTables<AuditTables>(trx), [{ entry, at: deps.clock.now() }]),
  }
  return { ...audit, ...createReader(deps), ...createChainMaintenance(deps), stop: writer.stop }
}
