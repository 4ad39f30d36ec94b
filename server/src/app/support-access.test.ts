/** Support access over the whole app: its owner learns of it by mail as well. */
import { accessRoutes } from '@atrium/contract/access'
import { accountsRoutes } from '@atrium/contract/accounts'
import { mailRoutes } from '@atrium/contract/mail'
import { userAdministrationRoutes } from '@atrium/contract/user-administration'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, startTestApp, testPassword as password } from '../testing/app.ts'
import { type SmtpServer, startSmtpServer } from '../testing/smtp.ts'
import { usualDialects } from '../testing/databases.ts'

describe.each(usualDialects)('support access (%s)', (dialect) => {
  let smtp: SmtpServer
  let app: TestApp
  beforeAll(async () => {
    smtp = await startSmtpServer()
    app = await startTestApp({ dialect })
  })
  afterAll(async () => {
    await app?.close()
    await smtp?.close()
  })

  test('is told to its owner by mail when it begins: by whom, why, and until when', async () => {
    const admin = await app.signUpAdmin()
    await admin.call(mailRoutes.updateSettings, {
      body: {
        enabled: true,
        host: 'localhost',
        port: smtp.port,
        security: 'none',
        appUrl: 'https://atrium.example.org',
        from: 'Atrium <atrium@example.org>',
      },
    })
    const ben = await app.signUpUser('ben')
    const { id } = await ben.call(accountsRoutes.me, {})
    await admin.call(userAdministrationRoutes.update, { params: { id }, body: { email: 'ben@example.org' } })
    const reason = 'His chats do not open.\n\nhttps://evil.example/a'
    const body = { accountId: id, reason, hours: 1, password }
    const { expiresAt } = await admin.call(accessRoutes.startBreakGlass, { body })
    const [letter] = await smtp.waitFor('ben@example.org')
    const text = letter?.mail.text ?? ''
    expect(text).toContain('admin')
    expect(text).toContain('“His chats do not open. https://evil.example/a”')
    expect(text).toContain(`${expiresAt.slice(11, 16)} UTC`)
    // What an administrator writes is quoted; it never becomes a link of the letter.
    expect(letter?.mail.html).not.toContain('href')
  })
})
