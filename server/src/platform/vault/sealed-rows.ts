/** Goes through all values of a sealed column, some at a time. */
import { type RawBuilder, sql } from 'kysely'
import { type AnyTransaction, type Database, inTables } from '../db/types.ts'
import type { SealedColumn } from './sealed-columns.ts'

export interface SealedRow {
  /** Values of the columns of the primary key. */
  readonly key: readonly (string | number)[]
  readonly row: string
  /** null: the instance. */
  readonly owner: string | null
  readonly sealed: Uint8Array
  /** The id of its entry in the search index, where it should be found. */
  readonly entry: string | null
}

/** Values can be as large as an answer of the interface. */
const rowsAtOnce = 64

/** `condition`: only those that it holds of. What is written meanwhile may be left out or come twice. */
export async function* readSealedRows(
  database: Database | AnyTransaction,
  column: SealedColumn,
  condition = sql<boolean>`true`,
): AsyncIterable<SealedRow[]> {
  const tables = 'tables' in database ? database.tables() : inTables<unknown>(database)
  const keys = column.key.map((name) => sql.ref(`${column.table}.${name}`))
  const value = sql.ref(`${column.table}.${column.column}`)
  const { words } = column
  const entry = words ? sql`case when ${sql.raw(words.where ?? 'true')} then ${sql.raw(words.entry)} end` : sql`null`
  let last: SealedRow['key'] | null = null
  for (;;) {
    const after: RawBuilder<unknown> = last === null ? sql`true` : sql`(${sql.join(keys)}) > (${sql.join(last)})`
    const names = column.key.map((_, at) => sql`${keys[at]} as ${sql.ref(`key${at}`)}`)
    const { rows } = await sql<Record<string, unknown>>`
      select ${sql.join(names)}, ${sql.raw(column.row)} as row_name, ${sql.raw(column.owner)} as row_owner,
        ${entry} as row_entry, ${value} as sealed
      from ${sql.table(column.table)}
      where ${value} is not null and (${sql.raw(column.where ?? 'true')}) and ${condition} and ${after}
      order by ${sql.join(keys)} limit ${sql.lit(rowsAtOnce)}`.execute(tables)
    const found: SealedRow[] = rows.map((row) => ({
      key: column.key.map((_, at) => row[`key${at}`] as string | number),
      row: String(row['row_name']),
      owner: row['row_owner'] as string | null,
      sealed: row['sealed'] as Uint8Array,
      entry: row['row_entry'] as string | null,
    }))
    if (found.length > 0) yield found
    if (found.length < rowsAtOnce) return
    last = found.at(-1)?.key ?? null
  }
}
