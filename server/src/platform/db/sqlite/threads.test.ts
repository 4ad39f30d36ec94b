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
const counting = (
  most: number,
): string => `with recursive n(x) as (select 1 union all select x + 1 from n where x < ${most})
  select count(*) as n from n`
const heavy = sql.raw<{ n: number }>(counting(2_000_000))
const longer = counting(12_000_000)
const silent = { warn: () => undefined, error: () => undefined }
const plainFile = (file: string) => ({
  file,
  key: null,
  lockFile: null,
  log: silent,
  onDamage: (code: string) => new DatabaseDamagedError(code, 'damaged'),
})

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

  it('answer every light read before a long one that was asked with them ends', async () => {
    const db = (await open(migrations)).tables<Words>()
    const order: string[] = []
    const light = async (n: number) => {
      const { rows } = await sql<{ n: number }>`select ${n} as n`.execute(db)
      order.push('light')
      return rows[0]?.n
    }
    const before = [1, 2, 3].map(light)
    const long = sql
      .raw(longer)
      .execute(db)
      .then(() => order.push('long'))
    const behind = [4, 5, 6].map(light)
    expect(await Promise.all([...before, ...behind])).toEqual([1, 2, 3, 4, 5, 6])
    // All threads are there now, and one of them is still busy.
    expect(await Promise.all([7, 8].map(light))).toEqual([7, 8])
    await long
    expect(order).toEqual([...Array<string>(8).fill('light'), 'long'])
  })

  it('answer a read while the only thread that a quiet server has is busy with a long one', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'atrium-test-')), 'atrium.db')
    const database = await openDatabase({ file, frugal: true, log: silent })
    const order: string[] = []
    const long = sql
      .raw(longer)
      .execute(database.tables())
      .then(() => order.push('long'))
    await new Promise((resolve) => setTimeout(resolve, 50))
    await sql`select 1`.execute(database.tables())
    order.push('light')
    await long
    expect(order).toEqual(['light', 'long'])
    await database.close()
  })

  it('are more only for as long as there are long reads, and lose no read when they end', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'atrium-test-')), 'atrium.db')
    const threads = await openWriterReader({ ...plainFile(file), frugal: false, quietMs: 40 })
    const readers = await threads.readers(true)
    if (readers === null) throw new Error('Nobody reads.')
    expect(readers.size()).toBe(1)
    const long = readers.read(longer, [])
    await readers.read('select 1', [])
    expect(readers.size()).toBe(2)
    await long
    while (readers.size() > 1) await readers.read('select 1', [])
    expect(await readers.read('select 1', [])).not.toBeNull()
    await threads.close()
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
    const database = await openDatabase({ file, frugal: true, log: silent })
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
    const threads = await openWriterReader({ ...plainFile(file), frugal: true, quietMs: 40 })
    const read = async () => (await (threads.readers(false) ?? threads.writer)).read('select 1', [])
    expect(threads.readers(false)).toBeNull()
    for (let visits = 0; visits < 3; visits += 1) {
      const first = threads.readers(true)
      expect(first).not.toBeNull()
      // A little is asked all the time, as a server asks itself.
      await first
      while (threads.readers(false) === first) {
        await read()
        await new Promise((resolve) => setTimeout(resolve, 60))
      }
      await read()
    }
    await threads.close()
  })
})
