/** What the first start of the app leaves, to begin from: bringing up the schema takes as long as the rest of a start. */
import { cp, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrations } from '../app/areas.ts'
import { configFromEnv } from '../app/config.ts'
import { openStorage } from '../app/storage.ts'
import { createLog } from '../platform/log/log.ts'
import { systemClock } from '../platform/system-clock.ts'
import { createPostgresDatabase, type Dialect } from './databases.ts'

/** A data folder, and the address of its database on PostgreSQL; nobody has them open. */
interface Template {
  readonly dataDir: string
  readonly databaseUrl: string | undefined
}

/** Each worker has its own; they go with all that the run wrote. */
const templates = new Map<Dialect, Promise<Template>>()

/** Puts a migrated database and its key into a folder, which is empty; gives the address of the database on PostgreSQL. */
export const copyTemplate = async (dialect: Dialect, dataDir: string): Promise<string | undefined> => {
  const making = templates.get(dialect) ?? makeTemplate(dialect)
  templates.set(dialect, making)
  const template = await making
  await cp(template.dataDir, dataDir, { recursive: true })
  return template.databaseUrl && (await createPostgresDatabase(template.databaseUrl))
}

const makeTemplate = async (dialect: Dialect): Promise<Template> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'atrium-template-'))
  const databaseUrl = dialect === 'postgres' ? await createPostgresDatabase() : undefined
  const config = configFromEnv({ DATA_DIR: dataDir, ...(databaseUrl && { DATABASE_URL: databaseUrl }) })
  // Whatever time a test takes for now, this was before it.
  const clock = { ...systemClock, now: () => 0 }
  const log = createLog({ level: 'silent' })
  const { database } = await openStorage(config, migrations, { clock, log, version: '0.0.0', metrics: null })
  await database.close()
  return { dataDir, databaseUrl }
}
