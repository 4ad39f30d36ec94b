/** Brings the schema up to date: every step once, in order, all or nothing. */
import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { columnTypes, NO_TIME_LIMIT } from './dialect.ts'
import { DatabaseError, MigrationError } from './errors.ts'
import { newestSnapshot, takeSnapshot } from './snapshot.ts'
import type { Database, Migration } from './types.ts'

export interface MigrateOptions {
  /** The version of Atrium, kept beside each step. */
  readonly version: string
  /** Where the copy from before an upgrade goes (SQLite). Made when it is needed. */
  readonly snapshotFolder: string
  /** Integer milliseconds. */
  readonly now: () => number
}

export interface MigrationResult {
  /** The ids that were applied just now. */
  readonly applied: readonly string[]
  /** The copy that was taken before, if one was. */
  readonly snapshot: string | null
}

interface Step {
  readonly id: string
  readonly checksum: string
  readonly statements: readonly string[]
}
interface LedgerRow {
  readonly id: string
  readonly checksum: string
  readonly applied_at: number
  readonly version: string
}
interface Tables {
  readonly migrations: LedgerRow
}

/** Applies what the ledger does not have. Throws MigrationError, with the database as it was, when that cannot be done. */
export const migrate = async (
  database: Database,
  migrations: readonly Migration[],
  { version, snapshotFolder, now }: MigrateOptions,
): Promise<MigrationResult> => {
  const types = columnTypes[database.dialect]
  const steps = migrations.map(({ id, up }) => toStep(id, up(types, database.dialect)))
  const wayBack = async (copy: string | null): Promise<string> => describeWayBack(database, snapshotFolder, copy)

  // Looked at before anything is locked, because a copy cannot be taken inside a transaction.
  const before = await readLedger(database.tables<Tables>())
  await check(steps, before, version, wayBack)
  const isUpgrade = before.length > 0 && steps.some(({ id }) => before.every((row) => row.id !== id))
  const snapshot =
    isUpgrade && database.dialect === 'sqlite' ? await takeSnapshot(database, snapshotFolder, version, now()) : null

  // Read committed: what another process applied while this one waited for the lock must be seen.
  const applied = await database
    .tables<Tables>()
    .transaction()
    .setIsolationLevel('read committed')
    .execute(async (trx) => {
      if (database.dialect === 'postgres') {
        await sql`set local lock_timeout = 0`.execute(trx)
        await sql.raw(NO_TIME_LIMIT).execute(trx)
        await sql`select pg_advisory_xact_lock(hashtextextended('atrium-migrations', 0))`.execute(trx)
      }
      await createLedger(trx, types)
      const ledger = await readLedger(trx)
      await check(steps, ledger, version, wayBack)
      const known = new Set(ledger.map(({ id }) => id))
      const fresh = steps.filter(({ id }) => !known.has(id))
      for (const step of fresh) {
        await apply(trx, step, () => wayBack(snapshot))
        const row = { id: step.id, checksum: step.checksum, applied_at: now(), version }
        await trx.insertInto('migrations').values(row).execute()
      }
      return fresh.map(({ id }) => id)
    })
  return { applied, snapshot }
}

export interface AppliedMigration {
  readonly id: string
  /** Integer milliseconds. */
  readonly appliedAt: number
  /** Of Atrium, which applied it. */
  readonly version: string
}

/** The steps that were applied, the oldest first. */
export const listMigrations = async (database: Pick<Database, 'tables'>): Promise<AppliedMigration[]> => {
  const rows = await readLedger(database.tables<Tables>())
  return rows.map(({ id, applied_at: appliedAt, version }) => ({ id, appliedAt, version }))
}

const toStep = (id: string, statements: readonly string[]): Step => ({
  id,
  statements,
  checksum: createHash('sha256').update(statements.join('\0')).digest('hex'),
})

const createLedger = async (trx: Kysely<Tables>, types: (typeof columnTypes)['sqlite']): Promise<void> => {
  await sql
    .raw(
      `create table if not exists migrations (
        id ${types.text} primary key, checksum ${types.text} not null,
        applied_at ${types.int} not null, version ${types.text} not null)`,
    )
    .execute(trx)
}

/** Empty when the database has no ledger yet. */
const readLedger = async (db: Kysely<Tables>): Promise<LedgerRow[]> => {
  try {
    return await db.selectFrom('migrations').selectAll().orderBy('applied_at').orderBy('id').execute()
  } catch (error) {
    if (isMissingTable(error)) return []
    throw error
  }
}

const isMissingTable = (error: unknown): boolean =>
  error instanceof DatabaseError && (error.code === '42P01' || /no such table/i.test(error.message))

/** The ledger must be a part of what this version knows, unchanged. */
const check = async (
  steps: readonly Step[],
  ledger: readonly LedgerRow[],
  own: string,
  wayBack: (copy: null) => Promise<string>,
): Promise<void> => {
  const stepsById = new Map(steps.map((step) => [step.id, step]))
  if (stepsById.size < steps.length) throw new MigrationError('Two migrations have the same id.')
  for (const { id, checksum, version } of ledger) {
    const step = stepsById.get(id)
    if (step === undefined) {
      // Builds between two releases have one version.
      const [who, start] =
        version === own
          ? [`a newer build of Atrium ${version}`, 'that build or a newer one']
          : [`another version of Atrium (${version})`, `version ${version} or a newer one`]
      throw new MigrationError(
        `This database was last used by ${who}: it has the migration "${id}", which this one does not know. Nothing was changed. Start ${start}. ${await wayBack(null)}`,
      )
    }
    if (step.checksum !== checksum) {
      throw new MigrationError(
        `The migration "${id}" is not the one that version ${version} applied to this database. Nothing was changed. Start an unmodified copy of Atrium. ${await wayBack(null)}`,
      )
    }
  }
}

const apply = async (trx: Kysely<Tables>, step: Step, wayBack: () => Promise<string>): Promise<void> => {
  try {
    for (const statement of step.statements) await sql.raw(statement).execute(trx)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new MigrationError(
      `The migration "${step.id}" failed: ${reason} The database is as it was before. Start the version of Atrium that you came from, and report this. ${await wayBack()}`,
      { cause: error },
    )
  }
}

/** How to return to what was before, in a sentence. */
const describeWayBack = async (database: Database, folder: string, copy: string | null): Promise<string> => {
  if (database.dialect === 'postgres')
    return 'Restore your last pg_dump if you need to go back, and take a new one before you try again.'
  const file = copy ?? (await newestSnapshot(folder))
  return file === null
    ? 'There is no copy from before an upgrade in this data folder.'
    : `To go back, stop Atrium and put the copy ${file} in the place of the database file.`
}
