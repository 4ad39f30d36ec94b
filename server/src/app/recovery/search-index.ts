/** The search index of a backup for the other kind of database. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { loadRows, type Manifest } from '../../platform/backups/index.ts'
import { type Database, migrate, openDatabase } from '../../platform/db/index.ts'
import { convertIndex } from '../../platform/db/search/convert.ts'
import { searchMigrations } from '../../platform/db/search/index.ts'
import { systemClock } from '../../platform/system-clock.ts'
import { openVault } from '../../platform/vault/vault.ts'
import { dataPathsIn } from '../config.ts'
import type { RestoreOptions } from './restore.ts'

/** Reads the tables of the index into an encrypted file beside the target, and from there into the target. */
export const restoreIndex = async (
  { from, keys, instanceKey, target }: RestoreOptions,
  manifest: Manifest,
  tables: ReadonlySet<string>,
  database: Database,
): Promise<void> => {
  const folder = await mkdtemp(`${dataPathsIn(target.dataDir).database}-index-`)
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
    await loadRows({ destination: from, keys, manifest: index, database: place })
    const scratch = await open()
    try {
      const vault = await openVault({ database, instanceKey, clock: systemClock })
      await convertIndex(scratch, manifest.dialect, { database, vault })
    } finally {
      await scratch.close()
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
