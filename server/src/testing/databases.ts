/** Databases for tests: each fresh, migrated and alone, on both dialects. */
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, describe, inject } from 'vitest'
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

export interface Open {
  /** A fresh database with this schema. Closed and removed after the last test of the file. */
  (migrations: readonly Migration[]): Promise<Database>
  /** Only the place; what is opened there must be closed by the test. */
  place(): Promise<Place>
}

/** Declares the same tests for SQLite and for PostgreSQL. */
export const onBothDatabases = (name: string, declare: (open: Open, dialect: Dialect) => void): void => {
  describe.each(['sqlite', 'postgres'] as const)(`${name} (%s)`, (dialect) => {
    declare(openerFor(dialect), dialect)
  })
}

/** The opener of one dialect, for tests that concern only that one. Call it inside `describe`. */
export const openerFor = (dialect: Dialect): Open => {
  const cleanups: (() => Promise<void>)[] = []
  afterAll(async () => {
    for (const clean of cleanups.splice(0).reverse()) await clean()
  })
  const place = async (): Promise<Place> => {
    const folder = await mkdtemp(join(tmpdir(), 'atrium-test-'))
    cleanups.push(() => rm(folder, { recursive: true, force: true }))
    if (dialect === 'sqlite') {
      return { dialect, folder, options: { file: join(folder, 'atrium.db'), key: randomBytes(32), log: failingLog } }
    }
    const url = await createPostgresDatabase()
    cleanups.push(() => dropPostgresDatabase(url))
    return { dialect, folder, options: { url, poolSize: 5, log: failingLog } }
  }
  const open = async (migrations: readonly Migration[]): Promise<Database> => {
    const { options, folder } = await place()
    const database = await openDatabase(options)
    cleanups.push(() => database.close())
    await migrate(database, migrations, { version: '0.0.0', snapshotFolder: join(folder, 'snapshots'), now: () => 0 })
    return database
  }
  return Object.assign(open, { place })
}

/** A test in which the database complains should be seen to do so. */
const failingLog = {
  warn: (fields: object, message: string): void => console.warn(message, fields),
  error: (fields: object, message: string): void => console.error(message, fields),
}

export const createPostgresDatabase = async (): Promise<string> => {
  const url = new URL(inject('postgresUrl'))
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await administrate(`create database ${name}`)
  url.pathname = `/${name}`
  return url.href
}

export const dropPostgresDatabase = (url: string): Promise<void> =>
  administrate(`drop database ${new URL(url).pathname.slice(1)} with (force)`)

const administrate = async (statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
