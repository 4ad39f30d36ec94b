import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../e2e/provider/provider.ts'
import { faultKinds } from '../../../e2e/provider/state.ts'
import { createLog } from '../platform/log/log.ts'
import { createOutbound } from '../platform/outbound/outbound.ts'
import type { Outbound } from '../platform/outbound/types.ts'
import { systemClock } from '../platform/system-clock.ts'
import type { MeteredCall } from './metering.ts'
import { createRunner } from './runner.ts'
import { ProviderFailure } from './types.ts'
import { wires } from './wires/index.ts'

const asks = {
  'chat-completions': {
    path: '/v1/chat/completions',
    body: { messages: [{ role: 'user', content: 'Hello there' }], stream_options: { include_usage: true } },
    end: 'data: [DONE]\n\n',
  },
  responses: { path: '/v1/responses', body: { input: 'Hello there' }, end: 'response.completed' },
  anthropic: {
    path: '/v1/messages',
    body: { max_tokens: 500, messages: [{ role: 'user', content: 'Hello there' }] },
    end: 'message_stop',
  },
} as const
type Relayable = keyof typeof asks

let provider: Provider
let outbound: Outbound
let whole: Server
let answerWhole: (res: ServerResponse) => unknown = () => {}
const metered: MeteredCall[] = []

beforeAll(async () => {
  provider = await startProvider()
  whole = createServer((req, res) => req.resume().on('end', () => answerWhole(res)))
  await new Promise<void>((go) => whole.listen(0, '127.0.0.1', go))
  const places = new Set([provider.address, `127.0.0.1:${(whole.address() as AddressInfo).port}`])
  outbound = createOutbound({ allowed: () => places, log: createLog({ level: 'silent' }) })
})
afterEach(() => {
  provider.control({ reset: true })
  metered.length = 0
})
afterAll(async () => {
  await outbound.close()
  await provider.close()
  whole.closeAllConnections()
  whole.close()
})

async function open(
  wire: Relayable,
  model: string,
  over: { base?: string; hideUsage?: boolean; stream?: boolean } = {},
) {
  const { path, body } = asks[wire]
  const { base = provider.url, hideUsage = false, stream = true } = over
  const left = new AbortController()
  const runner = createRunner({ outbound, clock: systemClock, meter: (call) => void metered.push(call) })
  const relayed = runner.relay({
    wire: wires[wire],
    url: await outbound.check(base + path),
    headers: {},
    hasKey: false,
    model,
    body: JSON.stringify({ ...body, model, stream }),
    hideUsage,
    signal: left.signal,
    firstTokenMs: 1500,
    idleMs: 800,
  })
  return { ...relayed, left }
}

/** Reads a relayed stream to its end or its fault. */
async function read(wire: Relayable, model: string, over: Parameters<typeof open>[2] = {}) {
  const pieces: Uint8Array[] = []
  try {
    for await (const piece of (await open(wire, model, over)).stream()) pieces.push(piece)
    return { text: Buffer.concat(pieces).toString(), failure: null }
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    return { text: Buffer.concat(pieces).toString(), failure: error }
  }
}

describe.each(Object.keys(asks) as Relayable[])('the wire %s, relayed', (wire) => {
  test('passes as it came, and is metered once with its tokens', async () => {
    const { text, failure } = await read(wire, 'echo')
    expect(failure).toBeNull()
    const { path, body } = asks[wire]
    const direct = await fetch(provider.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
      body: JSON.stringify({ ...body, model: 'echo', stream: true }),
    })
    const unnumbered = (words: string) => words.replace(/"(id|item_id|response_id)":"[^"]*"/g, '')
    expect(unnumbered(text)).toBe(unnumbered(await direct.text()))
    expect(metered).toMatchObject([
      { model: 'echo', status: 'success', inputTokens: expect.any(Number), outputTokens: expect.any(Number) },
    ])
    expect(metered[0]?.firstTokenMs).not.toBeNull()
  })

  test('passes whole events when the network cuts them anywhere', async () => {
    const { text, failure } = await read(wire, 'chop')
    expect(failure).toBeNull()
    expect(text).toContain(asks[wire].end)
    expect(metered).toMatchObject([{ status: 'success', outputTokens: expect.any(Number) }])
  })

  test('is whole when it was asked for whole', async () => {
    const text = await (await open(wire, 'echo', { stream: false })).whole()
    expect(JSON.stringify(JSON.parse(text))).toContain('Hello there')
    expect(metered).toMatchObject([{ status: 'success', outputTokens: expect.any(Number) }])
  })

  const sound = new Set(['chop', 'invalid-utf8'])
  test.each(faultKinds.filter((kind) => !sound.has(kind)))('ends %s in our own words, metered once', async (kind) => {
    const { text, failure } = await read(wire, kind)
    expect(failure).toBeInstanceOf(ProviderFailure)
    expect(failure?.message).not.toContain('leaked')
    expect(text).not.toContain('leaked')
    // Whatever passed is whole: a client can go on reading behind it.
    expect(text === '' || text.endsWith('\n\n')).toBe(true)
    expect(text.length).toBeLessThan(70 * 1024 * 1024)
    expect(metered).toMatchObject([{ status: 'error' }])
  })

  test('drops the connection when its client leaves, also while nothing comes', async () => {
    const { stream, left } = await open(wire, 'stall')
    const pieces = stream()
    await pieces.next()
    const waiting = pieces.next().catch((error: unknown) => error)
    left.abort()
    await waiting
    await pieces.return?.()
    await expect.poll(() => provider.requests.at(-1)?.ended).toBe('aborted')
    expect(metered).toMatchObject([{ status: 'cancelled' }])
  })
})

