import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createPostgresDatabase, dropPostgresDatabase, openerFor } from './databases.ts'
import { createTestPlaces, testPlaceMigrations } from './places.ts'
import { createGathered, gatheredStatements, refusedStatements } from './statements.ts'

interface Tables {
  words: { id: string; count: number; body: Uint8Array; wrong?: string }
}

/** Compiles for SQLite, and runs nothing. */
const db = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (on) => new SqliteIntrospector(on),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})
const word = { id: 'a', count: 1, body: Buffer.from('x') }
const words = () => db.selectFrom('words')
const put = (values: Tables['words']) => db.insertInto('words').values(values)

describe('statements that ran on SQLite', () => {
  let url: string
  let client: pg.Client
  beforeAll(async () => {
    url = await createPostgresDatabase()
    client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query('create table words (id text primary key, count bigint not null, body bytea)')
  })
  afterAll(async () => {
    await client.end()
    await dropPostgresDatabase(url)
  })

  const reasonsOf = async (statement: { compile(): ReturnType<ReturnType<typeof words>['compile']> }) => {
    const folder = await mkdtemp(join(tmpdir(), 'statements-'))
    const gathered = createGathered(folder)
    gathered.add(
      statement.compile(),
      () => 'store.ts:1',
      () => 'a test',
    )
    gathered.write()
    const statements = gatheredStatements(folder)
    expect(statements).toHaveLength(1)
    const refused = await refusedStatements(client, statements)
    await client.query('deallocate all')
    return refused.map(({ reason, from, test }) => `${from}, ${test}: ${reason}`)
  }
  const raw = (text: ReturnType<typeof sql>) => ({ compile: () => text.compile(db) as never })

  it.each([
    ['a read', words().select('id').where('count', '>', 1)],
    ['a write', put(word).onConflict((on) => on.column('id').doUpdateSet({ count: 2 }))],
    ['a list', words().selectAll().where('id', 'in', ['a', 'b'])],
    ['raw text', raw(sql`update words set count = count + ${1} where id = ${'a'}`)],
  ])('%s is accepted', async (_, statement) => {
    expect(await reasonsOf(statement)).toEqual([])
  })

  it.each([
    ['a wrong column', words().select('wrong'), /column "wrong" does not exist/],
    ['a wrong table', raw(sql`select * from nothing`), /relation "nothing" does not exist/],
    ['types that cannot be compared', words().select('id').whereRef('id', '=', 'count'), /operator does not exist/],
    [
      'a value of a wrong type',
      words()
        .select('id')
        .where('count', '=', 'two' as never),
      /\$1 is bigint.*text/,
    ],
    ['a number for text', put({ ...word, id: 7 as never }), /\$1 is text.*integer/],
    ['a part of a number', put({ ...word, count: 0.5 }), /\$2 is bigint.*real/],
    ['text for bytes', put({ ...word, body: 'x' as never }), /\$3 is bytea.*text/],
    ['a zero byte in text', put({ ...word, id: 'a\0b' }), /\$1 is text.*zero byte/],
    [
      'a missing conflict target',
      put(word).onConflict((on) => on.column('count').doNothing()),
      /no unique or exclusion/,
    ],
    ['words that only SQLite has', put(word).orIgnore(), /syntax error/],
    ['a column beside an aggregate', raw(sql`select id, count(*) from words`), /must appear in the GROUP BY/],
    ['wrong raw text', raw(sql`select json_group_array(id) from words`), /function json_group_array.* does not exist/],
  ])('%s is refused', async (_, statement, reason) => {
    expect(await reasonsOf(statement)).toEqual([expect.stringMatching(reason)])
    expect(await reasonsOf(statement)).toEqual([expect.stringMatching(/^store\.ts:1, a test: /)])
  })

  it('are written down by every worker, once for each shape, with where they come from', async () => {
    const database = await open([...testPlaceMigrations])
    for (const id of ['one', 'two']) await createTestPlaces(database).remove('chat', id)
    ;(globalThis as { gathered?: { write(): void } }).gathered?.write()
    const found = gatheredStatements(inject('notesFolder')).filter(({ sql: text }) =>
      text.startsWith('delete from "test_places"'),
    )
    expect(found).toMatchObject([
      {
        sql: 'delete from "test_places" where "kind" = $1 and "id" = $2',
        sorts: ['text', 'text'],
        from: expect.stringMatching(/^server\/src\/testing\/places\.ts:\d+$/),
      },
    ])
  })
  const open = openerFor('sqlite')
})
