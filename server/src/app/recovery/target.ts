/** Where a restore goes: an empty folder for SQLite, or an empty database of a PostgreSQL server. */
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { BackupFailure } from '../../platform/backups/index.ts'
import type { DatabasePlace } from '../../platform/db/copy/index.ts'
import { type DatabaseHold, holdPlace } from '../../platform/db/hold.ts'
import { type Database, DatabaseLockedError, type DatabaseOptions, openDatabase } from '../../platform/db/index.ts'
import { keyFileName } from '../../platform/vault/instance-key.ts'
import { sqliteKey } from '../../platform/vault/keys.ts'
import { dataPathsIn } from '../config.ts'
import { markAsUsed } from '../data-folder.ts'
import {
  isMarked,
  markDatabase,
  markerFileIn,
  markerTable,
  markFolder,
  noteOfDatabase,
  noteOfFolder,
  unmarkDatabase,
  unmarkFolder,
  writePrivateFile,
} from './marker.ts'

export interface RestoreTarget {
  readonly dialect: Database['dialect']
  readonly place: DatabasePlace
  /** Throws BackupFailure `occupied` where something is there that no restore left. Changes nothing. */
  check(): Promise<void>
  /** Keeps others out until `release`. Throws BackupFailure or DatabaseLockedError where somebody is there. */
  hold(): Promise<void>
  /**
   * Marks the target as unfinished. True where an interrupted restore of the same note left something to go on with;
   * anything else that it left is taken away, and with `anew` that, too.
   */
  begin(note: string, options?: { readonly anew: boolean }): Promise<boolean>
  open(): Promise<Database>
  /** From here on a server may start on it. */
  end(): Promise<void>
  release(): Promise<void>
}

export interface TargetOptions {
  /** The folder of the database, or with `url` of the key alone. */
  readonly dataDir: string
  readonly url?: string | undefined
  readonly instanceKey: Buffer
  /** Whether the key comes by the environment and no file of it is made. */
  readonly keyIsElsewhere: boolean
  /** Whether `url` leads to a schema that is the caller's alone, beside one on which servers may be at work. */
  readonly isOwnSchema?: boolean | undefined
}

/** Beside the database that is written, for as long as that lasts. */
const lockName = 'restore.lock'
/** The folder in a target through which a move goes. */
export const scratchName = 'move.scratch'

const log = { warn: () => undefined, error: () => undefined }

export const targetOf = (options: TargetOptions): RestoreTarget =>
  options.url === undefined ? folderTarget(options) : postgresTarget(options, options.url)

const folderTarget = ({ dataDir, instanceKey, keyIsElsewhere }: TargetOptions): RestoreTarget => {
  const paths = dataPathsIn(dataDir)
  const place = { file: paths.database, key: sqliteKey(instanceKey) }
  const base = paths.database.slice(dataDir.length + 1)
  const holds: DatabaseHold[] = []
  const isOwn = (name: string): boolean =>
    [keyFileName, scratchName].includes(name) || name.startsWith(lockName) || name.startsWith(`${base}.lock`)
  const release = async (): Promise<void> => {
    for (const hold of holds.splice(0)) await hold.release()
  }
  return {
    dialect: 'sqlite',
    place,
    check: async () => {
      const names = await readNames(dataDir)
      const isMarked = names.some((name) => join(dataDir, name) === markerFileIn(dataDir))
      const others = names.filter((name) => !isOwn(name))
      if (!isMarked && others.length > 0)
        throw new BackupFailure(
          'occupied',
          `The folder ${dataDir} is not empty: it holds ${others.slice(0, 3).join(', ')}.`,
        )
      await requireSameKey(dataDir, instanceKey)
    },
    hold: async () => {
      await mkdir(dataDir, { recursive: true, mode: 0o700 })
      try {
        holds.push(await holdPlace({ file: join(dataDir, lockName.slice(0, -'.lock'.length)) }))
      } catch (error) {
        if (!(error instanceof DatabaseLockedError)) throw error
        throw new BackupFailure('occupied', `Another restore into ${dataDir} is running.`)
      }
      try {
        // As a server has it: none opens the file that is taken away and written.
        holds.push(await holdPlace({ file: paths.database }))
      } catch (error) {
        await release()
        throw error
      }
    },
    begin: async (note, { anew } = { anew: false }) => {
      const goesOn = !anew && (await noteOfFolder(dataDir)) === note
      await markFolder(dataDir, note)
      const names = await readNames(dataDir)
      // What the search index was read into is made anew in any case.
      const left = names.filter((name) => name.startsWith(goesOn ? `${base}-index-` : base) && !isOwn(name))
      for (const name of left) await rm(join(dataDir, name), { force: true, recursive: true })
      if (!keyIsElsewhere) await keepKey(dataDir, instanceKey)
      return goesOn && names.includes(base)
    },
    open: () => openDatabase({ ...place, frugal: true, lock: false, log }),
    end: async () => {
      if (!keyIsElsewhere) await requireSameKey(dataDir, instanceKey)
      await markAsUsed(paths, 'sqlite')
      await unmarkFolder(dataDir)
      await rm(join(dataDir, lockName), { force: true })
    },
    release,
  }
}

