/** A SQLite file as source and as target of whole tables. The calls block their thread. */
import type Sqlite from 'better-sqlite3'
import { openConnection } from '../sqlite/connection.ts'
import type { Cell, CellRow, CellType, CopyTable, TableSource, TableTarget } from './types.ts'

/** Rows are handed on when they are so many, or so large together. */
const rowsAtOnce = 500
const bytesAtOnce = 1024 * 1024

interface FilePlace {
  readonly file: string
  readonly key: Buffer
}

/** Begins a read transaction on a connection of its own, beside which others write. */
export const openSqliteSource = async (place: FilePlace): Promise<TableSource> => {
  const connection = openConnection({ file: place.file, key: place.key.toString('hex'), readonly: true })
  try {
    connection.defaultSafeIntegers(true)
    beside(place, touch)
    connection.exec('begin')
    const migrations = connection.prepare('select id from migrations order by applied_at, id').pluck().all() as string[]
    const tables = readTables(connection)
    return {
      dialect: 'sqlite',
      migrations,
      tables,
      rows: (table) => readRows(connection, table),
      close: async () => {
        beside(place, (writing) => {
          connection.close()
          // What was written meanwhile goes into the file from here: else some write would do it, and wait for all of it.
          writing.pragma('wal_checkpoint(passive)')
        })
        connection.close()
      },
    }
  } catch (error) {
    connection.close()
    throw error
  }
}

/**
 * Writes one page as it is. A transaction that begins where all of the log is in the file keeps others from moving
 * anything there, and they would find that out at each commit, after sorting the log; one that begins behind a page of
 * the log does not.
 */
const touch = (writing: Sqlite.Database): void => {
  writing.pragma(`user_version=${Number(writing.pragma('user_version', { simple: true }))}`)
}

/** On a second connection, best effort: where the file may not be written, or somebody writes for long, it is read all the same. */
const beside = ({ file, key }: FilePlace, work: (writing: Sqlite.Database) => void): void => {
  let writing: Sqlite.Database | null = null
  try {
    writing = openConnection({ file, key: key.toString('hex'), readonly: false })
    writing.pragma('wal_autocheckpoint=0')
    if (writing.pragma('journal_mode', { simple: true }) === 'wal') work(writing)
  } catch {
    // It only spares others a wait.
  } finally {
    writing?.close()
  }
}

/** Opens a migrated file for writing. A failure on the way leaves it unusable. */
export const openSqliteTarget = async ({ file, key }: FilePlace): Promise<TableTarget> => {
  const connection = openConnection({ file, key: key.toString('hex'), readonly: false })
  connection.defaultSafeIntegers(true)
  const tables = readTables(connection)
  return {
    tables,
    begin: async (filled) => {
      // The tables in which the search index keeps its own are written like any other.
      connection.unsafeMode(true)
      connection.pragma('foreign_keys=off')
      connection.pragma('journal_mode=wal')
      // What is unfinished is marked as such, so it need not survive a power failure.
      connection.pragma('synchronous=off')
      connection.transaction(() => {
        for (const { name } of filled) connection.exec(`delete from "${name}"`)
      })()
    },
    insert: async (table, rows) => {
      const names = table.columns.map(({ name }) => `"${name}"`).join(', ')
      const insert = connection.prepare(
        `insert into "${table.name}" (${names}) values (${table.columns.map(() => '?').join(', ')})`,
      )
      connection.transaction(() => {
        for (const row of rows) insert.run(...row)
      })()
    },
    finish: async () => {
      const [lost] = connection.pragma('foreign_key_check') as { table: string }[]
      if (lost) throw new Error(`A row of ${lost.table} belongs to one that is not there.`)
      connection.pragma('synchronous=full')
      connection.pragma('wal_checkpoint(truncate)')
    },
    close: async () => void connection.close(),
  }
}

async function* readRows(connection: Sqlite.Database, table: CopyTable): AsyncIterable<readonly CellRow[]> {
  const columns = table.columns.map(({ name }) => `"${name}"`)
  const order = table.key.length === 0 ? 'rowid' : table.key.map((at) => columns[at]).join(', ')
  const statement = connection.prepare(`select ${columns.join(', ')} from "${table.name}" order by ${order}`)
  let rows: CellRow[] = []
  let bytes = 0
  for (const row of statement.raw(true).iterate() as IterableIterator<Cell[]>) {
    rows.push(row)
    for (const cell of row) bytes += sizeOf(cell)
    if (rows.length < rowsAtOnce && bytes < bytesAtOnce) continue
    yield rows
    rows = []
    bytes = 0
  }
  if (rows.length > 0) yield rows
}

const sizeOf = (cell: Cell): number =>
  typeof cell === 'string' ? cell.length : cell instanceof Uint8Array ? cell.byteLength : 8

const readTables = (connection: Sqlite.Database): CopyTable[] => {
  // A virtual table gives no rows where it is contentless; the tables that it keeps its own in are copied.
  const names = connection
    .prepare(
      `select name from pragma_table_list
       where schema = 'main' and type in ('table', 'shadow') and name not like 'sqlite\\_%' escape '\\' and name <> 'migrations'
       order by name`,
    )
    .pluck()
    .all() as string[]
  return names.map((name) => {
    const rows = connection.prepare('select name, type, pk from pragma_table_xinfo(?) where hidden = 0').all(name) as {
      name: string
      type: string
      pk: bigint
    }[]
    const key = rows
      .map(({ pk }, at) => ({ pk, at }))
      .filter(({ pk }) => pk > 0n)
      .sort((a, b) => Number(a.pk - b.pk))
    return {
      name,
      columns: rows.map((column) => ({ name: column.name, type: typeOf(column.type) })),
      key: key.map(({ at }) => at),
    }
  })
}

const typeOf = (type: string): CellType =>
  (({ text: 'text', integer: 'int', real: 'real', blob: 'bytes' }) as const)[type.toLowerCase()] ?? 'bytes'
