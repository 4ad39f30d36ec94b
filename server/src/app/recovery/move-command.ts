/** `npm run move`: takes an instance from SQLite to PostgreSQL or back, by way of a backup that is removed afterwards. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { openFolder } from '../../platform/backups/destinations/folder.ts'
import { BackupFailure, createBackup, makeBackupKeys } from '../../platform/backups/index.ts'
import type { DatabasePlace } from '../../platform/db/copy/index.ts'
import { openDatabase } from '../../platform/db/index.ts'
import { sqliteKey } from '../../platform/vault/keys.ts'
import { type Config, dataPathsIn } from '../config.ts'
import { version } from '../version.ts'
import { restoreBackup } from './restore.ts'
import { ownInstanceKeys } from './secret.ts'

export const moveHelp = `npm run move -- --to <postgres://… or folder> [--dry-run] [--scratch <folder>]
  --to       an empty PostgreSQL database, or an empty folder for SQLite
  --dry-run  read and check everything, and write nothing there
  --scratch  where the copy lies on its way, encrypted; it takes about as much as the data
  The server must be stopped. What it had stays as it was.`

/** `write` takes what goes to standard output. Throws BackupFailure and DestinationFailure. */
export const runMove = async (
  args: readonly string[],
  config: Config,
  write: (text: string) => void,
): Promise<void> => {
  const { values } = parseArgs({
    args: [...args],
    options: { to: { type: 'string' }, 'dry-run': { type: 'boolean', default: false }, scratch: { type: 'string' } },
  })
  if (!values.to) throw new BackupFailure('refused', 'Say where to: --to <postgres://… or folder>.')
  const url = /^postgres(ql)?:/.test(values.to) ? values.to : undefined
  const instanceKey = await requireOneKey(config)
  const database: DatabasePlace = config.databaseUrl
    ? { url: config.databaseUrl }
    : { file: dataPathsIn(config.dataDir).database, key: sqliteKey(instanceKey) }
  const release = await holdSource(database)
  const folder = await mkdtemp(join(resolve(values.scratch ?? tmpdir()), 'atrium-move-'))
  try {
    const from = openFolder(folder)
    const { keys } = await makeBackupKeys({ escrow: false })
    await createBackup({ database, destination: from, keys, instanceKey, appVersion: version, now: Date.now })
    const target = {
      dataDir: url === undefined ? resolve(values.to) : config.dataDir,
      url,
      keyIsElsewhere: config.encryptionKey !== undefined,
    }
    const options = { from, keys, instanceKey, target, dryRun: values['dry-run'], asCopy: false, keepSessions: true }
    const { totals } = (await restoreBackup({ ...options, now: Date.now })).manifest
    write(
      options.dryRun
        ? `${totals.rows} rows were read and are whole. Nothing was written.`
        : `${totals.rows} rows were moved, and every one was compared. Start Atrium with ${url === undefined ? `DATA_DIR=${target.dataDir} and without DATABASE_URL` : 'DATABASE_URL'}. What was there before is still there.`,
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
    await release()
  }
}

/** What is moved while its key is replaced would have two. */
const requireOneKey = async (config: Config): Promise<Buffer> => {
  const { key, previous } = await ownInstanceKeys(config)
  if (previous)
    throw new BackupFailure(
      'refused',
      'The encryption key is being replaced. Run npm run rotate-key first, which ends it.',
    )
  return key
}

/** Keeps servers away from the source, or refuses where one runs: what it wrote from now on would be lost. */
const holdSource = async (place: DatabasePlace): Promise<() => Promise<void>> => {
  if ('file' in place) {
    // Throws where a server has the file.
    const held = await openDatabase({ ...place, log })
    return () => held.close()
  }
  const database = await openDatabase({ ...place, poolSize: 1, log })
  try {
    // Every server has one such connection, and so have we.
    const { rows } = await sql<{ servers: number }>`
      select count(*) as servers from pg_stat_activity
      where datname = current_database() and application_name = 'atrium-listener'`.execute(database.tables())
    if ((rows[0]?.servers ?? 0) > 1) throw new BackupFailure('refused', 'A server uses this database. Stop it first.')
  } finally {
    await database.close()
  }
  return async () => undefined
}

const log = { warn: () => undefined, error: () => undefined }
