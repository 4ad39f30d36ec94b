import Anthropic from '@anthropic-ai/sdk'
import { apiTokensRoutes } from '@atrium/contract/api-tokens'
import type { Scope } from '@atrium/contract/scopes'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type PublicApiHarness, startPublicApi } from '../../testing/public-api.ts'

let harness: PublicApiHarness
beforeAll(async () => {
  harness = await startPublicApi()
})
beforeEach(() => harness.calm())
afterAll(() => harness?.close())

interface Wish {
  scopes?: Scope[]
  models?: string[]
  ratePerMinute?: number
}
const make = async ({ scopes = ['inference'], ...more }: Wish = {}) => {
  const { token, record } = await harness.admin.call(apiTokensRoutes.createToken, {
    body: { name: 'A program', scopes, ...more },
  })
  made.push(record.id)
  return { token, id: record.id, openai: harness.openai(token) }
}
const made: string[] = []
beforeEach(async () => {
  for (const id of made.splice(0)) await harness.admin.answer(apiTokensRoutes.revokeToken, { params: { id } })
})
const ask = (model: string) => ({ model, messages: [{ role: 'user' as const, content: 'Hello' }] })
const asked = () => harness.provider.requests.filter(({ method }) => method === 'POST').length
const v1 = (path: string, headers: Record<string, string>, body?: object) =>
  harness.app.client().raw(path, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })

test('a token of either family’s client works, shown as a bearer or as a key', async () => {
  const { token, openai } = await make()
  expect((await openai.chat.completions.create(ask('chat/echo'))).choices[0]?.message.content).toContain('Hello')
  for (const own of [{ apiKey: token }, { authToken: token, apiKey: null }]) {
    const anthropic = new Anthropic({ ...own, baseURL: harness.app.url, maxRetries: 0 })
    const answer = await anthropic.messages.create({ ...ask('local/echo'), max_tokens: 50 })
    expect(answer.content).toMatchObject([{ type: 'text' }])
  }
})

test('programs that are pages of their own, such as editors, may ask with either header', async () => {
  const { token } = await make()
  const page = { origin: 'app://editor', 'sec-fetch-site': 'cross-site' }
  for (const shown of [{ 'x-api-key': token }, { authorization: `Bearer ${token}` }] as Record<string, string>[]) {
    const answer = await v1('/v1/messages', { ...page, ...shown }, { ...ask('chat/echo'), max_tokens: 50 })
    expect(answer.status).toBe(200)
  }
  const withCookie = { ...page, cookie: `atrium_session=${harness.admin.token}` }
  expect((await v1('/v1/messages', withCookie, { ...ask('chat/echo'), max_tokens: 50 })).status).toBe(403)
})

test('without the scope there is neither a list nor an answer, and the provider hears nothing', async () => {
  const { openai, token } = await make({ scopes: ['chat:read', 'model-management:read', 'model-management:write'] })
  const before = asked()
  for (const call of [
    () => openai.models.list(),
    () => openai.models.retrieve('chat/echo'),
    () => openai.chat.completions.create(ask('chat/echo')),
    () => openai.completions.create({ model: 'chat/echo', prompt: 'x' }),
    () => openai.responses.create({ model: 'chat/echo', input: 'x' }),
  ]) {
    const error = (await call().then(
      () => null,
      (failure: unknown) => failure,
    )) as InstanceType<typeof OpenAI.APIError>
    expect(error).toBeInstanceOf(OpenAI.PermissionDeniedError)
    expect(error.code).toBe('token_scope')
    expect(error.message).toContain('`inference`')
  }
  const anthropic = await v1('/v1/messages', { 'x-api-key': token }, { ...ask('chat/echo'), max_tokens: 5 })
  expect(anthropic.status).toBe(403)
  expect(await anthropic.json()).toMatchObject({ type: 'error', error: { type: 'permission_error' } })
  expect(asked()).toBe(before)
})

