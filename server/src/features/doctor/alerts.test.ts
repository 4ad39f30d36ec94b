/** Alerts: told once, by page and by mail, and ended when what was wrong is well again. */
import { chmod } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { accountsRoutes } from '@atrium/contract/accounts'
import { doctorRoutes } from '@atrium/contract/doctor'
import { notificationsRoutes } from '@atrium/contract/notifications'
import { settingsRoutes } from '@atrium/contract/settings'
import { systemRoutes } from '@atrium/contract/system'
import { webhooksRoutes } from '@atrium/contract/webhooks'
import { describe, expect, test, vi } from 'vitest'
import { startTestApp, testPassword } from '../../testing/app.ts'
import type { Client } from '../../testing/client.ts'
import { signedIn } from '../../testing/sign-in.ts'
import { startSmtpServer } from '../../testing/smtp.ts'

describe.each(['sqlite', 'postgres'] as const)('administrators (%s)', (dialect) => {
  test('are told once of what is wrong until it is well again, on open pages, by mail and by webhook', async () => {
    const hooked: { type: string; data: { id: string } }[] = []
    const receiver = createServer((request, response) => {
      void Array.fromAsync(request).then((pieces) => {
        hooked.push(JSON.parse(Buffer.concat(pieces as Buffer[]).toString()))
        response.end()
      })
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    const place = `127.0.0.1:${(receiver.address() as AddressInfo).port}`
    const smtp = await startSmtpServer()
    const mail = {
      SMTP_HOST: '127.0.0.1',
      SMTP_PORT: String(smtp.port),
      SMTP_SECURITY: 'none',
      SMTP_FROM: 'a@example.org',
    }
    const env = { ...mail, BASE_URL: 'http://atrium.example.org' }
    const app = await startTestApp({ dialect, env, overrides: { lookEveryMs: 100 } })
    try {
      const admin = await app.signUpAdmin()
      const email = 'admin@example.org'
      await app.accounts.createAccount({ username: 'ann', password: testPassword, email, role: 'admin' })
      // Who wants no mail of alerts gets none, and sees them in the inbox.
      const login = { username: 'quiet', password: testPassword }
      await app.accounts.createAccount({ ...login, email: 'quiet@example.org', role: 'admin' })
      const quiet = app.client(signedIn(await app.client().call(accountsRoutes.login, { body: login })).token)
      const user = await app.signUpUser()
      const noticesOf = async (client: Client) =>
        (await client.call(notificationsRoutes.list, { query: { kind: 'alert' } })).items.flatMap(({ kind, facts }) =>
          kind === 'alert' && facts.check === 'key' ? [facts.status] : [],
        )
      const { kinds } = await quiet.call(notificationsRoutes.preferences, {})
      expect(kinds.alert).toMatchObject({ app: true, mail: 'now' })
      const body = { kinds: { alert: { ...kinds.alert, mail: 'off' as const } } }
      await quiet.call(notificationsRoutes.updatePreferences, { body })
      const alerts = async () => (await admin.call(doctorRoutes.alerts, {})).items
      const told = (async () => {
        for await (const { event } of admin.follow(systemRoutes.events, { query: { after: 0 } }))
          if (event.type === 'alerts-changed') return true
        return false
      })()
      await admin.call(settingsRoutes.updateInstance, { body: { privateAddresses: [place] } })
      const hook = { name: 'Pager', url: `http://${place}/`, events: ['*'] }
      await admin.call(webhooksRoutes.createWebhook, { body: { ...hook, of: 'instance' } })
      const key = join(app.dataDir, 'encryption.key')
      await chmod(key, 0o644)
      await vi.waitFor(
        async () => {
          expect(await alerts()).toContainEqual(expect.objectContaining({ id: 'key', host: hostname() }))
        },
        { timeout: 120_000, interval: 500 },
      )
      expect(await told).toBe(true)
      const letters = await smtp.waitFor(email)
      expect(letters.at(-1)?.mail.text).toContain(`${hostname()}: The key file ${key} is readable by others`)
      expect(await user.refusal(doctorRoutes.alerts, {})).toMatchObject({ status: 403 })
      expect([await noticesOf(admin), await noticesOf(quiet)]).toEqual([['fail'], ['fail']])
      expect(await noticesOf(user)).toEqual([])

      await chmod(key, 0o600)
      await vi.waitFor(
        async () => {
          expect((await alerts()).map(({ id }) => id)).not.toContain('key')
        },
        { timeout: 120_000, interval: 500 },
      )
      expect((await smtp.waitFor(email)).filter(({ mail: { text } }) => text?.includes('is readable'))).toHaveLength(1)
      expect([await noticesOf(admin), await noticesOf(quiet)]).toEqual([[], []])
      expect(smtp.mails.filter(({ mail: { text } }) => text?.includes('is readable'))).toHaveLength(1)
      const ofKey = () => hooked.filter(({ data }) => data.id === 'key').map(({ type }) => type)
      await expect.poll(ofKey).toEqual(['alert.started', 'alert.ended'])
    } finally {
      receiver.close()
      await app.close()
      await smtp.close()
    }
  })
})
