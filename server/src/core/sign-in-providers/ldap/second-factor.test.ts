import { accountsRoutes } from '@atrium/contract/accounts'
import { signInProvidersRoutes } from '@atrium/contract/sign-in-providers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../../../testing/app.ts'
import type { Client } from '../../../testing/client.ts'
import { realClock } from '../../../testing/clock.ts'
import { ldapPerson, ldapService, ldapSettings, startLdap, type TestLdap } from '../../../testing/ldap-server.ts'
import { oneTimeCode } from '../../../testing/one-time-code.ts'
import { signedIn } from '../../../testing/sign-in.ts'
import { usualDialects } from '../../../testing/databases.ts'

describe.each(usualDialects)('the second factor of a sign-in with a directory (%s)', (dialect) => {
  let app: TestApp
  let admin: Client
  let server: TestLdap
  let now = Date.now()
  beforeAll(async () => {
    app = await startTestApp({ dialect, overrides: { clock: { ...realClock, now: () => now } } })
    admin = await app.signUpAdmin()
    server = await startLdap({ entries: [ldapPerson('ann'), ldapPerson('ben')] })
    const { hasPassword: _, ...settings } = ldapSettings(server)
    await admin.call(signInProvidersRoutes.updateLdap, { body: { ...settings, password: ldapService.password } })
  })
  afterAll(async () => {
    await app?.close()
    await server?.close()
  })
  beforeEach(() => admin.call(accountsRoutes.setMfaPolicy, { body: { mode: 'optional' } }))

  const login = (username: string, secret = `${username} secret`) =>
    app.client().call(accountsRoutes.login, { body: { username, password: secret } })
  const challenged = async (username: string) => {
    const answer = await login(username)
    if (!('mfaRequired' in answer)) throw new Error('nothing more was asked for')
    expect(answer).not.toHaveProperty('token')
    return answer
  }
  /** No code is taken twice, so time goes on by a step before. */
  const nextCode = (secret: string) => oneTimeCode(secret, (now += 30_000))
  const currentKind = async (token: string) => {
    const { items } = await app.client(token).call(accountsRoutes.sessions, {})
    return items.find(({ current }) => current)?.kind
  }

  test('is asked for once codes are on: the password of the directory alone begins no session', async () => {
    const ann = app.client(signedIn(await login('ann')).token)
    const { secret } = await ann.call(accountsRoutes.enrollMfa, {})
    const { recoveryCodes } = await ann.call(accountsRoutes.activateMfa, { body: { code: nextCode(secret) } })

    const { requirement, challengeToken } = await challenged('ann')
    expect(requirement).toBe('verify')
    const wrong = await app.client().refusal(accountsRoutes.verifyMfa, { body: { challengeToken, code: '000000' } })
    expect(wrong).toMatchObject({ status: 401, code: 'wrong_code' })
    const body = { challengeToken, code: nextCode(secret) }
    const { token, user } = await app.client().call(accountsRoutes.verifyMfa, { body })
    expect(user.username).toBe('ann')
    expect(await currentKind(token)).toBe('ldap')
    expect(await app.client().refusal(accountsRoutes.verifyMfa, { body })).toMatchObject({ code: 'challenge_over' })

    const again = await challenged('ann')
    const recovery = { challengeToken: again.challengeToken, code: recoveryCodes[0] ?? '' }
    expect(await currentKind((await app.client().call(accountsRoutes.verifyMfa, { body: recovery })).token)).toBe(
      'ldap',
    )
    // A wrong password never gets as far as a challenge.
    const refused = await app
      .client()
      .refusal(accountsRoutes.login, { body: { username: 'ann', password: 'not the secret' } })
    expect(refused.code).toBe('wrong_credentials')
  })

  test('is set up at the sign-in where everybody has to have one, also by somebody who is new here', async () => {
    await admin.call(accountsRoutes.setMfaPolicy, { body: { mode: 'required' } })
    const { requirement, challengeToken } = await challenged('ben')
    expect(requirement).toBe('enroll')
    const skipped = await app.client().refusal(accountsRoutes.verifyMfa, { body: { challengeToken, code: '000000' } })
    expect(skipped.code).toBe('challenge_over')
    const { secret } = await app.client().call(accountsRoutes.enrollByChallenge, { body: { challengeToken } })
    const done = await app
      .client()
      .call(accountsRoutes.activateByChallenge, { body: { challengeToken, code: nextCode(secret) } })
    expect(done.recoveryCodes).toHaveLength(10)
    expect(done.user.username).toBe('ben')
    expect(await currentKind(done.token)).toBe('ldap')
    expect((await challenged('ben')).requirement).toBe('verify')
  })
})
