/** Rows on their way between threads: one list of cells and one piece of memory, because many small things are slow to pass. */

import { freeMemory } from '../../memory.ts'

export type Row = Record<string, unknown>

export interface PackedRows {
  readonly names: readonly string[]
  /** Row after row; null where bytes belong. */
  readonly cells: readonly unknown[]
  /** Pairs: the number of a cell, and how many of the bytes are its own. */
  readonly lengths: readonly number[]
  readonly bytes: Uint8Array
}

/** Packs rows that all have the same columns. */
export const packRows = (rows: readonly Row[]): PackedRows => {
  const names = Object.keys(rows[0] ?? {})
  const cells: unknown[] = []
  const lengths: number[] = []
  const pieces: Uint8Array[] = []
  for (const row of rows) {
    for (const name of names) {
      const value = row[name]
      if (value instanceof Uint8Array) {
        lengths.push(cells.length, value.byteLength)
        pieces.push(value)
        cells.push(null)
      } else cells.push(value)
    }
  }
  return { names, cells, lengths, bytes: join(pieces) }
}

/** The rows again, with bytes as Buffers, as PostgreSQL gives them. */
export const unpackRows = ({ names, cells, lengths, bytes }: PackedRows): Row[] => {
  const values = lengths.length === 0 ? cells : withBytes(cells, lengths, bytes)
  const rows: Row[] = []
  for (let start = 0; start < values.length; start += names.length) {
    const row: Row = {}
    let cell = start
    for (const name of names) row[name] = values[cell++]
    rows.push(row)
  }
  return rows
}

/** Memory of its own, so that it can change hands instead of being copied. That of the pieces is given back. */
const join = (pieces: readonly Uint8Array[]): Uint8Array => {
  const all = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let offset = 0
  for (const piece of pieces) {
    all.set(piece, offset)
    offset += piece.byteLength
    freeMemory(piece)
  }
  return all
}

const withBytes = (cells: readonly unknown[], lengths: readonly number[], bytes: Uint8Array): unknown[] => {
  const values = [...cells]
  let offset = bytes.byteOffset
  for (let i = 0; i < lengths.length; i += 2) {
    const length = lengths[i + 1] ?? 0
    values[lengths[i] ?? 0] = Buffer.from(bytes.buffer, offset, length)
    offset += length
  }
  return values
}
