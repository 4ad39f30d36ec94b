import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '../platform/log/log.ts'
import { createOutbound } from '../platform/outbound/outbound.ts'
import type { Outbound } from '../platform/outbound/types.ts'
import { systemClock } from '../platform/system-clock.ts'
import { maxToolCalls, maxToolNameLength } from './answer-bounds.ts'
import { createLocalRuntime } from './local-runtime.ts'
import { measureCall } from './measure.ts'
import { longestVector } from './operations/vectors.ts'
import { perform } from './operations/index.ts'
import { createRunner } from './runner.ts'
import { type Part, ProviderFailure } from './types.ts'
import { wires } from './wires/index.ts'

let server: Server
let base: string
let outbound: Outbound
let answer: (res: ServerResponse) => unknown = () => {}

beforeAll(async () => {
  server = createServer((req, res) => req.resume().on('end', () => void answer(res)))
  await new Promise<void>((go) => server.listen(0, '127.0.0.1', go))
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  base = `http://${address}`
  outbound = createOutbound({ allowed: () => new Set([address]), log: createLog({ level: 'silent' }) })
})
afterAll(async () => {
  await outbound.close()
  server.closeAllConnections()
  server.close()
})

type WireId = keyof typeof wires
const signal = new AbortController().signal

/** What comes of an answer that is sent so, over a wire. */
async function ask(wire: WireId, idleMs = 20_000) {
  const parts: Part[] = []
  let failure: unknown = null
  const turn = { model: 'm', system: null, messages: [], tools: [], options: {} }
  const call = { wire: wires[wire], url: await outbound.check(`${base}/`), headers: {}, hasKey: false, turn, signal }
  try {
    for await (const more of createRunner({ outbound, clock: systemClock }).run({ ...call, idleMs }))
      parts.push(...more)
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    failure = error
  }
  const joined = (type: string) =>
    parts.map((part) => (part.type === type && 'delta' in part ? part.delta : '')).join('')
  const calls = parts.filter((part) => part.type === 'tool-call')
  return { text: joined('text'), reasoning: joined('reasoning'), calls, pieces: parts.length, failure }
}

const event = (delta: unknown): string => `data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`
const streamed = (res: ServerResponse, ...events: string[]): void => {
  res.writeHead(200, { 'content-type': 'text/event-stream' })
  res.end(events.join(''))
}
const whole = (res: ServerResponse, value: unknown): void => {
  res.writeHead(200, { 'content-type': 'application/json' })
  res.end(typeof value === 'string' ? value : JSON.stringify(value))
}

