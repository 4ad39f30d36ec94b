import { accountsRoutes } from '@atrium/contract/accounts'
import { apiTokensRoutes } from '@atrium/contract/api-tokens'
import { type AutomationContent, automationsRoutes } from '@atrium/contract/automations'
import { chatRoutes } from '@atrium/contract/chat'
import type { Scope } from '@atrium/contract/scopes'
import { settingsRoutes } from '@atrium/contract/settings'
import { systemRoutes } from '@atrium/contract/system'
import { userAdministrationRoutes } from '@atrium/contract/user-administration'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../testing/app.ts'
import type { Client } from '../testing/client.ts'
import { usualDialects } from '../testing/databases.ts'

describe.each(usualDialects)('programs with API tokens (%s)', (dialect) => {
  let app: TestApp
  let admin: Client
  beforeAll(async () => {
    app = await startTestApp({ dialect })
    admin = await app.signUpAdmin()
  })
  afterAll(() => app?.close())

  const make = async (owner: Client, scopes: Scope[], more: { ratePerMinute?: number } = {}) => {
    const body = { name: scopes.join(' '), scopes, ...more }
    const { token, record } = await owner.call(apiTokensRoutes.createToken, { body })
    return { program: app.client(token), token, id: record.id }
  }

  test('may do what their scopes say, in the name of the account', async () => {
    const user = await app.signUpUser()
    const { program } = await make(user, ['chat:read', 'chat:write'])
    const made = await program.call(chatRoutes.create, { body: {} })
    expect(await user.call(chatRoutes.read, { params: { sessionId: made.id } })).toMatchObject({ id: made.id })
    expect(await program.call(accountsRoutes.me, {})).toEqual(await user.call(accountsRoutes.me, {}))
    const { problem } = await program.refusal(settingsRoutes.read, {})
    expect(problem).toMatchObject({ status: 403, code: 'token_scope' })
    expect(problem.detail).toContain('`settings-preferences:read`')
  })

  test('make no automation that does later what they may not do themselves', async () => {
    const user = await app.signUpUser()
    const { program } = await make(user, ['automations:write'])
    const content = { name: 'Later', instructions: 'Sum it up.', triggers: [] }
    const made = await program.call(automationsRoutes.create, { body: content })
    const onEvent = { kind: 'event', event: 'share', placeId: null, match: null } as const
    const wanted: readonly (readonly [Partial<AutomationContent>, Scope])[] = [
      [{ tools: ['builtin:calculate'] }, 'chat-tools:write'],
      [{ triggers: [onEvent] }, 'notifications:read'],
      [{ triggers: [{ ...onEvent, event: 'channel-message', placeId: 'c' }] }, 'channels:read'],
      [{ target: { kind: 'channel', channelId: 'c' } }, 'channels:write'],
    ]
    for (const [more, scope] of wanted) {
      const body = { ...content, ...more }
      const params = { automationId: made.id }
      for (const refused of [
        program.refusal(automationsRoutes.create, { body }),
        program.refusal(automationsRoutes.update, { params, body }),
      ])
        expect((await refused).problem).toMatchObject({ code: 'token_scope', detail: expect.stringContaining(scope) })
    }
    const able = await make(user, ['automations:write', 'chat-tools:write'])
    const body = { ...content, tools: ['builtin:calculate'] }
    expect(await able.program.call(automationsRoutes.create, { body })).toMatchObject({ tools: body.tools })
  })

  test('may read without writing', async () => {
    const { program } = await make(admin, ['chat:read'])
    expect(await program.call(chatRoutes.list, {})).toHaveProperty('items')
    expect(await program.refusal(chatRoutes.create, { body: {} })).toMatchObject({ code: 'token_scope' })
  })

  test('need `admin` beside the scope for what is an administrator’s, and an administrator behind them', async () => {
    const user = await app.signUpUser()
    const lacking = await make(admin, ['user-administration:read'])
    const refusal = await lacking.program.refusal(userAdministrationRoutes.list, {})
    expect(refusal.problem.detail).toContain('`admin`')
    const full = await make(admin, ['user-administration:read', 'admin'])
    expect(await full.program.call(userAdministrationRoutes.list, {})).toHaveProperty('items')
    const users = await make(user, ['user-administration:read'])
    expect(await users.program.refusal(userAdministrationRoutes.list, {})).toMatchObject({ code: 'forbidden' })
  })

  test('show their token as a bearer, never as a cookie, a query or an unknown header', async () => {
    const { token } = await make(admin, ['chat:read'])
    const guest = app.client()
    expect((await guest.raw('/api/chat/sessions', { headers: { authorization: `bearer ${token}` } })).status).toBe(200)
    for (const [path, headers] of [
      ['/api/chat/sessions', { cookie: `atrium_session=${token}` }],
      [`/api/auth/me?token=${token}`, {}],
      ['/api/chat/sessions', { 'x-api-key': token }],
      ['/api/chat/sessions', { authorization: `Basic ${token}` }],
      ['/api/chat/sessions', { authorization: token }],
    ] as const)
      expect((await guest.raw(path, { headers })).status, path).toBe(401)
  })

  test('are let go in the middle of a stream when the token is revoked', async () => {
    const { program, id } = await make(admin, ['system:read'])
    const controller = new AbortController()
    const response = await program.answer(systemRoutes.events, {}, { signal: controller.signal })
    expect(response.status).toBe(200)
    const ended = response.body?.pipeTo(new WritableStream())
    await admin.call(apiTokensRoutes.revokeToken, { params: { id } })
    await ended
    expect(await program.refusal(accountsRoutes.me, {})).toMatchObject({ code: 'unauthenticated' })
  })

  test('are let go when the account is disabled, or may do less than the stream needs', async () => {
    const user = await app.signUpUser()
    const { id: accountId } = await user.call(accountsRoutes.me, {})
    const { program, id } = await make(user, ['system:read'])
    const open = async () => (await program.answer(systemRoutes.events, {})).body?.pipeTo(new WritableStream())
    const first = open()
    await user.call(apiTokensRoutes.updateToken, { params: { id }, body: { scopes: ['chat:read'] } })
    await first
    expect(await program.refusal(systemRoutes.events, {})).toMatchObject({ code: 'token_scope' })
    await user.call(apiTokensRoutes.updateToken, { params: { id }, body: { scopes: ['system:read'] } })
    const second = open()
    await admin.call(userAdministrationRoutes.setStatus, { params: { id: accountId }, body: { status: 'disabled' } })
    await second
    expect(await program.refusal(accountsRoutes.me, {})).toMatchObject({ code: 'account_disabled' })
  })

  test('have a rate of their own, beside that of the account', async () => {
    const { program, id } = await make(admin, ['chat:read'], { ratePerMinute: 3 })
    const other = await make(admin, ['chat:read'])
    const ask = () => program.answer(chatRoutes.list, {})
    const first = await ask()
    expect(first.headers.get('ratelimit-limit')).toBe('3')
    expect(first.headers.get('ratelimit-remaining')).toBe('2')
    expect(first.headers.get('ratelimit-policy')).toMatch(/^\d+;w=60, 3;w=60$/)
    await ask()
    expect((await ask()).headers.get('ratelimit-remaining')).toBe('0')
    const refused = await ask()
    expect(refused.status).toBe(429)
    expect(await refused.json()).toMatchObject({ code: 'rate_limited' })
    const wait = Number(refused.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(60)
    expect((await other.program.answer(chatRoutes.list, {})).status).toBe(200)
    expect((await admin.answer(chatRoutes.list, {})).status).toBe(200)
    await admin.call(apiTokensRoutes.updateToken, { params: { id }, body: { ratePerMinute: 5 } })
    expect((await ask()).headers.get('ratelimit-remaining')).toBe('1')
  })

  test('leave nothing of the token in a log', () => {
    expect(JSON.stringify(app.lines)).not.toMatch(/atr_[A-Za-z0-9_-]{8}/)
    expect(app.lines.filter(({ level }) => level === 'error')).toEqual([])
  })
})
