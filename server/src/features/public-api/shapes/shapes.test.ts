import { ChatCompletionBody, MessageBody, ResponseBody } from '@atrium/contract/public-api'
import { describe, expect, test } from 'vitest'
import type { Part } from '../../../providers/types.ts'
import { createBlockBuilder } from './blocks.ts'
import { chatCompletionsShape } from './chat-completions.ts'
import { completionsShape } from './completions.ts'
import { messagesShape } from './messages.ts'
import { responsesShape } from './responses.ts'
import type { ReadRequest } from './shape.ts'

const about = { id: '1', created: 1, model: 'm' }
const answerOf = (parts: readonly Part[]) => {
  const blocks = createBlockBuilder()
  for (const part of parts) blocks.push(part)
  blocks.end()
  return blocks.answer()
}
/** What the tests look at in any shape's data. */
interface Said {
  readonly type: string
  readonly index: number
  readonly sequence_number: number
  readonly delta?: { readonly partial_json?: string }
  readonly usage?: unknown
  readonly response: { readonly output: Record<string, unknown>[]; readonly usage: { readonly total_tokens: number } }
  readonly choices: readonly {
    readonly text: string
    readonly delta: { readonly tool_calls?: { index: number; function: { arguments?: string } }[] }
    readonly logprobs: { readonly content: unknown[] } | null
    readonly finish_reason: string | null
  }[]
}
const streamOf = async (reading: ReadRequest, ...batches: (readonly Part[])[]): Promise<Said[]> => {
  const pieces = (async function* () {
    for (const parts of batches) yield { choice: 0, parts }
  })()
  let text = ''
  for await (const piece of reading.stream(pieces, about)) text += piece
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)) as Said)
}

const hello = [{ role: 'user', content: 'Hello' }]
const chat = (over: object = {}) => ChatCompletionBody.parse({ model: 'm', messages: hello, ...over })
const message = (over: object = {}) => MessageBody.parse({ model: 'm', max_tokens: 50, messages: hello, ...over })
const response = (over: object = {}) => ResponseBody.parse({ model: 'm', input: 'Hello', ...over })

/** Two calls whose arguments grow side by side, as some providers send them. */
const twoCalls: readonly Part[] = [
  { type: 'text', delta: 'I look.' },
  { type: 'tool-call-start', index: 0, id: 'a', name: 'one' },
  { type: 'tool-call-start', index: 1, id: 'b', name: 'two' },
  { type: 'tool-call-delta', index: 0, delta: '{"x"' },
  { type: 'tool-call-delta', index: 1, delta: '{"y":2}' },
  { type: 'tool-call-delta', index: 0, delta: ':1}' },
  { type: 'tool-call', call: { id: 'a', name: 'one', arguments: '{"x":1}' } },
  { type: 'tool-call', call: { id: 'b', name: 'two', arguments: '{"y":2}' } },
  { type: 'usage', inputTokens: 10, outputTokens: 5, cachedTokens: 4, reasoningTokens: 2 },
  { type: 'finish', reason: 'tool_calls' },
]

describe('blocks', () => {
  test('hold calls that came whole, in pieces, or in pieces and whole, once each', () => {
    const calls = (parts: readonly Part[]) =>
      answerOf(parts).blocks.flatMap(({ kind, id, text }) => (kind === 'tool' ? [`${id} ${text}`] : []))
    expect(calls(twoCalls)).toEqual(['a {"x":1}', 'b {"y":2}'])
    expect(calls(twoCalls.filter(({ type }) => !type.startsWith('tool-call-')))).toEqual(['a {"x":1}', 'b {"y":2}'])
    expect(calls(twoCalls.filter(({ type }) => type !== 'tool-call-delta'))).toEqual(['a {"x":1}', 'b {"y":2}'])
  })

  test('begin anew when thought and text take turns', () => {
    const parts: Part[] = [
      { type: 'reasoning', delta: 'Hm' },
      { type: 'text', delta: 'A' },
      { type: 'reasoning', delta: 'So' },
      { type: 'text', delta: 'B' },
      { type: 'text', delta: 'C' },
    ]
    expect(answerOf(parts).blocks.map(({ kind, nth, text }) => [kind, nth, text])).toEqual([
      ['reasoning', 0, 'Hm'],
      ['text', 0, 'A'],
      ['reasoning', 1, 'So'],
      ['text', 1, 'BC'],
    ])
  })
})

