/** A database that is made beside another one and takes its place. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createPostgresDatabase, dropPostgresDatabase } from '../../testing/databases.ts'
import { DatabaseLockedError, openDatabase } from './index.ts'
import { makeSpareSchema, takeSpareSchema } from './spare-schema.ts'

const log = { warn: () => undefined, error: () => undefined }
const anybody = `select 1 from people where name = 'somebody'`

const begin = async () => {
  const url = await createPostgresDatabase()
  onTestFinished(() => dropPostgresDatabase(url))
  const run = async (at: string, ...statements: string[]) => {
    const database = await openDatabase({ url: at, lock: false, poolSize: 1, log })
    for (const statement of statements) await sql.raw(statement).execute(database.tables())
    const tables = await database.tables<unknown>().introspection.getTables()
    await database.close()
    return tables.map(({ name }) => name).toSorted()
  }
  await run(url, 'create table people (name text)', 'create table old (id int primary key references old (id))')
  const spare = await makeSpareSchema(url)
  if (!spare) throw new Error('no schema')
  return { url, spare, run }
}

describe('a spare schema', () => {
  test('is empty, does not show in the present one, and takes its place with all that belongs to its tables', async () => {
    const { url, spare, run } = await begin()
    expect(await run(spare.url)).toEqual([])
    const made = 'create table people (id bigint generated always as identity primary key, name text)'
    expect(await run(spare.url, made, `insert into people (name) values ('first')`)).toEqual(['people'])
    expect(await run(url)).toEqual(['old', 'people'])
    await spare.markWhole()
    await spare.release()
    expect(await takeSpareSchema(url, anybody)).toBe('taken')
    expect(await run(url, `insert into people (name) values ('second')`)).toEqual(['people'])
    expect(await takeSpareSchema(url, anybody)).toBe('none')
  })

  test('is thrown away where it is not whole, or where the present one must stay', async () => {
    const { url, spare, run } = await begin()
    await run(spare.url, 'create table people (name text)')
    await spare.release()
    expect(await takeSpareSchema(url, anybody)).toBe('none')
    const again = await makeSpareSchema(url)
    await again?.markWhole()
    await again?.release()
    await run(url, `insert into people values ('somebody')`)
    expect(await takeSpareSchema(url, anybody)).toBe('occupied')
    expect(await run(url)).toEqual(['old', 'people'])
    expect(await takeSpareSchema(url, anybody)).toBe('none')
  })

  test('is filled by one process at a time, and waits until nobody works on the present one', async () => {
    const { url, spare } = await begin()
    await expect(makeSpareSchema(url)).rejects.toBeInstanceOf(DatabaseLockedError)
    await spare.markWhole()
    await spare.release()
    const server = await openDatabase({ url, log })
    await expect(takeSpareSchema(url, anybody)).rejects.toBeInstanceOf(DatabaseLockedError)
    await server.close()
    expect(await takeSpareSchema(url, anybody)).toBe('taken')
  })

  test('is none where the role may make none', async () => {
    const { url, spare } = await begin()
    await spare.release()
    const role = `plain_${randomUUID().slice(0, 8)}`
    const owner = await openDatabase({ url, lock: false, poolSize: 1, log })
    onTestFinished(async () => {
      await sql.raw(`drop role ${role}`).execute(owner.tables())
      await owner.close()
    })
    await sql.raw(`create role ${role} login password 'plain'`).execute(owner.tables())
    const own = Object.assign(new URL(url), { username: role, password: 'plain' })
    expect(await makeSpareSchema(own.href)).toBe(null)
  })
})
