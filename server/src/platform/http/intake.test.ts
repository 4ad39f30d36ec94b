import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { startSample, type Sample } from '../../testing/http-sample.ts'
import type { IntakeBounds } from './intake.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const start = async (intake: Partial<IntakeBounds> = {}): Promise<Sample> => {
  const sample = await startSample({ intake })
  ends.push(() => sample.stop(100))
  return sample
}

interface Sending {
  readonly socket: Socket
  /** All that was answered so far. */
  readonly heard: () => string
  readonly closed: Promise<unknown>
}

/** Begins to send a body to the route that makes a thing, and leaves the rest to the test. */
const begin = async (sample: Sample, account: string, head: string, body = ''): Promise<Sending> => {
  const socket = connect(Number(new URL(sample.url).port), '127.0.0.1')
  let heard = ''
  socket.on('data', (data) => (heard += data.toString()))
  socket.on('error', () => undefined)
  ends.push(() => socket.destroy())
  const closed = once(socket, 'close')
  socket.write(
    `POST /api/things HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${account}\r\n` +
      `content-type: application/json\r\n${head}\r\n\r\n${body}`,
  )
  return { socket, heard: () => heard, closed }
}

const codeIn = (heard: string): string | undefined => /"code":"(\w+)"/.exec(heard)?.[1]

const post = (sample: Sample, body: string) =>
  sample.ann.raw('/api/things', { method: 'POST', headers: { 'content-type': 'application/json' }, body })

test('a body of too many values is refused while it arrives, however small they are', async () => {
  const sample = await start()
  for (const item of ['{}', '[]', '1', '{"a":""}']) {
    const { socket, heard } = await begin(sample, 'ann', 'transfer-encoding: chunked')
    const piece = `${item},`.repeat(1000)
    socket.write(`1\r\n[\r\n`)
    for (let sent = 0; sent < 40 && !heard(); sent += 1) {
      socket.write(`${piece.length.toString(16)}\r\n${piece}\r\n`)
      await new Promise(setImmediate)
    }
    // The body never ends, so nothing but the bound can be the reason.
    await expect.poll(heard).toMatch(/^HTTP\/1\.1 413/)
    expect(heard()).toContain('20,000 values')
    socket.destroy()
  }
})

test.each([
  ['5,000 arrays deep', `${'['.repeat(5000)}${']'.repeat(5000)}`],
  ['20,000 objects deep', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`],
])('a body that is %s is refused with the reason', async (_, body) => {
  const sample = await start()
  const response = await post(sample, `{"title":${body}}`)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    code: 'validation_failed',
    detail: expect.stringContaining('64 levels'),
  })
  expect(sample.lines.filter(({ level }) => level === 'error')).toEqual([])
})

test('a body within the bounds arrives whole, in whichever pieces it comes', async () => {
  const sample = await start()
  const title = 'wörter "und" \\ 😀 '.repeat(20_000)
  const text = JSON.stringify({ title })
  expect(await (await post(sample, text)).json()).toEqual({ id: '1', title })
  const bytes = Buffer.from(JSON.stringify({ title: 'ü😀"\n' }))
  const { socket, heard } = await begin(sample, 'ann', `content-length: ${bytes.length}`)
  for (const byte of bytes) {
    socket.write(Buffer.from([byte]))
    await new Promise(setImmediate)
  }
  await expect.poll(heard).toMatch(/^HTTP\/1\.1 200/)
})

test('a guest may send less than somebody with an account', async () => {
  const sample = await start()
  const body = JSON.stringify({ pad: 'x'.repeat(200_000) })
  const headers = { 'content-type': 'application/json', origin: sample.url }
  expect((await sample.guest.raw('/api/enter', { method: 'POST', headers, body })).status).toBe(413)
})

test('a body that comes byte by byte ends its request when it was slow for too long', async () => {
  const sample = await start({ idleMs: 100 })
  const { socket, heard, closed } = await begin(sample, 'ann', 'content-length: 500', '{"title":"')
  const drip = setInterval(() => socket.write('x'), 10)
  ends.push(() => clearInterval(drip))
  await expect.poll(heard).toMatch(/^HTTP\/1\.1 408/)
  expect(codeIn(heard())).toBe('request_timeout')
  await closed
})

test('of bodies that come slowly, one sender has only so many at a time', async () => {
  const sample = await start({ slowBodies: 2 })
  const sendings: Sending[] = []
  for (let i = 0; i < 4; i += 1) sendings.push(await begin(sample, 'ann', 'content-length: 500', '{'))
  const refused = () => sendings.filter(({ heard }) => codeIn(heard()) === 'rate_limited')
  await expect.poll(() => refused().length).toBe(2)
  expect(refused()[0]?.heard()).toMatch(/^HTTP\/1\.1 429[\s\S]+retry-after: \d/i)
  expect((await post(sample, '{"title":"quick"}')).status).toBe(200)
})

test('large bodies take turns: for one sender, and for all', async () => {
  const sample = await start({ processBytes: 1_500_000, senderBytes: 1_000_000, patienceMs: 1500 })
  const size = 800_000
  const first = await begin(sample, 'ann', `content-length: ${size}`, '{"title":"')
  await expect.poll(() => first.socket.bytesWritten).toBeGreaterThan(0)
  const whole = `{"title":"${'x'.repeat(size - 12)}"}`
  const again = await begin(sample, 'ann', `content-length: ${size}`, whole)
  const other = await begin(sample, 'admin', `content-length: ${size}`, whole)
  await expect.poll(again.heard).toMatch(/^HTTP\/1\.1 429[\s\S]+retry-after: \d/i)
  await expect.poll(other.heard).toMatch(/^HTTP\/1\.1 503[\s\S]+retry-after: \d/i)
  // What is refused, cut off or answered gives its room back, and who waits for it gets it.
  const next = await begin(sample, 'ann', `content-length: ${size}`, whole)
  first.socket.destroy()
  await expect.poll(next.heard).toMatch(/^HTTP\/1\.1 200/)
})
