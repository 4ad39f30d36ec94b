import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { testClock } from '../../testing/clock.ts'
import { createLog } from '../log/log.ts'
import type { Caller, Frame, Socket } from './area.ts'
import type { HttpOptions } from './options.ts'
import { createHttp } from './server.ts'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

const caller: Caller = { accountId: 'ann', sessionId: 's1', role: 'user', via: 'bearer', token: null }
type Source = (visit: { after: number | null; signal: AbortSignal }) => AsyncIterable<Frame<unknown>>

/** A server with one socket whose only ticket is `good`. */
const serve = async (source: Source, more: Partial<HttpOptions> = {}, says: Partial<Socket> = {}) => {
  const ended = new Map<string, () => void>()
  const http = await createHttp({
    areas: [
      {
        name: 'sample',
        routes: {},
        handlers: {},
        sockets: [{ path: '/ws', audience: 'events', open: async (visit) => source(visit), ...says }],
      },
    ],
    authenticate: async () => null,
    clock: testClock(),
    log: createLog({ level: 'silent' }),
    watchSession: (id, end) => {
      ended.set(id, end)
      return () => void ended.delete(id)
    },
    redeem: async (ticket, audience) =>
      ticket === 'good' && audience === 'events' ? { caller, issuedAt: 0, stands: async () => true } : null,
    ...more,
  })
  stops.push(() => http.stop(100))
  const url = await http.listen('127.0.0.1', 0)
  const socket = (query: string, headers: Record<string, string> = {}) =>
    new WebSocket(`${url.replace('http', 'ws')}/ws${query}`, { headers })
  /** What an upgrade is refused with. */
  const refusal = async (query: string, headers: Record<string, string> = {}) => {
    const line = socket(query, headers)
    const [, response] = (await once(line, 'unexpected-response')) as [
      unknown,
      AsyncIterable<Buffer> & { statusCode: number; headers: Record<string, string> },
    ]
    const text = Buffer.concat(await Array.fromAsync(response)).toString()
    return { status: response.statusCode, type: response.headers['content-type'], body: JSON.parse(text) }
  }
  return { http, url, socket, refusal, ended }
}

/** Gives some frames, then stays quiet. */
const some = (count: number, data: unknown = {}): Source =>
  async function* ({ after, signal }) {
    for (let seq = (after ?? 0) + 1; seq <= count; seq++) yield { seq, event: { type: 'counted', data } }
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
  }

const received = (line: WebSocket): unknown[] => {
  const messages: unknown[] = []
  line.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString())))
  return messages
}
const closed = async (line: WebSocket): Promise<number> => ((await once(line, 'close')) as [number])[0]

test('a ticket opens a socket, which carries numbered events from where the client says', async () => {
  const { socket, http } = await serve(some(5, { id: 'x' }))
  const line = socket('?ticket=good&after=3')
  const messages = received(line)
  await expect.poll(() => messages).toHaveLength(2)
  expect(messages[0]).toEqual({ seq: 4, type: 'counted', data: { id: 'x' } })
  expect(http.openStreams).toBe(1)
  line.close()
  await expect.poll(() => http.openStreams).toBe(0)
})

test('without a good ticket, from another site, or past the limit, it is refused in words before it opens', async () => {
  const { refusal, url } = await serve(some(1), { limits: { read: { max: 9, windowMs: 60_000 } } })
  const problem = { type: 'application/problem+json; charset=utf-8' }
  for (const query of ['', '?ticket=', '?ticket=bad', '?ticket=a.b.c', `?ticket=${'x'.repeat(9000)}`])
    expect(await refusal(query)).toMatchObject({ ...problem, status: 401, body: { code: 'unauthenticated' } })
  expect(await refusal('?ticket=good', { origin: 'https://evil.example' })).toMatchObject({
    ...problem,
    status: 403,
    body: { code: 'cross_origin' },
  })
  expect(await refusal('?ticket=good', { origin: 'null' })).toMatchObject({ status: 403 })
  expect(await refusal('?ticket=good&after=-1')).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
  expect(await refusal('?ticket=good', { origin: 'https://evil.example' })).toMatchObject({ status: 403 })
  expect(await refusal('?ticket=good')).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  const plain = await fetch(`${url}/ws?ticket=good`)
  expect(plain.status).toBe(426)
  expect(plain.headers.get('upgrade')).toBe('websocket')
})

test('a page of the own origin, or of the known address, may come in', async () => {
  const { socket, url } = await serve(some(1), { baseUrl: new URL('https://chat.example.org') })
  for (const origin of [url, 'https://chat.example.org']) {
    const line = socket('?ticket=good', { origin })
    await once(line, 'open')
    line.close()
  }
})

test('other paths have no socket, broken handshakes are refused, and other upgrades are plain requests', async () => {
  const { url } = await serve(some(1))
  const elsewhere = new WebSocket(`${url.replace('http', 'ws')}/api/ws?ticket=good`)
  const [, response] = (await once(elsewhere, 'unexpected-response')) as [unknown, { statusCode: number }]
  expect(response.statusCode).toBe(404)
  elsewhere.on('error', () => undefined).terminate()

  const say = async (...lines: string[]): Promise<string> => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    socket.end([...lines, `Host: ${hostname}:${port}`, '', ''].join('\r\n'))
    return Buffer.concat(await Array.fromAsync(socket as AsyncIterable<Buffer>)).toString()
  }
  const broken = await say('GET /ws?ticket=good HTTP/1.1', 'Connection: Upgrade', 'Upgrade: websocket')
  expect(broken).toMatch(/^HTTP\/1.1 400/)
  const http2 = await say('GET /ws HTTP/1.1', 'Connection: Upgrade', 'Upgrade: h2c')
  expect(http2).toMatch(/^HTTP\/1.1 426/)
})

