/** How a file lies in the database: sealed pieces of one size, the last one shorter. */
import type { Database } from '../db/types.ts'
import { freeMemory } from '../memory.ts'
import type { Keyring, Sealed } from '../vault/types.ts'
import type { FileRow } from './tables.ts'

/** With its seal a chunk stays under 256 KiB, which the vault seals without another thread. */
export const chunkBytes = 256 * 1024 - 64

const place = 'file_chunks.content'

/** What of a file's row goes into the names of its chunks; `fileSealed` says the same in SQL. */
type Named = Pick<FileRow, 'id' | 'chunks' | 'streamed'>

/**
 * The count is bound in, so that a file can neither be cut short nor reordered unseen. Of a file that was written as it
 * arrived only the last chunk knows it, and is the last by that.
 */
const rowId = ({ id, chunks, streamed }: Named, number: number): string =>
  `${id}:${number}/${streamed === 0 || number === chunks - 1 ? chunks : ''}`

export const sealChunk = (keyring: Keyring, file: Named, number: number, plain: Uint8Array): Promise<Sealed> =>
  keyring.sealBytes(place, rowId(file, number), plain)

/** The plain bytes of one chunk; null when the file was removed meanwhile. Throws VaultFailure `damaged`. */
export const readChunk = async (
  database: Pick<Database, 'readBytes'>,
  keyring: Keyring,
  file: Named,
  number: number,
): Promise<Uint8Array | null> => {
  const where = { file_id: file.id, number }
  const content = await database.readBytes({ table: 'file_chunks', column: 'content', where })
  if (!content) return null
  const plain = await keyring.openBytes(place, rowId(file, number), content)
  freeMemory(content)
  return plain
}
