/** Answers that no well-meaning server gives: each ends its call in words, and the next call is none the worse for it. */
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createMcpCaller } from '../../../testing/mcp-caller.ts'
import { type McpServer, startMcpServer, textResult } from '../../../testing/mcp-server.ts'

let server: McpServer
let caller: ReturnType<typeof createMcpCaller>
beforeAll(async () => {
  server = await startMcpServer()
  caller = createMcpCaller(server.url, { timeoutMs: 3000, maxResponseBytes: 256 * 1024 })
})
afterAll(async () => {
  await caller.close()
  await server.close()
})
beforeEach(() => server.set({}))

const json = { 'content-type': 'application/json' }
const events = { 'content-type': 'text/event-stream' }
const answerTo = (id: unknown, result: object) =>
  JSON.stringify({ jsonrpc: '2.0', id, result: { resultType: 'complete', ...result } })

/** What it does, and the kinds of fault that it may count as; a string: what the model is told. */
const cases: readonly (readonly [string, (response: ServerResponse, id: unknown) => void, RegExp])[] = [
  ['resets the connection', (response) => response.socket?.resetAndDestroy(), /unreachable/],
  ['hangs up before the first byte', (response) => response.destroy(), /unreachable/],
  [
    'promises a gigabyte',
    (response) => response.writeHead(200, { ...json, 'content-length': 2 ** 30 }).write('"'.padEnd(1024 * 1024)),
    /too-large/,
  ],
  ['says nothing', () => undefined, /timeout/],
  ['stops in the middle of a line', (response) => response.writeHead(200, events).write('data: {"json'), /timeout/],
  ['sends a stream of nothing', (response) => response.writeHead(200, events).end(), /unreachable|timeout/],
  ['sends a page', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hi'), /protocol/],
  ['sends half of its JSON', (response) => response.writeHead(200, json).end('{"jsonrpc":"2.0",'), /protocol/],
  ['sends JSON that is no answer', (response) => response.writeHead(200, json).end('[1,{"id":{}},null]'), /protocol/],
  ['fails', (response) => response.writeHead(500, json).end('{"error":"secret details"}'), /protocol|unreachable/],
  [
    'nests its result 10,000 deep',
    (response, id) => {
      const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
      response.writeHead(200, json).end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":${deep}}}`)
    },
    /protocol/,
  ],
  [
    'names a member that means something to JavaScript',
    (response, id) => {
      const result = answerTo(id, textResult('harmless')).replace('"content"', '"__proto__":{"polluted":1},"content"')
      response.writeHead(200, json).end(result)
    },
    /harmless|protocol/,
  ],
]

test.each(cases)('a server that %s', async (_, misbehave, expected) => {
  server.set({
    onRequest({ message, response }) {
      if (message.method !== 'tools/call') return false
      misbehave(response, message.id)
      return true
    },
  })
  const told = await caller.call().then(
    ({ text }) => text,
    (error: { kind?: string }) => error.kind ?? `no fault: ${String(error)}`,
  )
  expect(told).toMatch(expected)
  expect(told).not.toContain('secret details')
  expect(({} as { polluted?: number }).polluted).toBeUndefined()
  server.set({})
  expect(await caller.call({ text: 'next' })).toEqual({ text: 'heard {"text":"next"}' })
})

test('an answer that comes too late counts for no call', async () => {
  const waiting: (() => void)[] = []
  server.set({
    onRequest({ message, response }) {
      if (message.method !== 'tools/call') return false
      waiting.push(() => response.writeHead(200, json).end(answerTo(message.id, textResult('too late'))))
      return true
    },
  })
  await expect(caller.call({ text: 'late' })).rejects.toMatchObject({ kind: 'timeout' })
  server.set({})
  const next = caller.call({ text: 'next' })
  for (const answer of waiting) answer()
  expect(await next).toEqual({ text: 'heard {"text":"next"}' })
})
