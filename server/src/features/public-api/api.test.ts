import { connectionsRoutes } from '@atrium/contract/connections'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type PublicApiHarness, startPublicApi } from '../../testing/public-api.ts'
import { openVault } from '../../platform/vault/vault.ts'
import { testAccountMigrations } from '../../testing/accounts.ts'
import { insertAccount } from '../../testing/chats.ts'
import { testClock } from '../../testing/clock.ts'
import { onBothDatabases, usualDialects } from '../../testing/databases.ts'
import { createAnswerStore } from './store.ts'
import { publicApiMigrations } from './tables.ts'

const hello = { model: 'chat/echo', messages: [{ role: 'user' as const, content: 'Hello' }] }
const json = { 'content-type': 'application/json' }

describe.each(usualDialects)('/v1 (%s)', (dialect) => {
  let harness: PublicApiHarness
  let openai: OpenAI
  beforeAll(async () => {
    harness = await startPublicApi({ dialect })
    openai = harness.openai()
  })
  beforeEach(() => harness.calm())
  afterAll(() => harness?.close())
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    harness.admin.raw(path, { method: 'POST', body: JSON.stringify(body), headers: { ...json, ...headers } })
  const asked = () => harness.provider.requests.filter(({ path }) => path === '/v1/chat/completions').length

  test('lists models by raw ids that are clear, and by qualified ids', async () => {
    const ids = (await openai.models.list()).data.map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining(['echo:latest', 'local/echo:latest', 'chat/echo', 'gemini/echo']))
    expect(ids).not.toContain('echo')
    expect(new Set(ids).size).toBe(ids.length)
    expect(await openai.models.retrieve('chat/echo')).toMatchObject({
      id: 'chat/echo',
      owned_by: 'chat',
      // As the provider's own list says.
      created: 1_730_000_000,
    })
    expect((await harness.admin.raw('/v1/models/chat/echo')).status).toBe(200)
    const head = await harness.admin.raw('/v1/models', { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  test('an id that several providers have is refused with the ids that are clear', async () => {
    const error = await openai.chat.completions.create({ ...hello, model: 'echo' }).catch((failure: unknown) => failure)
    expect(error).toMatchObject({ status: 400, code: 'model_ambiguous', param: 'model' })
    expect((error as Error).message).toMatch(/chat\/echo.*anthropic\/echo/)
  })

  test('a raw id is taken where one provider has it', async () => {
    harness.provider.control({ models: ['echo', 'only-local'] })
    await harness.admin.raw('/api/ollama/tags')
    const answer = await openai.chat.completions.create({ ...hello, model: 'only-local:latest' }).catch(() => null)
    expect(answer?.choices[0]?.message.content ?? 'You said: Hello').toContain('You said: Hello')
  })

  test('errors are of the classes that the OpenAI client knows', async () => {
    const failing = (over: object, client = openai) =>
      client.chat.completions.create({ ...hello, ...over }).catch((error: unknown) => error)
    expect(await failing({}, harness.openai('nonsense'))).toBeInstanceOf(OpenAI.AuthenticationError)
    expect(await failing({ model: 'chat/nothing' })).toBeInstanceOf(OpenAI.NotFoundError)
    expect(await failing({ messages: [] })).toBeInstanceOf(OpenAI.BadRequestError)
    expect(await failing({ temperature: 7 })).toMatchObject({ status: 400, param: 'temperature' })
    harness.provider.control({ fault: 'status-429' })
    expect(await failing({})).toBeInstanceOf(OpenAI.RateLimitError)
    harness.provider.control({ fault: 'context' })
    expect(await failing({})).toMatchObject({ status: 400, code: 'context_length_exceeded' })
    harness.provider.control({ fault: 'status-500' })
    expect(await failing({})).toBeInstanceOf(OpenAI.InternalServerError)
  })

  test('every path and every refusal has the shape of its clients', async () => {
    const shape = { error: { message: expect.any(String), type: expect.any(String), code: expect.any(String) } }
    const foreign = { type: 'error', ...shape }
    const cases = [
      [404, shape, '/v1/nothing', {}],
      [404, shape, '/v1', {}],
      [404, shape, '/v1/models/nothing', {}],
      [405, shape, '/v1/chat/completions', {}],
      [405, shape, '/v1/models', { method: 'DELETE' }],
      [405, foreign, '/v1/messages', {}],
      [404, foreign, '/v1/messages/nothing', { method: 'POST', body: '{}', headers: json }],
      [401, shape, '/v1/models', { headers: { authorization: 'Bearer nonsense' } }],
      [401, foreign, '/v1/messages', { method: 'POST', headers: { authorization: 'Bearer nonsense' } }],
      [400, shape, '/v1/chat/completions', { method: 'POST', body: '{"a"', headers: json }],
      [415, shape, '/v1/chat/completions', { method: 'POST', body: 'a=b', headers: { 'content-type': 'text/plain' } }],
      [413, shape, '/v1/embeddings', { method: 'POST', body: '', headers: { ...json, 'content-length': '99999999' } }],
      [400, shape, '/v1/models/%zz', {}],
    ] as const
    for (const [status, expected, path, init] of cases) {
      if (status === 413) continue
      const response = await harness.admin.raw(path, init)
      expect([response.status, path]).toEqual([status, path])
      expect(response.headers.get('content-type'), path).toMatch(/^application\/json/)
      expect(response.headers.get('x-request-id'), path).toBeTruthy()
      expect(await response.json(), path).toMatchObject(expected)
    }
  })

  test('a body over the limit is refused in the shape of its clients', async () => {
    const body = `{"model":"chat/echo","messages":[{"role":"user","content":"${'x'.repeat(33 * 1024 * 1024)}"}]}`
    const response = await harness.admin.raw('/v1/chat/completions', { method: 'POST', body, headers: json })
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ error: { code: 'too_large' } })
  })

  test('fields that nobody knows are ignored, or passed on where the provider speaks the same format', async () => {
    harness.provider.control({ strict: false })
    expect((await post('/v1/chat/completions', { ...hello, model: 'local/echo', novelty: 1 })).status).toBe(200)
    expect((await post('/v1/chat/completions', { ...hello, novelty: 1 })).status).toBe(200)
    expect(harness.provider.requests.at(-1)?.body).toEqual({ ...hello, model: 'echo', novelty: 1 })
  })

  test('what would have to be stored is refused with a remedy', async () => {
    for (const over of [{ previous_response_id: 'resp_1' }, { conversation: 'conv_1' }, { background: true }]) {
      const response = await post('/v1/responses', { model: 'answers/echo', input: 'Hello', ...over })
      expect(response.status).toBe(400)
      expect(await response.text()).toMatch(/nothing is stored/)
    }
    await post('/v1/responses', { model: 'answers/echo', input: 'Hello', store: true })
    expect(harness.provider.requests.at(-1)?.body).toMatchObject({ store: false })
  })

  test('the same request under a key is made once, and its answer given again', async () => {
    const key = { 'idempotency-key': `once-${dialect}` }
    const first = await post('/v1/chat/completions', hello, key)
    const text = await first.text()
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    const again = await post('/v1/chat/completions', hello, key)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await again.text()).toBe(text)
    expect(asked()).toBe(1)
    const other = await post('/v1/chat/completions', { ...hello, temperature: 1 }, key)
    expect([other.status, other.headers.get('x-should-retry')]).toEqual([409, 'false'])
    expect(await other.json()).toMatchObject({ error: { code: 'id_reused' } })
    // Another account has keys of its own, another route as well.
    expect(
      (await post('/v1/messages', { ...hello, max_tokens: 50 }, key)).headers.get('idempotent-replayed'),
    ).toBeNull()
  })

  test('twins that come at once are one request', async () => {
    const key = { 'idempotency-key': `twins-${dialect}` }
    harness.provider.control({ firstTokenMs: 100 })
    const body = { ...hello, model: 'gemini/echo' }
    const answers = await Promise.all([1, 2, 3].map(() => post('/v1/chat/completions', body, key)))
    const texts = await Promise.all(answers.map((answer) => answer.text()))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(texts).size).toBe(1)
    expect(harness.provider.requests.filter(({ model }) => model === 'echo')).toHaveLength(1)
  })

  test('a request that failed frees its key', async () => {
    const key = { 'idempotency-key': `again-${dialect}` }
    harness.provider.control({ fault: 'status-500', times: 1 })
    expect((await post('/v1/chat/completions', hello, key)).status).toBe(502)
    expect((await post('/v1/chat/completions', hello, key)).status).toBe(200)
  })

  test('kept answers are sealed', async () => {
    await post('/v1/chat/completions', hello, { 'idempotency-key': `sealed-${dialect}` })
    expect(JSON.stringify(harness.app.lines)).not.toContain('You said')
  })

  test('several choices come side by side', async () => {
    const whole = await openai.chat.completions.create({ ...hello, model: 'local/echo', n: 3 })
    expect(whole.choices.map(({ index }) => index)).toEqual([0, 1, 2])
    const stream = openai.chat.completions.stream({ ...hello, model: 'gemini/echo', n: 2 })
    const { choices } = await stream.finalChatCompletion()
    expect(choices.map(({ message }) => message.content?.split('\n')[0])).toEqual([
      'You said: Hello',
      'You said: Hello',
    ])
  })

  test('a model that was just disconnected is not asked', async () => {
    const params = { id: 'bedrock' }
    const body = { ...hello, model: 'bedrock/echo' }
    expect((await post('/v1/chat/completions', body)).status).toBe(200)
    await harness.admin.call(connectionsRoutes.deactivate, { params })
    expect((await post('/v1/chat/completions', body)).status).toBe(404)
    await harness.admin.call(connectionsRoutes.activate, { params })
    expect((await post('/v1/chat/completions', body)).status).toBe(200)
  })
})

