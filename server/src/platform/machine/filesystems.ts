/** How full the file systems of some folders are. */
import { createBoundedRead } from './bounded-read.ts'
import { readFileSystem } from './file-system.ts'

export interface Folder<L extends string = string> {
  readonly label: L
  readonly path: string
}

export interface FilesystemUsage<L extends string = string> extends Folder<L> {
  readonly totalBytes: number
  /** What an ordinary user may still write. */
  readonly freeBytes: number
  readonly usedBytes: number
  /** Of what ordinary users can have, as `df` says it: what is kept for the system counts as neither used nor free. */
  readonly usedPercent: number
}

/** What `statfs` tells, in blocks of `frsize` bytes. */
export interface FilesystemStats {
  readonly bsize: number
  readonly frsize?: number
  readonly blocks: number
  readonly bfree: number
  readonly bavail: number
}

export interface FilesystemReaderOptions {
  readonly readStats?: (path: string) => Promise<FilesystemStats>
  /** Longest wait for a file system. */
  readonly waitMs?: number
}

/**
 * Gives a function that looks at all of them, those of one path once. A folder whose file system does not answer in
 * time is left out.
 */
export const createFilesystemReader = <L extends string>(
  folders: readonly Folder<L>[],
  { readStats = readFileSystem, waitMs = 1000 }: FilesystemReaderOptions = {},
): (() => Promise<FilesystemUsage<L>[]>) => {
  const distinct = folders.filter(({ path }, at) => folders.findIndex((other) => other.path === path) === at)
  const readers = distinct.map((folder) =>
    createBoundedRead(async () => filesystemUsage(folder, await readStats(folder.path)), waitMs),
  )
  return async () => (await Promise.all(readers.map((read) => read()))).filter((usage) => usage !== null)
}

/** Gives a function that tells what is free in a folder; null where its file system does not answer in time. */
export const createFreeBytesReader = (
  path: string,
  options: FilesystemReaderOptions = {},
): (() => Promise<number | null>) => {
  const read = createFilesystemReader([{ label: 'data', path }], options)
  return async () => (await read())[0]?.freeBytes ?? null
}

/** Blocks are counted in fragments, which some file systems make smaller than what they like to transfer. */
export const filesystemUsage = <L extends string>(
  folder: Folder<L>,
  { bsize, frsize = bsize, blocks, bfree, bavail }: FilesystemStats,
): FilesystemUsage<L> => {
  const used = Math.max(0, blocks - bfree)
  const free = Math.max(0, bavail)
  const usedPercent = used + free === 0 ? 0 : Math.round((used / (used + free)) * 1000) / 10
  return {
    ...folder,
    totalBytes: blocks * frsize,
    freeBytes: free * frsize,
    usedBytes: used * frsize,
    usedPercent,
  }
}