test('a token with a list of models sees and asks these alone, however it names others', async () => {
  const { openai, token } = await make({ models: ['chat/echo', 'thinker:latest'] })
  const ids = []
  for await (const { id } of openai.models.list()) ids.push(id)
  expect(ids.filter((id) => !/echo|thinker/.test(id))).toEqual([])
  expect(ids).toContain('chat/echo')
  expect(ids.filter((id) => id.startsWith('local/echo'))).toEqual([])
  expect((await openai.chat.completions.create(ask('chat/echo'))).choices[0]?.message.content).toContain('Hello')
  const before = asked()
  for (const model of ['local/echo', 'local/echo:latest', 'chat/markdown', 'CHAT/echo', 'chat//echo', 'chat/echo ']) {
    for (const [path, body] of [
      ['/v1/chat/completions', ask(model)],
      ['/v1/chat/completions', { ...ask(model), stream: true }],
      ['/v1/responses', { model, input: 'x' }],
      ['/v1/messages', { ...ask(model), max_tokens: 5 }],
    ] as const) {
      const { status } = await v1(path, { authorization: `Bearer ${token}` }, body)
      expect([403, 404], `${path} ${model}`).toContain(status)
    }
  }
  expect(asked()).toBe(before)
  await expect(openai.models.retrieve('chat/markdown')).rejects.toMatchObject({ status: 403, code: 'token_scope' })
})

test('a token asks so often a minute, and is then told to wait in its client’s own shape', async () => {
  const { openai, token } = await make({ ratePerMinute: 2 })
  await openai.models.list()
  await openai.models.list()
  const error = await openai.models.list().catch((failure: unknown) => failure)
  expect(error).toBeInstanceOf(OpenAI.RateLimitError)
  expect((error as InstanceType<typeof OpenAI.APIError>).code).toBe('rate_limit_exceeded')
  expect(Number((error as InstanceType<typeof OpenAI.APIError>).headers?.get('retry-after'))).toBeGreaterThan(0)
  const anthropic = await v1('/v1/messages', { 'x-api-key': token }, { ...ask('chat/echo'), max_tokens: 5 })
  expect(anthropic.status).toBe(429)
  expect(anthropic.headers.get('ratelimit-limit')).toBe('2')
  expect(await anthropic.json()).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } })
})

test.each(['local', 'chat'])(
  'a token that is revoked in mid-stream stops the answer and the provider (%s)',
  async (provider) => {
    const { openai, id } = await make()
    const stream = await openai.chat.completions.create({ ...ask(`${provider}/long-2000-drip-20`), stream: true })
    let pieces = 0
    const failure = await (async () => {
      for await (const _ of stream) {
        pieces += 1
        if (pieces === 3) await harness.admin.call(apiTokensRoutes.revokeToken, { params: { id } })
      }
    })().catch((error: unknown) => error)
    expect(pieces).toBeLessThan(200)
    // Whoever reads must not take half an answer for a whole one.
    expect(failure).toBeInstanceOf(Error)
    await expect.poll(() => harness.provider.requests.at(-1)?.ended).toBe('aborted')
  },
)

test.each([
  ['local', true],
  ['local', false],
  ['chat', true],
  ['chat', false],
])('a token that is revoked before the provider answers gets nothing (%s, stream: %s)', async (provider, stream) => {
  const { openai, id } = await make()
  const before = asked()
  const answer = (async () => {
    const given = await openai.chat.completions.create({ ...ask(`${provider}/stall-headers`), stream })
    if (Symbol.asyncIterator in given) for await (const _ of given);
  })().catch((error: unknown) => error)
  await expect.poll(asked).toBe(before + 1)
  await harness.admin.call(apiTokensRoutes.revokeToken, { params: { id } })
  expect(await answer).toBeInstanceOf(Error)
  await expect.poll(() => harness.provider.requests.at(-1)?.ended).toBe('aborted')
})

test('what is no token is answered in the shape of the path, and never becomes a cookie', async () => {
  const { token } = await make()
  for (const headers of [
    {},
    { authorization: 'Bearer atr_' },
    { authorization: `Bearer ${token}x` },
    { authorization: `Bearer ${'A'.repeat(8000)}` },
    { authorization: `Basic ${token}` },
    { 'x-api-key': token.toUpperCase() },
    { 'x-api-key': '' },
    { cookie: `atrium_session=${token}` },
    { 'api-key': token },
  ] as Record<string, string>[]) {
    const openai = await v1('/v1/models', headers)
    expect(openai.status, JSON.stringify(headers).slice(0, 60)).toBe(401)
    expect(await openai.json()).toMatchObject({ error: { type: 'authentication_error', code: 'invalid_api_key' } })
    const anthropic = await v1('/v1/messages', headers, { ...ask('chat/echo'), max_tokens: 5 })
    expect(anthropic.status).toBe(401)
    expect(await anthropic.json()).toMatchObject({ type: 'error', error: { type: 'authentication_error' } })
  }
  // A key in a query would stand in logs of proxies.
  expect((await v1(`/v1/models?key=${token}`, {})).status).toBe(401)
})

