import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { accountsRoutes } from '@atrium/contract/accounts'
import { apiTokensRoutes } from '@atrium/contract/api-tokens'
import type { AccountEvent } from '@atrium/contract/system'
import { afterEach, expect, test } from 'vitest'
import { createLog } from '../../platform/log/log.ts'
import type { Platform } from '../../platform/platform.ts'
import { openVault } from '../../platform/vault/vault.ts'
import type { Client } from '../../testing/client.ts'
import type { AccountOptions } from './context.ts'
import { createTestAccounts, testAccountMigrations } from '../../testing/accounts.ts'
import { testClock } from '../../testing/clock.ts'
import { onBothDatabases } from '../../testing/databases.ts'
import type { Served } from '../../testing/serve.ts'
import { serveAccounts } from '../../testing/serve-accounts.ts'
import { signedIn } from '../../testing/sign-in.ts'

const password = 'correct horse battery'
const day = 24 * 3600_000
const clock = testClock()
const stops: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

type Harness = Pick<Platform, 'database' | 'vault'>

type Options = { signupEnabled?: boolean } & Partial<Pick<AccountOptions, 'enqueue' | 'audit'>>

/** One process of the service; several may share a database. */
const start = async ({ database, vault }: Harness, options: Options = {}) => {
  const { signupEnabled = false, ...more } = options
  const events: [string, AccountEvent][] = []
  const lines: string[] = []
  const accounts = createTestAccounts({
    database,
    vault,
    clock,
    log: createLog({ level: 'debug', write: (line) => void lines.push(line) }),
    version: '1.2.3',
    ...more,
    signupEnabled: async () => signupEnabled,
    announce: async (accountId, event) => void events.push([accountId, event]),
  })
  const served: Served = await serveAccounts(accounts, {
    clock,
  })
  stops.push(served.stop)
  return { accounts, guest: served.guest, events, lines: () => [...lines, ...served.lines].join('') }
}

const signUp = (guest: Client, username: string, email?: string) =>
  guest.call(accountsRoutes.signup, { body: { username, password, ...(email ? { email } : {}) } })
const signIn = async (guest: Client, username: string) => {
  const answer = signedIn(await guest.call(accountsRoutes.login, { body: { username, password } }))
  return { ...answer, client: guest.as(answer.token) }
}
const isToken = expect.stringMatching(/^ats_[A-Za-z0-9_-]{43}$/)

