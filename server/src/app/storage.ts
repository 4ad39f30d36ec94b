/** The storage of the instance: its key, the migrated database, and the vault. Opens all of them or none. */
import { constants } from 'node:fs'
import { access, mkdir } from 'node:fs/promises'
import { type Database, DatabaseKeyError, type Migration, migrate, openDatabase } from '../platform/db/index.ts'
import type { DatabasePlace } from '../platform/db/copy/index.ts'
import { createDatabaseRecorder, watchDatabase } from '../platform/db/metrics.ts'
import type { Log } from '../platform/log/log.ts'
import type { Platform } from '../platform/platform.ts'
import { keyCardOf, loadInstanceKey } from '../platform/vault/instance-key.ts'
import { sqliteKey } from '../platform/vault/keys.ts'
import { openVault } from '../platform/vault/vault.ts'
import { verifyInstanceKey } from '../platform/vault/wrapped-keys.ts'
import { type Config, dataPathsIn, keyOptionsOf } from './config.ts'
import { markAsUsed, refuseIfEmptied, sizeOf } from './data-folder.ts'
import { refuseUnfinishedDatabase, refuseUnfinishedFolder } from './recovery/marker.ts'
import { finishTakeOver } from './recovery/take-over.ts'
import { StartError } from './start-error.ts'

export interface Storage extends Pick<Platform, 'database' | 'instanceKey' | 'vault'> {
  /** What a backup is made of: where the rows are, and the key that opens them. */
  readonly backupSource: {
    readonly database: DatabasePlace
    readonly instanceKey: Buffer
    readonly previousKey: Buffer | null
  }
}

/**
 * Opens the data folder or the server, checks that the key belongs to it, and brings the schema up to date.
 * With a wrong or missing key nothing is written. Throws errors whose message is a sentence.
 */
export const openStorage = async (
  config: Config,
  migrations: readonly Migration[],
  { clock, log, version, metrics }: Pick<Platform, 'clock' | 'log' | 'version' | 'metrics'>,
): Promise<Storage> => {
  const places = dataPathsIn(config.dataDir)
  await openFolder(config.dataDir)
  await finishTakeOver(config)
  await refuseUnfinishedFolder(config.dataDir)
  const databaseLog = adapt(log.child('database'))
  const recorder = metrics && createDatabaseRecorder(metrics)
  const { databaseUrl: url, databasePoolSize: poolSize } = config
  const server = url ? await openDatabase({ url, poolSize, log: databaseLog, recorder }) : null
  let database = server
  try {
    if (server) await refuseUnfinishedDatabase(server)
    const databaseExists = server ? await hasTables(server) : ((await sizeOf(places.database)) ?? 0) > 0
    await refuseIfEmptied(places, server ? 'postgres' : 'sqlite', !databaseExists)
    const found = await loadInstanceKey({ ...keyOptionsOf(config), databaseExists })
    const { key, previous } = found
    const snapshotFolder = places.snapshots
    const file = { file: places.database, frugal: true, snapshotFolder, log: databaseLog, recorder }
    let fileKey = sqliteKey(key)
    database ??= await openDatabase({ ...file, key: fileKey }).catch((error: unknown) => {
      if (!(error instanceof DatabaseKeyError) || previous === null) throw error
      fileKey = sqliteKey(previous)
      return openDatabase({ ...file, key: fileKey })
    })
    await verifyInstanceKey(database, key, previous)
    const { applied, snapshot } = await migrate(database, migrations, { version, snapshotFolder, now: clock.now })
    if (applied.length > 0) log.info('The schema was brought up to date', { applied: applied.length, snapshot })
    const vault = await openVault({ database, instanceKey: key, previousKey: previous, clock })
    if (metrics) watchDatabase(metrics, database)
    await markAsUsed(places, database.dialect)
    const place = url ? { url } : { file: places.database, key: fileKey }
    const backupSource = { database: place, instanceKey: key, previousKey: previous }
    return { database, vault, instanceKey: keyCardOf(found), backupSource }
  } catch (error) {
    await database?.close()
    throw error
  }
}

const openFolder = async (folder: string): Promise<void> => {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StartError(`The data folder ${folder} can’t be used (${code}). Check DATA_DIR and its permissions.`)
  }
}

const hasTables = async (database: Database): Promise<boolean> =>
  (await database.tables<unknown>().introspection.getTables()).some(({ name }) => name === 'vault_keys')

/** The database says its fields first. */
const adapt = (log: Log) => ({
  warn: (fields: object, message: string) => log.warn(message, { ...fields }),
  error: (fields: object, message: string) => log.error(message, { ...fields }),
})
