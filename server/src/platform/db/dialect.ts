/** What differs between the two databases beside the wire: the names of column types. */
import type { ColumnTypes, Database } from './types.ts'

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
