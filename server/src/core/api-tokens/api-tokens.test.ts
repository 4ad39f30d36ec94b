import { createHash, randomBytes } from 'node:crypto'
import { accountsRoutes } from '@atrium/contract/accounts'
import { type ApiToken, apiTokensRoutes } from '@atrium/contract/api-tokens'
import { scopes } from '@atrium/contract/scopes'
import { afterEach, expect, test } from 'vitest'
import { createLog } from '../../platform/log/log.ts'
import type { Platform } from '../../platform/platform.ts'
import { openVault } from '../../platform/vault/vault.ts'
import type { Client } from '../../testing/client.ts'
import { createTestAccounts, testAccountMigrations } from '../../testing/accounts.ts'
import { testClock } from '../../testing/clock.ts'
import { withDatabase } from '../../testing/databases.ts'
import { serveAccounts } from '../../testing/serve-accounts.ts'
import type { ApiTokenTables } from './index.ts'
import { signedIn } from '../../testing/sign-in.ts'

const password = 'correct horse battery'
const day = 24 * 3600_000
const clock = testClock()
const stops: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

type Harness = Pick<Platform, 'database' | 'vault'>

/** One process of the service; several may share a database. */
const start = async ({ database, vault }: Harness) => {
  const lines: string[] = []
  const accounts = createTestAccounts({
    database,
    vault,
    clock,
    version: '1.2.3',
    log: createLog({ level: 'debug', write: (line) => void lines.push(line) }),
    signupEnabled: async () => false,
    announce: async () => undefined,
  })
  const served = await serveAccounts(accounts, {
    clock,
  })
  stops.push(served.stop)
  return { accounts, guest: served.guest, lines: () => [...lines, ...served.lines].join('') }
}

const make = (client: Client, wish: Partial<Parameters<typeof body>[0]> = {}) =>
  client.call(apiTokensRoutes.createToken, body(wish))
const body = (wish: {
  name?: string
  scopes?: ApiToken['scopes']
  expiresInDays?: number | null
  models?: string[]
}) => ({
  body: { name: 'A script', scopes: ['inference' as const], ...wish },
})
const list = async (client: Client) => (await client.call(apiTokensRoutes.tokens, {})).items
const iso = (at: number) => new Date(at).toISOString()

