import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createFraming } from '../framing.ts'
import { type Part, ProviderFailure, type Turn, type Wire } from '../types.ts'
import { wires } from './index.ts'

const folder = new URL('../__fixtures__/', import.meta.url)

/** Reads a recorded stream, cut into chunks of a size, to its end or its fault. */
function read(wire: Wire, name: string, chunk = 7) {
  const bytes = readFileSync(new URL(`${wire.id}/${name}.txt`, folder))
  const framing = createFraming(wire.framing)
  const reader = wire.reader()
  const parts: Part[] = []
  try {
    for (let at = 0; at < bytes.length; at += chunk) {
      for (const frame of framing.push(bytes.subarray(at, at + chunk))) parts.push(...reader.frame(frame))
    }
    for (const frame of framing.end()) parts.push(...reader.frame(frame))
    parts.push(...reader.end())
  } catch (error) {
    return { ...gather(parts), failure: error as ProviderFailure }
  }
  return { ...gather(parts), failure: null }
}

function gather(parts: readonly Part[]) {
  const joined = (type: 'text' | 'reasoning') => parts.map((p) => (p.type === type ? p.delta : '')).join('')
  return {
    text: joined('text'),
    reasoning: joined('reasoning'),
    calls: parts.flatMap((p) =>
      p.type === 'tool-call' ? [{ ...p.call, arguments: JSON.parse(p.call.arguments) }] : [],
    ),
    usage: parts.findLast((p) => p.type === 'usage') ?? null,
    finish: parts.flatMap((p) => (p.type === 'finish' ? [p.reason] : [])),
  }
}

describe.each(Object.values(wires))('the wire $id', (wire) => {
  test('reads text, its usage and its end', () => {
    expect(read(wire, 'text')).toMatchObject({
      text: 'Hello, wörld 🌍!',
      reasoning: '',
      usage: { inputTokens: 26, outputTokens: 7 },
      finish: ['stop'],
      failure: null,
    })
  })

  test('reads the same whatever the network cuts', () => {
    for (const size of [1, 2, 3, 16, 100_000]) expect(read(wire, 'text', size)).toEqual(read(wire, 'text'))
  })

  test('reads reasoning apart from the text', () => {
    expect(read(wire, 'reasoning')).toMatchObject({ text: 'Four.', reasoning: 'Let me think.', finish: ['stop'] })
  })

  test('reads tool calls, joined from their pieces', () => {
    const { calls, finish, failure } = read(wire, 'tool-call')
    expect(calls).toMatchObject([
      { name: 'weather', arguments: { city: 'Oslo', days: 3 } },
      { name: 'clock', arguments: {} },
    ])
    expect(new Set(calls.map((call) => call.id)).size).toBe(2)
    expect({ finish, failure }).toEqual({ finish: ['tool_calls'], failure: null })
  })

  test('tells an answer that was cut off by its limit', () => {
    expect(read(wire, 'length')).toMatchObject({ text: 'One two', finish: ['length'] })
  })

  test.each(['cut-short', 'half-json'])('ends a stream that stops early with a fault: %s', (name) => {
    const { text, failure, finish } = read(wire, name)
    expect({ text, finish }).toEqual({ text: 'Hello', finish: [] })
    expect(failure).toMatchObject({ kind: 'malformed' })
  })

  test('keeps what came before a frame that cannot be read', () => {
    const { text, failure } = read(wire, 'broken-frame')
    expect(text).toBe('Hello')
    expect(failure).toMatchObject({ kind: 'malformed' })
  })

  test('ends with a fault of our own words when an error comes in mid-stream', () => {
    const { text, failure } = read(wire, 'error-mid-stream')
    expect(text).toBe('Hello')
    expect(failure).toBeInstanceOf(ProviderFailure)
    expect(failure).toMatchObject({ kind: 'rejected' })
    expect(JSON.stringify([failure?.message, failure?.stack])).not.toContain('sk-secret')
  })

  test('knows an overflow of the context by its code words', () => {
    expect(read(wire, 'context-overflow').failure).toMatchObject({ kind: 'context_overflow' })
  })

  test('passes over what only keeps the connection open', () => {
    expect(read(wire, 'keep-alive')).toMatchObject({ text: 'Hello', failure: null })
  })

  test('looks at nothing behind the end', () => {
    const reader = wire.reader()
    const framing = createFraming(wire.framing)
    const bytes = readFileSync(new URL(`${wire.id}/text.txt`, folder))
    for (const frame of framing.push(bytes)) reader.frame(frame)
    expect(reader.done).toBe(true)
    expect(reader.frame('{"error":"late"}')).toEqual([])
    expect(reader.end()).toEqual([])
  })

  test('survives any bytes: parts or a fault of ours, nothing else', () => {
    const names = readdirSync(new URL(`${wire.id}/`, folder))
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed % below
    }
    for (let round = 0; round < 300; round += 1) {
      const bytes = Buffer.from(readFileSync(new URL(`${wire.id}/${names[round % names.length]}`, folder)))
      for (let n = 0; n < 5; n += 1) bytes[random(bytes.length)] = random(256)
      const framing = createFraming(wire.framing)
      const reader = wire.reader()
      try {
        for (const frame of framing.push(bytes)) reader.frame(frame)
        reader.end()
      } catch (error) {
        expect(error).toBeInstanceOf(ProviderFailure)
      }
    }
  })

  test('says the whole turn', () => {
    const said = wire.say(turn) as { model: string; messages: { role: string; content: unknown }[]; tools: unknown[] }
    expect(said.model).toBe('m')
    expect(said.messages.map((m) => m.role)).toEqual(['system', 'user', 'assistant', 'tool', 'user'])
    expect(said.tools).toHaveLength(1)
    expect(JSON.stringify(said)).toContain('aW1hZ2U=')
    expect(JSON.stringify(wire.say({ ...turn, system: null, tools: [], options: {} }))).not.toMatch(
      /system|tools"|temperature/,
    )
  })
})

