/** A database of a server for one command alone: no process of Atrium uses it meanwhile, and none begins to. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { DatabaseLockedError } from '../errors.ts'
import { fromPostgres } from './errors.ts'

export interface DatabaseHold {
  /** Throws where the connection that holds it was lost: others may have written since. */
  requireHeld(): Promise<void>
  release(): Promise<void>
}

/** Every process has it shared, for as long as its listener is connected. */
const heldNumber = `hashtextextended('atrium-database', 0)`

/** Another process that begins may have it alone for a moment, to look for a restored backup. */
const sharePatienceMs = 10_000

/** For a process that begins. Throws DatabaseLockedError where a command goes on holding the database. */
export const shareDatabase = async (client: pg.Client): Promise<void> => {
  const end = performance.now() + sharePatienceMs
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>(
      `select pg_try_advisory_lock_shared(${heldNumber}) as taken`,
    )
    if (rows[0]?.taken === true) return
    if (performance.now() > end)
      throw new DatabaseLockedError('A command has this database for itself, such as npm run move. Wait until it ends.')
    await sleep(100)
  }
}

/** For a connection that is there for as long as its work takes. */
export const withoutTimeouts =
  'set statement_timeout = 0; set idle_session_timeout = 0; set idle_in_transaction_session_timeout = 0'

/** A server that was just stopped is still connected for a moment. */
const patienceMs = 3000
const lockMs = 10_000

/**
 * Throws DatabaseLockedError where a process uses it. `frozen`: nobody else writes at all, whoever it is; else whoever is
 * no process of Atrium is left alone.
 */
export const holdDatabase = async (url: string, { frozen }: { readonly frozen: boolean }): Promise<DatabaseHold> => {
  const client = new pg.Client({ connectionString: url, application_name: 'atrium-hold', keepAlive: true })
  let isLost = false
  const onEnd = (): void => {
    isLost = true
  }
  client.on('error', onEnd)
  client.on('end', onEnd)
  const ask = async (text: string): Promise<boolean> => {
    const { rows } = await client.query<{ is: boolean }>(text)
    return rows[0]?.is === true
  }
  const isAlone = async (): Promise<boolean> =>
    (await ask(`select pg_try_advisory_lock(${heldNumber}) as is`)) &&
    // Processes of a version that takes no such lock.
    (await ask(`select not exists (select 1 from pg_stat_activity where datname = current_database()
      and application_name in ('atrium', 'atrium-listener')) as is`))
  try {
    await client.connect()
    await client.query(`${withoutTimeouts}; set lock_timeout = ${lockMs}`)
    const end = performance.now() + patienceMs
    while (!(await isAlone())) {
      if (performance.now() > end)
        throw new DatabaseLockedError('A server uses this database. Stop it first, then run this again.')
      await sleep(100)
    }
    if (frozen) await freeze(client)
  } catch (error) {
    await client.end().catch(() => undefined)
    throw error instanceof DatabaseLockedError ? error : fromPostgres(error)
  }
  return {
    requireHeld: async () => {
      await client.query('select 1').catch(onEnd)
      if (isLost)
        throw new DatabaseLockedError('The connection that kept others out of the database was lost. Run this again.')
    },
    release: () => client.end(),
  }
}

/** Others read, and wait with what they want to write. */
const freeze = async (client: pg.Client): Promise<void> => {
  const tables = await tablesIn(client, 'current_schema()')
  await client.query('begin')
  if (tables.length > 0) await client.query(`lock table ${tables.join(', ')} in share mode`)
}

/** Their names, quoted for statements; `schema` is an expression of SQL that gives its name. */
export const tablesIn = async (client: pg.Client, schema: string): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class where relkind = 'r' and relnamespace = ${schema}::regnamespace`,
  )
  return rows.map(({ name }) => name)
}
