import { PGlite } from '@electric-sql/pglite'
import { vector as pgvector } from '@electric-sql/pglite-pgvector'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { sql } from 'kysely'
import { createServer } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { testClock } from '../../../testing/clock.ts'
import { openerFor } from '../../../testing/databases.ts'
import { vaultMigrations } from '../../vault/tables.ts'
import { openVault } from '../../vault/vault.ts'
import { type Database, migrate, openDatabase } from '../index.ts'
import { createSearchIndexes, searchMigrations, type SearchIndexes } from './index.ts'

const steps = [...vaultMigrations, ...searchMigrations]
const indexesOf = async (database: Database): Promise<SearchIndexes & { database: Database }> => {
  const vault = await openVault({ database, instanceKey: Buffer.alloc(32, 3), clock: testClock() })
  return { database, ...createSearchIndexes({ database, vault }) }
}

/** A PostgreSQL with pgvector, over its wire; one for all tests, as it takes seconds to start. */
const startWithExtension = async () => {
  const server = await PGlite.create({ extensions: { vector: pgvector } })
  const port = await new Promise<number>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = probe.address() as { port: number }
      probe.close(() => resolve(free))
    })
  })
  const socket = new PGLiteSocketServer({ db: server, port, host: '127.0.0.1', maxConnections: 20 })
  await socket.start()
  const database = await openDatabase({
    url: `postgres://postgres@127.0.0.1:${port}/postgres?sslmode=disable`,
    poolSize: 2,
    // It serves one connection at a time, and would let a heartbeat wait for a long transaction.
    presence: { beatMs: 600_000 },
    log: console,
  })
  await migrate(database, steps, { version: '0.0.0', snapshotFolder: '/nowhere', now: () => 0 })
  return {
    database,
    async empty() {
      const { rows } = await server.query<{ name: string }>(
        "select string_agg(quote_ident(tablename), ', ') as name from pg_tables where schemaname = 'public'",
      )
      await server.exec(`truncate ${rows[0]?.name} cascade`)
    },
    async close() {
      await database.close()
      await socket.stop()
      await server.close()
    },
  }
}

const floats = (...values: number[]): Float32Array => Float32Array.from(values)
const putTexts = async ({ texts }: SearchIndexes, ...places: [id: string, group: string, partition: string][]) =>
  texts.put(
    await texts.hash(
      places.map(([id, group, partition]) => ({ id, group, partition, time: 0, facets: [], text: `text of ${id}` })),
    ),
  )

/** Numbers between -1 and 1, always the same. */
const numbers = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 31 - 1
  }
}

