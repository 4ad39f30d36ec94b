import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connectionsRoutes, type TestEvent } from '@atrium/contract/connections'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Problem } from './errors.ts'
import { readEvents } from './read-events.ts'

let server: Server
let answer: (response: ServerResponse, request: IncomingMessage) => void
let calls: number

beforeEach(async () => {
  calls = 0
  server = createServer((request, response) => {
    calls += 1
    answer(response, request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const realFetch = globalThis.fetch
  // A browser knows the origin of its page.
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => realFetch(origin + path, init))
})
afterEach(() => {
  vi.unstubAllGlobals()
  server.closeAllConnections()
  server.close()
})

const start = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' })
const event = (type: string, data: unknown) => `id: 1\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`
const begun = event('started', { step: 'resolve' })
const ended = event('ended', { steps: [] })

function read(abort = new AbortController()) {
  const seen: TestEvent['type'][][] = []
  const over = readEvents(
    connectionsRoutes.test,
    { params: { id: 'acme' }, body: {} },
    {
      signal: abort.signal,
      onEvents: (events) => seen.push(events.map(({ type }) => type)),
      isLast: ({ type }) => type === 'ended',
    },
  )
  return { seen, over, abort }
}

test('events are handed over as they come, up to the last one', async () => {
  let goOn = (): void => undefined
  answer = (response, request) => {
    expect(request.method).toBe('POST')
    start(response).write(begun)
    goOn = () => void response.write(`${begun}:\n\n${ended}${begun}`)
  }
  const { seen, over } = read()
  await expect.poll(() => seen).toEqual([['started']])
  goOn()
  await over
  expect(seen).toEqual([['started'], ['started', 'ended']])
})

test('a stream that breaks off is told, and not asked for again', async () => {
  answer = (response) => {
    start(response).write(begun)
    setTimeout(() => response.destroy(), 30)
  }
  await expect(read().over).rejects.toMatchObject({ code: 'offline' })
  answer = (response) => void start(response).end(begun)
  await expect(read().over).rejects.toMatchObject({ code: 'offline' })
  expect(calls).toBe(2)
})

test('a refusal is a problem, before the stream and within it', async () => {
  answer = (response) =>
    void response
      .writeHead(404, { 'content-type': 'application/problem+json' })
      .end(JSON.stringify({ code: 'plugin_not_found', detail: 'It is gone.' }))
  await expect(read().over).rejects.toMatchObject({ code: 'plugin_not_found', status: 404 })
  answer = (response) => void start(response).end(begun + event('error', { code: 'internal', detail: 'No.' }))
  const { over } = read()
  await expect(over).rejects.toBeInstanceOf(Problem)
  await expect(over).rejects.toMatchObject({ code: 'internal', message: 'No.' })
})

test('whoever stops it closes the connection', async () => {
  const closed = new Promise<void>((resolve) => {
    answer = (response) => {
      response.on('close', resolve)
      start(response).write(begun)
    }
  })
  const { seen, over, abort } = read()
  await expect.poll(() => seen).toEqual([['started']])
  abort.abort()
  await expect(over).rejects.toMatchObject({ name: 'AbortError' })
  await closed
})
