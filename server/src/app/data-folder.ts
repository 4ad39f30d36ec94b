/** What the data folder was left with: a database that was there and is not any more is no reason to begin a new one. */
import { open, stat } from 'node:fs/promises'
import { newestSnapshot } from '../platform/db/snapshot.ts'
import type { DataPaths } from './config.ts'
import { StartError } from './start-error.ts'

type Dialect = 'sqlite' | 'postgres'

/**
 * Throws StartError when this folder was used with such a database before and that is missing or empty now. Asks before
 * anything is made: a volume that was not mounted must not look like a first start.
 */
export const refuseIfEmptied = async (places: DataPaths, dialect: Dialect, isEmpty: boolean): Promise<void> => {
  if (!isEmpty) return
  const marker = places.markers[dialect]
  const isMarked = (await sizeOf(marker)) !== null
  if (dialect === 'postgres') {
    if (!isMarked) return
    throw new StartError(
      `The database that DATABASE_URL names is empty, although this data folder was used with one before. Nothing was changed. Check DATABASE_URL, or restore the database. To begin anew on purpose, delete ${marker} and start again.`,
    )
  }
  const copy = await newestSnapshot(places.snapshots)
  if (!isMarked && copy === null) return
  const state = (await sizeOf(places.database)) === null ? 'missing' : 'empty'
  const back = copy === null ? 'or put your copy of it back' : `or put a copy of it back, such as ${copy}`
  const signs = [...(isMarked ? [marker] : []), ...(copy === null ? [] : [places.snapshots])].join(' and ')
  throw new StartError(
    `The database file ${places.database} is ${state}, although this data folder was used before. Nothing was changed. Mount the volume that it is on, ${back}. To begin anew on purpose, delete ${signs} and start again.`,
  )
}

/** Notes that the database of this folder has been made; once. Not before its schema is there: a start that was killed begins again. */
export const markAsUsed = async (places: DataPaths, dialect: Dialect): Promise<void> => {
  const marker = places.markers[dialect]
  if ((await sizeOf(marker)) !== null) return
  const file = await open(marker, 'w', 0o600)
  try {
    await file.writeFile(
      'The database of this folder has been made. Without this file Atrium makes a new one where it is missing.\n',
    )
    await file.sync()
  } finally {
    await file.close()
  }
}

/** null where there is no such file. */
export const sizeOf = async (path: string): Promise<number | null> => {
  try {
    return (await stat(path)).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
