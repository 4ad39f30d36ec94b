import Anthropic from '@anthropic-ai/sdk'
import type OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type PublicApiHarness, providerOfWire, startPublicApi } from '../../testing/public-api.ts'

let harness: PublicApiHarness
let anthropic: Anthropic
let openai: OpenAI
beforeAll(async () => {
  harness = await startPublicApi()
  anthropic = harness.anthropic()
  openai = harness.openai()
})
beforeEach(() => harness.calm())
afterAll(() => harness?.close())

const question = [{ role: 'user' as const, content: 'Hello' }]
const about = { model: 'anthropic/echo', max_tokens: 100, messages: question }
const last = () => harness.provider.requests.at(-1)!
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  harness.admin.raw(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })
const weather = { name: 'weather', input_schema: { type: 'object' as const } }

describe('the betas of Anthropic', () => {
  const beta = { ...about, betas: ['context-management-2025-06-27'], context_management: { edits: [] } }

  test('reach Anthropic with the fields that need them, whole and streamed', async () => {
    const message = await anthropic.beta.messages.create(beta)
    expect(message.stop_reason).toBe('end_turn')
    expect(last().headers['anthropic-beta']).toBe('context-management-2025-06-27')
    expect((await anthropic.beta.messages.stream(beta).finalMessage()).stop_reason).toBe('end_turn')
  })

  test('reach nobody else', async () => {
    for (const provider of ['local', 'chat', 'answers', 'gemini', 'bedrock']) {
      await anthropic.beta.messages.create({ ...beta, model: `${provider}/echo` })
      expect(last().headers, provider).not.toHaveProperty('anthropic-beta')
    }
    await openai.chat.completions.create(
      { model: 'chat/echo', messages: question },
      { headers: { 'anthropic-beta': 'context-management-2025-06-27' } },
    )
    expect(last().headers).not.toHaveProperty('anthropic-beta')
  })

  test('let instructions stand among the messages', async () => {
    const messages = [...question, { role: 'assistant', content: 'Hi' }, { role: 'system', content: 'Be brief.' }]
    const body = { ...about, messages: [...messages, { role: 'user', content: 'Go' }] }
    const response = await post('/v1/messages', body, { 'anthropic-beta': 'a-1, mid-conversation-system-2026-07-01' })
    expect(response.status).toBe(200)
    expect(last().headers['anthropic-beta']).toBe('a-1,mid-conversation-system-2026-07-01')
    expect(last().body).toMatchObject({ messages: body.messages })
  })

  test.each(['a b', 'x;y', 'a,b\u00e9', 'n'.repeat(101), Array.from({ length: 300 }, () => 'longname').join(',')])(
    'are refused when they are no names: %s',
    async (betas) => {
      const response = await post('/v1/messages', about, { 'anthropic-beta': betas })
      expect(response.status).toBe(400)
      expect(await response.text()).toContain('anthropic-beta')
    },
  )

  test('make another request of one that is sent again under its key', async () => {
    const headers = { 'idempotency-key': 'with-betas' }
    expect((await post('/v1/messages', about, { ...headers, 'anthropic-beta': 'one' })).status).toBe(200)
    expect((await post('/v1/messages', about, { ...headers, 'anthropic-beta': 'two' })).status).toBe(409)
  })
})

