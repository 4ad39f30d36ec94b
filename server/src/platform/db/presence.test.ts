import { describe, expect, it, onTestFinished } from 'vitest'
import { startChild } from '../../testing/child.ts'
import { onBothDatabases, openerFor } from '../../testing/databases.ts'
import { openDatabase } from './index.ts'
import { sql } from 'kysely'

const quietLog = { warn: () => undefined, error: console.error }
const index = new URL('./index.ts', import.meta.url).href

onBothDatabases('presence', (open) => {
  it('knows this process, and no other', async () => {
    const database = await open([])
    expect(await database.isGone('me')).toBe(true)
    await database.holdPresence('me')
    expect(await database.isGone('me')).toBe(false)
    expect(await database.isGone("it's another")).toBe(true)
  })
})

describe('processes on one PostgreSQL', () => {
  const open = openerFor('postgres')

  it('see each other live and die, and hear each other', async () => {
    const { options } = await open.place()
    const database = await openDatabase({ ...options, log: quietLog })
    onTestFinished(() => database.close())
    const heard: string[] = []
    database.listen('hello', (payload) => heard.push(payload))
    const child = startChild(`
      import { openDatabase } from ${JSON.stringify(index)}
      const database = await openDatabase({ url: ${JSON.stringify(options.url)}, log: console })
      await database.holdPresence('child')
      await database.notify('hello', 'from the child')
      database.listen('question', (payload) => console.log('heard ' + payload))
      console.log('ready')`)
    expect(await child.line()).toBe('ready')
    await expect.poll(() => heard).toEqual(['from the child'])
    await database.notify('question', 'are you there?')
    expect(await child.line()).toBe('heard are you there?')
    const answers = await Promise.all(Array.from({ length: 5 }, () => database.isGone('child')))
    expect(answers).toEqual([false, false, false, false, false])
    await child.kill()
    await expect.poll(() => database.isGone('child')).toBe(true)
  })

  it('take none for gone that has just begun and was not heard yet, and one that stays silent after a while', async () => {
    const { options } = await open.place()
    const timing = { beatMs: 20, silentBeats: 6, confirmMs: 10 }
    const database = await openDatabase({ ...options, log: quietLog, presence: timing })
    onTestFinished(() => database.close())
    /** One that keeps its lock and tells nothing more. */
    const hold = async (processId: string): Promise<void> => {
      const other = await openDatabase({ ...options, log: quietLog, presence: { ...timing, beatMs: 600_000 } })
      onTestFinished(() => other.close())
      await other.holdPresence(processId)
    }
    await hold('silent')
    await expect.poll(() => database.isGone('silent')).toBe(true)
    // By now this process has listened for longer than anybody may be silent.
    await hold('new')
    expect(await database.isGone('new')).toBe(false)
  })

  it('come back after the connection was cut, and tell listeners that they may have missed something', async () => {
    const { options } = await open.place()
    const warnings: string[] = []
    const log = { warn: (_: object, message: string) => warnings.push(message), error: options.log.error }
    const database = await openDatabase({ ...options, log })
    onTestFinished(() => database.close())
    let gaps = 0
    const heard: string[] = []
    database.listen(
      'hello',
      (payload) => heard.push(payload),
      () => gaps++,
    )
    await database.holdPresence('me')
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'atrium-listener'`.execute(database.tables())
    await expect.poll(() => gaps).toBe(1)
    expect(warnings).toEqual(['lost the connection that hears from PostgreSQL'])
    expect(await database.isGone('me')).toBe(false)
    await database.notify('hello', 'again')
    await expect.poll(() => heard).toEqual(['again'])
  })

  it('get plain refusals for a full disk and a server that is gone', async () => {
    const { options } = await open.place()
    const database = await openDatabase({ ...options, log: quietLog })
    onTestFinished(() => database.close())
    const full = sql.raw(`do $$ begin raise exception 'no space for secret' using errcode = '53100'; end $$`)
    await expect(full.execute(database.tables())).rejects.toMatchObject({ code: 'storage_full' })
    await expect(database.write((trx) => full.execute(trx))).rejects.toMatchObject({ code: 'storage_full' })
    await expect(sql`select pg_terminate_backend(pg_backend_pid())`.execute(database.tables())).rejects.toMatchObject({
      code: 'unavailable',
    })
    await database.ping()
    await expect(openDatabase({ ...options, url: 'postgres://nobody@127.0.0.1:1/none' })).rejects.toMatchObject({
      code: 'unavailable',
    })
  })

  it('does not repeat values of rows in errors', async () => {
    const database = await open([])
    const error = await sql`select cast(${'secret'} as integer)`.execute(database.tables()).catch((e: unknown) => e)
    expect(error).toMatchObject({ name: 'DatabaseError', code: '22P02' })
    expect([String(error), (error as Error).stack, JSON.stringify(error)].join()).not.toContain('secret')
  })
})
