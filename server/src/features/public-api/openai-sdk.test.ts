import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type PublicApiHarness, providerOfWire, startPublicApi, type TestedWire } from '../../testing/public-api.ts'

let harness: PublicApiHarness
let openai: OpenAI
beforeAll(async () => {
  harness = await startPublicApi()
  openai = harness.openai()
})
beforeEach(() => harness.calm())
afterAll(() => harness?.close())

const inMiddle = new Set(['reset', 'wrong-type', 'half-json'])
const weather = {
  type: 'function',
  function: { name: 'weather', parameters: { type: 'object', properties: { query: { type: 'string' } } } },
} as const

describe.each(Object.keys(providerOfWire) as TestedWire[])('the OpenAI client over the wire %s', (wire) => {
  const model = (name: string) => `${providerOfWire[wire]}/${name}`
  const ask = (text: string) => [{ role: 'user' as const, content: text }]

  test('gets an answer', async () => {
    const answer = await openai.chat.completions.create({ model: model('echo'), messages: ask('Hello there') })
    expect(answer).toMatchObject({ object: 'chat.completion', choices: [{ index: 0, finish_reason: 'stop' }] })
    expect(answer.choices[0]?.message.content).toContain('You said: Hello there')
    expect(answer.usage?.total_tokens).toBeGreaterThan(5)
    expect(answer.id).toMatch(/^chatcmpl-/)
  })

  test('gets an answer as a stream, with usage when it asks for it and not otherwise', async () => {
    const stream = await openai.chat.completions.create({
      model: model('echo'),
      messages: ask('Hello there'),
      stream: true,
      stream_options: { include_usage: true },
    })
    const chunks = []
    for await (const chunk of stream) chunks.push(chunk)
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toContain('You said: Hello there')
    expect(chunks.flatMap((chunk) => chunk.choices[0]?.finish_reason ?? [])).toEqual(['stop'])
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } })

    const plain = []
    const without = { model: model('echo'), messages: ask('Hello there'), stream: true as const }
    for await (const chunk of await openai.chat.completions.create(without)) plain.push(chunk)
    expect(plain.every((chunk) => chunk.choices.length === 1)).toBe(true)
    expect(plain.at(-1)?.choices[0]?.finish_reason).toBe('stop')
  })

  test('thinks aloud', async () => {
    const stream = openai.chat.completions.stream({
      model: model('thinker'),
      messages: ask('Why?'),
      reasoning_effort: 'medium',
    })
    let thought = ''
    for await (const chunk of stream) {
      const delta = chunk.choices[0]?.delta as { reasoning_content?: string } | undefined
      thought += delta?.reasoning_content ?? ''
    }
    expect(thought).toContain('First I look at the question.')
    const { message } = (await stream.finalChatCompletion()).choices[0]!
    expect(message.content).toContain('You said: Why?')
  })

  test('calls tools, in a loop of its own', async () => {
    const called: string[] = []
    const runner = openai.chat.completions.runTools({
      model: model('caller'),
      messages: ask('What is the weather?'),
      tools: [
        {
          type: 'function',
          function: {
            ...weather.function,
            description: 'The weather',
            parse: JSON.parse as (text: string) => { query: string },
            function: ({ query }: { query: string }) => {
              called.push(query)
              return 'It rains.'
            },
          },
        },
      ],
    })
    expect(await runner.finalContent()).toContain('You said: It rains.')
    expect(called).toEqual(['What is the weather?'])
  })

  test('streams the calls of tools', async () => {
    const stream = openai.chat.completions.stream({
      model: model('caller'),
      messages: ask('What is the weather?'),
      tools: [weather],
      tool_choice: 'required',
      parallel_tool_calls: false,
    })
    const { finish_reason, message } = (await stream.finalChatCompletion()).choices[0]!
    expect(finish_reason).toBe('tool_calls')
    const call = message.tool_calls?.[0]
    expect(call?.type === 'function' && JSON.parse(call.function.arguments)).toEqual({ query: 'What is the weather?' })
  })

  test('shows pictures', async () => {
    const url = 'data:image/png;base64,iVBORw0KGgo='
    const answer = await openai.chat.completions.create({
      model: model('echo'),
      messages: [
        { role: 'system', content: 'Look closely.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url } },
          ],
        },
      ],
    })
    expect(answer.choices[0]?.message.content).toContain('I see 1 image.')
  })

  test('reads JSON by a schema', async () => {
    harness.provider.control({ answers: [{ match: 'capital', answer: '{"city":"Lisbon"}' }] })
    const answer = await openai.chat.completions.parse({
      model: model('echo'),
      messages: ask('What is the capital of Portugal?'),
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: 'place',
          strict: true,
          schema: { type: 'object', properties: { city: { type: 'string' } } },
        },
      },
    })
    expect(JSON.parse(answer.choices[0]?.message.content ?? '')).toEqual({ city: 'Lisbon' })
    expect(JSON.stringify(harness.provider.requests.at(-1)?.body)).toContain('city')
  })

  test('is cut at its limit', async () => {
    const body = { model: model('long-50'), messages: ask('Go'), max_completion_tokens: 5 }
    expect((await openai.chat.completions.create(body)).choices[0]?.finish_reason).toBe('length')
    const stream = openai.chat.completions.stream(body)
    expect((await stream.finalChatCompletion()).choices[0]?.finish_reason).toBe('length')
  })

  test('leaves an answer, and the provider is left as well', async () => {
    const stream = await openai.chat.completions.create({
      model: model('long-2000-drip-20'),
      messages: ask('Go'),
      stream: true,
    })
    for await (const _chunk of stream) break
    await expect.poll(() => harness.provider.requests.at(-1)?.ended).toBe('aborted')
  })

  test('completes bare prompts', async () => {
    const answer = await openai.completions.create({ model: model('echo'), prompt: ['One', 'Two'], max_tokens: 50 })
    expect(answer.choices.map((choice) => choice.text.split('\n')[0])).toEqual(['You said: One', 'You said: Two'])
    const stream = await openai.completions.create({ model: model('echo'), prompt: 'One', stream: true })
    let text = ''
    for await (const chunk of stream) text += chunk.choices[0]?.text ?? ''
    expect(text).toContain('You said: One')
  })

  test('gets a response', async () => {
    const response = await openai.responses.create({ model: model('echo'), instructions: 'Be kind.', input: 'Hello' })
    expect(response).toMatchObject({ object: 'response', status: 'completed', store: false })
    expect(response.output_text).toContain('You said: Hello')
    expect(response.usage?.total_tokens).toBeGreaterThan(0)
  })

  test('gets a response as a stream', async () => {
    const stream = openai.responses.stream({
      model: model('thinker'),
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'Why?' }] }],
      reasoning: { effort: 'low' },
    })
    const types = new Set<string>()
    for await (const { type } of stream) types.add(type)
    const response = await stream.finalResponse()
    expect(response.output_text).toContain('You said: Why?')
    expect([...types]).toEqual(
      expect.arrayContaining(['response.created', 'response.output_text.delta', 'response.completed']),
    )
    expect(response.output.map((item) => item.type)).toEqual(['reasoning', 'message'])
  })

  test('goes through a tool and back in responses', async () => {
    const tools = [{ type: 'function' as const, strict: false, ...weather.function }]
    const input = [{ role: 'user' as const, content: 'What is the weather?' }]
    const first = await openai.responses.create({ model: model('caller'), input, tools })
    const call = first.output.find((item) => item.type === 'function_call')!
    expect(JSON.parse(call.arguments)).toEqual({ query: 'What is the weather?' })
    const second = await openai.responses.create({
      model: model('caller'),
      tools,
      input: [...input, call, { type: 'function_call_output', call_id: call.call_id, output: 'It rains.' }],
    })
    expect(second.output_text).toContain('You said: It rains.')
  })

  test.each(['status-401', 'status-403', 'status-500', 'reset', 'wrong-type', 'redirect', 'half-json', 'error-200'])(
    'is told of %s in our words',
    async (fault) => {
      harness.provider.control({ fault: fault as never, after: 0 })
      for (const stream of [false, true]) {
        const error: unknown = await openai.chat.completions
          .create({ model: model('echo'), messages: ask(fault), stream })
          .then(async (answer) => {
            if (Symbol.asyncIterator in answer) for await (const _chunk of answer);
            return 'no error'
          })
          .catch((failure: unknown) => failure)
        // The model server breaks streams only: whole answers that break are tested where they are relayed.
        if (!stream && error === 'no error' && inMiddle.has(fault)) continue
        expect(error, `stream ${stream}`).toBeInstanceOf(OpenAI.APIError)
        expect(String((error as Error).message)).not.toContain('leaked')
        expect(String((error as Error).message)).toMatch(/provider/i)
      }
    },
  )
})