describe('ids of calls', () => {
  const call = async (model: string) => {
    const body = { model, messages: question, tools: [{ type: 'function' as const, function: { name: 'weather' } }] }
    return (await openai.chat.completions.create(body)).choices[0]?.message.tool_calls?.[0]?.id
  }

  test.each(['local', 'gemini'])('that %s does not give are never the same twice', async (provider) => {
    const ids = [await call(`${provider}/caller`), await call(`${provider}/caller`)]
    expect(new Set(ids).size).toBe(2)
  })

  const use = { type: 'tool_use' as const, id: 'call_0', name: 'weather', input: {} }
  const used = (content: string) => ({ type: 'tool_result' as const, tool_use_id: 'call_0', content })
  const history: Anthropic.MessageParam[] = [
    ...question,
    { role: 'assistant', content: [use, use] },
    { role: 'user', content: [used('It rains.'), used('It snows.')] },
    { role: 'assistant', content: [use] },
    { role: 'user', content: [used('It is fine.')] },
  ]

  test('that repeat are made unique for Anthropic, each with its result, however they came', async () => {
    await anthropic.messages.create({ ...about, messages: history, tools: [weather] })
    const sent = last().body as { messages: typeof history }
    expect(JSON.stringify(sent.messages.slice(3))).toContain('"tool_use_id":"call_0_3"')
    const calls = [{ id: 'call_0', type: 'function' as const, function: { name: 'weather', arguments: '{}' } }]
    const result = { role: 'tool' as const, tool_call_id: 'call_0', content: 'It rains.' }
    const answer = { role: 'assistant' as const, content: null, tool_calls: calls }
    const messages = [...question, answer, result, answer, result]
    const tools = [{ type: 'function' as const, function: { name: 'weather' } }]
    for (const provider of ['anthropic', 'bedrock']) {
      await openai.chat.completions.create({ model: `${provider}/echo`, messages, tools })
      expect(JSON.stringify(last().body), provider).toMatch(/call_0".*call_0".*call_0_2".*call_0_2"/)
    }
  })
})

describe('what steers gateways', () => {
  const steering = {
    api_base: 'http://127.0.0.1:1',
    base_url: 'http://127.0.0.1:1',
    api_key: 'x',
    extra_headers: { a: 'b' },
    extra_body: { api_key: 'x' },
    proxy: 'http://127.0.0.1:1',
    mock_response: 'no',
    fallbacks: ['other'],
    models: ['other'],
    aws_secret_access_key: 'x',
    litellm_metadata: {},
  }

  test.each([
    ['/v1/chat/completions', { model: 'chat/echo', messages: question }],
    ['/v1/responses', { model: 'answers/echo', input: 'Hello' }],
    ['/v1/messages', about],
  ])('is passed on by %s to nobody', async (path, body) => {
    harness.provider.control({ strict: false })
    expect((await post(path, { ...body, ...steering, novelty: 1 })).status).toBe(200)
    const sent = last().body as Record<string, unknown>
    expect(Object.keys(sent)).toContain('novelty')
    expect(Object.keys(steering).filter((field) => field in sent)).toEqual([])
  })
})

test('a picture of 16 MB passes', async () => {
  const url = `data:image/png;base64,iVBORw0KGgo${'A'.repeat(16 * 2 ** 20)}`
  const content = [{ type: 'image_url', image_url: { url } }]
  for (const model of ['chat/echo', 'local/echo']) {
    const response = await post('/v1/chat/completions', { model, messages: [{ role: 'user', content }] })
    expect([model, response.status]).toEqual([model, 200])
  }
})

test.each([
  ['/v1/chat/completions', { model: 'chat/echo', messages: [{ role: 'user', content: 5 }] }, 'messages.0.content'],
  ['/v1/chat/completions', { model: 'chat/echo', messages: [{ role: 'user', content: [5] }] }, 'messages.0.content.0'],
  ['/v1/chat/completions', { model: 'chat/echo', messages: [{ ...question[0], tool_calls: 5 }] }, 'tool_calls'],
  ['/v1/messages', { ...about, messages: [{ role: 'user', content: 5 }] }, 'messages.0.content'],
  ['/v1/responses', { model: 'answers/echo', input: [{ role: 'user', content: 5 }] }, 'input.0.content'],
])('%s names the place of what is of a wrong type', async (path, body, place) => {
  const response = await post(path, body)
  expect(response.status).toBe(400)
  expect(await response.text()).toContain(place)
})

