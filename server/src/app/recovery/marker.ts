/** Says that a restore is unfinished: no server starts on what has such a mark. */
import { open, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { unfinishedTable as markerTable } from '../../platform/db/copy/index.ts'
import { type Database, openDatabase } from '../../platform/db/index.ts'
import type { Config } from '../config.ts'
import { sizeOf } from '../data-folder.ts'
import { StartError } from '../start-error.ts'

export const markerFileIn = (dataDir: string): string => join(dataDir, 'restore.unfinished')
/** On PostgreSQL a table of this name. */
export { markerTable }

/** Throws StartError where a restore into this folder did not end. */
export const refuseUnfinishedFolder = async (dataDir: string): Promise<void> => {
  if ((await sizeOf(markerFileIn(dataDir))) !== null) throw unfinished(`the data folder ${dataDir}`)
}

/** The same for a database. */
export const refuseUnfinishedDatabase = async (database: Database): Promise<void> => {
  if (database.dialect === 'postgres' && (await isMarked(database))) throw unfinished('the database')
}

/** For a command that reads an instance: what is there is half of one. Throws StartError. */
export const refuseUnfinishedInstance = async ({
  dataDir,
  databaseUrl: url,
}: Pick<Config, 'dataDir' | 'databaseUrl'>): Promise<void> => {
  await refuseUnfinishedFolder(dataDir)
  if (!url) return
  const database = await openDatabase({ url, lock: false, poolSize: 1, log })
  try {
    await refuseUnfinishedDatabase(database)
  } finally {
    await database.close()
  }
}

export const isMarked = async (database: Database): Promise<boolean> =>
  (await database.tables<unknown>().introspection.getTables()).some(({ name }) => name === markerTable)

/** `note` tells a later run whether it may go on with what is there. */
export const markFolder = async (dataDir: string, note = ''): Promise<void> => {
  const file = await open(markerFileIn(dataDir), 'w', 0o600)
  try {
    await file.writeFile(`A restore into this folder has begun and did not end yet. Run it again.\n${note}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await syncFolder(dataDir)
}

/** null where there is no mark. */
export const noteOfFolder = async (dataDir: string): Promise<string | null> => {
  const text = await readFile(markerFileIn(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  return text === null ? null : (text.split('\n')[1] ?? '')
}

export const unmarkFolder = async (dataDir: string): Promise<void> => {
  await syncFolder(dataDir)
  await rm(markerFileIn(dataDir), { force: true })
  await syncFolder(dataDir)
}

/** The same as with a folder; in place of a mark that is there. */
export const markDatabase = async (database: Database, note: string): Promise<void> => {
  const db = database.tables<unknown>()
  await sql`create table if not exists ${sql.ref(markerTable)} (begun text not null)`.execute(db)
  await sql`delete from ${sql.ref(markerTable)}`.execute(db)
  await sql`insert into ${sql.ref(markerTable)} (begun) values (${note})`.execute(db)
}

/** Of a database that is marked. */
export const noteOfDatabase = async (database: Database): Promise<string> => {
  const db = database.tables<unknown>()
  const { rows } = await sql<{ begun: string }>`select begun from ${sql.ref(markerTable)}`.execute(db)
  return rows[0]?.begun ?? ''
}

export const unmarkDatabase = async (database: Database): Promise<void> => {
  await sql`drop table ${sql.ref(markerTable)}`.execute(database.tables())
}

export const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Makes a private file and waits until it is on the disk. */
export const writePrivateFile = async (path: string, text: string): Promise<void> => {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await syncFolder(dirname(path))
}

const log = { warn: () => undefined, error: () => undefined }

const unfinished = (where: string) =>
  new StartError(
    `A restore into ${where} didn’t finish. Nothing was changed. Run the restore or move again, as before, to resume it.`,
  )
