/** What somebody tries who means harm, against the whole app over real HTTP. What one area alone can tell is tested there. */
import { createHmac } from 'node:crypto'
import { connect } from 'node:net'
import { accountsRoutes } from '@atrium/contract/accounts'
import { chatRoutes } from '@atrium/contract/chat'
import type { Route } from '@atrium/contract/route'
import { settingsRoutes } from '@atrium/contract/settings'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routesByTag } from './areas.ts'
import { type TestApp, startTestApp, testPassword } from '../testing/app.ts'
import type { Client } from '../testing/client.ts'
import { sampleOf } from '../testing/sample.ts'
import { signedIn } from '../testing/sign-in.ts'

const routes = Object.entries(routesByTag).flatMap(([area, table]) =>
  Object.entries(table).map(([name, route]) => ({ label: `${area}.${name}`, route })),
)
const pathOf = ({ path }: Route) => path.replace(/\{\w+\}/g, 'unknown-id-0001')
const login = (username: string, password = testPassword) => ({ body: { username, password } })

describe('a hostile visitor', () => {
  let app: TestApp
  let admin: Client
  beforeAll(async () => {
    app = await startTestApp({ env: { BASE_URL: 'http://atrium.example' } })
    admin = await app.signUpAdmin()
    await app.signUpUser('ann')
  })
  afterAll(() => app?.close())

  /** The cookie of a browser that is signed in. */
  const cookieOf = async (username: string, cookie?: string): Promise<string> => {
    const answer = await app.client().answer(accountsRoutes.login, login(username), {
      headers: { ...(cookie ? { cookie } : {}), 'sec-fetch-site': 'same-origin' },
    })
    return (answer.headers.get('set-cookie') as string).split(';')[0] as string
  }

  test('cannot ride on the cookie of somebody who is signed in, from another site or origin, on any route', async () => {
    const cookie = await cookieOf('admin')
    const forged: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      // Browsers send this by themselves where a proxy asks for a password.
      { 'sec-fetch-site': 'cross-site', authorization: `Basic ${btoa('ann:secret')}` },
    ]
    const faults: string[] = []
    for (const { label, route } of routes) {
      // No cookie opens the routes of directories.
      if (route.method === 'get' || route.access === 'scim') continue
      for (const extra of forged) {
        const headers = { cookie, 'content-type': 'application/json', ...extra }
        const response = await app.client().raw(pathOf(route), { method: route.method.toUpperCase(), headers })
        const said = await response.text()
        if (!said.includes('cross_origin')) faults.push(`${label} ${JSON.stringify(extra)}: ${response.status} ${said}`)
      }
    }
    expect(faults).toEqual([])
  })

  test('is told by no answer that another origin may read it, whatever it asks', async () => {
    const origin = 'https://evil.example'
    const faults: string[] = []
    for (const { label, route } of routes) {
      for (const method of ['OPTIONS', ...(route.stream ? [] : [route.method.toUpperCase()])]) {
        const headers = { origin, 'access-control-request-method': 'POST' }
        const response = await app.client().raw(pathOf(route), { method, headers })
        await response.body?.cancel()
        for (const [name] of response.headers) if (name.startsWith('access-control-')) faults.push(`${label} ${name}`)
      }
    }
    expect(faults).toEqual([])
  })

  test('finds the headers that hold a browser back on every answer, also on refusals and broken requests', async () => {
    const faults: string[] = []
    const look = (label: string, headers: Headers) => {
      const policy = headers.get('content-security-policy') ?? ''
      const scripts = /script-src ([^;]*)/.exec(policy)?.[1] ?? /default-src ([^;]*)/.exec(policy)?.[1]
      // The frame of previews is there for scripts, and held back by its own policy (`features/artifacts`).
      const isFrame = label === 'artifacts.sandbox 200'
      if (!isFrame && (scripts === undefined || /unsafe|\*|data:|https?:/.test(scripts)))
        faults.push(`${label}: scripts ${scripts}`)
      if (!/frame-ancestors '(none|self)'/.test(policy)) faults.push(`${label}: frames`)
      if (!/^(DENY|SAMEORIGIN)$/.test(headers.get('x-frame-options') ?? '')) faults.push(`${label}: x-frame-options`)
      if (headers.get('x-content-type-options') !== 'nosniff') faults.push(`${label}: nosniff`)
      if (headers.get('referrer-policy') !== 'no-referrer') faults.push(`${label}: referrer`)
      if (!headers.get('permissions-policy')) faults.push(`${label}: permissions`)
      if (headers.get('cross-origin-opener-policy') !== 'same-origin') faults.push(`${label}: opener`)
      if (headers.get('server') ?? headers.get('x-powered-by')) faults.push(`${label}: says what it runs on`)
    }
    for (const { label, route } of routes) {
      if (route.stream) continue
      for (const client of [app.client(), admin]) {
        const query = route.query ? `?${new URLSearchParams(sampleOf(route.query) as Record<string, string>)}` : ''
        const method = route.method.toUpperCase()
        // Refused past the door, so that nothing happens.
        const nonsense =
          method === 'GET' ? {} : { body: '{"nonsense":1}', headers: { 'content-type': 'application/json' } }
        const response = await client.raw(`${pathOf(route)}${query}`, { method, redirect: 'manual', ...nonsense })
        look(`${label} ${response.status}`, response.headers)
        await response.body?.cancel()
      }
    }
    for (const path of ['/', '/nothing', '/api/nothing', '/api/docs', '/metrics', '/%'])
      look(path, (await app.client().raw(path)).headers)
    expect(faults).toEqual([])
  })

  test('with a broken request gets the same headers', async () => {
    const { port, hostname } = new URL(app.url)
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write('NONSENSE\r\n\r\n'))
      let text = ''
      socket
        .on('data', (bytes) => (text += bytes))
        .on('end', () => resolve(text))
        .on('error', reject)
    })
    expect(answer).toMatch(/^HTTP\/1.1 400/)
    expect(answer.toLowerCase()).toContain("frame-ancestors 'none'")
    expect(answer.toLowerCase()).toContain('x-content-type-options: nosniff')
  })

  test('cannot leave a session of their own in somebody’s browser: signing in always makes a new one', async () => {
    const planted = await cookieOf('ann')
    const own = await cookieOf('ann', planted)
    expect(own).not.toBe(planted)
    const me = (cookie: string) =>
      app.client().raw('/api/auth/me', { headers: { cookie, 'sec-fetch-site': 'same-origin' } })
    expect((await me(planted)).status).toBe(401)
    expect((await me(own)).status).toBe(200)
    // A value that was never given out is not taken over either.
    const made = await cookieOf('ann', `atrium_session=ats_${'A'.repeat(43)}`)
    expect(made).not.toContain('AAAAAAAA')
  })

  test('cannot set a member that a route does not name, such as a role or an owner', async () => {
    const faults: string[] = []
    const extra = { role: 'admin', status: 'active', accountId: 'somebody', isAdmin: true, createdAt: 0 }
    for (const { label, route } of routes) {
      if (!route.body || route.dialect) continue
      const sound = sampleOf(route.body)
      if (typeof sound !== 'object' || sound === null || Array.isArray(sound)) continue
      for (const [name, value] of Object.entries(extra)) {
        if (name in sound || hasMember(route, name)) continue
        const response = await admin.raw(pathOf(route), {
          method: route.method.toUpperCase(),
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ ...sound, [name]: value }),
        })
        const { code, errors = [] } = (await response.json()) as { code?: string; errors?: { message: string }[] }
        if (code !== 'validation_failed' || !JSON.stringify(errors).includes(name))
          faults.push(`${label} ${name}: ${response.status} ${code}`)
      }
    }
    expect(faults).toEqual([])
  })

  test('learns from a sign-in neither whether a name exists nor whether its account waits or is disabled', async () => {
    await app.signUpPending('dee')
    const seen = new Set<string>()
    for (const [username, password] of [
      ['ann', 'not the password'],
      ['nobody', 'not the password'],
      ['dee', 'not the password'],
      ['x'.repeat(254), testPassword],
    ] as const) {
      const response = await app.client().answer(accountsRoutes.login, login(username, password))
      const { requestId: _, ...problem } = (await response.json()) as Record<string, unknown>
      const names = [...response.headers.keys()].filter((name) => !/^(date|x-request-id|ratelimit)/.test(name))
      const length = response.headers.get('content-length')
      seen.add(JSON.stringify([response.status, problem, names, length]))
    }
    expect([...seen]).toHaveLength(1)
  })

  test('gets nowhere with tokens of other makes', async () => {
    const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const claims = json({ sub: 'admin', userId: 'admin', role: 'admin', exp: 4_102_444_800 })
    const signed = (secret: string) => {
      const text = `${json({ alg: 'HS256', typ: 'JWT' })}.${claims}`
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
    }
    const tokens = [
      `${json({ alg: 'none' })}.${claims}.`,
      `${json({ alg: 'HS256', kid: '../../dev/null' })}.${claims}.AAAA`,
      signed(''),
      signed('secret'),
      `ats_${'A'.repeat(43)}`,
      `ats_${'A'.repeat(10_000)}`,
      `atr_${'%00'.repeat(14)}A`,
      'undefined',
      'null',
      `ats_${"' or 1=1 --".padEnd(43, 'x')}`,
    ]
    for (const token of tokens) {
      const headers = { authorization: `Bearer ${token}` }
      for (const path of ['/api/auth/me', '/v1/models']) {
        const { status } = await app.client().raw(path, { headers })
        expect(status, token.slice(0, 60)).toBe(401)
      }
    }
  })

  test('is counted by the address it comes from, whatever it says of others before it', async () => {
    const strict = await startTestApp({
      overrides: { limits: { 'sign-in': { max: 5, windowMs: 60_000 } } },
    })
    try {
      const codes: number[] = []
      for (let at = 0; at < 8; at++) {
        const headers = { 'x-forwarded-for': `203.0.113.${at}`, forwarded: `for=203.0.113.${at}`, 'x-real-ip': `${at}` }
        const response = await strict.client().answer(accountsRoutes.login, login('nobody'), { headers })
        codes.push(response.status)
      }
      expect(codes).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
    } finally {
      await strict.close()
    }
  })

  test('who was made an ordinary account, or disabled, is out of what was open within a second', async () => {
    const user = await app.signUpUser('eve')
    const { id } = await user.call(accountsRoutes.me, {})
    const { id: chatId } = await user.call(chatRoutes.create, { body: {} })
    const stream = user.follow(chatRoutes.events, { params: { sessionId: chatId } })
    const ended = (async () => {
      for await (const _ of stream);
    })().catch(() => undefined)
    await admin.raw(`/api/users/${id}/status`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '{"status":"disabled"}',
    })
    await ended
    expect(await user.refusal(chatRoutes.read, { params: { sessionId: chatId } })).toMatchObject({ status: 403 })
    expect(await user.refusal(settingsRoutes.read, {})).toMatchObject({ code: 'account_disabled' })
    expect(signedIn(await app.client().call(accountsRoutes.login, login('ann'))).user.username).toBe('ann')
  })
})

/** Whether a route may be told this by name. */
const hasMember = ({ body }: Route, name: string): boolean => {
  const shape = (body as { shape?: Record<string, unknown> } | undefined)?.shape
  return shape !== undefined && name in shape
}
