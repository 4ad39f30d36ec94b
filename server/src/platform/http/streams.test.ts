import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asked, type Sample, sleep, startSample, things } from '../../testing/http-sample.ts'

let sample: Sample
beforeAll(async () => {
  sample = await startSample({ followers: { perSession: 100, perAccount: 100 } })
})
afterAll(() => sample.stop())

const until = async (holds: () => boolean): Promise<void> => {
  await expect.poll(holds).toBe(true)
}
/** Reads a stream on and on, and counts what it carries. */
const collectTicks = (response: Response) => {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  let count = 0
  const done = (async () => {
    while (!(await reader.read()).done) count += 1
  })()
  return {
    count: () => count,
    stop: async () => {
      await reader.cancel()
      await done
    },
  }
}
const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

test('events come as frames with their place in the log', async () => {
  const response = await sample.ann.raw('/api/ticks?count=2')
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('no-cache, no-transform')
  expect(response.headers.get('x-accel-buffering')).toBe('no')
  expect(response.headers.get('x-request-id')).toBeTruthy()
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('ratelimit-limit')).toBeTruthy()
  expect(await response.text()).toBe(
    'id: 1\nevent: tick\ndata: {"n":1}\n\nid: 2\nevent: tick\ndata: {"n":2}\n\nid: 3\nevent: done\ndata: {}\n\n',
  )
  await until(() => sample.openStreams === 0)
})

test('any script arrives whole', async () => {
  const frames = await all(sample.ann.follow(things.ticks, { query: { mode: 'scripts', count: 40 } }))
  expect(frames).toHaveLength(41)
  expect(frames[7]?.event.data).toEqual({ n: 8, pad: 'مرحبا 😀 größer' })
})

test('many streams at once each get all of their events, in order', async () => {
  const streams = Array.from({ length: 60 }, () => all(sample.ann.follow(things.ticks, { query: { count: 500 } })))
  for (const frames of await Promise.all(streams))
    expect(frames.map(({ seq }) => seq)).toEqual(Array.from({ length: 501 }, (_, index) => index + 1))
})

test('a stream goes on after the last event that was seen', async () => {
  const frames = await all(sample.ann.follow(things.ticks, { query: { count: 5 } }, { after: 3 }))
  expect(frames.map(({ seq }) => seq)).toEqual([4, 5, 6])
  const asked = await all(sample.ann.follow(things.ticks, { query: { count: 5, after: 4 } }))
  expect(asked.map(({ seq }) => seq)).toEqual([5, 6])
  for (const id of ['x', '-1', '1.5'])
    expect((await sample.ann.raw('/api/ticks', { headers: { 'last-event-id': id } })).status).toBe(400)
})

test('a stream counts as an answer when it ends, and is known as a stream', async () => {
  const answers: { route: string; status: number; stream: boolean }[] = []
  const own = await startSample({ answered: ({ route, status, stream }) => answers.push({ route, status, stream }) })
  await all(own.ann.follow(things.ticks, {}))
  await own.guest.refusal(things.ticks, {})
  await own.stop()
  expect(answers).toEqual([
    { route: '/api/ticks', status: 200, stream: true },
    { route: '/api/ticks', status: 401, stream: false },
  ])
})

test('what fails before the first event is a problem', async () => {
  expect(await sample.guest.refusal(things.ticks, {})).toMatchObject({ status: 401 })
  expect(await sample.ann.refusal(things.ticks, { query: { mode: 'refused' } })).toMatchObject({ status: 404 })
  expect(await sample.ann.refusal(things.ticks, { query: { mode: 'broken' } })).toMatchObject({ code: 'internal' })
  expect(await sample.ann.refusal(things.ticks, { query: { count: 'x' } })).toMatchObject({ status: 400 })
})

test('what fails later is the last event, in words of ours', async () => {
  const text = await (await sample.ann.raw('/api/ticks?mode=breaks')).text()
  expect(text).toMatch(
    /^id: 1\nevent: tick\ndata: {"n":1}\n\nevent: error\ndata: {"code":"internal","detail":"[^"]+"}\n\n$/,
  )
  expect(text).not.toContain('a bug')
})

test('an event that does not fit its schema does not leave the server', async () => {
  const text = await (await sample.ann.raw('/api/ticks?mode=bad')).text()
  expect(text).not.toContain('secret')
})

test('the head is sent at once when the first event comes late', async () => {
  // The event itself comes later than a test may take.
  const response = await sample.ann.raw('/api/ticks?mode=never&count=1')
  expect(response.status).toBe(200)
  await response.body?.cancel()
})

test('a quiet stream is kept awake by comments', async () => {
  const quiet = sample.ann.raw('/api/ticks?mode=late')
  const slow = await startSample({ heartbeatMs: 30 })
  const text = await (await slow.ann.raw('/api/ticks?mode=late')).text()
  expect(text.startsWith(':\n\n')).toBe(true)
  await slow.stop()
  await (await quiet).text()
})

test('when the client goes, the source is told', async () => {
  for await (const { seq } of sample.ann.follow(things.ticks, { query: { mode: 'endless' } })) if (seq > 3) break
  await until(() => sample.openStreams === 0)
})

test('when the session ends, its streams end whole', async () => {
  const response = await sample.ann.raw('/api/ticks?mode=endless')
  setTimeout(() => sample.endSession('session-ann'), 50)
  const text = await response.text()
  expect(text.endsWith('\n\n')).toBe(true)
  await until(() => sample.openStreams === 0)
})

