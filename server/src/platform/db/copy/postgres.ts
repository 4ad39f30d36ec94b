/** A PostgreSQL database as source and as target of whole tables. */
import pg from 'pg'
import { fromPostgres } from '../postgres/errors.ts'
import {
  type Cell,
  type CellRow,
  type CellType,
  type CopyColumn,
  type CopyTable,
  type TableSource,
  type TableTarget,
  unfinishedTable,
} from './types.ts'

const rowsAtOnce = 500
/** A statement has no more than 65,535 values. */
const valuesAtOnce = 30_000
const bytesAtOnce = 4 * 1024 * 1024

/** Reads within one repeatable-read transaction on a connection of its own. */
export const openPostgresSource = async (url: string): Promise<TableSource> => {
  const client = await connectTo(url)
  try {
    const ask = askOf(client)
    await ask('begin isolation level repeatable read read only')
    const migrations = (await ask('select id from migrations order by applied_at, id')).map(([id]) => String(id))
    const tables = await readTables(ask)
    return {
      dialect: 'postgres',
      migrations,
      tables,
      rows: (table) => readRows(ask, table),
      close: () => client.end(),
    }
  } catch (error) {
    await client.end()
    throw error
  }
}

/**
 * Opens a migrated database for writing. Foreign keys are made anew at the end, which checks all rows at once; what they
 * were stands in a table meanwhile, for a run that goes on.
 */
export const openPostgresTarget = async (url: string): Promise<TableTarget> => {
  const client = await connectTo(url)
  const ask = askOf(client)
  const tables = await readTables(ask)
  return {
    tables,
    begin: async (filled) => {
      await ask('begin')
      await ask(
        `create table if not exists ${keptKeys} as
         select conrelid::regclass::text as of, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
         from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace order by 1, 2`,
      )
      const present = await ask(
        `select conrelid::regclass::text, quote_ident(conname) from pg_constraint
         where contype = 'f' and connamespace = current_schema()::regnamespace`,
      )
      for (const [table, name] of present) await ask(`alter table ${String(table)} drop constraint ${String(name)}`)
      await ask('commit')
      if (filled.length > 0) await ask(`truncate ${filled.map(({ name }) => `"${name}"`).join(', ')}`)
    },
    insert: async (table, rows) => {
      for (const some of splitByLimits(table, rows)) await insertRows(ask, table, some)
    },
    finish: async () => {
      await ask('begin')
      for (const [table, name, definition] of await ask(`select of, name, definition from ${keptKeys}`))
        await ask(`alter table ${String(table)} add constraint ${String(name)} ${String(definition)}`)
      await ask(`drop table ${keptKeys}`)
      await ask('commit')
      const counters = await ask(
        `select c.relname, a.attname from pg_attribute a join pg_class c on c.oid = a.attrelid
         where a.attidentity <> '' and c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace`,
      )
      for (const [table, column] of counters)
        await ask(
          `select setval(pg_get_serial_sequence('"${String(table)}"', '${String(column)}'),
            coalesce(max("${String(column)}"), 0) + 1, false) from "${String(table)}"`,
        )
      await ask('analyze')
    },
    close: () => client.end(),
  }
}

/** Foreign keys that were taken off. */
const keptKeys = 'restore_foreign_keys'

type Ask = (text: string, values?: readonly unknown[]) => Promise<readonly CellRow[]>

const connectTo = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url, application_name: 'atrium-copy', types: exactTypes })
  client.on('error', () => undefined)
  try {
    await client.connect()
    // These are long by nature, and others do not wait for them.
    await client.query(
      "set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set bytea_output = 'hex'",
    )
    return client
  } catch (error) {
    throw fromPostgres(error)
  }
}

const askOf =
  (client: pg.Client): Ask =>
  async (text, values = []) => {
    try {
      const { rows } = await client.query<Cell[]>({ text, values: [...values], rowMode: 'array' })
      return rows
    } catch (error) {
      throw fromPostgres(error)
    }
  }

/** Whole numbers without rounding; everything else as `pg` has it. */
const exactTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    format !== 'binary' && whole.has(oid)
      ? (value: string) => BigInt(value)
      : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}
const whole = new Set([20, 21, 23])

