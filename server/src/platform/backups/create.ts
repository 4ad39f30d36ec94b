/** Makes a backup of a database as it is at one instant: what the backup before has is not sent again. */
import { type DatabasePlace, openTableSource } from '../db/copy/index.ts'
import { type Destination, DestinationFailure } from './destinations/destination.ts'
import { BackupFailure } from './failure.ts'
import { type BackupKeys, deriveBackupKeys, storeBackupKeys } from './keys.ts'
import {
  listManifestIds,
  makeBackupId,
  type Manifest,
  type ManifestTable,
  packName,
  readManifest,
  type StoredChunk,
  writeManifest,
} from './manifest.ts'
import { type BackupPlace, type ChunkReader, createChunkReader, createPackWriter } from './packs.ts'
import { sealedLength } from './seal.ts'
import { readChunks, storeTable } from './tables.ts'

export interface CreateOptions {
  readonly database: DatabasePlace
  readonly destination: Destination
  readonly keys: BackupKeys
  /** It may travel with the backup, as the keys say. */
  readonly instanceKey: Buffer
  /** Integer milliseconds. */
  readonly now: () => number
  /** Of Atrium. */
  readonly appVersion: string
  /** Send everything, also what the backup before has: for when that proved damaged (default false). */
  readonly whole?: boolean
  readonly signal?: AbortSignal | undefined
  /** Hears now and then how many rows were read. */
  readonly onProgress?: ((progress: { readonly table: string; readonly rows: number }) => void) | undefined
}

export interface BackupSummary {
  readonly id: string
  /** Milliseconds. */
  readonly createdAt: number
  readonly appVersion: string
  readonly dialect: Manifest['dialect']
  readonly tables: number
  readonly rows: number
  /** Rows of the table of files. */
  readonly files: number
  /** What all of it takes, and how much of that was sent for it. */
  readonly storedBytes: number
  readonly sentBytes: number
}

/** Less of a pack than this being needed, what is needed of it is sent anew, so that the pack can go one day. */
const leastShare = 0.3

/** Throws BackupFailure, DestinationFailure, or what reading the database throws; then no backup is there. */
export const createBackup = async (options: CreateOptions): Promise<BackupSummary> => {
  const { database, destination, keys, instanceKey, now, signal } = options
  const derived = deriveBackupKeys(keys)
  const place: BackupPlace = { destination, set: keys.set, ...derived, signal }
  await storeBackupKeys(destination, keys, instanceKey, signal)
  const present = await listPacks(place)
  const before = options.whole ? null : await readNewest(place)
  const usable = before ? usablePacks(before, present) : new Set<string>()
  const createdAt = now()
  const source = await openTableSource(database)
  const writer = createPackWriter(place)
  const lists = createPackWriter(place)
  // One for all tables: their lists lie in the same packs.
  const reader = createChunkReader(place)
  const shared = before ? packsWithRows(before) : new Set<string>()
  // From then on it may be there, whatever the destination says, and need its packs.
  let isWritten = false
  try {
    const needed = new Map<string, number>()
    const tables: ManifestTable[] = []
    let rows = 0
    for (const table of source.tables) {
      signal?.throwIfAborted()
      const known = await knownChunks(reader, before, table.name, { usable, shared })
      const told = (some: number): void => {
        signal?.throwIfAborted()
        rows += some
        options.onProgress?.({ table: table.name, rows })
      }
      const stored = await storeTable(table, source.rows(table), known, { names: derived.names, writer, lists, told })
      tables.push(stored.table)
      for (const { pack, length } of stored.chunks) needed.set(pack, (needed.get(pack) ?? 0) + length)
    }
    const sent = [await writer.finish(), await lists.finish()]
    const sentBytes = sent.reduce((sum, each) => sum + each.sentBytes, 0)
    const former = (before?.packs ?? []).map(({ id, bytes }) => [id, bytes] as const)
    const sizes = new Map([...former, ...sent.flatMap(({ packs: some }) => [...some])])
    const packs = [...needed].map(([id, count]) => ({ id, bytes: sizes.get(id) ?? count, needed: count }))
    // Somebody may have taken one away meanwhile; without all of them there is no backup.
    const there = await listPacks(place)
    const lost = packs.find(({ id }) => !there.has(id))
    if (lost) throw new BackupFailure('missing', `${packName(keys.set, lost.id)} went away while the backup was made.`)
    const manifest: Manifest = {
      format: 'atrium-backup',
      version: 1,
      set: keys.set,
      id: makeBackupId(createdAt),
      createdAt,
      appVersion: options.appVersion,
      dialect: source.dialect,
      migrations: [...source.migrations],
      tables,
      packs,
      totals: {
        rows,
        files: tables.find(({ name }) => name === 'files')?.rows ?? 0,
        storedBytes: packs.reduce((sum, pack) => sum + pack.bytes, 0),
        sentBytes,
      },
    }
    isWritten = true
    const manifestBytes = await writeManifest(destination, derived.objects, manifest, signal)
    return { ...summaryOf(manifest), sentBytes: sentBytes + manifestBytes }
  } catch (error) {
    // A full destination gets its room back, for the next try and for what else is kept there.
    if (!isWritten && !signal?.aborted && error instanceof DestinationFailure)
      for (const each of [writer, lists]) await each.discard()
    throw error
  } finally {
    await source.close()
  }
}