describe('chat completions', () => {
  const read = (over: object) => chatCompletionsShape.read(chat(over)).turns[0]!

  test('every field finds its place in the turn', () => {
    const turn = read({
      messages: [
        { role: 'developer', content: 'Be kind.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c', content: [{ type: 'text', text: 'done' }] },
      ],
      max_tokens: 5,
      max_completion_tokens: 7,
      stop: 'END',
      seed: 3,
      temperature: null,
      reasoning_effort: 'minimal',
      tools: [{ type: 'function', function: { name: 'f' } }],
      tool_choice: { type: 'function', function: { name: 'f' } },
      parallel_tool_calls: false,
      response_format: { type: 'json_schema', json_schema: { name: 's', schema: { type: 'object' }, strict: true } },
      logprobs: true,
      top_logprobs: 3,
      logit_bias: { 5: -100 },
    })
    expect(turn).toEqual({
      model: 'm',
      system: 'Be kind.',
      messages: [
        { role: 'user', text: 'Look', images: [{ mediaType: 'image/png', data: 'AAAA' }] },
        { role: 'assistant', text: '', toolCalls: [{ id: 'c', name: 'f', arguments: '{}' }] },
        { role: 'tool', callId: 'c', name: 'f', text: 'done' },
      ],
      tools: [{ name: 'f', description: '', parameters: { type: 'object', properties: {} } }],
      options: { num_predict: 7, seed: 3, stop: ['END'], think: 'low' },
      toolChoice: { name: 'f' },
      parallelToolCalls: false,
      format: { type: 'schema', name: 's', schema: { type: 'object' }, strict: true },
      logprobs: { top: 3 },
      logitBias: { 5: -100 },
    })
  })

  test.each([
    [
      {
        messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://example.org/a.png' } }] }],
      },
      'image_url',
    ],
    [{ messages: [{ role: 'user', content: [{ type: 'input_audio' }] }] }, 'type'],
    [{ messages: [{ role: 'system', content: 'x' }] }, 'messages'],
    [{ messages: [{ role: 'tool', content: 'x' }] }, 'tool_call_id'],
    [{ tools: [{ type: 'custom' }] }, 'tools.0.type'],
    [{ tools: [{ type: 'web_search' }], tool_choice: { type: 'web_search' } }, 'tool_choice'],
    [{ tools: [{ type: 'web_search' }], tool_choice: 'required' }, 'tool_choice'],
    [{ response_format: { type: 'json_schema', json_schema: {} } }, 'response_format'],
  ])('what has no meaning is refused by its name: %j', (over, path) => {
    expect(() => read(over)).toThrow(expect.objectContaining({ code: 'validation_failed' }))
    try {
      read(over)
    } catch (error) {
      expect((error as { issues: { path: string }[] }).issues[0]?.path).toContain(path)
    }
  })

  test('calls side by side keep their places in a stream', async () => {
    const chunks = await streamOf(
      chatCompletionsShape.read(chat({ stream_options: { include_usage: true } })),
      twoCalls,
    )
    const args = ['', '']
    for (const { choices } of chunks)
      for (const call of choices[0]?.delta.tool_calls ?? [])
        args[call.index] = `${args[call.index]}${call.function.arguments ?? ''}`
    expect(args).toEqual(['{"x":1}', '{"y":2}'])
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('tool_calls')
    expect(chunks.at(-1)?.usage).toEqual({
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 15,
      prompt_tokens_details: { cached_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 2 },
    })
  })

  test('log probabilities come along, whole and streamed; uncounted tokens are not made up', async () => {
    const content = [{ token: 'A', logprob: -0.1, bytes: null, top_logprobs: [] }]
    const parts: Part[] = [
      { type: 'text', delta: 'A' },
      { type: 'logprobs', content },
      { type: 'finish', reason: 'stop' },
    ]
    const reading = chatCompletionsShape.read(chat())
    const whole = reading.whole([answerOf(parts)], about) as Said
    expect(whole.choices[0]?.logprobs).toEqual({ content, refusal: null })
    expect(whole).not.toHaveProperty('usage')
    const chunks = await streamOf(reading, parts)
    expect(chunks.flatMap(({ choices }) => choices[0]?.logprobs?.content ?? [])).toEqual(content)
  })
})

