import { expect, test } from 'vitest'
import { withDatabase } from '../../../testing/databases.ts'
import { openMailHarness } from '../../../testing/mail-harness.ts'

const who = { actor: { kind: 'system', accountId: null } } as const

withDatabase('letters about the end of an account', (open) => {
  test('come when a day is set, when it is taken back, and when it is done', async () => {
    const harness = await openMailHarness(open)
    try {
      await harness.switchMailOn()
      const { administration, removals } = harness.accounts
      const { user } = await harness.account('ben', { email: 'ben@example.org' })
      const subjects = async (count: number) =>
        (await harness.smtp.waitFor('ben@example.org', count)).map(({ mail }) => mail.subject)
      const at = Date.UTC(2031, 4, 3, 12)
      await administration.setRemoval(user.id, at, who)
      const [first] = await harness.smtp.waitFor('ben@example.org', 1)
      expect(first?.mail).toMatchObject({
        subject: 'Your account will be deleted',
        text: expect.stringMatching(/ben and everything in it for deletion: .*May 3, 2031/),
      })
      // The same again says nothing new.
      await administration.setRemoval(user.id, at, who)
      await administration.setRemoval(user.id, null, who)
      expect((await subjects(2))[1]).toBe('Your account won’t be deleted')

      await removals.begin(user.id, who)
      await removals.finish(user.id)
      expect((await subjects(3))[2]).toBe('Your account was deleted')
      // Who never got in hears nothing.
      const { id } = await harness.accounts.createAccount({
        username: 'cid',
        password: 'a long enough password',
        status: 'pending',
        email: 'cid@example.org',
      })
      await administration.reject(id, who)
      expect(harness.smtp.mails.map(({ to }) => to).flat()).not.toContain('cid@example.org')
    } finally {
      await harness.close()
    }
  })
})