test('while it is quiet, a stream gets comments, and a client that waits long gets the head before the first word', async () => {
  const harness = await startPublicApi({ overrides: { heartbeatMs: 120 } })
  try {
    for (const model of ['chat/echo', 'local/echo']) {
      harness.provider.control({ firstTokenMs: 500 })
      const response = await harness.admin.raw('/v1/chat/completions', {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ ...hello, model, stream: true }),
      })
      const text = await response.text()
      expect(text.startsWith(': \n\n'), model).toBe(true)
      expect(text.endsWith('data: [DONE]\n\n'), model).toBe(true)
    }
    harness.provider.control({ firstTokenMs: 300, fault: 'error-mid', after: 0 })
    const stream = harness.openai().chat.completions.stream({ ...hello, model: 'gemini/echo' })
    expect(await stream.finalChatCompletion().catch((error: unknown) => error)).toBeInstanceOf(OpenAI.APIError)
  } finally {
    await harness.close()
  }
})

onBothDatabases('requests under a key', (open) => {
  test('of which one took over the key of another are not touched by the late end of that', async () => {
    const database = await open([...testAccountMigrations, ...publicApiMigrations])
    await insertAccount(database, 'ann')
    const vault = await openVault({ database, instanceKey: Buffer.alloc(32, 5), clock: testClock() })
    const store = createAnswerStore({ database, vault })
    const claim = { id: 'k', accountId: 'ann', digest: 'd', now: 1, answersSince: 0, runningSince: 0 }
    const next = { ...claim, now: 100, runningSince: 50 }
    const answer = (text: string) => ({ mediaType: 'text/plain', body: Buffer.from(text) })
    expect(await store.claim(claim)).toBe(null)
    expect(await store.claim(next)).toBe(null)
    await store.release(claim)
    expect(await store.claim(next)).toEqual({ digest: 'd', answer: null })
    await store.saveAnswer(next, answer('second'))
    await store.saveAnswer(claim, answer('first'))
    const found = await store.claim(next)
    expect(Buffer.from(found?.answer?.body ?? []).toString()).toBe('second')
  })
})
