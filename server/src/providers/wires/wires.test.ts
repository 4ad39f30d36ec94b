import { describe, expect, test } from 'vitest'
import { asHistory, bytesOf, read, recordsOf, sampleTurn as turn } from '../../testing/recorded.ts'
import { createFraming } from '../framing.ts'
import { ProviderFailure, type Wire } from '../types.ts'
import { wires } from './index.ts'

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

  test('takes absurd figures for unknown ones', () => {
    const framing = createFraming(wire.framing)
    for (const absurd of ['1e300', '1e30', '1e400', '-26', '9007199254740993', '"26"', 'null']) {
      const reader = wire.reader()
      const frames = framing.push(bytesOf(wire, 'text'))
      const parts = frames.flatMap((frame) =>
        reader.frame(frame.replaceAll(/((?:okens|ount)"\s*:\s*)\d+/g, `$1${absurd}`)),
      )
      const figures = parts.flatMap((part) => (part.type === 'usage' ? [part.inputTokens, part.outputTokens] : []))
      expect([absurd, figures.filter((figure) => figure !== null)]).toEqual([absurd, []])
      expect(parts.flatMap((part) => (part.type === 'text' ? [part.delta] : [])).join('')).toBe('Hello, wörld 🌍!')
    }
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
    for (const frame of framing.push(bytesOf(wire, 'text'))) reader.frame(frame)
    expect(reader.isDone()).toBe(true)
    expect(reader.frame('{"error":"late"}')).toEqual([])
    expect(reader.end()).toEqual([])
  })

  test('survives any bytes: parts or a fault of ours, nothing else', () => {
    const names = recordsOf(wire)
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed % below
    }
    for (let round = 0; round < 300; round += 1) {
      const bytes = Buffer.from(bytesOf(wire, names[round % names.length] ?? ''))
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

  test('tells of calls piece by piece, and then of the same calls whole', () => {
    const { streamed, rawCalls } = read(wire, 'tool-call')
    expect(streamed).toEqual(rawCalls)
    // Ids that no provider gave are new ones each time.
    const withoutMade = (chunk: number) =>
      JSON.stringify(read(wire, 'tool-call', chunk)).replaceAll(/call_[0-9a-f]{32}/g, 'made')
    expect(withoutMade(1)).toEqual(withoutMade(100_000))
  })

  test('says the whole turn, in its order', () => {
    const said = JSON.stringify(wire.say(turn))
    const places = ['Weather?', 'Oslo', 'Snow.', 'And this?'].map((words) => said.indexOf(words))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(places).not.toContain(-1)
    for (const part of ['Be brief.', 'aW1hZ2U=', 'image/png', 'Tells the weather', '0.2', 'END']) {
      if (cannotSay[wire.id]?.includes(part)) expect(said).not.toContain(part)
      else expect(said).toContain(part)
    }
    expect(JSON.stringify(wire.say({ ...turn, system: null, tools: [], options: {} }))).not.toMatch(
      /system|instructions|tools"|tool_choice|toolConfig|temperature|top_p|topP/,
    )
  })

  test('says which tool is to be used, and which form the text must have', () => {
    const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
    const plain = JSON.stringify(wire.say(turn))
    for (const toolChoice of ['none', 'required', { name: 'weather' }] as const) {
      const said = JSON.stringify(wire.say({ ...turn, toolChoice }))
      if (toolChoice !== 'none' && cannotSay[wire.id]?.includes('toolChoice')) expect(said).toBe(plain)
      else expect(said).not.toBe(plain)
    }
    const format = { type: 'schema', name: 'place', schema, strict: true } as const
    expect(JSON.stringify(wire.say({ ...turn, format }))).toContain('city')
    expect(JSON.stringify(wire.say({ ...turn, format: { type: 'json' } })).toLowerCase()).toContain('json')
  })
})

/** Wires whose format knows the case. */
const having = (name: string): Wire[] => Object.values(wires).filter((wire) => recordsOf(wire).includes(name))

test.each(having('usage-details'))('$id counts what was cached and what was thought', (wire) => {
  expect(read(wire, 'usage-details').usage).toEqual({
    type: 'usage',
    inputTokens: 26,
    outputTokens: 7,
    cachedTokens: 16,
    reasoningTokens: 5,
  })
})

test.each(having('content-filter'))('$id tells an answer that was held back', (wire) => {
  expect(read(wire, 'content-filter')).toMatchObject({ text: 'I can', finish: ['content_filter'], failure: null })
})

test.each(having('overloaded'))('$id tells a provider that is overloaded from one that fails', (wire) => {
  expect(read(wire, 'overloaded')).toMatchObject({ text: 'Hello', failure: { kind: 'overloaded' } })
})

describe.each(having('replay'))('what $id wants to see again', (wire) => {
  const question = { role: 'user', text: 'Weather?', images: [] } as const
  const saidTo = (model: string, history: (typeof turn.messages)[number]) => {
    const calls = history.role === 'assistant' ? history.toolCalls : []
    const results = calls.map(({ id, name }) => ({ role: 'tool', callId: id, name, text: 'Snow.' }) as const)
    return JSON.stringify(wire.say({ ...turn, model, messages: [question, history, ...results] }))
  }

  test('goes back item by item, to its own wire and model', () => {
    const answer = read(wire, 'replay')
    expect(answer.replay.length).toBeGreaterThan(0)
    expect(answer.replay.every((part) => part.wire === wire.id)).toBe(true)
    const said = saidTo('m', asHistory(wire, 'm', answer))
    for (const text of secretsOf(answer.replay)) expect(said).toContain(text)
  })

  test('goes to no other model, and from no other wire', () => {
    const own = asHistory(wire, 'm', read(wire, 'replay'))
    const items = own.role === 'assistant' && own.replay ? own.replay.items : []
    const foreign = { ...own, replay: { wire: 'other', model: 'm', items } } as typeof own
    const secrets = secretsOf(read(wire, 'replay').replay)
    expect(secrets.length).toBeGreaterThan(0)
    for (const said of [saidTo('other', own), saidTo('m', foreign)]) {
      for (const text of secrets) expect(said).not.toContain(text)
    }
  })
})

/** What a format has no word for. */
const cannotSay: Partial<Record<string, readonly string[]>> = {
  ollama: ['image/png', 'toolChoice'],
  // Values of sampling are left out while the model thinks.
  anthropic: ['0.2'],
  responses: ['END'],
  bedrock: ['image/png'],
}

/** The texts in replay items that stand nowhere else. */
const secretsOf = (replay: readonly { item: unknown }[]): string[] => {
  const texts: string[] = []
  const walk = (value: unknown, word: string): void => {
    if (typeof value === 'string' && /signature|data|encrypted|thought/i.test(word)) texts.push(value)
    if (typeof value === 'object' && value !== null) for (const [key, inner] of Object.entries(value)) walk(inner, key)
  }
  walk(
    replay.map((part) => part.item),
    '',
  )
  return texts
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

  test('says choice, form, probabilities and bias', () => {
    const schema = { type: 'object' }
    const said = wire.say({
      ...turn,
      toolChoice: { name: 'weather' },
      parallelToolCalls: false,
      format: { type: 'schema', name: 'place', schema, strict: true },
      logprobs: { top: 2 },
      logitBias: { 42: -100 },
    })
    expect(said).toMatchObject({
      tool_choice: { type: 'function', function: { name: 'weather' } },
      parallel_tool_calls: false,
      response_format: { type: 'json_schema', json_schema: { name: 'place', schema, strict: true } },
      logprobs: true,
      top_logprobs: 2,
      logit_bias: { 42: -100 },
    })
    expect(wire.say({ ...turn, format: { type: 'json' } })).toMatchObject({ response_format: { type: 'json_object' } })
    expect(wire.say({ ...turn, tools: [], toolChoice: 'none', parallelToolCalls: true })).not.toMatchObject({
      tool_choice: expect.anything(),
    })
  })

  test.each([
    ['gpt-4o', 'max_tokens', true],
    ['gpt-5-mini', 'max_completion_tokens', false],
    ['o3', 'max_completion_tokens', false],
    ['openai/gpt-5', 'max_completion_tokens', false],
    ['gpt-5-chat-latest', 'max_completion_tokens', true],
    ['gpt-oss-120b', 'max_tokens', true],
    ['other', 'max_tokens', true],
  ])('%s is limited by %s, and takes sampling values: %s', (model, word, samples) => {
    const said = wire.say({ ...turn, model }) as Record<string, unknown>
    expect(said[word]).toBe(50)
    expect(Object.keys(said).filter((key) => key.startsWith('max_'))).toEqual([word])
    expect('temperature' in said).toBe(samples)
  })

  test.each([
    ['other', false, 'none'],
    ['gpt-5', false, 'minimal'],
    ['o3', false, 'low'],
    ['gpt-5.2', 'high', 'high'],
    ['gpt-4o', 'high', undefined],
    ['gpt-4o', false, undefined],
    ['other', true, undefined],
  ] as const)('%s, asked to think %s, is told %s', (model, think, effort) => {
    expect(wire.say({ ...turn, model, options: { think } })).toMatchObject(effort ? { reasoning_effort: effort } : {})
    expect('reasoning_effort' in (wire.say({ ...turn, model, options: { think } }) as object)).toBe(Boolean(effort))
  })

  test('passes probabilities on', () => {
    expect(read(wire, 'logprobs').logprobs).toMatchObject([{ token: 'Hello', top_logprobs: [{}, { token: 'Hi' }] }])
  })

  test('knows the older word for an end in calls', () => {
    expect(read(wire, 'function-call')).toMatchObject({ calls: [{ name: 'weather' }], finish: ['tool_calls'] })
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

  test('says the form of the text, and offers no tool that may not be used', () => {
    const schema = { type: 'object' }
    expect(wire.say({ ...turn, format: { type: 'schema', name: 'place', schema } })).toMatchObject({ format: schema })
    expect(wire.say({ ...turn, format: { type: 'json' } })).toMatchObject({ format: 'json' })
    expect(wire.say({ ...turn, toolChoice: 'none' })).not.toHaveProperty('tools')
  })

  test('asks for probabilities, and reads them', () => {
    expect(wire.say({ ...turn, logprobs: { top: 2 } })).toMatchObject({ logprobs: true, top_logprobs: 2 })
    expect(read(wire, 'logprobs').logprobs).toMatchObject([{ token: 'Hello', top_logprobs: [{}, { token: 'Hi' }] }])
  })
})