test('neither token nor question is in the log', async () => {
  const { openai, token } = await make()
  await openai.chat.completions.create(ask('chat/status-500')).catch(() => null)
  const lines = JSON.stringify(harness.app.lines)
  expect(lines).not.toContain(token.slice(4))
  expect(lines).not.toContain('Hello')
})

const once = (token: string, key: string, body: object, path = '/v1/chat/completions') =>
  v1(path, { authorization: `Bearer ${token}`, 'idempotency-key': key }, body)

test('the same request under the same key is made once, also by many at the same time', async () => {
  const { token } = await make()
  harness.provider.control({ firstTokenMs: 200 })
  const before = asked()
  const answers = await Promise.all(Array.from({ length: 10 }, () => once(token, 'key-many', ask('chat/echo'))))
  const bodies = await Promise.all(answers.map((answer) => answer.text()))
  expect(answers.map(({ status }) => status)).toEqual(Array<number>(10).fill(200))
  expect(new Set(bodies).size).toBe(1)
  expect(asked()).toBe(before + 1)
  expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(9)
})

test('a key stands for one request, one route and one token', async () => {
  const [mine, other] = [await make(), await make()]
  const before = asked()
  const first = await once(mine.token, 'key-own', ask('chat/echo'))
  expect(first.status).toBe(200)
  const changed = await once(mine.token, 'key-own', { ...ask('chat/echo'), temperature: 1 })
  expect(changed.status).toBe(409)
  expect(await changed.json()).toMatchObject({ error: { code: 'id_reused' } })
  expect((await once(mine.token, 'key-own', { model: 'chat/echo', prompt: 'x' }, '/v1/completions')).status).toBe(200)
  for (const [token, replayed] of [
    [other.token, null],
    [harness.admin.token ?? '', null],
    [mine.token, 'true'],
  ] as const) {
    const answer = await once(token, 'key-own', ask('chat/echo'))
    expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([200, replayed])
  }
  expect(asked()).toBe(before + 4)
})

test('a key is no way past the door', async () => {
  const { token, id } = await make({ ratePerMinute: 4 })
  expect((await once(token, 'key-door', ask('chat/echo'))).status).toBe(200)
  await harness.admin.call(apiTokensRoutes.updateToken, { params: { id }, body: { scopes: ['chat:read'] } })
  expect((await once(token, 'key-door', ask('chat/echo'))).status).toBe(403)
  await harness.admin.call(apiTokensRoutes.updateToken, { params: { id }, body: { scopes: ['inference'] } })
  expect((await once(token, 'key-door', ask('chat/echo'))).headers.get('idempotent-replayed')).toBe('true')
  expect((await once(token, 'key-door', ask('chat/echo'))).status).toBe(200)
  // An answer that is given again counts against the rate as any other.
  expect((await once(token, 'key-door', ask('chat/echo'))).status).toBe(429)
  await harness.admin.call(apiTokensRoutes.revokeToken, { params: { id } })
  expect((await once(token, 'key-door', ask('chat/echo'))).status).toBe(401)
})

test('what failed, and what a model list forbids, is not kept under its key', async () => {
  const { token, id } = await make({ models: ['chat/echo', 'chat/markdown'] })
  harness.provider.control({ fault: 'status-500', times: 1 })
  expect((await once(token, 'key-failed', ask('chat/echo'))).status).toBeGreaterThanOrEqual(500)
  expect((await once(token, 'key-failed', ask('chat/echo'))).status).toBe(200)
  await harness.admin.call(apiTokensRoutes.updateToken, { params: { id }, body: { models: ['chat/markdown'] } })
  expect((await once(token, 'key-models', ask('chat/echo'))).status).toBe(403)
  await harness.admin.call(apiTokensRoutes.updateToken, { params: { id }, body: { models: null } })
  expect((await once(token, 'key-models', ask('chat/echo'))).status).toBe(200)
})

test.each(['', ' ', 'with space', 'x'.repeat(256), 'ü'])('the key “%s” is refused', async (key) => {
  const answer = await once((await make()).token, key, ask('chat/echo'))
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ error: { type: 'invalid_request_error', code: 'validation_failed' } })
})

test('nothing of all this is an error of ours', () => {
  expect(harness.app.lines.filter(({ level }) => level === 'error')).toEqual([])
})
