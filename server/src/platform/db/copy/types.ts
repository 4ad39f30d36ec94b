/** Whole tables, read at one instant from either database and written into an empty one of either. */
import type { Database } from '../types.ts'

/** What a column holds, in the words of both databases. Arrays and strings of bits are text in the notation of PostgreSQL. */
export type CellType = 'text' | 'int' | 'real' | 'bytes' | 'array' | 'bits'

/** A whole number is a bigint, so that none is rounded; a real is a number. */
export type Cell = null | bigint | number | string | Uint8Array
export type CellRow = readonly Cell[]

export interface CopyColumn {
  readonly name: string
  readonly type: CellType
}

export interface CopyTable {
  readonly name: string
  readonly columns: readonly CopyColumn[]
  /** Positions of the columns of the primary key, in its order; rows come in its order. Empty: in the order of the table. */
  readonly key: readonly number[]
}

/** A database as it is at one instant. Others go on writing to it. */
export interface TableSource {
  readonly dialect: Database['dialect']
  /** Ids of the migrations that were applied, in order. */
  readonly migrations: readonly string[]
  /** By name. The ledger of migrations is not among them. */
  readonly tables: readonly CopyTable[]
  /** The rows of a table in the order of its key, some at a time. One table at a time. */
  rows(table: CopyTable): AsyncIterable<readonly CellRow[]>
  close(): Promise<void>
}

/** A database with the schema and without rows, which nobody else has open. */
export interface TableTarget {
  readonly tables: readonly CopyTable[]
  /** Takes away the rows of the tables that are to be filled, and puts checks of foreign keys off. */
  begin(filled: readonly CopyTable[]): Promise<void>
  insert(table: CopyTable, rows: readonly CellRow[]): Promise<void>
  /** Checks foreign keys, sets counters, and waits until all is on the disk. Throws where rows do not fit together. */
  finish(): Promise<void>
  close(): Promise<void>
}

/** On a server, what a restore has begun and not ended has a table of this name, which belongs to no copy of it. */
export const unfinishedTable = 'restore_unfinished'

/** Where a database is. */
export type DatabasePlace =
  | { readonly url: string }
  /** `key`: 32 bytes of the encrypted file. */
  | { readonly file: string; readonly key: Buffer }