describe('tokens are counted', () => {
  const counted = { model: 'anthropic/echo', system: 'Be kind.', messages: question }

  test('by Anthropic where it is asked', async () => {
    const { input_tokens: tokens } = await anthropic.messages.countTokens(counted)
    expect(tokens).toBe(3)
    expect(last()).toMatchObject({ path: '/v1/messages/count_tokens', body: { ...counted, model: 'echo' } })
  })

  test('roughly elsewhere, and without a call', async () => {
    for (const provider of Object.values(providerOfWire).filter((id) => !['anthropic', 'answers'].includes(id))) {
      const before = harness.provider.requests.length
      const { input_tokens: tokens } = await anthropic.messages.countTokens({ ...counted, model: `${provider}/echo` })
      expect(tokens, provider).toBeGreaterThan(3)
      expect(tokens, provider).toBeLessThan(40)
      expect(harness.provider.requests.slice(before).map(({ path }) => path)).not.toContain('/v1/messages/count_tokens')
    }
  })

  test('in the shape of responses too', async () => {
    for (const model of ['answers/echo', 'local/echo']) {
      const { input_tokens: tokens, object } = await openai.responses.inputTokens.count({ model, input: 'Hello there' })
      expect(object).toBe('response.input_tokens')
      expect(tokens).toBeGreaterThan(1)
    }
  })

  test('with the refusals of the provider', async () => {
    harness.provider.control({ fault: 'status-429' })
    expect(await anthropic.messages.countTokens(counted).catch((error: unknown) => error)).toBeInstanceOf(
      Anthropic.RateLimitError,
    )
    expect(
      await anthropic.messages.countTokens({ ...counted, model: 'no' }).catch((error: unknown) => error),
    ).toBeInstanceOf(Anthropic.NotFoundError)
  })
})

describe('the window of the local runtime', () => {
  const ask = (words: number, over: object = {}) =>
    post('/v1/chat/completions', {
      model: 'local/echo',
      messages: [{ role: 'user', content: 'kite '.repeat(words) }],
      ...over,
    })

  test('is asked for as large as a prompt needs, so that nothing of it is cut off', async () => {
    expect((await ask(4500)).status).toBe(200)
    expect(last()).toMatchObject({ cut: 0, body: { options: { num_ctx: 8192 } } })
  })

  test('is never exceeded: what does not fit is refused in the words of the client, and not sent', async () => {
    const before = harness.provider.requests.length
    const response = await ask(12_000)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: 'context_length_exceeded' } })
    const tools = [{ type: 'function', function: { name: 'big', description: 'kite '.repeat(12_000) } }]
    expect((await ask(1, { tools })).status).toBe(400)
    expect(harness.provider.requests.slice(before).filter(({ path }) => path === '/api/chat')).toEqual([])
  })
})

