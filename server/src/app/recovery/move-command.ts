/** `npm run move`: takes an instance from SQLite to PostgreSQL or back, by way of a backup that is removed afterwards. */
import { mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Destination } from '../../platform/backups/destinations/destination.ts'
import { openFolder } from '../../platform/backups/destinations/folder.ts'
import {
  BackupFailure,
  type BackupKeys,
  createBackup,
  makeBackupKeys,
  openBackupKeys,
} from '../../platform/backups/index.ts'
import type { DatabasePlace } from '../../platform/db/copy/index.ts'
import { holdPlace } from '../../platform/db/hold.ts'
import { sqliteKey } from '../../platform/vault/keys.ts'
import { type Config, dataPathsIn } from '../config.ts'
import { sizeOf } from '../data-folder.ts'
import { version } from '../version.ts'
import { refuseUnfinishedInstance } from './marker.ts'
import { progressOf } from './progress.ts'
import { restoreBackup } from './restore.ts'
import { ownInstanceKeys } from './secret.ts'
import { scratchName, targetOf } from './target.ts'

export const moveHelp = `npm run move -- --to <postgres://… or folder> [--dry-run] [--scratch <folder>]
  --to       an empty PostgreSQL database, or an empty folder for SQLite
  --dry-run  read and check everything, and write nothing there
  --scratch  where the copy lies on its way, encrypted, by default in the folder that it goes to (DATA_DIR with PostgreSQL); it
             takes about as much as the data
  The server must be stopped. What it had stays as it was. Interrupted, run it again: it goes on.`

/** `write` takes what goes to standard output. Throws BackupFailure and DestinationFailure. */
export const runMove = async (
  args: readonly string[],
  config: Config,
  write: (text: string) => void,
  tell: (text: string) => void = () => undefined,
): Promise<void> => {
  const { values } = parseArgs({
    args: [...args],
    options: { to: { type: 'string' }, 'dry-run': { type: 'boolean', default: false }, scratch: { type: 'string' } },
  })
  if (!values.to) throw new BackupFailure('refused', 'Choose where to move to: --to <postgres://… or folder>.')
  const url = /^postgres(ql)?:/.test(values.to) ? values.to : undefined
  // The target would have no mark.
  await refuseUnfinishedInstance(config)
  const instanceKey = await requireOneKey(config)
  const database: DatabasePlace = config.databaseUrl
    ? { url: config.databaseUrl }
    : { file: dataPathsIn(config.dataDir).database, key: sqliteKey(instanceKey) }
  const target = {
    dataDir: url === undefined ? resolve(values.to) : config.dataDir,
    url,
    keyIsElsewhere: config.encryptionKey !== undefined,
  }
  const dryRun = values['dry-run']
  if ('file' in database && !((await sizeOf(database.file)) ?? 0))
    throw new BackupFailure('missing', `There is no database in ${config.dataDir}.`)
  await targetOf({ ...target, instanceKey }).check()
  const hold = await holdPlace(database, { frozen: true })
  // Not where memory may be what it lies in; and nothing is written to a target that is only tried.
  const scratch = join(resolve(values.scratch ?? (dryRun ? config.dataDir : target.dataDir)), scratchName)
  let isOver = dryRun
  try {
    await mkdir(scratch, { recursive: true, mode: 0o700 })
    const from = openFolder(scratch)
    const keys = await keysOf(from, instanceKey)
    const { id } = await createBackup({
      database,
      destination: from,
      keys,
      instanceKey,
      appVersion: version,
      now: Date.now,
    })
    const options = { from, keys, at: id, instanceKey, target, dryRun, asCopy: false, keepSessions: true }
    const beforeEnd = hold.requireHeld
    const { totals } = (await restoreBackup({ ...options, beforeEnd, now: Date.now, onProgress: progressOf(tell) }))
      .manifest
    isOver = true
    write(
      dryRun
        ? `${totals.rows} rows were read and are whole. Nothing was written.`
        : `${totals.rows} rows were moved, and every one was compared. Start Atrium with ${url === undefined ? `DATA_DIR=${target.dataDir} and without DATABASE_URL` : 'DATABASE_URL'}. What was there before is still there.`,
    )
  } finally {
    // What was copied before an end need not be copied again.
    if (isOver) await rm(scratch, { recursive: true, force: true })
    await hold.release()
  }
}

/** Those of an earlier run that did not end, or new ones. */
const keysOf = async (from: Destination, instanceKey: Buffer): Promise<BackupKeys> => {
  try {
    return (await openBackupKeys(from, { instanceKey })).keys
  } catch (error) {
    if (!(error instanceof BackupFailure)) throw error
    return (await makeBackupKeys({ escrow: false })).keys
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
