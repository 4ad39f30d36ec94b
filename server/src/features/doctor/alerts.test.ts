/** Alerts: told once, by page and by mail, and ended when what was wrong is well again. */
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { accountsRoutes } from '@atrium/contract/accounts'
import { doctorRoutes } from '@atrium/contract/doctor'
import { systemRoutes } from '@atrium/contract/system'
import { describe, expect, test, vi } from 'vitest'
import { startTestApp, testPassword } from '../../testing/app.ts'
import { testClock } from '../../testing/clock.ts'
import { startSmtpServer } from '../../testing/smtp.ts'
import { updateAlerts } from './alerts.ts'

describe('an alert', () => {
  const found = (status: 'pass' | 'warn' | 'fail', message = 'seen') => [{ id: 'disk', status, message, fixes: [] }]

  test('keeps its beginning while it lasts, and ends after two passes in a row', () => {
    const seen = updateAlerts({}, found('warn', 'nearly full'), 1000)
    expect(seen).toEqual({ disk: { status: 'warn', message: 'nearly full', since: 1000, looks: 1, passes: 0 } })
    const worse = updateAlerts(seen, found('fail', 'full'), 2000)
    expect(worse).toEqual({ disk: { status: 'fail', message: 'full', since: 1000, looks: 2, passes: 0 } })
    const better = updateAlerts(worse, found('pass'), 3000)
    expect(better['disk']).toMatchObject({ status: 'fail', passes: 1 })
    expect(updateAlerts(better, found('fail', 'full'), 4000)['disk']).toMatchObject({
      since: 1000,
      looks: 2,
      passes: 0,
    })
    expect(updateAlerts(better, found('pass'), 4000)).toEqual({})
  })

  test('is forgotten when it was a warning that was seen once only, and stays as it was when the check could not be made', () => {
    expect(updateAlerts(updateAlerts({}, found('warn'), 1000), found('pass'), 2000)).toEqual({})
    const open = { disk: { status: 'fail' as const, message: 'full', since: 1, looks: 2, passes: 0 } }
    expect(updateAlerts(open, [], 2)).toEqual(open)
    expect(updateAlerts({}, found('pass'), 2)).toEqual({})
  })
})

describe.each(['sqlite', 'postgres'] as const)('administrators (%s)', (dialect) => {
  test('are told once of what is wrong until it is well again, on open pages and by mail', async () => {
    const clock = testClock()
    const smtp = await startSmtpServer()
    const mail = {
      SMTP_HOST: '127.0.0.1',
      SMTP_PORT: String(smtp.port),
      SMTP_SECURITY: 'none',
      SMTP_FROM: 'a@example.org',
    }
    const env = { ...mail, BASE_URL: 'http://atrium.example.org' }
    const app = await startTestApp({ dialect, env, overrides: { clock } })
    try {
      const admin = await app.signUpAdmin()
      const email = 'admin@example.org'
      await app.accounts.createAccount({ username: 'ann', password: testPassword, email, role: 'admin' })
      const user = await app.signUpUser()
      const alerts = async () => (await admin.call(doctorRoutes.alerts, {})).items
      /** Five minutes later; a new job has the others that are due looked for. */
      const pass = async () => {
        clock.advance(5 * 60_000 + 1000)
        await app.client().call(accountsRoutes.forgotPassword, { body: { login: 'nobody@example.org' } })
      }
      const told = (async () => {
        for await (const { event } of admin.follow(systemRoutes.events, { query: { after: 0 } }))
          if (event.type === 'alerts-changed') return true
        return false
      })()
      const key = join(app.dataDir, 'encryption.key')
      await chmod(key, 0o644)
      await vi.waitFor(
        async () => {
          await pass()
          expect((await alerts()).map(({ id }) => id)).toContain('key')
        },
        { timeout: 20_000, interval: 500 },
      )
      expect(await told).toBe(true)
      const letters = await smtp.waitFor(email)
      expect(letters.at(-1)?.mail.text).toContain('can be read by others')
      expect(await user.refusal(doctorRoutes.alerts, {})).toMatchObject({ status: 403 })

      await chmod(key, 0o600)
      await vi.waitFor(
        async () => {
          await pass()
          expect((await alerts()).map(({ id }) => id)).not.toContain('key')
        },
        { timeout: 20_000, interval: 500 },
      )
      expect((await smtp.waitFor(email)).filter(({ mail: { text } }) => text?.includes('can be read'))).toHaveLength(1)
    } finally {
      await app.close()
      await smtp.close()
    }
  })
})
