/** Where the instance key comes from: the environment, or a file beside the database that is made once. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { link, lstat, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { VaultFailure } from './failure.ts'

export interface InstanceKey {
  /** 32 bytes. */
  readonly key: Buffer
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
}

export const keyCardOf = ({ key, source }: Pick<InstanceKey, 'key' | 'source'>): KeyCard => ({
  about: {
    source: source === 'environment' ? 'environment' : 'file',
    fingerprint: createHash('sha256').update('atrium encryption key').update(key).digest('hex').slice(0, 16),
  },
  reveal: () => key.toString('hex'),
})

/** In the data folder. */
export const keyFileName = 'encryption.key'

/**
 * Gives the instance key. `value` (64 hexadecimal digits, from the environment) wins; else the file in `dataDir` is read;
 * else, only while no database exists, the file is made, readable by its owner alone and safely on disk.
 * Throws VaultFailure with a sentence for the operator; nothing is written then.
 */
export const loadInstanceKey = async (options: {
  value: string | undefined
  dataDir: string
  databaseExists: boolean
}): Promise<InstanceKey> => {
  const { value, dataDir, databaseExists } = options
  if (value !== undefined && value.trim() !== '') {
    return { key: parse(value, 'ENCRYPTION_KEY'), source: 'environment', path: null }
  }
  const path = join(dataDir, keyFileName)
  const known = await readKeyFile(path)
  if (known) return { key: known, source: 'file', path }
  if (databaseExists) {
    throw new VaultFailure(
      'key-missing',
      `There is a database, but its encryption key is missing: put the file ${path} back, or set ENCRYPTION_KEY. Without that key the data cannot be read. Nothing was changed.`,
    )
  }
  const made = await makeKeyFile(dataDir, path)
  return made ? { key: made, source: 'new-file', path } : await loadInstanceKey(options)
}

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
    throw new VaultFailure('key-invalid', `The key file ${path} cannot be looked at (${error.code}).`)
  })
  if (!found) return null
  if (!found.isFile()) {
    throw new VaultFailure('key-invalid', `The key file ${path} must be a plain file, not a link or anything else.`)
  }
  // NOFOLLOW: between the look and the opening somebody may have put a link there.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch((error: NodeJS.ErrnoException) => {
    throw new VaultFailure('key-invalid', `The key file ${path} cannot be opened (${error.code}).`)
  })
  try {
    const { mode, size } = await file.stat()
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new VaultFailure('key-invalid', `The key file ${path} can be read by others. Run: chmod 600 ${path}`)
    }
    if (size > 1000) throw new VaultFailure('key-invalid', `The key file ${path} is too long to be a key.`)
    return parse(await file.readFile('utf8'), `The key file ${path}`)
  } finally {
    await file.close()
  }
}

/**
 * Writes a fresh key under another name, then links it into place: the file appears whole or not at all, and one that
 * another process made first is left alone (null).
 */
const makeKeyFile = async (dataDir: string, path: string): Promise<Buffer | null> => {
  const key = randomBytes(32)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomUUID()}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${key.toString('hex')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    await link(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null
    throw error
  } finally {
    await unlink(draft)
  }
  const folder = await open(dataDir, constants.O_RDONLY)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
  return key
}
