/** What differs between the two databases beside the wire: the names of column types. */
import type { ColumnTypes, Database } from './types.ts'

/** Lifts the limit on the time of a statement from the rest of a transaction on PostgreSQL: for what is long by nature. */
export const NO_TIME_LIMIT = 'set local statement_timeout = 0'

export const columnTypes: Record<Database['dialect'], ColumnTypes> = {
  sqlite: { text: 'text', int: 'integer', real: 'real', bytes: 'blob', key: 'integer primary key' },
  // Text is ordered by its bytes, as SQLite does, whatever the locale of the server.
  postgres: {
    text: 'text collate "C"',
    int: 'bigint',
    real: 'double precision',
    bytes: 'bytea',
    key: 'bigint generated always as identity primary key',
  },
}
