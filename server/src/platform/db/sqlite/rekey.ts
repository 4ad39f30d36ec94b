/** Exchanging the key of a file that no server has open. The calls block their thread. */
import { DatabaseLockedError, toDatabaseError } from '../errors.ts'
import { openConnection } from './connection.ts'
import { takeLock } from './lock.ts'
import { LOCKED, WRONG_KEY } from './messages.ts'

/** Keeps servers away from a file until it is released. Throws DatabaseLockedError where one has it. */
export const holdFile = (file: string): { release(): void } => {
  try {
    const lock = takeLock(`${file}.lock`)
    return { release: () => void lock.close() }
  } catch (error) {
    if ((error as { code?: unknown }).code !== LOCKED) throw error
    throw new DatabaseLockedError('A server is using this data folder. Stop it first, then run this again.')
  }
}

/** The first of the keys (32 bytes each) that opens the file; null where none does. */
export const findFileKey = (file: string, keys: readonly Buffer[]): Buffer | null => {
  for (const key of keys)
    try {
      openConnection({ file, key: key.toString('hex'), readonly: true }).close()
      return key
    } catch (error) {
      if ((error as { code?: unknown }).code !== WRONG_KEY) throw error
    }
  return null
}

/**
 * Encrypts the file with another key, in one transaction: however it ends, one of both keys opens all of it. It takes as
 * much space as the file has, for as long as it runs. Throws DatabaseLockedError while somebody reads the file.
 */
export const rekeyFile = (file: string, from: Buffer, to: Buffer): void => {
  const connection = openConnection({ file, key: from.toString('hex'), readonly: false })
  try {
    connection.pragma('locking_mode=exclusive')
    connection.pragma('synchronous=full')
    connection.pragma(`rekey='raw:${to.toString('hex')}'`)
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: unknown }
    if (code !== 'SQLITE_BUSY') throw toDatabaseError(String(code), String(message))
    throw new DatabaseLockedError('Somebody reads the database, such as a backup. Run this again when it is done.')
  } finally {
    connection.close()
  }
}
