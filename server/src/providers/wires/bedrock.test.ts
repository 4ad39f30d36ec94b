import { describe, expect, test } from 'vitest'
import { asHistory, read, sampleTurn as turn } from '../../testing/recorded.ts'
import type { Turn } from '../types.ts'
import { bedrock } from './bedrock.ts'

const claude = 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0'
const nova = 'amazon.nova-pro-v1:0'
const say = (model: string, more: Partial<Turn> = {}) =>
  bedrock.say({ ...turn, model, ...more }) as Record<string, unknown>
const question = { role: 'user', text: 'Weather?', images: [] } as const

const addresses: [string, string, string][] = [
  ['/model/{model}/converse', 'a.b-v1:0', '/model/a.b-v1%3A0/converse-stream'],
  ['/model/%7Bmodel%7D/converse-stream', 'a.b', '/model/a.b/converse-stream'],
  [
    '',
    'arn:aws:bedrock:us-east-1:1:inference-profile/x',
    '/model/arn%3Aaws%3Abedrock%3Aus-east-1%3A1%3Ainference-profile%2Fx/converse-stream',
  ],
]
test.each(addresses)('%s with the model %s is %s', (route, name, path) => {
  expect(bedrock.address?.(`https://host.example${route}`, name)).toBe(`https://host.example${path}`)
})

test('says the whole turn in blocks, with all results and the next question in one message', () => {
  expect(say(nova)).toEqual({
    messages: [
      { role: 'user', content: [{ text: 'Weather?' }] },
      { role: 'assistant', content: [{ toolUse: { toolUseId: 'call_1', name: 'weather', input: { city: 'Oslo' } } }] },
      {
        role: 'user',
        content: [
          { toolResult: { toolUseId: 'call_1', content: [{ text: 'Snow.' }] } },
          { image: { format: 'png', source: { bytes: 'aW1hZ2U=' } } },
          { text: 'And this?' },
        ],
      },
    ],
    system: [{ text: 'Be brief.' }],
    inferenceConfig: { maxTokens: 50, temperature: 0.2, stopSequences: ['END'] },
    toolConfig: {
      tools: [
        {
          toolSpec: {
            name: 'weather',
            description: 'Tells the weather',
            inputSchema: { json: { type: 'object' } },
          },
        },
      ],
    },
  })
})

test.each([
  ['auto', undefined],
  ['required', { any: {} }],
  [{ name: 'weather' }, { tool: { name: 'weather' } }],
] as const)('words the choice %j as %j', (toolChoice, choice) => {
  const { toolConfig } = say(nova, { toolChoice }) as { toolConfig: { toolChoice?: unknown } }
  expect(toolConfig.toolChoice).toEqual(choice)
})

test('tells earlier calls as text where no tool may be used, for which there is no word', () => {
  const said = say(nova, { toolChoice: 'none' })
  expect(said).not.toHaveProperty('toolConfig')
  expect(said['messages']).toMatchObject([
    {},
    { content: [{ text: '(used weather with {"city":"Oslo"})' }] },
    { content: [{ text: '(weather answered: Snow.)' }, {}, {}] },
  ])
})

test('leaves blank text out, and gives ids that the API takes', () => {
  const { messages } = say(nova, {
    messages: [
      question,
      { role: 'assistant', text: ' \n', toolCalls: [{ id: 'a|b c', name: 'weather', arguments: 'no json' }] },
      { role: 'tool', callId: 'a|b c', name: 'weather', text: '' },
    ],
  })
  expect(messages).toMatchObject([
    {},
    { content: [{ toolUse: { toolUseId: 'a_b_c', input: {} } }] },
    { content: [{ toolResult: { toolUseId: 'a_b_c', content: [] } }] },
  ])
})

