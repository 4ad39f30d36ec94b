import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { onBothDatabases } from '../../testing/databases.ts'
import { mergeMetrics } from '../metrics/definition.ts'
import { commonMetrics, createMetrics } from '../metrics/index.ts'
import { isForeignKeyViolation, isUniqueViolation, type Migration, openDatabase } from './index.ts'
import { createDatabaseRecorder, databaseMetrics } from './metrics.ts'
import { runOptimistic, runUnread } from './unread.ts'

interface Things {
  things: { id: string; name: string | null; count: number; bytes: Uint8Array | null; share: number }
  parts: { id: string; thing_id: string }
}

const migrations: Migration[] = [
  {
    id: 'things/0001-start',
    up: (t) => [
      `create table things (id ${t.text} primary key, name ${t.text}, count ${t.int} not null, bytes ${t.bytes}, share ${t.real} not null)`,
      `create table parts (id ${t.text} primary key, thing_id ${t.text} not null references things(id))`,
    ],
  },
]

const thing = (id: string, count = 0) => ({ id, name: null, count, bytes: null, share: 0 })

onBothDatabases('the database', (open) => {
  it('gives back what it was given, in the same types', async () => {
    const database = await open(migrations)
    const db = database.tables<Things>()
    const bytes = Buffer.from('sealed \0 bytes')
    const row = { id: 'a', name: 'Zoë ☂', count: 2 ** 52 + 1, bytes, share: 0.1 }
    await db.insertInto('things').values(row).execute()
    await db
      .insertInto('things')
      .values(thing('b', -(2 ** 40)))
      .execute()
    const rows = await db.selectFrom('things').selectAll().orderBy('id').execute()
    expect(rows).toEqual([row, thing('b', -(2 ** 40))])
    expect(Buffer.isBuffer(rows[0]?.bytes)).toBe(true)

    const found = await db.selectFrom('things').select('id').where('bytes', '=', new Uint8Array(bytes)).execute()
    expect(found).toEqual([{ id: 'a' }])
    const sums = await db
      .selectFrom('things')
      .select(({ fn, eb }) => [fn.countAll().as('n'), fn.sum('count').as('sum'), eb('count', '>', 0).as('positive')])
      .groupBy('count')
      .orderBy('count')
      .execute()
    expect(sums).toEqual([
      { n: 1, sum: -(2 ** 40), positive: 0 },
      { n: 1, sum: 2 ** 52 + 1, positive: 1 },
    ])
  })

  it('gives one large value as it is, whatever its size and its name', async () => {
    const database = await open(migrations)
    const db = database.tables<Things>()
    const read = (id: string) => database.readBytes({ table: 'things', column: 'bytes', where: { id, count: 7 } })
    const odd = `it's "odd" \\ ' or 1=1 --`
    for (const [at, size] of [1, 32 * 1024 - 1, 32 * 1024, 32 * 1024 + 1, 256 * 1024, 1_000_003].entries()) {
      const bytes = Buffer.alloc(size, Buffer.from(`PGCOPY\n\xff\r\n\0${at}`, 'latin1'))
      await db
        .insertInto('things')
        .values(Object.assign(thing(`${odd}${at}`, 7), { bytes }))
        .execute()
      const given = await read(`${odd}${at}`)
      expect(given && Buffer.compare(given, bytes)).toBe(0)
      // For whoever gives its memory back.
      if (given && size > 4096) expect(given.buffer.byteLength).toBe(size)
    }
    await db.insertInto('things').values(thing('empty', 7)).execute()
    expect(await read('empty')).toBeNull()
    expect(await read(odd)).toBeNull()
    const wrong = database.readBytes({ table: 'nowhere', column: 'bytes', where: { id: 'a' } })
    await expect(wrong).rejects.toThrow(/nowhere/)
    // The connection serves others, and this one again.
    expect(await Promise.all(Array.from({ length: 30 }, () => read(`${odd}5`)))).toHaveLength(30)
  })

  it('keeps a question ready, asks it with other values, and goes on when the table got another column', async () => {
    const database = await open(migrations)
    const db = database.tables<Things>()
    await db
      .insertInto('things')
      .values([thing('a', 1), thing('b', 2)])
      .execute()
    const ask = database.prepare<{ id: string; least: number }, { count: number }>(
      (value) =>
        sql`select count from things where id = ${value('id')} and count >= ${value('least')} and id <> ${'x'}`,
    )
    expect(await ask({ id: 'a', least: 0 })).toEqual([{ count: 1 }])
    expect(await Promise.all([ask({ id: 'b', least: 0 }), ask({ id: 'a', least: 2 })])).toEqual([[{ count: 2 }], []])
    await sql`alter table things add column more integer`.execute(db)
    for (let n = 0; n < 8; n++) expect(await ask({ id: 'b', least: 2 })).toEqual([{ count: 2 }])
  })

  it('tells how many rows a write touched, and returns them when asked', async () => {
    const db = (await open(migrations)).tables<Things>()
    await db
      .insertInto('things')
      .values([thing('a'), thing('b')])
      .execute()
    const updated = await db.updateTable('things').set({ count: 5 }).executeTakeFirst()
    expect(updated.numUpdatedRows).toBe(2n)
    const returned = await db.updateTable('things').set({ count: 6 }).where('id', '=', 'b').returningAll().execute()
    expect(returned).toEqual([thing('b', 6)])
    const deleted = await db.deleteFrom('things').where('id', '=', 'x').executeTakeFirst()
    expect(deleted.numDeletedRows).toBe(0n)
    const upserted = await db
      .insertInto('things')
      .values(thing('a', 9))
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ count: 9 }))
      .returning('count')
      .execute()
    expect(upserted).toEqual([{ count: 9 }])
  })

  it('orders text by its bytes', async () => {
    const db = (await open(migrations)).tables<Things>()
    await db
      .insertInto('things')
      .values(['b', 'B', 'a', 'é', 'A-', 'A'].map((id) => thing(id)))
      .execute()
    const rows = await db.selectFrom('things').select('id').orderBy('id').execute()
    expect(rows.map(({ id }) => id)).toEqual(['A', 'A-', 'B', 'a', 'b', 'é'])
  })

  it('undoes a transaction that throws, and goes on', async () => {
    const database = await open(migrations)
    const failing = database.write<Things, void>(async (trx) => {
      await trx.insertInto('things').values(thing('a')).execute()
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect(await database.tables<Things>().selectFrom('things').selectAll().execute()).toEqual([])
    await database.write<Things, unknown>((trx) => trx.insertInto('things').values(thing('b')).execute())
    expect(await database.tables<Things>().selectFrom('things').select('id').execute()).toEqual([{ id: 'b' }])
  })

  it('undoes a transaction when a statement of it fails whose outcome nobody looks at', async () => {
    const database = await open(migrations)
    const db = database.tables<Things>()
    await db
      .insertInto('things')
      .values([thing('a'), thing('b')])
      .execute()
    const failing = database.write<Things, void>(async (trx) => {
      await runUnread(trx, trx.deleteFrom('things').where('id', '=', 'b'))
      await trx.insertInto('parts').values({ id: 'p', thing_id: 'a' }).execute()
      await runUnread(trx, trx.updateTable('parts').set({ thing_id: 'x' }))
    })
    expect(isForeignKeyViolation(await failing.catch((error: unknown) => error))).toBe(true)
    expect(await db.selectFrom('things').select('id').orderBy('id').execute()).toEqual([{ id: 'a' }, { id: 'b' }])
  })

  it('runs a transaction again that took a row for what it was not, and keeps nothing of the first try', async () => {
    const database = await open(migrations)
    const db = database.tables<Things>()
    await db.insertInto('things').values(thing('a')).execute()
    let tries = 0
    await database.write<Things, void>(async (trx) => {
      tries += 1
      await trx
        .insertInto('things')
        .values(thing(`try ${tries}`))
        .execute()
      const id = tries === 1 ? 'not there' : 'a'
      await runOptimistic(trx, trx.updateTable('things').set({ id: 'b' }).where('id', '=', id))
    })
    expect(tries).toBe(2)
    const rows = await db.selectFrom('things').select('id').orderBy('id').execute()
    expect(rows).toEqual([{ id: 'b' }, { id: 'try 2' }])
  })

  it('takes as many rows as are named for what they were, and not fewer', async () => {
    const database = await open(migrations)
    const db = database.tables<Things>()
    await db
      .insertInto('things')
      .values([thing('a'), thing('b')])
      .execute()
    let tries = 0
    await database.write<Things, void>(async (trx) => {
      tries += 1
      const rows = tries === 1 ? 3 : 2
      await runOptimistic(trx, trx.updateTable('things').set({ count: 2 }).where('id', 'in', ['a', 'b', 'c']), rows)
    })
    expect(tries).toBe(2)
  })

  it('keeps a transaction whole that stands right behind one that fails at its commit', async () => {
    const database = await open(migrations)
    const db = database.tables<Things>()
    const broken = sql`insert into things (id) values (null)`
    const ended = await Promise.allSettled(
      [1, 2, 3].map((n) =>
        database.write<Things, void>(async (trx) => {
          await trx
            .insertInto('things')
            .values(thing(`${n}`))
            .execute()
          if (n === 2) await runUnread(trx, broken)
        }),
      ),
    )
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await db.selectFrom('things').select('id').orderBy('id').execute()).toEqual([{ id: '1' }, { id: '3' }])
  })

  it('counts a write that fails once, also where that shows only at its commit', async () => {
    const definitions = mergeMetrics([...commonMetrics, databaseMetrics])
    const metrics = await createMetrics({ token: 'for metrics', prefix: '', definitions })
    const { options } = await open.place()
    const database = await openDatabase({ ...options, recorder: createDatabaseRecorder(metrics) })
    try {
      await sql`create table things (id text not null)`.execute(database.tables())
      const broken = sql`insert into things (id) values (null)`
      await expect(database.write((trx) => broken.execute(trx))).rejects.toThrow()
      await expect(database.write((trx) => runUnread(trx, broken))).rejects.toThrow()
      const { body } = await metrics.text()
      expect(body).toContain('\ndatabase_failures_total{reason="statement"} 2\n')
      expect(body).toContain('\ndatabase_failures_total{reason="outage"} 0\n')
    } finally {
      await database.close()
    }
  })

  it('lets nobody see a transaction before it ends, and a transaction see itself', async () => {
    const database = await open(migrations)
    const db = database.tables<Things>()
    await database.write<Things, void>(async (trx) => {
      await trx.insertInto('things').values(thing('a')).execute()
      expect(await trx.selectFrom('things').select('id').execute()).toEqual([{ id: 'a' }])
      expect(await db.selectFrom('things').select('id').execute()).toEqual([])
    })
    expect(await db.selectFrom('things').select('id').execute()).toEqual([{ id: 'a' }])
  })

  it('loses no update of many writers at once', async () => {
    const database = await open(migrations)
    await database.tables<Things>().insertInto('things').values(thing('a')).execute()
    const increments = Array.from({ length: 40 }, () =>
      database.write<Things, void>(async (trx) => {
        const { count } = await trx.selectFrom('things').select('count').where('id', '=', 'a').executeTakeFirstOrThrow()
        await trx
          .updateTable('things')
          .set({ count: count + 1 })
          .where('id', '=', 'a')
          .execute()
      }),
    )
    await Promise.all(increments)
    expect(await database.tables<Things>().selectFrom('things').select('count').execute()).toEqual([{ count: 40 }])
  })

  it('lets one of many win a rule that counts rows first', async () => {
    const database = await open(migrations)
    const claim = (id: string) =>
      database.write<Things, boolean>(async (trx) => {
        const rows = await trx.selectFrom('things').select('id').execute()
        if (rows.length > 0) return false
        await trx.insertInto('things').values(thing(id)).execute()
        return true
      })
    const won = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(claim))
    expect(won.filter(Boolean)).toHaveLength(1)
  })

  it('names violations of constraints, without the values', async () => {
    const db = (await open(migrations)).tables<Things>()
    await db.insertInto('things').values(thing('secret-id')).execute()
    const twice = await db
      .insertInto('things')
      .values(thing('secret-id'))
      .execute()
      .catch((error: unknown) => error)
    expect(isUniqueViolation(twice)).toBe(true)
    expect(isForeignKeyViolation(twice)).toBe(false)
    expect(JSON.stringify([twice, String(twice), (twice as Error).stack])).not.toContain('secret-id')
    const orphan = await db
      .insertInto('parts')
      .values({ id: 'p', thing_id: 'x' })
      .execute()
      .catch((error: unknown) => error)
    expect(isForeignKeyViolation(orphan)).toBe(true)
  })

  it('lets a write that was merely started in a write run after it', async () => {
    const database = await open(migrations)
    let later: Promise<unknown> | undefined
    await database.write<Things, void>(async (trx) => {
      later = database.write<Things, unknown>((inner) => inner.insertInto('things').values(thing('later')).execute())
      await trx.insertInto('things').values(thing('first')).execute()
    })
    await later
    expect(await database.tables<Things>().selectFrom('things').select('id').orderBy('id').execute()).toEqual([
      { id: 'first' },
      { id: 'later' },
    ])
  })

  it('runs raw reads that start with a common table expression', async () => {
    const db = (await open(migrations)).tables<Things>()
    const { rows } = await sql`with recursive n(x) as (select 1 union all select x + 1 from n where x < 3)
      select x from n`.execute(db)
    expect(rows).toEqual([{ x: 1 }, { x: 2 }, { x: 3 }])
    await sql`with n(x) as (select ${'w'}) insert into things (id, count, share) select x, 1, 1 from n`.execute(db)
    expect(await db.selectFrom('things').select('id').execute()).toEqual([{ id: 'w' }])
  })

  it('carries messages to every listener until it stops listening', async () => {
    const database = await open(migrations)
    const heard: string[] = []
    const stop = database.listen('news', (payload) => heard.push(payload))
    database.listen('other', (payload) => heard.push(`other ${payload}`))
    await database.notify('news', 'one\ntwo')
    await database.notify('other', '')
    await expect.poll(() => heard).toEqual(['one\ntwo', 'other '])
    stop()
    await database.notify('news', 'unheard')
    await database.notify('other', 'end')
    await expect.poll(() => heard.at(-1)).toBe('other end')
    expect(heard).toHaveLength(3)
    await expect(database.notify('news', 'é'.repeat(4000))).rejects.toThrow('7900 bytes')
  })

  it('carries what a transaction tells once it is committed, and nothing of one that failed', async () => {
    const database = await open(migrations)
    const db = database.tables<Things>()
    const heard: string[] = []
    const look = async (payload: string): Promise<void> => {
      const { count } = await db.selectFrom('things').select('count').where('id', '=', 'a').executeTakeFirstOrThrow()
      heard.push(`${payload} ${count}`)
    }
    database.listen('news', (payload) => void look(payload))
    await db.insertInto('things').values(thing('a')).execute()
    const write = (count: number, isKept: boolean) =>
      database.write<Things, void>(async (trx) => {
        await database.notifyIn(trx, 'news', 'saved')
        await trx.updateTable('things').set({ count }).where('id', '=', 'a').execute()
        if (!isKept) throw new Error('not now')
      })
    await expect(write(1, false)).rejects.toThrow('not now')
    await write(2, true)
    await expect.poll(() => heard).toEqual(['saved 2'])
    await expect(
      database.write<Things, void>((trx) => database.notifyIn(trx, 'news', 'é'.repeat(4000))),
    ).rejects.toThrow('7900 bytes')
  })

  it('tells its size, answers a ping, and refuses work once it is closed', async () => {
    const database = await open(migrations)
    expect(await database.size()).toBeGreaterThan(4096)
    await database.ping()
    await Promise.all([database.close(), database.close()])
    await expect(database.ping()).rejects.toMatchObject({ code: 'unavailable' })
    await expect(database.write<Things, void>(async () => undefined)).rejects.toMatchObject({
      code: 'unavailable',
    })
  })
})
