/** Where the instance key comes from: the environment, or a file beside the database that is made once. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { link, lstat, mkdir, open, rename, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { VaultFailure } from './failure.ts'

export interface InstanceKey {
  /** 32 bytes. */
  readonly key: Buffer
  /** The key that it takes the place of, while it does; null otherwise. */
  readonly previous: Buffer | null
  readonly source: 'environment' | 'file' | 'new-file'
  /** The key's file; null when the environment gives the key. */
  readonly path: string | null
}

/** What may be told of the key, and the key itself as its file holds it. */
export interface KeyCard {
  readonly about: {
    readonly source: 'environment' | 'file'
    /** Tells keys apart, and says nothing about them. */
    readonly fingerprint: string
  }
  reveal(): string
  /** Of the key that this one takes the place of, while it does. */
  readonly previous: KeyCard | null
}

export const keyCardOf = ({
  key,
  source,
  previous = null,
}: Pick<InstanceKey, 'key' | 'source'> & Partial<InstanceKey>): KeyCard => ({
  about: { source: source === 'environment' ? 'environment' : 'file', fingerprint: fingerprintOf(key) },
  reveal: () => key.toString('hex'),
  previous: previous && keyCardOf({ key: previous, source }),
})

export const fingerprintOf = (key: Buffer): string =>
  createHash('sha256').update('atrium encryption key').update(key).digest('hex').slice(0, 16)

/** In the data folder. */
export const keyFileName = 'encryption.key'
/** Beside it while it is replaced: the key that takes its place. */
export const nextKeyFileName = `${keyFileName}.next`

/**
 * Gives the instance key. `value` (64 hexadecimal digits, from the environment) wins; else the file in `dataDir` is read;
 * else, only while no database exists, the file is made, readable by its owner alone and safely on disk.
 * While the key is replaced, the new one is given, with the one before as `previous`: the one of the environment, or the
 * file while the next one lies beside it.
 * Throws VaultFailure with a sentence for the operator; nothing is written then.
 */
export const loadInstanceKey = async (options: {
  value: string | undefined
  /** Of the environment, too. */
  previousValue?: string | undefined
  dataDir: string
  databaseExists: boolean
}): Promise<InstanceKey> => {
  const { value, previousValue, dataDir, databaseExists } = options
  const former = previousValue?.trim() ? parse(previousValue, 'ENCRYPTION_KEY_PREVIOUS') : null
  if (value !== undefined && value.trim() !== '') {
    const key = parse(value, 'ENCRYPTION_KEY')
    return { key, previous: unlessSame(former, key), source: 'environment', path: null }
  }
  const path = join(dataDir, keyFileName)
  const known = await readKeyFile(path)
  const next = known && (await readKeyFile(join(dataDir, nextKeyFileName)))
  if (known)
    return { key: next ?? known, previous: unlessSame(next ? known : former, next ?? known), source: 'file', path }
  if (databaseExists) {
    throw new VaultFailure(
      'key-missing',
      `There is a database, but its encryption key is missing: put the file ${path} back, or set ENCRYPTION_KEY. Without that key the data cannot be read. Nothing was changed.`,
    )
  }
  const key = randomBytes(32)
  const isOurs = await makeKeyFile(dataDir, keyFileName, key)
  return isOurs ? { key, previous: null, source: 'new-file', path } : await loadInstanceKey(options)
}

/** Puts a key beside the present one, which it is to replace. From then on `loadInstanceKey` gives both. */
export const makeNextKey = async (dataDir: string, key: Buffer = randomBytes(32)): Promise<void> => {
  // Its owner and mode are those of the present one: the command may be run by another user than the server.
  const present = await stat(join(dataDir, keyFileName))
  if (!(await makeKeyFile(dataDir, nextKeyFileName, key, present)))
    throw new VaultFailure('key-invalid', `The file ${join(dataDir, nextKeyFileName)} already exists.`)
}

/** Ends it: the next key takes the place of the present one at once, and the present one is gone. */
export const promoteNextKey = async (dataDir: string): Promise<void> => {
  await rename(join(dataDir, nextKeyFileName), join(dataDir, keyFileName))
  await syncFolder(dataDir)
}

const unlessSame = (former: Buffer | null, key: Buffer): Buffer | null => (former?.equals(key) ? null : former)

const parse = (text: string, where: string): Buffer => {
  const digits = text.trim()
  if (!/^[0-9a-fA-F]{64}$/.test(digits)) {
    throw new VaultFailure('key-invalid', `${where} does not hold a key: it must be 64 hexadecimal digits.`)
  }
  return Buffer.from(digits, 'hex')
}

/** null when there is no such file. */
const readKeyFile = async (path: string): Promise<Buffer | null> => {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new VaultFailure('key-invalid', `The key file ${path} can’t be read (${error.code}).`)
  })
  if (!found) return null
  if (!found.isFile()) {
    throw new VaultFailure('key-invalid', `The key file ${path} must be a plain file, not a link or anything else.`)
  }
  // NOFOLLOW: between the look and the opening somebody may have put a link there.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch((error: NodeJS.ErrnoException) => {
    throw new VaultFailure('key-invalid', `The key file ${path} can’t be opened (${error.code}).`)
  })
  try {
    const { mode, size } = await file.stat()
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new VaultFailure('key-invalid', `The key file ${path} is readable by others. Run: chmod 600 ${path}`)
    }
    if (size > 1000) throw new VaultFailure('key-invalid', `The key file ${path} is too long to be a key.`)
    return parse(await file.readFile('utf8'), `The key file ${path}`)
  } finally {
    await file.close()
  }
}

/**
 * Writes a key under another name, then links it into place: the file appears whole or not at all, and one that
 * another process made first is left alone (false).
 */
const makeKeyFile = async (
  dataDir: string,
  name: string,
  key: Buffer,
  like?: { readonly uid: number; readonly gid: number; readonly mode: number },
): Promise<boolean> => {
  const path = join(dataDir, name)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomUUID()}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${key.toString('hex')}\n`)
    if (like && process.getuid?.() === 0) await file.chown(like.uid, like.gid)
    if (like) await file.chmod(like.mode & 0o700)
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    await link(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    await unlink(draft)
  }
  await syncFolder(dataDir)
  return true
}

const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, constants.O_RDONLY)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
