import { request } from 'node:http'
import { accountsRoutes } from '@atrium/contract/accounts'
import { signInProvidersRoutes } from '@atrium/contract/sign-in-providers'
import { afterEach, expect, test } from 'vitest'
import { withDatabase } from '../../../testing/databases.ts'
import { type ExternalHarness, openExternalHarness, reasonsIn } from '../../../testing/external.ts'

const harnesses: ExternalHarness[] = []
afterEach(async () => {
  for (const harness of harnesses.splice(0)) await harness.stop()
})
const bob = { sub: 'bob-1', preferred_username: 'bob', email: 'bob@example.org', email_verified: true }

withDatabase('external sign-in', (open) => {
  const harness = async (
    ...options: Parameters<typeof openExternalHarness> extends [unknown, ...infer R] ? R : never
  ) => {
    const opened = await openExternalHarness(open, ...options)
    harnesses.push(opened)
    return opened
  }

  test('somebody new comes in by an OpenID provider, and is the same the next time', async () => {
    const { openid, guest, addCorp, browser, enter } = await harness()
    await addCorp()
    expect((await guest.call(signInProvidersRoutes.externalProviders, {})).items).toEqual([
      { id: 'corp', name: 'Corp', kind: 'oidc' },
    ])
    expect(await guest.call(signInProvidersRoutes.externalStatus, { params: { idp: 'oidc' } })).toEqual({
      configured: true,
      displayName: 'Corp',
    })
    openid.signInAs(bob)
    const first = browser()
    const page = await first.visit('/api/auth/oauth/corp?next=%2Fchats%2F7')
    expect(`${page.pathname}${page.search}`).toBe('/sign-in?auth=success&next=%2Fchats%2F7')
    const response = await first.fetch('/api/auth/oauth/exchange', { method: 'POST' })
    const answer = (await response.json()) as { token: string }
    expect(answer).toMatchObject({
      user: { username: 'bob', email: 'bob@example.org', role: 'user', status: 'active' },
    })
    expect(first.cookie('atrium_session')).toBe(answer.token)
    expect(first.cookie('atrium_arrival')).toBeNull()
    expect(first.cookie('atrium_oauth')).toBeNull()
    const bobs = guest.as(answer.token)
    expect((await bobs.call(accountsRoutes.sessions, {})).items).toMatchObject([{ kind: 'oidc' }])
    expect(await bobs.call(signInProvidersRoutes.identities, {})).toMatchObject({
      hasPassword: false,
      items: [{ provider: { id: 'corp' }, label: 'bob@example.org' }],
    })

    const again = await enter(browser())
    expect(again.answer).toMatchObject({ user: { username: 'bob' } })
    expect((await guest.refusal(accountsRoutes.login, { body: { username: 'bob', password: '!' } })).code).toBe(
      'wrong_credentials',
    )
  })

  test('a sign-in that another page led to begins no session before somebody says so', async () => {
    const { openid, addCorp, browser } = await harness()
    await addCorp()
    openid.signInAs(bob)
    const exchange = async (one: ReturnType<typeof browser>, body?: object) => {
      const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
      const sent = body ? { headers, body: JSON.stringify(body) } : {}
      const response = await one.fetch('/api/auth/oauth/exchange', { method: 'POST', ...sent })
      return (await response.json()) as object
    }
    const page = { accept: 'text/html,*/*;q=0.8' }
    const foreign: Record<string, string>[] = [
      { ...page, 'sec-fetch-site': 'cross-site' },
      { ...page, 'sec-fetch-site': 'same-site' },
      // Over plain http browsers do not say where a page was left.
      page,
    ]
    for (const headers of foreign) {
      const led = browser()
      expect((await led.visit('/api/auth/oauth/corp', headers)).search).toBe('?auth=success')
      const asked = { confirm: { username: 'bob', provider: { id: 'corp', name: 'Corp', kind: 'oidc' } } }
      expect(await exchange(led)).toEqual(asked)
      expect(led.cookie('atrium_session')).toBeNull()
      expect(await exchange(led, { confirmed: true })).toMatchObject({ user: { username: 'bob' } })
      expect(led.cookie('atrium_session')).not.toBeNull()
      expect(await exchange(led, { confirmed: true })).toMatchObject({ code: 'challenge_over' })
    }
    const own = browser()
    await own.visit('/api/auth/oauth/corp', { ...page, 'sec-fetch-site': 'same-origin' })
    expect(await exchange(own)).toMatchObject({ user: { username: 'bob' } })
  })

  test('a sign-in goes back to a place of this server only: its machine, or where an administrator was signed in', async () => {
    const { openid, guest, addCorp, admin } = await harness()
    await addCorp()
    openid.signInAs(bob)
    /** Asks under a name that whoever sends the request made up. */
    const ask = (host: string, method: string, path: string, headers: Record<string, string> = {}) =>
      new Promise<{ status: number; location: string; cookies: string[]; body: string }>((answered, failed) => {
        const { hostname, port } = new URL(guest.baseUrl)
        const sent = request({ hostname, port, method, path, headers: { host, ...headers } }, (response) => {
          let body = ''
          response.on('data', (piece: Buffer) => (body += piece.toString()))
          response.on('end', () => {
            const { location = '', 'set-cookie': cookies = [] } = response.headers
            answered({ status: response.statusCode ?? 0, location, cookies, body })
          })
        })
        sent.on('error', failed).end()
      })
    const start = (host: string) => ask(host, 'GET', '/api/auth/oauth/corp')
    const bearer = { authorization: `Bearer ${admin.token}` }
    for (const forged of [
      'evil.example.org',
      '10.66.66.66',
      'nas.local',
      'localhost.evil.example.org',
      '127.0.0.1.nip.io',
    ]) {
      const { location, cookies } = await start(forged)
      expect([location, cookies], forged).toEqual(['/sign-in?error=place_unknown&provider=corp', []])
      const passkey = await ask(forged, 'POST', '/api/auth/passkeys/login-options')
      expect(JSON.parse(passkey.body), forged).toMatchObject({ code: 'passkey_unavailable' })
    }
    for (const own of ['localhost:3001', '127.0.0.1:9', '[::1]:3001'])
      expect(new URL((await start(own)).location).searchParams.get('redirect_uri'), own).toContain(`http://${own}/api/`)
    const tried = JSON.parse((await ask('evil.example.org', 'GET', '/api/auth/me')).body) as object
    expect(tried).toMatchObject({ code: 'unauthenticated' })
    expect((await start('evil.example.org')).location).toContain('place_unknown')
    expect((await ask('chat.example.org', 'GET', '/api/auth/me', bearer)).status).toBe(200)
    expect(new URL((await start('chat.example.org')).location).searchParams.get('redirect_uri')).toBe(
      'http://chat.example.org/api/auth/oauth/corp/callback',
    )
    expect((await start('evil.example.org')).location).toContain('place_unknown')
  })

  test('the arrival is for one browser, one session and one minute', async () => {
    const { openid, guest, addCorp, browser, clock } = await harness()
    await addCorp()
    openid.signInAs(bob)
    const one = browser()
    await one.visit('/api/auth/oauth/corp')
    const cookie = `atrium_arrival=${one.cookie('atrium_arrival')}`
    const exchange = async () =>
      (await guest.raw('/api/auth/oauth/exchange', { method: 'POST', headers: { cookie } })).status
    expect((await guest.refusal(signInProvidersRoutes.externalExchange, {})).code).toBe('challenge_over')
    expect(await exchange()).toBe(200)
    expect(await exchange()).toBe(401)
    const late = browser()
    await late.visit('/api/auth/oauth/corp')
    clock.advance(61_000)
    expect((await late.fetch('/api/auth/oauth/exchange', { method: 'POST' })).status).toBe(401)
  })

  test('a way back that was not begun in this browser, was used, or took too long leads nowhere', async () => {
    const it = await harness()
    const { openid, addCorp, browser, clock, admin, corp } = it
    await addCorp()
    await admin.call(signInProvidersRoutes.addIdentityProvider, { body: corp({ id: 'other', name: 'Other' }) })
    openid.signInAs(bob)
    /** Goes to the provider and gives the address back, which is not opened. */
    const wayBack = async (one: ReturnType<typeof browser>) => {
      let url = new URL('/api/auth/oauth/corp', it.guest.baseUrl)
      while (!url.pathname.endsWith('/callback'))
        url = new URL((await one.fetch(url)).headers.get('location') as string, url)
      return url
    }
    const refused = async (one: ReturnType<typeof browser>, url: URL) => {
      const page = await one.visit(url.href)
      expect(page.searchParams.get('error')).toBe('oauth_failed')
      expect(one.cookie('atrium_arrival')).toBeNull()
    }
    const mine = browser()
    const back = await wayBack(mine)
    await refused(browser(), back)
    const changed = new URL(back)
    changed.searchParams.set('state', 'x'.repeat(43))
    await refused(mine, changed)
    const mixedUp = new URL(back.href.replace('/corp/', '/other/'))
    await refused(mine, mixedUp)
    expect((await mine.visit(back.href)).searchParams.get('auth')).toBe('success')
    mine.forget('atrium_arrival')
    await refused(mine, back)
    const slow = browser()
    const late = await wayBack(slow)
    clock.advance(601_000)
    await refused(slow, late)
    expect(new Set(await reasonsIn(it))).toEqual(new Set(['state-invalid']))
  })
})
