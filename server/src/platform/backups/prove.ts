/**
 * Restores a backup into a scratch database and compares it: what a restore would do, without anything that could act
 * outwards. It has a file and a key, no network, no jobs and no listener.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { columnTypes } from '../db/dialect.ts'
import { migrate, openDatabase } from '../db/index.ts'
import { dialectTables } from '../db/search/convert.ts'
import type { Migration } from '../db/types.ts'
import { sqliteKey } from '../vault/keys.ts'
import { rewrapKeys, verifyAllKeys } from '../vault/wrapped-keys.ts'
import type { Destination } from './destinations/destination.ts'
import type { BackupKeys } from './keys.ts'
import { chooseBackup, verifyBackup } from './read.ts'
import { compareRows, loadRows, migrationsOfBackup } from './restore.ts'
import { runInThread } from './thread.ts'

export interface ProofInput {
  readonly keys: BackupKeys
  readonly instanceKey: Buffer
  /** Without it the newest. */
  readonly id: string | undefined
  /** What makes the schema, in statements of SQLite. */
  readonly steps: readonly { readonly id: string; readonly statements: readonly string[] }[]
  /** A folder of its own is made in it, and removed. */
  readonly scratchFolder: string
}

export interface ProofResult {
  readonly id: string
  /** When the backup was made, milliseconds. */
  readonly createdAt: number
  readonly tables: number
  readonly rows: number
  readonly storedBytes: number
  /** How long reading and checking took, and writing and comparing. */
  readonly verifyMs: number
  readonly restoreMs: number
}

/** Proves a backup on a thread of its own. Throws BackupFailure with the reason. */
export const proveBackup = (
  options: Omit<ProofInput, 'steps' | 'id'> & {
    readonly destination: Destination
    readonly id?: string | undefined
    readonly migrations: readonly Migration[]
    readonly signal?: AbortSignal | undefined
    readonly onProgress?: ((rows: number) => void) | undefined
  },
): Promise<ProofResult> => {
  const { destination, migrations, signal, onProgress, id, keys, instanceKey, scratchFolder } = options
  const steps = migrations.map((step) => ({ id: step.id, statements: step.up(columnTypes.sqlite, 'sqlite') }))
  return runInThread('prove', { id, keys, instanceKey, scratchFolder, steps }, destination, { signal, onProgress })
}

/** The same on this thread. */
export const proveInScratch = async (
  { keys, instanceKey, id, steps, scratchFolder }: ProofInput,
  destination: Destination,
  options: { signal?: AbortSignal | undefined; onProgress?: ((rows: number) => void) | undefined } = {},
): Promise<ProofResult> => {
  const began = performance.now()
  const manifest = await verifyBackup(destination, keys, id ?? (await chooseBackup(destination, keys)), options)
  const verified = performance.now()
  await mkdir(scratchFolder, { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(join(scratchFolder, 'proof-'))
  try {
    const known = steps.map((step): Migration => ({ id: step.id, up: () => step.statements }))
    const place = { file: join(folder, 'atrium.db'), key: sqliteKey(instanceKey) }
    const log = { warn: () => undefined, error: () => undefined }
    const open = () => openDatabase({ ...place, frugal: true, log })
    const fresh = await open()
    try {
      const settings = { version: manifest.appVersion, snapshotFolder: folder, now: () => manifest.createdAt }
      await migrate(fresh, migrationsOfBackup(manifest, known), settings)
    } finally {
      await fresh.close()
    }
    const leaveOut = dialectTables(manifest.dialect, 'sqlite')
    await loadRows({ destination, keys, manifest, database: place, leaveOut, signal: options.signal })
    const { tables, rows } = await compareRows(manifest, place, leaveOut)
    const database = await open()
    try {
      await rewrapKeys(database, keys.former, instanceKey)
      await verifyAllKeys(database, instanceKey)
    } finally {
      await database.close()
    }
    return {
      id: manifest.id,
      createdAt: manifest.createdAt,
      tables,
      rows,
      storedBytes: manifest.totals.storedBytes,
      verifyMs: Math.round(verified - began),
      restoreMs: Math.round(performance.now() - verified),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
