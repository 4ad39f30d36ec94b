/**
 * Global setup of Vitest. After the tests it tries on PostgreSQL what they ran on SQLite, and says what they cost; what is
 * refused or costs too much fails the run.
 */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrations } from '../app/areas.ts'
import { migrate, openDatabase } from '../platform/db/index.ts'
import { testPlaceMigrations } from './places.ts'
import { describeCosts, isTooMuch, overspent, readCosts } from './costs.ts'
import { suiteSeconds } from './slow-files.ts'
import { gatheredStatements, type RefusedStatement, refusedStatements } from './statements.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where workers write down which statements they met, and what files of tests cost. */
    notesFolder: string
  }
}

export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-statements-'))
  project.provide('notesFolder', folder)
  return async () => {
    const statements = gatheredStatements(folder)
    const costs = readCosts(folder)
    await rm(folder, { recursive: true })
    const faults = overspent(costs)
    if (isTooMuch(costs)) faults.push(`All files together may use ${suiteSeconds} s of processor time.`)
    if (statements.length > 0) {
      const refused = await inMigratedDatabase(project.getProvidedContext().postgresUrl, (client) =>
        refusedStatements(client, statements),
      )
      if (refused.length > 0) faults.push(describe(refused, statements.length))
      else console.log(`\nPostgreSQL accepts all ${statements.length} shapes of statements that ran on SQLite.`)
    }
    if (costs.length > 20) console.log(`\n${describeCosts(costs)}`)
    // An error would keep other setups from ending what they began.
    if (faults.length > 0) process.exitCode = 1
    for (const fault of faults) console.error(`\n${fault}`)
  }
}

const describe = (refused: readonly RefusedStatement[], of: number): string =>
  [
    `PostgreSQL refuses ${refused.length} of ${of} shapes of statements:`,
    ...refused.map(({ sql, reason, from, test }) => `${reason}\n  ${sql}\n  written in ${from}, met in ${test}`),
  ].join('\n\n')

/** In a database with the product's schema and that of the tests, which is dropped again. */
const inMigratedDatabase = async <R>(server: string, work: (client: pg.Client) => Promise<R>): Promise<R> => {
  const name = `statements_${randomUUID().replaceAll('-', '')}`
  const administrator = new pg.Client({ connectionString: server })
  await administrator.connect()
  try {
    await administrator.query(`create database ${name}`)
    const url = new URL(server)
    url.pathname = `/${name}`
    const database = await openDatabase({ url: url.href, poolSize: 1, log: console })
    const snapshotFolder = join(tmpdir(), 'snapshots')
    await migrate(database, [...migrations, ...testPlaceMigrations], { version: '0', snapshotFolder, now: () => 0 })
    await database.close()
    const client = new pg.Client({ connectionString: url.href })
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  } finally {
    await administrator.query(`drop database if exists ${name} with (force)`)
    await administrator.end()
  }
}
