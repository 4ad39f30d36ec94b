/** Copies of the SQLite file, encrypted with the same key. */
import { chmod, mkdir, open, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Database } from './types.ts'

/** Copies the database into the folder and waits until it is on the disk. Gives the path of the copy. */
export const takeSnapshot = async (
  database: Database,
  folder: string,
  version: string,
  now: number,
): Promise<string> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const stamp = new Date(now).toISOString().replace(/[-:]/g, '')
  const file = join(folder, `${stamp}-before-${version.replace(/[^\w.-]/g, '_')}.db`)
  // An empty file is taken as it is, so the copy is private from its first byte.
  await writeFile(file, '', { mode: 0o600, flag: 'wx' })
  try {
    await chmod(file, 0o600)
    await sql`vacuum into ${file}`.execute(database.tables())
    await sync(file)
    await sync(folder)
    return file
  } catch (error) {
    await rm(file, { force: true })
    throw error
  }
}

/** The copy whose name is last in order, which is the newest; null when there is none. */
export const newestSnapshot = async (folder: string): Promise<string | null> => {
  try {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.db')).sort()
    const last = names.at(-1)
    return last === undefined ? null : join(folder, last)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

const sync = async (path: string): Promise<void> => {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