describe.each(['sqlite', 'postgres', 'pgvector'] as const)('the index of vectors (%s)', (kind) => {
  const open = openerFor(kind === 'sqlite' ? 'sqlite' : 'postgres')
  let extended: Awaited<ReturnType<typeof startWithExtension>> | undefined
  afterAll(() => extended?.close())
  const begin = async () => {
    if (kind !== 'pgvector') return await indexesOf(await open(steps))
    extended ??= await startWithExtension()
    await extended.empty()
    return await indexesOf(extended.database)
  }

  test('gives the nearest of the partitions and groups that are asked for, best first', async () => {
    const indexes = await begin()
    const { vectors } = indexes
    await putTexts(indexes, ['a:0', 'a', 'ada'], ['a:1', 'a', 'ada'], ['b:0', 'b', 'ada'], ['c:0', 'c', 'bob'])
    await vectors.put('m', [
      { id: 'a:0', vector: floats(1, 0, 0) },
      { id: 'a:1', vector: floats(0.6, 0.8, 0) },
      { id: 'b:0', vector: floats(-1, 0, 0) },
      { id: 'c:0', vector: floats(1, 0, 0) },
      { id: 'gone', vector: floats(1, 0, 0) },
    ])
    const query = { model: 'm', vector: floats(2, 0, 0), partitions: ['ada'], limit: 10 }
    const hits = await vectors.nearest(query)
    expect(hits.map(({ id, group }) => [id, group])).toEqual([
      ['a:0', 'a'],
      ['a:1', 'a'],
      ['b:0', 'b'],
    ])
    expect(hits.map(({ similarity }) => Math.round(similarity * 1e6) / 1e6)).toEqual([1, 0.6, -1])
    expect(await vectors.nearest({ ...query, limit: 1 })).toHaveLength(1)
    expect((await vectors.nearest({ ...query, groups: ['b', 'c'] })).map(({ id }) => id)).toEqual(['b:0'])
    expect(await vectors.nearest({ ...query, partitions: [] })).toEqual([])
    expect(await vectors.nearest({ ...query, model: 'other' })).toEqual([])
    expect(await vectors.nearest({ ...query, vector: floats(1, 0) })).toEqual([])
  })

  test('follows its entries when they move and when they go', async () => {
    const indexes = await begin()
    const { texts, vectors, database } = indexes
    await putTexts(indexes, ['a:0', 'a', 'ada'], ['b:0', 'b', 'ada'], ['c:0', 'c', 'ada'])
    await vectors.put(
      'm',
      ['a:0', 'b:0', 'c:0'].map((id) => ({ id, vector: floats(1, 1) })),
    )
    const at = async (partition: string) =>
      (await vectors.nearest({ model: 'm', vector: floats(1, 1), partitions: [partition], limit: 10 })).map(
        ({ id }) => id,
      )
    await texts.move(['a'], 'bob')
    expect(await at('bob')).toEqual(['a:0'])
    expect((await at('ada')).sort()).toEqual(['b:0', 'c:0'])
    await texts.remove(['b:0'])
    await texts.removeGroups(['a'])
    expect(await at('bob')).toEqual([])
    expect(await at('ada')).toEqual(['c:0'])
    // The text was put anew: its vector is of what it was.
    await putTexts(indexes, ['c:0', 'c', 'ada'])
    expect(await at('ada')).toEqual([])
    for (const table of ['search_vectors', 'search_bits'])
      expect((await sql`select 1 from ${sql.table(table)}`.execute(database.tables())).rows).toEqual([])
  })

  test('tells which vectors of a model are there, and lets go of those of others', async () => {
    const indexes = await begin()
    const { vectors } = indexes
    await putTexts(indexes, ['a:0', 'a', 'ada'], ['a:1', 'a', 'ada'], ['b:0', 'b', 'ada'])
    await vectors.put('old', [
      { id: 'a:0', vector: floats(1, 0) },
      { id: 'a:1', vector: floats(1, 0) },
      { id: 'b:0', vector: floats(1, 0) },
    ])
    await vectors.put('new', [{ id: 'a:0', vector: floats(0, 1, 0, 1) }])
    expect(await vectors.having('new', ['a:0', 'a:1', 'b:0'])).toEqual(new Set(['a:0']))
    expect(await vectors.count('old', ['a', 'b', 'c'])).toEqual(
      new Map([
        ['a', 1],
        ['b', 1],
      ]),
    )
    await vectors.removeOthers('new', ['a'])
    expect(await vectors.having('old', ['a:0', 'a:1', 'b:0'])).toEqual(new Set(['b:0']))
    expect(await vectors.having('new', ['a:0'])).toEqual(new Set(['a:0']))
    await vectors.removeOthers(null, ['a', 'b'])
    expect((await vectors.count('new', ['a', 'b'])).size).toBe(0)
  })

  test('finds the same among many as a look at each of them', async () => {
    const indexes = await begin()
    const { vectors } = indexes
    const next = numbers(7)
    const centres = Array.from({ length: 12 }, () => Float32Array.from({ length: 64 }, next))
    const near = (centre: Float32Array) => centre.map((value) => value + next() * 0.4)
    const all = Array.from({ length: 900 }, (_, at) => ({ id: `a:${at}`, vector: near(centres[at % 12] ?? floats()) }))
    await putTexts(indexes, ...all.map(({ id }) => [id, 'a', 'ada'] as [string, string, string]))
    await vectors.put('m', all)
    const asked = near(centres[3] ?? floats())
    const length = (one: Float32Array) => Math.hypot(...one)
    const best = all
      .map(({ id, vector }) => ({
        id,
        similarity:
          vector.reduce((sum, value, at) => sum + value * (asked[at] ?? 0), 0) / length(vector) / length(asked),
      }))
      .sort((a, b) => b.similarity - a.similarity)
      .slice(0, 10)
    const found = await vectors.nearest({ model: 'm', vector: asked, partitions: ['ada'], limit: 10 })
    expect(found.map(({ id }) => id)).toEqual(best.map(({ id }) => id))
    found.forEach(({ similarity }, at) => expect(similarity).toBeCloseTo(best[at]?.similarity ?? 0, 5))
  })
})
