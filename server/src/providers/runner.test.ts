import type { MeteredCall } from './metering.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../e2e/provider/provider.ts'
import { createOutbound } from '../platform/outbound/outbound.ts'
import type { Outbound } from '../platform/outbound/types.ts'
import { systemClock } from '../platform/system-clock.ts'
import { createLog } from '../platform/log/log.ts'
import { type Call, createRunner } from './runner.ts'
import { type Part, ProviderFailure, type Turn, type Wire } from './types.ts'
import { wires } from './wires/index.ts'

let provider: Provider
let outbound: Outbound
const metered: MeteredCall[] = []

beforeAll(async () => {
  provider = await startProvider()
  outbound = createOutbound({ allowed: () => new Set([provider.address]), log: createLog({ level: 'silent' }) })
})
afterEach(() => {
  provider.control({ reset: true })
  metered.length = 0
})
afterAll(async () => {
  await outbound.close()
  await provider.close()
})

const turn = (model: string): Turn => ({
  model,
  system: null,
  messages: [{ role: 'user', text: 'How high do kites fly?', images: [] }],
  tools: [],
  options: {},
})

const paths = {
  ollama: '/api/chat',
  'chat-completions': '/v1/chat/completions',
  responses: '/v1/responses',
  anthropic: '/v1/messages',
  gemini: '/v1beta/models/{model}:generateContent',
  bedrock: '/model/{model}/converse',
} as const satisfies Record<keyof typeof wires, string>
type WireId = keyof typeof paths

/** The address of a call, as a connection resolves it. */
const urlOf = (wire: WireId, model: string) => {
  const { address }: Wire = wires[wire]
  const route = provider.url + paths[wire]
  return outbound.check(address ? address(route, model) : route)
}

async function run(wire: WireId, model: string, extra: Partial<Call> & { after?: (text: string) => void } = {}) {
  const runner = createRunner({ outbound, clock: systemClock, meter: (call) => void metered.push(call) })
  const url = await urlOf(wire, model)
  let text = ''
  let finish: string | null = null
  try {
    const { after, ...rest } = extra
    const call = {
      wire: wires[wire],
      url,
      headers: {},
      hasKey: false,
      turn: turn(model),
      signal: new AbortController().signal,
      ...rest,
    }
    for await (const parts of runner.run(call)) {
      for (const part of parts) {
        if (part.type === 'text') text += part.delta
        if (part.type === 'finish') finish = part.reason
      }
      after?.(text)
    }
    return { text, finish, failure: null }
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    return { text, finish, failure: error }
  }
}

const whole = 'You said: How high do kites fly?\n\nI received 1 messages.'

