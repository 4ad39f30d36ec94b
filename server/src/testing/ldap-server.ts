/** A real LDAP server for tests: a small directory that is searched and bound to over the network. */
import { type AddressInfo, type Socket, connect, createServer } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { LdapSettings } from '@atrium/contract/sign-in-providers'
import ldapjs from 'ldapjs'
import { makeCertificate } from './certificate.ts'

export interface LdapEntry {
  readonly dn: string
  readonly attributes: Readonly<Record<string, string | readonly string[]>>
  /** Binds as this entry need it. */
  readonly password?: string
}

export interface TestLdap {
  /** `ldap://` or `ldaps://`, by the name that the certificate is for. */
  readonly url: string
  /** The certificate of its server, which is its own authority. */
  readonly ca: string
  /** What was asked of it, in order: binds by name, searches by filter. */
  readonly log: string[]
  /** What it holds; may be changed at any time. */
  entries: LdapEntry[]
  /** Waits so long before each answer. */
  delayMs: number
  close(): Promise<void>
}

export const ldapBase = 'dc=example,dc=org'
export const ldapService = { dn: `cn=service,${ldapBase}`, password: 'service secret' }

/** Somebody in the directory. */
export const ldapPerson = (
  uid: string,
  more: Partial<LdapEntry> & { readonly [name: string]: unknown } = {},
): LdapEntry => {
  const { dn = `uid=${uid},ou=people,${ldapBase}`, password = `${uid} secret`, attributes = {} } = more
  return {
    dn,
    password,
    attributes: {
      objectClass: ['person', 'inetOrgPerson'],
      uid,
      cn: `${uid} of Example`,
      mail: `${uid}@example.org`,
      entryUUID: `uuid-of-${uid}`,
      ...attributes,
    },
  }
}

export const ldapGroup = (cn: string, members: readonly string[]): LdapEntry => ({
  dn: `cn=${cn},ou=groups,${ldapBase}`,
  attributes: {
    objectClass: 'groupOfNames',
    cn,
    member: members.map((uid) => `uid=${uid},ou=people,${ldapBase}`),
  },
})

/** What an administrator sets to sign in with it. */
export const ldapSettings = (server: TestLdap): LdapSettings => ({
  enabled: true,
  url: server.url,
  allowPlain: false,
  ca: server.ca,
  bindDn: ldapService.dn,
  baseDn: ldapBase,
  userFilter: '(&(objectClass=person)(uid={{username}}))',
  attributes: { username: 'uid', email: 'mail', displayName: 'cn', id: 'entryUUID' },
  groups: { baseDn: `ou=groups,${ldapBase}`, filter: '(&(objectClass=groupOfNames)(member={{dn}}))', attribute: 'cn' },
  administratorGroups: [],
  syncGroups: [],
  signUp: 'active',
  hasPassword: true,
})

/** Starts one: encrypted from the first byte with a certificate of its own, after StartTLS, or not at all. */
export const startLdap = async ({
  security = 'tls',
  entries = [],
}: {
  security?: 'tls' | 'starttls' | 'plain'
  entries?: LdapEntry[]
} = {}): Promise<TestLdap> => {
  const { key, cert: certificate } = makeCertificate()
  const server = ldapjs.createServer(security === 'tls' ? { key, certificate } : {})
  const sockets = new Set<Socket>()
  const log: string[] = []
  const state = { entries, delayMs: 0 }
  const later = (work: () => void): void => void setTimeout(work, state.delayMs)
  const same = (a: string, b: string): boolean => plain(a) === plain(b)

  server.bind('', (request: Request, response: Response, next: Next) => {
    const name = String(request.dn)
    log.push(`bind ${name}`)
    later(() => {
      // As the standard has it: a name or password that is empty is let in, as nobody.
      if (name === '' || request.credentials === '') return end(response, next)
      const known = [{ ...ldapService, attributes: {} }, ...state.entries].find(({ dn }) => same(dn, name))
      if (known?.password !== request.credentials) return next(new ldapjs.InvalidCredentialsError())
      return end(response, next)
    })
  })
  server.search('', (request: Request, response: Response, next: Next) => {
    const base = String(request.dn)
    log.push(`search ${base} ${String(request.filter)}`)
    later(() => {
      let sent = 0
      for (const { dn, attributes } of state.entries) {
        if (base !== '' && !plain(dn).endsWith(plain(base))) continue
        if (!request.filter.matches(attributes)) continue
        if (request.sizeLimit > 0 && ++sent > request.sizeLimit) return next(new ldapjs.SizeLimitExceededError())
        response.send({ dn, attributes: { ...attributes } }, false)
      }
      return end(response, next)
    })
  })
  const inner = await listen(server, sockets)
  const front = security === 'starttls' ? await startFront(inner, { key, cert: certificate }, sockets) : null
  return Object.assign(state, {
    url: `${security === 'tls' ? 'ldaps' : 'ldap'}://localhost:${front?.port ?? inner}`,
    ca: certificate,
    log,
    close: () =>
      new Promise<void>((done) => {
        for (const socket of sockets) socket.destroy()
        front?.close()
        server.close(() => done())
      }),
  })
}

/** A port on which nobody answers anything. */
export const startSilence = async (): Promise<{ port: number; close: () => void }> => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => void sockets.add(socket))
  await new Promise<void>((done) => server.listen(0, 'localhost', done))
  const close = (): void => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { port: (server.address() as AddressInfo).port, close }
}

interface Request {
  readonly dn: unknown
  readonly credentials: string
  readonly sizeLimit: number
  readonly filter: { matches(attributes: object): boolean }
}
interface Response {
  send(entry: object, noFiltering: boolean): void
  end(): void
}
type Next = (error?: unknown) => void

const end = (response: Response, next: Next): void => {
  response.end()
  next()
}

const plain = (dn: string): string => dn.replace(/\s*,\s*/g, ',').toLowerCase()

type Server = ReturnType<typeof ldapjs.createServer>

const listen = (server: Server, sockets: Set<Socket>): Promise<number> =>
  new Promise((resolve, reject) => {
    server.on('connection', (socket: Socket) => sockets.add(socket))
    server.on('error', reject)
    server.listen(0, 'localhost', () => resolve(server.address().port))
  })

/** What the library cannot do: takes StartTLS (RFC 4511, 4.14) and nothing else, and hands on what comes after it. */
const startFront = async (inner: number, tls: { key: string; cert: string }, sockets: Set<Socket>) => {
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('data', (request: Buffer) => {
      if (!request.includes('1.3.6.1.4.1.1466.20037')) return socket.destroy()
      // Its number in five bytes' place, and the answer: success.
      socket.write(Buffer.from([0x30, 0x0c, 0x02, 0x01, request[4] ?? 1, 0x78, 0x07, 0x0a, 0x01, 0, 0x04, 0, 0x04, 0]))
      const secure = new TLSSocket(socket, { isServer: true, ...tls })
      const onward = connect(inner, 'localhost')
      for (const each of [secure, onward]) each.on('error', () => socket.destroy())
      secure.pipe(onward).pipe(secure)
    })
  })
  await new Promise<void>((done) => server.listen(0, 'localhost', done))
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }
}
