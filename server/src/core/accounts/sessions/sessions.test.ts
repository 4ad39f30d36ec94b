import { randomBytes } from 'node:crypto'
import { accountsRoutes } from '@atrium/contract/accounts'
import type { AccountEvent } from '@atrium/contract/system'
import { afterEach, expect, test } from 'vitest'
import { openVault } from '../../../platform/vault/vault.ts'
import { createTestAccounts, type TestAccountDeps, testAccountMigrations } from '../../../testing/accounts.ts'
import type { Client } from '../../../testing/client.ts'
import { testClock } from '../../../testing/clock.ts'
import { withDatabase } from '../../../testing/databases.ts'
import { serveAccounts } from '../../../testing/serve-accounts.ts'
import { signedIn } from '../../../testing/sign-in.ts'
import { createSessionStore } from './store.ts'

const password = 'correct horse battery'
const minute = 60_000
const hour = 3600_000
const day = 24 * hour
const clock = testClock()
const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

withDatabase('sessions', (open) => {
  const settled = async (more: Partial<TestAccountDeps> = {}) => {
    const database = await open(testAccountMigrations)
    const vault = await openVault({ database, instanceKey: randomBytes(32), clock })
    const events: AccountEvent[] = []
    const recorded: { action: string; details: unknown; target: unknown }[] = []
    const audit = {
      record: async ({ action, details, target }: never) => void recorded.push({ action, details, target }),
      recordIn: async () => undefined,
    } as never
    const base = { database, vault, clock, audit, ...more }
    const accounts = createTestAccounts({ ...base, announce: async (_, event) => void events.push(event) })
    const served = await serveAccounts(accounts, {
      clock,
    })
    stops.push(served.stop)
    const { guest } = served
    const ann = await accounts.createAccount({ username: 'ann', password, role: 'admin' })
    const signIn = async (username = 'ann') => {
      const { token } = signedIn(await guest.call(accountsRoutes.login, { body: { username, password } }))
      return guest.as(token)
    }
    return {
      accounts,
      database,
      guest,
      ann,
      signIn,
      client: await signIn(),
      events,
      recorded,
      store: createSessionStore(base),
    }
  }
  const isOut = async (client: Client) =>
    expect(await client.refusal(accountsRoutes.me, {})).toMatchObject({ status: 401, code: 'unauthenticated' })
  const currentOf = async (client: Client) =>
    (await client.call(accountsRoutes.sessions, {})).items.find(({ current }) => current)
  /** Nobody waits for the time of last activity to be written, but this does. */
  const isIn = async (client: Client) => {
    expect(await client.call(accountsRoutes.me, {})).toMatchObject({ username: 'ann' })
    await expect.poll(async () => (await currentOf(client))?.lastSeenAt).toBe(at(clock.now()))
  }
  const endOf = async (client: Client) => (await currentOf(client))?.expiresAt
  const at = (time: number) => new Date(time).toISOString()

  test('a session ends when it lies unused for two weeks, and after thirty days in any case', async () => {
    const { client } = await settled()
    const began = clock.now()
    expect(await endOf(client)).toBe(at(began + 14 * day))
    clock.advance(14 * day - 1)
    await isIn(client)
    clock.advance(14 * day - 1)
    await isIn(client)
    await expect.poll(() => endOf(client)).toBe(at(began + 30 * day))
    clock.set(began + 30 * day - 1)
    expect(await client.call(accountsRoutes.me, {})).toMatchObject({ username: 'ann' })
    clock.advance(1)
    await isOut(client)
  })

  test('an idle session is out, whatever is remembered of it', async () => {
    const { client, accounts } = await settled({ environment: { SESSION_IDLE_HOURS: '1' } })
    await isIn(client)
    clock.advance(hour - 1)
    await isIn(client)
    clock.advance(hour - 1)
    await isIn(client)
    clock.advance(hour)
    await isOut(client)
    expect(await accounts.authenticate(client.token ?? '')).toBeNull()
  })

  test('there are a hundred at most: the one that was used longest ago ends, and that is written down', async () => {
    const { client, signIn, recorded, ann, store } = await settled()
    clock.advance(1)
    const second = await signIn()
    const { id } = (await currentOf(second)) ?? {}
    const more = { account_id: ann.id, kind: 'password', userAgent: null, address: '', upstream_index: null } as const
    const times = { created_at: clock.now() + 1, expires_at: clock.now() + day }
    for (let i = 0; i < 98; i++)
      expect(await store.insert({ id: `${i}`, token_digest: `${i}`, ...more, ...times }, null)).toEqual([])
    clock.advance(minute)
    // The oldest is used again, so it is not the one.
    await isIn(client)
    const newest = await signIn()
    await isOut(second)
    await isIn(client)
    await isIn(newest)
    expect(recorded.filter(({ action }) => action === 'session.revoke')).toEqual([
      expect.objectContaining({
        target: { type: 'session', id },
        details: { accountId: expect.any(String), reason: 'too_many_sessions' },
      }),
    ])
  })

  test('whoever watches an idle session is told when its time is over', async () => {
    const { client, accounts } = await settled({ environment: { SESSION_IDLE_HOURS: '1' } })
    const who = await accounts.authenticate(client.token ?? '')
    const ended = new Promise<void>((resolve) => accounts.watchSession(who?.sessionId ?? '', resolve))
    clock.advance(hour)
    await ended
  })

  test('administrators set both times: shorter ones hold for open sessions at once, longer ones for new ones', async () => {
    const { client, signIn, guest, accounts, recorded } = await settled()
    expect(await client.call(accountsRoutes.sessionPolicy, {})).toEqual({
      lifetimeDays: { value: 30, source: 'default', variable: null },
      idleHours: { value: 336, source: 'default', variable: null },
    })
    const began = clock.now()
    const who = await accounts.authenticate(client.token ?? '')
    let told = 0
    accounts.watchSession(who?.sessionId ?? '', () => told++)
    const changed = await client.call(accountsRoutes.updateSessionPolicy, { body: { lifetimeDays: 2, idleHours: 24 } })
    expect(changed).toMatchObject({ lifetimeDays: { value: 2, source: 'saved' }, idleHours: { value: 24 } })
    expect(told).toBe(1)
    expect(recorded.at(-1)).toMatchObject({ action: 'setting.change', target: { id: 'session-policy' } })
    expect(await endOf(client)).toBe(at(began + day))
    await client.call(accountsRoutes.updateSessionPolicy, { body: { idleHours: 1000 } })
    expect(await endOf(client)).toBe(at(began + 2 * day))

    await client.call(accountsRoutes.updateSessionPolicy, { body: { lifetimeDays: 60, idleHours: 3000 } })
    expect(await endOf(client)).toBe(at(began + 30 * day))
    expect(await endOf(await signIn())).toBe(at(began + 60 * day))

    for (const body of [{ lifetimeDays: 0 }, { idleHours: 0 }, { lifetimeDays: 4000 }, { idleHours: 1.5 }])
      expect(await client.refusal(accountsRoutes.updateSessionPolicy, { body })).toMatchObject({ status: 400 })
    await accounts.createAccount({ username: 'ben', password })
    const ben = await signIn('ben')
    expect(await ben.refusal(accountsRoutes.sessionPolicy, {})).toMatchObject({ status: 403 })
    expect(await guest.refusal(accountsRoutes.updateSessionPolicy, { body: { idleHours: 1 } })).toMatchObject({
      status: 401,
    })
  })

  test('what the environment says of how long sessions last cannot be changed, whatever is saved', async () => {
    const fixed = await settled({ environment: { SESSION_DAYS: '5' } })
    expect((await fixed.client.call(accountsRoutes.sessionPolicy, {})).lifetimeDays).toEqual({
      value: 5,
      source: 'environment',
      variable: 'SESSION_DAYS',
    })
    expect(
      await fixed.client.refusal(accountsRoutes.updateSessionPolicy, { body: { lifetimeDays: 60 } }),
    ).toMatchObject({
      status: 409,
      code: 'setting_locked',
      problem: { detail: expect.stringContaining('SESSION_DAYS') },
    })
    await fixed.client.call(accountsRoutes.updateSessionPolicy, { body: { idleHours: 9 } })
    const { client } = await settled({ environment: { SESSION_IDLE_HOURS: '8' } })
    expect((await client.call(accountsRoutes.sessionPolicy, {})).idleHours).toEqual({
      value: 8,
      source: 'environment',
      variable: 'SESSION_IDLE_HOURS',
    })
    expect(await client.refusal(accountsRoutes.updateSessionPolicy, { body: { idleHours: 9 } })).toMatchObject({
      status: 409,
      code: 'setting_locked',
    })
    await client.call(accountsRoutes.updateSessionPolicy, { body: { lifetimeDays: 9 } })
  })

  test('a session says from where it was used last, and nothing of that stands in plain in its row', async () => {
    const { client, accounts, database } = await settled()
    expect((await currentOf(client))?.address).toBe('127.0.0.1')
    clock.advance(2 * minute)
    await accounts.authenticate(client.token ?? '', '2001:db8::7')
    await expect.poll(async () => (await currentOf(client))?.address).toBe('2001:db8::7')
    const [row] = await database
      .tables<{ auth_sessions: { last_address: Uint8Array } }>()
      .selectFrom('auth_sessions')
      .select('last_address')
      .execute()
    expect(Buffer.from(row?.last_address ?? []).toString('latin1')).not.toContain('2001:db8')
    // Within a minute nothing is written again, and of a client that is gone nothing is known.
    await accounts.authenticate(client.token ?? '', '192.0.2.1')
    clock.advance(2 * minute)
    await accounts.authenticate(client.token ?? '', '')
    expect((await currentOf(client))?.address).not.toBe('192.0.2.1')
  })

  test('open pages hear of a new sign-in, and of which', async () => {
    const { client, signIn, events } = await settled()
    events.length = 0
    await signIn()
    const { items } = await client.call(accountsRoutes.sessions, {})
    const fresh = items.find(({ current }) => !current)
    expect(events).toEqual([{ type: 'session-started', data: { id: fresh?.id } }])
  })

  test('administrators see and end the sessions of an account, and it is written down', async () => {
    const { client, signIn, accounts, recorded, ann } = await settled()
    const ben = await accounts.createAccount({ username: 'ben', password })
    const bens = await signIn('ben')
    const who = await accounts.authenticate(client.token ?? '')
    if (!who) throw new Error('Ann is signed in')
    const context = {
      caller: { ...who, via: 'bearer' as const },
      resource: null,
      requestId: 'r',
      address: '',
      userAgent: null,
      origin: '',
      signal: AbortSignal.timeout(60_000),
      after: 0,
      header: () => null,
      answerStatus: () => undefined,
      setCookie: () => undefined,
    }
    const [session, ...others] = await accounts.administration.sessions(ben.id, context as never)
    expect(session).toMatchObject({ kind: 'password', current: false, revokedAt: null })
    expect(others).toEqual([])
    await expect(accounts.administration.sessions('nobody', context as never)).rejects.toMatchObject({
      code: 'user_not_found',
    })
    await expect(accounts.administration.endSession(ann.id, session?.id ?? '', context as never)).rejects.toMatchObject(
      { code: 'session_not_found' },
    )
    await accounts.administration.endSession(ben.id, session?.id ?? '', context as never)
    expect(recorded.at(-1)).toMatchObject({
      action: 'session.revoke',
      target: { type: 'session', id: session?.id },
      details: { accountId: ben.id },
    })
    await isOut(bens)
    await isIn(client)
  })

  test('ending one session, or all others, is written down', async () => {
    const { client, signIn, recorded } = await settled()
    await signIn()
    await signIn()
    const other = (await client.call(accountsRoutes.sessions, {})).items.find(({ current }) => !current)
    await client.call(accountsRoutes.revokeSession, { params: { id: other?.id ?? '' } })
    await client.call(accountsRoutes.revokeOthers, {})
    expect(recorded.slice(-2)).toEqual([
      { action: 'session.revoke', target: { type: 'session', id: other?.id }, details: undefined },
      { action: 'session.revoke-others', target: undefined, details: { count: 1 } },
    ])
  })

  test('what is shaped like a token of another kind, or is far too long, is nobody', async () => {
    const { guest } = await settled()
    const claims = Buffer.from(JSON.stringify({ userId: '1', role: 'admin', sid: '1' })).toString('base64url')
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
    for (const text of [`${none}.${claims}.`, `${none}.${claims}.${'a'.repeat(43)}`, `ats_${'a'.repeat(10_000)}`])
      expect(await guest.as(text).refusal(accountsRoutes.me, {})).toMatchObject({
        status: 401,
        code: 'unauthenticated',
      })
  })
})
