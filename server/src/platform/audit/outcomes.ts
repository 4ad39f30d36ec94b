/** Work whose outcome is in the audit, whichever it is. */
import { isRefusal } from '../http/refusal.ts'
import type { Audit, AuditEntry } from './types.ts'

/**
 * Runs work that records its success itself, in its own transaction, and writes down why it was refused: as a failure,
 * or as what the entry says it is then.
 */
export const recordRefusal = async <T>(
  audit: Pick<Audit, 'record'>,
  entry: AuditEntry,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    // Of a database that went away nobody knows whether it had done it; if so, it has written that down itself.
    if (isRefusal(error) && error.status < 500)
      await audit.record({ result: 'failure', ...entry, details: { ...entry.details, reason: error.code } })
    throw error
  }
}

/** The same for what records nothing itself. */
export const recordOutcome = async <T>(
  audit: Pick<Audit, 'record'>,
  entry: Omit<AuditEntry, 'result'>,
  work: () => Promise<T>,
): Promise<T> => {
  const done = await recordRefusal(audit, entry, work)
  await audit.record(entry)
  return done
}
