import { accountsRoutes } from '@atrium/contract/accounts'
import { expect, test } from 'vitest'
import { onBothDatabases } from '../../../testing/databases.ts'
import {
  challenged,
  clock,
  enter,
  nextCode,
  openSecondFactorHarness,
  password,
  tenWrongThenOver,
  tryTooOften,
  turnOn,
} from '../../../testing/second-factor.ts'
import { createLockout } from '../lockout/lockout.ts'
import { createPasswordHasher } from '../password/hashing.ts'
import { createSecondFactorStore } from './store.ts'
import type { SecondFactorTables } from './tables.ts'

const minute = 60_000
const over = { status: 401, code: 'challenge_over' }

onBothDatabases('sign-ins that wait for their second step', (open) => {
  test('a challenge works once, for its own purpose, and not for a session', async () => {
    const { guest } = await openSecondFactorHarness(open)
    const { secret } = await turnOn(await enter(guest))
    const { challengeToken } = await challenged(guest)
    expect(await guest.refusal(accountsRoutes.enrollByChallenge, { body: { challengeToken } })).toMatchObject(over)
    expect(
      await guest.refusal(accountsRoutes.activateByChallenge, { body: { challengeToken, code: nextCode(secret) } }),
    ).toMatchObject(over)
    await guest.call(accountsRoutes.verifyMfa, { body: { challengeToken, code: nextCode(secret) } })
    expect(
      await guest.refusal(accountsRoutes.verifyMfa, { body: { challengeToken, code: nextCode(secret) } }),
    ).toMatchObject(over)
  })

  test('of many right codes in a race for one challenge, one begins a session', async () => {
    const { guest, another } = await openSecondFactorHarness(open)
    const { recoveryCodes } = await turnOn(await enter(guest))
    const other = await another()
    const { challengeToken } = await challenged(guest)
    const answers = await Promise.all(
      recoveryCodes.map((code, i) =>
        (i % 2 ? other.guest : guest).answer(accountsRoutes.verifyMfa, { body: { challengeToken, code } }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    // The codes of those who came too late are not lost.
    const again = await challenged(guest)
    const outcomes: number[] = []
    for (const code of recoveryCodes.slice(0, 2)) {
      const body = { challengeToken: again.challengeToken, code }
      outcomes.push((await guest.answer(accountsRoutes.verifyMfa, { body })).status)
    }
    expect(outcomes).toContain(200)
  })

  test('it ends after five minutes', async () => {
    const { guest, database } = await openSecondFactorHarness(open)
    const { secret } = await turnOn(await enter(guest))
    const { challengeToken } = await challenged(guest)
    clock.advance(5 * minute)
    expect(
      await guest.refusal(accountsRoutes.verifyMfa, { body: { challengeToken, code: nextCode(secret) } }),
    ).toMatchObject(over)
    await challenged(guest)
    const rows = await database.tables<SecondFactorTables>().selectFrom('sign_in_challenges').selectAll().execute()
    expect(rows).toHaveLength(1)
  })

  test('it is burned by ten wrong codes', async () => {
    const { guest } = await openSecondFactorHarness(open)
    const { secret } = await turnOn(await enter(guest))
    const { challengeToken } = await challenged(guest)
    const verify = (code: string) => guest.refusal(accountsRoutes.verifyMfa, { body: { challengeToken, code } })
    expect(await tryTooOften(verify, secret)).toEqual(tenWrongThenOver)
    const next = await challenged(guest)
    await guest.call(accountsRoutes.verifyMfa, {
      body: { challengeToken: next.challengeToken, code: nextCode(secret) },
    })
  })

  test('it ends with another password, and with the account', async () => {
    const { guest, accounts } = await openSecondFactorHarness(open)
    const ben = await accounts.createAccount({ username: 'ben', password })
    const client = await enter(guest, 'ben')
    const { secret } = await turnOn(client)
    const before = await challenged(guest, 'ben')
    const body = { currentPassword: password, newPassword: 'another good password' }
    await client.call(accountsRoutes.changePassword, { body })
    expect(
      await guest.refusal(accountsRoutes.verifyMfa, {
        body: { challengeToken: before.challengeToken, code: nextCode(secret) },
      }),
    ).toMatchObject(over)
    const answer = await guest.call(accountsRoutes.login, { body: { username: 'ben', password: body.newPassword } })
    const challengeToken = 'challengeToken' in answer ? answer.challengeToken : ''
    clock.advance(1)
    await accounts.administration.setStatus(ben.id, 'disabled')
    await accounts.administration.setStatus(ben.id, 'active')
    expect(
      await guest.refusal(accountsRoutes.verifyMfa, { body: { challengeToken, code: nextCode(secret) } }),
    ).toMatchObject(over)
  })

  test('another road keeps its name through the second step', async () => {
    const { guest, accounts, database, vault } = await openSecondFactorHarness(open)
    const ben = await accounts.createAccount({ username: 'ben', password })
    const { secret } = await turnOn(await enter(guest, 'ben'))
    const store = createSecondFactorStore({
      database,
      vault,
      lockout: createLockout({ database, vault, clock, passwords: createPasswordHasher() }),
    })
    const waiting = { purpose: 'verify', kind: 'oidc', credential: null, upstream_index: null } as const
    const challengeToken = (await store.challenge(ben.id, waiting, clock.now())) ?? ''
    const done = await guest.call(accountsRoutes.verifyMfa, { body: { challengeToken, code: nextCode(secret) } })
    const { items } = await guest.as(done.token).call(accountsRoutes.sessions, {})
    expect(items.find(({ current }) => current)?.kind).toBe('oidc')
  })

  test('what happens is in the audit, without codes', async () => {
    const { guest, database } = await openSecondFactorHarness(open)
    const ann = await enter(guest)
    const { secret } = await turnOn(ann)
    const { challengeToken } = await challenged(guest)
    await guest.refusal(accountsRoutes.verifyMfa, { body: { challengeToken, code: '000000' } })
    await guest.call(accountsRoutes.verifyMfa, { body: { challengeToken, code: nextCode(secret) } })
    await ann.call(accountsRoutes.renewRecoveryCodes, { body: { code: nextCode(secret) } })
    await ann.call(accountsRoutes.disableMfa, { body: { code: nextCode(secret) } })
    const rows = await database
      .tables<{ audit_events: { seq: number; action: string; result: string } }>()
      .selectFrom('audit_events')
      .select(['action', 'result'])
      .orderBy('seq')
      .execute()
    expect(rows.map(({ action, result }) => `${action} ${result}`)).toEqual([
      'auth.login success',
      'auth.mfa.enroll success',
      'auth.mfa.activate success',
      'auth.mfa.verify failure',
      'auth.mfa.verify success',
      'auth.login success',
      'auth.mfa.recovery-codes success',
      'auth.mfa.disable success',
    ])
  })
})
