import { accountsRoutes } from '@atrium/contract/accounts'
import { expect, test } from 'vitest'
import { withDatabase } from '../../../testing/databases.ts'
import { oneTimeCode } from '../../../testing/one-time-code.ts'
import {
  challenged,
  clock,
  enter,
  nextCode,
  openSecondFactorHarness,
  password,
  stepMs,
  turnOn,
} from '../../../testing/second-factor.ts'
import type { SecondFactorTables } from './tables.ts'

const minute = 60_000

withDatabase('second factor', (open) => {
  test('is off at first, waits for its first code, and is on after it with ten recovery codes', async () => {
    const { guest } = await openSecondFactorHarness(open)
    const ann = await enter(guest)
    const off = { totpEnabled: false, totpPending: false, recoveryCodesRemaining: 0 }
    expect(await ann.call(accountsRoutes.mfa, {})).toEqual({
      ...off,
      required: false,
      requiredModeLocked: false,
      passkeys: [],
    })
    expect(await ann.refusal(accountsRoutes.activateMfa, { body: { code: '123456' } })).toMatchObject({
      status: 409,
      code: 'mfa_not_pending',
    })
    const response = await ann.answer(accountsRoutes.enrollMfa, {})
    expect(response.headers.get('cache-control')).toContain('no-store')
    const { secret, otpauthUrl } = (await response.json()) as { secret: string; otpauthUrl: string }
    expect(otpauthUrl).toContain(secret)
    expect(await ann.call(accountsRoutes.mfa, {})).toMatchObject({ totpEnabled: false, totpPending: true })
    // Nothing is asked for until a code has confirmed it.
    await enter(guest)
    expect(await ann.refusal(accountsRoutes.activateMfa, { body: { code: '000000' } })).toMatchObject({
      status: 401,
      code: 'wrong_code',
    })
    const { recoveryCodes } = await ann.call(accountsRoutes.activateMfa, { body: { code: nextCode(secret) } })
    expect(recoveryCodes).toHaveLength(10)
    expect(await ann.call(accountsRoutes.mfa, {})).toMatchObject({ totpEnabled: true, recoveryCodesRemaining: 10 })
    for (const refused of [
      await ann.refusal(accountsRoutes.enrollMfa, {}),
      await ann.refusal(accountsRoutes.activateMfa, { body: { code: nextCode(secret) } }),
    ])
      expect(refused).toMatchObject({ status: 409, code: 'mfa_active' })
  })

  test('setting up again replaces the secret that waits', async () => {
    const { guest } = await openSecondFactorHarness(open)
    const ann = await enter(guest)
    const { secret: first } = await ann.call(accountsRoutes.enrollMfa, {})
    const { secret } = await ann.call(accountsRoutes.enrollMfa, {})
    expect(secret).not.toBe(first)
    expect(await ann.refusal(accountsRoutes.activateMfa, { body: { code: nextCode(first) } })).toMatchObject({
      code: 'wrong_code',
    })
    await ann.call(accountsRoutes.activateMfa, { body: { code: nextCode(secret) } })
  })

  test('a sign-in with it takes two steps, and tells nothing of the account in between', async () => {
    const { guest } = await openSecondFactorHarness(open)
    const { secret } = await turnOn(await enter(guest))
    const response = await guest.answer(accountsRoutes.login, { body: { username: 'ann', password } })
    expect(response.headers.get('set-cookie')).toBeNull()
    const answer = (await response.json()) as { challengeToken: string }
    expect(answer).toEqual({ mfaRequired: true, requirement: 'verify', challengeToken: expect.any(String) })
    expect((await guest.as(answer.challengeToken).refusal(accountsRoutes.me, {})).code).toBe('unauthenticated')
    const done = await guest.call(accountsRoutes.verifyMfa, {
      body: { challengeToken: answer.challengeToken, code: nextCode(secret) },
    })
    expect(done.user.username).toBe('ann')
    const { items } = await guest.as(done.token).call(accountsRoutes.sessions, {})
    expect(items.find(({ current }) => current)?.kind).toBe('password+totp')
  })

  test('a wrong password is refused the same way whether or not there is a second factor', async () => {
    const { guest, accounts } = await openSecondFactorHarness(open)
    await accounts.createAccount({ username: 'ben', password })
    await turnOn(await enter(guest))
    const answers = await Promise.all(
      ['ann', 'ben', 'nobody'].map((username) =>
        guest.refusal(accountsRoutes.login, { body: { username, password: 'wrong horse battery' } }),
      ),
    )
    const bare = answers.map(({ problem: { requestId: _, ...rest } }) => rest)
    expect(bare[0]).toMatchObject({ status: 401, code: 'wrong_credentials' })
    expect(bare[1]).toEqual(bare[0])
    expect(bare[2]).toEqual(bare[0])
  })

  test('a code works once, also when two processes are shown it at the same moment', async () => {
    const { guest, another } = await openSecondFactorHarness(open)
    const { secret } = await turnOn(await enter(guest))
    const other = await another()
    for (let round = 0; round < 3; round++) {
      const challenges = await Promise.all(Array.from({ length: 6 }, () => challenged(guest)))
      const code = nextCode(secret)
      const answers = await Promise.all(
        challenges.map(({ challengeToken }, i) =>
          (i % 2 ? other.guest : guest).answer(accountsRoutes.verifyMfa, { body: { challengeToken, code } }),
        ),
      )
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401, 401, 401])
    }
  })

  test('a code that was taken is not taken again for anything, nor is an older one', async () => {
    const { guest } = await openSecondFactorHarness(open)
    const ann = await enter(guest)
    const { secret } = await ann.call(accountsRoutes.enrollMfa, {})
    const early = oneTimeCode(secret, clock.now())
    clock.advance(stepMs)
    const code = oneTimeCode(secret, clock.now())
    await ann.call(accountsRoutes.activateMfa, { body: { code } })
    for (const used of [code, early]) {
      expect((await ann.refusal(accountsRoutes.renewRecoveryCodes, { body: { code: used } })).code).toBe('wrong_code')
      expect((await ann.refusal(accountsRoutes.disableMfa, { body: { code: used } })).code).toBe('wrong_code')
    }
    const { challengeToken } = await challenged(guest)
    expect((await guest.refusal(accountsRoutes.verifyMfa, { body: { challengeToken, code } })).code).toBe('wrong_code')
    await guest.call(accountsRoutes.verifyMfa, { body: { challengeToken, code: nextCode(secret) } })
  })

  test('each recovery code lets in once, however it is typed, and of a race over one only one gets in', async () => {
    const { guest, another } = await openSecondFactorHarness(open)
    const { recoveryCodes } = await turnOn(await enter(guest))
    const [first = '', second = ''] = recoveryCodes
    const typed = ` ${first.toLowerCase().replace('-', ' ')} `
    const { challengeToken } = await challenged(guest)
    const done = await guest.call(accountsRoutes.verifyMfa, { body: { challengeToken, code: typed } })
    const ann = guest.as(done.token)
    const { items } = await ann.call(accountsRoutes.sessions, {})
    expect(items.find(({ current }) => current)?.kind).toBe('password+recovery')
    expect(await ann.call(accountsRoutes.mfa, {})).toMatchObject({ recoveryCodesRemaining: 9 })
    const again = await challenged(guest)
    expect(
      (await guest.refusal(accountsRoutes.verifyMfa, { body: { challengeToken: again.challengeToken, code: first } }))
        .code,
    ).toBe('wrong_code')

    const other = await another()
    const challenges = await Promise.all(Array.from({ length: 8 }, () => challenged(guest)))
    const answers = await Promise.all(
      challenges.map((challenge, i) =>
        (i % 2 ? other.guest : guest).answer(accountsRoutes.verifyMfa, {
          body: { challengeToken: challenge.challengeToken, code: second },
        }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await ann.call(accountsRoutes.mfa, {})).toMatchObject({ recoveryCodesRemaining: 8 })
  })

  test('new recovery codes take the place of all old ones, and cost a code', async () => {
    const { guest } = await openSecondFactorHarness(open)
    const ann = await enter(guest)
    expect(await ann.refusal(accountsRoutes.renewRecoveryCodes, { body: { code: '123456' } })).toMatchObject({
      status: 409,
      code: 'mfa_not_active',
    })
    const { secret, recoveryCodes } = await turnOn(ann)
    const renewed = await ann.call(accountsRoutes.renewRecoveryCodes, { body: { code: nextCode(secret) } })
    expect(new Set([...recoveryCodes, ...renewed.recoveryCodes]).size).toBe(20)
    const old = { body: { code: recoveryCodes[0] ?? '' } }
    expect((await ann.refusal(accountsRoutes.renewRecoveryCodes, old)).code).toBe('wrong_code')
    const third = await ann.call(accountsRoutes.renewRecoveryCodes, { body: { code: renewed.recoveryCodes[0] ?? '' } })
    expect(third.recoveryCodes).toHaveLength(10)
    expect(await ann.call(accountsRoutes.mfa, {})).toMatchObject({ recoveryCodesRemaining: 10 })
  })

  test('is turned off by a code, and a set-up that was not finished without one', async () => {
    const { guest } = await openSecondFactorHarness(open)
    const ann = await enter(guest)
    expect(await ann.refusal(accountsRoutes.disableMfa, {})).toMatchObject({ status: 409, code: 'mfa_not_active' })
    await ann.call(accountsRoutes.enrollMfa, {})
    await ann.call(accountsRoutes.disableMfa, {})
    const { secret } = await turnOn(ann)
    expect(await ann.refusal(accountsRoutes.disableMfa, {})).toMatchObject({ status: 400, code: 'validation_failed' })
    expect(await ann.refusal(accountsRoutes.disableMfa, { body: { code: '000000' } })).toMatchObject({
      code: 'wrong_code',
    })
    await ann.call(accountsRoutes.disableMfa, { body: { code: nextCode(secret) } })
    expect(await ann.call(accountsRoutes.mfa, {})).toMatchObject({ totpEnabled: false, recoveryCodesRemaining: 0 })
    await enter(guest)
  })

  test('setting it up wants a fresh proof: a new sign-in, or the password', async () => {
    const { guest } = await openSecondFactorHarness(open)
    const ann = await enter(guest)
    clock.advance(11 * minute)
    expect(await ann.refusal(accountsRoutes.enrollMfa, {})).toMatchObject({ status: 403, code: 'proof_needed' })
    expect(await ann.refusal(accountsRoutes.enrollMfa, { body: { password: 'wrong horse battery' } })).toMatchObject({
      status: 401,
      code: 'wrong_password',
    })
    await ann.call(accountsRoutes.enrollMfa, { body: { password } })
    // Once codes are on, the password alone is no proof any more.
    const other = await enter(guest)
    const { secret } = await turnOn(other)
    expect(await other.refusal(accountsRoutes.prove, { body: { password } })).toMatchObject({ code: 'proof_needed' })
    expect(await other.refusal(accountsRoutes.prove, { body: { code: '000000' } })).toMatchObject({
      code: 'wrong_code',
    })
    expect(await other.call(accountsRoutes.prove, { body: { code: nextCode(secret) } })).toEqual({})
  })

  test('twenty wrong codes shut the account for codes, in all processes, and time opens it again', async () => {
    const { guest, another } = await openSecondFactorHarness(open)
    const ann = await enter(guest)
    const { secret, recoveryCodes } = await turnOn(ann)
    const other = await another()
    for (let i = 0; i < 20; i++) {
      const { guest: where } = i % 2 ? other : { guest }
      const { challengeToken } = await challenged(where)
      expect((await where.refusal(accountsRoutes.verifyMfa, { body: { challengeToken, code: '000000' } })).code).toBe(
        'wrong_code',
      )
    }
    for (const code of [nextCode(secret), recoveryCodes[0] ?? '']) {
      const { challengeToken } = await challenged(other.guest)
      const refused = await other.guest.refusal(accountsRoutes.verifyMfa, { body: { challengeToken, code } })
      expect(refused).toMatchObject({ status: 429, code: 'rate_limited' })
      expect(await ann.refusal(accountsRoutes.disableMfa, { body: { code } })).toMatchObject({ code: 'rate_limited' })
    }
    clock.advance(16 * minute)
    const { challengeToken } = await challenged(guest)
    await guest.call(accountsRoutes.verifyMfa, { body: { challengeToken, code: nextCode(secret) } })
  })

  test('secret, codes and tokens stand in no row, and in no line of the log', async () => {
    const { guest, database, lines } = await openSecondFactorHarness(open)
    const { secret, recoveryCodes } = await turnOn(await enter(guest))
    const { challengeToken } = await challenged(guest)
    const tables = database.tables<SecondFactorTables>()
    const rows = JSON.stringify([
      (await tables.selectFrom('second_factors').selectAll().execute()).map((row) => ({
        ...row,
        secret: row.secret && Buffer.from(row.secret).toString('latin1'),
      })),
      await tables.selectFrom('recovery_codes').selectAll().execute(),
      await tables.selectFrom('sign_in_challenges').selectAll().execute(),
    ])
    for (const secretText of [
      secret,
      challengeToken,
      ...recoveryCodes,
      ...recoveryCodes.map((code) => code.replace('-', '')),
    ]) {
      expect(rows).not.toContain(secretText)
      expect(lines()).not.toContain(secretText)
    }
  })

  test('the rate of tries is limited for each address besides', async () => {
    const { guest } = await openSecondFactorHarness(open, { limits: { mfa: { max: 2, windowMs: minute } } })
    const body = { challengeToken: 'x', code: '123456' }
    expect((await guest.refusal(accountsRoutes.verifyMfa, { body })).code).toBe('challenge_over')
    expect((await guest.refusal(accountsRoutes.verifyMfa, { body })).code).toBe('challenge_over')
    expect(await guest.refusal(accountsRoutes.verifyMfa, { body })).toMatchObject({ status: 429, code: 'rate_limited' })
  })
})
