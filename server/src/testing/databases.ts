/** Databases for tests: each fresh, migrated and alone, on both dialects. */
import { randomBytes, randomUUID } from 'node:crypto'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, describe, inject, onTestFinished } from 'vitest'
import { type Database, type DatabaseOptions, type Migration, migrate, openDatabase } from '../platform/db/index.ts'

export type Dialect = Database['dialect']

/** A place for one database, with nothing in it yet. */
export interface Place {
  readonly dialect: Dialect
  /** Empty, and removed with the place. */
  readonly folder: string
  /** What `openDatabase` needs. It may be opened again after it was closed. */
  readonly options: DatabaseOptions
}

/** A fresh database with this schema. Closed and removed after the last test of the file. */
type OpenFresh = (migrations: readonly Migration[], options?: Pick<DatabaseOptions, 'frugal'>) => Promise<Database>

export interface Open extends OpenFresh {
  /** Only the place; what is opened there must be closed by the test. */
  place(): Promise<Place>
}

type Declare = (open: Open, dialect: Dialect) => void

const bothDialects: readonly Dialect[] = ['sqlite', 'postgres']

/** SQLite; PostgreSQL too where all is tested (`npm run test:all`). */
export const usualDialects: readonly Dialect[] = process.env['ATRIUM_TEST_ALL'] === '1' ? bothDialects : ['sqlite']

/**
 * Declares tests that need a database. They run on SQLite, and every statement that they compile is tried on PostgreSQL
 * at the end of the run (`statements.ts`); on PostgreSQL itself only where all is tested.
 */
export const withDatabase = (name: string, declare: Declare): void => declareOn(usualDialects, name, declare)

/** The same on SQLite and on PostgreSQL, always: for what stores and races do, and for all of platform/. */
export const onBothDatabases = (name: string, declare: Declare): void => declareOn(bothDialects, name, declare)

const declareOn = (dialects: readonly Dialect[], name: string, declare: Declare): void => {
  describe.each(dialects)(`${name} (%s)`, (dialect) => {
    declare(openerFor(dialect), dialect)
  })
}

/** The opener of one dialect, for tests that concern only that one. Call it inside `describe`. */
export const openerFor = (dialect: Dialect): Open => {
  const cleanups: (() => Promise<void>)[] = []
  afterAll(async () => {
    for (const clean of cleanups.splice(0).reverse()) await clean()
  })
  // With its test, so that the next one gets its thread; with the file where a hook of all tests opened it.
  const atEnd = (clean: () => Promise<void>): void => {
    try {
      onTestFinished(clean)
    } catch {
      cleanups.push(clean)
    }
  }
  const folderFor = async (): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'atrium-test-'))
    atEnd(() => rm(folder, { recursive: true, force: true }))
    return folder
  }
  const placeOf = async (template?: Template): Promise<Place> => {
    const folder = await folderFor()
    if (dialect === 'sqlite') {
      const file = join(folder, 'atrium.db')
      if (template) await copyFile(template.at, file)
      return { dialect, folder, options: { file, key: template?.key ?? randomBytes(32), log: failingLog } }
    }
    const url = await createPostgresDatabase(template?.at)
    atEnd(() => dropPostgresDatabase(url))
    return { dialect, folder, options: { url, poolSize: 5, presence: quickPresence, log: failingLog } }
  }
  const place = () => placeOf()
  // As the product opens it: a second thread only where much is read.
  const open: OpenFresh = async (migrations, { frugal = true } = {}) => {
    const { options } = await placeOf(await templateOf(dialect, migrations))
    const database = await openDatabase({ ...options, frugal })
    atEnd(() => database.close())
    return database
  }
  return Object.assign(open, { place })
}

/** A migrated and closed database, to be copied: bringing up the schema takes longer than most tests. */
interface Template {
  /** The file, or the address. */
  readonly at: string
  readonly key: Buffer
}

/** By the very migrations: two of one name, in tests of two files, may differ. Each worker has its own. */
const templates = new Map<string, Promise<Template>>()
const numbers = new WeakMap<Migration, number>()
let numbered = 0

const templateOf = (dialect: Dialect, migrations: readonly Migration[]): Promise<Template> => {
  for (const migration of migrations) if (!numbers.has(migration)) numbers.set(migration, numbered++)
  const name = `${dialect} ${migrations.map((migration) => numbers.get(migration)).join(' ')}`
  const template = templates.get(name) ?? makeTemplate(dialect, migrations)
  templates.set(name, template)
  return template
}

const makeTemplate = async (dialect: Dialect, migrations: readonly Migration[]): Promise<Template> => {
  // It outlives the file of tests that asks first, and goes with all that the run wrote.
  const folder = await mkdtemp(join(tmpdir(), 'atrium-template-'))
  const key = randomBytes(32)
  const at = dialect === 'sqlite' ? join(folder, 'atrium.db') : await createPostgresDatabase()
  const options = dialect === 'sqlite' ? { file: at, key } : { url: at, poolSize: 1 }
  const database = await openDatabase({ ...options, log: failingLog })
  try {
    await migrate(database, migrations, { version: '0.0.0', snapshotFolder: join(folder, 'snapshots'), now: () => 0 })
  } finally {
    await database.close()
  }
  return { at, key }
}

/** No server goes away in most tests, so a second look need not wait for processes to come back. */
const quickPresence = { confirmMs: 100 }

/** A test in which the database complains should be seen to do so. */
const failingLog = {
  warn: (fields: object, message: string): void => console.warn(message, fields),
  error: (fields: object, message: string): void => console.error(message, fields),
}

/** `template`: the address of a database nobody has open, to be copied. */
export const createPostgresDatabase = async (template?: string): Promise<string> => {
  const url = new URL(inject('postgresUrl'))
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // Copying files costs a quarter of what writing each page through the log does.
  await administrate(`create database ${name}${template ? ` template ${nameOf(template)} strategy file_copy` : ''}`)
  url.pathname = `/${name}`
  return url.href
}

export const dropPostgresDatabase = (url: string): Promise<void> =>
  administrate(`drop database ${nameOf(url)} with (force)`)

const nameOf = (url: string): string => new URL(url).pathname.slice(1)

const administrate = async (statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
