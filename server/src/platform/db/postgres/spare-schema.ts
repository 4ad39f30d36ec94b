/**
 * A schema beside that of an instance, in which its next database is made. It takes the place of the present one in one
 * transaction, so that whoever connects finds one or the other.
 */
import pg from 'pg'
import { DatabaseLockedError } from '../errors.ts'
import { fromPostgres } from './errors.ts'
import { holdDatabase, tablesIn, withoutTimeouts } from './hold.ts'

export interface SpareSchema {
  /** For connections that find nothing but this schema. */
  readonly url: string
  /** Where they go. */
  readonly address: { readonly host: string; readonly port: number }
  /** From here on it stays, for `takeSpareSchema`. */
  markWhole(): Promise<void>
  /** Lets go of it; what is not whole is removed. */
  release(): Promise<void>
}

const name = 'atrium_spare'
const wholeMark = 'whole'
const lockNumber = `hashtextextended('atrium-spare-schema', 0)`
const insufficientPrivilege = '42501'

/** An empty one. null where the role may make none. Throws DatabaseLockedError while another process fills it. */
export const makeSpareSchema = async (url: string): Promise<SpareSchema | null> => {
  const client = await connect(url)
  try {
    const { rows } = await client.query<{ is: boolean }>(`select pg_try_advisory_lock(${lockNumber}) as is`)
    if (rows[0]?.is !== true) throw new DatabaseLockedError('Another process restores into this database.')
    await client.query(`drop schema if exists ${name} cascade`)
    await client.query(`create schema ${name}`)
  } catch (error) {
    await client.end()
    if ((error as { code?: string }).code === insufficientPrivilege) return null
    throw error instanceof DatabaseLockedError ? error : fromPostgres(error)
  }
  const own = new URL(url)
  own.searchParams.set('options', `${own.searchParams.get('options') ?? ''} -c search_path=${name}`.trim())
  let isWhole = false
  return {
    url: own.href,
    address: { host: client.host, port: client.port },
    async markWhole() {
      await client.query(`comment on schema ${name} is '${wholeMark}'`)
      isWhole = true
    },
    async release() {
      if (!isWhole) await client.query(`drop schema if exists ${name} cascade`)
      await client.end()
    },
  }
}

/**
 * Puts a whole spare schema in the place of the present one. `isOccupied` is a query that gives a row where the present one
 * must stay: the spare one is removed then. Throws DatabaseLockedError while a process works on the database.
 */
export const takeSpareSchema = async (url: string, isOccupied: string): Promise<'none' | 'occupied' | 'taken'> => {
  const client = await connect(url)
  try {
    if (!(await isWhole(client))) return 'none'
    const hold = await holdDatabase(url, { frozen: false })
    try {
      // Another process may have done it meanwhile.
      if (!(await isWhole(client))) return 'none'
      if ((await client.query(isOccupied)).rows.length > 0) {
        await client.query(`drop schema ${name} cascade`)
        return 'occupied'
      }
      await client.query('begin')
      await swap(client)
      await hold.requireHeld()
      await client.query('commit')
      return 'taken'
    } finally {
      await hold.release()
    }
  } catch (error) {
    throw error instanceof DatabaseLockedError ? error : fromPostgres(error)
  } finally {
    await client.end()
  }
}

const isWhole = async (client: pg.Client): Promise<boolean> => {
  const { rows } = await client.query(
    `select 1 from pg_namespace where nspname = '${name}' and obj_description(oid, 'pg_namespace') = '${wholeMark}'`,
  )
  return rows.length > 0
}

/** Sequences and indexes go with their tables; what extensions have made stays where it is. */
const swap = async (client: pg.Client): Promise<void> => {
  const { rows: places } = await client.query<{ name: string }>('select quote_ident(current_schema()) as name')
  const present = places[0]?.name ?? 'public'
  const old = await tablesIn(client, `'${present}'`)
  if (old.length > 0) await client.query(`drop table ${old.map((table) => `${present}.${table}`).join(', ')} cascade`)
  for (const table of await tablesIn(client, `'${name}'`))
    await client.query(`alter table ${name}.${table} set schema ${present}`)
  const { rows: extensions } = await client.query<{ name: string }>(
    `select quote_ident(extname) as name from pg_extension where extnamespace = '${name}'::regnamespace`,
  )
  for (const extension of extensions) await client.query(`alter extension ${extension.name} set schema ${present}`)
  await client.query(`drop schema ${name}`)
}

const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url, application_name: 'atrium-spare', keepAlive: true })
  client.on('error', () => undefined)
  try {
    await client.connect()
    // It is held for as long as a restore takes.
    await client.query(withoutTimeouts)
    return client
  } catch (error) {
    await client.end().catch(() => undefined)
    throw fromPostgres(error)
  }
}
