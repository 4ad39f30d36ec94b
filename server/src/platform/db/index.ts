/**
 * The database: SQLite in a file, or a PostgreSQL server, behind one interface.
 * It never runs SQL on the event loop, and never puts values of rows into errors.
 */
import type { DatabaseRecorder } from './metrics.ts'
import type { PresenceTiming } from './postgres/presence.ts'
import type { RequestLimits } from './requests.ts'
import type { Database, DatabaseLog } from './types.ts'

export { cutPage, decodeCursor, encodeCursor, type CursorKey as Key } from './cursor.ts'
export {
  DatabaseDamagedError,
  DatabaseError,
  DatabaseKeyError,
  DatabaseLockedError,
  isForeignKeyViolation,
  isUniqueViolation,
  MigrationError,
} from './errors.ts'
export {
  type AppliedMigration,
  listMigrations,
  type MigrateOptions,
  type MigrationResult,
  migrate,
} from './migrations.ts'
export { isOutage, isUnreachable, type RetryDelays, untilDone, usualRetryDelays, retryDuringOutage } from './outage.ts'
export { runForRequest } from './requests.ts'
export type { ColumnTypes, Database, DatabaseLog, Migration } from './types.ts'

export interface DatabaseOptions {
  /** `postgres://…`; without it, `file` says where the SQLite file is. */
  readonly url?: string | undefined
  readonly file?: string | undefined
  /** 32 bytes that encrypt the SQLite file. */
  readonly key?: Buffer | undefined
  /** Where copies of the SQLite file are, to be named when the file is damaged. */
  readonly snapshotFolder?: string
  /**
   * Keep other processes out of the SQLite file; on PostgreSQL, keep out commands that want the database for themselves
   * (default true).
   */
  readonly lock?: boolean
  /** Need less memory until somebody is there: SQLite reads on the thread that writes until then (default false). */
  readonly frugal?: boolean
  /** Connections to PostgreSQL, beside the one that listens (default 10). */
  readonly poolSize?: number
  /** How others notice that a process on PostgreSQL is gone, where it is not the usual. */
  readonly presence?: Partial<PresenceTiming>
  /** How long a statement on PostgreSQL may take before whoever waits is told that the database does not answer (default 10,000). */
  readonly queryMs?: number
  /** How long a request waits for PostgreSQL, where it is not the usual. */
  readonly requestLimits?: Partial<RequestLimits>
  /** How long a write waits for the write it was started in before it fails (default 5000). */
  readonly nestedWaitMs?: number
  readonly log: DatabaseLog
  /** Told of all work. */
  readonly recorder?: DatabaseRecorder | null
}

/**
 * Opens the database; the schema is brought up to date by `migrate`.
 * Throws DatabaseKeyError, DatabaseLockedError, or a refusal `unavailable` when no server answers.
 */
export const openDatabase = async (options: DatabaseOptions): Promise<Database> => {
  const {
    url,
    file,
    key,
    lock = true,
    frugal = false,
    poolSize = 10,
    nestedWaitMs = 5000,
    log,
    recorder = null,
  } = options
  const { presence, requestLimits, queryMs = 10_000, snapshotFolder } = options
  // Only the one that is used is loaded.
  if (url !== undefined) {
    const { openPostgres } = await import('./postgres/database.ts')
    return openPostgres({ url, lock, poolSize, nestedWaitMs, presence, queryMs, requestLimits, log, recorder })
  }
  if (file !== undefined) {
    const { openSqlite } = await import('./sqlite/database.ts')
    return openSqlite({ file, key, snapshotFolder, lock, frugal, nestedWaitMs, log, recorder })
  }
  throw new Error('A database needs a url or a file.')
}
