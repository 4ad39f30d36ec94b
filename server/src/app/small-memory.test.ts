/** Untrusted input, of people and programs, to a server with little memory: it refuses, and goes on serving others. */
import { request } from 'node:http'
import { connect } from 'node:net'
import { once } from 'node:events'
import { accountsRoutes } from '@atrium/contract/accounts'
import { chatRoutes } from '@atrium/contract/chat'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../e2e/provider/provider.ts'
import { type TestApp, startTestApp } from '../testing/app.ts'
import { local } from '../testing/chats.ts'
import type { Client } from '../testing/client.ts'

let provider: Provider
let app: TestApp
let admin: Client
const metricsToken = 'a-token-for-metrics'
beforeAll(async () => {
  provider = await startProvider()
  provider.control({ reset: true, models: ['long-2000'] })
  const env = { OLLAMA_BASE_URL: provider.url, METRICS_TOKEN: metricsToken }
  app = await startTestApp({ ownProcess: true, env, nodeOptions: ['--max-old-space-size=512'] })
  admin = await app.signUpAdmin()
})
afterAll(async () => {
  await app?.close()
  await provider?.close()
})

interface Answered {
  readonly status: number
  readonly text: string
}

/**
 * Sends `size` bytes, `piece` again and again between `head` and `tail`, and gives what is answered, also before the end.
 * Where the connection was closed before its answer could be read, it is sent again.
 */
const send = async (path: string, shape: readonly [string, string, string], size = 30_000_000): Promise<Answered> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await sendOnce(path, shape, size)
    } catch (error) {
      if (tries === 3 || (error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
    }
  }
}

const sendOnce = (path: string, [head, piece, tail]: readonly [string, string, string], size: number) =>
  new Promise<Answered>((resolve, reject) => {
    const call = request(new URL(path, app.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
    })
    let answered = false
    call.on('response', (response) => {
      answered = true
      void Array.fromAsync(response as AsyncIterable<Buffer>).then((parts) =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }),
      )
    })
    // After the answer, the server stops to read.
    call.on('error', (error) => answered || reject(error))
    call.write(head)
    const block = piece.repeat(Math.ceil(65_536 / piece.length))
    let sent = 0
    const go = (): void => {
      while (sent < size && !call.destroyed && !answered) {
        sent += block.length
        if (!call.write(block)) return void call.once('drain', go)
      }
      call.end(tail)
    }
    go()
  })

/** Calls as somebody else as long as the work goes on, and gives how often it was served. */
const servedDuring = async (work: Promise<unknown>): Promise<number> => {
  let served = 0
  let over = false
  const calls = (async () => {
    while (!over) {
      await admin.call(accountsRoutes.me, {})
      served += 1
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
  })()
  await work.finally(() => (over = true))
  await calls
  return served
}

const begin = '{"model":"none","messages":'

test('bodies of 30 MB that are many small things are refused while they arrive, eight at once', async () => {
  const shapes: [string, string, string][] = [
    [`${begin}[`, '{},', '{}]}'],
    [`${begin}[`, '[[1,2,3],[4,5,6]],', '[]]}'],
    [`${begin}[`, '1234567,', '0]}'],
    [`${begin}{`, '"a":{"b":1},', '"c":1}}'],
  ]
  const attack = Promise.all([...shapes, ...shapes].map((shape) => send('/v1/chat/completions', shape)))
  expect(await servedDuring(attack)).toBeGreaterThan(0)
  for (const { status, text } of await attack) {
    expect(status).toBe(413)
    expect(JSON.parse(text)).toMatchObject({ error: { type: 'invalid_request_error', code: 'too_large' } })
  }
})

test('of bodies of 30 MB that are allowed, as many are taken as there is room for', async () => {
  const shape = [`{"model":"none","messages":[{"role":"user","content":"`, 'word \\"é\\" ', '"}]}'] as const
  const attack = Promise.all(Array.from({ length: 3 }, () => send('/v1/chat/completions', shape)))
  expect(await servedDuring(attack)).toBeGreaterThan(0)
  const statuses = (await attack).map(({ status }) => status)
  expect(statuses).toContain(404)
  for (const status of statuses) expect([404, 429, 503]).toContain(status)
})

test.each([
  ['/v1/chat/completions', 'error.code'],
  ['/v1/completions', 'error.code'],
  ['/v1/responses', 'error.code'],
  ['/v1/messages', 'error.code'],
  ['/v1/embeddings', 'error.code'],
  ['/api/chat/sessions', 'code'],
])('%s refuses what is nested too deeply, with the reason', async (path, place) => {
  for (const piece of ['['.repeat(5000), '{"a":'.repeat(20_000)])
    for (const key of [undefined, 'a-key']) {
      const response = await admin.raw(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(key ? { 'idempotency-key': key } : {}) },
        body: `${begin}${piece}`,
      })
      expect(response.status).toBe(400)
      const body: unknown = await response.json()
      expect(body).toHaveProperty(place, 'validation_failed')
      expect(JSON.stringify(body)).toContain('64 levels')
    }
})

test('followers that never read give way to newer ones, and the server goes on', async () => {
  const { id } = await admin.call(chatRoutes.create, { body: { selection: local('long-2000') } })
  await admin.call(chatRoutes.startGeneration, { params: { sessionId: id }, body: { message: 'Go' } })
  const sockets = Array.from({ length: 100 }, (_, index) => {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1').pause()
    const path = index % 2 ? '/api/events' : `/api/chat/sessions/${id}/events`
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${admin.token}\r\n\r\n`)
    return socket.on('error', () => undefined)
  })
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  await expect
    .poll(
      async () =>
        (await admin.call(chatRoutes.read, { params: { sessionId: id }, query: {} })).messages.items.at(-1)?.status,
      {
        timeout: 120_000,
      },
    )
    .toBe('complete')
  const figures = await (await app.client(metricsToken).raw('/metrics')).text()
  expect(Number(/^atrium_open_streams (\d+)$/m.exec(figures)?.[1])).toBeLessThanOrEqual(6)
  for (const socket of sockets) socket.destroy()
})
