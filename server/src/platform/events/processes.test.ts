/** The event log among several processes of the machine, some of which die. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Child, startChild } from '../../testing/child.ts'
import { realClock } from '../../testing/clock.ts'
import { onBothDatabases, openerFor, type Place } from '../../testing/databases.ts'
import { migrate, openDatabase } from '../db/index.ts'
import { createLog } from '../log/log.ts'
import { vaultMigrations } from '../vault/tables.ts'
import { openVault } from '../vault/vault.ts'
import { createEventLog } from './event-log.ts'
import { eventMigrations } from './tables.ts'

const own = { id: 'run:one', accountId: 'ada' }
/** So seldom that messages have to do. */
const tuning = { lookMs: 600_000 }
const migrations = [...vaultMigrations, ...eventMigrations]

const logAt = async (place: Place) => {
  const log = createLog({ level: 'silent' })
  const database = await openDatabase(place.options)
  await migrate(database, migrations, { version: '0', snapshotFolder: place.folder, now: () => 0 })
  const vault = await openVault({ database, instanceKey: Buffer.alloc(32, 7), clock: realClock })
  const events = createEventLog({ database, vault, clock: realClock, log, processId: realClock.id(), tuning })
  const close = async (): Promise<void> => {
    await events.stop()
    await database.close()
  }
  return { events, close }
}

/** A process that has an event log, and does `work` with it. */
const startWith = ({ options }: Place, work: string): Child => {
  const url = (path: string): string => new URL(path, import.meta.url).href
  const given = JSON.stringify({ url: options.url, file: options.file, key: options.key?.toString('hex') })
  return startChild(`
    import { openDatabase } from '${url('../db/index.ts')}'
    import { openVault } from '${url('../vault/vault.ts')}'
    import { createEventLog } from '${url('./event-log.ts')}'
    import { createLog } from '${url('../log/log.ts')}'
    import { systemClock as clock } from '${url('../system-clock.ts')}'
    const given = ${given}
    const log = createLog({ level: 'silent' })
    const database = await openDatabase({ ...given, key: given.key && Buffer.from(given.key, 'hex'), log })
    const vault = await openVault({ database, instanceKey: Buffer.alloc(32, 7), clock })
    const events = createEventLog({ database, vault, clock, log, processId: clock.id(), tuning: ${JSON.stringify(tuning)} })
    const own = ${JSON.stringify(own)}
    const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
    ${work}`)
}

onBothDatabases('an event log whose process is killed', (open) => {
  test('has all that is older than the window, without a gap, and goes on past what may have been shown', async () => {
    const place = await open.place()
    const before = await logAt(place)
    await before.close()
    const child = startWith(
      place,
      `const writers = Array.from({ length: 50 }, (_, n) => events.open({ ...own, id: 'run:' + n }))
       const one = events.open(own)
       for (;;) {
         const at = Date.now()
         for (const writer of writers) writer.append({ at })
         console.log(one.append({ at }), at)
         await sleep(1)
       }`,
    )
    const shown: { seq: number; at: number }[] = []
    // From its first word on: a busy machine starts it late.
    for (let begun = Infinity; Date.now() - begun < 3000; ) {
      const [seq, at] = ((await child.line()) ?? '').split(' ').map(Number)
      begun = Math.min(begun, Date.now())
      shown.push({ seq: seq ?? 0, at: at ?? 0 })
    }
    await child.kill()
    const { events, close } = await logAt(place)
    const kept = await events.read<{ at: number }>(own, 0)
    expect(kept.map((entry) => entry.seq)).toEqual(kept.map((_, index) => index + 1))
    // The window is 80 ms and the promise 200; the rest is for a busy machine and its disk.
    const last = shown.at(-1)?.at ?? 0
    const old = shown.filter((event) => event.at < last - 1500)
    expect(old.length).toBeGreaterThan(20)
    expect(kept.length).toBeGreaterThanOrEqual(old.length)
    for (const n of [0, 24, 49]) expect(await events.lastSeq(`run:${n}`)).toBeGreaterThanOrEqual(old.length)

    const heir = await events.resume<string>(own)
    const seq = heir.append('the end')
    expect(seq).toBe(kept.length + 10_001)
    expect(seq).toBeGreaterThan(shown.at(-1)?.seq ?? 0)
    await heir.close()
    const resumed = []
    // More may be kept than this process came to read of what was shown.
    const after = Math.max(kept.length, shown.at(-1)?.seq ?? 0)
    for await (const entry of events.follow(own, after, AbortSignal.timeout(120_000))) resumed.push(entry)
    expect(resumed).toEqual([{ seq, event: 'the end' }])
    await close()
  })
})

