/** One connection for an account's own events and the streams that areas name for it, as socket and as event stream. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { systemRoutes } from '@atrium/contract/system'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { realClock } from '../../testing/clock.ts'
import { createClient } from '../../testing/client.ts'
import { type Open, onBothDatabases } from '../../testing/databases.ts'
import { createEventLog } from '../../platform/events/event-log.ts'
import { createSignals } from '../../platform/events/signals.ts'
import { eventMigrations } from '../../platform/events/tables.ts'
import type { StreamName } from '../../platform/events/types.ts'
import type { Caller } from '../../platform/http/area.ts'
import { createHttp } from '../../platform/http/index.ts'
import { createLog } from '../../platform/log/log.ts'
import { createSlot } from '../../platform/slot.ts'
import { vaultMigrations } from '../../platform/vault/tables.ts'
import { openVault } from '../../platform/vault/vault.ts'
import { createPresence, presenceMigrations } from '../../core/presence/index.ts'
import { createSystem, type SystemDeps } from './index.ts'

const caller: Caller = { accountId: 'ann', sessionId: 's1', role: 'user', via: 'bearer', token: null }
const own: StreamName = { id: 'account:ann', accountId: 'ann' }
const room = (name: string): StreamName => ({ id: `channel:${name}`, accountId: 'house' })
const said = (n: number) => ({ type: 'message-created', data: { n } })

const begin = async (open: Open) => {
  const database = await open([...vaultMigrations, ...eventMigrations, ...presenceMigrations])
  const vault = await openVault({ database, instanceKey: randomBytes(32), clock: realClock })
  let now = 1000
  let issuedAt: number | null = null
  const clock = { now: () => now, id: realClock.id }
  const log = createLog({ level: 'silent' })
  const events = createEventLog({ database, vault, clock, log, processId: realClock.id() })
  const rooms = new Set(['a', 'b'])
  const changed = new Set<() => void>()
  const followedStreams: SystemDeps['followedStreams'] = createSlot('The streams')
  followedStreams.fill(async () => [...rooms].map(room))
  const signals = createSignals({ database })
  const presence = createPresence({ database, vault, clock, log, processId: 'one' })
  /** Who may know whether somebody is there. */
  const acquainted = new Set(['ann'])
  presence.api.acquaintances.fill(async (_accountId, others) => new Set(others.filter((id) => acquainted.has(id))))
  const area = createSystem({
    clock,
    events,
    signals,
    presence: presence.api,
    followedStreams,
    watchRights: (_accountId, hear) => {
      changed.add(hear)
      return () => void changed.delete(hear)
    },
    openApi: async () => ({}),
  })
  const http = await createHttp({
    areas: [area],
    authenticate: async () => caller,
    clock,
    log,
    checkEvents: true,
    watchSession: () => () => undefined,
    redeem: async () => ({ caller, issuedAt: issuedAt ?? now, stands: async () => true }),
  })
  const url = await http.listen('127.0.0.1', 0)
  // Before the database is closed.
  onTestFinished(async () => {
    await http.stop(100)
    await Promise.all([events.stop(), signals.stop(), presence.stop()])
  })
  /** A socket that has said its places; `null` says nothing. */
  const connect = async (places: Record<string, number> | null, query = '') => {
    const line = new WebSocket(`${url.replace('http', 'ws')}/ws?ticket=good${query}`)
    const frames: { seq: number | null; type: string; data: { stream?: string; seq?: number } }[] = []
    line.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString())))
    const closed = once(line, 'close').then(([code]) => code as number)
    await once(line, 'open')
    const say = (data: object, type = 'places'): void => line.send(JSON.stringify({ type, data }))
    if (places) say({ places })
    const of = (stream: string) => frames.filter(({ data }) => data.stream === `channel:${stream}`)
    return { line, frames, closed, say, of }
  }
  const announceRights = (): void => changed.forEach((hear) => hear())
  const age = (ms: number): void => {
    now += ms
  }
  /** Sockets come from now on with a ticket of this moment. */
  const issueTicket = (): void => {
    issuedAt = now
  }
  return { events, signals, presence, acquainted, rooms, connect, announceRights, url, age, issueTicket }
}

