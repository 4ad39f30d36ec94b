/** Replaces the instance key: in the database, in its copies and in the data folder. Interrupted, it is run again and goes on. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { auditMigrations } from '../../platform/audit/index.ts'
import { type Database, listMigrations, openDatabase } from '../../platform/db/index.ts'
import { findFileKey, holdFile, rekeyFile } from '../../platform/db/sqlite/rekey.ts'
import { hearProcesses } from '../../platform/processes/hear.ts'
import { VaultFailure } from '../../platform/vault/failure.ts'
import {
  fingerprintOf,
  type InstanceKey,
  loadInstanceKey,
  makeNextKey,
  nextKeyFileName,
  promoteNextKey,
} from '../../platform/vault/instance-key.ts'
import { sqliteKey } from '../../platform/vault/keys.ts'
import { vaultMigrations } from '../../platform/vault/tables.ts'
import {
  replaceInstanceKey,
  rewrapKeys,
  type Rewrapping,
  verifyInstanceKey,
} from '../../platform/vault/wrapped-keys.ts'
import { type Config, dataPathsIn, keyOptionsOf } from '../config.ts'
import { sizeOf } from '../data-folder.ts'
import { refuseUnfinishedDatabase, refuseUnfinishedFolder } from './marker.ts'
import { recordAtMachine } from './record.ts'

/** Each is told before it begins; after an end at any of them the command is run again. */
export const rotationSteps = ['next-key', 'data-keys', 'file', 'snapshots', 'verify', 'key-file'] as const
export type RotationStep = (typeof rotationSteps)[number]

/** Why the key cannot be replaced now, in a sentence. `isUnclear`: the wish itself makes no sense as things are. */
export class RotationFailure extends Error {
  readonly isUnclear: boolean
  constructor(message: string, isUnclear = false) {
    super(message)
    this.isUnclear = isUnclear
  }
}

export interface RotationOptions {
  readonly config: Config
  /** In the place of a random one. */
  readonly newKey?: Buffer | undefined
  readonly now: () => number
  readonly onStep?: (step: RotationStep) => void
  /** How long other processes have to say which keys they know. */
  readonly hearMs?: number
}

export interface Rotation extends Rewrapping {
  readonly from: Buffer
  readonly to: Buffer
  readonly source: InstanceKey['source']
  /** Copies of the file that neither key opens. */
  readonly foreignSnapshots: readonly string[]
}

const log = { warn: () => undefined, error: () => undefined }

/** Throws RotationFailure, and VaultFailure for a wrong key. */
export const rotateInstanceKey = async (options: RotationOptions): Promise<Rotation> => {
  const { config } = options
  const { database: file } = dataPathsIn(config.dataDir)
  await refuseUnfinishedFolder(config.dataDir)
  if (config.databaseUrl) return await rotateOn(options, { url: config.databaseUrl })
  if (!((await sizeOf(file)) ?? 0)) throw new RotationFailure(`There is no database in ${config.dataDir} yet.`, true)
  const held = holdFile(file)
  try {
    return await rotateOn(options, { file })
  } finally {
    held.release()
  }
}

type Place = { readonly url: string } | { readonly file: string }

const rotateOn = async (options: RotationOptions, place: Place): Promise<Rotation> => {
  const { config, now, onStep = () => undefined } = options
  const within = async <R>(keys: readonly Buffer[], work: (database: Database) => Promise<R>): Promise<R> => {
    const database = await openWith(place, keys)
    try {
      return await work(database)
    } finally {
      await database.close()
    }
  }
  const found = await requireNextKey(options, (key) =>
    within([key], async (database) => {
      await refuseUnfinishedDatabase(database)
      await verifyInstanceKey(database, key)
    }),
  )
  const { key: to, previous: from, source } = found
  const wrapped = await within([to, from], async (database) => {
    await refuseUnfinishedDatabase(database)
    await requireSchema(database)
    await verifyInstanceKey(database, to, from)
    if ('url' in place) await requireKeyInProcesses(database, found, options)
    onStep('data-keys')
    return await replaceInstanceKey(database, { from, to, now: now() })
  })
  onStep('file')
  if ('file' in place) rekey(place.file, from, to)
  onStep('snapshots')
  const foreignSnapshots = 'file' in place ? await rotateSnapshots(config, from, to) : []
  onStep('verify')
  const { unreadable } = await within([to], async (database) => {
    await verifyInstanceKey(database, to)
    // Whoever began with the former key alone meanwhile would go on making data keys for it.
    if ('url' in place) await requireKeyInProcesses(database, found, options)
    const prints = { from: fingerprintOf(from), to: fingerprintOf(to) }
    await recordAtMachine(database, to, 'auth.encryption-key.replace', prints)
    return await rewrapKeys(database, [from], to)
  })
  onStep('key-file')
  if (source === 'file' && (await sizeOf(join(config.dataDir, nextKeyFileName))) !== null)
    await promoteNextKey(config.dataDir)
  return { from, to, source, rewrapped: wrapped.rewrapped, unreadable, foreignSnapshots }
}

