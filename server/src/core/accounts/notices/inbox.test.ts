import { accountsRoutes } from '@atrium/contract/accounts'
import { notificationsRoutes } from '@atrium/contract/notifications'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, startTestApp, testPassword } from '../../../testing/app.ts'
import type { Client } from '../../../testing/client.ts'

describe('what concerns the safety of an account', () => {
  let app: TestApp
  let ann: Client
  beforeAll(async () => {
    app = await startTestApp()
    await app.signUpAdmin()
    ann = await app.signUpUser('ann')
  })
  afterAll(() => app?.close())

  const events = async () =>
    (await ann.call(notificationsRoutes.list, { query: { kind: 'security' } })).items.map(
      ({ facts }) => 'event' in facts && facts.event,
    )

  test('stands in its inbox: a sign-in on another device, but not the first one, and another password', async () => {
    expect(await events()).toEqual([])
    await app.client().call(accountsRoutes.login, { body: { username: 'ann', password: testPassword } })
    expect(await events()).toEqual(['new-sign-in'])
    const body = { currentPassword: testPassword, newPassword: 'another long enough password' }
    await ann.call(accountsRoutes.changePassword, { body })
    expect(await events()).toEqual(['password-changed', 'new-sign-in'])
  })

  test('cannot be switched off in the app', async () => {
    const ways = { app: false, push: false, mail: 'off', webhook: false } as const
    const body = { kinds: { security: ways } }
    expect(await ann.refusal(notificationsRoutes.updatePreferences, { body })).toMatchObject({
      code: 'validation_failed',
    })
    await ann.call(notificationsRoutes.updatePreferences, { body: { kinds: { security: { ...ways, app: true } } } })
  })
})
