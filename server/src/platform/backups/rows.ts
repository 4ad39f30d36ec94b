/**
 * Rows as bytes, the same from either database: a sign for what a cell is, then its value. Whole numbers have 8 bytes
 * each, texts (UTF-8) and bytes their length first.
 */
import { BackupFailure } from './failure.ts'
import type { Cell, CellRow } from '../db/copy/index.ts'

const signs = { null: 0, int: 1, real: 2, text: 3, bytes: 4 } as const

/** The bytes of a row, and a number from 0 to 1 that depends on its key alone, or on all of it where it has none. */
export interface EncodedRow {
  readonly bytes: Buffer
  readonly chance: number
}

export const encodeRow = (row: CellRow, key: readonly number[]): EncodedRow => {
  const lengths = row.map(lengthOf)
  // Backups go through gigabytes: each cell is copied once.
  const bytes = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + length, 0))
  let at = 0
  const cells = row.map((cell, column) => {
    const length = lengths[column] ?? 0
    writeCell(bytes, at, cell, length)
    at += length
    return bytes.subarray(at - length, at)
  })
  const keyed = key.length === 0 ? cells : key.map((column) => cells[column] ?? empty)
  return { bytes, chance: chanceOf(keyed) }
}

/** Rows of `width` cells. Throws BackupFailure `damaged` where the bytes are not such rows. */
export const decodeRows = (bytes: Buffer, width: number): Cell[][] => {
  const rows: Cell[][] = []
  let at = 0
  const take = (length: number): number => {
    const start = at
    at += length
    if (at > bytes.length) throw new BackupFailure('damaged', 'A chunk of rows ends too soon.')
    return start
  }
  const readCell = (): Cell => {
    switch (bytes[take(1)]) {
      case signs.null:
        return null
      case signs.int:
        return bytes.readBigInt64BE(take(8))
      case signs.real:
        return bytes.readDoubleBE(take(8))
      case signs.text: {
        const length = bytes.readUInt32BE(take(4))
        const start = take(length)
        return bytes.toString('utf8', start, start + length)
      }
      case signs.bytes: {
        const length = bytes.readUInt32BE(take(4))
        const start = take(length)
        return bytes.subarray(start, start + length)
      }
      default:
        throw new BackupFailure('damaged', 'A chunk of rows holds something else.')
    }
  }
  while (at < bytes.length) rows.push(Array.from({ length: width }, readCell))
  return rows
}

const empty = Buffer.alloc(0)

/** A sign, and what `decodeRows` reads after it. */
const lengthOf = (cell: Cell): number => {
  if (cell === null) return 1
  if (typeof cell === 'bigint' || typeof cell === 'number') return 9
  return 5 + (typeof cell === 'string' ? Buffer.byteLength(cell, 'utf8') : cell.byteLength)
}

const writeCell = (bytes: Buffer, at: number, cell: Cell, length: number): void => {
  if (cell === null) bytes[at] = signs.null
  else if (typeof cell === 'bigint') {
    bytes[at] = signs.int
    bytes.writeBigInt64BE(cell, at + 1)
  } else if (typeof cell === 'number') {
    bytes[at] = signs.real
    bytes.writeDoubleBE(cell, at + 1)
  } else {
    bytes[at] = typeof cell === 'string' ? signs.text : signs.bytes
    bytes.writeUInt32BE(length - 5, at + 1)
    if (typeof cell === 'string') bytes.write(cell, at + 5, 'utf8')
    else bytes.set(cell, at + 5)
  }
}

/** FNV-1a with the last step of MurmurHash3, over the beginning of each cell: it need not be secret, only even. */
const chanceOf = (cells: readonly Buffer[]): number => {
  let hash = 0x811c9dc5
  for (const cell of cells) {
    const length = Math.min(cell.length, 256)
    for (let at = 0; at < length; at += 1) hash = Math.imul(hash ^ (cell[at] ?? 0), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}
