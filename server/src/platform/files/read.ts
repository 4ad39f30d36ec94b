/** Reads files chunk by chunk: of a part of a file only the chunks that it touches are read and opened. */
import type { Database } from '../db/types.ts'
import { fail, isRefusal } from '../http/refusal.ts'
import { freeMemory } from '../memory.ts'
import type { Vault } from '../vault/types.ts'
import { chunkBytes, readChunk } from './chunks.ts'
import type { FileRow, FileTables } from './tables.ts'

/** A file that can be read as far as it is wanted. */
export interface OpenFile {
  /** Names these very bytes: a file never changes. */
  readonly id: string
  readonly size: number
  /**
   * The bytes from one place up to another, the last one left out, in pieces of at most 256 KiB; by default all. While one
   * is used the next one is read, and no more. Refuses with `route_not_found` when the file was removed meanwhile; throws
   * VaultFailure `damaged`.
   */
  read(start?: number, end?: number): AsyncIterable<Uint8Array>
  /** The same for whoever has done with each piece when it asks for the next one: its memory is given back then. */
  lend(start?: number, end?: number): AsyncIterable<Uint8Array>
}

interface Source {
  readonly database: Pick<Database, 'readBytes' | 'tables'>
  readonly vault: Vault
}

export const openFile = (source: Source, file: FileRow): OpenFile => {
  async function* give(lent: boolean, start = 0, end = file.size): AsyncIterable<Uint8Array> {
    for await (const piece of piecesOf(source, file, start, Math.min(end, file.size), lent)) {
      if (!piece) throw fail('route_not_found', 'This was deleted in the meantime.')
      yield piece
    }
  }
  return {
    id: file.id,
    size: file.size,
    read: (start, end) => give(false, start, end),
    lend: (start, end) => give(true, start, end),
  }
}

/** All of it; where it is removed meanwhile, what was read until then. */
export async function* readWhileThere(file: OpenFile): AsyncIterable<Uint8Array> {
  try {
    yield* file.read()
  } catch (error) {
    if (!isRefusal(error)) throw error
  }
}

/** All bytes; null when the file was removed meanwhile. */
export const readWhole = async (source: Source, file: FileRow): Promise<Uint8Array | null> => {
  const bytes = new Uint8Array(file.size)
  let filled = 0
  for await (const piece of piecesOf(source, file, 0, file.size, true)) {
    if (!piece) return null
    bytes.set(piece, filled)
    filled += piece.byteLength
  }
  return bytes
}

/** Gives null where a chunk is gone. Throws at the end when it was not all. `lent`: as `OpenFile.lend` says. */
async function* piecesOf(
  { database, vault }: Source,
  file: FileRow,
  start: number,
  end: number,
  lent: boolean,
): AsyncIterable<Uint8Array | null> {
  let keyring = await vault.keyring(file.sealed_by ?? file.account_id)
  /** A file that was handed over is sealed again at some moment, and may be read just then. */
  const readAnyhow = async (number: number): Promise<Uint8Array | null> => {
    try {
      return await readChunk(database, keyring, file, number)
    } catch (error) {
      const now = await database
        .tables<FileTables>()
        .selectFrom('files')
        .select(['account_id', 'sealed_by'])
        .where('id', '=', file.id)
        .executeTakeFirst()
      if (!now || (now.account_id === file.account_id && now.sealed_by === file.sealed_by)) throw error
      keyring = await vault.keyring(now.sealed_by ?? now.account_id)
      return await readChunk(database, keyring, file, number)
    }
  }
  const read = (number: number): Promise<Uint8Array | null> => {
    if (number >= file.chunks || number * chunkBytes >= end) return Promise.resolve(null)
    const reading = readAnyhow(number)
    // Whoever wants no more of the file does not hear of its failure.
    reading.catch(() => undefined)
    return reading
  }
  let given = 0
  let number = Math.floor(start / chunkBytes)
  for (let next = read(number); number < file.chunks && number * chunkBytes < end; number++) {
    const plain = await next
    if (!plain) return yield null
    next = read(number + 1)
    const first = number * chunkBytes
    const piece = plain.subarray(Math.max(0, start - first), end - first)
    given += piece.byteLength
    yield piece
    if (lent) freeMemory(plain)
  }
  if (given !== Math.max(0, end - start)) throw new Error(`The file ${file.id} is not whole.`)
}
