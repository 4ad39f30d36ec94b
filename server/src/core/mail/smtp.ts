/** One conversation with an SMTP server (RFC 5321), step by step, so that each one can be told. */
import type { Socket } from 'node:net'
import type { MailSecurity, MailStep } from '@atrium/contract/mail'
import type SmtpConnection from 'nodemailer/lib/smtp-connection'
import { isRefusal } from '../../platform/http/refusal.ts'
import { maskText } from '../../platform/log/mask.ts'
import { openSocket, resolveHost } from '../../platform/outbound/socket.ts'
import { OutboundFailure } from '../../platform/outbound/types.ts'
import { htmlOf, type MailMessage, readSender } from './letter.ts'

/** Where mail is handed in, and how. */
export interface MailServer {
  readonly host: string
  readonly port: number
  readonly security: MailSecurity
  readonly username: string
  readonly password: string
  readonly from: string
  readonly rejectUnauthorized: boolean
}

/** A step that failed. `detail` is for people; it holds no secret. */
export class MailFailure extends Error {
  readonly step: MailStep
  /** Another try would only repeat it. */
  readonly isFinal: boolean
  constructor(step: MailStep, detail: string, isFinal: boolean) {
    super(detail)
    this.step = step
    this.isFinal = isFinal
  }
}

/** Told of every step that went well. */
export type SmtpNote = (step: MailStep, state: 'ok' | 'skipped', detail: string | null) => void

const stepMs = 10_000

/**
 * Signs in and hands a letter over; without one it only signs in. Throws MailFailure at the first step that fails.
 * Name and password are only ever said over an encrypted connection, unless `security` is `none`.
 */
export const sendLetter = async (
  server: MailServer,
  letter: MailMessage | null,
  options: { note?: SmtpNote; signal?: AbortSignal } = {},
): Promise<void> => {
  const note = options.note ?? (() => undefined)
  const addresses = await step('resolve', () => resolveHost(server.host, stepMs))
  note('resolve', 'ok', addresses.join(', '))
  const reach = { timeoutMs: stepMs, signal: options.signal }
  const socket = await step('connect', () => openSocket(addresses, server.port, reach))
  const session = await openSession(server, socket)
  const stop = () => session.connection.close()
  options.signal?.addEventListener('abort', stop)
  try {
    const connected = `${socket.remoteAddress ?? server.host}, ${server.port}`
    if (server.security !== 'none') note('connect', 'ok', connected)
    await session.greeted
    if (server.security === 'none') {
      note('connect', 'ok', connected)
      note('secure', 'skipped', null)
    } else note('secure', 'ok', session.cipher())
    await signIn(server, session, note)
    if (!letter) return note('accept', 'skipped', null)
    note('accept', 'ok', await session.send(letter))
  } finally {
    options.signal?.removeEventListener('abort', stop)
    session.connection.quit()
  }
}

interface Session {
  readonly connection: SmtpConnection
  readonly greeted: Promise<void>
  cipher(): string | null
  login(): Promise<void>
  send(letter: MailMessage): Promise<string>
}

const signIn = async ({ username, security }: MailServer, session: Session, note: SmtpNote): Promise<void> => {
  if (username === '') return note('authenticate', 'skipped', null)
  // The library would have failed before; this is the last door in front of the password.
  if (security !== 'none' && !session.connection.secure)
    throw new MailFailure('secure', 'The connection is not encrypted.', true)
  await session.login()
  note('authenticate', 'ok', null)
}

