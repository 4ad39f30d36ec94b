/** What backups there are, whether one is whole, and taking one away. */
import { summaryOf, type BackupSummary } from './create.ts'
import type { CellRow } from '../db/copy/index.ts'
import type { Destination } from './destinations/destination.ts'
import { BackupFailure } from './failure.ts'
import { type BackupKeys, deriveBackupKeys } from './keys.ts'
import { listManifestIds, type Manifest, manifestName, readManifest, readManifests, timeOfBackup } from './manifest.ts'
import { createChunkReader } from './packs.ts'
import { readTable } from './tables.ts'

/** A backup, or why it cannot be read. */
export type ListedBackup = BackupSummary | { readonly id: string; readonly problem: string }

/** Newest first. Only what is sealed with these keys counts as a backup; what is damaged is told. */
export const listBackups = async (
  destination: Destination,
  keys: BackupKeys,
  signal?: AbortSignal,
): Promise<ListedBackup[]> => {
  const { objects } = deriveBackupKeys(keys)
  const ids = (await listManifestIds(destination, keys.set, signal)).toReversed()
  const backups: ListedBackup[] = []
  for await (const { id, manifest } of readManifests(destination, objects, keys.set, ids, signal))
    backups.push(manifest instanceof BackupFailure ? { id, problem: manifest.message } : summaryOf(manifest))
  return backups
}

/** The id of a backup: `at` is an id, or a time, for the newest one of then or before. Without it the newest of all. */
export const chooseBackup = async (destination: Destination, keys: BackupKeys, at?: string): Promise<string> => {
  const ids = await listManifestIds(destination, keys.set)
  if (at !== undefined && ids.includes(at)) return at
  const time = at === undefined ? Number.POSITIVE_INFINITY : Date.parse(at)
  if (Number.isNaN(time)) throw new BackupFailure('missing', `Backup ${at} not found, and it isn’t a time either.`)
  // Its id tells when it was made: one that is damaged, and younger than what is asked for, is in nobody's way.
  const id = ids.findLast((one) => timeOfBackup(one) <= time)
  if (id !== undefined) return id
  throw new BackupFailure(
    'missing',
    at === undefined ? 'There are no backups yet.' : `There is no backup from ${at} or earlier.`,
  )
}

/** Reads all of a backup, and compares every digest. Throws BackupFailure with the reason. */
export const verifyBackup = async (
  destination: Destination,
  keys: BackupKeys,
  id: string,
  { signal, onProgress }: { signal?: AbortSignal | undefined; onProgress?: ((rows: number) => void) | undefined } = {},
): Promise<Manifest> => {
  const derived = deriveBackupKeys(keys)
  const manifest = await readManifest(destination, derived.objects, keys.set, id, signal)
  const reader = createChunkReader({ destination, set: keys.set, ...derived, signal })
  let rows = 0
  for (const table of manifest.tables)
    for await (const some of readTable(table, reader)) {
      rows += some.length
      onProgress?.(rows)
    }
  return manifest
}

/** Some columns of all rows of a table, in the order that was asked for. Throws BackupFailure `damaged` for what is not there. */
export async function* readColumns(
  destination: Destination,
  keys: BackupKeys,
  manifest: Manifest,
  name: string,
  columns: readonly string[],
): AsyncIterable<CellRow> {
  const table = manifest.tables.find((each) => each.name === name)
  const places = columns.map((column) => table?.columns.findIndex((each) => each.name === column) ?? -1)
  if (!table || places.includes(-1)) throw new BackupFailure('damaged', `The backup has no table ${name}.`)
  const reader = createChunkReader({ destination, set: keys.set, ...deriveBackupKeys(keys) })
  for await (const rows of readTable(table, reader))
    for (const row of rows) yield places.map((place) => row[place] ?? null)
}

/** Ids of the backups that are younger than another, the newest first. */
export const listNewerBackups = async (
  destination: Destination,
  keys: BackupKeys,
  than: Manifest,
): Promise<string[]> => {
  const ids = (await listManifestIds(destination, keys.set)).toReversed()
  const end = ids.indexOf(than.id)
  return end === -1 ? ids.filter((id) => id > than.id) : ids.slice(0, end)
}

/** A backup without its rows. Throws BackupFailure. */
export const readBackup = (destination: Destination, keys: BackupKeys, id: string): Promise<Manifest> =>
  readManifest(destination, deriveBackupKeys(keys).objects, keys.set, id)

/** Takes one backup away. What only it needed goes with the next sweep. */
export const deleteBackup = (destination: Destination, keys: BackupKeys, id: string): Promise<void> =>
  destination.remove(manifestName(keys.set, id))
