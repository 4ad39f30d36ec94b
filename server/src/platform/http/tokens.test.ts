import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startSample, things } from '../../testing/http-sample.ts'
import type { Caller } from './area.ts'
import type { HttpOptions } from './options.ts'

const caller = (token: Partial<NonNullable<Caller['token']>> | null, role: Caller['role'] = 'user'): Caller => ({
  accountId: 'ann',
  sessionId: 'token-1',
  role,
  via: 'bearer',
  token: token && { id: 'token-1', scopes: [], models: null, ratePerMinute: 600, ...token },
})
const withCaller = async (who: Caller, options: Partial<HttpOptions> = {}) => {
  const sample = await startSample({ authenticate: async ({ bearer }) => (bearer ? who : null), ...options })
  return { sample, program: sample.guest.as('a-token') }
}

test('reading and writing are rights of their own, and both are named when they lack', async () => {
  const { sample, program } = await withCaller(caller({ scopes: ['things:read'] }))
  expect(await program.call(things.list, {})).toEqual({ limit: 3 })
  expect((await program.raw('/api/things', { method: 'HEAD' })).status).toBe(200)
  const { problem } = await program.refusal(things.create, { body: { title: '' } })
  expect(problem).toMatchObject({ status: 403, code: 'token_scope' })
  expect(problem.detail).toContain('`things:write`')
  await sample.stop()
})

test('an administrator’s route needs `admin` as well, and an administrator', async () => {
  const remove = [things.remove, { params: { id: '1' } }] as const
  for (const [scopes, role, code] of [
    [['things:write'], 'admin', 'token_scope'],
    [['admin'], 'admin', 'token_scope'],
    [['things:write', 'admin'], 'user', 'forbidden'],
  ] as const) {
    const { sample, program } = await withCaller(caller({ scopes }, role))
    expect(await program.refusal(...remove)).toMatchObject({ status: 403, code })
    await sample.stop()
  }
  const { sample, program } = await withCaller(caller({ scopes: ['things:write', 'admin'] }, 'admin'))
  expect(await program.call(...remove)).toEqual({})
  await sample.stop()
})

test('what is open to everybody is open to a token without any right', async () => {
  const { sample, program } = await withCaller(caller({}))
  expect(await program.call(things.hello, {})).toMatchObject({ who: 'ann' })
  await sample.stop()
})

test('the tighter of two rates is told, and refuses', async () => {
  const limits = { read: { max: 3, windowMs: 60_000 } }
  const own = await withCaller(caller({ scopes: ['things:read'], ratePerMinute: 2 }), { limits })
  const first = await own.program.answer(things.list, {})
  expect(first.headers.get('ratelimit-limit')).toBe('2')
  expect(first.headers.get('ratelimit-remaining')).toBe('1')
  expect(first.headers.get('ratelimit-policy')).toBe('3;w=60, 2;w=60')
  await own.program.answer(things.list, {})
  const late = await own.program.answer(things.list, {})
  expect(late.status).toBe(429)
  expect(late.headers.get('retry-after')).toBe(late.headers.get('ratelimit-reset'))
  await own.sample.stop()
  const route = await withCaller(caller({ scopes: ['things:read'], ratePerMinute: 100 }), { limits })
  for (const remaining of ['2', '1', '0'])
    expect((await route.program.answer(things.list, {})).headers.get('ratelimit-remaining')).toBe(remaining)
  expect((await route.program.answer(things.list, {})).status).toBe(429)
  await route.sample.stop()
})

test('the programs of an account share a rate, and leave the person hers', async () => {
  const read = { scopes: ['things:read'] }
  const sample = await startSample({
    limits: { read: { max: 2, windowMs: 60_000 } },
    authenticate: async ({ bearer }) => caller(bearer?.startsWith('program') ? { id: bearer, ...read } : null),
  })
  const statusFor = async (bearer: string) => (await sample.guest.as(bearer).answer(things.list, {})).status
  expect(await statusFor('program-1')).toBe(200)
  expect(await statusFor('program-2')).toBe(200)
  expect(await statusFor('program-3')).toBe(429)
  expect(await statusFor('person')).toBe(200)
  await sample.stop()
})

test.each([
  ['is revoked', null],
  ['may do less', caller({ scopes: [] })],
  ['lost its administrator', caller({ scopes: ['things:read'] }, 'admin')],
])('a stream does not outlive a token that %s between the door and the stream', async (_, later) => {
  const asked: (Caller | null)[] = []
  const { sample, program } = await withCaller(caller(null), {
    authenticate: async () => {
      asked.push(asked.length === 0 ? caller({ scopes: ['things:read'] }) : later)
      return asked.at(-1) ?? null
    },
  })
  const response = await program.answer(things.ticks, { query: { mode: 'endless' } })
  const ended = response.text().then(() => 'ended')
  expect(await Promise.race([ended, wait(5000, 'still open')])).toBe('ended')
  expect(asked).toHaveLength(2)
  await sample.stop()
})

test('the key header of other makers is a bearer on /v1 alone', async () => {
  const heard: (string | null)[] = []
  const sample = await startSample({
    authenticate: async ({ bearer }) => {
      heard.push(bearer)
      return null
    },
    pages: [],
  })
  await sample.guest.raw('/api/things', { headers: { 'x-api-key': 'atr_key' } })
  await sample.guest.raw('/api/things', { headers: { 'x-api-key': 'atr_key', authorization: 'Bearer mine' } })
  expect(heard).toEqual([null, 'mine'])
  await sample.stop()
})
