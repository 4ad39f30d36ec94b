/**
 * Which columns hold sealed values, as data: so that all of them can be gone through, by whoever proves a backup or
 * replaces data keys, without knowing what is in them. What is not listed is lost when a data key is replaced, so a test
 * holds the lists against the schema.
 */
import type { ColumnName } from './types.ts'

/** Expressions are SQL that both databases know, over the row. */
export interface SealedColumn {
  readonly table: string
  readonly column: string
  /** Columns of the primary key. */
  readonly key: readonly string[]
  /** Gives the name of the row, as the seal has it. */
  readonly row: string
  /** Gives the account whose key sealed it, or null for the instance. */
  readonly owner: string
  /** A condition: where it does not hold, the value belongs to nobody any more and is never opened. */
  readonly where?: string
  readonly words?: IndexedWords
}

/** How a value is found by its words. */
export interface IndexedWords {
  /** Gives the id of the entry in the search index. */
  readonly entry: string
  /** The member of the JSON that has the text; without it the value is the text. */
  readonly member?: string
  /** A condition: where it does not hold, the index does not know this value yet. */
  readonly where?: string
}

export interface SealedRows {
  /** Columns of the primary key (default `id`). */
  readonly key?: readonly string[]
  /** Default: the first column of the key. */
  readonly row?: string
  /** Default: the instance. */
  readonly owner?: string
  readonly where?: string
  readonly words?: IndexedWords
}

/** Columns of one table that are sealed in the same way. */
export const sealedColumns = (
  table: string,
  columns: readonly string[],
  { key = ['id'], row = key[0] ?? 'id', owner = 'null', ...rest }: SealedRows = {},
): SealedColumn[] => columns.map((column) => ({ table, column, key, row, owner, ...rest }))

export const placeOf = ({ table, column }: Pick<SealedColumn, 'table' | 'column'>): ColumnName => `${table}.${column}`
