import { expect, test } from 'vitest'
import { onBothDatabases } from '../../testing/databases.ts'
import { openDatabase } from '../db/index.ts'
import { createSignals } from './signals.ts'

onBothDatabases('signals', (open, dialect) => {
  test('reach whoever listens to their stream, in every process, and nobody after that', async () => {
    const place = await open.place()
    const database = await openDatabase(place.options)
    // A file of SQLite belongs to one process.
    const other = dialect === 'postgres' ? await openDatabase(place.options) : database
    const here = createSignals({ database })
    const there = createSignals({ database: other })
    const heard: string[] = []
    const listen = (name: string, signals: typeof here, stream: string) =>
      signals.listen(stream, ({ type }) => heard.push(`${name} ${type}`))
    const leave = listen('here', here, 'channel:a')
    listen('there', there, 'channel:a')
    listen('elsewhere', there, 'channel:b')
    // A connection to PostgreSQL may not listen yet, and what is not heard is gone.
    await expect
      .poll(() => {
        there.send('channel:a', { type: 'typing', data: {} })
        return [...new Set(heard)].toSorted()
      })
      .toEqual(['here typing', 'there typing'])
    leave()
    heard.length = 0
    here.send('channel:a', { type: 'x'.repeat(8000), data: {} })
    here.send('channel:a', { type: 'last', data: {} })
    await expect.poll(() => heard).toContain('there last')
    expect(heard.filter((one) => one.startsWith('here') || one.length > 20)).toEqual([])
    await Promise.all([here.stop(), there.stop()])
    await database.close()
    if (other !== database) await other.close()
  })

  test('are dropped while the database takes none, and never an error', async () => {
    const waiting: (() => void)[] = []
    const database = {
      notify: () => new Promise<void>((_resolve, reject) => waiting.push(() => reject(new Error('away')))),
      listen: () => () => undefined,
    }
    const signals = createSignals({ database })
    for (let n = 0; n < 500; n += 1) signals.send('channel:a', { type: 'typing', data: {} })
    expect(waiting.length).toBeLessThan(100)
    for (const fail of waiting) fail()
    await signals.stop()
  })
})
