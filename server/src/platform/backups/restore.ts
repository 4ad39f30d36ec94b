/**
 * Puts the rows of a backup into a database. Everything is read and compared before the first write, and what was written
 * is read back and compared at the end. The target has the schema of the backup and is nobody else's; that it is
 * unfinished is marked by whoever made it.
 */
import type { Migration } from '../db/types.ts'
import { type CellRow, type CopyTable, type DatabasePlace, openTableSource, openTableTarget } from '../db/copy/index.ts'
import type { Destination } from './destinations/destination.ts'
import { BackupFailure } from './failure.ts'
import { type BackupKeys, deriveBackupKeys } from './keys.ts'
import type { Manifest, ManifestTable } from './manifest.ts'
import { type ChunkReader, createChunkReader } from './packs.ts'
import { encodeRow } from './rows.ts'
import { digestTable, readTable } from './tables.ts'

/** The migrations that made the schema of a backup, in their order. Throws BackupFailure `newer`. */
export const migrationsOfBackup = (manifest: Manifest, known: readonly Migration[]): Migration[] => {
  const ids = new Set(known.map(({ id }) => id))
  const unknown = manifest.migrations.find((id) => !ids.has(id))
  if (unknown !== undefined)
    throw new BackupFailure(
      'newer',
      `The backup was made by version ${manifest.appVersion}, whose schema this version doesn’t know (${unknown}). Use that version or a newer one.`,
    )
  const applied = new Set(manifest.migrations)
  return known.filter(({ id }) => applied.has(id))
}

export interface LoadOptions {
  readonly destination: Destination
  readonly keys: BackupKeys
  readonly manifest: Manifest
  readonly database: DatabasePlace
  /** Tables that are not copied, because the other database has them in another form. */
  readonly leaveOut?: ReadonlySet<string>
  /** Keep what an earlier run wrote (default false). */
  readonly goOn?: boolean
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: { readonly table: string; readonly rows: number }) => void) | undefined
}

/**
 * Writes all rows into a migrated database, in place of what the migrations put there. With `goOn`, rows that an earlier
 * run wrote stay where they are those of the backup.
 */
export const loadRows = async (options: LoadOptions): Promise<void> => {
  const { destination, keys, manifest, signal, leaveOut = new Set() } = options
  const reader = createChunkReader({ destination, set: keys.set, ...deriveBackupKeys(keys), signal })
  const tables = manifest.tables.filter(({ name }) => !leaveOut.has(name))
  const kept = options.goOn ? await countKept(options.database, tables, reader) : new Map<string, number>()
  const target = await openTableTarget(options.database)
  try {
    const pairs = tables.map((table) => ({ table, into: placeOf(table, target.tables) }))
    await target.begin(pairs.flatMap(({ into }) => (kept.has(into.name) ? [] : [into])))
    let rows = 0
    for (const { table, into } of pairs) {
      let there = kept.get(table.name) ?? 0
      rows += there
      if (there === table.rows && there > 0) continue
      for await (const some of readTable(table, reader)) {
        const missing = some.slice(there)
        there = Math.max(0, there - some.length)
        if (missing.length === 0) continue
        await target.insert(into, missing)
        rows += missing.length
        options.onProgress?.({ table: table.name, rows })
      }
    }
    await target.finish()
  } finally {
    await target.close()
  }
}

/** How many of the first rows of each table are there; tables that have others, or none, are left out. */
const countKept = async (
  database: DatabasePlace,
  tables: readonly ManifestTable[],
  reader: ChunkReader,
): Promise<Map<string, number>> => {
  const source = await openTableSource(database)
  try {
    const kept = new Map<string, number>()
    for (const table of tables) {
      const present = eachRow(source.rows(placeOf(table, source.tables)))
      const count = await countSame(table, eachRow(readTable(table, reader)), present)
      if (count > 0) kept.set(table.name, count)
    }
    return kept
  } finally {
    await source.close()
  }
}

/** 0 where there are rows that the backup does not have. */
const countSame = async (
  { key }: ManifestTable,
  wanted: AsyncIterator<CellRow>,
  present: AsyncIterable<CellRow> & AsyncIterator<CellRow>,
): Promise<number> => {
  let count = 0
  for await (const row of present) {
    const { value, done } = await wanted.next()
    if (done === true || !encodeRow(value, key).bytes.equals(encodeRow(row, key).bytes)) return 0
    count += 1
  }
  return count
}

async function* eachRow(all: AsyncIterable<readonly CellRow[]>): AsyncGenerator<CellRow, undefined> {
  for await (const rows of all) yield* rows
}

/** Reads the database back and compares every table with the backup. Throws BackupFailure `different`. */
export const compareRows = async (
  manifest: Manifest,
  database: DatabasePlace,
  leaveOut: ReadonlySet<string> = new Set(),
): Promise<{ tables: number; rows: number }> => {
  const source = await openTableSource(database)
  try {
    let rows = 0
    let tables = 0
    for (const table of manifest.tables) {
      if (leaveOut.has(table.name)) continue
      const found = await digestTable(table, source.rows(placeOf(table, source.tables)))
      if (found.rows !== table.rows || found.digest !== table.digest)
        throw new BackupFailure(
          'different',
          `${table.name} has ${found.rows} rows, and the backup ${table.rows}${found.rows === table.rows ? ', with another content' : ''}.`,
        )
      rows += found.rows
      tables += 1
    }
    return { tables, rows }
  } finally {
    await source.close()
  }
}

/** The table of the target, with the columns in the order of the backup. */
const placeOf = (table: ManifestTable, tables: readonly CopyTable[]): CopyTable => {
  const found = tables.find(({ name }) => name === table.name)
  const columns = table.columns.map(({ name }) => found?.columns.find((column) => column.name === name))
  if (!found || columns.some((column) => column === undefined) || columns.length !== found.columns.length)
    throw new BackupFailure('damaged', `The table ${table.name} of the backup is not the one of its schema.`)
  return { name: table.name, columns: columns.filter((column) => column !== undefined), key: table.key }
}