describe('thinking', () => {
  const asked = { tools: [], messages: [question] }
  test('of Claude has a budget beside the answer, and no sampling', () => {
    expect(say(claude, { ...asked, options: { think: 'low', temperature: 0.2, num_predict: 1000 } })).toMatchObject({
      inferenceConfig: { maxTokens: 3072 },
      additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 2048 } },
    })
    expect(
      say(claude, { ...asked, options: { think: 'low', temperature: 0.2 } })['inferenceConfig'],
    ).not.toHaveProperty('temperature')
  })

  test('of newer Claude has an effort', () => {
    expect(say('global.anthropic.claude-opus-4-8', { ...asked, options: { think: 'high' } })).toMatchObject({
      additionalModelRequestFields: { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } },
    })
  })

  test('of other makers has their own words, or none', () => {
    const extra = (model: string) =>
      say(model, { ...asked, options: { think: 'high' } })['additionalModelRequestFields']
    expect(extra('openai.gpt-oss-120b-1:0')).toEqual({ reasoning_effort: 'high' })
    expect(extra('amazon.nova-2-lite-v1:0')).toEqual({
      reasoningConfig: { type: 'enabled', maxReasoningEffort: 'high' },
    })
    expect(extra('meta.llama3-3-70b-instruct-v1:0')).toBeUndefined()
  })

  test('leaves the provider its own limit where nobody asked', () => {
    expect(say(claude, { ...asked, options: {} })).not.toHaveProperty('inferenceConfig')
  })

  test('goes back signed, in its place, and a round of tools without it goes on without', () => {
    const answer = read(bedrock, 'replay')
    expect(answer).toMatchObject({ text: 'I look.', reasoning: 'Let me look.', finish: ['tool_calls'] })
    const results = answer.rawCalls.map(({ id, name }) => ({ role: 'tool', callId: id, name, text: 'Yes.' }) as const)
    const options = { think: 'low' } as const
    const own = say(claude, { messages: [question, asHistory(bedrock, claude, answer), ...results], options })
    expect(own).toMatchObject({
      messages: [
        {},
        {
          content: [
            { reasoningContent: { reasoningText: { text: 'Let me look.', signature: 'EqoBCkgIARABGAIiQL2' } } },
            { reasoningContent: { redactedContent: 'RGV4dXM=' } },
            { text: 'I look.' },
            { toolUse: { toolUseId: 'tooluse_A', input: { city: 'Oslo' } } },
          ],
        },
        {},
      ],
      additionalModelRequestFields: { thinking: { type: 'enabled' } },
    })
    const foreign = say(claude, { messages: [question, asHistory(bedrock, nova, answer), ...results], options })
    expect(JSON.stringify(foreign)).not.toMatch(/reasoningContent|thinking/)
  })
})

describe('the form of the text', () => {
  const schema = { type: 'object', properties: { city: { type: 'string', minLength: 2 } } }
  const format = { type: 'schema', name: 'a place', schema } as const

  test('has a word for models that know one', () => {
    expect(say(claude, { format, options: {} })).toMatchObject({
      outputConfig: {
        textFormat: {
          type: 'json_schema',
          structure: {
            jsonSchema: {
              name: 'a_place',
              schema: JSON.stringify({
                type: 'object',
                properties: { city: { type: 'string' } },
                additionalProperties: false,
              }),
            },
          },
        },
      },
    })
  })

  test('is asked for in words elsewhere', () => {
    const said = say(nova, { format })
    expect(said).not.toHaveProperty('outputConfig')
    expect(said['system']).toMatchObject([{ text: 'Be brief.' }, { text: expect.stringContaining('"city"') }])
    expect(say(claude, { format: { type: 'json' }, system: null, options: {} })['system']).toMatchObject([
      { text: expect.stringContaining('one JSON object') },
    ])
  })
})

test('counts what came from the cache as input', () => {
  expect(read(bedrock, 'reasoning').usage).toMatchObject({ inputTokens: 26, outputTokens: 7, cachedTokens: 12 })
})

test('reads an answer that came in one piece', () => {
  const reader = bedrock.reader()
  const content = [
    { reasoningContent: { reasoningText: { text: 'Hm.', signature: 'EqoB' } } },
    { text: 'Hello' },
    { toolUse: { toolUseId: 't1', name: 'weather', input: { city: 'Oslo' } } },
  ]
  const parts = reader.frame(
    JSON.stringify({
      output: { message: { role: 'assistant', content } },
      stopReason: 'tool_use',
      usage: { inputTokens: 26, outputTokens: 7, totalTokens: 33 },
    }),
  )
  expect(parts.map((part) => part.type)).toEqual([
    'reasoning',
    'replay',
    'text',
    'tool-call-start',
    'tool-call-delta',
    'tool-call',
    'usage',
    'finish',
  ])
  expect(reader.isDone()).toBe(true)
})

const event = (kind: string, name: string, payload: unknown = {}) => JSON.stringify({ kind, name, payload })

test.each([
  ['throttlingException', 'overloaded'],
  ['serviceUnavailableException', 'overloaded'],
  ['internalServerException', 'rejected'],
  ['modelStreamErrorException', 'rejected'],
  ['modelTimeoutException', 'timeout'],
  ['validationException', 'rejected'],
  ['accessDeniedException', 'rejected'],
])('tells %s as %s, in our words', (name, kind) => {
  const frame = () => bedrock.reader().frame(event('exception', name, { message: 'sk-secret' }))
  expect(frame).toThrow(expect.objectContaining({ kind, message: expect.not.stringContaining('sk-') }))
})

test.each([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['guardrail_intervened', 'content_filter'],
  ['content_filtered', 'content_filter'],
  ['malformed_model_output', 'malformed_model_output'],
])('ends for %s as %s, also where the figures never come', (stopReason, reason) => {
  const reader = bedrock.reader()
  reader.frame(event('event', 'messageStop', { stopReason }))
  expect(reader.end()).toEqual([{ type: 'finish', reason }])
})

test('puts a word before an answer that a chat would begin with', () => {
  const answer = { role: 'assistant', text: 'Snow.', toolCalls: [] } as const
  expect(say(nova, { messages: [answer, question] })['messages']).toMatchObject([
    { role: 'user', content: [{ text: expect.stringContaining('left out') }] },
    { role: 'assistant' },
    { role: 'user' },
  ])
})