describe('an answer of a hostile provider', () => {
  test.each([
    ['white space', ' '],
    ['tags of thoughts', '<think>'],
    ['brackets', '[('],
  ])('that is tens of thousands of pieces of %s holds nobody up, and comes as few pieces', async (_, piece) => {
    const end = 'data: {"choices":[{"delta":{"content":"Kites"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
    answer = (res) => streamed(res, event({ content: piece }).repeat(40_000), end)
    let beats = 0
    const beat = setInterval(() => (beats += 1), 1)
    const { text, reasoning, pieces, failure } = await ask('chat-completions', 60_000)
    clearInterval(beat)
    expect(failure).toBeNull()
    expect(text + reasoning).toContain('Kites')
    expect(pieces).toBeLessThan(10_000)
    // Others had their turn in between; how often depends on the machine.
    expect(beats).toBeGreaterThan(1)
  })

  test.each<[WireId, string, (res: ServerResponse) => void]>([
    [
      'chat-completions',
      'in a stream',
      (res) =>
        streamed(
          res,
          event({ content: 'Kites' }),
          ...Array.from({ length: 1000 }, (_, at) =>
            event({ tool_calls: [{ index: 1e9 + at, id: `c${at}`, function: { name: 'fly', arguments: '{}' } }] }),
          ),
        ),
    ],
    [
      'ollama',
      'at once',
      (res) =>
        whole(res, {
          message: { content: 'Kites', tool_calls: Array(1000).fill({ function: { name: 'fly', arguments: {} } }) },
          done: true,
        }),
    ],
    [
      'gemini',
      'at once',
      (res) =>
        whole(res, {
          candidates: [
            { content: { parts: [{ text: 'Kites' }, ...Array(1000).fill({ functionCall: { name: 'fly' } })] } },
          ],
        }),
    ],
    [
      'anthropic',
      'at once',
      (res) =>
        whole(res, {
          type: 'message',
          content: [{ type: 'text', text: 'Kites' }, ...Array(1000).fill({ type: 'tool_use', id: 'c', name: 'fly' })],
        }),
    ],
    [
      'responses',
      'at once',
      (res) =>
        whole(res, {
          object: 'response',
          output: [
            { type: 'message', content: [{ type: 'output_text', text: 'Kites' }] },
            ...Array(900).fill({ type: 'function_call', call_id: 'c', name: 'fly', arguments: '{}' }),
          ],
        }),
    ],
    [
      'bedrock',
      'at once',
      (res) =>
        whole(res, {
          output: { message: { content: [{ text: 'Kites' }, ...Array(1000).fill({ toolUse: { name: 'fly' } })] } },
        }),
    ],
  ])('over %s that calls a thousand tools %s ends at the bound, with its text', async (wire, _, say) => {
    answer = say
    const { text, calls, failure } = await ask(wire)
    expect(text).toBe('Kites')
    expect(calls.length).toBeLessThanOrEqual(maxToolCalls)
    expect(failure).toMatchObject({ kind: 'too_large', message: expect.stringContaining('more than 128 tools') })
  })

  test.each([
    ['a name', { id: 'c', function: { name: 'f'.repeat(maxToolNameLength + 1), arguments: '{}' } }, /name/],
    ['an id', { id: 'c'.repeat(100_000), function: { name: 'fly', arguments: '{}' } }, /name/],
    ['arguments', { id: 'c', function: { name: 'fly', arguments: 'x'.repeat(1_100_000) } }, /far too much/],
  ])('that gives %s of any length ends there, with its text', async (_, call, words) => {
    answer = (res) => streamed(res, event({ content: 'Kites' }), event({ tool_calls: [{ index: 0, ...call }] }))
    const { text, calls, failure } = await ask('chat-completions')
    expect([text, calls]).toEqual(['Kites', []])
    expect(failure).toMatchObject({ kind: 'too_large', message: expect.stringMatching(words) })
  })

  test('that goes on and on is ended, with what came of it', async () => {
    answer = (res) => streamed(res, event({ content: 'kite '.repeat(100_000) }).repeat(9))
    const { text, failure } = await ask('chat-completions')
    expect(text.length).toBeGreaterThan(3_000_000)
    expect(failure).toMatchObject({ kind: 'too_large', message: expect.stringContaining('longer than Atrium takes') })
  })

  test('that is deeper than any answer is not read', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    answer = (res) => streamed(res, event({ content: 'Kites' }), `data: {"error":${deep}}\n\n`)
    const { text, failure } = await ask('chat-completions')
    expect(text).toBe('Kites')
    expect(failure).toMatchObject({ kind: 'too_large' })
  })

  test('that holds what no text holds comes well formed', async () => {
    const end = 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n'
    const halves = [event({ content: 'a\u0000\ud83d' }), event({ content: '\ude00b\ud83d' })]
    answer = (res) => streamed(res, ...halves, event({ content: `e${'\u0301'.repeat(100_000)}` }), end)
    const { text } = await ask('chat-completions')
    expect(text.isWellFormed()).toBe(true)
    expect(text).toBe(`a😀b\ufffde${'\u0301'.repeat(12)}`)
  })

  test.each([
    ['signs of life', ': ping\n\n'],
    ['white space', event({ content: ' \n' })],
    ['one letter at a time, too seldom', null],
  ])('that brings nothing but %s is ended with its reason, and its text is kept', async (_, sign) => {
    let timer: NodeJS.Timeout | undefined
    answer = (res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' })
      res.write(event({ content: 'Kites fly' }))
      timer = setInterval(() => res.write(sign ?? event({ content: 'x' })), sign ? 20 : 200)
    }
    const { text, failure } = await ask('chat-completions', 500)
    clearInterval(timer)
    expect(text).toMatch(/^Kites fly/)
    expect(failure).toMatchObject({ kind: 'timeout', message: expect.stringContaining('next to nothing') })
  })
})

describe('an embedding service that', () => {
  const embed = async (input: readonly string[]) => {
    const call = {
      outbound,
      url: await outbound.check(`${base}/`),
      origins: [],
      headers: {},
      hasKey: false,
      model: 'm',
      config: {},
      also: {},
      variables: {},
      signal,
      measure: measureCall({ clock: systemClock }, { subject: null, model: 'm' }),
    }
    return await perform('embedding', call, 'common', { input })
  }
  const data = (...entries: unknown[]) => ({ data: entries })

  test.each<[string, unknown]>([
    [
      'names a place that was not asked for',
      data({ index: 200_000_000, embedding: [1] }, { index: 0, embedding: [1] }),
    ],
    ['gives one too many', data(...[0, 1, 2].map((index) => ({ index, embedding: [1] })))],
    ['gives one too few', data({ index: 0, embedding: [1] })],
    ['gives vectors of different lengths', data({ embedding: [1] }, { embedding: [1, 2] })],
    ['gives numbers that no vector can hold', data({ embedding: [1e300] }, { embedding: [1] })],
    ['gives vectors of a million numbers', data({ embedding: Array(1_000_000).fill(0.1) }, { embedding: [1] })],
    ['gives vectors of a million numbers in base64', data({ embedding: 'A'.repeat(800_000) }, { embedding: [1] })],
    ['is deep', `{"data":${'['.repeat(90_000)}${']'.repeat(90_000)}}`],
  ])('%s is refused', async (_, value) => {
    answer = (res) => whole(res, value)
    await expect(embed(['a', 'b'])).rejects.toThrow(ProviderFailure)
  })

  test('gives large vectors for many texts is read', async () => {
    const entries = Array.from({ length: 20 }, (_, index) => ({ index, embedding: Array(4096).fill(index + 0.5) }))
    answer = (res) => whole(res, data(...entries.toReversed()))
    const { vectors } = await embed(entries.map(({ index }) => String(index)))
    expect(vectors.map((vector) => [vector.length, vector[0]])).toEqual(entries.map(({ index }) => [4096, index + 0.5]))
  })

  test('is the local runtime is held to the same', async () => {
    const runtime = createLocalRuntime(outbound)
    for (const embeddings of [[[1], [2]], [Array(longestVector + 1).fill(1)], [['x']], [[]]]) {
      answer = (res) => whole(res, { embeddings })
      await expect(runtime.embed(base, 'm', ['a'], signal)).rejects.toThrow(ProviderFailure)
    }
  })
})
