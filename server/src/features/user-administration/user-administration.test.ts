import { accountsRoutes } from '@atrium/contract/accounts'
import { userAdministrationRoutes } from '@atrium/contract/user-administration'
import { afterEach, expect, test } from 'vitest'
import { withDatabase } from '../../testing/databases.ts'
import { openPeople, peoplePassword as password } from '../../testing/people.ts'

const stops: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

withDatabase('user administration', (open) => {
  const settled = async () => {
    const harness = await openPeople(open)
    stops.push(harness.stop)
    return harness
  }

  test('all accounts are listed page by page, from either end', async () => {
    const { admin, signUp } = await settled()
    for (let i = 0; i < 5; i++) await signUp(`user${i}`)
    const all = async (sort: 'newest' | 'oldest') => {
      const names: string[] = []
      let cursor: string | undefined
      do {
        const page = await admin.call(userAdministrationRoutes.list, {
          query: { sort, limit: 2, ...(cursor ? { cursor } : {}) },
        })
        expect(page.items.length).toBeLessThanOrEqual(2)
        names.push(...page.items.map(({ username }) => username))
        cursor = page.nextCursor ?? undefined
      } while (cursor)
      return names
    }
    const names = ['ann', 'user0', 'user1', 'user2', 'user3', 'user4']
    expect(await all('oldest')).toEqual(names)
    expect(await all('newest')).toEqual(names.reverse())
    expect(await admin.refusal(userAdministrationRoutes.list, { query: { cursor: 'nonsense' } })).toMatchObject({
      status: 400,
      code: 'bad_cursor',
    })
  })

  test('guests and users are kept out', async () => {
    const { guest, accounts, signIn, ann } = await settled()
    const ben = await accounts.createAccount({ username: 'ben', password })
    const client = await signIn('ben')
    expect(await guest.refusal(userAdministrationRoutes.list, {})).toMatchObject({ status: 401 })
    expect(await client.refusal(userAdministrationRoutes.list, {})).toMatchObject({ status: 403, code: 'forbidden' })
    expect(
      await client.refusal(userAdministrationRoutes.setStatus, { params: { id: ben.id }, body: { status: 'active' } }),
    ).toMatchObject({ code: 'forbidden' })
    expect(await client.refusal(userAdministrationRoutes.reject, { params: { id: ann.id } })).toMatchObject({
      code: 'forbidden',
    })
  })

  test('an account that waits is approved and can sign in', async () => {
    const { admin, signUp, signIn, guest } = await settled()
    const { user } = await signUp('ben')
    expect(await guest.refusal(accountsRoutes.login, { body: { username: 'ben', password } })).toMatchObject({
      code: 'account_pending',
    })
    expect(
      await admin.call(userAdministrationRoutes.setStatus, { params: { id: user.id }, body: { status: 'active' } }),
    ).toMatchObject({
      id: user.id,
      username: 'ben',
      status: 'active',
    })
    await signIn('ben')
  })

  test('an account that waits is turned down, and nothing of it stays', async () => {
    const { admin, signUp, accounts, database, guest } = await settled()
    const { user } = await signUp('ben')
    const removed: string[] = []
    const unhook = accounts.onAccountRemoved(async (accountId) => void removed.push(accountId))
    expect(await admin.call(userAdministrationRoutes.reject, { params: { id: user.id } })).toEqual({})
    expect(removed).toEqual([user.id])
    unhook()
    expect(await guest.refusal(accountsRoutes.login, { body: { username: 'ben', password } })).toMatchObject({
      code: 'wrong_credentials',
    })
    expect(await admin.refusal(userAdministrationRoutes.reject, { params: { id: user.id } })).toMatchObject({
      status: 404,
      code: 'user_not_found',
    })
    const keys = await database
      .tables<{ vault_keys: { owner: string } }>()
      .selectFrom('vault_keys')
      .select('owner')
      .where('owner', '=', user.id)
      .execute()
    expect(keys).toEqual([])
    await signUp('ben')
  })

  test('only those who wait can be turned down', async () => {
    const { admin, accounts, ann } = await settled()
    const ben = await accounts.createAccount({ username: 'ben', password })
    const cid = await accounts.createAccount({ username: 'cid', password, status: 'disabled' })
    for (const id of [ann.id, ben.id, cid.id, 'nobody']) {
      expect(await admin.refusal(userAdministrationRoutes.reject, { params: { id } })).toMatchObject({
        code: 'user_not_found',
      })
    }
  })

  test('disabling ends every session at once; enabling brings none of them back', async () => {
    const { admin, accounts, signIn } = await settled()
    const ben = await accounts.createAccount({ username: 'ben', password })
    const clients = [await signIn('ben'), await signIn('ben')]
    for (const client of clients) await client.call(accountsRoutes.me, {})
    const set = (status: 'active' | 'disabled') =>
      admin.call(userAdministrationRoutes.setStatus, { params: { id: ben.id }, body: { status } })
    expect(await set('disabled')).toMatchObject({ status: 'disabled' })
    for (const client of clients)
      expect(await client.refusal(accountsRoutes.me, {})).toMatchObject({ code: 'account_disabled' })
    expect(await set('disabled')).toMatchObject({ status: 'disabled' })
    expect(await set('active')).toMatchObject({ status: 'active' })
    for (const client of clients)
      expect(await client.refusal(accountsRoutes.me, {})).toMatchObject({ code: 'unauthenticated' })
    await (await signIn('ben')).call(accountsRoutes.me, {})
  })

  test('the last active administrator stays, also when two disable each other at the same time', async () => {
    const { admin, accounts, ann } = await settled()
    const disable = (id: string) =>
      admin.answer(userAdministrationRoutes.setStatus, { params: { id }, body: { status: 'disabled' } })
    await accounts.createAccount({ username: 'old', password, role: 'admin', status: 'disabled' })
    expect(
      await admin.refusal(userAdministrationRoutes.setStatus, { params: { id: ann.id }, body: { status: 'disabled' } }),
    ).toMatchObject({ status: 409, code: 'last_administrator' })
    for (let round = 0; round < 5; round++) {
      const { id } = await accounts.createAccount({ username: `second${round}`, password, role: 'admin' })
      await Promise.allSettled([
        accounts.administration.setStatus(ann.id, 'disabled'),
        accounts.administration.setStatus(id, 'disabled'),
      ])
      const { items } = await accounts.administration.list(50, undefined)
      expect(items.filter(({ role, status }) => role === 'admin' && status === 'active')).toHaveLength(1)
      await accounts.administration.setStatus(ann.id, 'active')
      await accounts.administration.setStatus(id, 'disabled').catch(() => undefined)
    }
    // The session has ended where this administrator lost a round.
    expect([401, 404]).toContain((await disable('nobody')).status)
  })

  test('an unknown account and an unknown status are refused', async () => {
    const { admin, ann } = await settled()
    expect(
      await admin.refusal(userAdministrationRoutes.setStatus, { params: { id: 'nobody' }, body: { status: 'active' } }),
    ).toMatchObject({ status: 404, code: 'user_not_found' })
    expect(
      await admin.refusal(userAdministrationRoutes.setStatus, {
        params: { id: ann.id },
        body: { status: 'pending' as never },
      }),
    ).toMatchObject({ status: 400, code: 'validation_failed' })
  })
})