test('the event of mere usage is left out where the client did not ask for it', async () => {
  const { text } = await read('chat-completions', 'echo', { hideUsage: true })
  expect(text).not.toContain('"usage":{')
  expect(text).toContain('[DONE]')
  expect(metered).toMatchObject([{ outputTokens: expect.any(Number) }])
})

test.each([
  ['signs of life', ': ping\n\n'],
  ['events without words', 'data: {"choices":[{"delta":{"content":" "}}]}\n\n'],
])('a stream that brings nothing but %s is ended with its reason', async (_, sign) => {
  const base = `http://127.0.0.1:${(whole.address() as AddressInfo).port}`
  let timer: NodeJS.Timeout | undefined
  answerWhole = (res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' })
    res.write('data: {"choices":[{"delta":{"content":"Kites fly"}}]}\n\n')
    timer = setInterval(() => res.write(sign), 20)
  }
  const { text, failure } = await read('chat-completions', 'echo', { base })
  clearInterval(timer)
  expect(text).toContain('Kites fly')
  expect(failure).toMatchObject({ kind: 'timeout', message: expect.stringContaining('next to nothing') })
})

test('a stream that comes letter by letter passes as it came', async () => {
  const base = `http://127.0.0.1:${(whole.address() as AddressInfo).port}`
  const said = 'data: {"choices":[{"delta":{"content":"Kites"},"finish_reason":"stop"}]}\r\n\r\ndata: [DONE]\n\n'
  answerWhole = async (res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const letter of said) {
      res.write(letter)
      await new Promise(setImmediate)
    }
    res.end()
  }
  expect(await read('chat-completions', 'echo', { base })).toEqual({ text: said, failure: null })
})

describe('a whole answer', () => {
  const ask = async () => {
    const base = `http://127.0.0.1:${(whole.address() as AddressInfo).port}`
    const relayed = await open('chat-completions', 'echo', { base, stream: false })
    return await relayed.whole().catch((error: unknown) => error)
  }
  const json = { 'content-type': 'application/json' }
  const sound = (content: string) =>
    `{"choices":[{"index":0,"message":{"role":"assistant","content":"${content}"},"finish_reason":"stop"}]}`

  test.each([
    ['half of it', (res: ServerResponse) => res.writeHead(200, json).end('{"choices":[{"mess')],
    ['nothing', (res: ServerResponse) => res.writeHead(200, json).end()],
    ['another type', (res: ServerResponse) => res.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello</p>')],
    ['no answer at all', (res: ServerResponse) => res.writeHead(200, json).end('{"hello":"leaked"}')],
    ['an error', (res: ServerResponse) => res.writeHead(200, json).end('{"error":{"message":"leaked"}}')],
    ['a list', (res: ServerResponse) => res.writeHead(200, json).end('[]')],
    [
      'less than it announced',
      (res: ServerResponse) => {
        res.writeHead(200, { ...json, 'content-length': '500' }).write('{"choices"')
        setTimeout(() => res.socket?.destroy(), 20)
      },
    ],
    [
      'a length of 1 GB',
      (res: ServerResponse) => res.writeHead(200, { ...json, 'content-length': String(2 ** 30) }).flushHeaders(),
    ],
    [
      'no end',
      (res: ServerResponse) => {
        res.writeHead(200, json)
        const more = (): void => {
          if (!res.destroyed) res.write('x'.repeat(65_536), () => setImmediate(more))
        }
        more()
      },
    ],
    ['a silence', (res: ServerResponse) => res.writeHead(200, json).write('{"choices":')],
  ] as const)('that is %s is told of in our words', async (_name, answer) => {
    answerWhole = answer
    const failure = await ask()
    expect(failure).toBeInstanceOf(ProviderFailure)
    expect((failure as Error).message).not.toContain('leaked')
    expect(metered).toMatchObject([{ status: 'error' }])
  })

  test('with bytes that are no UTF-8 reaches its client as text', async () => {
    const [before, after] = sound('|').split('|') as [string, string]
    answerWhole = (res) =>
      res
        .writeHead(200, json)
        .end(Buffer.concat([Buffer.from(before), Buffer.from([0xff, 0xc3, 0x28]), Buffer.from(after)]))
    expect(await ask()).toBe(sound('��('))
  })
})
