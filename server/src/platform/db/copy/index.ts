/** Opens either database for copying whole tables, without loading what the other one needs. */
import type { ScratchDatabase } from '../postgres/scratch.ts'
import type { DatabasePlace, TableSource, TableTarget } from './types.ts'

export type {
  Cell,
  CellRow,
  CellType,
  CopyColumn,
  CopyTable,
  DatabasePlace,
  TableSource,
  TableTarget,
} from './types.ts'
export { unfinishedTable } from './types.ts'

/** An empty database beside that of an instance; null where the role may make none. */
export const openScratchDatabase = async (url: string, now: number): Promise<ScratchDatabase | null> =>
  await (await import('../postgres/scratch.ts')).createScratchDatabase(url, now)

/** The database as it is now; others go on writing to it. */
export const openTableSource = async (place: DatabasePlace): Promise<TableSource> =>
  'url' in place
    ? await (await import('./postgres.ts')).openPostgresSource(place.url)
    : await (await import('./sqlite.ts')).openSqliteSource(place)

/** A database that has the schema, whose rows are replaced; nobody else has it open. */
export const openTableTarget = async (place: DatabasePlace): Promise<TableTarget> =>
  'url' in place
    ? await (await import('./postgres.ts')).openPostgresTarget(place.url)
    : await (await import('./sqlite.ts')).openSqliteTarget(place)
