import { connect } from 'node:net'
import { routes } from '@atrium/contract/route'
import { z } from 'zod'
import { afterEach, describe, expect, test } from 'vitest'
import { type Sample, sleep, startSample } from '../../testing/http-sample.ts'
import { bindRoutes, type RelayAnswer } from './area.ts'
import { fail } from './refusal.ts'

const foreign = routes({
  speak: {
    method: 'get',
    path: '/v1/speak/{mode}',
    names: 'instance',
    access: 'user',
    dialect: 'openai',
    slashes: true,
    summary: 'A foreign shape',
    params: z.strictObject({ mode: z.string().min(1).max(20) }),
    returns: z.looseObject({}),
  },
  told: {
    method: 'post',
    path: '/v1/messages',
    access: 'user',
    dialect: 'anthropic',
    summary: 'Another one',
    maxBodyBytes: 1000,
    body: z.looseObject({ text: z.string() }),
    returns: z.looseObject({}),
  },
})

/** How many pieces of the endless stream were made, and whether its source was left. */
const seen = { made: 0, left: false }

async function* pieces(mode: string, signal: AbortSignal): AsyncGenerator<string> {
  if (mode === 'refused') throw fail('conflict')
  if (mode === 'bug') throw new Error('internal words that nobody may see')
  if (mode === 'late') await sleep(250, signal)
  try {
    yield 'data: 1\n\n'
    if (mode === 'fails') throw fail('provider_failed', 'It failed.')
    if (mode === 'breaks') throw new Error('internal words that nobody may see')
    while ((mode === 'flood' || mode === 'quiet') && !signal.aborted) {
      if (mode === 'quiet') await sleep(5000, signal)
      else yield `data: ${'x'.repeat(65_536)}\n\n`
      seen.made += 1
      await sleep(0)
    }
    yield 'data: 2\n\n'
  } finally {
    seen.left = true
  }
}

const area = bindRoutes({
  name: 'foreign',
  routes: foreign,
  handlers: {
    async speak({ params: { mode } }, { signal }): Promise<RelayAnswer> {
      if (mode === 'whole') return { mediaType: 'application/json; charset=utf-8', body: '{"a":1}' }
      if (mode === 'bytes') return { mediaType: 'audio/wav', body: Buffer.from('RIFF'), headers: { 'x-own': 'yes' } }
      const body = pieces(mode === 'cut' ? 'fails' : mode, signal)
      if (mode === 'sound' || mode === 'cut') return { mediaType: 'audio/wav', body }
      const failed = ({ code }: { code: string }) => `data: {"error":"${code}"}\n\n`
      return { mediaType: 'text/event-stream; charset=utf-8', body, failed }
    },
    told: async () => ({ mediaType: 'application/json; charset=utf-8', body: '{}' }),
  },
})

let sample: Sample
const start = async (options: Parameters<typeof startSample>[0] = {}) => {
  sample = await startSample({ areas: [area], ...options })
  seen.made = 0
  seen.left = false
}
afterEach(() => sample.stop(50))