describe('tools as coding agents bring them', () => {
  const own = { type: 'function', name: 'exec_command', parameters: { type: 'object' }, strict: false }
  const spawn = { type: 'function', name: 'spawn_agent', parameters: { type: 'object' } }
  const agents = { type: 'namespace', name: 'multi_agent_v1', description: 'Agents', tools: [spawn] }
  const hosted = [{ type: 'web_search' }, { type: 'image_generation' }, { type: 'local_shell' }, { type: 'unheard_of' }]
  const others = Object.values(providerOfWire).filter((id) => id !== 'answers')
  const respond = async (body: object) => {
    const response = await post('/v1/responses', { input: 'Do it', ...body })
    return { status: response.status, text: await response.text() }
  }

  test.each(others)('are taken by %s: namespaces unfolded, without what runs at a provider', async (provider) => {
    const { status, text } = await respond({ model: `${provider}/echo`, tools: [own, agents, ...hosted] })
    expect([status, text]).toEqual([200, expect.stringContaining('You said: Do it')])
    const sent = JSON.stringify(last().body)
    expect(sent).toMatch(/"exec_command".*"multi_agent_v1__spawn_agent"/)
    expect(sent).not.toMatch(/web_search|image_generation|local_shell|unheard_of/)
  })

  test('are called by the names that the client knows, whole, streamed and in the history', async () => {
    const body = { model: 'chat/caller', tools: [agents] }
    const called = { type: 'function_call', name: 'spawn_agent', namespace: 'multi_agent_v1' }
    const whole = JSON.parse((await respond(body)).text) as { output: Record<string, unknown>[] }
    expect(whole.output).toEqual([expect.objectContaining({ ...called, arguments: '{"query":"Do it"}' })])
    const { text } = await respond({ ...body, stream: true })
    for (const type of ['response.output_item.added', 'response.output_item.done']) {
      const data = new RegExp(`event: ${type}\ndata: (.*)`).exec(text)?.[1] ?? ''
      expect(JSON.parse(data)).toMatchObject({ item: called })
    }
    const callId = String(whole.output[0]?.['call_id'])
    const result = { type: 'function_call_output', call_id: callId, output: 'Spawned.' }
    const question = { role: 'user', content: 'Do it' }
    const again = await respond({ ...body, input: [question, whole.output[0], result] })
    expect(again.text).toContain('You said: Spawned.')
    expect(JSON.stringify(last().body)).toContain('"name":"multi_agent_v1__spawn_agent","arguments"')
  })

  test('that take bare text are called with it', async () => {
    const patch = {
      type: 'custom',
      name: 'apply_patch',
      format: { type: 'grammar', syntax: 'lark', definition: 'start' },
    }
    const { text } = await respond({ model: 'local/caller', tools: [patch], stream: true })
    // The model server fills in a field of its own: what is no wrapped text is handed on as it is.
    expect(text).toMatch(/event: response.custom_tool_call_input.done\ndata: .*"input":"\{\\"query\\":\\"Do it\\"\}"/)
    expect(text).toMatch(/"type":"custom_tool_call","call_id":"call_\w+","name":"apply_patch"/)
    const call = { type: 'custom_tool_call', call_id: 'c', name: 'apply_patch', input: '*** Begin' }
    const input = [
      { role: 'user', content: 'Do it' },
      call,
      { type: 'custom_tool_call_output', call_id: 'c', output: 'Done.' },
    ]
    expect((await respond({ model: 'local/caller', tools: [patch], input })).text).toContain('You said: Done.')
    expect(JSON.stringify(last().body)).toContain('{"input":"*** Begin"}')
  })

  test('are refused by their type where one that nobody has is demanded', async () => {
    for (const tool_choice of [{ type: 'web_search' }, 'required']) {
      const { status, text } = await respond({ model: 'local/echo', tools: hosted, tool_choice })
      expect(status).toBe(400)
      expect(text).toMatch(/"param":"tool_choice"/)
    }
    expect((await respond({ model: 'local/echo', tools: hosted })).status).toBe(200)
  })

  test('reach their own maker as they are', async () => {
    const tools = [own, agents, ...hosted]
    expect((await respond({ model: 'answers/echo', tools })).status).toBe(200)
    expect(last().body).toMatchObject({ tools })
  })

  test('of Anthropic’s own are left out elsewhere, and refused where one is demanded', async () => {
    const search = { type: 'web_search_20250305' as const, name: 'web_search' as const }
    const ask = (over: object) =>
      anthropic.messages
        .create({ ...about, model: 'chat/echo', tools: [search, weather], ...over })
        .catch((error: unknown) => error)
    expect(await ask({})).toMatchObject({ stop_reason: 'end_turn' })
    expect(JSON.stringify(last().body)).not.toContain('web_search')
    expect(await ask({ tool_choice: { type: 'tool', name: 'web_search' } })).toBeInstanceOf(Anthropic.BadRequestError)
    expect(await ask({ tools: [{ type: 'bash_20250124', name: 'bash' }] })).toBeInstanceOf(Anthropic.BadRequestError)
  })
})

