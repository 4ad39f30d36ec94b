import { describe, expect, test } from 'vitest'
import { asHistory, read, sampleTurn as turn } from '../../testing/recorded.ts'
import type { Turn } from '../types.ts'
import { anthropic } from './anthropic.ts'

const model = 'claude-sonnet-4-5'
const say = (more: Partial<Turn> = {}) => anthropic.say({ ...turn, model, ...more }) as Record<string, unknown>
const question = { role: 'user', text: 'Weather?', images: [] } as const

test('needs the version with every call', () => {
  expect(anthropic.headers).toEqual({ 'anthropic-version': '2023-06-01' })
})

test('says the whole turn in blocks, with all results and the next question in one message', () => {
  expect(say()).toEqual({
    model,
    system: 'Be brief.',
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Weather?' }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Oslo' } }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_1', content: 'Snow.' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aW1hZ2U=' } },
          { type: 'text', text: 'And this?' },
        ],
      },
    ],
    tools: [{ name: 'weather', description: 'Tells the weather', input_schema: { type: 'object' } }],
    thinking: { type: 'enabled', budget_tokens: 2048 },
    max_tokens: 3072,
    stop_sequences: ['END'],
    stream: true,
  })
})

test('sends sampling values where the model does not think', () => {
  expect(say({ options: { temperature: 0.2, top_k: 5 } })).toMatchObject({ temperature: 0.2, top_k: 5 })
  expect(say()).not.toHaveProperty('temperature')
})

test.each([
  ['auto', { type: 'auto' }],
  ['none', { type: 'none' }],
  ['required', { type: 'any' }],
  [{ name: 'weather' }, { type: 'tool', name: 'weather' }],
] as const)('words the choice %j as %j', (toolChoice, tool_choice) => {
  expect(say({ toolChoice, options: {} })).toMatchObject({ tool_choice })
})

test('allows one call at a time where that is asked', () => {
  expect(say({ parallelToolCalls: false })).toMatchObject({
    tool_choice: { type: 'auto', disable_parallel_tool_use: true },
  })
})

describe('thinking', () => {
  const opened = { ...turn, model, messages: turn.messages.slice(0, 3) }

  test('is left out where a tool is forced', () => {
    expect(say({ toolChoice: 'required' })).not.toHaveProperty('thinking')
  })

  test('is left out in the middle of calls that began without it', () => {
    expect(anthropic.say(opened)).not.toHaveProperty('thinking')
    expect(anthropic.say({ ...opened, model: 'claude-opus-4-7' })).toHaveProperty('thinking')
  })

  test('goes on where it began, in the order of the answer', () => {
    const answer = asHistory(anthropic, model, read(anthropic, 'replay'))
    const said = say({ messages: [question, answer, { role: 'tool', callId: 'x', name: 'weather', text: 'Snow.' }] })
    expect(said).toHaveProperty('thinking')
    const [, assistant] = said['messages'] as { content: Record<string, unknown>[] }[]
    expect(assistant?.content).toEqual([
      { type: 'thinking', thinking: 'Let me think.', signature: 'EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pk=' },
      { type: 'redacted_thinking', data: 'EmwKAhgBEgy3va3pzix/LafPsn4aDFIT2Xlxh0L5L8rLVyIw' },
      { type: 'text', text: 'I will look.' },
      { type: 'tool_use', id: 'toolu_01T1x1fJ34qAmk2tNTrN7Up6', name: 'weather', input: { city: 'Oslo', days: 3 } },
      { type: 'thinking', thinking: 'And the time.', signature: 'ErUBKkYIBRgCIkDd8Xd' },
      { type: 'tool_use', id: 'toolu_01A09q90qw90lq917835lq9', name: 'clock', input: {} },
    ])
  })

  test('keeps the places of the items that are left when older ones are gone', () => {
    const answer = read(anthropic, 'replay')
    const messages = [question, asHistory(anthropic, model, { ...answer, replay: answer.replay.slice(2) }), question]
    const [, assistant] = say({ messages })['messages'] as { content: { type: string }[] }[]
    expect(assistant?.content.map((block) => block.type)).toEqual(['text', 'tool_use', 'thinking', 'tool_use'])
  })

  test('is not shown again where it is switched off', () => {
    const messages = [question, asHistory(anthropic, model, read(anthropic, 'replay')), question]
    expect(JSON.stringify(say({ messages, options: { think: false } }))).not.toContain('signature')
  })
})