describe('an answer in a foreign shape', () => {
  test('is sent as it was made, whole or piece by piece', async () => {
    await start()
    const whole = await sample.ann.raw('/v1/speak/whole')
    expect([await whole.text(), whole.headers.get('content-type')]).toEqual([
      '{"a":1}',
      'application/json; charset=utf-8',
    ])
    const bytes = await sample.ann.raw('/v1/speak/bytes')
    expect([await bytes.text(), bytes.headers.get('x-own')]).toEqual(['RIFF', 'yes'])
    const stream = await sample.ann.raw('/v1/speak/plain')
    expect(await stream.text()).toBe('data: 1\n\ndata: 2\n\n')
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(stream.headers.get('x-request-id')).toBeTruthy()
    expect(stream.headers.get('ratelimit-limit')).toBeTruthy()
    expect(seen.left).toBe(true)
  })

  test('fails as an answer of its own before the first piece, and with last words after it', async () => {
    await start()
    const refused = await sample.ann.raw('/v1/speak/refused')
    expect([refused.status, await refused.json()]).toMatchObject([409, { error: { code: 'conflict' } }])
    const bug = await sample.ann.raw('/v1/speak/bug')
    expect(bug.status).toBe(500)
    expect(await bug.text()).not.toContain('internal words')
    expect(await (await sample.ann.raw('/v1/speak/fails')).text()).toBe(
      'data: 1\n\ndata: {"error":"provider_failed"}\n\n',
    )
    expect(await (await sample.ann.raw('/v1/speak/breaks')).text()).toBe('data: 1\n\ndata: {"error":"internal"}\n\n')
    expect(sample.lines.filter(({ level }) => level === 'error')).toHaveLength(2)
  })

  test('without last words a failure cuts the connection: nobody takes half of it for the whole', async () => {
    await start()
    await expect(sample.ann.raw('/v1/speak/cut').then((answer) => answer.text())).rejects.toThrow()
    expect(await (await sample.ann.raw('/v1/speak/sound')).text()).toBe('data: 1\n\ndata: 2\n\n')
  })

  test('gets comments while it is quiet, also before its first piece', async () => {
    await start({ heartbeatMs: 90 })
    expect(await (await sample.ann.raw('/v1/speak/late')).text()).toMatch(/^(: \n\n)+data: 1\n\ndata: 2\n\n$/)
  })

  test('does not run ahead of a client that does not read, and leaves it in the end', async () => {
    await start({ stallMs: 300 })
    const { hostname, port } = new URL(sample.url)
    const socket = connect(Number(port), hostname)
    socket.pause()
    socket.write('GET /v1/speak/flood HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ann\r\n\r\n')
    await expect.poll(() => seen.left).toBe(true)
    // What fits into the buffers of both ends, and not what could have been made meanwhile.
    expect(seen.made).toBeLessThan(200)
    socket.destroy()
  })

  test('ends for its source when the client goes, when the session ends, and when the server stops', async () => {
    await start()
    const left = new AbortController()
    const going = await sample.ann.raw('/v1/speak/quiet', { signal: left.signal })
    expect(sample.openStreams).toBe(1)
    left.abort()
    await going.text().catch(() => {})
    await expect.poll(() => seen.left).toBe(true)
    seen.left = false
    const ended = await sample.ann.raw('/v1/speak/quiet')
    sample.endSession('session-ann')
    await ended.text().catch(() => {})
    await expect.poll(() => seen.left).toBe(true)
    seen.left = false
    const stopped = await sample.ann.raw('/v1/speak/quiet')
    await Promise.all([sample.stop(50), stopped.text().catch(() => {})])
    expect(seen.left).toBe(true)
    await start()
  })
})

test('refusals of every kind speak the language of the path', async () => {
  await start()
  const openai = { error: { message: expect.any(String), type: expect.any(String), code: expect.any(String) } }
  const anthropic = { type: 'error', ...openai }
  const json = { 'content-type': 'application/json' }
  const cases = [
    [401, openai, sample.guest.raw('/v1/speak/plain')],
    [403, openai, sample.guest.raw('/v1/speak/plain', { headers: { authorization: 'Bearer frozen' } })],
    [404, openai, sample.ann.raw('/v1/nothing')],
    [405, openai, sample.ann.raw('/v1/speak/plain', { method: 'POST' })],
    [400, openai, sample.ann.raw(`/v1/speak/${'x'.repeat(21)}`)],
    [401, anthropic, sample.guest.raw('/v1/messages', { method: 'POST', headers: { authorization: 'Bearer nobody' } })],
    [405, anthropic, sample.ann.raw('/v1/messages')],
    [
      413,
      anthropic,
      sample.ann.raw('/v1/messages', { method: 'POST', headers: json, body: JSON.stringify('x'.repeat(1001)) }),
    ],
    [400, anthropic, sample.ann.raw('/v1/messages', { method: 'POST', headers: json, body: '{"text":7}' })],
    // A client of that family says so, wherever it asks.
    [404, anthropic, sample.ann.raw('/v1/nothing', { headers: { 'anthropic-version': '2023-06-01' } })],
  ] as const
  for (const [status, shape, asked] of cases) {
    const answer = await asked
    expect([answer.status, await answer.json()]).toMatchObject([status, shape])
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  }
  const elsewhere = await sample.ann.raw('/api/nothing')
  expect(elsewhere.headers.get('content-type')).toMatch(/^application\/problem\+json/)
})

test('the last parameter of a path may hold slashes', async () => {
  await start()
  expect((await sample.ann.raw('/v1/speak/whole')).status).toBe(200)
  const asked = await sample.ann.raw('/v1/speak/a/b%2Fc/d')
  expect(await asked.text()).toBe('data: 1\n\ndata: 2\n\n')
})
