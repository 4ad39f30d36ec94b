/** The database on a PostgreSQL server, shared with other processes of Atrium. */
import { Kysely, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { checkPayload, createChannels } from '../channels.ts'
import { DatabaseLockedError } from '../errors.ts'
import type { DatabaseRecorder } from '../metrics.ts'
import { createNesting } from '../nesting.ts'
import { prepareOn } from '../prepared.ts'
import { createTasks } from '../tasks.ts'
import { type BytesPlace, type Database, type DatabaseLog, type DatabaseMeasure, inTables } from '../types.ts'
import { acquireClient, askOnce } from './acquire-client.ts'
import { postgresChecks } from './checks.ts'
import { copyBytes } from './copied-bytes.ts'
import { createPostgresDialect, valueTypes } from './dialect.ts'
import { CHANNEL, LOCK_NUMBER, openListener } from './listener.ts'
import { fromPostgres } from './errors.ts'
import { type RequestLimits, isForRequest, usualRequestLimits } from '../requests.ts'
import { createTransactionQueues } from './transaction-queue.ts'
import { measurePostgres } from './measure.ts'
import { type Session, poolerCheck } from './pooler.ts'
import { createPresence, type PresenceTiming, usualTiming } from './presence.ts'
import { createRetryRunner } from './retries.ts'

export interface PostgresOptions {
  /** `postgres://…` */
  readonly url: string
  /** Not while a command has the database for itself. */
  readonly lock: boolean
  readonly poolSize: number
  readonly nestedWaitMs: number
  /** What is not the usual about how others notice that a process is gone. */
  readonly presence?: Partial<PresenceTiming> | undefined
  readonly queryMs: number
  readonly requestLimits?: Partial<RequestLimits> | undefined
  readonly log: DatabaseLog
  readonly recorder: DatabaseRecorder | null
}

/** Connects; throws when the server cannot be reached. */
export const openPostgres = async (options: PostgresOptions): Promise<Database> => {
  const { url, lock, poolSize, nestedWaitMs, queryMs, log, recorder } = options
  const timing = { ...usualTiming, ...options.presence }
  const limits = { ...usualRequestLimits, ...options.requestLimits }
  const channels = createChannels(log)
  const listener = await openListener(url, channels, log, { beatMs: timing.beatMs, lock }).catch((error: unknown) => {
    throw error instanceof DatabaseLockedError ? error : fromPostgres(error)
  })
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    types: valueTypes,
    keepAlive: true,
    application_name: 'atrium',
    connectionTimeoutMillis: queryMs,
    // Neither a lock that is never given back nor a server that stands still may hold a request for ever. The server
    // gives up first where it can, so that nothing goes on there of which nobody hears any more.
    query_timeout: queryMs,
    options: `-c lock_timeout=${queryMs * 0.8}ms -c statement_timeout=${queryMs * 0.9}ms -c idle_in_transaction_session_timeout=60s`,
  })
  // Whoever waits on a broken connection hears of it too; without a listener it would end the process.
  pool.on('connect', (client) =>
    client.on('error', (error) => log.warn({ err: error }, 'a connection to PostgreSQL broke')),
  )
  pool.on('error', () => undefined)

  const tasks = createTasks()
  const nesting = createNesting(nestedWaitMs)
  const retries = createRetryRunner(() => recorder?.retried())
  const queues = createTransactionQueues(limits.statementMs / 10)
  // The row types are the caller's: `tables<T>()` says which.
  const kysely = new Kysely<unknown>({
    dialect: createPostgresDialect(pool, nesting, tasks, limits, recorder?.failed),
    ...(recorder && { log: recorder.log }),
  })
  let closing: Promise<void> | null = null
  /** For what goes past Kysely. */
  const toFailure = (error: unknown): Error => {
    const failure = fromPostgres(error)
    recorder?.failed(failure)
    return failure
  }

  const one = async (statement: string, parameters: readonly unknown[]): Promise<unknown> => {
    const done = tasks.statement()
    try {
      return await askOnce(pool, limits, statement, parameters)
    } catch (error) {
      throw toFailure(error)
    } finally {
      done()
    }
  }

  const readBytes = async (place: BytesPlace): Promise<Uint8Array | null> => {
    const done = tasks.statement()
    try {
      const client = await acquireClient(pool, limits)
      try {
        const bytes = await copyBytes(client, place, isForRequest() ? limits.statementMs : undefined)
        client.release()
        return bytes
      } catch (error) {
        client.release(true)
        throw error
      }
    } catch (error) {
      throw toFailure(error)
    } finally {
      done()
    }
  }

  const withSessions = async <T>(work: (first: Session, second: Session) => Promise<T>): Promise<T> => {
    const done = tasks.statement()
    const clients: pg.PoolClient[] = []
    const lend = async (): Promise<Session> => {
      const client = await pool.connect()
      clients.push(client)
      return { ask: async (statement) => (await client.query<Record<string, string>>(statement)).rows[0] ?? {} }
    }
    try {
      const given = await work(await lend(), await lend())
      for (const client of clients) client.release()
      return given
    } catch (error) {
      // They may be in a transaction: not for others.
      for (const client of clients) client.release(true)
      throw fromPostgres(error)
    } finally {
      done()
    }
  }

  // Shared, so that those who ask at the same time do not take each other for the living.
  const isHeld = async (processId: string): Promise<boolean> =>
    (await one(`select pg_try_advisory_xact_lock_shared(${LOCK_NUMBER}) as value`, [processId])) === 0

  const connections = (): NonNullable<DatabaseMeasure['connections']> => ({
    used: pool.totalCount - pool.idleCount,
    waiting: pool.waitingCount,
    limit: poolSize,
  })

  return {
    dialect: 'postgres',
    hasOneWriter: false,
    tables: <T>() => kysely as unknown as Kysely<T>,
    prepare: (write) => prepareOn(kysely, write),
    readBytes,
    write: <T, R>(work: (trx: Transaction<T>) => Promise<R>, queue?: string) => {
      const once = (on: Kysely<unknown>) =>
        (on as unknown as Kysely<T>).transaction().setIsolationLevel('serializable').execute(work)
      const run = () => (queue === undefined ? once(kysely) : queues.run(queue, kysely, once))
      const all = () => tasks.write(() => nesting.run(() => retries(run)))
      return recorder ? recorder.timeWrite(all) : all()
    },
    holdPresence: (processId) => listener.holdPresence(processId),
    isGone: createPresence(listener, isHeld, timing),
    notify: async (channel, payload) => {
      checkPayload(channel, payload)
      await one('select pg_notify($1, $2) as value', [CHANNEL, `${channel}\n${payload}`])
    },
    notifyIn: async (trx, channel, payload) => {
      checkPayload(channel, payload)
      await sql`select pg_notify(${CHANNEL}, ${`${channel}\n${payload}`})`.execute(inTables<unknown>(trx))
    },
    listen: channels.listen,
    checks: [
      ...postgresChecks(
        async (statement) => (await sql.raw<Record<string, string>>(statement).execute(kysely)).rows,
        poolSize,
      ),
      poolerCheck(withSessions),
    ],
    size: async () => Number(await one('select pg_database_size(current_database()) as value', [])),
    measure: (wanted) => measurePostgres(kysely, connections(), wanted),
    connections,
    ping: async () => void (await sql`select 1`.execute(kysely)),
    close: () => {
      closing ??= tasks
        .close()
        .then(() => listener.close())
        .then(() => pool.end())
      return closing
    },
  }
}
