/** A folder of the machine, or one that is mounted there, as a destination. Symbolic links below it are not followed. */
import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readdir, realpath, rename, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readFileSystem } from '../../machine/file-system.ts'
import {
  type Destination,
  DestinationFailure,
  type DestinationFailureKind,
  isObjectName,
  maxObjectBytes,
  requireObjectName,
  type StoredObject,
} from './destination.ts'

/** Where files are written before they get their name; no name of an object begins with a dot. */
const draftFolder = '.incomplete'
/** Left by a process that ended in the middle; another one may be writing what is younger. */
const draftMs = 24 * 3600_000

/** Opens the folder at `path`; it is made with the first write where the folder above it is there. */
export const openFolder = (path: string, look = readFileSystem): Destination => {
  let swept: Promise<void> | undefined

  /** On a dead mount this waits, with all others, for one call; the calls below would each keep a thread of the process. */
  const awaitMount = async (signal?: AbortSignal): Promise<void> => {
    // The calls below say in words why the folder cannot be used, or make it.
    await look(path).catch(() => undefined)
    signal?.throwIfAborted()
  }

  const rootOf = async (signal?: AbortSignal): Promise<string> => {
    await awaitMount(signal)
    return await inWords(realpath(path))
  }

  const openRoot = async (signal?: AbortSignal): Promise<string> => {
    await awaitMount(signal)
    await inWords(makeFolder(path))
    const root = await inWords(realpath(path))
    await makeChild(root, draftFolder)
    swept ??= sweepDrafts(join(root, draftFolder))
    await inWords(swept)
    return root
  }

  return {
    async write(name, bytes, signal) {
      requireObjectName(name)
      signal?.throwIfAborted()
      const root = await openRoot(signal)
      const segments = name.split('/')
      let folder = root
      for (const segment of segments.slice(0, -1)) folder = await makeChild(folder, segment)
      const draft = join(root, draftFolder, crypto.randomUUID())
      try {
        await inWords(writeFlushed(draft, bytes, signal))
        await inWords(rename(draft, join(folder, segments.at(-1) ?? '')))
      } catch (error) {
        await unlink(draft).catch(ignoreMissing)
        throw error
      }
      await inWords(flushFolder(folder))
    },

    async read(name, signal) {
      requireObjectName(name)
      signal?.throwIfAborted()
      const root = await rootOf(signal)
      if (!(await hasFolders(root, name))) return undefined
      const file = await inWords(open(join(root, name), constants.O_RDONLY | noLink).catch(absentFile))
      if (file === null) return undefined
      try {
        const { size } = requireFile(await inWords(file.stat()))
        if (size > maxObjectBytes) throw new DestinationFailure('invalid', 'A file is larger than any of a backup.')
        return await inWords(file.readFile({ signal }))
      } finally {
        await file.close()
      }
    },

    async *list(prefix, signal) {
      const root = await rootOf(signal)
      // Only the folder that all of these names lie in is walked.
      const start = prefix.includes('/') ? prefix.slice(0, prefix.lastIndexOf('/')) : ''
      if (start !== '' && (!isObjectName(start) || !(await hasFolders(root, `${start}/`)))) return
      yield* walk(root, start, prefix, signal)
    },

    async remove(name, signal) {
      requireObjectName(name)
      signal?.throwIfAborted()
      const root = await rootOf(signal)
      if (!(await hasFolders(root, name))) return
      const path = join(root, name)
      await inWords(unlink(path).catch(ignoreMissing))
      await inWords(flushFolder(dirname(path)).catch(ignoreMissing))
    },

    async space() {
      const { blocks, bavail, bsize } = await inWords(look(path))
      return { totalBytes: blocks * bsize, freeBytes: bavail * bsize }
    },
  }
}

/** A link is an error, and a named pipe does not wait for a writer. */
const noLink = constants.O_NOFOLLOW | constants.O_NONBLOCK

const makeFolder = async (path: string): Promise<void> => {
  const made = await mkdir(path, { mode: 0o700 }).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error
      return false
    },
  )
  if (made) await flushFolder(dirname(path))
}

