/** What a session alone cannot do to an account by way of its address, and what a mail from before cannot, on both databases. */
import { accountsRoutes } from '@atrium/contract/accounts'
import { afterEach, expect, test } from 'vitest'
import { withDatabase } from '../../../testing/databases.ts'
import { type MailHarness, mailPassword, openMailHarness } from '../../../testing/mail-harness.ts'
import { signedIn } from '../../../testing/sign-in.ts'

const minute = 60_000
const newPassword = 'another long password'
const invalid = { status: 422, code: 'link_invalid' }
const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

withDatabase('the own address', (open) => {
  const start = async (): Promise<MailHarness> => {
    const harness = await openMailHarness(open)
    stops.push(harness.close)
    return harness
  }

  test('is changed by who signed in just now or shows the password, not by an open session alone', async () => {
    const harness = await start()
    const { client } = await harness.account('ben', { email: 'ben@example.org' })
    const change = (email: string | null, proof?: { password?: string; code?: string }) => ({
      body: { displayName: 'Ben', email, ...(proof ? { proof } : {}) },
    })
    expect(await client.call(accountsRoutes.updateMe, change('new@example.org'))).toMatchObject({
      email: 'new@example.org',
    })
    harness.advance(11 * minute)
    for (const email of ['mallory@example.org', null]) {
      expect(await client.refusal(accountsRoutes.updateMe, { body: { displayName: 'Mallory', email } })).toMatchObject({
        code: 'proof_needed',
      })
      expect(await client.refusal(accountsRoutes.updateMe, change(email, { password: 'not that one' }))).toMatchObject({
        code: 'wrong_password',
      })
    }
    // Nothing of a change that was refused is there.
    expect(await client.call(accountsRoutes.me, {})).toMatchObject({ displayName: 'Ben', email: 'new@example.org' })
    await harness.switchMailOn()
    expect(await client.refusal(accountsRoutes.updateMe, change('mallory@example.org'))).toMatchObject({
      code: 'proof_needed',
    })
    // The address that is there already, and everything else, costs nothing.
    await client.call(accountsRoutes.updateMe, change('NEW@example.org'))
    await client.call(accountsRoutes.updateMe, { body: { username: 'ben', displayName: 'Benny' } })
    // Another user name is what one signs in with.
    const rename = { body: { username: 'benny' } }
    expect(await client.refusal(accountsRoutes.updateMe, rename)).toMatchObject({ code: 'fresh_proof_needed' })
    await client.call(accountsRoutes.prove, { body: { password: mailPassword } })
    expect(await client.call(accountsRoutes.updateMe, rename)).toMatchObject({ username: 'benny' })
    expect(
      await client.call(accountsRoutes.updateMe, change('last@example.org', { password: mailPassword })),
    ).toMatchObject({
      email: 'new@example.org',
      pendingEmail: 'last@example.org',
    })
  })

  test('gets links for a new password, and those of an earlier address are over', async () => {
    const harness = await start()
    await harness.switchMailOn()
    const { user } = await harness.account('ben', { email: 'lost@example.org' })
    await harness.guest.call(accountsRoutes.forgotPassword, { body: { login: 'ben' } })
    const token = await harness.linkIn('lost@example.org')
    await harness.accounts.administration.update(user.id, { email: 'ben@example.org' }, { actor: system })
    const reset = { body: { token, password: newPassword } }
    expect(await harness.guest.refusal(accountsRoutes.resetPassword, reset)).toMatchObject(invalid)
    await harness.guest.call(accountsRoutes.forgotPassword, { body: { login: 'ben' } })
    const fresh = await harness.linkIn('ben@example.org')
    await harness.guest.call(accountsRoutes.resetPassword, { body: { token: fresh, password: newPassword } })
  })

  test('has links for a new password that end when the password is changed', async () => {
    const harness = await start()
    await harness.switchMailOn()
    const { client } = await harness.account('ben', { email: 'ben@example.org' })
    await harness.guest.call(accountsRoutes.forgotPassword, { body: { login: 'ben' } })
    const token = await harness.linkIn('ben@example.org')
    await client.call(accountsRoutes.changePassword, { body: { currentPassword: mailPassword, newPassword } })
    const reset = { body: { token, password: 'yet another password' } }
    expect(await harness.guest.refusal(accountsRoutes.resetPassword, reset)).toMatchObject(invalid)
    signedIn(await harness.guest.call(accountsRoutes.login, { body: { username: 'ben', password: newPassword } }))
  })
})

const system = { kind: 'system', accountId: null } as const
