/** A restore from its first look to the last comparison. */
import {
  type BackupKeys,
  chooseBackup,
  compareRows,
  loadRows,
  type Manifest,
  migrationsOfBackup,
  restoreIndex,
  verifyBackup,
} from '../../platform/backups/index.ts'
import type { Destination } from '../../platform/backups/destinations/destination.ts'
import { dialectTables } from '../../platform/db/search/convert.ts'
import { migrate } from '../../platform/db/index.ts'
import { rewrapKeys, verifyInstanceKey } from '../../platform/vault/wrapped-keys.ts'
import { migrations } from '../areas.ts'
import { dataPathsIn } from '../config.ts'
import { endWhatDoesNotLast } from './ends.ts'
import { revokeAgain, type Revocations } from './revocations.ts'
import { targetOf } from './target.ts'

export interface RestoreOptions {
  readonly from: Destination
  readonly keys: BackupKeys
  readonly instanceKey: Buffer
  /** An id or a time; without it the newest. */
  readonly at?: string | undefined
  readonly target: { readonly dataDir: string; readonly url?: string | undefined; readonly keyIsElsewhere: boolean }
  /** Read and check everything, and write nothing. */
  readonly dryRun: boolean
  /** End what acts outwards, so that the original and the copy do not both do it. */
  readonly asCopy: boolean
  /** For a move, where nothing was told from an earlier moment. */
  readonly keepSessions?: boolean
  /** Leave what was revoked after the moment of the backup as it was then. */
  readonly keepAccess?: boolean
  readonly now: () => number
  readonly onProgress?: ((step: RestoreStep, rows: number) => void) | undefined
}

export type RestoreStep = 'check' | 'load' | 'compare'

export interface RestoreResult {
  readonly manifest: Manifest
  /** What was taken away again; null where it was not asked for, or nothing was written. */
  readonly revocations: Revocations | null
}

/** Throws BackupFailure with the reason; a target that was begun stays marked as unfinished. */
export const restoreBackup = async (options: RestoreOptions): Promise<RestoreResult> => {
  const { from, keys, instanceKey, now, onProgress } = options
  const id = await chooseBackup(from, keys, options.at)
  const target = targetOf({ ...options.target, instanceKey })
  await target.check()
  const manifest = await verifyBackup(from, keys, id, { onProgress: (rows) => onProgress?.('check', rows) })
  const known = migrationsOfBackup(manifest, migrations)
  if (options.dryRun) return { manifest, revocations: null }

  await target.begin()
  const fresh = await target.open()
  try {
    const snapshotFolder = dataPathsIn(options.target.dataDir).snapshots
    await migrate(fresh, known, { version: manifest.appVersion, snapshotFolder, now })
  } finally {
    await fresh.close()
  }
  const told = ({ rows }: { rows: number }) => onProgress?.('load', rows)
  const leaveOut = dialectTables(manifest.dialect, target.dialect)
  await loadRows({ destination: from, keys, manifest, database: target.place, leaveOut, onProgress: told })
  onProgress?.('compare', 0)
  await compareRows(manifest, target.place, leaveOut)
  const database = await target.open()
  let revocations: Revocations | null = null
  try {
    // A backup from before the instance key was replaced.
    await rewrapKeys(database, keys.former, instanceKey)
    await verifyInstanceKey(database, instanceKey)
    const scratch = `${dataPathsIn(options.target.dataDir).database}-index-`
    if (leaveOut.size > 0)
      await restoreIndex({ from, keys, instanceKey, manifest, tables: leaveOut, scratch }, database)
    if (!options.keepSessions) await endWhatDoesNotLast(database, options)
    if (!options.keepSessions && !options.keepAccess)
      revocations = await revokeAgain({ from, keys, manifest }, database, now())
  } finally {
    await database.close()
  }
  await target.end()
  return { manifest, revocations }
}