export const summaryOf = ({ id, createdAt, appVersion, dialect, tables, totals }: Manifest): BackupSummary => ({
  id,
  createdAt,
  appVersion,
  dialect,
  tables: tables.length,
  ...totals,
})

/** Packs that lie there, by id, with their bytes as they are stored. */
export const listPacks = async ({ destination, set, signal }: BackupPlace): Promise<Map<string, number>> => {
  const packs = new Map<string, number>()
  for await (const { name, bytes } of destination.list(`${set}/packs/`, signal)) {
    const id = name.slice(name.lastIndexOf('/') + 1)
    if (name === packName(set, id)) packs.set(id, bytes)
  }
  return packs
}

/** The newest backup that can be read. A damaged one is no reason not to make another. */
const readNewest = async ({ destination, set, objects, signal }: BackupPlace): Promise<Manifest | null> => {
  for (const id of (await listManifestIds(destination, set, signal)).toReversed())
    try {
      return await readManifest(destination, objects, set, id, signal)
    } catch (error) {
      if (!(error instanceof BackupFailure)) throw error
    }
  return null
}

const usablePacks = ({ packs }: Manifest, present: ReadonlyMap<string, number>): Set<string> =>
  new Set(
    packs
      .filter(({ id, bytes, needed }) => present.get(id) === sealedLength(bytes) && needed >= bytes * leastShare)
      .map(({ id }) => id),
  )

/**
 * Packs that hold rows, beside lists or without. Lists and rows of earlier versions lie in the same ones: such lists are
 * sent once more, so that the next backup need not read those packs.
 */
const packsWithRows = ({ packs, tables }: Manifest): Set<string> => {
  const ofLists = new Map<string, number>()
  for (const { pack, length } of tables.flatMap(({ lists }) => lists))
    ofLists.set(pack, (ofLists.get(pack) ?? 0) + length)
  return new Set(packs.filter(({ id, needed }) => needed > (ofLists.get(id) ?? 0)).map(({ id }) => id))
}

const knownChunks = async (
  reader: ChunkReader,
  before: Manifest | null,
  name: string,
  { usable, shared }: { readonly usable: ReadonlySet<string>; readonly shared: ReadonlySet<string> },
): Promise<Map<string, StoredChunk>> => {
  const known = new Map<string, StoredChunk>()
  const table = before?.tables.find((each) => each.name === name)
  if (!table) return known
  try {
    for await (const { list, chunks } of readChunks(table, reader)) {
      if (usable.has(list.pack) && !shared.has(list.pack)) known.set(list.name, list)
      for (const chunk of chunks) if (usable.has(chunk.pack)) known.set(chunk.name, chunk)
    }
  } catch (error) {
    // What cannot be read of the one before is sent anew.
    if (!(error instanceof BackupFailure)) throw error
  }
  return known
}