withDatabase('API tokens', (open) => {
  /** A harness with Ann, its administrator, and Ben. */
  const settled = async () => {
    const database = await open([...testAccountMigrations])
    const harness = { database, vault: await openVault({ database, instanceKey: randomBytes(32), clock }) }
    const process = await start(harness)
    const { accounts, guest } = process
    const signIn = async (username: string, role: 'admin' | 'user') => {
      const { id } = await accounts.createAccount({ username, password, role })
      return {
        id,
        client: guest.as(signedIn(await guest.call(accountsRoutes.login, { body: { username, password } })).token),
      }
    }
    return { ...harness, ...process, ann: await signIn('ann', 'admin'), ben: await signIn('ben', 'user') }
  }

  test('a token is shown once, in the answer that makes it', async () => {
    const { ann, guest } = await settled()
    const { token, record } = await ann.client.call(apiTokensRoutes.createToken, {
      body: {
        name: '  My editor ',
        scopes: ['chat:read', 'inference'],
        expiresInDays: 90,
        models: ['llama3', 'openai/gpt'],
        ratePerMinute: 30,
      },
    })
    expect(token).toMatch(/^atr_[A-Za-z0-9_-]{43}$/)
    expect(record).toEqual({
      id: expect.any(String) as string,
      name: 'My editor',
      tokenPrefix: token.slice(0, 12),
      scopes: ['inference', 'chat:read'],
      models: ['llama3', 'openai/gpt'],
      ratePerMinute: 30,
      budget: null,
      createdAt: iso(clock.now()),
      expiresAt: iso(clock.now() + 90 * day),
      lastUsedAt: null,
      revokedAt: null,
    })
    expect(await list(ann.client)).toEqual([record])
    expect(JSON.stringify(await list(ann.client))).not.toContain(token)
    expect(await guest.as(token).call(accountsRoutes.me, {})).toMatchObject({ username: 'ann' })
  })

  test('without wishes it does not expire, may use every model, and asks 600 times a minute', async () => {
    const { ben } = await settled()
    const { record } = await make(ben.client)
    expect(record).toMatchObject({ expiresAt: null, models: null, ratePerMinute: 600 })
  })

  test('what is no name, scope, time or model is refused', async () => {
    const { ann } = await settled()
    for (const wish of [
      { name: ' ' },
      { name: 'x'.repeat(129) },
      { scopes: [] },
      { scopes: ['everything'] },
      { expiresInDays: 0 },
      { expiresInDays: 3651 },
      { expiresInDays: 1.5 },
      { models: [] },
      { models: [''] },
      { ratePerMinute: 0 },
      { token: 'atr_mine' },
    ]) {
      const { code } = await ann.client.refusal(apiTokensRoutes.createToken, body(wish as never))
      expect(code, JSON.stringify(wish)).toBe('validation_failed')
    }
    expect(await list(ann.client)).toEqual([])
  })

  test('the database has its digest and first twelve characters only, and no log has even those', async () => {
    const { database, ann, guest, lines } = await settled()
    const { token } = await make(ann.client, { name: 'Planted name' })
    await guest.as(token).call(accountsRoutes.me, {})
    await guest.as(token).refusal(accountsRoutes.sessions, {})
    await guest.as(`${token.slice(0, -1)}x`).refusal(accountsRoutes.me, {})
    const rows = await database.tables<ApiTokenTables>().selectFrom('api_tokens').selectAll().execute()
    const dump = rows
      .flatMap((row) => Object.values(row))
      .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)))
    expect(dump).toContain(createHash('sha256').update(token).digest('hex'))
    expect(dump).toContain(token.slice(0, 12))
    expect(dump.join('\n')).not.toContain(token.slice(0, 13))
    expect(dump.join('\n')).not.toContain(token.slice(12))
    expect(dump.join('\n')).not.toContain('Planted')
    expect(lines()).not.toContain(token.slice(4, 12))
    expect(lines()).not.toContain(token.slice(12))
  })

  test('the own routes of an account are shut for tokens, but for the question whose it is', async () => {
    const { ann, guest } = await settled()
    const { token, record } = await make(ann.client, { scopes: [...scopes] })
    const program = guest.as(token)
    expect(await program.call(accountsRoutes.me, {})).toMatchObject({ username: 'ann' })
    for (const refused of [
      program.refusal(accountsRoutes.sessions, {}),
      program.refusal(apiTokensRoutes.tokens, {}),
      program.refusal(apiTokensRoutes.createToken, body({})),
      program.refusal(apiTokensRoutes.revokeToken, { params: { id: record.id } }),
      program.refusal(accountsRoutes.updateMe, { body: {} }),
      program.refusal(accountsRoutes.logout, {}),
    ])
      expect(await refused).toMatchObject({ status: 403, code: 'token_scope' })
  })

  test('what is no token, an unknown and an altered one are all nobody', async () => {
    const { ann, guest } = await settled()
    const { token } = await make(ann.client)
    for (const text of ['atr_', `atr_${'a'.repeat(43)}`, `${token}x`, token.slice(0, -1), `ats_${token.slice(4)}`])
      expect(await guest.as(text).refusal(accountsRoutes.me, {})).toMatchObject({
        status: 401,
        code: 'unauthenticated',
      })
  })

  test('of forty made at the same time in two processes, twenty-five are', async () => {
    const here = await settled()
    const there = await start(here)
    const clients = [here.ann.client, there.guest.as(here.ann.client.token)] as const
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => (clients[i % 2] as Client).answer(apiTokensRoutes.createToken, body({}))),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(25)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(15)
    const all = await list(here.ann.client)
    expect(all).toHaveLength(25)
    expect(await here.ann.client.refusal(apiTokensRoutes.createToken, body({}))).toMatchObject({ code: 'token_limit' })
    // Another account has its own count, and a revoked token makes room.
    await make(here.ben.client)
    await here.ann.client.call(apiTokensRoutes.revokeToken, { params: { id: all[3]?.id ?? '' } })
    await make(here.ann.client, { expiresInDays: 1 })
    expect(await here.ann.client.refusal(apiTokensRoutes.createToken, body({}))).toMatchObject({ code: 'token_limit' })
    // So does one whose time is over.
    clock.advance(day)
    await make(here.ann.client)
  })

  test('its time is over to the millisecond, also when it was just believed', async () => {
    const { ann, guest } = await settled()
    const { token, record } = await make(ann.client, { expiresInDays: 1 })
    clock.advance(day - 1)
    expect(await guest.as(token).call(accountsRoutes.me, {})).toMatchObject({ username: 'ann' })
    clock.advance(1)
    expect(await guest.as(token).refusal(accountsRoutes.me, {})).toMatchObject({ status: 401 })
    expect(await list(ann.client)).toMatchObject([{ id: record.id, revokedAt: null }])
    expect(
      await ann.client.refusal(apiTokensRoutes.updateToken, { params: { id: record.id }, body: {} }),
    ).toMatchObject({
      code: 'token_not_found',
    })
  })

  test('the time of last use is written at most once a minute', async () => {
    const { ann, guest } = await settled()
    const { token } = await make(ann.client)
    const used = async () => (await list(ann.client))[0]?.lastUsedAt
    await guest.as(token).call(accountsRoutes.me, {})
    const first = iso(clock.now())
    await expect.poll(used).toBe(first)
    clock.advance(59_999)
    await guest.as(token).call(accountsRoutes.me, {})
    expect(await used()).toBe(first)
    clock.advance(1)
    await guest.as(token).call(accountsRoutes.me, {})
    await expect.poll(used).toBe(iso(clock.now()))
  })

  test('it can be renamed and limited, at once and in every process', async () => {
    const here = await settled()
    const there = await start(here)
    const { token, record } = await make(here.ann.client)
    const limits = async () => (await there.accounts.apiTokens.authenticate(token))?.token
    expect(await limits()).toEqual({ id: record.id, scopes: ['inference'], models: null, ratePerMinute: 600 })
    const told: string[] = []
    there.accounts.watchSession(record.id, () => told.push('ended'))
    const change = (body: object) =>
      here.ann.client.call(apiTokensRoutes.updateToken, { params: { id: record.id }, body })
    expect(await change({ name: 'Other', ratePerMinute: 5 })).toMatchObject({ name: 'Other', ratePerMinute: 5 })
    await expect.poll(limits).toMatchObject({ ratePerMinute: 5 })
    expect(told).toEqual([])
    expect(await change({ models: ['llama3'], scopes: ['chat:read'] })).toMatchObject({ name: 'Other' })
    await expect.poll(limits).toMatchObject({ models: ['llama3'], scopes: ['chat:read'], ratePerMinute: 5 })
    await expect.poll(() => told).toEqual(['ended'])
    expect(await change({ models: null })).toMatchObject({ models: null, scopes: ['chat:read'] })
    expect(await change({})).toMatchObject({ name: 'Other', models: null })
  })

  test('a revoked token is gone in every process, and so are the streams that hang on it', async () => {
    const here = await settled()
    const there = await start(here)
    const { token, record } = await make(here.ann.client)
    const told: string[] = []
    for (const [name, { accounts }] of Object.entries({ here, there })) {
      expect(await accounts.apiTokens.authenticate(token)).toMatchObject({ sessionId: record.id })
      accounts.watchSession(record.id, () => told.push(name))
    }
    const revoke = { params: { id: record.id } }
    expect(await here.ann.client.call(apiTokensRoutes.revokeToken, revoke)).toEqual({})
    expect(await here.accounts.apiTokens.authenticate(token)).toBeNull()
    // The clock stands still, so what was remembered would still be believed.
    await expect.poll(() => there.accounts.apiTokens.authenticate(token)).toBeNull()
    await expect.poll(() => told.toSorted()).toEqual(['here', 'there'])
    expect(await list(here.ann.client)).toMatchObject([{ id: record.id, revokedAt: iso(clock.now()) }])
    expect(await here.ann.client.refusal(apiTokensRoutes.revokeToken, revoke)).toMatchObject({
      code: 'token_not_found',
    })
  })

  test('it is never believed past its end, however requests and revocations interleave', async () => {
    const { ann, accounts } = await settled()
    for (let round = 0; round < 20; round++) {
      const { token, record } = await make(ann.client)
      const asking = Array.from({ length: 20 }, async (_, i) => {
        await new Promise((resolve) => setTimeout(resolve, i / 2))
        return await accounts.apiTokens.authenticate(token)
      })
      await ann.client.call(apiTokensRoutes.revokeToken, { params: { id: record.id } })
      expect(await accounts.apiTokens.authenticate(token)).toBeNull()
      await Promise.all(asking)
      expect(await accounts.apiTokens.authenticate(token)).toBeNull()
    }
  })

  test('nobody sees or touches the tokens of others, not even an administrator', async () => {
    const { ann, ben } = await settled()
    const { record } = await make(ben.client)
    expect(await list(ann.client)).toEqual([])
    const params = { id: record.id }
    expect(await ann.client.refusal(apiTokensRoutes.revokeToken, { params })).toMatchObject({ code: 'token_not_found' })
    expect(await ann.client.refusal(apiTokensRoutes.updateToken, { params, body: { name: 'Mine' } })).toMatchObject({
      status: 404,
      code: 'token_not_found',
    })
    expect(await list(ben.client)).toEqual([record])
  })

  test('a disabled account’s tokens stop at once, and work again when it comes back', async () => {
    const { ben, guest, accounts } = await settled()
    const { token, record } = await make(ben.client)
    await guest.as(token).call(accountsRoutes.me, {})
    const told: string[] = []
    accounts.watchSession(record.id, () => told.push('ended'))
    await accounts.administration.setStatus(ben.id, 'disabled')
    expect(told).toEqual(['ended'])
    expect(await guest.as(token).refusal(accountsRoutes.me, {})).toMatchObject({
      status: 403,
      code: 'account_disabled',
    })
    await accounts.administration.setStatus(ben.id, 'active')
    expect(await guest.as(token).call(accountsRoutes.me, {})).toMatchObject({ username: 'ben' })
  })

  test('the scope `admin` is for administrators, and a token is never more than its account is now', async () => {
    const { ann, ben, accounts, database } = await settled()
    for (const refused of [
      ben.client.refusal(apiTokensRoutes.createToken, body({ scopes: ['admin'] })),
      ben.client.refusal(apiTokensRoutes.updateToken, {
        params: { id: (await make(ben.client)).record.id },
        body: { scopes: ['admin'] },
      }),
    ])
      expect(await refused).toMatchObject({ status: 403, code: 'forbidden' })
    const { token } = await make(ann.client, { scopes: ['admin', 'user-administration:read'] })
    expect(await accounts.apiTokens.authenticate(token)).toMatchObject({ role: 'admin' })
    await database
      .tables<ApiTokenTables>()
      .updateTable('accounts')
      .set({ role: 'user' })
      .where('id', '=', ann.id)
      .execute()
    // Said by whoever changes the role; and without a word, nobody is believed for longer than some seconds.
    clock.advance(5_000)
    expect(await accounts.apiTokens.authenticate(token)).toMatchObject({ role: 'user' })
  })

  test('with an account go its tokens', async () => {
    const { ben, accounts, database, guest } = await settled()
    const { token } = await make(ben.client)
    await guest.as(token).call(accountsRoutes.me, {})
    const tables = database.tables<ApiTokenTables>()
    await tables.updateTable('accounts').set({ status: 'pending' }).where('id', '=', ben.id).execute()
    await accounts.administration.reject(ben.id)
    expect(await accounts.apiTokens.authenticate(token)).toBeNull()
    expect(await tables.selectFrom('api_tokens').selectAll().execute()).toEqual([])
  })

  test('they are listed page by page, newest first, and ended ones for thirty days', async () => {
    const { ann, guest } = await settled()
    for (const name of ['one', 'two', 'three']) {
      await make(ann.client, { name, expiresInDays: name === 'two' ? 1 : null })
      clock.advance(1000)
    }
    const first = await ann.client.call(apiTokensRoutes.tokens, { query: { limit: 2 } })
    expect(first.items.map(({ name }) => name)).toEqual(['three', 'two'])
    const rest = await ann.client.call(apiTokensRoutes.tokens, { query: { limit: 2, cursor: first.nextCursor ?? '' } })
    expect(rest).toMatchObject({ items: [{ name: 'one' }], nextCursor: null })
    expect(await ann.client.refusal(apiTokensRoutes.tokens, { query: { cursor: 'nonsense' } })).toMatchObject({
      code: 'bad_cursor',
    })
    await ann.client.call(apiTokensRoutes.revokeToken, { params: { id: rest.items[0]?.id ?? '' } })
    // No session lasts so long unused, so Ann signs in again meanwhile.
    clock.advance(29 * day)
    const { token } = signedIn(await guest.call(accountsRoutes.login, { body: { username: 'ann', password } }))
    expect(await list(ann.client.as(token))).toHaveLength(3)
    clock.advance(3 * day)
    expect((await list(ann.client.as(token))).map(({ name }) => name)).toEqual(['three'])
  })
})