/** Makes a folder in one that is there, and gives its path; throws where its place is taken by something else. */
const makeChild = async (parent: string, name: string): Promise<string> => {
  const path = join(parent, name)
  await inWords(makeFolder(path))
  if (!(await inWords(lstat(path))).isDirectory()) throw notAFolder()
  return path
}

const writeFlushed = async (path: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void> => {
  const file: FileHandle = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
  try {
    await file.writeFile(bytes, { signal })
    await file.sync()
  } finally {
    await file.close()
  }
}

/** A new name is on the disk once the folder is; a few network file systems have no such call, and need none. */
const flushFolder = async (path: string): Promise<void> => {
  const folder = await open(path, constants.O_RDONLY)
  try {
    await folder.sync()
  } catch (error) {
    if (!['EINVAL', 'ENOTSUP', 'EISDIR', 'EPERM'].includes(codeOf(error))) throw error
  } finally {
    await folder.close()
  }
}

const sweepDrafts = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const entry = await lstat(path).catch(absentFile)
    if (entry?.isFile() && entry.mtimeMs < Date.now() - draftMs) await unlink(path).catch(ignoreMissing)
  }
}

/** Whether all folders of a name are there; throws where one of them is a link or a file. */
const hasFolders = async (root: string, name: string): Promise<boolean> => {
  let folder = root
  for (const segment of name.split('/').slice(0, -1)) {
    folder = join(folder, segment)
    const entry = await inWords(lstat(folder).catch(absentFile))
    if (entry === null) return false
    if (!entry.isDirectory()) throw notAFolder()
  }
  return true
}

async function* walk(
  root: string,
  folder: string,
  prefix: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<StoredObject> {
  const entries = await inWords(readdir(join(root, folder), { withFileTypes: true }))
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    signal?.throwIfAborted()
    const name = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (!isObjectName(name)) continue
    if (entry.isDirectory() && (`${name}/`.startsWith(prefix) || prefix.startsWith(`${name}/`))) {
      yield* walk(root, name, prefix, signal)
    } else if (entry.isFile() && name.startsWith(prefix)) {
      const stats = await inWords(lstat(join(root, name)).catch(absentFile))
      if (stats) yield { name, bytes: stats.size, modifiedAt: stats.mtime }
    }
  }
}

const requireFile = <S extends { isFile(): boolean }>(stats: S): S => {
  if (!stats.isFile()) throw new DestinationFailure('invalid', 'Something in the folder isn’t a regular file.')
  return stats
}

const notAFolder = () =>
  new DestinationFailure('invalid', 'Something in the folder that should be a folder is a file or a link.')

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? ''

const absentFile = (error: unknown): null => {
  if (codeOf(error) !== 'ENOENT') throw error
  return null
}

const ignoreMissing = (error: unknown): void => void absentFile(error)

/** Says why a call of the file system failed in a sentence; what is not of it passes as it is. */
const inWords = async <T>(call: Promise<T>): Promise<T> => {
  try {
    return await call
  } catch (error) {
    const words = wordsOf[codeOf(error)]
    throw words ? new DestinationFailure(...words, { cause: error }) : error
  }
}

const full: [DestinationFailureKind, string] = ['full', 'The folder’s disk is full.']
const denied: [DestinationFailureKind, string] = ['denied', 'The server’s user can’t read and write in the folder.']
const away: [DestinationFailureKind, string] = ['unreachable', 'The folder’s disk or network isn’t available.']

const wordsOf: Readonly<Record<string, [DestinationFailureKind, string]>> = {
  ENOENT: ['missing', 'The folder is not there. Is its disk mounted?'],
  ENOTDIR: ['missing', 'The path leads to a file, not a folder.'],
  ENOSPC: full,
  EDQUOT: full,
  EFBIG: full,
  EACCES: denied,
  EPERM: denied,
  EROFS: ['denied', 'The folder is on a read-only disk.'],
  ELOOP: ['invalid', 'Something in the folder is a symbolic link. Links aren’t followed.'],
  EISDIR: ['invalid', 'Something in the folder is a folder but should be a file.'],
  ENXIO: ['invalid', 'Something in the folder isn’t a regular file.'],
  EIO: away,
  ESTALE: away,
  ENOTCONN: away,
  EHOSTDOWN: away,
  ETIMEDOUT: away,
}
