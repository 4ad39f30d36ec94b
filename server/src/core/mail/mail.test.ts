/** The settings of outgoing mail, and letters on their way, over HTTP on both databases. */
import { auditRoutes } from '@atrium/contract/audit'
import { mailRoutes as routes } from '@atrium/contract/mail'
import { afterEach, expect, test } from 'vitest'
import { withDatabase } from '../../testing/databases.ts'
import { appUrl, type MailHouse, openMailHouse } from '../../testing/mail-house.ts'
import { type SmtpOptions, startSmtpServer } from '../../testing/smtp.ts'
import type { Environment } from '../../platform/settings/index.ts'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})
const secret = 'sesame-open-the-door'

withDatabase('outgoing mail', (open) => {
  const start = async (smtp: SmtpOptions = {}, environment?: (port: number) => Environment): Promise<MailHouse> => {
    const house = await openMailHouse(open, {
      smtp,
      ...(environment ? { environment: (server) => environment(server.port) } : {}),
    })
    stops.push(house.close)
    return house
  }
  const set = (house: MailHouse, body: Parameters<typeof settingsOf>[0]) =>
    house.ann.call(routes.updateSettings, { body: settingsOf(body) })
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
  const refused = (house: MailHouse, body: object) => house.ann.refusal(routes.updateSettings, { body: body as never })
  const reach = (house: MailHouse) => ({
    ...({ host: 'localhost', port: house.smtp.port, security: 'tls', rejectUnauthorized: false } as const),
    username: 'atrium',
    password: secret,
    from: 'Atrium <atrium@example.org>',
    appUrl,
  })

  test('settings are saved, and the password is in no answer, no row and no line of the log', async () => {
    const house = await start()
    const before = await house.ann.call(routes.settings, {})
    expect(before).toMatchObject({
      available: false,
      enabled: false,
      configured: false,
      port: 587,
      security: 'starttls',
    })
    const after = await set(house, { enabled: true, ...reach(house) })
    expect(after).toMatchObject({ available: true, passwordConfigured: true, recipient: 'ann@example.org' })
    expect(after.sources).toMatchObject({ host: 'saved', password: 'saved', rejectUnauthorized: 'saved' })
    expect(JSON.stringify(after)).not.toContain(secret)
    expect(house.lines.join('')).not.toContain(secret)
    const rows = await house.database
      .tables<{ instance_settings: { value: Uint8Array } }>()
      .selectFrom('instance_settings')
      .select('value')
      .execute()
    expect(rows.map(({ value }) => Buffer.from(value).toString('latin1')).join('')).not.toContain(secret)
    const events = await house.ann.call(auditRoutes.list, { query: { action: 'setting.change' } })
    expect(events.items[0]).toMatchObject({
      targetId: 'email',
      details: { fields: expect.arrayContaining(['password']) },
    })
    expect(JSON.stringify(events)).not.toContain(secret)
  })

  test('others see whether there is mail, and change nothing', async () => {
    const house = await start()
    await house.switchMailOn()
    const { client } = await house.account('ben', { email: 'ben@example.org' })
    expect(await client.call(routes.settings, {})).toEqual({
      available: true,
      enabled: true,
      recipient: 'ben@example.org',
    })
    expect(await client.refusal(routes.updateSettings, { body: { enabled: false } })).toMatchObject({ status: 403 })
    expect(await client.refusal(routes.test, { body: {} })).toMatchObject({ status: 403 })
    expect(await house.guest.refusal(routes.settings, {})).toMatchObject({ status: 401 })
  })

  test('what cannot work is refused with the field that is wrong', async () => {
    const house = await start()
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
      const { status, problem } = await refused(house, body)
      expect({ status, code: problem.code }).toEqual({ status: 400, code: 'validation_failed' })
      expect(problem.errors?.map((error) => error.path)).toContain(path)
    }
    expect(await house.ann.refusal(routes.test, { body: {} })).toMatchObject({
      status: 503,
      code: 'mail_not_configured',
    })
  })

  test('a password belongs to the server it was given for, and goes when another one is named', async () => {
    const house = await start()
    await set(house, reach(house))
    expect(await set(house, { port: house.smtp.port })).toMatchObject({ passwordConfigured: true })
    expect(await set(house, { host: 'elsewhere.example.org' })).toMatchObject({
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
    const house = await start({}, fixed)
    const settings = await house.ann.call(routes.settings, {})
    expect(settings).toMatchObject({
      available: true,
      host: 'localhost',
      sources: { host: 'environment', username: 'default' },
    })
    expect(await refused(house, { host: 'other.example.org' })).toMatchObject({ status: 409, code: 'setting_locked' })
    expect(await set(house, { enabled: false })).toMatchObject({ available: false })
  })

  test('the trial goes through every step and sends a mail to the own address, or to another one', async () => {
    const house = await start({ security: 'tls', user: 'atrium', password: secret })
    await set(house, reach(house))
    const own = await house.ann.call(routes.test, { body: {} })
    expect(own).toMatchObject({ ok: true, authenticated: true, sentTo: 'ann@example.org' })
    expect(own.steps.map(({ step, state }) => `${step} ${state}`)).toEqual([
      ...['resolve ok', 'connect ok', 'secure ok', 'authenticate ok', 'accept ok'],
    ])
    await house.smtp.waitFor('ann@example.org')
    await house.ann.call(routes.test, { body: { to: 'other@example.org' } })
    await house.smtp.waitFor('other@example.org')
  })

  test('the trial stops at the step that fails and says why, without the password', async () => {
    const house = await start({ security: 'tls', user: 'atrium', password: 'another' })
    await set(house, reach(house))
    const trial = await house.ann.call(routes.test, { body: {} })
    expect(trial).toMatchObject({ ok: false, authenticated: false, sentTo: null })
    expect(trial.steps.map(({ step, state }) => `${step} ${state}`)).toEqual([
      ...['resolve ok', 'connect ok', 'secure ok', 'authenticate failed', 'accept skipped'],
    ])
    expect(trial.steps[3]?.detail).toContain('535')
    await set(house, { rejectUnauthorized: true })
    const distrusted = await house.ann.call(routes.test, { body: {} })
    expect(distrusted.steps[2]).toMatchObject({ state: 'failed', detail: expect.stringContaining('certificate') })
    expect(JSON.stringify([trial, distrusted])).not.toContain(secret)
    expect(house.lines.join('')).not.toContain(secret)
  })

  test('a letter goes on being tried while the server is down, and arrives once', async () => {
    const house = await start()
    await house.switchMailOn()
    house.smtp.refuse(2, '451 4.3.0 Later')
    const { mail } = house
    await mail.send({ to: 'ben@example.org', subject: 'Hello', text: 'Hello.' })
    await house.smtp.waitFor('ben@example.org')
    const { port } = house.smtp
    await house.smtp.close()
    await mail.send({ to: 'cid@example.org', subject: 'Hello', text: 'Hello.' })
    await expect.poll(() => house.lines.filter((line) => line.includes('could not be sent')).length).toBeGreaterThan(3)
    const again = await startSmtpServer({ port })
    stops.unshift(again.close)
    await again.waitFor('cid@example.org')
    expect(again.mails).toHaveLength(1)
    expect(house.smtp.mails).toHaveLength(1)
  })

  test('what is refused for good is not sent again, and what is no letter is not kept', async () => {
    const house = await start()
    await house.switchMailOn()
    house.smtp.refuse(1, '550 5.1.0 Never')
    await house.mail.send({ to: 'ben@example.org', subject: 'Hello', text: 'Hello.' })
    const letters = () =>
      house.database.tables<{ mail_letters: { id: string } }>().selectFrom('mail_letters').select('id').execute()
    await expect.poll(letters).toEqual([])
    expect(house.smtp.commands.filter((line) => line.startsWith('MAIL'))).toHaveLength(1)
    const bad = { to: 'ben@example.org', subject: 'Hello\r\nBcc: eve@example.org', text: 'Hello.' }
    await expect(house.mail.send(bad)).rejects.toThrow()
    expect(await letters()).toEqual([])
  })

  test('a letter to an account that is disabled meanwhile stays here', async () => {
    const house = await start()
    await house.switchMailOn()
    const { user } = await house.account('ben', { email: 'ben@example.org' })
    await house.accounts.administration.setStatus(user.id, 'disabled')
    await house.mail.send({ accountId: user.id, to: 'ben@example.org', subject: 'Hello', text: 'Hello.' })
    await house.mail.send({ to: 'cid@example.org', subject: 'Hello', text: 'Hello.' })
    await house.smtp.waitFor('cid@example.org')
    expect(house.smtp.mails).toHaveLength(1)
  })

  test('a server that says nothing holds nobody up', async () => {
    const house = await start({ silent: true })
    await house.switchMailOn()
    const answer = await house.ann.call(routes.settings, {})
    expect(answer.available).toBe(true)
    // Returns although nobody at the other end will ever speak.
    await house.mail.send({ to: 'ben@example.org', subject: 'Hello', text: 'Hello.' })
  })
})
