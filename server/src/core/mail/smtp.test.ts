import { afterEach, describe, expect, test } from 'vitest'
import { makeCertificate } from '../../testing/certificate.ts'
import { type SmtpOptions, type SmtpServer, startSmtpServer } from '../../testing/smtp.ts'
import { MailMessage } from './letter.ts'
import { sendLetter, MailFailure, type MailServer } from './smtp.ts'

const servers: SmtpServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

const start = async (options: SmtpOptions = {}) => {
  const server = await startSmtpServer(options)
  servers.push(server)
  return server
}
const reach = (server: SmtpServer, more: Partial<MailServer> = {}): MailServer => ({
  host: 'localhost',
  port: server.port,
  security: 'none',
  username: '',
  password: '',
  from: 'Atrium <atrium@example.org>',
  rejectUnauthorized: false,
  ...more,
})
const letter = MailMessage.parse({
  to: 'ann@example.org',
  subject: 'Grüße, سلام',
  text: 'One.\n\nhttps://x.example/#t\n\nTwo.',
})
const failureOf = async (work: Promise<void>): Promise<MailFailure> => {
  try {
    await work
  } catch (error) {
    if (error instanceof MailFailure) return error
    throw error
  }
  throw new Error('it went well')
}
const who = { user: 'atrium', password: 'sesame, öffne dich' }
const named = { username: who.user, password: who.password }

describe('a conversation with a mail server', () => {
  test('a letter arrives in both forms, with its subject in every script', async () => {
    const server = await start()
    await sendLetter(reach(server), letter)
    const [mail] = await server.waitFor('ann@example.org')
    expect(mail).toMatchObject({ from: 'atrium@example.org', to: ['ann@example.org'], encrypted: false })
    expect(mail?.mail.subject).toBe('Grüße, سلام')
    expect(mail?.mail.from).toMatchObject({ name: 'Atrium', address: 'atrium@example.org' })
    expect(mail?.mail.text?.trim()).toBe(letter.text)
    expect(mail?.mail.html).toContain('<a href="https://x.example/#t"')
    expect(mail?.raw).toContain('Auto-Submitted: auto-generated')
  })

  test.each([
    ['tls', 'PLAIN'],
    ['tls', 'LOGIN'],
    ['starttls', 'PLAIN'],
    ['starttls', 'LOGIN'],
    ['none', 'PLAIN'],
  ] as const)('it signs in over %s with %s, and tells each step', async (security, mechanism) => {
    const server = await start({ security, ...who, mechanisms: [mechanism] })
    const steps: string[] = []
    await sendLetter(reach(server, { security, ...named }), letter, {
      note: (step, state) => steps.push(`${step} ${state}`),
    })
    expect(steps).toEqual([
      ...['resolve ok', 'connect ok', security === 'none' ? 'secure skipped' : 'secure ok'],
      ...['authenticate ok', 'accept ok'],
    ])
    const [mail] = await server.waitFor('ann@example.org')
    expect(mail).toMatchObject({ user: who.user, encrypted: security !== 'none' })
  })

  test('the password is never said where encryption was wanted and is not to be had', async () => {
    const server = await start({ security: 'none', ...who })
    const failure = await failureOf(sendLetter(reach(server, { security: 'starttls', ...named }), letter))
    expect(failure.step).toBe('secure')
    expect(failure.message).toBe('The server doesn’t offer encryption at this port. Nothing was sent.')
    expect(
      server.commands.filter((line) => !line.startsWith('EHLO') && line !== 'STARTTLS' && line !== 'QUIT'),
    ).toEqual([])
  })

  test('a certificate that cannot be trusted is told plainly, and nothing is said past it', async () => {
    const trials = [
      [makeCertificate(), /doesn’t trust the issuer/],
      [makeCertificate({ until: Date.UTC(2021, 0, 1) }), /expired|doesn’t trust the issuer/],
    ] as const
    for (const [certificate, words] of trials)
      for (const security of ['tls', 'starttls'] as const) {
        const server = await start({ security, ...who, certificate })
        const failure = await failureOf(
          sendLetter(reach(server, { security, ...named, rejectUnauthorized: true }), letter),
        )
        expect(failure).toMatchObject({ step: 'secure', isFinal: true })
        expect(failure.message).toMatch(words)
        expect(server.commands.some((line) => line.startsWith('AUTH'))).toBe(false)
        expect(server.mails).toEqual([])
      }
  })

  test('a wrong password, a refusal for good and one for now are told apart', async () => {
    const server = await start({ security: 'tls', ...who })
    const wrong = await failureOf(sendLetter(reach(server, { security: 'tls', ...named, password: 'no' }), letter))
    expect(wrong).toMatchObject({ step: 'authenticate', isFinal: true })
    expect(wrong.message).toContain('535')
    server.refuse(1, '451 4.3.0 Later')
    const later = await failureOf(sendLetter(reach(server, { security: 'tls', ...named }), letter))
    expect(later).toMatchObject({ step: 'accept', isFinal: false })
    server.refuse(1, '550 5.1.0 Never')
    const never = await failureOf(sendLetter(reach(server, { security: 'tls', ...named }), letter))
    expect(never).toMatchObject({ step: 'accept', isFinal: true })
  })

  test('nobody at the port, an unknown host and networks that are never called are told by their step', async () => {
    const server = await start()
    await server.close()
    expect(await failureOf(sendLetter(reach(server), letter))).toMatchObject({ step: 'connect', isFinal: false })
    const unknown = await failureOf(sendLetter(reach(server, { host: 'nowhere.invalid' }), letter))
    expect(unknown).toMatchObject({ step: 'resolve', isFinal: false })
    const metadata = await failureOf(sendLetter(reach(server, { host: '169.254.169.254' }), letter))
    expect(metadata).toMatchObject({ step: 'resolve', isFinal: true })
  })

  test('a server that wants TLS from the first byte, or does not, is told when the other was chosen', async () => {
    const open = await start()
    const failure = await failureOf(sendLetter(reach(open, { security: 'tls' }), letter))
    expect(failure).toMatchObject({ step: 'secure' })
    expect(failure.message).toContain('STARTTLS')
  })
})

describe('a letter', () => {
  const good = { to: 'ann@example.org', subject: 'Hello', text: 'Hello.' }
  test.each([
    { subject: 'Hello\r\nBcc: eve@example.org' },
    { subject: 'Hello\nX: y' },
    { to: 'ann@example.org\r\nRCPT TO:<eve@example.org>' },
    { to: 'ann@example.org, eve@example.org' },
    { to: 'Ann <ann@example.org>' },
    { to: 'ann@example.org>\r\nDATA' },
  ])('that would begin another header or recipient is none: %j', (change) => {
    expect(MailMessage.safeParse(good).success).toBe(true)
    expect(MailMessage.safeParse({ ...good, ...change }).success).toBe(false)
  })

  test('its lines stay lines, whatever begins them', async () => {
    const server = await start()
    const text = '.\n.hidden\n\nQUIT\n\n<script>alert(1)</script>'
    await sendLetter(reach(server), MailMessage.parse({ ...good, text }))
    const [mail] = await server.waitFor(good.to)
    expect(mail?.mail.text?.trim()).toBe(text)
    expect(mail?.mail.html).toContain('&lt;script&gt;')
  })
})
