import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { realClock } from '../../testing/clock.ts'
import { onBothDatabases } from '../../testing/databases.ts'
import { createLog } from '../log/log.ts'
import { vaultMigrations } from '../vault/tables.ts'
import { openVault } from '../vault/vault.ts'
import { createEventLog } from './event-log.ts'
import { createFeed } from './feed.ts'
import { follow } from './follow.ts'
import { createHub } from './hub.ts'
import { createEventStore } from './store.ts'
import { eventMigrations } from './tables.ts'
import type { StreamName } from './types.ts'

const stream: StreamName = { id: 'run:one', accountId: 'ada' }

onBothDatabases('following', (open) => {
  test('reads large batches from disk a few at a time, and gives all of them', async () => {
    const database = await open([...vaultMigrations, ...eventMigrations])
    const vault = await openVault({ database, instanceKey: randomBytes(32), clock: realClock })
    const log = createEventLog({
      database,
      vault,
      clock: realClock,
      processId: realClock.id(),
      log: createLog({ level: 'silent' }),
    })
    const writer = log.open<string>(stream)
    const events = Array.from({ length: 20 }, () => randomBytes(30_000).toString('hex'))
    for (const event of events) {
      writer.append(event)
      await writer.flush()
    }
    await writer.close()

    const store = createEventStore(database)
    const pages: number[] = []
    const page: typeof store.page = async (...asked) => {
      const rows = await store.page(...asked)
      pages.push(rows.reduce((sum, { payload }) => sum + payload.byteLength, 0))
      return rows
    }
    const reading = { hub: createHub(2000), store: { ...store, page }, vault, pageSize: 100 }
    const feed = createFeed({ ...reading, log: createLog({ level: 'silent' }) })
    const { signal } = new AbortController()
    const entries = await Array.fromAsync(follow({ ...reading, feed }, { stream, after: 0, signal }))
    expect(entries.map(({ event }) => event)).toEqual(events)
    // The first page is read before the size of the batches is known.
    expect(Math.max(...pages.slice(1))).toBeLessThan(3 * 64 * 1024)
    await log.stop()
  })
})

test('a follower that does not read goes back to the disk by what waits for it, however few events that is', () => {
  const hub = createHub(2000)
  const source = hub.addSource(stream, 0, null)
  const follower = hub.join(stream, 0)
  hub.cutOver(stream.id, follower)
  let most = 0
  for (let n = 0; n < 40; n += 1) {
    hub.push(source, { type: 'text', data: { text: 'x'.repeat(100_000) } })
    most = Math.max(most, follower.queue.length)
  }
  expect(most).toBeGreaterThan(2)
  expect(most).toBeLessThan(15)
  expect(follower).toMatchObject({ behind: true, queue: [] })
})