test('it closes with 1008 when the session ends, also when that happens while it opens', async () => {
  const { socket, ended } = await serve(some(1))
  const line = socket('?ticket=good')
  await once(line, 'open')
  ended.get('s1')?.()
  expect(await closed(line)).toBe(1008)
  const gone = await serve(some(1), { redeem: async () => ({ caller, issuedAt: 0, stands: async () => false }) })
  expect(await closed(gone.socket('?ticket=good'))).toBe(1008)
})

test('it closes with 1001 when the server stops, and whoever does not answer is cut', async () => {
  const { http, socket } = await serve(some(1))
  const line = socket('?ticket=good')
  const deaf = socket('?ticket=good')
  await Promise.all([once(line, 'open'), once(deaf, 'open')])
  deaf.pause()
  const code = closed(line)
  await http.stop(100)
  expect(await code).toBe(1001)
  deaf.terminate()
})

test('nothing is read where nothing may be said: whoever sends something is closed, whoever sends much is cut', async () => {
  const { socket } = await serve(some(1))
  const line = socket('?ticket=good')
  await once(line, 'open')
  line.send('hello')
  expect(await closed(line)).toBe(1003)
  const loud = socket('?ticket=good')
  await once(loud, 'open')
  loud.on('error', () => undefined)
  loud.send('x'.repeat(4097))
  expect([1006, 1009]).toContain(await closed(loud))
})

test('only what a socket allows may be said, and only so often', async () => {
  const heard: unknown[] = []
  const says = z.strictObject({ type: z.literal('here') })
  const open: NonNullable<Parameters<typeof serve>[2]>['open'] = async ({ onSaid, ...visit }) => {
    onSaid((message) => heard.push(message))
    return some(1)(visit)
  }
  const { socket } = await serve(some(1), {}, { says, open })
  const enter = async (): Promise<WebSocket> => {
    const line = socket('?ticket=good')
    line.on('error', () => undefined)
    await once(line, 'open')
    return line
  }
  const line = await enter()
  line.send('{"type":"here"}')
  await expect.poll(() => heard).toEqual([{ type: 'here' }])
  line.send('{"type":"here","more":1}')
  expect(await closed(line)).toBe(1008)
  const binary = await enter()
  binary.send(Buffer.from('{"type":"here"}'))
  expect(await closed(binary)).toBe(1003)
  const loud = await enter()
  loud.send('x'.repeat(4097))
  expect([1006, 1009]).toContain(await closed(loud))
  const often = await enter()
  for (let n = 0; n < 500; n += 1) often.send('{"type":"here"}')
  expect(await closed(often)).toBe(1008)
  expect(heard.length).toBeLessThan(200)
})

test('a client that answers no ping is cut off', async () => {
  const { socket, http } = await serve(some(1), { heartbeatMs: 1000 })
  const quick = socket('?ticket=good')
  const mute = new WebSocket(quick.url, { autoPong: false })
  await Promise.all([once(quick, 'open'), once(mute, 'open')])
  expect(await closed(mute)).toBe(1006)
  await expect.poll(() => http.openStreams).toBe(1)
})

test('a client that does not take what it is sent is left alone, then cut off, and goes on where it was', async () => {
  let given = 0
  const flood: Source = async function* ({ after }) {
    for (let seq = (after ?? 0) + 1; ; seq += 1) {
      given += 1
      yield { seq, event: { type: 'counted', data: 'x'.repeat(64 * 1024) } }
    }
  }
  const { socket, http } = await serve(flood, { stallMs: 1500 })
  const line = socket('?ticket=good')
  const seen: number[] = []
  const hear = (data: Buffer): void => void seen.push((JSON.parse(data.toString()) as { seq: number }).seq)
  line.on('message', hear)
  await once(line, 'message')
  line.pause()
  await expect.poll(() => http.openStreams).toBe(0)
  // What fits into the buffers of the two ends, and not more.
  expect(given).toBeLessThan(2000)
  line.off('message', hear)
  line.terminate()
  const last = seen.length
  const again = socket(`?ticket=good&after=${last}`)
  again.on('message', hear)
  await expect.poll(() => seen.length).toBeGreaterThan(last + 20)
  again.terminate()
  expect(seen).toEqual(seen.map((_, index) => index + 1))
})

test('of too many sockets of one account the oldest gives way, and streams count with them', async () => {
  const { socket, http } = await serve(some(0), { followers: { perSession: 3 } })
  const first = socket('?ticket=good')
  await once(first, 'open')
  const code = closed(first)
  for (let opened = 0; opened < 3; opened += 1) await once(socket('?ticket=good'), 'open')
  expect(await code).toBe(1013)
  await expect.poll(() => http.openStreams).toBe(3)
})
