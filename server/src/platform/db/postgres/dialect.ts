/** PostgreSQL for Kysely, with errors and values as they come from SQLite. */
import { PostgresDialect, PostgresDriver, type Driver } from 'kysely'
import pg from 'pg'
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

export const createPostgresDialect = (pool: pg.Pool): PostgresDialect => new CleanDialect({ pool })

class CleanDialect extends PostgresDialect {
  readonly #pool: pg.Pool
  constructor(config: { pool: pg.Pool }) {
    super(config)
    this.#pool = config.pool
  }
  override createDriver(): Driver {
    return new CleanDriver({ pool: this.#pool })
  }
}

class CleanDriver extends PostgresDriver {
  readonly #cleaned = new WeakSet<object>()

  override async acquireConnection(...options: Parameters<PostgresDriver['acquireConnection']>) {
    const connection = await super.acquireConnection(...options).catch(rethrow)
    if (!this.#cleaned.has(connection)) {
      this.#cleaned.add(connection)
      const execute = connection.executeQuery.bind(connection)
      connection.executeQuery = (...query) => execute<never>(...query).catch(rethrow)
    }
    return connection
  }
}

const rethrow = (error: unknown): never => {
  throw fromPostgres(error)
}
