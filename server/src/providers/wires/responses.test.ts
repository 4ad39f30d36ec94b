import { describe, expect, test } from 'vitest'
import { asHistory, read, sampleTurn as turn } from '../../testing/recorded.ts'
import type { Turn } from '../types.ts'
import { responses } from './responses.ts'

const model = 'gpt-5'
const say = (more: Partial<Turn> = {}) => responses.say({ ...turn, model, ...more }) as Record<string, unknown>
const question = { role: 'user', text: 'Weather?', images: [] } as const

test('says the whole turn as items, and keeps nothing there', () => {
  expect(say()).toEqual({
    model,
    instructions: 'Be brief.',
    input: [
      { role: 'user', content: 'Weather?' },
      { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{"city":"Oslo"}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'Snow.' },
      {
        role: 'user',
        content: [
          { type: 'input_image', image_url: 'data:image/png;base64,aW1hZ2U=', detail: 'auto' },
          { type: 'input_text', text: 'And this?' },
        ],
      },
    ],
    tools: [
      {
        type: 'function',
        name: 'weather',
        description: 'Tells the weather',
        parameters: { type: 'object' },
        strict: false,
      },
    ],
    max_output_tokens: 50,
    reasoning: { effort: 'low', summary: 'auto' },
    include: ['reasoning.encrypted_content'],
    store: false,
    stream: true,
  })
})

test.each([
  ['gpt-5', true, { summary: 'auto' }, false],
  ['gpt-5', false, { effort: 'minimal' }, true],
  ['gpt-5.2', false, { effort: 'none' }, true],
  ['o4-mini', false, { effort: 'low' }, true],
  ['gpt-5', undefined, undefined, false],
  ['gpt-4.1', 'high', undefined, true],
  ['other', 'high', { effort: 'high', summary: 'auto' }, true],
] as const)('%s, asked to think %s, is told %j; with sampling values: %s', (name, think, reasoning, samples) => {
  const said = say({ model: name, options: { think, temperature: 0.2 } })
  expect(said['reasoning']).toEqual(reasoning)
  expect('temperature' in said).toBe(samples)
})

test.each([
  ['auto', 'auto'],
  ['none', 'none'],
  ['required', 'required'],
  [{ name: 'weather' }, { type: 'function', name: 'weather' }],
] as const)('words the choice %j as %j', (toolChoice, tool_choice) => {
  expect(say({ toolChoice, parallelToolCalls: false })).toMatchObject({ tool_choice, parallel_tool_calls: false })
})

test('says the form of the text, and asks for probabilities', () => {
  const schema = { type: 'object' }
  expect(say({ format: { type: 'json' } })['text']).toEqual({ format: { type: 'json_object' } })
  expect(say({ format: { type: 'schema', name: 'place', schema, strict: true } })['text']).toEqual({
    format: { type: 'json_schema', name: 'place', schema, strict: true },
  })
  expect(say({ model: 'gpt-4.1', logprobs: { top: 2 } })).toMatchObject({
    top_logprobs: 2,
    include: ['message.output_text.logprobs'],
  })
})

describe('replay', () => {
  const answer = read(responses, 'replay')
  const inputOf = (messages: Turn['messages']) => say({ messages })['input'] as Record<string, unknown>[]

  test('puts reasoning before what followed it, and calls under their own ids', () => {
    const results = answer.rawCalls.map(({ id, name }) => ({ role: 'tool', callId: id, name, text: 'Snow.' }) as const)
    const input = inputOf([question, asHistory(responses, model, answer), ...results])
    expect(input.map((item) => item['type'] ?? item['role'])).toEqual([
      'user',
      'reasoning',
      'assistant',
      'function_call',
      'reasoning',
      'function_call',
      'function_call_output',
      'function_call_output',
    ])
    expect(input[1]).toEqual({
      type: 'reasoning',
      id: 'rs_67c9fdcf37fc8190ba82116e33fb28c507b8b0ad4e5eb654',
      summary: [{ type: 'summary_text', text: 'Let me think.' }],
      encrypted_content: 'gAAAAABoISQ24OyVRYbkYfukdJoqdzWT-complete',
    })
    expect(input[3]).toMatchObject({
      id: 'fc_67ca09c6bedc8190a7abfec07b1a1332096610f474011cc0',
      call_id: 'call_unLAR8MvFNptuiZK6K6HCy5k',
    })
  })

  test('leaves reasoning out when what followed it is gone', () => {
    const history = { ...asHistory(responses, model, answer), toolCalls: [] } as Turn['messages'][number]
    const kinds = inputOf([question, history]).map((item) => item['type'] ?? item['role'])
    expect(kinds).toEqual(['user', 'reasoning', 'assistant'])
  })
})

test('reads a refusal as the text of the answer', () => {
  expect(read(responses, 'refusal')).toMatchObject({ text: "I'm sorry, no.", finish: ['stop'], failure: null })
})

test('reads a failure, in words of ours', () => {
  const { text, failure } = read(responses, 'failed')
  expect([text, failure?.kind]).toEqual(['Hello', 'rejected'])
  expect(failure?.message).not.toContain('sk-secret')
})

test('reads probabilities in the shape of chat completions', () => {
  expect(read(responses, 'logprobs').logprobs).toEqual([
    {
      token: 'Hello',
      logprob: -0.1,
      bytes: null,
      top_logprobs: [
        { token: 'Hello', logprob: -0.1, bytes: null },
        { token: 'Hi', logprob: -2.5, bytes: null },
      ],
    },
  ])
})

test('reads an answer that came in one piece', () => {
  expect(read(responses, 'not-streamed')).toMatchObject({
    text: 'Hello',
    reasoning: 'Let me think.',
    calls: [{ name: 'weather', arguments: { city: 'Oslo', days: 3 } }],
    usage: { inputTokens: 26, outputTokens: 7 },
    finish: ['tool_calls'],
    failure: null,
  })
})

test('sets a second message apart from the comment before it, and says nothing twice', () => {
  const reader = responses.reader()
  const item = (text: string) => ({ type: 'message', content: [{ type: 'output_text', text }] })
  const parts = [
    { type: 'response.output_text.delta', output_index: 0, delta: 'I look.' },
    { type: 'response.output_item.done', output_index: 0, item: item('I look.') },
    { type: 'response.output_text.delta', output_index: 2, delta: 'Snow.' },
    { type: 'response.output_item.done', output_index: 2, item: item('Snow.') },
    { type: 'response.completed', response: { status: 'completed', output: [item('I look.'), item('Snow.')] } },
  ].flatMap((frame) => reader.frame(JSON.stringify(frame)))
  expect(parts.flatMap((part) => (part.type === 'text' ? [part.delta] : []))).toEqual(['I look.', '\n\nSnow.'])
})

test('takes from whole items what their pieces did not say', () => {
  const reader = responses.reader()
  const item = { type: 'message', content: [{ type: 'output_text', text: 'Hello there' }] }
  const parts = [
    { type: 'response.output_text.delta', output_index: 0, delta: 'Hello' },
    { type: 'response.completed', response: { status: 'completed', output: [item] } },
  ].flatMap((frame) => reader.frame(JSON.stringify(frame)))
  expect(parts).toEqual([
    { type: 'text', delta: 'Hello' },
    { type: 'text', delta: ' there' },
    { type: 'finish', reason: 'stop' },
  ])
})
