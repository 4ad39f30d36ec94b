import { accountsRoutes } from '@atrium/contract/accounts'
import { expect, test } from 'vitest'
import { createAuthenticator } from '../../../testing/authenticator.ts'
import { withDatabase } from '../../../testing/databases.ts'
import {
  challenged,
  enter,
  nextCode,
  openSecondFactorHarness,
  password,
  tenWrongThenOver,
  tryTooOften,
  turnOn,
} from '../../../testing/second-factor.ts'

const required = { body: { mode: 'required' } } as const

withDatabase('policy of second factors', (open) => {
  test('is changed by administrators only, and free unless the environment says it', async () => {
    const { guest, accounts } = await openSecondFactorHarness(open)
    await accounts.createAccount({ username: 'ben', password })
    const ann = await enter(guest)
    const ben = await enter(guest, 'ben')
    expect(await ann.call(accountsRoutes.mfaPolicy, {})).toEqual({ mode: 'optional', locked: false })
    for (const refused of [
      await ben.refusal(accountsRoutes.mfaPolicy, {}),
      await ben.refusal(accountsRoutes.setMfaPolicy, required),
    ])
      expect(refused).toMatchObject({ status: 403, code: 'forbidden' })
    expect(await ann.call(accountsRoutes.setMfaPolicy, required)).toEqual({ mode: 'required', locked: false })
    expect(await ben.call(accountsRoutes.mfa, {})).toMatchObject({ required: true, requiredModeLocked: false })
  })

  test('cannot be changed where the environment pins it', async () => {
    const { guest } = await openSecondFactorHarness(open, { mfaRequiredMode: 'optional' })
    const ann = await enter(guest)
    expect(await ann.call(accountsRoutes.mfaPolicy, {})).toEqual({ mode: 'optional', locked: true })
    expect(await ann.refusal(accountsRoutes.setMfaPolicy, required)).toMatchObject({
      status: 409,
      code: 'setting_locked',
    })
    expect(await ann.call(accountsRoutes.mfa, {})).toMatchObject({ required: false, requiredModeLocked: true })
  })

  test('once required, who has none sets one up at the next sign-in; sessions that are open stay', async () => {
    const { guest, accounts } = await openSecondFactorHarness(open)
    await accounts.createAccount({ username: 'ben', password })
    const ann = await enter(guest)
    const ben = await enter(guest, 'ben')
    await ann.call(accountsRoutes.setMfaPolicy, required)
    expect(await ben.call(accountsRoutes.mfa, {})).toMatchObject({ required: true, totpEnabled: false })

    const { requirement, challengeToken } = await challenged(guest, 'ben')
    expect(requirement).toBe('enroll')
    const body = { challengeToken, code: '123456' }
    expect(await guest.refusal(accountsRoutes.verifyMfa, { body })).toMatchObject({ code: 'challenge_over' })
    expect(await guest.refusal(accountsRoutes.activateByChallenge, { body })).toMatchObject({ code: 'mfa_not_pending' })
    const { secret: first } = await guest.call(accountsRoutes.enrollByChallenge, { body: { challengeToken } })
    const { secret } = await guest.call(accountsRoutes.enrollByChallenge, { body: { challengeToken } })
    expect(secret).not.toBe(first)
    for (const code of ['000000', nextCode(first)]) {
      expect(await guest.refusal(accountsRoutes.activateByChallenge, { body: { challengeToken, code } })).toMatchObject(
        {
          status: 401,
          code: 'wrong_code',
        },
      )
    }
    const done = await guest.call(accountsRoutes.activateByChallenge, {
      body: { challengeToken, code: nextCode(secret) },
    })
    expect(done.recoveryCodes).toHaveLength(10)
    const { items } = await guest.as(done.token).call(accountsRoutes.sessions, {})
    expect(items.find(({ current }) => current)?.kind).toBe('password+totp')
    expect(await guest.refusal(accountsRoutes.enrollByChallenge, { body: { challengeToken } })).toMatchObject({
      code: 'challenge_over',
    })
    expect((await challenged(guest, 'ben')).requirement).toBe('verify')
  })

  test('a forced set-up ends with ten wrong codes', async () => {
    const { guest } = await openSecondFactorHarness(open, { mfaRequiredMode: 'required' })
    const { challengeToken } = await challenged(guest)
    const { secret } = await guest.call(accountsRoutes.enrollByChallenge, { body: { challengeToken } })
    const activate = (code: string) =>
      guest.refusal(accountsRoutes.activateByChallenge, { body: { challengeToken, code } })
    expect(await tryTooOften(activate, secret)).toEqual(tenWrongThenOver)
  })

  test('while required, the last factor stays', async () => {
    const { guest } = await openSecondFactorHarness(open)
    const ann = await enter(guest)
    const { secret } = await turnOn(ann)
    await ann.call(accountsRoutes.setMfaPolicy, required)
    expect(await ann.refusal(accountsRoutes.disableMfa, { body: { code: nextCode(secret) } })).toMatchObject({
      status: 409,
      code: 'last_factor',
    })
    await ann.call(accountsRoutes.setMfaPolicy, { body: { mode: 'optional' } })
    await ann.call(accountsRoutes.disableMfa, { body: { code: nextCode(secret) } })
  })

  test('a reset takes codes away and ends what waits; another factor can then be set up', async () => {
    const { guest, accounts } = await openSecondFactorHarness(open)
    const ann = await enter(guest)
    const user = await ann.call(accountsRoutes.me, {})
    const { secret, recoveryCodes } = await turnOn(ann)
    const waiting = await challenged(guest)
    await accounts.resetSecondFactor(user.id, { actor: { kind: 'user', accountId: user.id } })
    for (const code of [nextCode(secret), recoveryCodes[0] ?? '']) {
      const body = { challengeToken: waiting.challengeToken, code }
      expect(await guest.refusal(accountsRoutes.verifyMfa, { body })).toMatchObject({ code: 'challenge_over' })
    }
    expect(await ann.call(accountsRoutes.mfa, {})).toMatchObject({ totpEnabled: false, recoveryCodesRemaining: 0 })
    const again = await enter(guest)
    await again.call(accountsRoutes.setMfaPolicy, required)
    expect((await challenged(guest)).requirement).toBe('enroll')
    await turnOn(again)
    expect((await challenged(guest)).requirement).toBe('verify')
  })

  test('where the only factor is a passkey, a password does not let in, nor add another factor', async () => {
    const { guest, accounts } = await openSecondFactorHarness(open)
    const ann = await enter(guest)
    const { id } = await ann.call(accountsRoutes.me, {})
    const device = createAuthenticator('https://chat.example.org')
    const options = await ann.call(accountsRoutes.passkeyRegisterOptions, { body: {} })
    const { made, credential } = device.make(options)
    await ann.call(accountsRoutes.registerPasskey, { body: { challengeToken: options.challengeToken, credential } })
    await enter(guest)
    await ann.call(accountsRoutes.setMfaPolicy, required)
    expect(await guest.refusal(accountsRoutes.login, { body: { username: 'ann', password } })).toMatchObject({
      status: 403,
      code: 'passkey_needed',
    })
    const asked = await guest.call(accountsRoutes.passkeyLoginOptions, {})
    const shown = device.show(made, asked)
    await guest.call(accountsRoutes.passkeyLogin, { body: { challengeToken: asked.challengeToken, credential: shown } })

    // With the passkey as the other factor, codes may go; alone, the passkey stays.
    const { secret } = await turnOn(ann)
    expect((await challenged(guest)).requirement).toBe('verify')
    await ann.call(accountsRoutes.disableMfa, { body: { code: nextCode(secret) } })
    const { passkeys } = await ann.call(accountsRoutes.mfa, {})
    expect(await ann.refusal(accountsRoutes.removePasskey, { params: { id: passkeys[0]?.id ?? '' } })).toMatchObject({
      code: 'last_factor',
    })
    await accounts.resetSecondFactor(id, { actor: { kind: 'system', accountId: null } })
    expect((await challenged(guest)).requirement).toBe('enroll')

    // Who comes in with the passkey has not lost it: from then on a password alone sets nothing up again.
    const again = await guest.call(accountsRoutes.passkeyLoginOptions, {})
    const second = { challengeToken: again.challengeToken, credential: device.show(made, again) }
    await guest.call(accountsRoutes.passkeyLogin, { body: second })
    expect(await guest.refusal(accountsRoutes.login, { body: { username: 'ann', password } })).toMatchObject({
      code: 'passkey_needed',
    })
  })

  test('the very first account sets a factor up, too, where the environment requires one', async () => {
    const { guest, accounts } = await openSecondFactorHarness(open, { mfaRequiredMode: 'required', empty: true })
    expect(await accounts.hasUsers()).toBe(false)
    const answer = await guest.call(accountsRoutes.signup, { body: { username: 'ann', password } })
    expect(answer).toMatchObject({ mfaRequired: true, requirement: 'enroll' })
    const challengeToken = 'challengeToken' in answer ? answer.challengeToken : ''
    const { secret } = await guest.call(accountsRoutes.enrollByChallenge, { body: { challengeToken } })
    const done = await guest.call(accountsRoutes.activateByChallenge, {
      body: { challengeToken, code: nextCode(secret) },
    })
    expect(done.user).toMatchObject({ username: 'ann', role: 'admin' })
  })
})
