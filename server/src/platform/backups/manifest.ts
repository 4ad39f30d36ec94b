/** What a backup is: its tables, where their rows are, and how they can be recognised. Written last, so that it is whole or not there. */
import { createHash, type KeyObject, randomBytes } from 'node:crypto'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { z } from 'zod'
import { maxObjectBytes, type Destination } from './destinations/destination.ts'
import { BackupFailure } from './failure.ts'
import { openObject, sealObject } from './seal.ts'

const hex = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`))
const count = z.number().int().nonnegative()

/** A stretch of rows, or of a list of such stretches. */
export const StoredChunk = z.strictObject({
  /** A keyed digest of the content, which shows nothing to others. */
  name: hex(32),
  pack: hex(32),
  /** Where it lies in the content of the pack. */
  offset: count,
  length: count,
  /** Rows in it, or chunks in a list. */
  items: count,
})
export type StoredChunk = z.infer<typeof StoredChunk>

const Table = z.strictObject({
  name: z.string().regex(/^[a-z_][a-z0-9_]*$/),
  columns: z.array(
    z.strictObject({
      name: z.string().regex(/^[a-z_][a-z0-9_]*$/),
      type: z.enum(['text', 'int', 'real', 'bytes', 'array', 'bits']),
    }),
  ),
  /** Positions of the columns of the primary key. */
  key: z.array(count),
  rows: count,
  /** SHA-256 over the bytes of all rows, in the order of the key. */
  digest: hex(64),
  /** Lists of the chunks of its rows, in order. */
  lists: z.array(StoredChunk),
})
export type ManifestTable = z.infer<typeof Table>

export const Manifest = z.strictObject({
  format: z.literal('atrium-backup'),
  version: z.literal(1),
  set: hex(16),
  id: z.string().regex(/^\d{8}t\d{9}z-[0-9a-f]{8}$/),
  /** Milliseconds; the rows are those of this moment. */
  createdAt: count,
  /** Of Atrium. */
  appVersion: z.string(),
  dialect: z.enum(['sqlite', 'postgres']),
  migrations: z.array(z.string()),
  tables: z.array(Table),
  /** Every pack that holds something of it: bytes of its content, and how many of them this backup needs. */
  packs: z.array(z.strictObject({ id: hex(32), bytes: count, needed: count })),
  totals: z.strictObject({ rows: count, files: count, storedBytes: count, sentBytes: count }),
})
export type Manifest = z.infer<typeof Manifest>

/** Ids sort by time. */
export const makeBackupId = (now: number): string =>
  `${new Date(now).toISOString().replaceAll(/[-:.]/g, '').toLowerCase()}-${randomBytes(4).toString('hex')}`

/** Milliseconds, as `makeBackupId` was given them. */
export const timeOfBackup = (id: string): number =>
  Date.parse(id.replace(/^(\d{4})(\d\d)(\d\d)t(\d\d)(\d\d)(\d\d)(\d{3})z.*$/, '$1-$2-$3T$4:$5:$6.$7Z'))

export const manifestName = (set: string, id: string): string => `${set}/manifests/${id}`
export const packName = (set: string, pack: string): string => `${set}/packs/${pack.slice(0, 2)}/${pack}`

export const writeManifest = async (
  destination: Destination,
  key: KeyObject,
  manifest: Manifest,
  signal?: AbortSignal,
): Promise<number> => {
  const name = manifestName(manifest.set, manifest.id)
  const bytes = sealObject(key, name, zstdCompressSync(JSON.stringify(manifest)))
  const { byteLength } = bytes
  await writeForSure(destination, name, bytes, signal)
  return byteLength
}

/**
 * For the few small objects without which all others are of no use: reads back what was written. Throws BackupFailure
 * `missing` where the destination says that it stored it, and did not.
 */
export const writeForSure = async (
  destination: Destination,
  name: string,
  bytes: Uint8Array,
  signal?: AbortSignal,
): Promise<void> => {
  // Before: its memory may be given away with it.
  const digest = digestOf(bytes)
  await destination.write(name, bytes, signal)
  const kept = await destination.read(name, signal)
  if (!kept || digestOf(kept) !== digest)
    throw new BackupFailure('missing', `The destination did not keep ${name}, although it said so.`)
}

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Throws BackupFailure `missing` or `damaged`. */
export const readManifest = async (
  destination: Destination,
  key: KeyObject,
  set: string,
  id: string,
  signal?: AbortSignal,
): Promise<Manifest> => {
  const name = manifestName(set, id)
  const bytes = await destination.read(name, signal)
  if (!bytes) throw new BackupFailure('missing', `Backup ${id} not found.`)
  const content = openObject(key, name, bytes)
  const parsed = Manifest.safeParse(
    JSON.parse(zstdDecompressSync(content, { maxOutputLength: maxObjectBytes * 4 }).toString()),
  )
  if (!parsed.success) throw new BackupFailure('newer', `Backup ${id} was made by a version that this one can’t read.`)
  const manifest = parsed.data
  if (manifest.set !== set || manifest.id !== id) throw new BackupFailure('damaged', `${name} is another backup.`)
  return manifest
}

/** So many are read side by side: a remote destination takes its time for each. */
const atOnce = 4

/** Manifests in the order of these ids, each as it is or as the BackupFailure that says why it cannot be read. */
export async function* readManifests(
  destination: Destination,
  key: KeyObject,
  set: string,
  ids: readonly string[],
  signal?: AbortSignal,
): AsyncGenerator<{ id: string; manifest: Manifest | BackupFailure }> {
  const read = async (id: string) => ({
    id,
    manifest: await readManifest(destination, key, set, id, signal).catch((error: unknown) => {
      if (error instanceof BackupFailure) return error
      throw error
    }),
  })
  for (let at = 0; at < ids.length; at += atOnce) yield* await Promise.all(ids.slice(at, at + atOnce).map(read))
}

/** Ids of the backups of a set, oldest first. */
export const listManifestIds = async (
  destination: Destination,
  set: string,
  signal?: AbortSignal,
): Promise<string[]> => {
  const prefix = manifestName(set, '')
  const ids: string[] = []
  for await (const { name } of destination.list(prefix, signal)) {
    const id = name.slice(prefix.length)
    if (Manifest.shape.id.safeParse(id).success) ids.push(id)
  }
  return ids.sort()
}
