/** Many who follow one stream that is written elsewhere: what it costs, and that nobody misses anything. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { KyselyPlugin } from 'kysely'
import { expect, test } from 'vitest'
import { type Open, onBothDatabases } from '../../testing/databases.ts'
import { realClock } from '../../testing/clock.ts'
import type { Database } from '../db/types.ts'
import { createLog } from '../log/log.ts'
import { vaultMigrations } from '../vault/tables.ts'
import type { Vault } from '../vault/types.ts'
import { openVault } from '../vault/vault.ts'
import { createEventLog } from './event-log.ts'
import { eventMigrations } from './tables.ts'
import type { Entry, StreamName } from './types.ts'

const shared: StreamName = { id: 'channel:one', accountId: 'ada' }
const instanceKey = randomBytes(32)
const never = new AbortController().signal
const numbers = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const seqs = (entries: readonly Entry[]): number[] => entries.map(({ seq }) => seq)

/** A log whose statements and openings are counted. */
const countedLog = async (database: Database, tuning: { lookMs: number; queueLimit?: number }) => {
  const counts = { statements: 0, looks: 0, openings: 0 }
  const counter: KyselyPlugin = {
    transformQuery: ({ node }) => {
      if (node.kind !== 'SelectQueryNode') return node
      const isLook = node.from?.froms[0]?.kind === 'AliasNode'
      counts[isLook ? 'looks' : 'statements'] += 1
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const counted: Database = { ...database, tables: <T>() => database.tables<T>().withPlugin(counter) }
  const vault = await openVault({ database, instanceKey, clock: realClock })
  const keyring: Vault['keyring'] = async (accountId) => {
    const real = await vault.keyring(accountId)
    return {
      ...real,
      open: (...asked) => {
        counts.openings += 1
        return real.open(...asked)
      },
    }
  }
  const log = createEventLog({
    database: counted,
    vault: { ...vault, keyring },
    clock: realClock,
    log: createLog({ level: 'silent' }),
    processId: realClock.id(),
    tuning,
  })
  return { log, counts }
}

const begin = async (open: Open, tuning: { lookMs: number; queueLimit?: number } = { lookMs: 600_000 }) => {
  const database = await open([...vaultMigrations, ...eventMigrations])
  return { writing: (await countedLog(database, tuning)).log, ...(await countedLog(database, tuning)) }
}

onBothDatabases('a stream that many follow', (open) => {
  test('is read and opened once in a process for two hundred followers, and all of them get every event', async () => {
    const { writing, log, counts } = await begin(open)
    await writing.append(shared, 'before')
    const followers = numbers(1, 200).map(() => {
      const seen: Entry[] = []
      const stop = new AbortController()
      const run = async (): Promise<void> => {
        for await (const entry of log.follow(shared, 0, stop.signal)) seen.push(entry)
      }
      return { seen, stop, done: run() }
    })
    const allHave = async (count: number): Promise<void> =>
      await expect.poll(() => followers.filter(({ seen }) => seen.length === count)).toHaveLength(200)
    await allHave(1)
    counts.statements = 0
    counts.openings = 0
    for (const value of numbers(2, 41)) await (value % 2 ? writing : log).append(shared, value)
    await allHave(41)
    expect(counts.openings).toBe(40)
    // The stream and its next page: not once more for anybody who follows.
    expect(counts.statements).toBeLessThanOrEqual(3 * 40)
    for (const { seen } of followers) expect(seqs(seen)).toEqual(numbers(1, 41))
    // What is not changed is shared: an event is in memory once.
    expect(followers[0]?.seen.at(-1)?.event).toBe(followers[199]?.seen.at(-1)?.event)

    // Who comes where the others are reads nothing.
    counts.statements = 0
    const late = log.follow(shared, 41, never)[Symbol.asyncIterator]()
    const next = late.next()
    await writing.append(shared, 'last')
    expect((await next).value).toEqual({ seq: 42, event: 'last' })
    expect(counts.statements).toBeLessThanOrEqual(3)
    for (const { stop } of followers) stop.abort()
    await Promise.all(followers.map(({ done }) => done))
    await Promise.all([log.stop(), writing.stop()])
  })

  test('loses and repeats nothing for followers that break off, come back and read slowly', async () => {
    const { writing, log } = await begin(open, { lookMs: 600_000, queueLimit: 8 })
    const total = 240
    const follower = async (index: number): Promise<number[]> => {
      const seen: number[] = []
      while (seen.length < total) {
        const most = 1 + ((index * 7 + seen.length) % 60)
        let count = 0
        for await (const { seq } of log.follow(shared, seen.length, never)) {
          seen.push(seq)
          if (index % 5 === 0 && seq % 9 === 0) await sleep(3)
          count += 1
          if (count === most || seq === total) break
        }
      }
      return seen
    }
    const all = Promise.all(numbers(1, 30).map(follower))
    const writer = async (one: typeof log): Promise<void> => {
      for (let n = 0; n < total / 4; n += 1) await one.append(shared, 'x'.repeat(n))
    }
    await Promise.all([writer(log), writer(writing), writer(log), writer(writing)])
    for (const seen of await all) expect(seen).toEqual(numbers(1, total))
    await Promise.all([log.stop(), writing.stop()])
  })

  test('is found again by one look at all of them when a message about it is lost', async () => {
    const database = await open([...vaultMigrations, ...eventMigrations])
    const deaf: Database = { ...database, notify: async () => undefined, listen: () => () => undefined }
    const { log: writing } = await countedLog(deaf, { lookMs: 600_000 })
    const { log, counts } = await countedLog(deaf, { lookMs: 50 })
    const streams = numbers(1, 40).map((n) => ({ id: `channel:${n}`, accountId: 'ada' }))
    for (const stream of streams) await writing.append(stream, 'before')
    const got = new Map<string, number>()
    const stop = new AbortController()
    const following = streams.map(async (stream) => {
      for await (const { seq } of log.follow(stream, 0, stop.signal)) got.set(stream.id, seq)
    })
    await expect.poll(() => got.size).toBe(40)
    await writing.append(streams[6] as StreamName, 'lost')
    await expect.poll(() => got.get('channel:7')).toBe(2)
    // Nothing new: a look is one statement for all of them.
    counts.statements = 0
    counts.looks = 0
    await expect.poll(() => counts.looks).toBeGreaterThan(3)
    expect(counts.statements).toBe(0)
    stop.abort()
    await Promise.all(following)
    await Promise.all([log.stop(), writing.stop()])
  })

  test('says once that a place is gone, because it was pruned or never was, and goes on from what is there', async () => {
    const database = await open([...vaultMigrations, ...eventMigrations])
    let now = 1000
    const vault = await openVault({ database, instanceKey, clock: realClock })
    const clock = { now: () => now, id: realClock.id }
    const quiet = createLog({ level: 'silent' })
    const log = createEventLog({ database, vault, clock, log: quiet, processId: realClock.id() })
    for (const value of numbers(1, 6)) await log.append(shared, value)
    now = 5000
    await log.append(shared, 7)
    await log.prune(4000)
    const take = async (after: number, count: number): Promise<Entry[]> => {
      const found: Entry[] = []
      for await (const entry of log.follow<unknown>(shared, after, never, { reset: 'reset' })) {
        found.push(entry)
        if (found.length === 1) await log.append(shared, 'next')
        if (found.length === count) break
      }
      return found
    }
    expect(await take(3, 2)).toEqual([
      { seq: 7, event: 'reset' },
      { seq: 8, event: 'next' },
    ])
    expect(await take(900, 2)).toEqual([
      { seq: 8, event: 'reset' },
      { seq: 9, event: 'next' },
    ])
    // A place that is there still, or is the last one, is no gap.
    expect(seqs(await take(6, 2))).toEqual([7, 8])
    const nowhere = log.follow<unknown>({ id: 'channel:none', accountId: 'ada' }, 5, never, { reset: 'reset' })
    const first = await nowhere[Symbol.asyncIterator]().next()
    expect(first.value).toEqual({ seq: 0, event: 'reset' })
    await log.stop()
  })

  test('ends for all who follow it when it is closed or removed elsewhere, and may begin while they wait', async () => {
    const { writing, log } = await begin(open)
    const gone: StreamName = { id: 'channel:gone', accountId: 'ada' }
    const collect = async (stream: StreamName, found: unknown[] = []): Promise<unknown[]> => {
      for await (const { event } of log.follow(stream, 0, never)) found.push(event)
      return found
    }
    const closing = [collect(shared), collect(shared)]
    const seen: unknown[][] = [[], []]
    const removing = seen.map((found) => collect(gone, found))
    await sleep(50)
    await writing.append(shared, 'first')
    await writing.append(gone, 'first')
    await writing.append(shared, 'last', { close: true })
    expect(await Promise.all(closing)).toEqual([
      ['first', 'last'],
      ['first', 'last'],
    ])
    // One that nobody has seen would be waited for still.
    await expect.poll(() => seen).toEqual([['first'], ['first']])
    await writing.remove([gone.id])
    expect(await Promise.all(removing)).toEqual([['first'], ['first']])
    await Promise.all([log.stop(), writing.stop()])
  })
})
