/** The settings of outgoing mail, and letters on their way, over HTTP on both databases. */
import { auditRoutes } from '@atrium/contract/audit'
import { mailRoutes as routes } from '@atrium/contract/mail'
import { afterEach, expect, test } from 'vitest'
import { withDatabase } from '../../testing/databases.ts'
import { appUrl, type MailHarness, openMailHarness } from '../../testing/mail-harness.ts'
import { type SmtpOptions, startSmtpServer } from '../../testing/smtp.ts'
import type { Environment } from '../../platform/settings/index.ts'
import { mailJob } from './index.ts'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})
const secret = 'sesame-open-the-door'

withDatabase('outgoing mail', (open) => {
  const start = async (smtp: SmtpOptions = {}, environment?: (port: number) => Environment): Promise<MailHarness> => {
    const harness = await openMailHarness(open, {
      smtp,
      ...(environment ? { environment: (server) => environment(server.port) } : {}),
    })
    stops.push(harness.close)
    return harness
  }
  const set = (harness: MailHarness, body: Parameters<typeof settingsOf>[0]) =>
    harness.ann.call(routes.updateSettings, { body: settingsOf(body) })
  const settingsOf = (body: {
    enabled?: boolean
    host?: string
    port?: number | null
    security?: 'tls' | 'starttls' | 'none'
    username?: string
    password?: string
    from?: string
    rejectUnauthorized?: boolean
    appUrl?: string
  }) => body
  const refused = (harness: MailHarness, body: object) =>
    harness.ann.refusal(routes.updateSettings, { body: body as never })
  const reach = (harness: MailHarness) => ({
    ...({ host: 'localhost', port: harness.smtp.port, security: 'tls', rejectUnauthorized: false } as const),
    username: 'atrium',
    password: secret,
    from: 'Atrium <atrium@example.org>',
    appUrl,
  })

  test('settings are saved, and the password is in no answer, no row and no line of the log', async () => {
    const harness = await start()
    const before = await harness.ann.call(routes.settings, {})
    expect(before).toMatchObject({
      available: false,
      enabled: false,
      configured: false,
      port: 587,
      security: 'starttls',
    })
    const after = await set(harness, { enabled: true, ...reach(harness) })
    expect(after).toMatchObject({ available: true, passwordConfigured: true, recipient: 'ann@example.org' })
    expect(after.sources).toMatchObject({ host: 'saved', password: 'saved', rejectUnauthorized: 'saved' })
    expect(JSON.stringify(after)).not.toContain(secret)
    expect(harness.lines.join('')).not.toContain(secret)
    const rows = await harness.database
      .tables<{ instance_settings: { value: Uint8Array } }>()
      .selectFrom('instance_settings')
      .select('value')
      .execute()
    expect(rows.map(({ value }) => Buffer.from(value).toString('latin1')).join('')).not.toContain(secret)
    const events = await harness.ann.call(auditRoutes.list, { query: { action: 'setting.change' } })
    expect(events.items[0]).toMatchObject({
      targetId: 'email',
      details: { fields: expect.arrayContaining(['password']) },
    })
    expect(JSON.stringify(events)).not.toContain(secret)
  })

  test('others see whether there is mail, and change nothing', async () => {
    const harness = await start()
    await harness.switchMailOn()
    const { client } = await harness.account('ben', { email: 'ben@example.org' })
    expect(await client.call(routes.settings, {})).toEqual({
      available: true,
      enabled: true,
      recipient: 'ben@example.org',
    })
    expect(await client.refusal(routes.updateSettings, { body: { enabled: false } })).toMatchObject({ status: 403 })
    expect(await client.refusal(routes.test, { body: {} })).toMatchObject({ status: 403 })
    expect(await harness.guest.refusal(routes.settings, {})).toMatchObject({ status: 401 })
  })

  test('what cannot work is refused with the field that is wrong', async () => {
    const harness = await start()
    for (const [body, path] of [
      [{ enabled: true }, 'body.host'],
      [{ username: 'atrium' }, 'body.password'],
      [{ from: 'nobody' }, 'body.from'],
      [{ from: 'Atrium\r\nBcc: eve@example.org <a@example.org>' }, 'body.from'],
      [{ username: 'a\nb', password: 'x' }, 'body.username'],
      [{ host: 'mail.example.org/x' }, 'body.host'],
      [{ host: 'mail example' }, 'body.host'],
      [{ appUrl: 'javascript:alert(1)' }, 'body.appUrl'],
      [{ port: 70_000 }, 'body.port'],
    ] as const) {
      const { status, problem } = await refused(harness, body)
      expect({ status, code: problem.code }).toEqual({ status: 400, code: 'validation_failed' })
      expect(problem.errors?.map((error) => error.path)).toContain(path)
    }
    expect(await harness.ann.refusal(routes.test, { body: {} })).toMatchObject({
      status: 503,
      code: 'mail_not_configured',
    })
  })

  test('a password belongs to the server it was given for, and goes when another one is named', async () => {
    const harness = await start()
    await set(harness, reach(harness))
    expect(await set(harness, { port: harness.smtp.port })).toMatchObject({ passwordConfigured: true })
    expect(await set(harness, { host: 'elsewhere.example.org' })).toMatchObject({
      passwordConfigured: false,
      username: '',
    })
  })

  test('the environment wins, says so, and cannot be changed', async () => {
    const fixed = (port: number): Environment => ({
      SMTP_HOST: 'localhost',
      SMTP_PORT: String(port),
      SMTP_SECURITY: 'none',
      SMTP_FROM: 'atrium@example.org',
      BASE_URL: appUrl,
    })
    const harness = await start({}, fixed)
    const settings = await harness.ann.call(routes.settings, {})
    expect(settings).toMatchObject({
      available: true,
      host: 'localhost',
      sources: { host: 'environment', username: 'default' },
    })
    expect(await refused(harness, { host: 'other.example.org' })).toMatchObject({ status: 409, code: 'setting_locked' })
    expect(await set(harness, { enabled: false })).toMatchObject({ available: false })
  })

  test('the trial goes through every step and sends a mail to the own address, or to another one', async () => {
    const harness = await start({ security: 'tls', user: 'atrium', password: secret })
    await set(harness, reach(harness))
    const own = await harness.ann.call(routes.test, { body: {} })
    expect(own).toMatchObject({ ok: true, authenticated: true, sentTo: 'ann@example.org' })
    expect(own.steps.map(({ step, state }) => `${step} ${state}`)).toEqual([
      ...['resolve ok', 'connect ok', 'secure ok', 'authenticate ok', 'accept ok'],
    ])
    await harness.smtp.waitFor('ann@example.org')
    await harness.ann.call(routes.test, { body: { to: 'other@example.org' } })
    await harness.smtp.waitFor('other@example.org')
  })

  test('the trial stops at the step that fails and says why, without the password', async () => {
    const harness = await start({ security: 'tls', user: 'atrium', password: 'another' })
    await set(harness, reach(harness))
    const trial = await harness.ann.call(routes.test, { body: {} })
    expect(trial).toMatchObject({ ok: false, authenticated: false, sentTo: null })
    expect(trial.steps.map(({ step, state }) => `${step} ${state}`)).toEqual([
      ...['resolve ok', 'connect ok', 'secure ok', 'authenticate failed', 'accept skipped'],
    ])
    expect(trial.steps[3]?.detail).toContain('535')
    await set(harness, { rejectUnauthorized: true })
    const distrusted = await harness.ann.call(routes.test, { body: {} })
    expect(distrusted.steps[2]).toMatchObject({ state: 'failed', detail: expect.stringContaining('certificate') })
    expect(JSON.stringify([trial, distrusted])).not.toContain(secret)
    expect(harness.lines.join('')).not.toContain(secret)
  })

  test('a letter goes on being tried while the server is down, and arrives once', async () => {
    const harness = await start()
    await harness.switchMailOn()
    harness.smtp.refuse(2, '451 4.3.0 Later')
    const { mail } = harness
    await mail.send({ to: 'ben@example.org', subject: 'Hello', text: 'Hello.' })
    await harness.smtp.waitFor('ben@example.org')
    const { port } = harness.smtp
    await harness.smtp.close()
    await mail.send({ to: 'cid@example.org', subject: 'Hello', text: 'Hello.' })
    await expect
      .poll(() => harness.lines.filter((line) => line.includes('could not be sent')).length)
      .toBeGreaterThan(3)
    const again = await startSmtpServer({ port })
    stops.unshift(again.close)
    await again.waitFor('cid@example.org')
    expect(again.mails).toHaveLength(1)
    expect(harness.smtp.mails).toHaveLength(1)
  })

  test('what is refused for good is sent no more, until somebody has it tried again', async () => {
    const harness = await start()
    await harness.switchMailOn()
    harness.smtp.refuse(1, '550 5.1.0 Never')
    await harness.mail.send({ to: 'ben@example.org', subject: 'Hello', text: 'Hello.' })
    const letters = () =>
      harness.database
        .tables<{ mail_letters: { id: string; refused_at: number | null } }>()
        .selectFrom('mail_letters')
        .select(['id', 'refused_at'])
        .execute()
    await expect.poll(letters).toMatchObject([{ refused_at: expect.any(Number) }])
    expect(harness.smtp.commands.filter((line) => line.startsWith('MAIL'))).toHaveLength(1)
    const bad = { to: 'ben@example.org', subject: 'Hello\r\nBcc: eve@example.org', text: 'Hello.' }
    await expect(harness.mail.send(bad)).rejects.toThrow()
    const [letter, ...more] = await letters()
    expect(more).toEqual([])
    await harness.jobs.enqueue(mailJob, { letterId: letter?.id }, { accountId: null })
    await harness.smtp.waitFor('ben@example.org')
    await expect.poll(letters).toEqual([])
  })

  test('a letter to an account that is disabled meanwhile stays here', async () => {
    const harness = await start()
    await harness.switchMailOn()
    const { user } = await harness.account('ben', { email: 'ben@example.org' })
    await harness.accounts.administration.setStatus(user.id, 'disabled')
    await harness.mail.send({ accountId: user.id, to: 'ben@example.org', subject: 'Hello', text: 'Hello.' })
    await harness.mail.send({ to: 'cid@example.org', subject: 'Hello', text: 'Hello.' })
    await harness.smtp.waitFor('cid@example.org')
    expect(harness.smtp.mails).toHaveLength(1)
  })

  test('a server that says nothing holds nobody up', async () => {
    const harness = await start({ silent: true })
    await harness.switchMailOn()
    const answer = await harness.ann.call(routes.settings, {})
    expect(answer.available).toBe(true)
    // Returns although nobody at the other end will ever speak.
    await harness.mail.send({ to: 'ben@example.org', subject: 'Hello', text: 'Hello.' })
  })
})