const readTables = async (ask: Ask): Promise<CopyTable[]> => {
  const rows = await ask(
    `select c.relname, a.attname, format_type(a.atttypid, null),
       coalesce(array_position(string_to_array(i.indkey::text, ' ')::int[], a.attnum::int), 0)
     from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     left join pg_index i on i.indrelid = c.oid and i.indisprimary
     where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and c.relname not in ('migrations', '${keptKeys}', '${unfinishedTable}')
     order by c.relname collate "C", a.attnum`,
  )
  return [...Map.groupBy(rows, ([table]) => String(table))].map(([name, all]) => {
    // What no type is known for is derived by the server itself, such as vectors in the form of an extension.
    const known = all.flatMap(([, column, type, place]) => {
      const kind = typeOf(String(type))
      return kind ? [{ name: String(column), type: kind, place: Number(place) }] : []
    })
    const key = known
      .map(({ place }, at) => ({ place, at }))
      .filter(({ place }) => place > 0)
      .sort((a, b) => a.place - b.place)
    return { name, columns: known.map(({ name, type }) => ({ name, type })), key: key.map(({ at }) => at) }
  })
}

const typeOf = (type: string): CellType | null => types[type] ?? null
const types: Readonly<Record<string, CellType>> = {
  text: 'text',
  bigint: 'int',
  integer: 'int',
  smallint: 'int',
  'double precision': 'real',
  bytea: 'bytes',
  'bigint[]': 'array',
  'bit varying': 'bits',
}

let cursors = 0

async function* readRows(ask: Ask, table: CopyTable): AsyncIterable<readonly CellRow[]> {
  const columns = table.columns.map(({ name }) => `"${name}"`)
  const read = table.columns.map((column, at) =>
    column.type === 'array' || column.type === 'bits' ? `${columns[at]}::text` : columns[at],
  )
  const order = table.key.length === 0 ? 'ctid' : table.key.map((at) => `"${table.name}".${columns[at]}`).join(', ')
  // One that is left before its end goes with the transaction.
  const cursor = `reading_${(cursors += 1)}`
  await ask(`declare ${cursor} no scroll cursor for select ${read.join(', ')} from "${table.name}" order by ${order}`)
  let atOnce = 20
  for (;;) {
    const rows = await ask(`fetch ${atOnce} from ${cursor}`)
    if (rows.length === 0) break
    yield rows
    // As many as are not too large together, by the size of these.
    const bytes = rows.reduce((sum, row) => sum + row.reduce<number>((all, cell) => all + sizeOf(cell), 0), 0)
    atOnce = Math.max(1, Math.min(rowsAtOnce * 4, Math.floor((bytesAtOnce * rows.length) / Math.max(bytes, 1))))
  }
  await ask(`close ${cursor}`)
}

const sizeOf = (cell: Cell): number =>
  typeof cell === 'string' ? cell.length : cell instanceof Uint8Array ? cell.byteLength : 8

function* splitByLimits(table: CopyTable, rows: readonly CellRow[]): Iterable<readonly CellRow[]> {
  const most = Math.max(1, Math.floor(valuesAtOnce / table.columns.length))
  for (let at = 0; at < rows.length; at += most) yield rows.slice(at, at + most)
}

const insertRows = async (ask: Ask, table: CopyTable, rows: readonly CellRow[]): Promise<void> => {
  const casts = table.columns.map(castOf)
  const width = casts.length
  const lines = rows.map((_, line) => `(${casts.map((cast, at) => `$${line * width + at + 1}${cast}`).join(', ')})`)
  const names = table.columns.map(({ name }) => `"${name}"`).join(', ')
  const values = rows.flatMap((row) => row.map(valueOf))
  await ask(`insert into "${table.name}" (${names}) overriding system value values ${lines.join(', ')}`, values)
}

const castOf = ({ type }: CopyColumn): string =>
  ({ text: '::text', int: '::bigint', real: '::float8', bytes: '::bytea', array: '::bigint[]', bits: '::bit varying' })[
    type
  ]

const valueOf = (cell: Cell): unknown =>
  typeof cell === 'bigint'
    ? cell.toString()
    : cell instanceof Uint8Array
      ? Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength)
      : cell
