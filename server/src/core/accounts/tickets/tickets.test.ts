import { randomBytes } from 'node:crypto'
import { accountsRoutes } from '@atrium/contract/accounts'
import { apiTokensRoutes } from '@atrium/contract/api-tokens'
import { afterEach, expect, test } from 'vitest'
import { openVault } from '../../../platform/vault/vault.ts'
import { createTestAccounts, testAccountMigrations } from '../../../testing/accounts.ts'
import { testClock } from '../../../testing/clock.ts'
import { onBothDatabases } from '../../../testing/databases.ts'
import { serveAccounts } from '../../../testing/serve-accounts.ts'
import { signedIn } from '../../../testing/sign-in.ts'

const password = 'correct horse battery'
const clock = testClock()
const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

onBothDatabases('tickets', (open) => {
  const settled = async () => {
    const database = await open(testAccountMigrations)
    const vault = await openVault({ database, instanceKey: randomBytes(32), clock })
    const accounts = createTestAccounts({ database, vault, clock })
    // A process of its own over the same database.
    const other = createTestAccounts({ database, vault, clock })
    const served = await serveAccounts(accounts, { clock })
    stops.push(async () => {
      await served.stop()
      other.close()
    })
    const ann = await accounts.createAccount({ username: 'ann', password })
    const { token } = signedIn(await served.guest.call(accountsRoutes.login, { body: { username: 'ann', password } }))
    const client = served.guest.as(token)
    const ticket = async () =>
      (await client.call(accountsRoutes.websocketTicket, { body: { audience: 'events' } })).ticket
    return { accounts, other, database, client, guest: served.guest, ann, ticket }
  }

  test('a ticket stands for its session once, in any process, and is kept only as a digest', async () => {
    const { accounts, other, client, ann, ticket, database } = await settled()
    const response = await client.answer(accountsRoutes.websocketTicket, { body: { audience: 'events' } })
    expect(response.headers.get('cache-control')).toBe('no-store')
    const given = (await response.json()) as { ticket: string; expiresAt: string }
    expect(given.ticket).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(given.expiresAt).toBe(new Date(clock.now() + 30_000).toISOString())
    const [row] = await database
      .tables<Record<string, Record<string, unknown>>>()
      .selectFrom('socket_tickets')
      .selectAll()
      .execute()
    expect(JSON.stringify(row)).not.toContain(given.ticket)

    const admitted = await other.redeemTicket(given.ticket, 'events')
    expect(admitted?.issuedAt).toBe(clock.now())
    expect(admitted?.caller).toMatchObject({ accountId: ann.id, role: 'user', token: null })
    expect(await admitted?.stands()).toBe(true)
    expect(await other.redeemTicket(given.ticket, 'events')).toBeNull()
    expect(await accounts.redeemTicket(given.ticket, 'events')).toBeNull()

    const raced = await ticket()
    const racers = await Promise.all(
      Array.from({ length: 200 }, (_, i) => (i % 2 ? accounts : other).redeemTicket(raced, 'events')),
    )
    expect(racers.filter(Boolean)).toHaveLength(1)
  })

  test('a ticket is for one audience and half a minute, and a wrong try burns it', async () => {
    const { accounts, ticket, client } = await settled()
    const misused = await ticket()
    expect(await accounts.redeemTicket(misused, 'work-terminal')).toBeNull()
    expect(await accounts.redeemTicket(misused, 'events')).toBeNull()
    const late = await ticket()
    clock.advance(30_000)
    expect(await accounts.redeemTicket(late, 'events')).toBeNull()
    for (const text of [
      '',
      'x',
      'a'.repeat(43),
      'a'.repeat(100_000),
      'a.b.c',
      `${'e'.repeat(36)}.eyJ9.${'s'.repeat(43)}`,
    ])
      expect(await accounts.redeemTicket(text, 'events')).toBeNull()
    const unknown = client.refusal(accountsRoutes.websocketTicket, { body: { audience: 'everything' as never } })
    expect(await unknown).toMatchObject({ status: 400 })
  })

  test('a ticket of a session that ended, or of an account that may not come in, opens nothing', async () => {
    const { accounts, ann, ticket, client, guest } = await settled()
    const one = await ticket()
    const waiting = await accounts.redeemTicket(await ticket(), 'events')
    await client.call(accountsRoutes.logout, {})
    expect(await waiting?.stands()).toBe(false)
    expect(await accounts.redeemTicket(one, 'events')).toBeNull()
    const { token } = signedIn(await guest.call(accountsRoutes.login, { body: { username: 'ann', password } }))
    const two = await guest.as(token).call(accountsRoutes.websocketTicket, { body: { audience: 'events' } })
    await accounts.administration.setStatus(ann.id, 'disabled')
    expect(await accounts.redeemTicket(two.ticket, 'events')).toBeNull()
  })

  test('a hundred tickets may wait, and programs get none', async () => {
    const { ticket, client, accounts } = await settled()
    const first = await ticket()
    for (let i = 0; i < 9; i++) await Promise.all(Array.from({ length: 11 }, ticket))
    const refused = () => client.refusal(accountsRoutes.websocketTicket, { body: { audience: 'events' } })
    expect(await refused()).toMatchObject({ status: 429, code: 'rate_limited' })
    await accounts.redeemTicket(first, 'events')
    await ticket()
    expect(await refused()).toMatchObject({ status: 429 })
    clock.advance(30_000)
    await ticket()
    const { token } = await client.call(apiTokensRoutes.createToken, {
      body: { name: 'Program', scopes: ['chat:read'] },
    })
    expect(
      await client.as(token).refusal(accountsRoutes.websocketTicket, { body: { audience: 'events' } }),
    ).toMatchObject({
      status: 403,
      code: 'token_scope',
    })
  })
})
