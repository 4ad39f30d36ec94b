/** How large a database of a server is, and how busy the server. */
import { type Kysely, sql } from 'kysely'
import type { DatabaseMeasure } from '../types.ts'

interface Row {
  readonly version: string
  readonly size: number
  readonly used: number
  readonly most: number
  readonly may_see_log: boolean
}

/** `connections`: those of this process. */
export const measurePostgres = async (
  kysely: Kysely<unknown>,
  connections: NonNullable<DatabaseMeasure['connections']>,
  wanted = { tables: true },
): Promise<DatabaseMeasure> => {
  const { rows } = await sql<Row>`
    select current_setting('server_version') as version,
      pg_database_size(current_database()) as size,
      (select sum(numbackends) from pg_stat_database) as used,
      current_setting('max_connections')::int as most,
      has_function_privilege('pg_ls_waldir()', 'execute') as may_see_log`.execute(kysely)
  const [row] = rows
  return {
    dialect: 'postgres',
    version: row?.version ?? '',
    sizeBytes: Number(row?.size ?? 0),
    logBytes: row?.may_see_log ? await readLogBytes(kysely) : null,
    tables: wanted.tables ? await listTables(kysely) : null,
    connections,
    serverConnections: { used: Number(row?.used ?? 0), limit: Number(row?.most ?? 0) },
  }
}

const listTables = async (kysely: Kysely<unknown>): Promise<DatabaseMeasure['tables']> => {
  const { rows } = await sql<{ name: string; bytes: number }>`
    select c.relname as name, pg_total_relation_size(c.oid) as bytes
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'm') and n.nspname = current_schema()
    order by 2 desc limit 10`.execute(kysely)
  return rows.map(({ name, bytes }) => ({ name, bytes: Number(bytes) }))
}

const readLogBytes = async (kysely: Kysely<unknown>): Promise<number> => {
  const { rows } = await sql<{ bytes: number }>`select sum(size) as bytes from pg_ls_waldir()`.execute(kysely)
  return Number(rows[0]?.bytes ?? 0)
}