describe('a provider that refuses', () => {
  const asks = {
    'the OpenAI client': (model: string) => openai.chat.completions.create({ model, messages: question }),
    'the OpenAI client for responses': (model: string) => openai.responses.create({ model, input: 'Hello' }),
    'the Anthropic client': (model: string) => anthropic.messages.create({ ...about, model }),
  }

  test.each(Object.entries(asks))('has %s wait as long as it says', async (_, ask) => {
    for (const provider of Object.values(providerOfWire)) {
      const error: unknown = await ask(`${provider}/status-429`).catch((failure: unknown) => failure)
      expect((error as { headers: Headers }).headers.get('retry-after'), provider).toBe('7')
    }
  })

  test('has its parameter named, and nothing else that it said', async () => {
    const ask = (over: object) =>
      openai.chat.completions
        .create({ model: 'chat/echo', messages: question, ...over })
        .catch((error: unknown) => error)
    expect(await ask({ novelty: 1 })).toMatchObject({ status: 400, param: 'novelty' })
    expect(await ask({ novelty: 1, stream: true })).toMatchObject({ status: 400, param: 'novelty' })
    const response = await post('/v1/messages', { ...about, context_management: {} })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('context_management')
    expect(String(await ask({ model: 'chat/status-400' }))).not.toContain('secret')
  })
})

describe('a provider that gives one answer whatever is asked', () => {
  const body = { model: 'chat/echo', messages: question, n: 3 }

  test('is asked again for the others, whole', async () => {
    const { choices, usage } = await openai.chat.completions.create(body)
    expect(choices.map(({ index, message }) => [index, message.content?.slice(0, 15)])).toEqual(
      [0, 1, 2].map((index) => [index, 'You said: Hello']),
    )
    expect(usage?.prompt_tokens).toBe(3)
  })

  test('is asked again for the others of a stream, which ends once', async () => {
    const stream = await openai.chat.completions.create({
      ...body,
      stream: true,
      stream_options: { include_usage: true },
    })
    const texts = ['', '', '']
    const ends: unknown[] = []
    let tokens = 0
    for await (const { choices, usage } of stream) {
      for (const { index, delta, finish_reason: finish } of choices) {
        texts[index] += delta.content ?? ''
        if (finish) ends.push(finish)
      }
      tokens += usage?.prompt_tokens ?? 0
    }
    expect(texts.map((text) => text.slice(0, 15))).toEqual(['You said: Hello', 'You said: Hello', 'You said: Hello'])
    expect([ends, tokens]).toEqual([['stop', 'stop', 'stop'], 3])
    const response = await post('/v1/chat/completions', { ...body, stream: true })
    expect((await response.text()).match(/\[DONE\]/g)).toHaveLength(1)
  })
})

test('an address that holds /v1 twice is told so', async () => {
  const client = new Anthropic({ baseURL: `${harness.app.url}/v1`, apiKey: null, authToken: 'x', maxRetries: 0 })
  const error: unknown = await client.messages.create(about).catch((failure: unknown) => failure)
  expect(error).toMatchObject({ status: 404 })
  expect(String(error)).toContain('/v1 twice')
})

test.each([
  [
    '/v1/chat/completions',
    { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'http://127.0.0.1:9/a.png' } }] }] },
    'messages.0.content.0.image_url.url',
  ],
  [
    '/v1/responses',
    { input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'http://169.254.169.254/' }] }] },
    'input.0.content.0.image_url',
  ],
  [
    '/v1/messages',
    {
      max_tokens: 5,
      messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'http://[::1]/a.png' } }] }],
    },
    'messages.0.content.0.source.url',
  ],
])('%s reaches nothing private for a picture, and names its place', async (path, body, place) => {
  for (const provider of ['local', 'gemini', 'bedrock']) {
    const response = await post(path, { ...body, model: `${provider}/echo` })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain(place)
  }
})