const openPostgres = openerFor('postgres')

test('two processes on PostgreSQL follow each other, write one stream together, and both see all of it', async () => {
  const place = await openPostgres.place()
  const { events, close } = await logAt(place)
  const child = startWith(
    place,
    `const shared = { id: 'account:ada', accountId: 'ada' }
     const theirs = events.open({ ...own, id: 'run:theirs' })
     const seen = []
     const never = new AbortController().signal
     const reading = (async () => { for await (const entry of events.follow(own, 0, never)) seen.push(entry.seq) })()
     console.log('ready')
     for (let n = 1; n <= 300; n++) {
       theirs.append(n)
       if (n % 10 === 0) await events.append(shared, 'theirs')
     }
     await theirs.close()
     await reading
     console.log(seen.join(','))
     await events.stop()
     await database.close()`,
  )
  expect(await child.line()).toBe('ready')
  const shared = { id: 'account:ada', accountId: 'ada' }
  const ours = events.open<number>(own)
  const read = async (stream: { id: string; accountId: string }, count: number): Promise<number[]> => {
    const seen: number[] = []
    for await (const { seq } of events.follow(stream, 0, AbortSignal.timeout(120_000))) {
      seen.push(seq)
      if (seen.length === count) break
    }
    return seen
  }
  const reading = Promise.all([read({ id: 'run:theirs', accountId: 'ada' }, 1e9), read(shared, 60)])
  for (let n = 1; n <= 300; n++) {
    ours.append(n)
    if (n % 10 === 0) await events.append(shared, 'ours')
    if (n % 25 === 0) await sleep(5)
  }
  await ours.close()
  const all = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)
  expect(await reading).toEqual([all(300), all(60)])
  expect(await child.line()).toBe(all(300).join(','))
  expect(await child.line()).toBe(null)
  await close()
})

test('two hundred follow what three processes write, break off and come back, one is killed: each sees all, once, in order', async () => {
  const place = await openPostgres.place()
  const { events, close } = await logAt(place)
  const crowd = `
    const shared = { id: 'channel:one', accountId: 'ada' }
    const never = new AbortController().signal
    const write = async (times) => { for (let n = 0; n < times; n++) await events.append(shared, 'more') }
    const writers = (times) => Promise.all(Array.from({ length: 7 }, () => write(times)))
    const places = Array.from({ length: 70 }, () => 0)
    const follow = async (index) => {
      for (let over = false; !over; ) {
        const most = places[index] + 5 + ((index * 13) % 90)
        for await (const { seq, event } of events.follow(shared, places[index], never)) {
          if (seq !== places[index] + 1) { console.log('wrong', index, places[index], seq); process.exit(1) }
          places[index] = seq
          over = event === 'last'
          if (over || seq === most) break
        }
      }
    }
    const following = Promise.all(places.map((_, index) => follow(index)))`
  const steady = startWith(
    place,
    `${crowd}
     await writers(20)
     console.log('written')
     await following
     console.log(places.join(','))
     await events.stop()
     await database.close()`,
  )
  const doomed = startWith(
    place,
    `${crowd}
     setInterval(() => console.log(places.join(',')), 20)
     await writers(1e6)`,
  )
  const shared = { id: 'channel:one', accountId: 'ada' }
  const places: number[] = Array.from({ length: 60 }, () => 0)
  const follow = async (index: number): Promise<void> => {
    for (let over = false; !over; ) {
      const most = (places[index] ?? 0) + 5 + ((index * 13) % 90)
      for await (const { seq, event } of events.follow<string>(
        shared,
        places[index] ?? 0,
        AbortSignal.timeout(120_000),
      )) {
        expect(seq).toBe((places[index] ?? 0) + 1)
        places[index] = seq
        over = event === 'last'
        if (over || seq === most) break
      }
    }
  }
  const following = places.map((_, index) => follow(index))
  let left: number[] = []
  while (left.length < 70 || Math.min(...left) < 40) left = ((await doomed.line()) ?? '').split(',').map(Number)
  const writing = Array.from({ length: 6 }, async () => {
    for (let n = 0; n < 20; n += 1) await events.append(shared, 'more')
  })
  await doomed.kill()
  // Who followed there goes on here.
  places.push(...left)
  for (const index of left.keys()) following.push(follow(60 + index))
  await Promise.all(writing)
  expect(await steady.line()).toBe('written')
  const last = await events.append(shared, 'last')
  await Promise.all(following)
  expect(new Set(places)).toEqual(new Set([last]))
  expect(await steady.line()).toBe(Array.from({ length: 70 }, () => last).join(','))
  await close()
})
