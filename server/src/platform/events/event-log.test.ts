import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Open, onBothDatabases } from '../../testing/databases.ts'
import { realClock } from '../../testing/clock.ts'
import type { AnyTransaction, Database } from '../db/types.ts'
import { createLog } from '../log/log.ts'
import { vaultMigrations } from '../vault/tables.ts'
import { openVault } from '../vault/vault.ts'
import { createEventLog, type EventLogParts } from './event-log.ts'
import { type EventTables, eventMigrations } from './tables.ts'
import type { Entry, EventLog, StreamName } from './types.ts'

const own: StreamName = { id: 'run:one', accountId: 'ada' }
const shared: StreamName = { id: 'account:ada', accountId: 'ada' }

const instanceKey = randomBytes(32)
const begin = async (open: Open, options: Partial<EventLogParts> = {}) => {
  const database = await open([...vaultMigrations, ...eventMigrations])
  return { database, log: await logOver(database, options) }
}
const logOver = async (database: Database, options: Partial<EventLogParts> = {}): Promise<EventLog> => {
  const vault = await openVault({ database, instanceKey, clock: realClock })
  const log = createLog({ level: 'silent' })
  return createEventLog({ database, vault, clock: realClock, log, processId: realClock.id(), ...options })
}

/** Reads a stream until it ends, or until so many entries came. */
const collect = async <E>(entries: AsyncIterable<Entry<E>>, count = Number.POSITIVE_INFINITY): Promise<Entry<E>[]> => {
  const found: Entry<E>[] = []
  if (count === 0) return found
  for await (const entry of entries) {
    found.push(entry)
    if (found.length >= count) break
  }
  return found
}
const never = new AbortController().signal
const numbers = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const seqs = (entries: readonly Entry[]): number[] => entries.map((entry) => entry.seq)