const postgresTarget = (
  { dataDir, instanceKey, keyIsElsewhere, isOwnSchema }: TargetOptions,
  url: string,
): RestoreTarget => {
  // It is held by a connection of its own.
  const options: DatabaseOptions = { url, lock: false, poolSize: 2, log }
  let held: DatabaseHold | null = null
  const within = async <R>(work: (database: Database) => Promise<R>): Promise<R> => {
    const database = await openDatabase(options)
    try {
      return await work(database)
    } finally {
      await database.close()
    }
  }
  return {
    dialect: 'postgres',
    place: { url },
    check: async () => {
      if (!keyIsElsewhere) await requireSameKey(dataDir, instanceKey)
      await within(async (database) => {
        const tables = await database.tables<unknown>().introspection.getTables()
        if (tables.length > 0 && !(await isMarked(database)))
          throw new BackupFailure('occupied', `The database is not empty: it holds ${tables[0]?.name}.`)
      })
    },
    hold: async () => {
      if (!isOwnSchema) held = await holdPlace({ url })
    },
    begin: async (note, { anew } = { anew: false }) => {
      await mkdir(dataDir, { recursive: true, mode: 0o700 })
      const goesOn = await within(async (database) => {
        const db = database.tables<unknown>()
        const isSame = !anew && (await isMarked(database)) && (await noteOfDatabase(database)) === note
        await markDatabase(database, note)
        const tables = (await db.introspection.getTables()).filter(({ name }) => name !== markerTable)
        if (!isSame && tables.length > 0)
          await sql`drop table ${sql.join(tables.map(({ name }) => sql.table(name)))} cascade`.execute(db)
        return isSame && tables.length > 0
      })
      if (!keyIsElsewhere) await keepKey(dataDir, instanceKey)
      return goesOn
    },
    open: () => openDatabase(options),
    end: async () => {
      await held?.requireHeld()
      await markAsUsed(dataPathsIn(dataDir), 'postgres')
      await within(unmarkDatabase)
    },
    release: async () => await held?.release(),
  }
}

const readNames = async (folder: string): Promise<string[]> =>
  await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })

const readKey = async (dataDir: string): Promise<string | null> =>
  await readFile(join(dataDir, keyFileName), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })

const requireSameKey = async (dataDir: string, instanceKey: Buffer): Promise<void> => {
  const present = await readKey(dataDir)
  if (present !== null && present.trim().toLowerCase() !== instanceKey.toString('hex'))
    throw new BackupFailure('occupied', `The folder ${dataDir} holds the key of another instance.`)
}

const keepKey = async (dataDir: string, instanceKey: Buffer): Promise<void> => {
  await requireSameKey(dataDir, instanceKey)
  if ((await readKey(dataDir)) === null)
    await writePrivateFile(join(dataDir, keyFileName), `${instanceKey.toString('hex')}\n`)
}
