import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openerFor } from '../../../testing/databases.ts'
import { DatabaseDamagedError } from '../errors.ts'
import { isUniqueViolation, openDatabase } from '../index.ts'
import { startThread } from './thread.ts'
import { openWriterReader } from './writer-reader.ts'

interface Words {
  words: { word: string }
}
const migrations = [{ id: 'words/0001-start', up: () => ['create table words (word text)'] }]
const opener = openerFor('sqlite')
const open = (schema: typeof migrations) => opener(schema, { frugal: false })
const heavy = sql<{ n: number }>`with recursive n(x) as (select 1 union all select x + 1 from n where x < 2000000)
  select count(*) as n from n`

describe('database threads', () => {
  it('leave the event loop free while a heavy query runs', async () => {
    const db = (await open(migrations)).tables()
    // On the event loop itself, the query would leave it no turn at all.
    let writeLock = 0
    let running = true
    const turn = (): void => {
      writeLock += 1
      if (running) setImmediate(turn)
    }
    const query = heavy.execute(db)
    setImmediate(turn)
    await query
    running = false
    expect(writeLock).toBeGreaterThan(1000)
  })

  it('answer reads while a long write transaction is open', async () => {
    const database = await open(migrations)
    const db = database.tables<Words>()
    const order: string[] = []
    let mayEnd = (): void => undefined
    const gate = new Promise<void>((resolve) => {
      mayEnd = resolve
    })
    const writing = database.write<Words, void>(async (trx) => {
      await trx.insertInto('words').values({ word: 'mine' }).execute()
      await gate
      order.push('written')
    })
    const waitingWrite = db
      .insertInto('words')
      .values({ word: 'other' })
      .execute()
      .then(() => order.push('waited'))
    expect(await db.selectFrom('words').selectAll().execute()).toEqual([])
    order.push('read')
    mayEnd()
    await Promise.all([writing, waitingWrite])
    expect(order).toEqual(['read', 'written', 'waited'])
    expect(await db.selectFrom('words').selectAll().execute()).toEqual([{ word: 'mine' }, { word: 'other' }])
  })

  it('answer a write while a heavy read runs', async () => {
    const db = (await open(migrations)).tables<Words>()
    const order: string[] = []
    const reading = heavy.execute(db).then(() => order.push('read'))
    await db.insertInto('words').values({ word: 'x' }).execute()
    order.push('written')
    await reading
    expect(order).toEqual(['written', 'read'])
  })

  it('end what was asked before they close, and fail what is asked after', async () => {
    const { options } = await opener.place()
    const database = await openDatabase(options)
    const db = database.tables<Words>()
    await sql`create table words (word text)`.execute(db)
    const writes = ['a', 'b', 'c'].map((word) =>
      database.write<Words, unknown>((trx) => trx.insertInto('words').values({ word }).execute()),
    )
    const closing = database.close()
    await Promise.all(writes)
    await closing
    await expect(db.insertInto('words').values({ word: 'd' }).execute()).rejects.toMatchObject({ code: 'unavailable' })
    const again = await openDatabase(options)
    expect(await again.tables<Words>().selectFrom('words').selectAll().execute()).toHaveLength(3)
    await again.close()
  })

  it('fail what waits when they die, and say so', async () => {
    const deaths: unknown[] = []
    const dying = new URL(`data:text/javascript,import { parentPort as p } from 'node:worker_threads';
      p.on('message', () => { throw new Error('out of memory') })`)
    const thread = startThread((error) => deaths.push(error), dying)
    const asked = [thread.run('select 1', []), thread.run('select 2', [])]
    for (const answer of asked) await expect(answer).rejects.toMatchObject({ code: 'unavailable' })
    expect(deaths).toEqual([expect.objectContaining({ message: 'out of memory' })])
    await expect(thread.run('select 3', [])).rejects.toMatchObject({ code: 'unavailable' })
    await thread.close()
  })

  it('refuse a value that cannot be passed, and keep nothing of a transaction that undid itself', async () => {
    const database = await open(migrations)
    const db = database.tables<Words>()
    await expect(sql`select ${Symbol('x')}`.execute(db)).rejects.toThrow('could not be cloned')
    await sql`pragma max_page_count = 8`.execute(db)
    const filling = database.write<Words, void>(async (trx) => {
      const tooMuch = trx
        .insertInto('words')
        .values({ word: 'x'.repeat(100_000) })
        .execute()
      await tooMuch.catch(() => undefined)
      await trx.insertInto('words').values({ word: 'after' }).execute()
    })
    await expect(filling).rejects.toThrow('The server’s disk is full.')
    expect(await db.selectFrom('words').selectAll().execute()).toEqual([])
  })

  it('keep nothing of a transaction in which one row could not be written, whatever came after it', async () => {
    const database = await open(migrations)
    const db = database.tables<Words>()
    await sql`create unique index words_once on words (word)`.execute(db)
    const twice = database.write<Words, void>(async (trx) => {
      for (const word of ['one', 'one', 'two']) await trx.insertInto('words').values({ word }).execute()
    })
    await expect(twice).rejects.toSatisfy(isUniqueViolation)
    for (const words of [
      [Symbol('x'), 'two'],
      ['one', Symbol('x')],
    ]) {
      const odd = database.write<{ words: { word: unknown } }, void>(async (trx) => {
        for (const word of words) await trx.insertInto('words').values({ word }).execute()
      })
      await expect(odd).rejects.toThrow('could not be cloned')
    }
    expect(await db.selectFrom('words').selectAll().execute()).toEqual([])
    await db.insertInto('words').values({ word: 'one' }).execute()
  })

  it('read on one thread until somebody is there, and see the same', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'atrium-test-')), 'atrium.db')
    const database = await openDatabase({ file, frugal: true, log: { warn: () => undefined, error: () => undefined } })
    const db = database.tables<Words>()
    const words = async () => (await db.selectFrom('words').selectAll().execute()).length
    await sql`create table words (word text)`.execute(db)
    await db.insertInto('words').values({ word: 'one' }).execute()
    expect(await words()).toBe(1)
    await database.write<Words, void>(async (trx) => {
      await trx.insertInto('words').values({ word: 'two' }).execute()
      expect(await words()).toBe(1)
    })
    for (let reads = 0; reads < 50; reads += 1) expect(await words()).toBe(2)
    await database.close()
  })

  it('read on one thread again when nobody is there any more, and lose no read that was asked meanwhile', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'atrium-test-')), 'atrium.db')
    const log = { warn: () => undefined, error: () => undefined }
    const onDamage = (code: string) => new DatabaseDamagedError(code, 'damaged')
    const threads = await openWriterReader({
      file,
      key: null,
      lockFile: null,
      frugal: true,
      quietMs: 40,
      onDamage,
      log,
    })
    const read = async () => (await (threads.reader(false) ?? threads.writer)).read('select 1', [])
    expect(threads.reader(false)).toBeNull()
    for (let visits = 0; visits < 3; visits += 1) {
      const first = threads.reader(true)
      expect(first).not.toBeNull()
      // A little is asked all the time, as a server asks itself.
      await first
      while (threads.reader(false) === first) {
        await read()
        await new Promise((resolve) => setTimeout(resolve, 60))
      }
      await read()
    }
    await threads.close()
  })
})
