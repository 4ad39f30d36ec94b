/** Keeps other processes out of a database file, on whatever thread asks. */
import { closeSync, existsSync, openSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { LOCKED } from './messages.ts'

/**
 * An exclusive lock on an empty database of its own: the kernel lets go of it however this process ends. Throws LOCKED as
 * code where somebody else has it.
 */
export const takeLock = (file: string): Sqlite.Database => {
  createPrivate(file)
  const held = new Sqlite(file, { timeout: 1000 })
  try {
    held.exec('begin exclusive')
    return held
  } catch (error) {
    held.close()
    throw Object.assign(new Error('locked', { cause: error }), { code: LOCKED })
  }
}

/** Only the owner may read. The write-ahead log gets the same mode from SQLite. */
export const createPrivate = (file: string): void => {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
}
