/** PostgreSQL for Kysely, with errors and values as they come from SQLite. */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  sql,
  type TransactionSettings,
} from 'kysely'
import pg from 'pg'
import { NO_TIME_LIMIT } from '../dialect.ts'
import { DatabaseError } from '../errors.ts'
import type { Nesting } from '../nesting.ts'
import { isOutage } from '../outage.ts'
import { preparedAs } from '../prepared.ts'
import type { Tasks } from '../tasks.ts'
import { type RequestLimits, isForRequest } from '../requests.ts'
import { acquireClient, withLimit } from './acquire-client.ts'
import { fromPostgres } from './errors.ts'

/** 64-bit integers, sums and averages as numbers, truth as 0 and 1. Bytes are Buffers anyway. */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    format === 'binary'
      ? pg.types.getTypeParser(oid, 'binary')
      : (parsers[oid] ?? pg.types.getTypeParser(oid, 'text'))) as typeof pg.types.getTypeParser,
}

const toTruth = (value: string): number => (value === 't' ? 1 : 0)
const parsers: Readonly<Record<number, (value: string) => unknown>> = { 16: toTruth, 20: Number, 1700: Number }

export const createPostgresDialect = (
  pool: pg.Pool,
  nesting: Nesting,
  tasks: Tasks,
  limits: RequestLimits,
  /** Told of connections that are not to be had, and of transactions that do not begin or are not committed. */
  failed?: (error: unknown) => void,
): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => createDriver(pool, nesting, tasks, limits, failed),
  createIntrospector: ownTablesOf,
  createQueryCompiler: () => new PostgresQueryCompiler(),
})

/** Tables of the schema in which ours are made: another one may hold some of the same names. */
const ownTablesOf = (db: Kysely<unknown>): DatabaseIntrospector => {
  const all = new PostgresIntrospector(db)
  const getTables: DatabaseIntrospector['getTables'] = async (options) => {
    const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(db)
    return (await all.getTables(options)).filter(({ schema }) => schema === rows[0]?.name)
  }
  return {
    getSchemas: () => all.getSchemas(),
    getTables,
  }
}

interface Connection extends DatabaseConnection {
  query(sql: string, parameters: readonly unknown[], name?: string): Promise<pg.QueryResult>
  begin(sql: string): Promise<void>
  release(): void
}

const createDriver = (
  pool: pg.Pool,
  nesting: Nesting,
  tasks: Tasks,
  limits: RequestLimits,
  failed?: (error: unknown) => void,
): Driver => {
  const telling = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      failed?.(error)
      throw error
    }
  }
  return {
    init: async () => undefined,
    acquireConnection: () =>
      telling(async () => {
        const done = tasks.statement()
        try {
          return createConnection(await acquireClient(pool, limits), limits, nesting, done)
        } catch (error) {
          done()
          throw fromPostgres(error)
        }
      }),
    beginTransaction: (connection, { isolationLevel }: TransactionSettings) => {
      const level = isolationLevel === undefined ? '' : ` isolation level ${isolationLevel}`
      return telling(() => (connection as Connection).begin(`begin${level}`))
    },
    commitTransaction: async (connection) => {
      const { command } = await telling(() => (connection as Connection).query('commit', []))
      // So it answers when a statement failed and the failure was caught.
      if (command === 'ROLLBACK') throw new DatabaseError('25P02', 'The transaction had failed and was undone.')
    },
    rollbackTransaction: async (connection) => void (await (connection as Connection).query('rollback', [])),
    releaseConnection: async (connection) => (connection as Connection).release(),
    destroy: async () => undefined,
  }
}

/** The longest that a timer takes: some 24 days. */
const LONGEST_MS = 2 ** 31 - 1

const createConnection = (
  client: pg.PoolClient,
  limits: RequestLimits,
  nesting: Nesting,
  done: () => void,
): Connection => {
  let broken = false
  let lost: Error | null = null
  let inTransaction = false
  let query_timeout = isForRequest() ? limits.statementMs : undefined

  const query = async (sql: string, parameters: readonly unknown[], name?: string): Promise<pg.QueryResult> => {
    // What was asked before may never be answered, and this would stand behind it.
    if (lost) throw lost
    try {
      if (sql === NO_TIME_LIMIT) query_timeout = LONGEST_MS
      const values = parameters as unknown[]
      return await client.query(
        withLimit({ ...(name === undefined ? {} : { name }), text: sql, values, query_timeout }),
      )
    } catch (error) {
      const clean = fromPostgres(error)
      // What is not an answer to the statement is about the connection; nor may one be kept that cannot roll back.
      if (isOutage(clean)) lost ??= clean
      if (!(clean instanceof DatabaseError) || clean.code === 'ERROR' || sql === 'rollback') broken = true
      throw clean
    }
  }
  return {
    query,
    begin: async (sql) => {
      inTransaction = true
      await query(sql, [])
    },
    executeQuery: async <R>(asked: CompiledQuery): Promise<QueryResult<R>> => {
      const {
        sql,
        parameters,
        query: { kind },
      } = asked
      // SQLite could not go on here, so this does not either: it would be a mistake that shows on one of them only.
      if (!inTransaction && kind !== 'SelectQueryNode' && kind !== 'RawNode') await nesting.outside()
      const { command, rowCount, rows } = await query(sql, parameters, preparedAs(asked))
      return writes.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows }
    },
    streamQuery: () => {
      throw new Error('Rows are read page by page, not as a stream.')
    },
    release: () => {
      client.release(broken)
      done()
    },
  }
}

const writes = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])