onBothDatabases('accounts', (open) => {
  const fresh = async (): Promise<Harness> => {
    const database = await open([...testAccountMigrations])
    return { database, vault: await openVault({ database, instanceKey: randomBytes(32), clock }) }
  }
  /** A harness with Ann, its administrator. */
  const settled = async (options: Options = {}) => {
    const harness = await fresh()
    const process = await start(harness, options)
    const answer = await signUp(process.guest, 'Ann')
    if (!('token' in answer)) throw new Error('Ann has to wait')
    return { ...harness, ...process, ann: answer.user, token: answer.token, client: process.guest.as(answer.token) }
  }

  test('a visitor learns whether there are users and whether to sign up', async () => {
    const { guest } = await start(await fresh())
    expect(await guest.call(accountsRoutes.systemInfo, {})).toEqual({
      requiresAuth: true,
      passkeysInUse: false,
      mailAvailable: false,
      hasUsers: false,
      signupEnabled: true,
      version: '1.2.3',
      defaultTheme: { mode: 'system', accent: 'verdigris' },
    })
    await signUp(guest, 'Ann')
    expect(await guest.call(accountsRoutes.systemInfo, {})).toMatchObject({ hasUsers: true, signupEnabled: false })
  })

  test('the first account is made by no page whose name was turned to this machine', async () => {
    const { guest } = await start(await fresh())
    // A client of the usual kind does not let one say which host it means.
    const signUp = async (host: string) => {
      const headers = { host, origin: `http://${host}`, 'content-type': 'application/json' }
      const sent = request(`${guest.baseUrl}/api/auth/signup`, { method: 'POST', headers })
      sent.end(JSON.stringify({ username: 'mallory', password }))
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      return (await json(response)) as object
    }
    expect(await signUp('evil.example:3001')).toMatchObject({ status: 403, code: 'place_unknown' })
    expect((await guest.call(accountsRoutes.systemInfo, {})).hasUsers).toBe(false)
    expect(await signUp('nas.local:3000')).toMatchObject({ user: { role: 'admin' } })
  })

  test('the first account becomes administrator and is signed in, for thirty days', async () => {
    const { guest } = await start(await fresh())
    const response = await guest.answer(accountsRoutes.signup, {
      body: { username: 'Ann', password, email: 'Ann@Example.org' },
    })
    expect(response.status).toBe(200)
    const expiresAt = new Date(clock.now() + 30 * day)
    const answer = (await response.json()) as { token: string }
    expect(answer).toMatchObject({
      token: isToken,
      expiresAt: expiresAt.toISOString(),
      user: { username: 'Ann', displayName: null, email: 'Ann@Example.org', role: 'admin', status: 'active' },
    })
    const cookie = response.headers.get('set-cookie') ?? ''
    expect(cookie).toContain(`atrium_session=${answer.token};`)
    expect(cookie).toMatch(/HttpOnly/)
    expect(cookie).toMatch(/SameSite=Strict/)
    expect(cookie).toContain(expiresAt.toUTCString())
    expect(await guest.as(answer.token).call(accountsRoutes.me, {})).toMatchObject({ username: 'Ann', role: 'admin' })
    expect(await guest.as(answer.token).call(accountsRoutes.verify, {})).toMatchObject({ username: 'Ann' })
  })

  test('of fifty who sign up first at the same time, exactly one becomes administrator', async () => {
    for (const signupEnabled of [true, false]) {
      const harness = await fresh()
      const processes = [await start(harness, { signupEnabled }), await start(harness, { signupEnabled })]
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, i) =>
          (processes[i % 2] as (typeof processes)[0]).guest.answer(accountsRoutes.signup, {
            body: { username: `user${i}`, password },
          }),
        ),
      )
      const statuses = answers.map(({ status }) => status)
      expect(statuses.filter((status) => status === 200)).toHaveLength(1)
      expect(statuses.filter((status) => status === (signupEnabled ? 202 : 403))).toHaveLength(49)
      const { items } = await (processes[0] as (typeof processes)[0]).accounts.administration.list(200, undefined)
      expect(items.filter(({ role }) => role === 'admin')).toHaveLength(1)
      expect(items).toHaveLength(signupEnabled ? 50 : 1)
      const keys = await harness.database
        .tables<{ vault_keys: { owner: string } }>()
        .selectFrom('vault_keys')
        .select('owner')
        .execute()
      expect(keys).toHaveLength(items.length + 1)
    }
  })

  test('later sign-up is closed, or waits for approval', async () => {
    const closed = await settled()
    expect(await closed.guest.refusal(accountsRoutes.signup, { body: { username: 'ben', password } })).toMatchObject({
      status: 403,
      code: 'signup_closed',
    })
    const { guest, accounts } = await settled({ signupEnabled: true })
    const response = await guest.answer(accountsRoutes.signup, { body: { username: 'ben', password } })
    expect(response.status).toBe(202)
    expect(response.headers.get('set-cookie')).toBeNull()
    const { user } = (await response.json()) as { user: { id: string } }
    expect(user).toMatchObject({ role: 'user', status: 'pending' })
    expect(await guest.refusal(accountsRoutes.login, { body: { username: 'ben', password } })).toMatchObject({
      status: 403,
      code: 'account_pending',
    })
    expect(
      await guest.refusal(accountsRoutes.login, { body: { username: 'ben', password: 'wrong horse battery' } }),
    ).toMatchObject({ code: 'wrong_credentials' })
    await accounts.administration.setStatus(user.id, 'active')
    expect((await signIn(guest, 'ben')).user.status).toBe('active')
  })

  test('a stranger is not told that an address is in use; its owner is, by mail, and administrators by the audit', async () => {
    const kept: unknown[] = []
    const recorded: { action: string; details?: unknown }[] = []
    const enqueue = async (kind: string, payload: unknown) => void kept.push([kind, payload])
    const record = async (entry: never) => void recorded.push(entry)
    const audit = { record, recordIn: async (_: never, entry: never) => record(entry) } as never
    const { guest, accounts } = await settled({ signupEnabled: true, enqueue, audit })
    const ben = await accounts.createAccount({ username: 'ben', password, email: 'Ben@example.org' })
    const ask = async (username: string, email: string) => {
      const response = await guest.answer(accountsRoutes.signup, { body: { username, password, email } })
      const { user, ...answer } = (await response.json()) as { user: Record<string, unknown> }
      const { id: _, createdAt: __, updatedAt: ___, ...shown } = user
      return [response.status, answer, shown]
    }
    const free = await ask('cid', 'cid@example.org')
    const taken = await ask('dan', 'ben@EXAMPLE.org')
    expect(JSON.stringify(taken).replaceAll('dan', 'cid').replace('ben@EXAMPLE.org', 'cid@example.org')).toBe(
      JSON.stringify(free),
    )
    // Names of waiting accounts are taken in both cases, so that asking twice tells nothing either.
    for (const username of ['cid', 'dan'])
      expect(await guest.refusal(accountsRoutes.signup, { body: { username, password } })).toMatchObject({
        code: 'username_taken',
      })
    expect(kept).toEqual([
      ['accounts.address-in-use', { accountId: null }],
      ['accounts.address-in-use', { accountId: ben.id }],
    ])
    expect(
      recorded
        .filter(({ action }) => action === 'auth.signup')
        .map(({ details }) => details)
        // The first is Ann's own.
        .slice(1),
    ).toEqual([undefined, { reason: 'email_taken', accountId: ben.id }])
    const { items } = await accounts.administration.list(50, undefined)
    expect(items.filter(({ username }) => username === 'cid' || username === 'dan').map(({ email }) => email)).toEqual([
      'cid@example.org',
      null,
    ])
  })

  test('names and addresses are unique however they are written', async () => {
    const { guest } = await settled({ signupEnabled: true })
    for (const username of ['Ann', 'ann', 'ANN', 'Ａnn']) {
      expect(await guest.refusal(accountsRoutes.signup, { body: { username, password } })).toMatchObject({
        status: 409,
        code: 'username_taken',
      })
    }
    await signUp(guest, 'ben', 'Ben@example.org')
    const racers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        guest.answer(accountsRoutes.signup, { body: { username: i % 2 ? 'dan' : 'DAN', password } }),
      ),
    )
    expect(racers.filter(({ status }) => status === 202)).toHaveLength(1)
    expect(racers.filter(({ status }) => status === 409)).toHaveLength(9)
  })

  test('weak passwords and odd names are refused before anything is made', async () => {
    const { guest, accounts } = await start(await fresh())
    for (const [username, weak, code] of [
      ['ann', 'short', 'weak_password'],
      ['ann', 'x'.repeat(201), 'weak_password'],
      ['ann', 'password1234', 'common_password'],
      ['a-very-long-name', 'A-Very-Long-Name', 'common_password'],
    ] as const) {
      expect(await guest.refusal(accountsRoutes.signup, { body: { username, password: weak } })).toMatchObject({
        status: 400,
        code,
      })
    }
    for (const username of ['', ' ', '-ann', 'an n', 'ann\u0000', '<b>', 'a'.repeat(65)]) {
      expect(await guest.refusal(accountsRoutes.signup, { body: { username, password } })).toMatchObject({
        status: 400,
        code: 'validation_failed',
      })
    }
    expect(await accounts.hasUsers()).toBe(false)
  })

  test('signing in works by name in any case and by address, and says nothing about which part was wrong', async () => {
    const { guest, client } = await settled()
    await client.call(accountsRoutes.updateMe, { body: { email: 'ann@example.org' } })
    for (const username of ['ann', 'ANN', ' Ann ', 'Ann@Example.ORG']) {
      expect((await signIn(guest, username)).user.username).toBe('Ann')
    }
    const wrong = await guest.refusal(accountsRoutes.login, {
      body: { username: 'ann', password: 'wrong horse battery' },
    })
    const unknown = await guest.refusal(accountsRoutes.login, { body: { username: 'nobody', password } })
    expect(wrong).toMatchObject({ status: 401, code: 'wrong_credentials' })
    expect({ ...unknown.problem, requestId: '' }).toEqual({ ...wrong.problem, requestId: '' })
  })

  test('only the digest of a token is kept, and no name, address, device or hash in plain', async () => {
    const { database, token, client, lines } = await settled()
    await client.call(accountsRoutes.updateMe, { body: { displayName: 'Planted Name', email: 'planted@example.org' } })
    await client.raw('/api/auth/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'PlantedBrowser/1', authorization: '' },
      body: JSON.stringify({ username: 'ann', password }),
    })
    const tables = database.tables<Record<string, Record<string, unknown>>>()
    const rows = [
      ...(await tables.selectFrom('accounts').selectAll().execute()),
      ...(await tables.selectFrom('auth_sessions').selectAll().execute()),
    ]
    expect(rows).toHaveLength(3)
    const dump = rows
      .flatMap((row) =>
        Object.values(row).map((value) =>
          value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value),
        ),
      )
      .join('\n')
    for (const plain of [token, token.slice(4), 'Ann', 'ann', 'Planted', 'planted', 'argon2', password])
      expect(dump).not.toContain(plain)
    for (const plain of [token, password]) expect(lines()).not.toContain(plain)
  })

  test('logging out ends the session at once and takes the cookie away', async () => {
    const { client, guest } = await settled()
    const other = await signIn(guest, 'ann')
    const response = await client.answer(accountsRoutes.logout, {})
    expect(response.headers.get('set-cookie')).toMatch(/^atrium_session=;.*Expires=Thu, 01 Jan 1970/)
    expect(await client.refusal(accountsRoutes.me, {})).toMatchObject({ status: 401, code: 'unauthenticated' })
    expect(await other.client.call(accountsRoutes.me, {})).toMatchObject({ username: 'Ann' })
  })

  test('the cookie signs in as the token does; signing in again ends the session it stood for', async () => {
    const { guest, token, client } = await settled()
    const cookie = { headers: { cookie: `atrium_session=${token}`, 'sec-fetch-site': 'same-origin' } }
    expect(await guest.call(accountsRoutes.me, {}, cookie)).toMatchObject({ username: 'Ann' })
    await guest.call(accountsRoutes.login, { body: { username: 'ann', password } }, cookie)
    expect(await client.refusal(accountsRoutes.me, {})).toMatchObject({ code: 'unauthenticated' })
  })

  test('what is no token, an old token and a made-up token are all nobody', async () => {
    const { guest, token } = await settled()
    for (const text of ['x', 'ats_', `ats_${'a'.repeat(43)}`, `${token}x`, token.toUpperCase(), token.slice(0, -1)]) {
      expect(await guest.as(text).refusal(accountsRoutes.me, {})).toMatchObject({
        status: 401,
        code: 'unauthenticated',
      })
    }
    for (const days of [10, 10, 10 - 1 / day]) {
      clock.advance(days * day)
      const client = guest.as(token)
      expect(await client.call(accountsRoutes.me, {})).toMatchObject({ username: 'Ann' })
      const seen = async () => (await client.call(accountsRoutes.sessions, {})).items[0]?.lastSeenAt
      await expect.poll(seen).toBe(new Date(clock.now()).toISOString())
    }
    clock.advance(1)
    expect(await guest.as(token).refusal(accountsRoutes.me, {})).toMatchObject({ code: 'unauthenticated' })
  })

  test('the profile can be changed, not into somebody else’s', async () => {
    const { client, guest, accounts } = await settled()
    await accounts.createAccount({ username: 'ben', password, email: 'ben@example.org' })
    expect(
      await client.call(accountsRoutes.updateMe, {
        body: { username: 'Annie', displayName: '  Ann Example ', email: 'a@example.org' },
      }),
    ).toMatchObject({ username: 'Annie', displayName: 'Ann Example', email: 'a@example.org' })
    expect(await client.call(accountsRoutes.updateMe, { body: { username: 'ANNIE' } })).toMatchObject({
      username: 'ANNIE',
      email: 'a@example.org',
    })
    expect(await client.call(accountsRoutes.updateMe, { body: { displayName: '', email: null } })).toMatchObject({
      displayName: null,
      email: null,
    })
    expect(await client.call(accountsRoutes.updateMe, { body: {} })).toMatchObject({ username: 'ANNIE' })
    expect(await client.refusal(accountsRoutes.updateMe, { body: { username: 'Ben' } })).toMatchObject({
      status: 409,
      code: 'username_taken',
    })
    expect(
      await client.refusal(accountsRoutes.updateMe, { body: { displayName: 'kept?', email: 'BEN@example.org' } }),
    ).toMatchObject({ code: 'email_taken' })
    expect(await client.call(accountsRoutes.me, {})).toMatchObject({ username: 'ANNIE', displayName: null })
    expect(await guest.refusal(accountsRoutes.login, { body: { username: 'ann', password } })).toMatchObject({
      code: 'wrong_credentials',
    })
    await signIn(guest, 'annie')
  })

  test('a new password needs the old one, and ends every other session and, where it is wished, every token', async () => {
    const { client, guest, ann, events } = await settled()
    const other = await signIn(guest, 'ann')
    const script = { body: { name: 'script', scopes: ['inference' as const] } }
    const { token: apiToken } = await client.call(apiTokensRoutes.createToken, script)
    const change = (currentPassword: string, newPassword: string) => ({ body: { currentPassword, newPassword } })
    expect(
      await client.refusal(accountsRoutes.changePassword, change('wrong horse battery', 'another good password')),
    ).toMatchObject({ status: 401, code: 'wrong_password' })
    for (const [weak, code] of [
      ['short', 'weak_password'],
      ['annannann1234', 'common_password'],
    ] as const)
      expect(await client.refusal(accountsRoutes.changePassword, change(password, weak))).toMatchObject({ code })
    expect(await other.client.call(accountsRoutes.me, {})).toMatchObject({ username: 'Ann' })
    expect(await client.call(accountsRoutes.changePassword, change(password, 'another good password'))).toEqual({})
    expect(await client.call(accountsRoutes.me, {})).toMatchObject({ username: 'Ann' })
    expect(await other.client.refusal(accountsRoutes.me, {})).toMatchObject({ code: 'unauthenticated' })
    expect(await guest.refusal(accountsRoutes.login, { body: { username: 'ann', password } })).toMatchObject({
      code: 'wrong_credentials',
    })
    await guest.call(accountsRoutes.login, { body: { username: 'ann', password: 'another good password' } })
    const ended = events.filter(([, { type }]) => type === 'session-ended')
    expect(ended).toEqual([[ann.id, { type: 'session-ended', data: {} }]])
    const program = guest.as(apiToken)
    expect(await program.call(accountsRoutes.me, {})).toMatchObject({ username: 'Ann' })
    const again = change('another good password', 'a third good password')
    await client.call(accountsRoutes.changePassword, { body: { ...again.body, revokeTokens: true } })
    expect(await program.refusal(accountsRoutes.me, {})).toMatchObject({ code: 'unauthenticated' })
  })

  test('a sign-in with the old password, while it is being changed, is dead afterwards', async () => {
    const { client, guest } = await settled()
    let current = password
    for (let round = 0; round < 8; round++) {
      const next = `another good password ${round}`
      const racers = Array.from({ length: 4 }, async (_, i) => {
        await new Promise((resolve) => setTimeout(resolve, i * 25))
        return await guest.answer(accountsRoutes.login, { body: { username: 'ann', password: current } })
      })
      await client.call(accountsRoutes.changePassword, { body: { currentPassword: current, newPassword: next } })
      for (const answer of await Promise.all(racers)) {
        const { token } = (await answer.json()) as { token?: string }
        if (token)
          expect(await guest.as(token).refusal(accountsRoutes.me, {})).toMatchObject({ code: 'unauthenticated' })
        else expect(answer.status).toBe(401)
      }
      current = next
    }
  })

  test('sessions are listed with the newest activity first, and ended ones for a week', async () => {
    const { client, guest } = await settled()
    clock.advance(1000)
    const second = await signIn(guest, 'ann')
    clock.advance(120_000)
    await client.call(accountsRoutes.me, {})
    await expect.poll(async () => (await client.call(accountsRoutes.sessions, {})).items[0]?.current).toBe(true)
    const { items, nextCursor } = await client.call(accountsRoutes.sessions, {})
    expect(nextCursor).toBeNull()
    expect(items.map(({ kind, current, revokedAt }) => ({ kind, current, revokedAt }))).toEqual([
      { kind: 'signup', current: true, revokedAt: null },
      { kind: 'password', current: false, revokedAt: null },
    ])
    expect(items[0]?.lastSeenAt).toBe(new Date(clock.now()).toISOString())
    await second.client.call(accountsRoutes.logout, {})
    const ended = (await client.call(accountsRoutes.sessions, {})).items.find(({ current }) => !current)
    expect(ended?.revokedAt).toBe(new Date(clock.now()).toISOString())
    clock.advance(8 * day)
    expect((await client.call(accountsRoutes.sessions, {})).items).toHaveLength(1)
  })

  test('the time of last activity is written at most once a minute', async () => {
    const { client } = await settled()
    const seen = async () => (await client.call(accountsRoutes.sessions, {})).items[0]?.lastSeenAt
    const first = await seen()
    clock.advance(59_000)
    expect(await seen()).toBe(first)
    clock.advance(1_000)
    await expect.poll(seen).toBe(new Date(clock.now()).toISOString())
  })

  test('one session can be ended, or all others; those of other accounts cannot be seen', async () => {
    const { client, guest, accounts } = await settled()
    await accounts.createAccount({ username: 'ben', password })
    const [one, two, ben] = [await signIn(guest, 'ann'), await signIn(guest, 'ann'), await signIn(guest, 'ben')]
    const idOf = async (whose: Client) =>
      (await whose.call(accountsRoutes.sessions, {})).items.find(({ current }) => current)?.id ?? ''
    const benId = await idOf(ben.client)
    expect(await client.refusal(accountsRoutes.revokeSession, { params: { id: benId } })).toMatchObject({
      status: 404,
      code: 'session_not_found',
    })
    expect(await client.refusal(accountsRoutes.revokeSession, { params: { id: 'nothing' } })).toMatchObject({
      status: 404,
      code: 'session_not_found',
    })
    const oneId = await idOf(one.client)
    expect(await client.call(accountsRoutes.revokeSession, { params: { id: oneId } })).toEqual({})
    expect(await client.call(accountsRoutes.revokeSession, { params: { id: oneId } })).toEqual({})
    expect(await one.client.refusal(accountsRoutes.me, {})).toMatchObject({ code: 'unauthenticated' })
    expect(await two.client.call(accountsRoutes.revokeOthers, {})).toEqual({ revokedCount: 1 })
    expect(await client.refusal(accountsRoutes.me, {})).toMatchObject({ code: 'unauthenticated' })
    expect(await two.client.call(accountsRoutes.me, {})).toMatchObject({ username: 'Ann' })
    expect(await ben.client.call(accountsRoutes.me, {})).toMatchObject({ username: 'ben' })
  })

  test('an ended session is told to whoever watches it, once, and to nobody else', async () => {
    const { client, guest, accounts, token } = await settled()
    const other = await signIn(guest, 'ann')
    const [own, its] = await Promise.all([token, other.token].map((each) => accounts.authenticate(each)))
    const ended: string[] = []
    const all: string[] = []
    accounts.watchSession(own?.sessionId ?? '', () => ended.push('own'))
    accounts.watchSession(its?.sessionId ?? '', () => ended.push('other'))
    accounts.watchSession(its?.sessionId ?? '', () => ended.push('stopped'))()
    accounts.onSessionEnded((sessionId) => all.push(sessionId))
    await client.call(accountsRoutes.revokeOthers, {})
    expect(ended).toEqual(['other'])
    expect(new Set(all)).toEqual(new Set([its?.sessionId]))
    await accounts.administration.setStatus(other.user.id, 'active')
    expect(ended).toEqual(['other'])
  })

  test('an ended session is ended in every process at once', async () => {
    const here = await settled()
    const there = await start(here)
    const told: string[] = []
    const known = await there.accounts.authenticate(here.token)
    there.accounts.watchSession(known?.sessionId ?? '', () => told.push('ended'))
    await here.client.call(accountsRoutes.logout, {})
    // The clock stands still, so what was remembered would still be believed.
    await expect.poll(() => there.accounts.authenticate(here.token)).toBeNull()
    await expect.poll(() => told).toEqual(['ended'])
  })

  test('a token is never believed past its end, however requests and revocations interleave', async () => {
    const { accounts, guest } = await settled()
    for (let round = 0; round < 20; round++) {
      const { token, client } = await signIn(guest, 'ann')
      const asking = Array.from({ length: 20 }, async (_, i) => {
        await new Promise((resolve) => setTimeout(resolve, i))
        return await accounts.authenticate(token)
      })
      await client.call(accountsRoutes.logout, {})
      expect(await accounts.authenticate(token)).toBeNull()
      await Promise.all(asking)
      expect(await accounts.authenticate(token)).toBeNull()
    }
  })

  test('a disabled account is out at once and is told why', async () => {
    const { guest, accounts } = await settled()
    const ben = await accounts.createAccount({ username: 'ben', password })
    const { client, token } = await signIn(guest, 'ben')
    expect(await client.call(accountsRoutes.me, {})).toMatchObject({ username: 'ben' })
    const told: string[] = []
    accounts.watchSession((await accounts.authenticate(token))?.sessionId ?? '', () => told.push('ended'))
    await accounts.administration.setStatus(ben.id, 'disabled')
    expect(told).toEqual(['ended'])
    expect(await client.refusal(accountsRoutes.me, {})).toMatchObject({ status: 403, code: 'account_disabled' })
    expect(await guest.refusal(accountsRoutes.login, { body: { username: 'ben', password } })).toMatchObject({
      status: 403,
      code: 'account_disabled',
    })
    await accounts.administration.setStatus(ben.id, 'active')
    expect(await client.refusal(accountsRoutes.me, {})).toMatchObject({ status: 401, code: 'unauthenticated' })
    await signIn(guest, 'ben')
  })
})
