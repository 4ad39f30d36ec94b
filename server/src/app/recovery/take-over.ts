/**
 * Puts a restored database in the place of the empty one of a server without accounts. Once it is noted that the restored
 * one is whole, every start goes on with it, wherever the process ended: there is one or the other, and never half of each.
 * On PostgreSQL the note and the tables are in the database, and the tables change their place in one transaction.
 */
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { holdPlace } from '../../platform/db/hold.ts'
import { DatabaseLockedError, openDatabase } from '../../platform/db/index.ts'
import { takeSpareSchema } from '../../platform/db/spare-schema.ts'
import { keyFileName, loadInstanceKey } from '../../platform/vault/instance-key.ts'
import { sqliteKey } from '../../platform/vault/keys.ts'
import { type Config, dataPathsIn, keyOptionsOf } from '../config.ts'
import { sizeOf } from '../data-folder.ts'
import { syncFolder, writePrivateFile } from './marker.ts'

/** Below the data folder: what was sent, what it becomes, and the note that it is whole. */
export const firstRestorePaths = (dataDir: string) => {
  const base = join(dataDir, 'first-restore')
  return { base, received: join(base, 'received'), target: join(base, 'restored'), whole: join(base, 'whole') }
}

const log = { warn: () => undefined, error: () => undefined }

/** `occupied`: somebody made an account meanwhile. `busy`: another process works on the database; a later start does it. */
export type TakeOver = 'taken' | 'occupied' | 'busy'

/** For a server that has ended: gives its database up for the restored one. Where it is not `taken`, nothing has changed. */
export const takeOver = async (config: Config): Promise<TakeOver> => {
  if (config.databaseUrl) return await takeOverDatabase(config.databaseUrl, config.dataDir)
  const { database: file } = dataPathsIn(config.dataDir)
  const { key } = await loadInstanceKey({ ...keyOptionsOf(config), databaseExists: true })
  const database = await openDatabase({ file, key: sqliteKey(key), frugal: true, log })
  try {
    const rows = await database
      .tables<{ accounts: { id: string } }>()
      .selectFrom('accounts')
      .select('id')
      .limit(1)
      .execute()
    if (rows.length > 0) return 'occupied'
    // With the database held, so that no other process makes an account in between.
    await writePrivateFile(firstRestorePaths(config.dataDir).whole, 'The restored database is whole.\n')
  } finally {
    await database.close()
  }
  await finishTakeOver(config)
  return 'taken'
}

/** Other processes were told, and need a moment to end their servers. */
const patienceMs = 20_000

const takeOverDatabase = async (url: string, dataDir: string): Promise<TakeOver> => {
  const end = performance.now() + patienceMs
  for (;;)
    try {
      const state = await takeSpareSchema(url, anAccount)
      await rm(firstRestorePaths(dataDir).base, { recursive: true, force: true })
      // Where there is none any more, another process was quicker.
      return state === 'none' ? 'taken' : state
    } catch (error) {
      if (!(error instanceof DatabaseLockedError)) throw error
      if (performance.now() > end) return 'busy'
    }
}

const anAccount = 'select 1 from accounts limit 1'

/** Before a database is opened: ends what `takeOver` began, and takes away what an earlier process left. */
export const finishTakeOver = async ({
  dataDir,
  databaseUrl,
}: Pick<Config, 'dataDir' | 'databaseUrl'>): Promise<void> => {
  if (databaseUrl) {
    try {
      await takeSpareSchema(databaseUrl, anAccount)
    } catch (error) {
      // Others are at work, on what was there before.
      if (!(error instanceof DatabaseLockedError)) throw error
    }
    await rm(firstRestorePaths(dataDir).base, { recursive: true, force: true })
    return
  }
  const { base, target, whole } = firstRestorePaths(dataDir)
  if ((await sizeOf(base)) === null) return
  // Throws where a server is at work.
  const hold = await holdPlace({ file: dataPathsIn(dataDir).database })
  try {
    if ((await sizeOf(whole)) !== null) await putInPlace(dataDir, target)
    await rm(base, { recursive: true, force: true })
    await syncFolder(dataDir)
  } finally {
    await hold.release()
  }
}

/** Each step may have been done before. */
const putInPlace = async (dataDir: string, target: string): Promise<void> => {
  const [from, to] = [dataPathsIn(target).database, dataPathsIn(dataDir).database]
  if ((await sizeOf(from)) !== null) {
    // They belong to the database that goes.
    for (const ending of ['-wal', '-shm', '-journal']) await rm(to + ending, { force: true })
    await syncFolder(dataDir)
    await rename(from, to)
    await syncFolder(dataDir)
  }
  const key = join(target, keyFileName)
  if ((await sizeOf(key)) !== null) await rename(key, join(dataDir, keyFileName))
  await syncFolder(dataDir)
}