const turn: Turn = {
  model: 'm',
  system: 'Be brief.',
  messages: [
    { role: 'user', text: 'Weather?', images: [] },
    { role: 'assistant', text: '', toolCalls: [{ id: 'call_1', name: 'weather', arguments: '{"city":"Oslo"}' }] },
    { role: 'tool', callId: 'call_1', name: 'weather', text: 'Snow.' },
    { role: 'user', text: 'And this?', images: [{ mediaType: 'image/png', data: 'aW1hZ2U=' }] },
  ],
  tools: [{ name: 'weather', description: 'Tells the weather', parameters: { type: 'object' } }],
  options: { temperature: 0.2, num_predict: 50, num_ctx: 4096, stop: ['END'], think: 'low' },
}

describe('chat completions', () => {
  const wire = wires['chat-completions']

  test('words options in the names of the wire', () => {
    expect(wire.say(turn)).toMatchObject({
      temperature: 0.2,
      max_tokens: 50,
      stop: ['END'],
      reasoning_effort: 'low',
      stream: true,
      stream_options: { include_usage: true },
    })
    expect(wire.say(turn)).not.toHaveProperty('num_ctx')
  })

  test('sends images as data URLs before the text, and arguments as text', () => {
    const { messages } = wire.say(turn) as { messages: unknown[] }
    expect(messages[4]).toEqual({
      role: 'user',
      content: [
        { type: 'image_url', image_url: { url: 'data:image/png;base64,aW1hZ2U=' } },
        { type: 'text', text: 'And this?' },
      ],
    })
    expect(messages[2]).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }],
    })
  })

  test('accepts an end without [DONE] after a finish reason', () => {
    expect(read(wire, 'no-done')).toMatchObject({ text: 'Hello', finish: ['stop'], failure: null })
  })

  test.each([1, 3, 7, 100_000])('takes reasoning out of <think> tags, whatever is cut where (%i)', (size) => {
    expect(read(wire, 'think-tags', size)).toMatchObject({ text: 'Four.', reasoning: 'Let me think.' })
  })

  test('reads the other names of reasoning once', () => {
    expect(read(wire, 'other-reasoning')).toMatchObject({ text: 'Four.', reasoning: 'Let me think.' })
  })

  test('tells tool calls apart by id where the index is missing', () => {
    const { calls, finish } = read(wire, 'no-index')
    expect(calls.map((call) => [call.id, call.name])).toEqual([
      ['call_a', 'weather'],
      ['call_b', 'clock'],
    ])
    expect(finish).toEqual(['tool_calls'])
  })

  test('reads an answer that came in one piece', () => {
    expect(read(wire, 'not-streamed')).toMatchObject({ text: 'Hello', finish: ['stop'], failure: null })
  })
})

describe('the local runtime', () => {
  const wire = wires.ollama

  test('words images, arguments and thinking its own way', () => {
    const said = wire.say(turn) as { messages: unknown[]; think: unknown; options: unknown }
    expect(said.messages[4]).toEqual({ role: 'user', content: 'And this?', images: ['aW1hZ2U='] })
    expect(said.messages[2]).toMatchObject({
      tool_calls: [{ function: { name: 'weather', arguments: { city: 'Oslo' } } }],
    })
    expect(said.messages[3]).toEqual({ role: 'tool', content: 'Snow.', tool_name: 'weather' })
    expect(said.think).toBe('low')
    expect(said.options).toEqual({ temperature: 0.2, num_predict: 50, num_ctx: 4096, stop: ['END'] })
  })
})