describe.each(Object.keys(paths) as WireId[])('over %s', (wire) => {
  test('an answer arrives whole, and is metered', async () => {
    expect(await run(wire, 'echo')).toEqual({ text: whole, finish: 'stop', failure: null })
    expect(metered).toMatchObject([{ status: 'success', model: 'echo', inputTokens: 5, outputTokens: 11 }])
    // A span, no time of the clock.
    expect(metered[0]?.firstTokenMs).toBeLessThan(60_000)
  })

  test('an answer cut into crumbs arrives whole', async () => {
    expect(await run(wire, 'chop')).toEqual({ text: whole, finish: 'stop', failure: null })
  })

  test('bytes that are no UTF-8 become replacement characters', async () => {
    const { text, failure } = await run(wire, 'invalid-utf8')
    expect(failure).toBeNull()
    expect(text).toContain('[\ufffd\ufffd(]')
  })

  test('calls of tools arrive piece by piece, and then whole', async () => {
    const runner = createRunner({ outbound, clock: systemClock })
    const tools = ['weather', 'clock'].map((name) => ({ name, description: '', parameters: { type: 'object' } }))
    const asked = { ...turn('caller-2'), tools }
    const signal = new AbortController().signal
    const url = await urlOf(wire, 'caller-2')
    const parts: Part[] = []
    for await (const more of runner.run({ wire: wires[wire], url, headers: {}, hasKey: false, turn: asked, signal })) {
      parts.push(...more)
    }
    const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [part.call] : []))
    expect(calls).toMatchObject([{ name: 'weather' }, { name: 'clock' }])
    for (const [index, call] of calls.entries()) {
      const pieces = parts.map((part) => (part.type === 'tool-call-delta' && part.index === index ? part.delta : ''))
      expect(pieces.join('')).toBe(call.arguments)
      expect(JSON.parse(call.arguments)).toEqual({ query: 'How high do kites fly?' })
      expect(parts).toContainEqual({ type: 'tool-call-start', index, id: call.id, name: call.name })
    }
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'tool_calls' })
  })

  const beforeTheAnswer: [string, ProviderFailure['kind'], number | null, RegExp][] = [
    ['status-400', 'rejected', 400, /refused the request/],
    ['status-401', 'no_key', 401, /requires an API key/],
    ['status-403', 'no_key', 403, /requires an API key/],
    ['status-404', 'rejected', 404, /doesn’t know this model/],
    ['status-429', 'overloaded', 429, /wait 7 s/],
    ['status-500', 'rejected', 500, /error of its own/],
    ['status-503', 'overloaded', 503, /overloaded/],
    ['context', 'context_overflow', 400, /context window/],
    ['redirect', 'redirected', null, /redirect/],
    ['wrong-type', 'malformed', 200, /web page/],
    ['error-200', 'rejected', null, /reported an error/],
  ]
  test.each(beforeTheAnswer)('%s is told as %s', async (model, kind, status, words) => {
    const { text, failure } = await run(wire, model)
    expect(text).toBe('')
    expect(failure).toMatchObject({ kind, message: expect.stringMatching(words) })
    if (status !== null) expect(failure?.status).toBe(status)
    expect(metered).toMatchObject([{ status: 'error', outputTokens: null }])
  })

  test('with a key, 401 says that the key was refused', async () => {
    const { failure } = await run(wire, 'status-401', { hasKey: true, headers: { authorization: 'Bearer sk-mine' } })
    expect(failure).toMatchObject({ kind: 'rejected', message: expect.stringContaining('refused the key') })
    expect(provider.requests.at(-1)?.authorization).toBe('Bearer sk-mine')
  })

  const inTheMiddle: [string, ProviderFailure['kind'], RegExp][] = [
    ['reset', 'malformed', /broke off/],
    ['close', 'malformed', /broke off/],
    ['half-json', 'malformed', /couldn’t be read|broke off/],
    ['bad-frame', 'malformed', /couldn’t be read/],
    ['error-mid', 'rejected', /reported an error/],
  ]
  test.each(inTheMiddle)('%s in mid-answer keeps the text and ends with a reason', async (model, kind, words) => {
    const { text, failure } = await run(wire, model)
    expect(text).toBe('You said: How ')
    expect(failure).toMatchObject({ kind, message: expect.stringMatching(words) })
    expect(JSON.stringify([failure?.message, failure?.stack])).not.toContain('sk-leaked')
    expect(metered).toMatchObject([{ status: 'error' }])
  })

  test('a gigabyte and an endless line end early', async () => {
    for (const model of ['huge', 'endless-line']) {
      const { failure } = await run(wire, model)
      expect([model, failure?.kind]).toEqual([model, expect.stringMatching(/too_large|malformed/)])
    }
  })

  test('silence before the answer ends it', async () => {
    const { failure } = await run(wire, 'stall-headers', { firstTokenMs: 150 })
    expect(failure).toMatchObject({ kind: 'timeout', message: expect.stringContaining('didn’t start') })
    expect(await ended()).toBe('aborted')
  })

  test('silence in mid-answer ends it, with the text kept', async () => {
    const { text, failure } = await run(wire, 'stall', { idleMs: 800 })
    expect(text).toBe('You said: How ')
    expect(failure).toMatchObject({ kind: 'timeout', message: expect.stringContaining('fell silent') })
    expect(await ended()).toBe('aborted')
  })

  test('a slow answer is not a silent one', async () => {
    // Longer than the bound in all, and far from it between two words, on a busy machine too.
    expect(await run(wire, 'drip-120', { idleMs: 1000, firstTokenMs: 1000 })).toMatchObject({
      text: whole,
      failure: null,
    })
  })

  test('stopping reaches the provider at once', async () => {
    const stop = new AbortController()
    let stopped = 0
    const after = () => {
      stopped ||= Date.now()
      stop.abort()
    }
    const { failure } = await run(wire, 'long-1000-drip-20', { signal: stop.signal, after })
    expect(failure).toMatchObject({ kind: 'aborted' })
    expect(await ended()).toBe('aborted')
    // The rest of the answer would take twenty seconds.
    expect((provider.requests.at(-1)?.endedAt ?? 0) - stopped).toBeLessThan(10_000)
    expect(metered).toMatchObject([{ status: 'cancelled' }])
  })

  test('stopping works while nothing comes', async () => {
    for (const model of ['stall-headers', 'stall']) {
      const stop = new AbortController()
      setTimeout(() => stop.abort(), 100)
      const { failure } = await run(wire, model, { signal: stop.signal })
      expect(failure).toMatchObject({ kind: 'aborted' })
      expect(await ended()).toBe('aborted')
    }
  })

  test('a call that was stopped before it began is never made', async () => {
    const before = provider.requests.length
    const { failure } = await run(wire, 'echo', { signal: AbortSignal.abort() })
    expect(failure).toMatchObject({ kind: 'aborted' })
    expect(provider.requests.length).toBe(before)
  })

  test('leaving the loop drops the connection', async () => {
    const runner = createRunner({ outbound, clock: systemClock, meter: (call) => void metered.push(call) })
    const url = await urlOf(wire, 'long-1000-drip-20')
    const signal = new AbortController().signal
    for await (const _ of runner.run({
      wire: wires[wire],
      url,
      headers: {},
      hasKey: false,
      turn: turn('long-1000-drip-20'),
      signal,
    }))
      break
    expect(await ended()).toBe('aborted')
    expect(metered).toMatchObject([{ status: 'cancelled' }])
  })

  test('one failing stream harms no other', async () => {
    const bad = ['reset', 'half-json', 'error-mid', 'status-500', 'wrong-type', 'close'].map((model) =>
      run(wire, model),
    )
    const good = Array.from({ length: 20 }, () => run(wire, 'drip-5'))
    for (const answer of await Promise.all(good)) expect(answer).toEqual({ text: whole, finish: 'stop', failure: null })
    for (const answer of await Promise.all(bad)) expect(answer.failure).not.toBeNull()
  })

  test('a meter that throws harms no answer', async () => {
    const runner = createRunner({
      outbound,
      clock: systemClock,
      meter: () => {
        throw new Error('no meter')
      },
    })
    const url = await urlOf(wire, 'echo')
    const signal = new AbortController().signal
    const finishes: unknown[] = []
    for await (const parts of runner.run({
      wire: wires[wire],
      url,
      headers: {},
      hasKey: false,
      turn: turn('echo'),
      signal,
    })) {
      finishes.push(...parts.filter((part) => part.type === 'finish'))
    }
    expect(finishes).toHaveLength(1)
  })
})

test('an address where nobody listens is unreachable', async () => {
  const gone = await startProvider()
  await gone.close()
  const gate = createOutbound({ allowed: () => new Set([gone.address]), log: createLog({ level: 'silent' }) })
  const runner = createRunner({ outbound: gate, clock: systemClock })
  const url = await gate.check(`${gone.url}/api/chat`)
  const signal = new AbortController().signal
  const all = async () => {
    for await (const _ of runner.run({
      wire: wires.ollama,
      url,
      headers: {},
      hasKey: false,
      turn: turn('echo'),
      signal,
    }));
  }
  await expect(all()).rejects.toMatchObject({ kind: 'unreachable' })
  await gate.close()
})

/** How the last call ended, as the provider saw it. */
async function ended(): Promise<string | undefined> {
  await expect.poll(() => provider.requests.at(-1)?.ended).not.toBe('running')
  return provider.requests.at(-1)?.ended
}