const numbers = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i)

onBothDatabases('one connection for an account', (open) => {
  test('carries its own events and those of the streams it follows, from the places that the client names', async () => {
    const { events, connect } = await begin(open)
    for (const n of [1, 2, 3]) await events.append(room('a'), said(n))
    const { frames, of, line } = await connect({ 'channel:a': 1 })
    await expect.poll(() => of('a')).toHaveLength(2)
    expect(frames[0]).toEqual({
      seq: null,
      type: 'streams-opened',
      data: { places: { 'channel:a': 1, 'channel:b': 0 }, joined: false },
    })
    expect(of('a')[0]).toEqual({
      seq: null,
      type: 'stream-event',
      data: { stream: 'channel:a', seq: 2, ...said(2) },
    })
    await events.append(room('b'), said(9))
    await events.append(own, { type: 'preferences-changed', data: {} })
    await expect.poll(() => frames.find(({ type }) => type === 'preferences-changed')?.seq).toBe(1)
    await expect.poll(() => of('b')).toHaveLength(1)
    line.close()
  })

  test('loses and repeats nothing for a client that breaks off again and again and comes back with its places', async () => {
    const { events, connect } = await begin(open)
    const places = new Map<string, number>()
    const seen = new Map<string, number[]>([
      ['channel:a', []],
      ['channel:b', []],
    ])
    const total = 60
    const writing = Promise.all(
      ['a', 'b'].map(async (name) => {
        for (const n of numbers(1, total)) await events.append(room(name), said(n))
      }),
    )
    for (let most = 3; [...seen.values()].some((all) => all.length < total); most += 4) {
      const { line, closed } = await connect(null)
      let left = most
      line.on('message', (text: Buffer) => {
        const { type, data } = JSON.parse(text.toString()) as {
          type: string
          data: { stream: string; seq: number; places?: Record<string, number> }
        }
        if (type === 'streams-opened')
          for (const [id, place] of Object.entries(data.places ?? {})) if (!places.has(id)) places.set(id, place)
        if (type !== 'stream-event' || left === 0) return
        places.set(data.stream, data.seq)
        seen.get(data.stream)?.push(data.seq)
        left -= 1
        if (left === 0 || [...seen.values()].every((all) => all.length === total)) line.terminate()
      })
      // The first time it begins at the start, afterwards where it was left.
      const said = most === 3 ? { 'channel:a': 0, 'channel:b': 0 } : Object.fromEntries(places)
      line.send(JSON.stringify({ type: 'places', data: { places: said } }))
      await closed
    }
    await writing
    expect(seen.get('channel:a')).toEqual(numbers(1, total))
    expect(seen.get('channel:b')).toEqual(numbers(1, total))
  })

  test('begins what the account comes to follow while it is open, and ends what it may not follow any more', async () => {
    const { events, rooms, connect, announceRights } = await begin(open)
    const { frames, of } = await connect({})
    await expect.poll(() => frames).toHaveLength(1)
    await events.append(room('c'), said(1))
    rooms.add('c')
    announceRights()
    await expect.poll(() => frames.at(-1)?.data).toEqual({ places: { 'channel:c': 1 }, joined: true })
    await events.append(room('c'), said(2))
    await expect.poll(() => of('c')).toHaveLength(1)

    rooms.delete('c')
    announceRights()
    await expect.poll(() => of('c').at(-1)?.type).toBe('stream-closed')
    await events.append(room('c'), said(3))
    await events.append(room('a'), said(1))
    await expect.poll(() => of('a')).toHaveLength(1)
    expect(of('c')).toHaveLength(2)

    // A stream that ends is told as well.
    await events.append(room('b'), said(1), { close: true })
    await expect.poll(() => of('b').map(({ type }) => type)).toEqual(['stream-event', 'stream-closed'])
  })

  test('tells once that a place is gone', async () => {
    const { events, connect, age } = await begin(open)
    for (const n of numbers(1, 4)) await events.append(room('a'), said(n))
    age(10_000)
    await events.append(room('a'), said(5))
    await events.append(own, { type: 'preferences-changed', data: {} })
    await events.prune(5000)
    const { of, frames } = await connect({ 'channel:a': 1 }, '&after=700')
    await expect.poll(() => of('a')).toHaveLength(1)
    expect(of('a')[0]?.data).toEqual({ stream: 'channel:a', seq: 5, type: 'reset', data: {} })
    expect(frames.filter(({ seq }) => seq !== null)).toEqual([{ seq: 1, type: 'reset', data: {} }])
    await events.append(room('a'), said(6))
    await expect.poll(() => of('a').at(-1)?.data.seq).toBe(6)
  })

  test('is the same as an event stream, where only the own events have a number to come back with', async () => {
    const { events, url } = await begin(open)
    await events.append(room('a'), said(1))
    const stop = new AbortController()
    const frames: unknown[] = []
    const following = async (places: string | undefined): Promise<void> => {
      const query = places === undefined ? {} : { places }
      const stream = createClient(url, 'x').follow(systemRoutes.events, { query }, { signal: stop.signal })
      for await (const frame of stream) frames.push(frame)
    }
    const done = following('channel:a@0')
    await expect.poll(() => frames).toHaveLength(2)
    expect(frames).toEqual([
      {
        seq: 0,
        event: { type: 'streams-opened', data: { places: { 'channel:a': 0, 'channel:b': 0 }, joined: false } },
      },
      { seq: 0, event: { type: 'stream-event', data: { stream: 'channel:a', seq: 1, ...said(1) } } },
    ])
    await events.append(own, { type: 'preferences-changed', data: {} })
    await expect.poll(() => frames.at(-1)).toEqual({ seq: 1, event: { type: 'preferences-changed', data: {} } })
    stop.abort()
    await done
    const bad = await createClient(url, 'x').refusal(systemRoutes.events, { query: { places: 'channel:a' } })
    expect(bad.code).toBe('validation_failed')
  })

  test('whose page follows by the event stream is there as long as that, and a program that follows is not', async () => {
    const { presence, url } = await begin(open)
    const client = createClient(url, 'x')
    const [page, program] = [new AbortController(), new AbortController()]
    const read = async (query: { places?: string }, { signal }: AbortController) => {
      for await (const _ of client.follow(systemRoutes.events, { query }, { signal })) if (signal.aborted) return
    }
    const ended = [read({}, program)]
    expect(await presence.api.isPresent('ann')).toBe(false)
    ended.push(read({ places: '' }, page))
    await expect.poll(() => presence.api.isPresent('ann')).toBe(true)
    page.abort()
    await expect.poll(() => presence.api.isPresent('ann')).toBe(false)
    program.abort()
    await Promise.allSettled(ended)
  })

  test('who has loaded everything a moment ago gets what came since', async () => {
    const { events, connect, age, url } = await begin(open)
    await events.append(own, { type: 'preferences-changed', data: {} })
    await events.append(room('a'), said(1))
    age(30_000)
    await events.append(own, { type: 'preferences-changed', data: {} })
    await events.append(room('a'), said(2))
    age(2000)
    const { frames, of } = await connect({}, '&agoMs=5000')
    await expect.poll(() => frames.find(({ seq }) => seq !== null)?.seq).toBe(2)
    await expect.poll(() => of('a').map(({ data }) => data.seq)).toEqual([2])
    const stream = createClient(url, 'x').follow(systemRoutes.events, { query: { agoMs: 60_000 } })
    expect((await stream.next()).value?.seq).toBe(1)
    await stream.return(undefined)
  })

  test('a socket that is long on its way misses nothing of what came since everything was loaded', async () => {
    const { events, connect, age, issueTicket } = await begin(open)
    await events.append(room('a'), said(1))
    age(4000)
    await events.append(own, { type: 'preferences-changed', data: {} })
    await events.append(room('a'), said(2))
    age(2000)
    issueTicket()
    age(20_000)
    const { frames, of } = await connect({}, '&agoMs=3000')
    await expect.poll(() => frames.find(({ seq }) => seq !== null)?.type).toBe('preferences-changed')
    await expect.poll(() => of('a').map(({ data }) => data.seq)).toEqual([2])
  })

  test('who does not name places gets the own events alone', async () => {
    const { events, connect } = await begin(open)
    const { frames } = await connect(null)
    await events.append(room('a'), said(1))
    await events.append(own, { type: 'preferences-changed', data: {} })
    await expect.poll(() => frames).toEqual([{ seq: 1, type: 'preferences-changed', data: {} }])
  })

  test('tells what passes of what is on screen and followed, and of nothing else', async () => {
    const { events, signals, rooms, connect, announceRights } = await begin(open)
    const one = await connect({})
    const other = await connect({})
    one.say({ streams: ['channel:a', 'channel:none', 'account:ann'] }, 'shows')
    const signal = (stream: string, n: number): void => signals.send(stream, { type: 'typing', data: { n } })
    await expect
      .poll(() => {
        signal('channel:a', 1)
        return one.of('a').length
      })
      .toBeGreaterThan(0)
    expect(one.of('a')[0]).toEqual({
      seq: null,
      type: 'stream-signal',
      data: { stream: 'channel:a', type: 'typing', data: { n: 1 } },
    })
    // What is shown instead, or may not be followed any more, is told no more; an event that comes after proves it.
    one.say({ streams: ['channel:b'] }, 'shows')
    await expect
      .poll(() => {
        signal('channel:b', 2)
        return one.of('b').length
      })
      .toBeGreaterThan(0)
    rooms.delete('b')
    announceRights()
    await expect.poll(() => one.of('b').at(-1)?.type).toBe('stream-closed')
    for (const stream of ['channel:a', 'channel:b', 'channel:none', 'account:ann']) signal(stream, 3)
    await events.append(own, { type: 'preferences-changed', data: {} })
    for (const { frames } of [one, other])
      await expect.poll(() => frames.some(({ type }) => type === 'preferences-changed')).toBe(true)
    expect(JSON.stringify(one.frames)).not.toContain('"n":3')
    expect(other.frames.filter(({ type }) => type === 'stream-signal')).toEqual([])
    const early = await connect(null)
    early.say({ streams: [] }, 'shows')
    expect(await early.closed).toBe(1008)
  })

  test('says who is there of whom it shows and may know, and is itself there once the page says so', async () => {
    const { presence, connect } = await begin(open)
    const { frames, say, line } = await connect({})
    say({ streams: [], people: ['ann', 'eve'] }, 'shows')
    const people = () => frames.filter(({ type }) => type === 'presence').map(({ data }) => data)
    await expect.poll(people).toEqual([{ people: [{ userId: 'ann', state: 'away', status: null }] }])
    say({ active: true }, 'here')
    await expect.poll(() => presence.api.isPresent('ann')).toBe(true)
    line.close()
    await expect.poll(() => presence.api.isPresent('ann')).toBe(false)
    // Nothing of it was written.
    expect(frames.every(({ seq, type }) => type !== 'presence' || seq === null)).toBe(true)
  })

  test('many places come in several messages, and whatever else is said closes it', async () => {
    const { events, connect } = await begin(open)
    await events.append(room('a'), said(1))
    const { say, of, closed } = await connect(null)
    say({ places: { 'channel:a': 0 }, more: true })
    say({ places: { 'channel:b': 0 } })
    await expect.poll(() => of('a')).toHaveLength(1)
    say({ places: {} })
    expect(await closed).toBe(1008)
    const codes = await Promise.all(
      ['hello', '{"type":"places"}', '{"type":"shout","data":{}}', '{"type":"places","data":{"places":{"a b":1}}}'].map(
        async (text) => {
          const { line, closed } = await connect(null)
          line.send(text)
          return closed
        },
      ),
    )
    expect(codes).toEqual([1008, 1008, 1008, 1008])
  })
})
