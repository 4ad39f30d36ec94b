/** The database on a PostgreSQL server, shared with other processes of Atrium. */
import { Kysely, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { checkPayload, createChannels } from '../channels.ts'
import { isRetryable } from '../errors.ts'
import { createNesting } from '../nesting.ts'
import { prepareOn } from '../prepared.ts'
import { createTasks } from '../tasks.ts'
import type { Database, DatabaseLog } from '../types.ts'
import { createPostgresDialect, valueTypes } from './dialect.ts'
import { CHANNEL, LOCK_NUMBER, openEar } from './ear.ts'
import { fromPostgres } from './errors.ts'
import { withRetries } from './retries.ts'

export interface PostgresOptions {
  /** `postgres://…` */
  readonly url: string
  readonly poolSize: number
  readonly nestedWaitMs: number
  readonly log: DatabaseLog
}

/** Waits before the transaction begins: once it has begun it sees the rows of then, and could only lose. */
const inLine = <R>(kysely: Kysely<unknown>, line: string, once: (on: Kysely<unknown>) => Promise<R>): Promise<R> =>
  kysely.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(hashtextextended(${`atrium-line:${line}`}, 0))`.execute(connection)
    try {
      return await once(connection)
    } finally {
      await sql`select pg_advisory_unlock(hashtextextended(${`atrium-line:${line}`}, 0))`.execute(connection)
    }
  })

/** Connects; throws when the server cannot be reached. */
export const openPostgres = async ({ url, poolSize, nestedWaitMs, log }: PostgresOptions): Promise<Database> => {
  const channels = createChannels(log)
  const ear = await openEar(url, channels, log).catch((error: unknown) => {
    throw fromPostgres(error)
  })
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    types: valueTypes,
    keepAlive: true,
    application_name: 'atrium',
    connectionTimeoutMillis: 10_000,
    // A lock that is never given back must not hold a request for ever.
    options: '-c lock_timeout=15s -c idle_in_transaction_session_timeout=60s',
  })
  // Whoever waits on a broken connection hears of it too; without a listener it would end the process.
  pool.on('connect', (client) =>
    client.on('error', (error) => log.warn({ err: error }, 'a connection to PostgreSQL broke')),
  )
  pool.on('error', () => undefined)

  const tasks = createTasks()
  const nesting = createNesting(nestedWaitMs)
  const retries = withRetries(isRetryable)
  // The row types are the caller's: `tables<T>()` says which.
  const kysely = new Kysely<unknown>({ dialect: createPostgresDialect(pool, nesting, tasks) })
  let closing: Promise<void> | null = null

  const one = async (statement: string, parameters: readonly unknown[]): Promise<unknown> => {
    const done = tasks.statement()
    try {
      const { rows } = await pool.query<{ value: unknown }>(statement, [...parameters])
      return rows[0]?.value
    } catch (error) {
      throw fromPostgres(error)
    } finally {
      done()
    }
  }

  return {
    dialect: 'postgres',
    tables: <T>() => kysely as unknown as Kysely<T>,
    prepare: (write) => prepareOn(kysely, write),
    write: <T, R>(work: (trx: Transaction<T>) => Promise<R>, line?: string) => {
      const once = (on: Kysely<unknown>) =>
        (on as unknown as Kysely<T>).transaction().setIsolationLevel('serializable').execute(work)
      const run = () => (line === undefined ? once(kysely) : inLine(kysely, line, once))
      return tasks.write(() => nesting.run(() => retries(run)))
    },
    holdPresence: (processId) => ear.holdPresence(processId),
    // Shared, so that those who ask at the same time do not take each other for the living.
    isPresent: async (processId) =>
      (await one(`select pg_try_advisory_xact_lock_shared(${LOCK_NUMBER}) as value`, [processId])) === 0,
    notify: async (channel, payload) => {
      checkPayload(channel, payload)
      await one('select pg_notify($1, $2) as value', [CHANNEL, `${channel}\n${payload}`])
    },
    listen: channels.listen,
    size: async () => Number(await one('select pg_database_size(current_database()) as value', [])),
    ping: async () => void (await sql`select 1`.execute(kysely)),
    close: () => {
      closing ??= tasks
        .close()
        .then(() => ear.close())
        .then(() => pool.end())
      return closing
    },
  }
}
