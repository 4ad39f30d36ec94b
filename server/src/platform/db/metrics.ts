/** What is told of the database. */
import type { KyselyConfig, LogEvent } from 'kysely'
import { defineCounter, defineGauge, defineHistogram } from '../metrics/definition.ts'
import type { Metrics } from '../metrics/index.ts'
import { isOutage } from './outage.ts'
import type { Database } from './types.ts'

const statements = ['select', 'insert', 'update', 'delete', 'raw'] as const
const seconds = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10]
const bytes = { unit: 'bytes' } as const

export const databaseMetrics = {
  database_statement_duration_seconds: defineHistogram(
    'Time of a statement without waits for a connection or the writer; on SQLite, statements that nothing waits for within a transaction count with the next one',
    seconds,
    { labels: { statement: statements } },
  ),
  database_write_duration_seconds: defineHistogram(
    'Time of a write from request to commit, including waits and retries',
    seconds,
  ),
  database_failures_total: defineCounter(
    'Failed statements, connections and commits, by whether the database was unreachable or for another reason',
    {
      labels: { reason: ['outage', 'statement'] },
    },
  ),
  database_retries_total: defineCounter('Writes retried after a conflict with another write; none on SQLite'),
  database_bytes: defineGauge('Size of the database', bytes),
  database_log_bytes: defineGauge(
    'Size of the write-ahead log; absent if the database doesn’t permit reading it',
    bytes,
  ),
  database_connections: defineGauge('PostgreSQL connections of this process, and waits for one', {
    labels: { state: ['used', 'waiting'] },
  }),
  database_connections_limit: defineGauge('Maximum PostgreSQL connections of this process'),
  database_server_connections: defineGauge('All connections to the PostgreSQL server'),
  database_server_connections_limit: defineGauge('Maximum connections of the PostgreSQL server'),
}

/** Told by a database of its work. */
export interface DatabaseRecorder {
  /** What Kysely tells of each statement. */
  readonly log: NonNullable<KyselyConfig['log']>
  /** What Kysely does not tell: a connection that was not to be had, a transaction that did not begin or was not committed. */
  failed(error: unknown): void
  /** Runs a write, and tells how long it took. */
  timeWrite<R>(work: () => Promise<R>): Promise<R>
  retried(): void
}

export const createDatabaseRecorder = (metrics: Metrics): DatabaseRecorder => {
  const figures = metrics.bind(databaseMetrics)
  const failed = (error: unknown): void =>
    figures.database_failures_total({ reason: isOutage(error) ? 'outage' : 'statement' })
  return {
    failed,
    log(event: LogEvent) {
      const statement = names[event.query.query.kind] ?? 'raw'
      figures.database_statement_duration_seconds({ statement }, event.queryDurationMillis / 1000)
      if (event.level === 'error') failed(event.error)
    },
    async timeWrite(work) {
      const since = performance.now()
      try {
        return await work()
      } finally {
        figures.database_write_duration_seconds({}, (performance.now() - since) / 1000)
      }
    },
    retried: () => figures.database_retries_total(),
  }
}

/** Has size and connections read at each scrape. */
export const watchDatabase = (metrics: Metrics, database: Pick<Database, 'connections' | 'measure'>): void => {
  const figures = metrics.bind(databaseMetrics)
  // By themselves and first: what follows needs a connection, and there may be none left.
  metrics.onScrape(() => {
    const connections = database.connections()
    if (!connections) return
    figures.database_connections({ state: 'used' }, connections.used)
    figures.database_connections({ state: 'waiting' }, connections.waiting)
    figures.database_connections_limit({}, connections.limit)
  })
  metrics.onScrape(async () => {
    const { sizeBytes, logBytes, serverConnections } = await database.measure({ tables: false })
    figures.database_bytes({}, sizeBytes)
    if (logBytes !== null) figures.database_log_bytes({}, logBytes)
    if (serverConnections) {
      figures.database_server_connections({}, serverConnections.used)
      figures.database_server_connections_limit({}, serverConnections.limit)
    }
  })
}

const names: Readonly<Record<string, (typeof statements)[number]>> = {
  SelectQueryNode: 'select',
  InsertQueryNode: 'insert',
  UpdateQueryNode: 'update',
  DeleteQueryNode: 'delete',
}
