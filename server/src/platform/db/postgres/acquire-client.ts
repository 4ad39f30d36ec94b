/** Connections of the pool, for as long as whoever asks may wait. */
import type pg from 'pg'
import { type RequestLimits, isForRequest } from '../requests.ts'

/** Gives a connection. What belongs to a request gives up after its own limit, everything else after the pool's. */
export const acquireClient = async (pool: pg.Pool, { connectMs }: RequestLimits): Promise<pg.PoolClient> => {
  const connecting = pool.connect()
  if (!isForRequest()) return await connecting
  const late = Promise.withResolvers<never>()
  // Nearly always in vain: a signal that is aborted would make two errors, with where they come from, for each statement.
  const timer = setTimeout(() => late.reject(new Error('timeout exceeded when trying to connect')), connectMs)
  try {
    return await Promise.race([connecting, late.promise])
  } catch (error) {
    connecting.then(
      (client) => client.release(),
      () => undefined,
    )
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** `pg` takes a limit with each statement, which its types do not know. Without one, that of the pool holds. */
export const withLimit = (config: pg.QueryConfig & { query_timeout: number | undefined }): pg.QueryConfig => config

/** Runs one statement outside transactions; gives the column `value` of its first row. */
export const askOnce = async (
  pool: pg.Pool,
  limits: RequestLimits,
  text: string,
  values: readonly unknown[],
): Promise<unknown> => {
  const query_timeout = isForRequest() ? limits.statementMs : undefined
  const client = await acquireClient(pool, limits)
  try {
    const { rows } = await client.query<{ value: unknown }>(withLimit({ text, values: [...values], query_timeout }))
    client.release()
    return rows[0]?.value
  } catch (error) {
    client.release(true)
    throw error
  }
}
