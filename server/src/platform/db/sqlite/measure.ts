/** How large a database file is, and what takes the room. */
import { stat } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import type { DatabaseMeasure } from '../types.ts'

/** Every page is looked at, which other questions have to wait for: a small file only, and not often. */
const largestBytes = 128 * 1024 * 1024
const keptMs = 10 * 60_000

/** Gives a function that measures; the sizes of tables are kept for ten minutes. */
export const createSqliteMeasure = () => {
  let tables: { readonly at: number; readonly list: Promise<DatabaseMeasure['tables']> } | null = null
  return async (kysely: Kysely<unknown>, file: string, wanted = { tables: true }): Promise<DatabaseMeasure> => {
    const [sizeBytes, logBytes] = await readSizes(file)
    const now = performance.now()
    if (sizeBytes > largestBytes) tables = null
    else if (wanted.tables && (tables === null || now - tables.at > keptMs))
      tables = { at: now, list: listTables(kysely) }
    const { rows } = await sql<{ version: string }>`select sqlite_version() as version`.execute(kysely)
    return {
      dialect: 'sqlite',
      version: rows[0]?.version ?? '',
      sizeBytes,
      logBytes,
      tables: wanted.tables ? ((await tables?.list) ?? null) : null,
      connections: null,
      serverConnections: null,
    }
  }
}

const listTables = async (kysely: Kysely<unknown>): Promise<{ name: string; bytes: number }[]> => {
  const { rows } = await sql<{ name: string; bytes: number }>`
    select coalesce(s.tbl_name, d.name) as name, sum(d.pgsize) as bytes
    from dbstat d left join sqlite_schema s on s.name = d.name
    where d.aggregate = 1 and d.name <> 'sqlite_schema'
    group by 1 order by 2 desc limit 10`.execute(kysely)
  return rows
}

/** Bytes of the file, and of what is written ahead of it. */
export const readSizes = async (file: string): Promise<[main: number, log: number]> => [
  await sizeOf(file),
  await sizeOf(`${file}-wal`),
]

const sizeOf = async (file: string): Promise<number> => {
  try {
    return (await stat(file)).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
}
