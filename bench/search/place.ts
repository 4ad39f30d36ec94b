/** A database with the indexes of search, in a folder or on a server of its own. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, migrate, openDatabase } from '../../server/src/platform/db/index.ts'
import { createSearchIndexes, type SearchIndexes, searchMigrations } from '../../server/src/platform/db/search/index.ts'
import { systemClock } from '../../server/src/platform/system-clock.ts'
import { vaultMigrations } from '../../server/src/platform/vault/tables.ts'
import { openVault } from '../../server/src/platform/vault/vault.ts'

export interface Place extends SearchIndexes {
  readonly database: Database
  close(): Promise<void>
}

/** On SQLite, encrypted as it ships, or on the PostgreSQL at `url`. */
export async function openPlace(url?: string): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-bench-'))
  const log = { warn: () => undefined, error: () => undefined }
  const database = await openDatabase(
    url ? { url, log } : { file: join(folder, 'search.db'), key: randomBytes(32), log },
  )
  await migrate(database, [...vaultMigrations, ...searchMigrations], {
    version: '0',
    snapshotFolder: folder,
    now: () => 0,
  })
  const vault = await openVault({ database, instanceKey: randomBytes(32), clock: systemClock })
  return {
    ...createSearchIndexes({ database, vault }),
    database,
    close: async () => {
      await database.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
