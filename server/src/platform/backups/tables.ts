/** The rows of one table as chunks that stay the same where rows stay the same, and as rows again. */
import { createHash, type KeyObject } from 'node:crypto'
import type { CellRow, CopyTable } from '../db/copy/index.ts'
import { BackupFailure } from './failure.ts'
import { type ManifestTable, StoredChunk } from './manifest.ts'
import { freeMemory } from '../memory.ts'
import { type ChunkReader, nameChunk, type PackWriter } from './packs.ts'
import { decodeRows, encodeRow } from './rows.ts'

/** Where a chunk ends depends on the keys of rows alone, so a changed row changes one chunk. */
const chunkBytes = { least: 8 * 1024, usual: 32 * 1024, most: 256 * 1024 }
const listItems = { least: 64, usual: 256, most: 1024 }

/** Chunks of the backup before, by name: what is there need not be sent. */
export type KnownChunks = ReadonlyMap<string, StoredChunk>

interface StoreOptions {
  readonly names: KeyObject
  readonly writer: PackWriter
  /**
   * The next backup reads all lists, and no rows: with a writer of their own they are in packs of their own, and it reads
   * those alone.
   */
  readonly lists: PackWriter
  readonly told: (rows: number) => void
}

/** Stores what is not known of a table. Of the rows, large cells are empty afterwards. */
export const storeTable = async (
  table: CopyTable,
  rows: AsyncIterable<readonly CellRow[]>,
  known: KnownChunks,
  { names, writer, lists: listWriter, told }: StoreOptions,
): Promise<{ table: ManifestTable; chunks: StoredChunk[] }> => {
  const digest = createHash('sha256')
  const used: StoredChunk[] = []
  const keep = async (into: PackWriter, content: Buffer, items: number): Promise<StoredChunk> => {
    const name = nameChunk(names, content)
    const chunk = known.get(name) ?? (await into.add(name, content, items))
    used.push(chunk)
    return chunk
  }
  const lists: StoredChunk[] = []
  let list: StoredChunk[] = []
  let pieces: Buffer[] = []
  let bytes = 0
  let count = 0

  const endList = async (): Promise<void> => {
    if (list.length > 0) lists.push(await keep(listWriter, Buffer.from(JSON.stringify(list)), list.length))
    list = []
  }
  const endChunk = async (): Promise<void> => {
    if (pieces.length === 0) return
    const [first] = pieces
    const content = first && pieces.length === 1 ? first : Buffer.concat(pieces)
    const chunk = await keep(writer, content, pieces.length)
    for (const piece of [content, ...pieces]) freeMemory(piece)
    pieces = []
    bytes = 0
    list.push(chunk)
    const chance = Number.parseInt(chunk.name.slice(0, 8), 16) / 2 ** 32
    if (list.length >= listItems.most || (list.length >= listItems.least && chance < 1 / listItems.usual))
      await endList()
  }
  for await (const some of rows) {
    for (const row of some) {
      const encoded = encodeRow(row, table.key)
      digest.update(encoded.bytes)
      freeCells(row)
      pieces.push(encoded.bytes)
      bytes += encoded.bytes.byteLength
      const isEnd = encoded.chance < encoded.bytes.byteLength / chunkBytes.usual
      if (bytes >= chunkBytes.most || (bytes >= chunkBytes.least && isEnd)) await endChunk()
    }
    count += some.length
    told(some.length)
  }
  await endChunk()
  await endList()
  const { name, columns, key } = table
  const stored = { name, columns: [...columns], key: [...key], rows: count, digest: digest.digest('hex'), lists }
  return { table: stored, chunks: used }
}

const freeCells = (row: CellRow): void => {
  for (const cell of row) if (cell instanceof Uint8Array) freeMemory(cell)
}

/** The chunks of a table of a backup, in order, and those that list them. */
export async function* readChunks(
  table: ManifestTable,
  reader: ChunkReader,
): AsyncIterable<{ list: StoredChunk; chunks: StoredChunk[] }> {
  for (const list of table.lists) {
    const chunks = StoredChunk.array().parse(JSON.parse((await reader.read(list)).toString('utf8')))
    yield { list, chunks }
  }
}

/** The rows of a table of a backup. Throws BackupFailure `damaged` where they are not those that were stored; at the end at the latest. */
export async function* readTable(table: ManifestTable, reader: ChunkReader): AsyncIterable<readonly CellRow[]> {
  const digest = createHash('sha256')
  let count = 0
  for await (const { chunks } of readChunks(table, reader))
    for (const chunk of chunks) {
      const content = await reader.read(chunk)
      digest.update(content)
      const rows = decodeRows(content, table.columns.length)
      count += rows.length
      yield rows
    }
  if (count !== table.rows || digest.digest('hex') !== table.digest)
    throw new BackupFailure('damaged', `The rows of ${table.name} are not those that were stored.`)
}

/** What a table is by its rows, in the same form as that of a backup. Large cells are empty afterwards. */
export const digestTable = async (
  table: Pick<CopyTable, 'key'>,
  rows: AsyncIterable<readonly CellRow[]>,
): Promise<{ rows: number; digest: string }> => {
  const digest = createHash('sha256')
  let count = 0
  for await (const some of rows) {
    for (const row of some) {
      const { bytes } = encodeRow(row, table.key)
      digest.update(bytes)
      freeMemory(bytes)
      freeCells(row)
    }
    count += some.length
  }
  return { rows: count, digest: digest.digest('hex') }
}
