/** Connections to an encrypted SQLite file, on whatever thread asks. */
import Sqlite from 'better-sqlite3'
import { type OpenOptions, WRONG_KEY } from './messages.ts'

/** Opens a file that is there, encrypted with `key` where there is one. Throws WRONG_KEY as code for another key. */
export const openConnection = ({ file, key, readonly }: Omit<OpenOptions, 'lockFile'>): Sqlite.Database => {
  const opening = new Sqlite(file, { readonly, fileMustExist: true, timeout: 5000 })
  try {
    if (key !== null) {
      opening.pragma(`cipher='chacha20'`)
      opening.pragma(`key='raw:${key}'`)
    }
    opening.prepare('select count(*) from sqlite_master').get()
    return opening
  } catch (error) {
    opening.close()
    if ((error as { code?: unknown }).code !== 'SQLITE_NOTADB') throw error
    throw Object.assign(new Error('wrong key', { cause: error }), { code: WRONG_KEY })
  }
}
