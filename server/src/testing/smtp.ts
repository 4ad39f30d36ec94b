/** A mail server for tests that speaks SMTP (RFC 5321) with STARTTLS (RFC 3207) and AUTH PLAIN and LOGIN (RFC 4954). */
import { createServer, type Server, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { createSecureContext, createServer as createTlsServer, TLSSocket } from 'node:tls'
import PostalMime, { type Email } from 'postal-mime'
import { makeCertificate, type TestCertificate } from './certificate.ts'

export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** Headers and body as they came. */
  readonly raw: string
  readonly mail: Email
  /** Whether it came over an encrypted connection, and by whom. */
  readonly encrypted: boolean
  readonly user: string | null
}

export interface SmtpServer {
  readonly port: number
  readonly mails: readonly ReceivedMail[]
  /** Every command as it came, passwords included: tests look here whether something was said that must not be. */
  readonly commands: readonly string[]
  /** The next so many mails are refused with this reply before one is taken. */
  refuse(times: number, reply: string): void
  /** Waits until there are so many mails to somebody, and gives them. */
  waitFor(to: string, count?: number): Promise<ReceivedMail[]>
  close(): Promise<void>
}

export interface SmtpOptions {
  readonly security?: 'tls' | 'starttls' | 'none'
  readonly user?: string
  readonly password?: string
  readonly mechanisms?: readonly ('PLAIN' | 'LOGIN')[]
  readonly certificate?: TestCertificate
  readonly port?: number
  /** Says nothing at all, not even who it is. */
  readonly silent?: boolean
}

export const startSmtpServer = async (options: SmtpOptions = {}): Promise<SmtpServer> => {
  const { security = 'none', certificate = makeCertificate() } = options
  const mails: ReceivedMail[] = []
  const commands: string[] = []
  const sockets = new Set<Socket>()
  const refusals: string[] = []
  const serve = (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    if (!options.silent) talk(socket, { options, certificate, mails, commands, refusals })
  }
  const server: Server = security === 'tls' ? createTlsServer(certificate, serve) : createServer(serve)
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((go) => server.listen(options.port ?? 0, '127.0.0.1', go))
  return {
    port: (server.address() as AddressInfo).port,
    mails,
    commands,
    refuse: (times, reply) => void refusals.push(...Array.from({ length: times }, () => reply)),
    async waitFor(to, count = 1) {
      for (let tries = 0; tries < 4800; tries++) {
        const found = mails.filter((mail) => mail.to.includes(to))
        if (found.length >= count) return found
        await new Promise((go) => setTimeout(go, 25))
      }
      throw new Error(`no mail to ${to}; there are ${mails.map(({ to: whom }) => whom.join()).join(' ')}`)
    },
    close: () =>
      new Promise((done) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => done())
      }),
  }
}

interface Harness {
  readonly options: SmtpOptions
  readonly certificate: TestCertificate
  readonly mails: ReceivedMail[]
  readonly commands: string[]
  readonly refusals: string[]
}

/** One conversation, from the greeting to its end. */
const talk = (first: Socket, harness: Harness): void => {
  const { options } = harness
  let socket = first
  let pending = ''
  let from: string | null = null
  let to: string[] = []
  let data: string[] | null = null
  let user: string | null = null
  /** What the next line answers, within AUTH. */
  let asked: ((line: string) => void) | null = null
  const encrypted = () => socket instanceof TLSSocket
  const say = (...lines: string[]) => socket.write(lines.map((line) => `${line}\r\n`).join(''))

  const read = (piece: Buffer) => {
    pending += piece.toString('latin1')
    for (let end = pending.indexOf('\r\n'); end >= 0; end = pending.indexOf('\r\n')) {
      const line = pending.slice(0, end)
      pending = pending.slice(end + 2)
      if (data) readData(line)
      else if (asked) asked(line)
      else command(line)
    }
  }

  const readData = (line: string) => {
    if (line !== '.') return void data?.push(line.startsWith('.') ? line.slice(1) : line)
    const raw = Buffer.from((data ?? []).join('\r\n'), 'latin1').toString('utf8')
    data = null
    const mail = { from: from ?? '', to, raw, encrypted: encrypted(), user }
    void PostalMime.parse(raw).then((parsed) => {
      harness.mails.push({ ...mail, mail: parsed })
      say('250 2.0.0 Taken')
    })
    from = null
    to = []
  }

  const signIn = (name: string, password: string) => {
    const isRight = name === options.user && password === options.password
    user = isRight ? name : null
    say(isRight ? '235 2.7.0 Welcome' : '535 5.7.8 Wrong name or password')
  }
  const decoded = (text: string) => Buffer.from(text, 'base64').toString('utf8')
  const authenticate = (argument: string) => {
    const [mechanism = '', initial] = argument.split(' ')
    const take = (text: string) => {
      const [, name = '', password = ''] = decoded(text).split('\0')
      signIn(name, password)
    }
    const next = (then: (line: string) => void) => {
      asked = (line) => {
        harness.commands.push(line)
        asked = null
        then(line)
      }
    }
    if (mechanism.toUpperCase() === 'PLAIN') {
      if (initial) return take(initial)
      next(take)
      return void say('334 ')
    }
    next((name) => {
      next((password) => signIn(decoded(name), decoded(password)))
      say('334 UGFzc3dvcmQ6')
    })
    say('334 VXNlcm5hbWU6')
  }

  const command = (line: string) => {
    harness.commands.push(line)
    const [verb = '', ...rest] = line.split(' ')
    const argument = rest.join(' ')
    const address = /<([^>]*)>/.exec(argument)?.[1] ?? ''
    switch (verb.toUpperCase()) {
      case 'EHLO': {
        const offers = [
          ...(options.security === 'starttls' && !encrypted() ? ['STARTTLS'] : []),
          ...(options.user === undefined ? [] : [`AUTH ${(options.mechanisms ?? ['PLAIN', 'LOGIN']).join(' ')}`]),
          '8BITMIME',
        ]
        return void say(
          '250-mail.test',
          ...offers.map((offer, index) => `250${index === offers.length - 1 ? ' ' : '-'}${offer}`),
        )
      }
      case 'STARTTLS':
        if (options.security !== 'starttls') return void say('502 5.5.1 Unknown')
        say('220 2.0.0 Go on')
        return upgrade()
      case 'AUTH':
        return authenticate(argument)
      case 'MAIL': {
        const refusal = harness.refusals.shift()
        if (refusal) return void say(refusal)
        if (options.user !== undefined && user === null) return void say('530 5.7.0 Sign in first')
        from = address
        return void say('250 2.1.0 Yes')
      }
      case 'RCPT':
        to.push(address)
        return void say('250 2.1.5 Yes')
      case 'DATA':
        data = []
        return void say('354 Go on')
      case 'QUIT':
        say('221 2.0.0 Bye')
        return void socket.end()
      default:
        say(verb.toUpperCase() === 'RSET' || verb.toUpperCase() === 'NOOP' ? '250 2.0.0 Yes' : '502 5.5.1 Unknown')
    }
  }

  const upgrade = () => {
    first.removeListener('data', read)
    pending = ''
    const secured = new TLSSocket(first, { isServer: true, secureContext: createSecureContext(harness.certificate) })
    secured.on('error', () => secured.destroy())
    secured.on('data', read)
    socket = secured
  }

  socket.on('data', read)
  say('220 mail.test ESMTP')
}
