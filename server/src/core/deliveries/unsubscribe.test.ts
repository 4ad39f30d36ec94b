/** The whole way of a letter: chosen on the settings page, written by what happens, stopped by a program without a session. */
import { accessRoutes } from '@atrium/contract/access'
import { accountDataRoutes } from '@atrium/contract/account-data'
import { accountsRoutes } from '@atrium/contract/accounts'
import { deliveriesRoutes } from '@atrium/contract/deliveries'
import { documentsRoutes } from '@atrium/contract/documents'
import { notificationsRoutes } from '@atrium/contract/notifications'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import type { Client } from '../../testing/client.ts'
import { type SmtpServer, startSmtpServer } from '../../testing/smtp.ts'

const to = 'ben@example.org'
const oneClick = {
  method: 'POST',
  body: 'List-Unsubscribe=One-Click',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
}

describe.each(['sqlite', 'postgres'] as const)('letters and their end on %s', (dialect) => {
  let smtp: SmtpServer
  let app: TestApp
  let admin: Client
  let ben: Client
  let benId = ''

  beforeAll(async () => {
    smtp = await startSmtpServer()
    const env = {
      SMTP_HOST: 'localhost',
      SMTP_PORT: String(smtp.port),
      SMTP_SECURITY: 'none',
      SMTP_FROM: 'Atrium <atrium@example.org>',
      BASE_URL: 'https://atrium.example.org',
    }
    app = await startTestApp({ dialect, env })
    admin = await app.signUpAdmin()
    ben = await app.signUpUser('ben')
    const me = await ben.call(accountsRoutes.me, {})
    benId = me.id
    await ben.call(accountsRoutes.updateMe, { body: { email: to } })
    const [received] = await smtp.waitFor(to)
    const [, token = ''] = /#(atl_[\w-]{43})/.exec(received?.mail.text ?? '') ?? []
    await app.client().call(accountsRoutes.verifyEmail, { body: { token } })
  })
  afterAll(async () => {
    await app?.close()
    await smtp?.close()
  })

  const share = async (name: string) => {
    const { id } = await admin.call(documentsRoutes.createCollection, { body: { name } })
    const whom = { principalType: 'account', principalId: benId } as const
    await admin.call(accessRoutes.grant, { body: { resourceType: 'collection', resourceId: id, ...whom } })
  }
  const choose = async (mail: 'off' | 'now') => {
    const { kinds } = await ben.call(notificationsRoutes.preferences, {})
    await ben.call(notificationsRoutes.updatePreferences, { body: { kinds: { share: { ...kinds.share, mail } } } })
  }
  const mailOfShares = async () => (await ben.call(notificationsRoutes.preferences, {})).kinds.share.mail
  const shares = () => smtp.mails.filter(({ mail }) => mail.subject === 'Shared with you · Atrium')

  test('a kind that was chosen comes once; a click stops that kind, without a session, as often as it is made', async () => {
    expect((await ben.call(notificationsRoutes.preferences, {})).ways).toContain('mail')
    expect(await mailOfShares()).toBe('off')
    await choose('now')
    await share('Plans')
    await expect.poll(() => shares().length).toBe(1)
    const header = shares()[0]?.mail.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? ''
    const { pathname } = new URL(header.slice(1, -1))
    const guest = app.client()

    const page = await guest.raw(pathname, { redirect: 'manual' })
    expect([page.status, page.headers.get('location')]).toEqual([302, `/unsubscribe#${pathname.split('/').at(-1)}`])
    expect(await mailOfShares()).toBe('now')

    for (const again of [1, 2]) {
      const answer = await guest.raw(pathname, oneClick)
      expect([again, answer.status, await answer.json()]).toEqual([again, 200, { kind: 'share' }])
      expect(await mailOfShares()).toBe('off')
    }
    await choose('now')
    await share('Recipes')
    await expect.poll(() => shares().length).toBe(2)
    expect(JSON.stringify(app.lines)).not.toContain(pathname)

    const [, token = ''] = /unsubscribe\/(.+)$/.exec(pathname) ?? []
    const [account = '', kind = '', mac = ''] = token.split('.')
    const { id: adminId } = await admin.call(accountsRoutes.me, {})
    const wrong = [
      ...['x', `${account}.${kind}`, `${account}.${kind}.`, `${account}.${kind}.${'0'.repeat(64)}`, `${token}0`],
      ...[`${account}.mention.${mac}`, `${adminId}.${kind}.${mac}`, `${account}.nothing.${mac}`, `.${kind}.${mac}`],
      `${account}.${kind}.${mac.toUpperCase()}x`,
    ]
    for (const each of wrong) {
      for (const init of [oneClick, {}]) {
        const answer = await guest.raw(`/api/unsubscribe/${each}`, init)
        const { code } = (await answer.json()) as { code: string }
        expect([each, answer.status, code]).toEqual([each, 404, 'unsubscribe_link_not_found'])
      }
    }
    expect(await mailOfShares()).toBe('now')
  })

  test('letters of security are no choice, and a link of an account that is gone stops nothing', async () => {
    const { kinds } = await ben.call(notificationsRoutes.preferences, {})
    const body = { kinds: { security: { ...kinds.security, mail: 'now' as const } } }
    expect(await ben.refusal(notificationsRoutes.updatePreferences, { body })).toMatchObject({
      status: 400,
      code: 'validation_failed',
    })
    const header = shares()[0]?.mail.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? ''
    const token = new URL(header.slice(1, -1)).pathname.split('/').at(-1) ?? ''
    await admin.call(accountDataRoutes.remove, { params: { id: benId } })
    const call = { params: { token }, file: new Blob(['List-Unsubscribe=One-Click']) }
    expect(await app.client().refusal(deliveriesRoutes.unsubscribe, call)).toMatchObject({
      status: 404,
      code: 'unsubscribe_link_not_found',
    })
  })
})