/** The key that is to come, and the one that goes. The next key is made where the file holds the key and there is none yet. */
const requireNextKey = async (
  { config, newKey, onStep }: RotationOptions,
  verify: (key: Buffer) => Promise<void>,
): Promise<InstanceKey & { previous: Buffer }> => {
  const load = () => loadInstanceKey({ ...keyOptionsOf(config), databaseExists: true })
  const found = await load()
  if (found.previous !== null) {
    if (newKey && !newKey.equals(found.key))
      throw new RotationFailure('The key is being replaced by another one already. Run this without --key first.', true)
    return { ...found, previous: found.previous }
  }
  if (found.source === 'environment')
    throw new RotationFailure(
      'The key is given by ENCRYPTION_KEY. Make another one (`openssl rand -hex 32`), give it as ENCRYPTION_KEY and the present one as ENCRYPTION_KEY_PREVIOUS, to this command and to every process, and run this again.',
      true,
    )
  if (newKey?.equals(found.key)) throw new RotationFailure('This is the key that the instance has already.', true)
  await verify(found.key)
  onStep?.('next-key')
  await makeNextKey(config.dataDir, newKey)
  return { ...(await load()), previous: found.key }
}

const openWith = async (place: Place, keys: readonly Buffer[]): Promise<Database> => {
  if ('url' in place) return await openDatabase({ url: place.url, poolSize: 2, log })
  const key = findFileKey(place.file, keys.map(sqliteKey))
  if (!key)
    throw new VaultFailure(
      'key-wrong',
      `${place.file} cannot be opened with the encryption key that is here, or is damaged. Nothing was changed.`,
    )
  return await openDatabase({ file: place.file, key, frugal: true, lock: false, log })
}

const requireSchema = async (database: Database): Promise<void> => {
  const applied = new Set((await listMigrations(database)).map(({ id }) => id))
  if (![...vaultMigrations, ...auditMigrations].every(({ id }) => applied.has(id)))
    throw new RotationFailure('The database was made by an older version. Start this one once, then run this again.')
}

/** Throws while a process does not know the new key: what is wrapped for it could not be opened there. */
const requireKeyInProcesses = async (
  database: Database,
  { key, source }: InstanceKey,
  { hearMs = 15_000 }: RotationOptions,
): Promise<void> => {
  const { reports, silent } = await hearProcesses(database, hearMs)
  if (silent > 0)
    throw new RotationFailure(`${silent} of the processes did not say which keys they know. Run this again in a while.`)
  const without = reports.filter(({ keyFingerprint }) => keyFingerprint !== fingerprintOf(key))
  if (without.length === 0) return
  const names = without.map(({ host, pid }) => `${host} ${pid}`).join(', ')
  throw new RotationFailure(
    source === 'environment'
      ? `These processes don’t have the new key yet: ${names}. Restart them one after the other, with the new key as ENCRYPTION_KEY and the current one as ENCRYPTION_KEY_PREVIOUS, then run this again.`
      : `These processes don’t have the new key yet: ${names}. It is in ${nextKeyFileName}, next to the current one. Restart them one after the other, then run this again.`,
  )
}

const rekey = (file: string, from: Buffer, to: Buffer): void => {
  if (!findFileKey(file, [sqliteKey(to)])) rekeyFile(file, sqliteKey(from), sqliteKey(to))
}

/** The copies from before changes of the schema open with the new key, too. Gives those that neither key opens. */
const rotateSnapshots = async (config: Config, from: Buffer, to: Buffer): Promise<string[]> => {
  const { snapshots } = dataPathsIn(config.dataDir)
  const foreign: string[] = []
  for (const name of (await readNames(snapshots)).filter((one) => one.endsWith('.db'))) {
    const file = join(snapshots, name)
    const key = findFileKey(file, [sqliteKey(to), sqliteKey(from)])
    if (!key) {
      foreign.push(name)
      continue
    }
    const database = await openDatabase({ file, key, frugal: true, lock: false, log })
    try {
      await rewrapKeys(database, [from], to)
    } finally {
      await database.close()
    }
    rekey(file, from, to)
  }
  return foreign
}

const readNames = async (folder: string): Promise<string[]> =>
  await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
