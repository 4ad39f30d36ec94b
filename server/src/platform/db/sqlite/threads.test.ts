import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openerFor } from '../../../testing/databases.ts'
import { openDatabase } from '../index.ts'
import { startThread } from './thread.ts'

interface Words {
  words: { word: string }
}
const migrations = [{ id: 'words/0001-start', up: () => ['create table words (word text)'] }]
const open = openerFor('sqlite')
const heavy = sql<{ n: number }>`with recursive n(x) as (select 1 union all select x + 1 from n where x < 2000000)
  select count(*) as n from n`

describe('database threads', () => {
  it('leave the event loop free while a heavy query runs', async () => {
    const db = (await open(migrations)).tables()
    // The same work, in steps too short to notice, counts how the loop turns when nothing else is done.
    let turns = 0
    let running = true
    const turn = (): void => {
      turns += 1
      if (running) setImmediate(turn)
    }
    const query = heavy.execute(db)
    setImmediate(turn)
    await query
    running = false
    expect(turns).toBeGreaterThan(1000)
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
    const { options } = await open.place()
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

  it('fail what waits when they die', async () => {
    const deaths: unknown[] = []
    const thread = startThread((error) => deaths.push(error))
    // Not a command: the thread cannot read it, and ends.
    const asked = thread.open(null as never)
    await expect(asked).rejects.toThrow()
    await thread.close()
    await expect(thread.run('select 1', [])).rejects.toMatchObject({ code: 'unavailable' })
    expect(deaths).toEqual([])
  })
})
