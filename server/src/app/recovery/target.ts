/** Where a restore goes: an empty folder for SQLite, or an empty database of a PostgreSQL server. */
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { BackupFailure } from '../../platform/backups/index.ts'
import type { DatabasePlace } from '../../platform/db/copy/index.ts'
import { type Database, type DatabaseOptions, openDatabase } from '../../platform/db/index.ts'
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
  unmarkDatabase,
  unmarkFolder,
  writePrivateFile,
} from './marker.ts'

export interface RestoreTarget {
  readonly dialect: Database['dialect']
  readonly place: DatabasePlace
  /** Throws BackupFailure `occupied` where something is there that no restore left. Changes nothing. */
  check(): Promise<void>
  /** Takes away what an interrupted restore left, and marks the target as unfinished. */
  begin(): Promise<void>
  open(): Promise<Database>
  /** From here on a server may start on it. */
  end(): Promise<void>
}

export interface TargetOptions {
  /** The folder of the database, or with `url` of the key alone. */
  readonly dataDir: string
  readonly url?: string | undefined
  readonly instanceKey: Buffer
  /** Whether the key comes by the environment and no file of it is made. */
  readonly keyIsElsewhere: boolean
}

const log = { warn: () => undefined, error: () => undefined }

export const targetOf = (options: TargetOptions): RestoreTarget =>
  options.url === undefined ? folderTarget(options) : postgresTarget(options, options.url)

const folderTarget = ({ dataDir, instanceKey, keyIsElsewhere }: TargetOptions): RestoreTarget => {
  const paths = dataPathsIn(dataDir)
  const place = { file: paths.database, key: sqliteKey(instanceKey) }
  return {
    dialect: 'sqlite',
    place,
    check: async () => {
      const names = await readNames(dataDir)
      const marker = markerFileIn(dataDir)
      if (names.some((name) => join(dataDir, name) === marker)) return
      const others = names.filter((name) => name !== keyFileName)
      if (others.length > 0)
        throw new BackupFailure(
          'occupied',
          `The folder ${dataDir} is not empty: it holds ${others.slice(0, 3).join(', ')}.`,
        )
      await requireSameKey(dataDir, instanceKey)
    },
    begin: async () => {
      await mkdir(dataDir, { recursive: true, mode: 0o700 })
      await markFolder(dataDir)
      const base = paths.database.slice(dataDir.length + 1)
      for (const name of await readNames(dataDir))
        if (name.startsWith(base)) await rm(join(dataDir, name), { force: true, recursive: true })
      if (!keyIsElsewhere) await keepKey(dataDir, instanceKey)
    },
    open: () => openDatabase({ ...place, frugal: true, log }),
    end: async () => {
      await markAsUsed(paths, 'sqlite')
      await unmarkFolder(dataDir)
    },
  }
}

const postgresTarget = ({ dataDir, instanceKey, keyIsElsewhere }: TargetOptions, url: string): RestoreTarget => {
  const options: DatabaseOptions = { url, poolSize: 2, log }
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
    begin: async () => {
      await mkdir(dataDir, { recursive: true, mode: 0o700 })
      await within(async (database) => {
        const db = database.tables<unknown>()
        const tables = await db.introspection.getTables()
        if (!(await isMarked(database))) await markDatabase(database)
        const rest = tables.filter(({ name }) => name !== markerTable)
        if (rest.length > 0)
          await sql`drop table ${sql.join(rest.map(({ name }) => sql.table(name)))} cascade`.execute(db)
      })
      if (!keyIsElsewhere) await keepKey(dataDir, instanceKey)
    },
    open: () => openDatabase(options),
    end: async () => {
      await markAsUsed(dataPathsIn(dataDir), 'postgres')
      await within(unmarkDatabase)
    },
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
  if ((await readKey(dataDir)) === null)
    await writePrivateFile(join(dataDir, keyFileName), `${instanceKey.toString('hex')}\n`)
}