describe('messages', () => {
  test('every block finds its place in the turn', () => {
    const [turn] = messagesShape.read(
      message({
        system: [{ type: 'text', text: 'Be kind.', cache_control: { type: 'ephemeral' } }],
        messages: [
          { role: 'user', content: 'Look' },
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'Hm', signature: 'x' },
              { type: 'text', text: 'I look.' },
              { type: 'tool_use', id: 't', name: 'f', input: { a: 1 } },
            ],
          },
          {
            role: 'user',
            content: [
              {
                type: 'tool_result',
                tool_use_id: 't',
                is_error: true,
                content: [
                  { type: 'text', text: 'no' },
                  { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
                ],
              },
              { type: 'text', text: 'And now?' },
            ],
          },
        ],
        thinking: { type: 'enabled', budget_tokens: 10_000 },
        stop_sequences: ['END'],
        tool_choice: { type: 'any', disable_parallel_tool_use: true },
        tools: [{ name: 'f', input_schema: { type: 'object' } }],
      }),
    ).turns
    expect(turn).toMatchObject({
      system: 'Be kind.',
      messages: [
        { role: 'user', text: 'Look', images: [] },
        { role: 'assistant', text: 'I look.', toolCalls: [{ id: 't', name: 'f', arguments: '{"a":1}' }] },
        { role: 'tool', callId: 't', name: 'f', text: 'Error: no' },
        { role: 'user', text: 'And now?', images: [{ mediaType: 'image/png', data: 'AAAA' }] },
      ],
      options: { num_predict: 50, stop: ['END'], think: 'medium' },
      toolChoice: 'required',
      parallelToolCalls: false,
    })
  })

  test('calls side by side are blocks of their own, closed once each', async () => {
    const events = await streamOf(messagesShape.read(message()), twoCalls)
    const count = (type: string) => events.filter((event) => event.type === type).length
    expect([count('content_block_start'), count('content_block_stop')]).toEqual([3, 3])
    const input = (index: number) =>
      events.map((event) => (event.index === index ? (event.delta?.partial_json ?? '') : '')).join('')
    expect([input(1), input(2)]).toEqual(['{"x":1}', '{"y":2}'])
    expect(events.at(-2)).toMatchObject({
      delta: { stop_reason: 'tool_use' },
      usage: { input_tokens: 6, cache_read_input_tokens: 4, output_tokens: 5 },
    })
  })

  test('thoughts without a signature are kept from a provider that would refuse them', () => {
    const content = [
      { type: 'thinking', thinking: 'another model’s', signature: '' },
      { type: 'thinking', thinking: 'its own', signature: 'sealed' },
      { type: 'text', text: 'Hello' },
    ]
    const body = messagesShape.relayBody?.(message({ messages: [...hello, { role: 'assistant', content }] }))
    expect(body).toMatchObject({ messages: [{}, { content: content.slice(1) }] })
  })
})

describe('responses', () => {
  test('items that follow each other are one answer of the model', () => {
    const [turn] = responsesShape.read(
      response({
        instructions: 'Be kind.',
        input: [
          {
            role: 'user',
            content: [
              { type: 'input_text', text: 'Look' },
              { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
            ],
          },
          { type: 'reasoning', id: 'rs_1', summary: [] },
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I look.' }] },
          { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
          { type: 'function_call', call_id: 'd', name: 'g', arguments: '{}' },
          { type: 'function_call_output', call_id: 'd', output: 'done' },
        ],
        text: { format: { type: 'json_schema', name: 's', schema: { type: 'object' } } },
      }),
    ).turns
    expect(turn).toMatchObject({
      system: 'Be kind.',
      messages: [
        { role: 'user', text: 'Look', images: [{ data: 'AAAA' }] },
        { role: 'assistant', text: 'I look.', toolCalls: [{ id: 'c' }, { id: 'd' }] },
        { role: 'tool', callId: 'd', name: 'g', text: 'done' },
      ],
      format: { type: 'schema', name: 's' },
    })
  })

  test('a stream numbers its events, and its last one holds the whole', async () => {
    const events = await streamOf(responsesShape.read(response()), twoCalls.slice(0, 4), twoCalls.slice(4))
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, at) => at))
    const last = events.at(-1)
    expect(last?.type).toBe('response.completed')
    expect(last?.response.output.map((item) => item['arguments'] ?? item['type'])).toEqual([
      'message',
      '{"x":1}',
      '{"y":2}',
    ])
    expect(last?.response.usage.total_tokens).toBe(15)
  })

  test('an answer that was cut is incomplete', async () => {
    const cut: Part[] = [
      { type: 'text', delta: 'A' },
      { type: 'finish', reason: 'length' },
    ]
    expect((await streamOf(responsesShape.read(response()), cut)).at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
    })
  })

  test('reasoning is asked for sealed where it is relayed', () => {
    expect(responsesShape.relayBody?.(response({ reasoning: { effort: 'low' } }))).toMatchObject({
      store: false,
      include: ['reasoning.encrypted_content'],
    })
    expect(responsesShape.relayBody?.(response({ store: true }))).not.toHaveProperty('include')
  })

  test('what refers to something stored is refused', () => {
    expect(() => responsesShape.read(response({ input: [{ type: 'item_reference', id: 'x' }] }))).toThrow()
  })
})

test('plain completions echo, and take no suffix', async () => {
  const body = { model: 'm', prompt: 'Once', echo: true }
  const whole = completionsShape.read(body).whole([answerOf([{ type: 'text', delta: ' upon' }])], about)
  expect(whole).toMatchObject({ choices: [{ text: 'Once upon', finish_reason: 'stop' }] })
  const chunks = await streamOf(completionsShape.read(body), [{ type: 'text', delta: ' upon' }])
  expect(chunks.map(({ choices }) => choices[0]?.text).join('')).toBe('Once upon')
  expect(() => completionsShape.read({ ...body, suffix: 'the end' })).toThrow(/suffix|invalid/)
})
