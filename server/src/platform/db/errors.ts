/** What can go wrong in a database, in words that are safe to log: no values of rows, ever. */
import { Refusal } from '../http/refusal.ts'

/** A statement failed. `code` is SQLite's name (`SQLITE_CONSTRAINT_UNIQUE`) or PostgreSQL's five letters (`23505`). */
export class DatabaseError extends Error {
  override readonly name: string = 'DatabaseError'
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** The database file is there, but this key does not open it. */
export class DatabaseKeyError extends Error {
  override readonly name = 'DatabaseKeyError'
}

/** The database file does not hold what was written to it; the message says which file, and the way back. */
export class DatabaseDamagedError extends DatabaseError {
  override readonly name = 'DatabaseDamagedError'
}

/** Whether a code of SQLite says so. */
export const isDamage = (code: string): boolean =>
  /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ|IOERR_CORRUPTFS)/.test(code)

/** Another process has the data folder. */
export class DatabaseLockedError extends Error {
  override readonly name = 'DatabaseLockedError'
}

/** The schema could not be brought up to date; the message says what to do. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

/** A row with the same unique value exists already. */
export const isUniqueViolation = (error: unknown): boolean => hasCode(error, uniqueCodes)

/** A row points to one that does not exist, or is still pointed to. */
export const isForeignKeyViolation = (error: unknown): boolean => hasCode(error, foreignKeyCodes)

/**
 * The database does not answer (`unavailable`), or has no room (`storage_full`). Refusals of the same status that come
 * from elsewhere are no outages.
 */
export class DatabaseOutage extends Refusal {}

/** The transaction lost against another one and may simply be tried again. */
/** A row was not as it was taken to be; see `runOptimistic`. */
export const STALE_ROW = 'STALE_ROW'
export const isStale = (error: unknown): boolean => error instanceof DatabaseError && error.code === STALE_ROW

export const isRetryable = (error: unknown): boolean => hasCode(error, retryCodes)

/** Makes the error that callers see: a Refusal where a person can act on it, else a DatabaseError. */
export const toDatabaseError = (code: string, message: string): Error => {
  if (fullCodes.has(code)) return new DatabaseOutage('storage_full')
  if (lostCodes.has(code) || /^SQLITE_(READONLY|IOERR|CANTOPEN)/.test(code))
    return new DatabaseOutage('unavailable', 'The database does not answer. Try again in a moment.')
  return new DatabaseError(code, message)
}

const uniqueCodes = new Set(['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY', '23505'])
const foreignKeyCodes = new Set(['SQLITE_CONSTRAINT_FOREIGNKEY', '23503'])
const retryCodes = new Set(['40001', '40P01', 'SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT', STALE_ROW])
const fullCodes = new Set(['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', 'ENOSPC', '53100'])
/** Nobody answers, answers late (55P03, 57014), or takes no writes just now (25006, a disk with faults). */
const lostCodes = new Set(
  `ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT ENOTFOUND EAI_AGAIN CONNECTION_LOST
   08000 08001 08003 08006 53300 57P01 57P02 57P03 25006 55P03 57014`.split(/\s+/),
)

const hasCode = (error: unknown, codes: ReadonlySet<string>): boolean =>
  error instanceof DatabaseError && codes.has(error.code)
