import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { addressKey, createRates } from './rates.ts'
import { fail } from './refusal.ts'
import { sleep, startSample, things } from '../../testing/http-sample.ts'

const clock = { time: 0, now: () => clock.time, id: () => 'an-id' }

test('a rule lets so many through in its window and says when to come back', () => {
  clock.time = 1_000_000
  const rates = createRates(clock, { rules: { connect: { max: 2, windowMs: 60_000 } } })
  expect(rates.take('connect', 'a')).toEqual({
    allowed: true,
    max: 2,
    remaining: 1,
    resetSeconds: 60,
    windowSeconds: 60,
  })
  clock.time += 30_500
  expect(rates.take('connect', 'a')).toMatchObject({ allowed: true, remaining: 0 })
  expect(rates.take('connect', 'a')).toMatchObject({ allowed: false, resetSeconds: 30 })
  expect(rates.take('connect', 'b')).toMatchObject({ allowed: true })
  expect(rates.take('stop', 'a')).toMatchObject({ allowed: true })
  clock.time += 29_500
  expect(rates.take('connect', 'a')).toMatchObject({ allowed: true, remaining: 1 })
})

test('the memory of rates is bounded, and those who are near their limit are kept longest', async () => {
  const rates = createRates(clock, { rules: { connect: { max: 1, windowMs: 60_000 } }, maxKeys: 100 })
  for (let i = 0; i < 1000; i += 1) await rates.take('connect', `k${i}`)
  expect(await rates.take('connect', 'k999')).toMatchObject({ allowed: false })
  expect(await rates.take('connect', 'k0')).toMatchObject({ allowed: true })
})

test.each([
  ['10.0.0.1', '10.0.0.1'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('the address %s counts as %s', (address, key) => {
  expect(addressKey(address)).toBe(key)
})

test('requests over the limit get 429 with the time to wait', async () => {
  const sample = await startSample({ limits: { connect: { max: 2, windowMs: 60_000 } } })
  const first = await sample.guest.raw('/api/rare')
  expect(first.headers.get('ratelimit-limit')).toBe('2')
  expect(first.headers.get('ratelimit-remaining')).toBe('1')
  await sample.guest.raw('/api/rare')
  const response = await sample.guest.raw('/api/rare')
  expect(response.status).toBe(429)
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await response.json()).toMatchObject({ code: 'rate_limited' })
  // An account has its own count.
  expect((await sample.ann.raw('/api/rare')).status).toBe(200)
  await sample.stop()
})

test('where only time helps, the answer says how long to wait', async () => {
  for (const [code, status] of [
    ['unavailable', 503],
    ['storage_full', 507],
  ] as const) {
    const sample = await startSample({
      authenticate: async () => {
        throw fail(code)
      },
    })
    const response = await sample.ann.raw('/api/things')
    expect(response.status).toBe(status)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    await sample.stop()
  }
})

test('who forwards is believed only as far as TRUST_PROXY reaches', async () => {
  const forwarded = { 'x-forwarded-for': '9.9.9.9, 8.8.8.8' }
  const address = async (trustProxy: number | readonly string[] | undefined) => {
    const sample = await startSample({ trustProxy })
    const response = await sample.guest.call(things.hello, {}, { headers: forwarded })
    await sample.stop()
    return response.address
  }
  expect(await address(undefined)).toBe('127.0.0.1')
  expect(await address(0)).toBe('127.0.0.1')
  expect(await address(1)).toBe('8.8.8.8')
  expect(await address(2)).toBe('9.9.9.9')
  expect(await address(['127.0.0.0/8'])).toBe('8.8.8.8')
  expect(await address(['10.0.0.1'])).toBe('127.0.0.1')
})

const talk = async (url: string, text: string, waitMs = 60_000): Promise<string> => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let heard = ''
  socket.on('data', (data) => (heard += data.toString()))
  const closed = new Promise((resolve) => socket.on('close', resolve))
  socket.on('error', () => {})
  socket.write(text)
  await Promise.race([closed, sleep(waitMs)])
  socket.destroy()
  return heard
}

test('what is no HTTP, or has too large a head, gets a problem too', async () => {
  const sample = await startSample()
  const nonsense = await talk(sample.url, 'BLAH\r\n\r\n')
  expect(nonsense).toMatch(/^HTTP\/1\.1 400 Bad Request/)
  expect(nonsense).toContain('"code":"validation_failed"')
  expect(nonsense.toLowerCase()).toContain('content-security-policy')
  const large = await talk(sample.url, `GET /api/hello HTTP/1.1\r\nhost: x\r\nx-big: ${'x'.repeat(20_000)}\r\n\r\n`)
  expect(large).toMatch(/^HTTP\/1\.1 431/)
  expect(large).toContain('"code":"headers_too_large"')
  const homeless = await talk(sample.url, 'GET /api/hello HTTP/1.1\r\nconnection: close\r\n\r\n')
  expect(homeless).toMatch(/^HTTP\/1\.1 400/)
  expect(homeless).toContain('Host header')
  const twoHosts = await talk(sample.url, 'GET /api/hello HTTP/1.1\r\nhost: a\r\nHost: b\r\nconnection: close\r\n\r\n')
  expect(twoHosts).toMatch(/^HTTP\/1\.1 400[\s\S]+more than one Host header/)
  for (const line of ['GET /api/hello', 'GET /api/hello HTTP/0.9', 'GET /api/hello HTTP/2.0'])
    expect(await talk(sample.url, `${line}\r\nhost: a\r\n\r\n`), line).toMatch(/^HTTP\/1\.1 400/)
  expect(await talk(sample.url, 'GET /api/hello HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200/)
  const brokenChunk = 'content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nnonsense\r\n'
  const broken = await talk(
    sample.url,
    `POST /api/start HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ann\r\n${brokenChunk}`,
  )
  expect(broken).toMatch(/^HTTP\/1\.1 400/)
  const expecting = 'GET /api/hello HTTP/1.1\r\nhost: x\r\nexpect: wonders\r\nconnection: close\r\n\r\n'
  expect(await talk(sample.url, expecting)).toMatch(/^HTTP\/1\.1 200/)
  const both = 'content-length: 3\r\ntransfer-encoding: chunked\r\n\r\nabc'
  expect(await talk(sample.url, `POST /api/start HTTP/1.1\r\nhost: x\r\n${both}`)).toMatch(/^HTTP\/1\.1 400/)
  await sample.stop()
})

test('an upload that is cut off leaves nothing behind, and the server goes on', async () => {
  const sample = await startSample()
  const head =
    'POST /api/files?name=x HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ann\r\ncontent-length: 500\r\n\r\nabc'
  await talk(sample.url, head, 100)
  await sleep(50)
  expect(sample.lines.filter((line) => line.level === 'error')).toEqual([])
  expect(await sample.guest.call(things.hello, {})).toMatchObject({ who: null })
  await sample.stop()
})