describe('the form of the text', () => {
  const schema = { type: 'object', properties: { city: { type: 'string' } } }

  test('is said with the word of the API where the model knows it', () => {
    expect(say({ format: { type: 'schema', name: 'place', schema } })).toMatchObject({
      system: 'Be brief.',
      output_config: { format: { type: 'json_schema', schema: { ...schema, additionalProperties: false } } },
    })
  })

  test('stands in the system text elsewhere', () => {
    const said = say({ model: 'claude-3-5-haiku-latest', format: { type: 'schema', name: 'place', schema } })
    expect(said).not.toHaveProperty('output_config')
    expect(said['system']).toContain('"city"')
    expect(say({ format: { type: 'json' }, system: null })['system']).toContain('one JSON object')
  })

  test('stands beside an effort', () => {
    const said = say({
      model: 'claude-opus-5',
      options: { think: 'low' },
      format: { type: 'schema', name: 'p', schema },
    })
    expect(said['output_config']).toMatchObject({ effort: 'low', format: { type: 'json_schema' } })
  })
})

test('leaves out what the API refuses: empty blocks, foreign ids, white space at the end of an answer to go on with', () => {
  const messages: Turn['messages'] = [
    { role: 'user', text: ' ', images: [{ mediaType: 'image/png', data: 'aW1hZ2U=' }] },
    { role: 'assistant', text: '', toolCalls: [{ id: 'functions.weather:0', name: 'weather', arguments: 'no json' }] },
    { role: 'tool', callId: 'functions.weather:0', name: 'weather', text: '' },
    { role: 'assistant', text: 'It is ', toolCalls: [] },
  ]
  const said = say({ messages, options: {} })['messages'] as { content: unknown[] }[]
  expect(said.map((message) => message.content)).toEqual([
    [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aW1hZ2U=' } }],
    [{ type: 'tool_use', id: 'functions_weather_0', name: 'weather', input: {} }],
    [{ type: 'tool_result', tool_use_id: 'functions_weather_0', content: '' }],
    [{ type: 'text', text: 'It is' }],
  ])
})

test('sets text apart from text only where something stood between them', () => {
  const said = (...types: string[]) => {
    const reader = anthropic.reader()
    const content = types.map((type) => ({ type, [type]: 'a', name: 'f', id: 'x' }))
    const parts = reader.frame(JSON.stringify({ type: 'message', content, stop_reason: 'end_turn' }))
    return parts.map((part) => (part.type === 'text' ? part.delta : '')).join('')
  }
  expect([said('text', 'text'), said('thinking', 'text'), said('text', 'thinking', 'text')]).toEqual([
    'aa',
    'a',
    'a\n\na',
  ])
})

test('counts what went into the cache and came from it as input', () => {
  expect(read(anthropic, 'usage-details').usage).toMatchObject({ inputTokens: 26, cachedTokens: 16 })
})

test('ends at a stop sequence like at any other end', () => {
  expect(read(anthropic, 'stop-sequence')).toMatchObject({ text: 'Hello', finish: ['stop'], failure: null })
})

test('reads an answer that came in one piece', () => {
  expect(read(anthropic, 'not-streamed')).toMatchObject({
    text: 'Hello',
    reasoning: 'Let me think.',
    calls: [{ name: 'weather', arguments: { city: 'Oslo', days: 3 } }],
    finish: ['tool_calls'],
    failure: null,
  })
  expect(read(anthropic, 'not-streamed').replay).toHaveLength(1)
})

test('tells of the input with the first piece, so that a broken answer is counted too', () => {
  expect(read(anthropic, 'cut-short').usage).toMatchObject({ inputTokens: 26, outputTokens: null })
  const reader = anthropic.reader()
  expect(reader.frame('{"type":"message_start","message":{"usage":{"input_tokens":3}}}')).toEqual([])
})
