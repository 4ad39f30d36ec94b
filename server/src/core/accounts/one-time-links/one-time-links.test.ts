/** One-time links over HTTP, on both databases, with mail that really travels. */
import { accountsRoutes } from '@atrium/contract/accounts'
import { apiTokensRoutes } from '@atrium/contract/api-tokens'
import { auditRoutes } from '@atrium/contract/audit'
import { settingsRoutes } from '@atrium/contract/settings'
import { invitationRoutes as routes } from '@atrium/contract/user-administration'
import { afterEach, expect, test, vi } from 'vitest'
import { withDatabase } from '../../../testing/databases.ts'
import { appUrl, type MailHarness, mailPassword, openMailHarness } from '../../../testing/mail-harness.ts'
import { signedIn } from '../../../testing/sign-in.ts'
import type { AccountTables } from '../tables.ts'

const day = 24 * 3600_000
const newPassword = 'another long password'
const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

const tokenOf = (link: string | null): string => /#(atl_[\w-]{43})$/.exec(link ?? '')?.[1] ?? 'no link'
const invalid = { status: 422, code: 'link_invalid' }

withDatabase('one-time links', (open) => {
  const start = async (): Promise<MailHarness> => {
    const harness = await openMailHarness(open)
    stops.push(harness.close)
    return harness
  }
  const invite = (harness: MailHarness, body: Parameters<typeof bodyOf>[0] = {}) =>
    harness.ann.call(routes.invite, { body: bodyOf(body) })
  const bodyOf = (body: { email?: string; role?: 'admin' | 'user'; groupIds?: string[]; send?: boolean }) => body
  const accept = (token: string, username: string) => ({ body: { token, username, password: newPassword } })
  const passwordLink = async (harness: MailHarness, id: string) =>
    tokenOf((await harness.ann.call(routes.passwordLink, { params: { id } })).link)
  const reset = (token: string, password = newPassword) => ({ body: { token, password } })
  const login = (username: string, password: string) => ({ body: { username, password } })

  test('an invitation makes an active account with its role and groups, and signs it in; then it is used', async () => {
    const harness = await start()
    const group = await harness.accounts.groups.add('Design', null)
    const { link, invitation, sent } = await invite(harness, {
      email: 'ben@example.org',
      role: 'admin',
      groupIds: [group.id],
    })
    expect(sent).toBe(false)
    expect(link).toMatch(/^\/invite#atl_/)
    expect(invitation).toMatchObject({ email: 'ben@example.org', role: 'admin', groups: [{ name: 'Design' }] })
    expect((await harness.ann.call(routes.invitations, {})).items).toMatchObject([
      { id: invitation.id, createdBy: { id: harness.annId, name: 'ann' } },
    ])
    const token = tokenOf(link)
    expect(await harness.guest.call(accountsRoutes.checkLink, { body: { token } })).toMatchObject({
      purpose: 'invite',
      email: 'ben@example.org',
      invitedBy: 'ann',
    })
    const { user, token: session } = signedIn(await harness.guest.call(accountsRoutes.acceptLink, accept(token, 'ben')))
    expect(user).toMatchObject({ username: 'ben', email: 'ben@example.org', role: 'admin', status: 'active' })
    // The link came from an administrator's hands, so it proves nothing about the address.
    expect(user.emailVerified).toBe(false)
    expect(await harness.guest.as(session).call(accountsRoutes.me, {})).toMatchObject({ id: user.id })
    expect(await harness.accounts.groups.idsOf(user.id)).toEqual([group.id])
    expect((await harness.ann.call(routes.invitations, {})).items).toEqual([])
    for (const refusal of [
      harness.guest.refusal(accountsRoutes.acceptLink, accept(token, 'cid')),
      harness.guest.refusal(accountsRoutes.checkLink, { body: { token } }),
    ])
      expect(await refusal).toMatchObject(invalid)
  })

  test('of twenty who take one invitation at the same time exactly one gets an account', async () => {
    const harness = await start()
    const token = tokenOf((await invite(harness)).link)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        harness.guest.answer(accountsRoutes.acceptLink, accept(token, `guest${at}`)),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(19)
    const rows = await harness.database.tables<AccountTables>().selectFrom('accounts').select('id').execute()
    expect(rows).toHaveLength(2)
    const keys = await harness.database
      .tables<{ vault_keys: { owner: string } }>()
      .selectFrom('vault_keys')
      .select('owner')
      .execute()
    // No data key stays behind for those who came too late.
    expect(keys.map(({ owner }) => owner).filter((owner) => rows.some(({ id }) => id === owner))).toHaveLength(2)
    expect(keys.length).toBeLessThanOrEqual(3)
  })

  test('a name that is taken and a weak password leave the invitation as it is', async () => {
    const harness = await start()
    const token = tokenOf((await invite(harness)).link)
    for (const [name, code] of [
      ['ann', 'username_taken'],
      ['αnn', 'username_scripts'],
      ['аnn', 'username_scripts'],
      ['ꭺnn', 'username_scripts'],
    ] as const)
      expect(await harness.guest.refusal(accountsRoutes.acceptLink, accept(token, name))).toMatchObject({ code })
    await harness.account('lil')
    expect(await harness.guest.refusal(accountsRoutes.acceptLink, accept(token, 'lıl'))).toMatchObject({
      code: 'username_taken',
    })
    for (const [weak, code] of [
      ['short', 'weak_password'],
      ['ben-ben-2026', 'common_password'],
    ] as const)
      expect(
        await harness.guest.refusal(accountsRoutes.acceptLink, { body: { token, username: 'ben', password: weak } }),
      ).toMatchObject({ code })
    signedIn(await harness.guest.call(accountsRoutes.acceptLink, accept(token, 'ben')))
  })

  test('links end with their time, with a word of an administrator, and with the office of who made them', async () => {
    const harness = await start()
    const late = tokenOf((await invite(harness)).link)
    harness.advance(7 * day + 1000)
    const revoked = await invite(harness)
    await harness.ann.call(routes.revokeInvitation, { params: { id: revoked.invitation.id } })
    expect(await harness.ann.refusal(routes.revokeInvitation, { params: { id: revoked.invitation.id } })).toMatchObject(
      {
        status: 404,
        code: 'invitation_not_found',
      },
    )
    const second = await harness.account('cleo', { role: 'admin' })
    const theirs = tokenOf((await second.client.call(routes.invite, { body: {} })).link)
    await harness.guest.call(accountsRoutes.checkLink, { body: { token: theirs } })
    await harness.accounts.administration.setStatus(second.user.id, 'disabled')
    const third = await harness.account('dan', { role: 'admin' })
    const demoted = tokenOf((await third.client.call(routes.invite, { body: {} })).link)
    await harness.accounts.administration.update(
      third.user.id,
      { role: 'user' },
      {
        actor: { kind: 'system', accountId: null },
      },
    )
    const invented = `atl_${'A'.repeat(43)}`
    for (const token of [late, tokenOf(revoked.link), theirs, demoted, invented, 'nonsense']) {
      expect(await harness.guest.refusal(accountsRoutes.checkLink, { body: { token } })).toMatchObject(invalid)
      expect(await harness.guest.refusal(accountsRoutes.acceptLink, accept(token, 'dora'))).toMatchObject(invalid)
    }
    expect((await harness.ann.call(routes.invitations, {})).items).toEqual([])
  })

  test('a link serves its own purpose and no other', async () => {
    const harness = await start()
    const { user } = await harness.account('ben')
    const invited = tokenOf((await invite(harness)).link)
    const forReset = await passwordLink(harness, user.id)
    expect(await harness.guest.refusal(accountsRoutes.resetPassword, reset(invited))).toMatchObject(invalid)
    expect(await harness.guest.refusal(accountsRoutes.verifyEmail, { body: { token: invited } })).toMatchObject(invalid)
    expect(await harness.guest.refusal(accountsRoutes.acceptLink, accept(forReset, 'cid'))).toMatchObject(invalid)
    expect(await harness.guest.call(accountsRoutes.checkLink, { body: { token: forReset } })).toMatchObject({
      purpose: 'reset',
      email: null,
      invitedBy: null,
    })
    signedIn(await harness.guest.call(accountsRoutes.acceptLink, accept(invited, 'cid')))
  })

  test('only administrators hand out links, and only for accounts and groups that exist', async () => {
    const harness = await start()
    const { client, user } = await harness.account('ben')
    expect(await client.refusal(routes.invite, { body: {} })).toMatchObject({ status: 403 })
    expect(await client.refusal(routes.invitations, {})).toMatchObject({ status: 403 })
    expect(await client.refusal(routes.passwordLink, { params: { id: user.id } })).toMatchObject({ status: 403 })
    expect(await harness.guest.refusal(routes.invite, { body: {} })).toMatchObject({ status: 401 })
    expect(await harness.ann.refusal(routes.passwordLink, { params: { id: 'nobody' } })).toMatchObject({ status: 404 })
    for (const [body, code] of [
      [{ groupIds: ['nowhere'] }, 'group_not_found'],
      [{ email: 'ann@example.org' }, 'email_taken'],
      [{ email: 'x@example.org', send: true }, 'mail_not_configured'],
      [{ send: true }, 'validation_failed'],
    ] as const)
      expect(await harness.ann.refusal(routes.invite, { body: body as never })).toMatchObject({ code })
  })

  test('a new password ends every session, every token and every other link; no session begins by it', async () => {
    const harness = await start()
    const { user, client } = await harness.account('ben')
    const { token: apiToken } = await client.call(apiTokensRoutes.createToken, {
      body: { name: 'script', scopes: ['inference'] },
    })
    const earlier = await passwordLink(harness, user.id)
    const token = await passwordLink(harness, user.id)
    expect(await harness.guest.refusal(accountsRoutes.resetPassword, reset(earlier))).toMatchObject(invalid)
    expect(await harness.guest.refusal(accountsRoutes.resetPassword, reset(token, 'password1234'))).toMatchObject({
      code: 'common_password',
    })
    expect(await harness.guest.call(accountsRoutes.resetPassword, reset(token))).toEqual({})
    expect(await client.refusal(accountsRoutes.me, {})).toMatchObject({ status: 401 })
    expect(await harness.guest.refusal(accountsRoutes.resetPassword, reset(token))).toMatchObject(invalid)
    expect(await harness.guest.refusal(accountsRoutes.login, login('ben', mailPassword))).toMatchObject({ status: 401 })
    signedIn(await harness.guest.call(accountsRoutes.login, login('ben', newPassword)))
    expect(await harness.guest.as(apiToken).refusal(accountsRoutes.me, {})).toMatchObject({ status: 401 })
  })

  test('of ten new passwords with one link exactly one holds', async () => {
    const harness = await start()
    const { user } = await harness.account('ben')
    const token = await passwordLink(harness, user.id)
    const passwords = Array.from({ length: 10 }, (_, at) => `a long password ${at}`)
    const answers = await Promise.all(
      passwords.map((each) => harness.guest.answer(accountsRoutes.resetPassword, reset(token, each))),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const winner = passwords[answers.findIndex(({ status }) => status === 200)] ?? ''
    signedIn(await harness.guest.call(accountsRoutes.login, login('ben', winner)))
  })

  test('what is kept of a link is not the link, and the log holds none', async () => {
    const harness = await start()
    await harness.switchMailOn()
    const { user } = await harness.account('ben', { email: 'ben@example.org' })
    const handed = await passwordLink(harness, user.id)
    await harness.guest.call(accountsRoutes.forgotPassword, { body: { login: 'ben' } })
    // Besides, the owner is told of the link that was handed out.
    const mailed = await harness.linkIn('ben@example.org', 2)
    await harness.guest.call(accountsRoutes.resetPassword, reset(mailed))
    await harness.smtp.waitFor('ben@example.org', 3)
    const stored = await harness.database.tables<AccountTables>().selectFrom('one_time_links').selectAll().execute()
    const text = JSON.stringify(stored.map((row) => ({ ...row, details: Buffer.from(row.details).toString('latin1') })))
    const log = harness.lines.join('')
    for (const secret of [handed, mailed, newPassword, 'ben@example.org']) {
      expect(text).not.toContain(secret)
      expect(log).not.toContain(secret)
    }
    // A mail that was sent is not kept either.
    await expect
      .poll(
        async () =>
          (
            await harness.database
              .tables<{ mail_letters: { id: string } }>()
              .selectFrom('mail_letters')
              .select('id')
              .execute()
          ).length,
      )
      .toBe(0)
  })

  test('whoever forgot a password gets a mail in the own language, sets a new one, and is told of it', async () => {
    const harness = await start()
    await harness.switchMailOn()
    const { client } = await harness.account('ben', { email: 'ben@example.org' })
    await client.call(settingsRoutes.update, { body: { language: 'ar' } })
    await harness.guest.call(accountsRoutes.forgotPassword, { body: { login: 'Ben@Example.org' } })
    const token = await harness.linkIn('ben@example.org')
    const [mail] = await harness.smtp.waitFor('ben@example.org')
    expect(mail?.mail.subject).toContain('كلمة مرور')
    expect(mail?.mail.html).toContain('dir="rtl"')
    expect(mail?.mail.text).toContain(`${appUrl}/reset#${token}`)
    await harness.guest.call(accountsRoutes.resetPassword, reset(token))
    const user = signedIn(await harness.guest.call(accountsRoutes.login, login('ben', newPassword))).user
    expect(user.emailVerified).toBe(true)
    expect(await harness.smtp.waitFor('ben@example.org', 2)).toHaveLength(2)
    harness.advance(2 * 3600_000)
    await harness.guest.call(accountsRoutes.forgotPassword, { body: { login: 'ben' } })
    const late = await harness.linkIn('ben@example.org', 3)
    harness.advance(3600_000)
    expect(await harness.guest.refusal(accountsRoutes.resetPassword, reset(late))).toMatchObject(invalid)
    const events = await harness.ann.call(auditRoutes.list, { query: { action: 'auth.password.reset' } })
    expect(events.items.map(({ result }) => result)).toEqual(['failure', 'success', 'success', 'success'])
  })

  test('asking for a mail tells nobody whether there is such an account, by body, headers or time', async () => {
    const harness = await start()
    await harness.account('ben', { email: 'ben@example.org' })
    const ask = async (login: string) => {
      const began = performance.now()
      const response = await harness.guest.answer(accountsRoutes.forgotPassword, { body: { login } })
      const text = await response.text()
      const ms = performance.now() - began
      const headers = [...response.headers].filter(([name]) => !/^(date|x-request-id|ratelimit.*)$/.test(name))
      return { seen: { status: response.status, text, headers }, ms }
    }
    for (const mail of ['off', 'on'] as const) {
      if (mail === 'on') await harness.switchMailOn()
      const known: number[] = []
      const unknown: number[] = []
      const seen = new Set<string>()
      for (let round = 0; round < 25; round++)
        for (const [login, times] of [
          ['ben', known],
          [`nobody${round}`, unknown],
        ] as const) {
          const answer = await ask(login)
          seen.add(JSON.stringify(answer.seen))
          times.push(answer.ms)
        }
      expect([...seen]).toHaveLength(1)
      // Reaching a mail server, or hashing, would make the one many times the other.
      // The least of each: what else the machine does only adds.
      const [least, other] = [Math.min(...known), Math.min(...unknown)]
      expect(least).toBeLessThan(3 * other + 20)
      expect(other).toBeLessThan(3 * least + 20)
    }
    // However often one asks, the box is not filled.
    const mails = () => harness.smtp.mails.filter(({ to }) => to.includes('ben@example.org'))
    await vi.waitFor(() => expect(mails()).toHaveLength(3), { timeout: 120_000, interval: 50 })
    await new Promise((go) => setTimeout(go, 300))
    expect(mails()).toHaveLength(3)
  })

  test('a new address takes the place of the old one only when its link is opened, and the old one is told', async () => {
    const harness = await start()
    const { client, user } = await harness.account('ben', { email: 'old@example.org' })
    expect(await client.call(accountsRoutes.updateMe, { body: { email: 'first@example.org' } })).toMatchObject({
      email: 'first@example.org',
      emailVerified: false,
      pendingEmail: null,
    })
    await harness.switchMailOn()
    expect(await client.call(accountsRoutes.updateMe, { body: { email: 'new@example.org' } })).toMatchObject({
      email: 'first@example.org',
      pendingEmail: 'new@example.org',
    })
    const first = await harness.linkIn('new@example.org')
    expect(await client.call(accountsRoutes.cancelEmailChange, {})).toMatchObject({ pendingEmail: null })
    expect(await harness.guest.refusal(accountsRoutes.verifyEmail, { body: { token: first } })).toMatchObject(invalid)

    await client.call(accountsRoutes.updateMe, { body: { email: 'new@example.org' } })
    await harness.linkIn('new@example.org', 2)
    await client.call(accountsRoutes.sendVerification, {})
    const again = await harness.linkIn('new@example.org', 3)
    expect(await harness.guest.call(accountsRoutes.verifyEmail, { body: { token: again } })).toEqual({})
    expect(await client.call(accountsRoutes.me, {})).toMatchObject({
      email: 'new@example.org',
      emailVerified: true,
      pendingEmail: null,
    })
    const [notice] = await harness.smtp.waitFor('first@example.org')
    expect(notice?.mail.text).toContain('new@example.org')
    expect(await harness.guest.refusal(accountsRoutes.verifyEmail, { body: { token: again } })).toMatchObject(invalid)
    expect(await client.refusal(accountsRoutes.sendVerification, {})).toMatchObject({ code: 'nothing_to_verify' })
    const other = await harness.account('cid', { email: 'cid@example.org' })
    expect(await other.client.refusal(accountsRoutes.updateMe, { body: { email: 'new@example.org' } })).toMatchObject({
      code: 'email_taken',
    })
    expect(await client.call(accountsRoutes.updateMe, { body: { email: null } })).toMatchObject({
      email: null,
      emailVerified: false,
    })
    expect(user.emailVerified).toBe(false)
  })

  test('an address that somebody else took meanwhile is not taken from them by a link', async () => {
    const harness = await start()
    await harness.switchMailOn()
    const { client } = await harness.account('ben')
    await client.call(accountsRoutes.updateMe, { body: { email: 'wanted@example.org' } })
    const token = await harness.linkIn('wanted@example.org')
    await harness.account('cid', { email: 'wanted@example.org' })
    expect(await harness.guest.refusal(accountsRoutes.verifyEmail, { body: { token } })).toMatchObject({
      code: 'email_taken',
    })
    expect(await client.call(accountsRoutes.me, {})).toMatchObject({ email: null })
  })

  test('an invitation by mail is in the mail alone, and shows that the address is the guest’s own', async () => {
    const harness = await start()
    await harness.switchMailOn()
    const { link, sent } = await invite(harness, { email: 'ben@example.org', send: true })
    expect({ link, sent }).toEqual({ link: null, sent: true })
    const token = await harness.linkIn('ben@example.org')
    const [mail] = await harness.smtp.waitFor('ben@example.org')
    expect(mail?.mail.text).toContain(`${appUrl}/invite#${token}`)
    const { user } = signedIn(await harness.guest.call(accountsRoutes.acceptLink, accept(token, 'ben')))
    expect(user).toMatchObject({ email: 'ben@example.org', emailVerified: true })
  })

  test('nobody hands the own account a new password, nor one that signs in with a directory', async () => {
    const harness = await start()
    const link = (id: string) => harness.ann.refusal(routes.passwordLink, { params: { id } })
    expect(await link(harness.annId)).toMatchObject({ status: 409, code: 'own_account' })
    const who = { actor: { kind: 'system', accountId: null } } as const
    const { id } = await harness.accounts.administration.create({ username: 'dora', role: 'user' }, who)
    const { ids } = harness.accounts.signInProviders.provisioning
    await ids.link('ldap', id, { subject: 'd1', attributes: null }, 1)
    expect(await link(id)).toMatchObject({ status: 409, code: 'directory_password' })
    // One that is only provisioned has no other way in yet; one that has a password here may get another.
    await ids.unlink('ldap', id)
    await ids.link('scim', id, { subject: 'd1', attributes: null }, 1)
    await passwordLink(harness, id)
    const { user } = await harness.account('eli')
    await ids.link('ldap', user.id, { subject: 'e1', attributes: null }, 1)
    await passwordLink(harness, user.id)
  })

  test('a disabled account gets no mail, and its links are over', async () => {
    const harness = await start()
    await harness.switchMailOn()
    const { user } = await harness.account('ben', { email: 'ben@example.org' })
    const token = await passwordLink(harness, user.id)
    await harness.accounts.administration.setStatus(user.id, 'disabled')
    await harness.guest.call(accountsRoutes.forgotPassword, { body: { login: 'ben' } })
    expect(await harness.guest.refusal(accountsRoutes.resetPassword, reset(token))).toMatchObject(invalid)
    await expect
      .poll(async () => (await harness.ann.call(auditRoutes.list, { query: { action: 'auth.password.reset' } })).items)
      .toMatchObject([{ details: { reason: expect.stringMatching(/account_disabled|link_invalid/) } }, {}])
    // Of the link that was handed out before it may have been told.
    expect(harness.smtp.mails.filter(({ mail }) => mail.text?.includes('#atl_'))).toEqual([])
  })
})
