/**
 * Every shape of statement that tests run on SQLite, tried on PostgreSQL as well. Most tests run on SQLite alone; what
 * PostgreSQL would refuse of their statements (a column or table that is not there, a type that does not fit, a
 * conflict target without a unique index) fails the run.
 *
 * Workers write the shapes they met (`gatherAll`) to files of a folder; at the end of the run each shape is prepared and
 * planned on a migrated database (`refusedStatements`).
 */
import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CompiledQuery, PostgresQueryCompiler, SqliteQueryCompiler } from 'kysely'
import type pg from 'pg'

/** What a value is to PostgreSQL. `open` is a value of a prepared question that is known only when it is asked. */
type Sort =
  | 'integer'
  | 'real'
  | 'digits'
  | 'text'
  | 'text with a zero byte'
  | 'bytes'
  | 'truth'
  | 'null'
  | 'open'
  | 'other'

export interface Statement {
  /** As PostgreSQL would get it. */
  readonly sql: string
  /** Of its values, in order. */
  readonly sorts: readonly Sort[]
  /** The file and line that wrote it. */
  readonly from: string
  /** The test that ran it first. */
  readonly test: string
}

export interface RefusedStatement extends Statement {
  readonly reason: string
}

export interface Gathered {
  /** Remembers a statement, unless one of its shape was met. */
  add(compiled: CompiledQuery, from: () => string, test: () => string): void
  /** Writes what is new to the folder. */
  write(): void
}

/** Statements that this thread met. */
export const createGathered = (folder: string): Gathered => {
  const file = join(folder, `${process.pid}-${crypto.randomUUID()}.jsonl`)
  const texts = new Set<string>()
  const shapes = new Set<string>()
  let fresh: Statement[] = []
  return {
    add(compiled, from, test) {
      const sorts = compiled.parameters.map(sortOf)
      // Most were met exactly as they are.
      const text = `${compiled.sql} ${sorts.join()}`
      if (texts.has(text)) return
      texts.add(text)
      const shape = shapeOf(compiled.sql, sorts)
      if (shapes.has(shape)) return
      shapes.add(shape)
      const place = from()
      if (elsewhere.test(place) || ofOneDialect.test(compiled.sql) || !statement.test(compiled.sql)) return
      const { sql } = new PostgresQueryCompiler().compileQuery(compiled.query, compiled.queryId)
      fresh.push({ sql, sorts, from: place, test: test() })
    },
    write() {
      if (fresh.length > 0) appendFileSync(file, fresh.map((each) => `${JSON.stringify(each)}\n`).join(''))
      fresh = []
    },
  }
}

/** Adds whatever is compiled for SQLite in this thread from now on; `test` says which test runs. */
export const gatherAll = (gathered: Gathered, test: () => string): void => {
  const compile = SqliteQueryCompiler.prototype.compileQuery
  SqliteQueryCompiler.prototype.compileQuery = function (...asked): CompiledQuery {
    const compiled = compile.apply(this, asked)
    gathered.add(compiled, origin, test)
    return compiled
  }
}

/** All that was gathered in a folder, each shape once. */
export const gatheredStatements = (folder: string): Statement[] => {
  const byShape = new Map<string, Statement>()
  for (const name of readdirSync(folder)
    .filter((each) => each.endsWith('.jsonl'))
    .sort()) {
    for (const line of readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean)) {
      const each = JSON.parse(line) as Statement
      const shape = shapeOf(each.sql, each.sorts)
      if (!byShape.has(shape)) byShape.set(shape, each)
    }
  }
  return [...byShape.values()]
}

/** Prepares and plans each statement, runs none, and gives those that the database refuses. */
export const refusedStatements = async (
  client: pg.Client,
  statements: readonly Statement[],
): Promise<RefusedStatement[]> => {
  // Conflict targets are looked for when a statement is planned; values are not known then.
  await client.query('set plan_cache_mode = force_generic_plan')
  const refused: RefusedStatement[] = []
  for (const [index, each] of statements.entries()) {
    const values = each.sorts.length === 0 ? '' : `(${each.sorts.map(() => 'null').join(', ')})`
    try {
      await client.query(`prepare s${index} as ${each.sql}; explain execute s${index}${values}`)
    } catch (error) {
      refused.push({ ...each, reason: (error as Error).message })
    }
  }
  const { rows } = await client.query<{ name: string; types: string[] }>(
    'select name, parameter_types::text[] as types from pg_prepared_statements',
  )
  for (const { name, types } of rows) {
    const each = statements[Number(name.slice(1))]
    const misfits = types.flatMap((type, at) => misfit(each?.sorts[at] ?? 'open', type, at))
    if (each && misfits.length > 0) refused.push({ ...each, reason: misfits.join('; ') })
  }
  return refused
}

const statement = /^[\s(]*(select|insert|update|delete|with|values)\b(?![^]*\bsqlite_master\b)/i

/** What may ask which database it is on, and is tested on both; and what tests ask themselves. */
const elsewhere = /^server\/src\/platform\/db\/|\.test\.ts/
/** Of the index of words, which gives SQL to others: PostgreSQL has another one. */
const ofOneDialect = /\bsearch_words\b/

const sortOf = (value: unknown): Sort => {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'string') return sortOfText(value)
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'real'
  if (typeof value === 'bigint') return 'integer'
  if (typeof value === 'boolean') return 'truth'
  if (value instanceof Uint8Array) return 'bytes'
  return value.constructor?.name === 'Blank' ? 'open' : 'other'
}

/** Amounts larger than a number in JavaScript come as their digits. */
const sortOfText = (value: string): Sort => {
  if (/^-?\d{1,18}$/.test(value)) return 'digits'
  return value.includes('\0') ? 'text with a zero byte' : 'text'
}

/** Lists and rows of any length are one shape. */
const shapeOf = (sql: string, sorts: readonly Sort[]): string => {
  const words = sql.replace(/\?|\$\d+/g, '?').replace(/(\?|\([?, ]+\))(, \1)+/g, '$1…')
  const values = sorts
    .slice(0, 64)
    .join()
    .replace(/(\b[\w ]+(?:,[\w ]+)*?)(,\1)+\b/g, '$1…')
  return `${words} ${values}`
}

const fitting: Readonly<Record<Sort, RegExp>> = {
  integer: /^(bigint|integer|smallint|numeric|double precision|real|boolean)$/,
  real: /^(numeric|double precision|real)$/,
  digits: /^(bigint|numeric|text|character varying|name|unknown)$/,
  text: /^(text|character varying|name|unknown)$/,
  'text with a zero byte': /^never$/,
  bytes: /^bytea$/,
  truth: /^boolean$/,
  null: /./,
  open: /./,
  other: /^never$/,
}

const misfit = (sort: Sort, type: string, at: number): string[] =>
  fitting[sort].test(type) ? [] : [`$${at + 1} is ${type}, and the value is ${sort}`]

const root = fileURLToPath(new URL('../../../', import.meta.url))
const helpers = /node_modules|platform\/db\/(prepared|sqlite\/database)\.ts|testing\/statements\.ts|node:internal/

/** The innermost frame of ours, as `file:line`. */
const origin = (): string => {
  const frame = (new Error().stack ?? '')
    .split('\n')
    .slice(1)
    .find((line) => line.includes(root) && !helpers.test(line.slice(line.indexOf(root) + root.length)))
  const place = /(?:file:\/\/)?(\/[^()]+?):(\d+):\d+\)?$/.exec(frame ?? '')
  return place ? `${place[1]?.slice(root.length)}:${place[2]}` : 'an unknown place'
}
