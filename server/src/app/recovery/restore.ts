/** A restore from its first look to the last comparison. */
import { createHash } from 'node:crypto'
import {
  BackupFailure,
  type BackupKeys,
  chooseBackup,
  compareRows,
  loadRows,
  type Manifest,
  migrationsOfBackup,
  restoreIndex,
  verifyBackup,
} from '../../platform/backups/index.ts'
import { type Destination, DestinationFailure } from '../../platform/backups/destinations/destination.ts'
import { dialectTables } from '../../platform/db/search/convert.ts'
import { isOutage, migrate } from '../../platform/db/index.ts'
import { replaceInstanceKey, rewrapKeys, verifyInstanceKey } from '../../platform/vault/wrapped-keys.ts'
import { migrations } from '../areas.ts'
import { dataPathsIn } from '../config.ts'
import { endWhatDoesNotLast } from './ends.ts'
import { revokeAgain, type Revocations } from './revocations.ts'
import { type RestoreTarget, type TargetOptions, targetOf } from './target.ts'

export interface RestoreOptions {
  readonly from: Destination
  readonly keys: BackupKeys
  /** With which a server goes on. */
  readonly instanceKey: Buffer
  /** That of the backup, where the one above is to take its place. */
  readonly replacedKey?: Buffer | undefined
  /** An id or a time; without it the newest. */
  readonly at?: string | undefined
  readonly target: Omit<TargetOptions, 'instanceKey'>
  /** Read and check everything, and write nothing. */
  readonly dryRun: boolean
  /** End what acts outwards, so that the original and the copy do not both do it. */
  readonly asCopy: boolean
  /** For a move, where nothing was told from an earlier moment. */
  readonly keepSessions?: boolean
  /** Leave what was revoked after the moment of the backup as it was then. */
  readonly keepAccess?: boolean
  /** Asked before a server may start on the target. */
  readonly beforeEnd?: () => Promise<void>
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
  const { from, keys, instanceKey, onProgress } = options
  const id = await chooseBackup(from, keys, options.at)
  const target = targetOf({ ...options.target, instanceKey })
  await target.check()
  const manifest = await verifyBackup(from, keys, id, { onProgress: (rows) => onProgress?.('check', rows) })
  migrationsOfBackup(manifest, migrations)
  if (options.dryRun) return { manifest, revocations: null }

  await target.hold()
  try {
    // Reading took its time, and a server may have begun there meanwhile.
    await target.check()
    const note = noteOf(manifest)
    if (await target.begin(note)) await fillOrBeginAnew(options, manifest, target, note)
    else await fill(options, manifest, target, { goOn: false })
    const revocations = await complete(options, manifest, target)
    await options.beforeEnd?.()
    await target.end()
    return { manifest, revocations }
  } finally {
    await target.release()
  }
}

/** What an earlier run wrote is of use where it was the same instance and the same schema. */
const noteOf = ({ set, migrations: ids }: Manifest): string =>
  createHash('sha256')
    .update(JSON.stringify([set, ids]))
    .digest('hex')

/** A file that an end without power left damaged is of no use. */
const fillOrBeginAnew = async (
  options: RestoreOptions,
  manifest: Manifest,
  target: RestoreTarget,
  note: string,
): Promise<void> => {
  try {
    await fill(options, manifest, target, { goOn: true })
  } catch (error) {
    const isOfBackup = error instanceof BackupFailure && error.code !== 'different'
    if (isOfBackup || error instanceof DestinationFailure || isOutage(error)) throw error
    await target.begin(note, { anew: true })
    await fill(options, manifest, target, { goOn: false })
  }
}

const fill = async (
  { from, keys, now, onProgress, ...options }: RestoreOptions,
  manifest: Manifest,
  target: RestoreTarget,
  { goOn }: { readonly goOn: boolean },
): Promise<void> => {
  const database = await target.open()
  try {
    const snapshotFolder = dataPathsIn(options.target.dataDir).snapshots
    const settings = { version: manifest.appVersion, snapshotFolder, now }
    await migrate(database, migrationsOfBackup(manifest, migrations), settings)
  } finally {
    await database.close()
  }
  const leaveOut = dialectTables(manifest.dialect, target.dialect)
  const told = ({ rows }: { rows: number }) => onProgress?.('load', rows)
  await loadRows({ destination: from, keys, manifest, database: target.place, leaveOut, goOn, onProgress: told })
  onProgress?.('compare', 0)
  await compareRows(manifest, target.place, leaveOut)
}

/** What is done to the rows once they are there; it may be done again. */
const complete = async (
  { from, keys, instanceKey, now, ...options }: RestoreOptions,
  manifest: Manifest,
  target: RestoreTarget,
): Promise<Revocations | null> => {
  const leaveOut = dialectTables(manifest.dialect, target.dialect)
  const database = await target.open()
  try {
    // A backup from before the instance key was replaced.
    await rewrapKeys(database, keys.former, options.replacedKey ?? instanceKey)
    if (options.replacedKey)
      await replaceInstanceKey(database, { from: options.replacedKey, to: instanceKey, now: now() })
    await verifyInstanceKey(database, instanceKey)
    const scratch = `${dataPathsIn(options.target.dataDir).database}-index-`
    if (leaveOut.size > 0)
      await restoreIndex({ from, keys, instanceKey, manifest, tables: leaveOut, scratch }, database)
    if (options.keepSessions) return null
    await endWhatDoesNotLast(database, { asCopy: options.asCopy, instanceKey, now })
    return options.keepAccess ? null : await revokeAgain({ from, keys, manifest }, database, now())
  } finally {
    await database.close()
  }
}