test('a client that does not read is not waited for in memory, and is closed in the end', async () => {
  const own = await startSample({ heartbeatMs: 150, stallMs: 400 })
  const { port } = new URL(own.url)
  const headers = { authorization: 'Bearer ann' }
  const before = process.memoryUsage().arrayBuffers
  const closed = await new Promise((resolve) => {
    const call = request({ port, path: '/api/ticks?mode=flood', headers }, (response) => {
      // Never read.
      response.on('error', resolve).on('close', resolve)
      response.pause()
      void until(() => own.openStreams === 0).then(resolve)
    })
    call.on('error', resolve)
    call.end()
    setTimeout(() => expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000), 300)
  })
  expect(closed).toBeUndefined()
  await own.stop(50)
})

test('of too many streams of one session the oldest gives way, and goes on from where it was', async () => {
  const own = await startSample()
  const open = async (id = '0') => own.ann.raw('/api/ticks?mode=endless', { headers: { 'last-event-id': id } })
  const first = await open()
  const others = await Promise.all(Array.from({ length: 6 }, () => open()))
  const text = await first.text()
  expect(text).toMatch(/\n\nevent: replaced\ndata: \{"detail":"[^"]+"\}\n\n$/)
  expect(own.openStreams).toBe(6)
  const last = [...text.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1] ?? ''
  const again = await open(last)
  const reader = (again.body as ReadableStream<Uint8Array>).getReader()
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toMatch(`id: ${Number(last) + 1}\n`)
  await reader.cancel()
  await Promise.all(others.map(async (one) => await one.body?.cancel().catch(() => undefined)))
  await own.stop(50)
})

test('clients that do not read are cut off at once when too much waits for all of them', async () => {
  // Nobody would be cut off for being slow within the time of a test.
  const own = await startSample({ heartbeatMs: 60, stallMs: 600_000, waitingBytes: 100_000 })
  const reading = collectTicks(await own.ann.raw('/api/ticks?mode=endless'))
  const lines = Array.from({ length: 4 }, () => {
    const socket = connect(Number(new URL(own.url).port), '127.0.0.1').pause()
    socket.write('GET /api/ticks?mode=flood HTTP/1.1\r\nhost: x\r\nauthorization: Bearer admin\r\n\r\n')
    return socket.on('error', () => undefined)
  })
  // All of them were open, if only for a moment.
  await Promise.all(lines.map((line) => once(line, 'readable')))
  await expect.poll(() => own.openStreams).toBeLessThan(4)
  const before = reading.count()
  await until(() => reading.count() > before + 3)
  for (const socket of lines) socket.destroy()
  await reading.stop()
  await own.stop(50)
})

test('a client that reads again after a pause is sent the rest, also where one event is more than the connection takes', async () => {
  const own = await startSample({ stallMs: 600_000 })
  const response = await own.ann.raw('/api/ticks?mode=bulky&count=3')
  await sleep(100)
  // Were nobody told that there is room again, this would never end.
  expect((await response.text()).match(/^id: \d+$/gm)).toEqual(['id: 1', 'id: 2', 'id: 3', 'id: 4'])
  await own.stop(50)
})

test('a client that lets too much wait alone is cut off, and goes on without a gap', async () => {
  // Nobody would be cut off for being slow, or for what waits for all, within the time of a test.
  const own = await startSample({ heartbeatMs: 2400, stallMs: 600_000, waitingBytes: 2 ** 30 })
  const get = (id: number) =>
    `GET /api/ticks?mode=bulky&count=3 HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ann\r\nlast-event-id: ${id}\r\n\r\n`
  const silent = connect(Number(new URL(own.url).port), '127.0.0.1').pause()
  silent.on('error', () => undefined).write(get(0))
  await once(silent, 'readable')
  await expect.poll(() => own.openStreams).toBe(0)
  // Of what had left for it, not even one event is whole.
  const got = Buffer.concat(await all(silent as AsyncIterable<Buffer>)).toString()
  expect(got).toContain('id: 1\n')
  expect(got).not.toContain('id: 2\n')
  const again = await all(own.ann.follow(things.ticks, { query: { mode: 'bulky', count: 3 } }, { after: 0 }))
  expect(again.map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
  await own.stop(50)
})

test('on stop, streams end with a hint and whole frames, and requests in flight are answered', async () => {
  const own = await startSample()
  const stream = await own.ann.raw('/api/ticks?mode=endless')
  const before = asked.slow
  const slow = own.guest.raw('/api/slow')
  await until(() => asked.slow > before)
  const stopped = own.stop()
  const text = await stream.text()
  expect(text.endsWith('retry: 1000\n\n')).toBe(true)
  for (const frame of text.split('\n\n').slice(0, -2)) expect(frame).toMatch(/^id: \d+\nevent: tick\ndata: {"n":\d+}$/)
  expect((await slow).status).toBe(200)
  await stopped
  await expect(own.guest.raw('/api/hello')).rejects.toThrow()
})

test('a connection on which nothing was asked does not hold up the end', async () => {
  const own = await startSample()
  const silent = connect(Number(new URL(own.url).port), '127.0.0.1')
  await once(silent, 'connect')
  const closed = once(silent, 'close')
  // Were it waited for, this would take longer than a test may.
  await own.stop(300_000)
  await closed
})

test('a request that does not end is cut when its time is over', async () => {
  const own = await startSample()
  const stuck = own.guest.raw('/api/stuck').catch(() => 'cut')
  await sleep(50)
  await own.stop(50)
  expect(await stuck).toBe('cut')
})
