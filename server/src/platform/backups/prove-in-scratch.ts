/** Proves a backup in this process, which should be one of its own. */
import { join } from 'node:path'
import { type Database, type DatabaseOptions, migrate, openDatabase } from '../db/index.ts'
import { dialectTables } from '../db/search/convert.ts'
import type { Migration } from '../db/types.ts'
import { sqliteKey } from '../vault/keys.ts'
import type { SealedColumn } from '../vault/sealed-columns.ts'
import { rewrapKeys, verifyAllKeys } from '../vault/wrapped-keys.ts'
import type { Destination } from './destinations/destination.ts'
import type { BackupKeys } from './keys.ts'
import { openAllValues } from './open-all.ts'
import { verifyBackup } from './read.ts'
import { compareRows, loadRows, migrationsOfBackup } from './restore.ts'
import { restoreIndex } from './search-index.ts'

export interface ProofInput {
  readonly keys: BackupKeys
  readonly instanceKey: Buffer
  readonly id: string
  /** What makes the schema, in statements of the scratch database. */
  readonly steps: readonly { readonly id: string; readonly statements: readonly string[] }[]
  readonly sealed: readonly SealedColumn[]
  /** Empty, for whatever is written. */
  readonly folder: string
  /** A scratch database on a server; without it there is one in the folder. */
  readonly url: string | null
}

export interface ProofResult {
  readonly id: string
  /** When the backup was made, milliseconds. */
  readonly createdAt: number
  /** What it was restored into. */
  readonly dialect: Database['dialect']
  readonly tables: number
  readonly rows: number
  /** Sealed values that were opened. */
  readonly values: number
  /** Entries of the search index that were found by their words. */
  readonly searches: number
  readonly storedBytes: number
  /** How long reading and checking took, and writing and comparing. */
  readonly verifyMs: number
  readonly restoreMs: number
}

/** Restores it into a scratch database that is empty, and goes through all of it. Throws BackupFailure with the reason. */
export const proveInScratch = async (
  { keys, instanceKey, id, steps, sealed, folder, url }: ProofInput,
  destination: Destination,
  options: { signal?: AbortSignal | undefined; onProgress?: ((rows: number) => void) | undefined } = {},
): Promise<ProofResult> => {
  const began = performance.now()
  const manifest = await verifyBackup(destination, keys, id, options)
  const verified = performance.now()
  const known = steps.map((step): Migration => ({ id: step.id, up: () => step.statements }))
  const place = url === null ? { file: join(folder, 'atrium.db'), key: sqliteKey(instanceKey) } : { url }
  const settings = { version: manifest.appVersion, snapshotFolder: folder, now: () => manifest.createdAt }
  await within(place, (database) => migrate(database, migrationsOfBackup(manifest, known), settings))
  const dialect = url === null ? 'sqlite' : 'postgres'
  const leaveOut = dialectTables(manifest.dialect, dialect)
  await loadRows({ destination, keys, manifest, database: place, leaveOut, signal: options.signal })
  const { tables, rows } = await compareRows(manifest, place, leaveOut)
  const opened = await within(place, async (database) => {
    await rewrapKeys(database, keys.former, instanceKey)
    await verifyAllKeys(database, instanceKey)
    const scratch = join(folder, 'index-')
    const source = { from: destination, keys, instanceKey, manifest, tables: leaveOut, scratch, signal: options.signal }
    if (leaveOut.size > 0) await restoreIndex(source, database)
    return await openAllValues(database, sealed, { instanceKey, ...options })
  })
  return {
    id: manifest.id,
    createdAt: manifest.createdAt,
    dialect,
    tables,
    rows,
    ...opened,
    storedBytes: manifest.totals.storedBytes,
    verifyMs: Math.round(verified - began),
    restoreMs: Math.round(performance.now() - verified),
  }
}

const within = async <R>(
  place: Pick<DatabaseOptions, 'file' | 'key' | 'url'>,
  work: (database: Database) => Promise<R>,
): Promise<R> => {
  const log = { warn: () => undefined, error: () => undefined }
  const database = await openDatabase({ ...place, frugal: true, poolSize: 2, log })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