const openSession = async (server: MailServer, socket: Socket): Promise<Session> => {
  // Loaded with the first mail: a server that sends none has no need of it.
  const [{ default: Connection }, { default: Composer }] = await Promise.all([
    import('nodemailer/lib/smtp-connection'),
    import('nodemailer/lib/mail-composer'),
  ])
  const connection = new Connection({
    host: server.host,
    port: server.port,
    connection: socket,
    name: 'atrium',
    secure: server.security === 'tls',
    requireTLS: server.security === 'starttls',
    ignoreTLS: server.security === 'none',
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: stepMs,
    socketCloseTimeout: 1000,
    tls: { rejectUnauthorized: server.rejectUnauthorized, minVersion: 'TLSv1.2' },
  })
  // A connection that breaks between two steps is told by the next one.
  const broken = Promise.withResolvers<never>()
  broken.promise.catch(() => undefined)
  connection.on('error', (error: Error) => broken.reject(error))
  connection.once('end', () => broken.reject(new Error('The other side closed the connection.')))
  const during = <T>(name: MailStep, work: Promise<T>) => step(name, () => Promise.race([work, broken.promise]))
  const called = <T>(start: (done: (error: Error | null | undefined, value?: T) => void) => void): Promise<T> =>
    new Promise((resolve, reject) => start((error, value) => (error ? reject(error) : resolve(value as T))))

  return {
    connection,
    greeted: during(
      server.security === 'none' ? 'connect' : 'secure',
      called<void>((done) => connection.connect(done)),
    ),
    cipher: () => {
      const { _socket } = connection as unknown as { _socket?: { getProtocol?: () => string | null } }
      return _socket?.getProtocol?.() ?? null
    },
    login: () =>
      during(
        'authenticate',
        called<void>((done) =>
          connection.login({ user: server.username, pass: server.password }, (error) => done(error)),
        ),
      ),
    async send(letter) {
      const sender = readSender(server.from)
      if (!sender) throw new MailFailure('accept', 'The sender is no e-mail address.', true)
      const mail = new Composer({
        from: sender,
        to: { name: '', address: letter.to },
        subject: letter.subject,
        text: letter.text,
        html: letter.html ?? htmlOf(letter),
        headers: headersOf(letter),
        ...(letter.reference && { messageId: `<${letter.reference}@${domainOf(sender.address)}>` }),
        disableFileAccess: true,
        disableUrlAccess: true,
      })
      const body = await mail.compile().build()
      const envelope = { from: sender.address, to: [letter.to] }
      const info = await during(
        'accept',
        called<{ response?: string | undefined }>((done) => connection.send(envelope, body, done)),
      )
      return plain(info.response ?? '')
    },
  }
}

const headersOf = ({ unsubscribe }: MailMessage): Record<string, string> => ({
  // Answered by programs: nobody is out of office for this (RFC 3834).
  'Auto-Submitted': 'auto-generated',
  ...(unsubscribe && { 'List-Unsubscribe': `<${unsubscribe}>` }),
  // One click is for https alone (RFC 8058, 3.1).
  ...(unsubscribe?.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
})

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)

/** Runs a step and puts whatever goes wrong in it into words. */
const step = async <T>(name: MailStep, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof MailFailure) throw error
    if (isRefusal(error)) throw new MailFailure(name, error.message, true)
    if (error instanceof OutboundFailure) throw new MailFailure(name, error.message, false)
    throw wordsFor(name, error as Error & { code?: string; responseCode?: number; response?: string })
  }
}

const wordsFor = (name: MailStep, error: Error & { code?: string; responseCode?: number; response?: string }) => {
  const certificate = certificateWords.find(([pattern]) => pattern.test(`${error.code} ${error.message}`))
  if (certificate) return new MailFailure('secure', certificate[1], true)
  const isFinal = error.responseCode !== undefined && error.responseCode >= 500 && error.responseCode !== 503
  if (name === 'secure' && error.code === 'ETLS' && error.response)
    return new MailFailure(name, 'The server doesn’t offer encryption at this port. Nothing was sent.', false)
  if (error.response) return new MailFailure(name, `The server said: ${plain(error.response)}`, isFinal)
  if (error.code === 'ETIMEDOUT') return new MailFailure(name, 'The server didn’t respond in time.', false)
  if (/wrong version number|packet length too long|ssl3_get_record|unexpected message/i.test(error.message))
    return new MailFailure('secure', 'The server does not speak TLS at this port. Perhaps it wants STARTTLS.', false)
  return new MailFailure(name, `${plain(error.message)}`, false)
}

const certificateWords: readonly (readonly [RegExp, string])[] = [
  [/CERT_HAS_EXPIRED|certificate has expired/i, 'The certificate of the server has expired.'],
  [/ERR_TLS_CERT_ALTNAME|does not match certificate|altnames/i, 'The server’s certificate is for another host name.'],
  [
    /SELF_SIGNED|self[- ]signed|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|unable to verify|unable to get (local )?issuer/i,
    'This machine doesn’t trust the issuer of the server’s certificate. Add the issuer with NODE_EXTRA_CA_CERTS.',
  ],
]

/** What a server said, as one line of ordinary signs. */
const plain = (text: string): string =>
  maskText(
    text
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim()
      .slice(0, 300),
  )
