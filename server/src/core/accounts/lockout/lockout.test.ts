/** Passwords guessed from many addresses, at accounts and at names that nobody has. */
import { accountsRoutes } from '@atrium/contract/accounts'
import { auditRoutes } from '@atrium/contract/audit'
import { expect, test } from 'vitest'
import { onBothDatabases } from '../../../testing/databases.ts'
import { openMailHarness } from '../../../testing/mail-harness.ts'
import { clock, openSecondFactorHarness, password } from '../../../testing/second-factor.ts'
import type { Client } from '../../../testing/client.ts'
import type { LockoutTables } from './tables.ts'

const login = (username: string, typed = 'wrong horse battery') => ({ body: { username, password: typed } })
/** Everything that a stranger sees, without what is different each time. */
const seen = async (guest: Client, username: string) => {
  const answer = await guest.answer(accountsRoutes.login, login(username))
  const { requestId: _, ...problem } = (await answer.json()) as { requestId: string }
  const headers = [...answer.headers].filter(
    ([name]) => !['x-request-id', 'date', 'ratelimit-remaining'].includes(name),
  )
  return { status: answer.status, problem, headers }
}

onBothDatabases('guessing passwords', (open) => {
  test('twenty wrong ones shut an account for devices that never signed in to it, in all processes, and time opens it', async () => {
    const harness = await openSecondFactorHarness(open)
    const other = await harness.another()
    const cookieOf = (answer: Response) =>
      answer.headers
        .getSetCookie()
        .map((each) => each.split(';')[0])
        .find((each) => each?.includes('atrium_device='))
    const first = await harness.guest.answer(accountsRoutes.login, login('ann', password))
    const device = cookieOf(first) ?? ''
    expect(first.headers.getSetCookie().join()).toMatch(
      /atrium_device=[\w-]{16}\.[\da-f]{64}; Path=\/; HttpOnly; SameSite=Strict/,
    )
    // What a device knows of one account opens nothing of another.
    await harness.accounts.createAccount({ username: 'ben', password })
    const bens = cookieOf(await harness.guest.answer(accountsRoutes.login, login('ben', password))) ?? ''

    const from = { headers: { cookie: device } }
    const told = []
    for (let i = 0; i < 21; i++) {
      const { guest } = i % 2 ? other : harness
      const [known, unknown] = [await seen(guest, i % 3 ? 'ann' : 'ANN'), await seen(guest, 'nobody')]
      expect(known).toEqual(unknown)
      told.push(known.problem)
    }
    expect(told[19]).toMatchObject({ status: 401, code: 'wrong_credentials' })
    expect(told[20]).toMatchObject({ status: 429, code: 'rate_limited' })
    for (const cookie of ['', bens, `${bens}~${device.split('=')[1]?.replace(/.$/, '')}`]) {
      const answer = await other.guest.answer(accountsRoutes.login, login('ann', password), { headers: { cookie } })
      expect(answer.status).toBe(429)
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(60)
    }
    // Others come in, and so does the device that did before; its own guesses are counted as well.
    expect((await harness.guest.answer(accountsRoutes.login, login('ben', password))).status).toBe(200)
    expect((await other.guest.answer(accountsRoutes.login, login('ann', password), from)).status).toBe(200)
    for (let i = 0; i < 20; i++) await harness.guest.answer(accountsRoutes.login, login('ann'), from)
    expect((await other.guest.answer(accountsRoutes.login, login('ann', password), from)).status).toBe(429)
    clock.advance(15 * 60_000)
    expect((await harness.guest.answer(accountsRoutes.login, login('ann', password))).status).toBe(200)
  })

  test('of many at the same moment no more are looked at than of as many in a row', async () => {
    const harness = await openSecondFactorHarness(open)
    const other = await harness.another()
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => (i % 2 ? other : harness).guest.answer(accountsRoutes.login, login('ann'))),
    )
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(20)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20)
    const rows = await harness.database.tables<LockoutTables>().selectFrom('wrong_guesses').selectAll().execute()
    expect(rows).toMatchObject([{ wrong_count: 20 }])
  })

  test('the owner gets one letter, and all of it is in the audit', async () => {
    const harness = await openMailHarness(open)
    try {
      await harness.switchMailOn()
      await harness.account('ben', { email: 'ben@example.org' })
      for (const username of ['ben', 'nobody'])
        for (let i = 0; i < 22; i++) await harness.guest.answer(accountsRoutes.login, login(username))
      const [letter] = await harness.smtp.waitFor('ben@example.org', 1)
      expect(letter?.mail.subject).toBe('Someone is trying passwords for your account')
      const { items } = await harness.ann.call(auditRoutes.list, { query: { action: 'auth.login', limit: 60 } })
      const reasons = items.flatMap(({ details, targetName }) =>
        details?.reason && targetName === 'ben' ? [details.reason] : [],
      )
      expect(reasons.map(String).toSorted((a, b) => a.localeCompare(b))).toEqual([
        ...['rate_limited', 'rate_limited', 'too_many_wrong'],
        ...Array.from({ length: 20 }, () => 'wrong_credentials'),
      ])
      expect(harness.smtp.mails).toHaveLength(1)
    } finally {
      await harness.close()
    }
  })

  test('an open session guesses at its password twenty times, and shuts nobody else out', async () => {
    const harness = await openSecondFactorHarness(open)
    const thief = harness.guest.as((await signIn(harness.guest)).token)
    const owner = harness.guest.as((await signIn(harness.guest)).token)
    const change = (currentPassword: string) => ({ body: { currentPassword, newPassword: 'another good password' } })
    for (let i = 0; i < 20; i++)
      expect((await thief.refusal(accountsRoutes.changePassword, change('wrong horse battery'))).code).toBe(
        'wrong_password',
      )
    expect((await thief.refusal(accountsRoutes.changePassword, change(password))).code).toBe('rate_limited')
    expect(await owner.call(accountsRoutes.changePassword, change(password))).toEqual({})
  })
})

const signIn = async (guest: Client) =>
  (await guest.call(accountsRoutes.login, login('ann', password))) as { token: string }
