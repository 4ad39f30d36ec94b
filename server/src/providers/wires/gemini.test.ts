import { expect, test } from 'vitest'
import { asHistory, read, sampleTurn as turn } from '../../testing/recorded.ts'
import type { Turn } from '../types.ts'
import { gemini } from './gemini.ts'

const model = 'gemini-2.5-flash'
const say = (more: Partial<Turn> = {}) => gemini.say({ ...turn, model, ...more }) as Record<string, unknown>
const question = { role: 'user', text: 'Weather?', images: [] } as const

const addresses: [string, string, string][] = [
  [
    '/v1beta/models/{model}:generateContent',
    'gemini-2.5-flash',
    '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
  ],
  ['/v1beta/models/%7Bmodel%7D:generateContent', 'a b/c?d', '/v1beta/models/a%20b/c%3Fd:streamGenerateContent?alt=sse'],
  ['/v1beta/models/{model}:generateContent?key=1', 'models/x', '/v1beta/models/x:streamGenerateContent?key=1&alt=sse'],
  ['/v1beta/models/fixed:generateContent', 'other', '/v1beta/models/fixed:streamGenerateContent?alt=sse'],
  ['/v1beta/models/{model}:streamGenerateContent', 'x', '/v1beta/models/x:streamGenerateContent?alt=sse'],
  ['/v1beta/', 'x', '/v1beta/models/x:streamGenerateContent?alt=sse'],
]
test.each(addresses)('%s with the model %s is %s', (route, name, path) => {
  expect(gemini.address?.(`https://host.example${route}`, name)).toBe(`https://host.example${path}`)
})

test('says the whole turn in parts', () => {
  expect(say()).toEqual({
    contents: [
      { role: 'user', parts: [{ text: 'Weather?' }] },
      { role: 'model', parts: [{ functionCall: { name: 'weather', args: { city: 'Oslo' } } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'weather', response: { output: 'Snow.' } } }] },
      { role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: 'aW1hZ2U=' } }, { text: 'And this?' }] },
    ],
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    tools: [
      {
        functionDeclarations: [
          { name: 'weather', description: 'Tells the weather', parametersJsonSchema: { type: 'object' } },
        ],
      },
    ],
    generationConfig: {
      temperature: 0.2,
      maxOutputTokens: 50,
      stopSequences: ['END'],
      thinkingConfig: { includeThoughts: true, thinkingBudget: 1024 },
    },
  })
})

test('says results of one round together', () => {
  const calls = ['a', 'b'].map((id) => ({ id, name: id, arguments: '{}' }))
  const results = calls.map(({ id }) => ({ role: 'tool', callId: id, name: id, text: id }) as const)
  const { contents } = say({ messages: [question, { role: 'assistant', text: 'Hm.', toolCalls: calls }, ...results] })
  expect(contents).toMatchObject([
    {},
    { parts: [{ text: 'Hm.' }, { functionCall: { name: 'a' } }, { functionCall: { name: 'b' } }] },
    { parts: [{ functionResponse: { name: 'a' } }, { functionResponse: { name: 'b' } }] },
  ])
})

test.each([
  ['auto', { mode: 'AUTO' }],
  ['none', { mode: 'NONE' }],
  ['required', { mode: 'ANY' }],
  [{ name: 'weather' }, { mode: 'ANY', allowedFunctionNames: ['weather'] }],
] as const)('words the choice %j as %j', (toolChoice, functionCallingConfig) => {
  expect(say({ toolChoice })).toMatchObject({ toolConfig: { functionCallingConfig } })
})

test('words the form of the text, and every option that it knows', () => {
  const schema = { type: 'object', properties: { city: { type: 'string' } } }
  const tools: Turn['tools'] = []
  const options = { top_p: 0.5, top_k: 4, seed: 7, presence_penalty: 0.1, frequency_penalty: 0.2, min_p: 0.1 }
  expect(
    say({ format: { type: 'schema', name: 'place', schema }, options, tools, logprobs: { top: 2 } }),
  ).toMatchObject({
    generationConfig: {
      topP: 0.5,
      topK: 4,
      seed: 7,
      presencePenalty: 0.1,
      frequencyPenalty: 0.2,
      responseMimeType: 'application/json',
      responseJsonSchema: schema,
      responseLogprobs: true,
      logprobs: 2,
    },
  })
  expect(JSON.stringify(say({ options: {}, tools, format: { type: 'json' } }))).not.toContain('responseJsonSchema')
  expect(say({ options: {} })).not.toHaveProperty('generationConfig')
})

test('asks for the form of the text in words where it excludes tools', () => {
  const said = say({ format: { type: 'json' }, options: {} })
  expect(said).not.toHaveProperty('generationConfig')
  expect(said['systemInstruction']).toMatchObject({
    parts: [{ text: expect.stringMatching(/^Be brief\.\n\nAnswer with one JSON object/) }],
  })
  expect(say({ model: 'gemini-3.5-flash', format: { type: 'json' }, options: {} })).toMatchObject({
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    generationConfig: { responseMimeType: 'application/json' },
  })
})

test('tells models that take no system text what it says in the first message', () => {
  const said = say({ model: 'gemma-3-27b-it', tools: [] })
  expect(said).not.toHaveProperty('systemInstruction')
  expect(said['contents']).toMatchObject([{ role: 'user', parts: [{ text: 'Be brief.' }] }, {}, {}, {}, {}])
})

