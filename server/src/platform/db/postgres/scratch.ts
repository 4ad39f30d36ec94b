/** An empty database beside that of an instance, for trying something in it, where the role may make one. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { fromPostgres } from './errors.ts'

export interface ScratchDatabase {
  readonly url: string
  /** Where its connections go. */
  readonly address: { readonly host: string; readonly port: number }
  drop(): Promise<void>
}

const prefix = 'atrium_scratch_'
const dayMs = 24 * 3600_000

/** null where the role may make none. What was left for more than a day by a process that was killed goes first. */
export const createScratchDatabase = async (url: string, now: number): Promise<ScratchDatabase | null> => {
  const name = `${prefix}${now}_${randomBytes(4).toString('hex')}`
  const isMade = await withClient(url, async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      `select datname from pg_database where datname like '${prefix.replaceAll('_', '\\_')}%'
       and datdba = (select oid from pg_roles where rolname = current_user)`,
    )
    for (const { datname } of rows) {
      const madeAt = Number(/^\d+/.exec(datname.slice(prefix.length))?.[0] ?? now)
      if (now - madeAt > dayMs) await drop(client, datname)
    }
    try {
      await client.query(`create database "${name}"`)
      return true
    } catch (error) {
      if ((error as { code?: string }).code === insufficientPrivilege) return false
      throw error
    }
  })
  if (!isMade) return null
  const own = new URL(url)
  own.pathname = `/${name}`
  const { host, port } = new pg.Client({ connectionString: own.href })
  return {
    url: own.href,
    address: { host, port },
    drop: () => withClient(url, (client) => drop(client, name)),
  }
}

const insufficientPrivilege = '42501'

const drop = async (client: pg.Client, name: string): Promise<void> => {
  await client.query(`drop database if exists "${name}" with (force)`)
}

const withClient = async <R>(url: string, work: (client: pg.Client) => Promise<R>): Promise<R> => {
  const client = new pg.Client({ connectionString: url, application_name: 'atrium-scratch' })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } catch (error) {
    throw fromPostgres(error)
  } finally {
    await client.end()
  }
}
