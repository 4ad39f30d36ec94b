/** Passwords guessed from many addresses, at accounts and at names that nobody has. */
import { accountsRoutes } from '@atrium/contract/accounts'
import { auditRoutes } from '@atrium/contract/audit'
import { expect, test } from 'vitest'
import { onBothDatabases } from '../../../testing/databases.ts'
import { openMailHouse } from '../../../testing/mail-house.ts'
import { clock, openSecondFactorHouse, password } from '../../../testing/second-factor.ts'
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
    const house = await openSecondFactorHouse(open)
    const other = await house.another()
    const cookieOf = (answer: Response) =>
      answer.headers
        .getSetCookie()
        .map((each) => each.split(';')[0])
        .find((each) => each?.includes('atrium_device='))
    const first = await house.guest.answer(accountsRoutes.login, login('ann', password))
    const device = cookieOf(first) ?? ''
    expect(first.headers.getSetCookie().join()).toMatch(
      /atrium_device=[\w-]{16}\.[\da-f]{64}; Path=\/; HttpOnly; SameSite=Strict/,
    )
    // What a device knows of one account opens nothing of another.
    await house.accounts.createAccount({ username: 'ben', password })
    const bens = cookieOf(await house.guest.answer(accountsRoutes.login, login('ben', password))) ?? ''

    const from = { headers: { cookie: device } }
    const told = []
    for (let i = 0; i < 21; i++) {
      const { guest } = i % 2 ? other : house
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
    expect((await house.guest.answer(accountsRoutes.login, login('ben', password))).status).toBe(200)
    expect((await other.guest.answer(accountsRoutes.login, login('ann', password), from)).status).toBe(200)
    for (let i = 0; i < 20; i++) await house.guest.answer(accountsRoutes.login, login('ann'), from)
    expect((await other.guest.answer(accountsRoutes.login, login('ann', password), from)).status).toBe(429)
    clock.advance(15 * 60_000)
    expect((await house.guest.answer(accountsRoutes.login, login('ann', password))).status).toBe(200)
  })

  test('of many at the same moment no more are looked at than of as many in a row', async () => {
    const house = await openSecondFactorHouse(open)
    const other = await house.another()
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => (i % 2 ? other : house).guest.answer(accountsRoutes.login, login('ann'))),
    )
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(20)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20)
    const rows = await house.database.tables<LockoutTables>().selectFrom('wrong_guesses').selectAll().execute()
    expect(rows).toMatchObject([{ wrong_count: 20 }])
  })

  test('the owner gets one letter, and all of it is in the audit', async () => {
    const house = await openMailHouse(open)
    try {
      await house.switchMailOn()
      await house.account('ben', { email: 'ben@example.org' })
      for (const username of ['ben', 'nobody'])
        for (let i = 0; i < 22; i++) await house.guest.answer(accountsRoutes.login, login(username))
      const [letter] = await house.smtp.waitFor('ben@example.org', 1)
      expect(letter?.mail.subject).toBe('Somebody tries passwords for your account')
      const { items } = await house.ann.call(auditRoutes.list, { query: { action: 'auth.login', limit: 60 } })
      const reasons = items.flatMap(({ details, targetName }) =>
        details?.reason && targetName === 'ben' ? [details.reason] : [],
      )
      expect(reasons.map(String).toSorted((a, b) => a.localeCompare(b))).toEqual([
        ...['rate_limited', 'rate_limited', 'too_many_wrong'],
        ...Array.from({ length: 20 }, () => 'wrong_credentials'),
      ])
      expect(house.smtp.mails).toHaveLength(1)
    } finally {
      await house.close()
    }
  })

  test('an open session guesses at its password twenty times, and shuts nobody else out', async () => {
    const house = await openSecondFactorHouse(open)
    const thief = house.guest.as((await signIn(house.guest)).token)
    const owner = house.guest.as((await signIn(house.guest)).token)
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
