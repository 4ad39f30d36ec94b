/** The search index of a backup for the other kind of database. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Database, migrate, openDatabase } from '../db/index.ts'
import { clearIndex, convertIndex } from '../db/search/convert.ts'
import { searchMigrations } from '../db/search/index.ts'
import { systemClock } from '../system-clock.ts'
import { openVault } from '../vault/vault.ts'
import type { Destination } from './destinations/destination.ts'
import type { BackupKeys } from './keys.ts'
import type { Manifest } from './manifest.ts'
import { loadRows } from './restore.ts'

export interface IndexSource {
  readonly from: Destination
  readonly keys: BackupKeys
  readonly instanceKey: Buffer
  readonly manifest: Manifest
  /** Those of the index. */
  readonly tables: ReadonlySet<string>
  /** The beginning of the path of a folder that is made and removed. */
  readonly scratch: string
  readonly signal?: AbortSignal | undefined
}

/** Reads the tables of the index into an encrypted file, and from there into the target, in place of what is there. */
export const restoreIndex = async (
  { from, keys, instanceKey, manifest, tables, scratch, signal }: IndexSource,
  database: Database,
): Promise<void> => {
  const folder = await mkdtemp(scratch)
  const place = { file: join(folder, 'index.db'), key: randomBytes(32) }
  const open = () => openDatabase({ ...place, log: { warn: () => undefined, error: () => undefined } })
  const index = { ...manifest, tables: manifest.tables.filter(({ name }) => tables.has(name)) }
  try {
    const empty = await open()
    try {
      await makeTables(empty, index)
    } finally {
      await empty.close()
    }
    await loadRows({ destination: from, keys, manifest: index, database: place, signal })
    const filled = await open()
    try {
      await clearIndex(database)
      const vault = await openVault({ database, instanceKey, clock: systemClock })
      await convertIndex(filled, manifest.dialect, { database, vault })
    } finally {
      await filled.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** As they are on SQLite; those of PostgreSQL by their columns alone. */
const makeTables = async (database: Database, { dialect, tables, migrations }: Manifest): Promise<void> => {
  if (dialect === 'sqlite') {
    const known = searchMigrations.filter(({ id }) => migrations.includes(id))
    await migrate(database, known, { version: '', snapshotFolder: '', now: () => 0 })
    return
  }
  const types = { text: 'text', int: 'integer', real: 'real', bytes: 'blob', array: 'text', bits: 'text' }
  for (const { name, columns } of tables) {
    const list = columns.map((column) => `"${column.name}" ${types[column.type]}`).join(', ')
    await sql.raw(`create table "${name}" (${list})`).execute(database.tables())
  }
}