const thinking: [string, Turn['options']['think'], object | undefined][] = [
  ['gemini-2.5-flash', true, { includeThoughts: true }],
  ['gemini-2.5-flash', false, { thinkingBudget: 0 }],
  ['gemini-2.5-pro', false, { thinkingBudget: 128 }],
  ['gemini-2.5-pro', 'high', { includeThoughts: true, thinkingBudget: 24_576 }],
  ['gemini-3.5-flash', 'medium', { includeThoughts: true, thinkingLevel: 'medium' }],
  ['gemini-3.5-flash', false, { thinkingLevel: 'minimal' }],
  ['gemini-3.1-pro-preview', false, { thinkingLevel: 'low' }],
  ['gemini-flash-latest', 'low', { includeThoughts: true, thinkingLevel: 'low' }],
  ['gemini-2.0-flash', 'low', undefined],
  ['gemma-4-31b-it', true, undefined],
  ['gemini-2.5-flash', undefined, undefined],
]
test.each(thinking)('words thinking of %s (%j) as %j', (name, think, thinkingConfig) => {
  const { generationConfig } = say({ model: name, options: { think, seed: 1 } }) as { generationConfig: object }
  expect(generationConfig).toEqual({ seed: 1, ...(thinkingConfig ? { thinkingConfig } : {}) })
})

test('gives signatures and ids back in the very parts that they came with', () => {
  const answer = read(gemini, 'replay')
  expect(answer).toMatchObject({ text: 'I look.', reasoning: 'Hm.', finish: ['tool_calls'] })
  const results = answer.rawCalls.map(({ id, name }) => ({ role: 'tool', callId: id, name, text: 'Yes.' }) as const)
  const { contents } = say({ messages: [question, asHistory(gemini, model, answer), ...results] })
  expect(contents).toEqual([
    { role: 'user', parts: [{ text: 'Weather?' }] },
    {
      role: 'model',
      parts: [
        { text: 'I look.', thoughtSignature: 'EsYDCsMDAXLI2nxText' },
        {
          functionCall: { id: 'fc_81', name: 'weather', args: { city: 'Oslo' } },
          thoughtSignature: 'Co8DAXLI2nwCall',
        },
        { functionCall: { id: 'fc_82', name: 'clock', args: {} } },
      ],
    },
    {
      role: 'user',
      parts: [
        { functionResponse: { id: 'fc_81', name: 'weather', response: { output: 'Yes.' } } },
        { functionResponse: { id: 'fc_82', name: 'clock', response: { output: 'Yes.' } } },
      ],
    },
  ])
})

test('keeps a signature that comes with no text at the end of the text', () => {
  const { contents } = say({ messages: [question, asHistory(gemini, model, read(gemini, 'reasoning')), question] })
  expect(contents).toMatchObject([
    {},
    { parts: [{ text: 'Four.' }, { text: '', thoughtSignature: 'EsYDCsMDAXLI2nx' }] },
    {},
  ])
})

test('says of calls of other models that they are not signed, where that would be asked for', () => {
  expect(JSON.stringify(say({ model: 'gemini-3.5-flash' }))).toContain('skip_thought_signature_validator')
  expect(JSON.stringify(say())).not.toContain('thoughtSignature')
})

test('tells a prompt that was blocked', () => {
  expect(read(gemini, 'blocked-prompt')).toMatchObject({
    text: '',
    finish: ['content_filter'],
    usage: { inputTokens: 26, outputTokens: null },
    failure: null,
  })
})

test('reads an answer that came as a list of pieces', () => {
  const reader = gemini.reader()
  const pieces = [
    { candidates: [{ content: { parts: [{ text: 'Hel' }] } }] },
    { candidates: [{ content: { parts: [{ text: 'lo' }] }, finishReason: 'STOP' }] },
  ]
  expect(reader.frame(JSON.stringify(pieces, null, 2))).toEqual([
    { type: 'text', delta: 'Hel' },
    { type: 'text', delta: 'lo' },
    { type: 'finish', reason: 'stop' },
  ])
})

test.each([
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'content_filter'],
  ['RECITATION', 'content_filter'],
  ['PROHIBITED_CONTENT', 'content_filter'],
  ['BLOCKLIST', 'content_filter'],
  ['SPII', 'content_filter'],
  ['IMAGE_SAFETY', 'content_filter'],
  ['MALFORMED_FUNCTION_CALL', 'malformed_function_call'],
])('ends for %s as %s', (finishReason, reason) => {
  expect(gemini.reader().frame(JSON.stringify({ candidates: [{ finishReason }] }))).toEqual([
    { type: 'finish', reason },
  ])
})

test('gives log probabilities in the common shape', () => {
  const chosen = { token: 'Hi', logProbability: -0.1 }
  const logprobsResult = { chosenCandidates: [chosen], topCandidates: [{ candidates: [chosen] }] }
  const candidates = [{ content: { parts: [{ text: 'Hi' }] }, finishReason: 'STOP', logprobsResult }]
  const entry = { token: 'Hi', logprob: -0.1, bytes: [72, 105] }
  expect(gemini.reader().frame(JSON.stringify({ candidates }))).toContainEqual({
    type: 'logprobs',
    content: [{ ...entry, top_logprobs: [entry] }],
  })
})

test.each([
  [401, 'rejected'],
  [429, 'overloaded'],
  [503, 'overloaded'],
  [500, 'rejected'],
])('tells an error %i in the stream as %s', (code, kind) => {
  const frame = () => gemini.reader().frame(JSON.stringify({ error: { code, message: 'sk-secret' } }))
  expect(frame).toThrow(expect.objectContaining({ kind, message: expect.not.stringContaining('sk-') }))
})

test('puts a word before an answer that a chat would begin with', () => {
  const answer = { role: 'assistant', text: 'Snow.', toolCalls: [] } as const
  expect(say({ messages: [answer, question] })['contents']).toMatchObject([
    { role: 'user', parts: [{ text: expect.stringContaining('left out') }] },
    { role: 'model' },
    { role: 'user' },
  ])
})