onBothDatabases('the event log', (open, dialect) => {
  test('gives back what was appended, in order, and ends when the stream is closed', async () => {
    const { log } = await begin(open)
    const writer = log.open<string>(own)
    const following = collect(log.follow<string>(own, 0, never))
    expect([writer.append('a'), writer.append('b'), writer.append('c')]).toEqual([1, 2, 3])
    await writer.close()
    const expected = [
      { seq: 1, event: 'a' },
      { seq: 2, event: 'b' },
      { seq: 3, event: 'c' },
    ]
    expect(await following).toEqual(expected)
    expect(await log.read(own, 0)).toEqual(expected)
    expect(await collect(log.follow(own, 1, never))).toEqual(expected.slice(1))
    expect(await log.lastSeq(own.id)).toBe(3)
    await log.stop()
  })

  test('shows events to followers before they are committed', async () => {
    const { log } = await begin(open, { tuning: { windowMs: 60_000 } })
    const writer = log.open<string>(own)
    writer.append('early')
    expect(await collect(log.follow(own, 0, never), 1)).toEqual([{ seq: 1, event: 'early' }])
    expect(await log.read(own, 0)).toEqual([])
    await writer.flush()
    expect(await log.read(own, 0)).toHaveLength(1)
    await log.stop()
  })

  test('commits by itself within the window', async () => {
    const { log } = await begin(open, { tuning: { windowMs: 20 } })
    const writer = log.open<number>(own)
    writer.append(1)
    await until(async () => (await log.lastSeq(own.id)) === 1)
    await log.stop()
  })

  test('loses and repeats nothing for followers that come, go and resume while it is written', async () => {
    const { log } = await begin(open, { tuning: { windowMs: 3, queueLimit: 40, pageSize: 3 } })
    const total = 3000
    const random = seeded(42)
    const writer = log.open<number>(own)
    const reader = async (): Promise<number[]> => {
      const seen: number[] = []
      while (seen.length < total) {
        const stop = new AbortController()
        const quit = 1 + Math.floor(random() * 400)
        let count = 0
        for await (const entry of log.follow<number>(own, seen.length, stop.signal)) {
          expect(entry.event).toBe(entry.seq * 7)
          seen.push(entry.seq)
          count += 1
          if (random() < 0.01) await sleep(random() * 10)
          if (count >= quit || seen.length === total) stop.abort()
        }
      }
      return seen
    }
    const readers = Array.from({ length: 12 }, reader)
    for (let seq = 1; seq <= total; seq++) {
      writer.append(seq * 7)
      if (random() < 0.02) await sleep(random() * 8)
      if (random() < 0.01) await writer.flush()
    }
    for (const seen of await Promise.all(readers)) expect(seen).toEqual(numbers(1, total))
    await writer.close()
    await log.stop()
  })

  test('numbers a shared stream without gaps when many write at once', async () => {
    const { database, log } = await begin(open)
    const other = await logOver(database)
    const following = collect(log.follow<number>(shared, 0, never), 60)
    const given = await Promise.all(numbers(1, 60).map((value) => (value % 2 ? log : other).append(shared, { value })))
    expect([...given].sort((a, b) => a - b)).toEqual(numbers(1, 60))
    expect(seqs(await following)).toEqual(numbers(1, 60))
    await Promise.all([log.stop(), other.stop()])
  })

  test('carries a stream of one process to a follower in another, to its end', async () => {
    const { database, log } = await begin(open, { tuning: { windowMs: 5 } })
    const other = await logOver(database, { tuning: { lookMs: 600_000 } })
    const following = collect(other.follow<number>(own, 0, never))
    const writer = log.open<number>(own)
    for (const value of numbers(1, 200)) {
      writer.append(value)
      if (value % 10 === 0) await sleep(2)
    }
    await writer.close()
    expect(seqs(await following)).toEqual(numbers(1, 200))
    await Promise.all([log.stop(), other.stop()])
  })

  test('finds what another process wrote even when no message about it arrives', async () => {
    const { database, log } = await begin(open)
    const deaf: Database = { ...database, notify: async () => undefined, listen: () => () => undefined }
    const writing = await logOver(deaf)
    const reading = await logOver(deaf, { tuning: { lookMs: 20 } })
    const following = collect(reading.follow<number>(own, 0, never))
    const writer = writing.open<number>(own)
    writer.append(1)
    await writer.flush()
    writer.append(2)
    await writer.close()
    expect(seqs(await following)).toEqual([1, 2])
    await Promise.all([log.stop(), writing.stop(), reading.stop()])
  })

  test('goes on past everything a dead writer may have shown, and followers miss nothing of either', async () => {
    const { database, log } = await begin(open)
    const first = log.open<string>(own)
    first.append('before')
    await first.flush()
    const heir = await logOver(database)
    const following = collect(heir.follow<string>(own, 0, never))
    const second = await heir.resume<string>(own)
    expect(second.append('after')).toBe(10_002)
    await second.close()
    expect(await following).toEqual([
      { seq: 1, event: 'before' },
      { seq: 10_002, event: 'after' },
    ])
    await Promise.all([log.stop(), heir.stop()])
  })

  test('gives the last words of a stream that was written to its end while a follower read from disk', async () => {
    const { log } = await begin(open)
    await log.append(shared, 'before')
    const following = log.follow<string>(shared, 0, never)[Symbol.asyncIterator]()
    expect(await following.next()).toMatchObject({ value: { seq: 1, event: 'before' } })
    const writer = await log.resume<string>(shared)
    writer.append('after')
    await writer.close()
    expect(await following.next()).toMatchObject({ value: { seq: 10_002, event: 'after' } })
    expect(await following.next()).toMatchObject({ done: true })
    await log.stop()
  })

  test('reads what a dead writer left before it shows what its heir says', async () => {
    const { database, log } = await begin(open)
    const deaf: Database = { ...database, notify: async () => undefined, listen: () => () => undefined }
    const heir = await logOver(deaf)
    const following = collect(heir.follow<string>(own, 0, never))
    await sleep(30)
    const first = log.open<string>(own)
    first.append('before')
    await first.flush()
    const second = await heir.resume<string>(own)
    second.append('after')
    await second.close()
    expect(seqs(await following)).toEqual([1, 10_002])
    await Promise.all([log.stop(), heir.stop()])
  })

  test('stops the second of two writers of one stream, and harms no other stream', async () => {
    const { database, log } = await begin(open)
    const rival = await logOver(database)
    const first = log.open<string>(own)
    first.append('mine')
    await first.flush()
    const second = rival.open<string>(own)
    const bystander = rival.open<string>({ id: 'run:other', accountId: 'bob' })
    second.append('not mine')
    bystander.append('fine')
    const flushed = second.flush()
    flushed.catch(() => undefined)
    await bystander.close()
    await expect(flushed).rejects.toThrow(/another writer/)
    expect(await log.read(own, 0)).toEqual([{ seq: 1, event: 'mine' }])
    expect(await rival.read({ id: 'run:other', accountId: 'bob' }, 0)).toEqual([{ seq: 1, event: 'fine' }])
    await log.stop()
    await rival.stop().catch(() => undefined)
  })

  test('keeps events that could not be written, says so, and writes them once it can', async () => {
    const { database } = await begin(open)
    let full = true
    const disk: Database = {
      ...database,
      write: (work) => (full ? Promise.reject(new Error('disk full')) : database.write(work)),
    }
    const log = await logOver(disk, { tuning: { windowMs: 2 } })
    const writer = log.open<string>(own)
    writer.append('kept')
    await expect(writer.flush()).rejects.toThrow('disk full')
    writer.append('too')
    await expect(log.stop()).rejects.toThrow('disk full')
    full = false
    await writer.close()
    expect(await log.read(own, 0)).toEqual([
      { seq: 1, event: 'kept' },
      { seq: 2, event: 'too' },
    ])
  })

  test('writes a batch once when its commit went through but was never confirmed', async () => {
    const { database } = await begin(open)
    let silent = true
    const flaky: Database = {
      ...database,
      write: async (work) => {
        const result = await database.write(work)
        if (silent) {
          silent = false
          throw new Error('connection lost')
        }
        return result
      },
    }
    const log = await logOver(flaky, { tuning: { windowMs: 2 } })
    const writer = log.open<string>(own)
    writer.append('once')
    await writer.flush()
    await writer.close()
    expect(await log.read(own, 0)).toEqual([{ seq: 1, event: 'once' }])
    await log.stop()
  })

  test('stands or falls with the transaction it is appended in', async () => {
    const { database, log } = await begin(open)
    const appender = await log.appender('ada')
    await expect(
      database.write(async (trx) => {
        await appender.append(trx, shared.id, 'never')
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    await database.write((trx) => appender.append(trx, shared.id, 'last', { close: true }))
    await appender.announce()
    expect(await collect(log.follow(shared, 0, never))).toEqual([{ seq: 1, event: 'last' }])
    await expect(log.append(shared, 'late')).rejects.toThrow(/ended/)
    await log.stop()
  })

  test('appends an event to each of many streams, once to one that is named twice, and to none that has ended', async () => {
    const { log } = await begin(open)
    const streams = Array.from({ length: 150 }, (_, index) => ({ id: `account:${index}`, accountId: 'ada' }))
    const [first = shared, ended = shared] = streams
    await log.append(first, 'before')
    await log.append(ended, 'last', { close: true })
    const live = collect(log.follow<string>(first, 1, never), 1)
    await log.appendToEach([...streams, first], 'to all')
    expect(await live).toEqual([{ seq: 2, event: 'to all' }])
    const read = await Promise.all(streams.slice(1).map((stream) => log.read<string>(stream, 0)))
    expect(read[0]).toEqual([{ seq: 1, event: 'last' }])
    expect(read.slice(1)).toEqual(Array.from({ length: 148 }, () => [{ seq: 1, event: 'to all' }]))
    await log.stop()
  })

  test('writes all streams but the one whose events the database refuses', async () => {
    const { database, log } = await begin(open, { tuning: { windowMs: 20 } })
    const refusing = {
      sqlite: `create trigger no_bad before insert on event_batches when new.stream_id = 'run:bad'
        begin select raise(abort, 'refused'); end`,
      postgres: `alter table event_batches add constraint no_bad check (stream_id <> 'run:bad')`,
    }
    await sql.raw(refusing[dialect]).execute(database.tables())
    const bad = log.open<string>({ id: 'run:bad', accountId: 'ada' })
    const good = log.open<string>(own)
    bad.append('refused')
    good.append('kept')
    await until(async () => (await log.lastSeq(own.id)) === 1)
    expect(await log.lastSeq('run:bad')).toBe(0)
    bad.discard()
    await log.stop()
  })

  test('ends a stream within a transaction of its writer, with the rows of that', async () => {
    const { database, log } = await begin(open, { tuning: { windowMs: 60_000 } })
    const writer = log.open<string>(own)
    const following = collect(log.follow<string>(own, 0, never))
    writer.append('a')
    const end = await writer.prepareEnd('end')
    expect(() => writer.append('late')).toThrow(/ended/)
    await database.write(end.write)
    // Another process reads all of it from now on, and the followers here hear of it when it is settled.
    expect(await log.read(own, 0)).toEqual([
      { seq: 1, event: 'a' },
      { seq: 2, event: 'end' },
    ])
    end.settle(true)
    expect(seqs(await following)).toEqual([1, end.lastSeq])
    expect(seqs(await collect(log.follow(own, 0, never)))).toEqual([1, 2])
    await log.stop()
  })

  test('lets a stream go on whose end was undone, and loses nothing of it', async () => {
    const { database, log } = await begin(open, { tuning: { windowMs: 20 } })
    const writer = log.open<string>(own)
    const following = collect(log.follow<string>(own, 0, never))
    writer.append('a')
    const undone = await writer.prepareEnd('end')
    const failing = database.write(async (trx) => {
      await undone.write(trx)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    undone.settle(false)
    await until(async () => (await log.lastSeq(own.id)) === 1)
    writer.append('b')
    const end = await writer.prepareEnd('end')
    await database.write(end.write)
    end.settle(true)
    expect((await following).map(({ event }) => event)).toEqual(['a', 'b', 'end'])
    expect(await log.read(own, 0)).toHaveLength(3)
    await log.stop()
  })

  test('keeps an end whose commit was never confirmed, once', async () => {
    const { database, log } = await begin(open, { tuning: { windowMs: 20 } })
    const writer = log.open<string>(own)
    writer.append('a')
    const end = await writer.prepareEnd('end')
    await database.write(end.write)
    end.settle(false)
    await writer.flush()
    writer.discard()
    expect((await log.read(own, 0)).map(({ event }) => event)).toEqual(['a', 'end'])
    expect(seqs(await collect(log.follow(own, 0, never)))).toEqual([1, 2])
    await log.stop()
  })

  test('ends following when the signal aborts, and when the stream is removed', async () => {
    const { database, log } = await begin(open)
    const other = await logOver(database)
    const stop = new AbortController()
    const aborted = collect(log.follow(own, 0, stop.signal))
    const writer = log.open<string>({ id: 'run:gone', accountId: 'ada' })
    writer.append('here')
    await writer.flush()
    const [here, there] = [log, other].map((each) =>
      each.follow({ id: 'run:gone', accountId: 'ada' }, 0, never)[Symbol.asyncIterator](),
    )
    // Who has not seen the stream yet waits for it to begin.
    for (const follower of [here, there]) expect((await follower?.next())?.value).toMatchObject({ seq: 1 })
    writer.append('unwritten')
    stop.abort()
    expect(await aborted).toEqual([])
    await log.remove(['run:gone'])
    expect(await here?.next()).toMatchObject({ value: { seq: 2 } })
    for (const follower of [here, there]) expect((await follower?.next())?.done).toBe(true)
    await writer.close()
    expect(await log.lastSeq('run:gone')).toBe(0)
    await Promise.all([log.stop(), other.stop()])
  })

  test('removes all that belongs to an account and nothing else', async () => {
    const { log } = await begin(open)
    await log.append(shared, 1)
    await log.append({ id: 'account:bob', accountId: 'bob' }, 1)
    const running = log.open(own)
    running.append('unwritten')
    await log.removeAccount('ada')
    await running.close()
    expect(await log.read(shared, 0)).toEqual([])
    expect(await log.read(own, 0)).toEqual([])
    expect(await log.lastSeq('account:bob')).toBe(1)
    await log.stop()
  })

  test('prunes nothing of a stream that is opened again while it looks for what ended', async () => {
    const { database, log } = await begin(open)
    await log.append(own, 'first', { close: true })
    const waiting: (() => Promise<unknown>)[] = []
    const slow: Database = {
      ...database,
      write: async (work, queue) => {
        await waiting.pop()?.()
        return await database.write(work, queue)
      },
    }
    const other = await logOver(slow)
    waiting.push(() => database.write((trx: AnyTransaction) => log.reopen(own.id, trx)))
    await other.prune(realClock.now() + 1000)
    expect(waiting).toEqual([])
    expect(await log.append(own, 'second')).toBe(2)
    expect(await log.read(own, 0)).toHaveLength(2)
    await other.stop()
    await log.stop()
  })

  test('prunes streams that ended long ago and old events of open ones, and keeps the numbering', async () => {
    let now = 1000
    const { log } = await begin(open, { clock: { now: () => now, id: realClock.id } })
    const old = log.open(own)
    old.append('old')
    await old.close()
    await log.append(shared, 'old')
    await log.append(shared, 'last before')
    now = 5000
    const fresh = log.open({ id: 'run:two', accountId: 'ada' })
    fresh.append('new')
    await fresh.close()
    await log.prune(4000)
    expect(await log.lastSeq(own.id)).toBe(0)
    expect(await log.lastSeq('run:two')).toBe(1)
    expect(await log.read(shared, 0)).toEqual([{ seq: 2, event: 'last before' }])
    expect(await log.append(shared, 'next')).toBe(3)
    await log.prune(4000)
    expect(await log.read(shared, 0)).toEqual([{ seq: 3, event: 'next' }])
    await log.stop()
  })

  test('keeps events sealed on disk, bound to their place', async () => {
    const { database, log } = await begin(open)
    const writer = log.open(own)
    writer.append({ delta: 'planted-word' })
    await writer.close()
    await log.append(shared, { delta: 'planted-word' })
    const tables = database.tables<EventTables>()
    const rows = await tables.selectFrom('event_batches').selectAll().execute()
    expect(rows).toHaveLength(2)
    for (const row of rows) expect(Buffer.from(row.payload).includes('planted-word')).toBe(false)
    await tables.updateTable('event_batches').set({ stream_id: 'run:two' }).where('stream_id', '=', own.id).execute()
    await expect(log.read({ id: 'run:two', accountId: 'ada' }, 0)).rejects.toMatchObject({ kind: 'damaged' })
    await log.stop()
  })

  test('takes events of very different sizes', async () => {
    const { log } = await begin(open)
    const writer = log.open<string>(own)
    const events = [...numbers(1, 500).map((n) => 'x'.repeat(n % 7)), 'y'.repeat(600_000), 'z', 'é'.repeat(200_000)]
    for (const event of events) writer.append(event)
    await writer.close()
    expect((await log.read<string>(own, 0)).map((entry) => entry.event)).toEqual(events)
    expect(seqs(await log.read(own, 499))).toEqual([500, 501, 502, 503])
    await log.stop()
  })

  test('holds a follower that does not read to a bounded queue, and still gives it everything', async () => {
    const { log } = await begin(open, { tuning: { windowMs: 2, queueLimit: 10 } })
    const writer = log.open<number>(own)
    writer.append(1)
    const slow = log.follow<number>(own, 0, never)[Symbol.asyncIterator]()
    expect((await slow.next()).value?.seq).toBe(1)
    for (const value of numbers(2, 500)) writer.append(value)
    await writer.flush()
    const found: number[] = []
    const closing = writer.close()
    for (let next = await slow.next(); !next.done; next = await slow.next()) found.push(next.value.seq)
    expect(found).toEqual(numbers(2, 500))
    await closing
    await log.stop()
  })
})

const until = async (met: () => Promise<boolean>): Promise<void> => {
  while (!(await met())) await sleep(5)
}

/** A small repeatable source of chance (mulberry32). */
const seeded = (seed: number) => (): number => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296
}
