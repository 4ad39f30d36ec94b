import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemRoutes } from '@atrium/contract/system'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Problem } from './errors.ts'
import { follow } from './follow.ts'

let server: Server
let answer: (request: IncomingMessage, response: ServerResponse, attempt: number) => void
let attempts: (string | undefined)[]
let asked: (string | undefined)[]

beforeEach(async () => {
  attempts = []
  asked = []
  server = createServer((request, response) => {
    attempts.push(request.headers['last-event-id'] as string | undefined)
    asked.push(request.url)
    answer(request, response, attempts.length)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const realFetch = globalThis.fetch
  // What a browser has and Node has not: an origin of the page, a document, a window.
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => realFetch(origin + path, init))
  vi.stubGlobal('document', new EventTarget())
  const window = new EventTarget()
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window))
  vi.stubGlobal('dispatchEvent', window.dispatchEvent.bind(window))
  vi.stubGlobal('removeEventListener', window.removeEventListener.bind(window))
})
afterEach(() => {
  vi.unstubAllGlobals()
  server.closeAllConnections()
  server.close()
})

const start = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' })
const event = (id: number) => `id: ${id}\nevent: chat-changed\ndata: {"id":"c${id}"}\n\n`

function collect(last: number, after?: number) {
  const seen: number[] = []
  const ended = follow(
    systemRoutes.events,
    {},
    {
      signal: AbortSignal.timeout(120_000),
      after,
      isLast: (one) => one.type === 'chat-changed' && one.data.id === `c${last}`,
      onEvents: (events) => seen.push(...events.map((one) => one.id)),
    },
  )
  return { seen, ended }
}

test('a broken connection is taken up where it broke off, with nothing lost and nothing twice', async () => {
  let breakOff = (): void => undefined
  answer = (_request, response, attempt) => {
    start(response)
    if (attempt === 1) {
      response.write(event(1) + event(2) + 'id: 3\nevent: chat-ch')
      breakOff = () => void response.destroy()
    } else {
      // A server may repeat the event that was named.
      response.write(event(2) + event(3) + event(4))
    }
  }
  const { seen, ended } = collect(4)
  await vi.waitFor(() => expect(seen).toEqual([1, 2]))
  breakOff()
  expect(await ended).toBe('ended')
  expect(seen).toEqual([1, 2, 3, 4])
  expect(attempts).toEqual([undefined, '2'])
})

test('a stream that stops before its last event is asked for again', async () => {
  answer = (_request, response, attempt) => {
    start(response)
    response.end(attempt === 1 ? event(6) : event(7))
  }
  const { seen, ended } = collect(7, 5)
  expect(await ended).toBe('ended')
  expect(seen).toEqual([6, 7])
  expect(attempts).toEqual(['5', '6'])
})

test('a server that is not ready is waited for', async () => {
  answer = (_request, response, attempt) => {
    if (attempt === 1) {
      response.writeHead(503, { 'content-type': 'application/problem+json' })
      return response.end(JSON.stringify({ code: 'unavailable', status: 503, detail: 'Stopping.' }))
    }
    start(response)
    response.end(event(1))
  }
  expect(await collect(1).ended).toBe('ended')
})

test('a refusal ends the following at once', async () => {
  answer = (_request, response) => {
    response.writeHead(404, { 'content-type': 'application/problem+json' })
    response.end(JSON.stringify({ code: 'chat_not_found', status: 404, detail: 'Chat not found.' }))
  }
  const problem = await collect(1).ended.catch((error: unknown) => error)
  expect(problem).toBeInstanceOf(Problem)
  expect((problem as Problem).code).toBe('chat_not_found')
  expect(attempts.length).toBe(1)
})

test('a place that is gone goes on from the one that the server names, also a lower one, and notices have none', async () => {
  answer = (_request, response, attempt) => {
    start(response)
    if (attempt === 1) return response.end(`${event(70)}event: streams-opened\ndata: {"places":{}}\n\n`)
    response.end(`id: 3\nevent: reset\ndata: {}\n\n${event(4)}`)
  }
  const seen: string[] = []
  const notices: unknown[] = []
  await follow(systemRoutes.events, () => ({ query: { places: `channel:a@${attempts.length}` } }), {
    signal: AbortSignal.timeout(120_000),
    isLast: (one) => one.type === 'chat-changed' && one.data.id === 'c4',
    onEvents: (events) => seen.push(...events.map(({ id, type }) => `${id} ${type}`)),
    onNotice: (notice) => notices.push(notice),
  })
  expect(seen).toEqual(['70 chat-changed', '3 reset', '4 chat-changed'])
  expect(notices).toEqual([{ type: 'streams-opened', data: { places: {} } }])
  expect(attempts).toEqual([undefined, '70'])
  expect(asked).toEqual(['/api/events?places=channel%3Aa%400', '/api/events?places=channel%3Aa%401'])
})

test('an abort ends it without an error', async () => {
  const stop = new AbortController()
  answer = (_request, response) => {
    start(response)
    response.write(event(1))
  }
  const ended = follow(systemRoutes.events, {}, { signal: stop.signal, onEvents: () => stop.abort() })
  expect(await ended).toBe('aborted')
})

const looks: Record<string, () => void> = {
  'its page is shown again': () => {
    Object.assign(document, { visibilityState: 'visible' })
    document.dispatchEvent(new Event('visibilitychange'))
  },
  'its window is used again': () => void dispatchEvent(new Event('focus')),
}
test.each(Object.keys(looks))('a stream that gave way waits until %s, and goes on where it was', async (look) => {
  answer = (_request, response, attempt) => {
    start(response)
    if (attempt === 1) response.end(`${event(1)}event: replaced\ndata: {"detail":"Newer streams took its place."}\n\n`)
    else response.write(event(2))
  }
  const { seen, ended } = collect(2)
  await vi.waitFor(() => expect(seen).toEqual([1]))
  // Longer than the first waits after a broken connection are together.
  await new Promise((resolve) => setTimeout(resolve, 900))
  expect(attempts).toHaveLength(1)
  looks[look]?.()
  expect(await ended).toBe('ended')
  expect(seen).toEqual([1, 2])
  expect(attempts).toEqual([undefined, '1'])
})
