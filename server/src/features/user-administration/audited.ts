/** What administrators do, written to the audit: also what was refused, and why. */
import type { AuditAction } from '@atrium/contract/audit'
import { type Audit, type AuditEntry, actorOf } from '../../platform/audit/index.ts'
import type { Context } from '../../platform/http/area.ts'
import { Refusal } from '../../platform/http/refusal.ts'

export interface Deed {
  readonly action: AuditAction
  readonly target: { readonly type: string; readonly id: string | null }
  readonly details?: NonNullable<AuditEntry['details']>
}

/** Runs what records its success itself, in its own transaction; writes down a refusal. */
export const refusalsOf = async <T>(audit: Audit, context: Context, deed: Deed, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const details = { ...deed.details, reason: error.code }
    await audit.record({ ...actorOf(context), ...deed, result: 'failure', details })
    throw error
  }
}

/** The same for what records nothing itself. */
export const audited = async <T>(audit: Audit, context: Context, deed: Deed, work: () => Promise<T>): Promise<T> => {
  const done = await refusalsOf(audit, context, deed, work)
  await audit.record({ ...actorOf(context), ...deed })
  return done
}
