/**
 * Asking a directory: who somebody is, and whether a password is theirs. Connections are made for one question and
 * closed after it; every step has five seconds, and no referral is followed.
 */
import { randomUUID } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { type Socket, connect, isIP } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import type { ldapSteps } from '@atrium/contract/sign-in-providers'
import type { Client, Entry as FoundEntry, ResultCodeError } from 'ldapts'
import { requireAllowedAddresses } from '../../../platform/outbound/destination.ts'
import { isRefusal } from '../../../platform/http/refusal.ts'
import { loadPackage } from '../../../platform/load-package.ts'
import { type DirectoryEndpoint, parseDirectoryUrl, type SavedLdap } from './config.ts'
import { type DirectoryEntry, type DirectoryGroup, fillFilter, readId } from './rules.ts'

export type DirectoryStep = (typeof ldapSteps)[number]

/** The directory did not do its part. `step`: how far it went; the message is for administrators. */
export class DirectoryFailure extends Error {
  readonly step: DirectoryStep
  constructor(step: DirectoryStep, detail: string) {
    super(detail)
    this.step = step
  }
}

/** Hears of every step that went well, with what was found. */
export type StepListener = (step: DirectoryStep, detail: string) => void

export interface DirectoryClient {
  /**
   * The one entry of this name, and its groups; null where there is none, or more than one. With a password: only where
   * it is theirs. A password that is empty is never sent, as directories let anybody in with that (RFC 4513, 5.1.2).
   * Throws DirectoryFailure.
   */
  find(
    name: string,
    password: string | null,
    onStep?: StepListener,
  ): Promise<{ entry: DirectoryEntry; groups: DirectoryGroup[] } | null>
  /** Takes as long as `find` with a wrong password, and finds nothing. Throws DirectoryFailure as it does. */
  pretend(name: string): Promise<void>
  /** Goes as far as the search for people. Throws DirectoryFailure. */
  reach(onStep: StepListener): Promise<void>
}

const ldap = () => loadPackage('ldapts')

const stepMs = 5_000
const maxGroups = 1_000

export const createDirectoryClient = (settings: SavedLdap): DirectoryClient => {
  const quiet: StepListener = () => undefined

  /** Runs work on a connection that is encrypted where it must be, and closes it in any case. */
  const connected = async <R>(onStep: StepListener, work: (client: Client) => Promise<R>): Promise<R> => {
    const line = await openLine(settings, onStep)
    try {
      return await work(line.client)
    } finally {
      line.close()
    }
  }
  const bind = async (client: Client, onStep: StepListener): Promise<void> => {
    await during('bind', () => client.bind(settings.bindDn, settings.password))
    onStep('bind', settings.bindDn === '' ? 'without a name' : settings.bindDn)
  }
  const search = async (client: Client, name: string): Promise<DirectoryEntry[]> => {
    const filter = fillFilter(settings.userFilter, { username: name, dn: '' })
    const { id } = settings.attributes
    try {
      const { searchEntries } = await client.search(settings.baseDn, {
        scope: 'sub',
        filter,
        sizeLimit: 2,
        timeLimit: stepMs / 1000,
        derefAliases: 'never',
        // Ids are operational in most directories: not given unless asked for.
        attributes: ['*', id],
        explicitBufferAttributes: [id],
      })
      return searchEntries.map((found) => toEntry(found, id))
    } catch (error) {
      // Two were wanted, so that one is known to be alone; there are more.
      if (error instanceof ldap().SizeLimitExceededError) return [nobody, nobody]
      throw failureOf('search', error)
    }
  }
  const findGroups = async (client: Client, name: string, { dn }: DirectoryEntry): Promise<DirectoryGroup[]> => {
    const { baseDn, filter, attribute } = settings.groups
    if (filter === '') return []
    const { searchEntries } = await during('groups', () =>
      client.search(baseDn || settings.baseDn, {
        scope: 'sub',
        filter: fillFilter(filter, { username: name, dn }),
        derefAliases: 'never',
        sizeLimit: maxGroups,
        timeLimit: stepMs / 1000,
        attributes: [attribute],
      }),
    )
    return searchEntries.flatMap((found) =>
      textsOf(found[attribute] ?? []).map((group) => ({ dn: found.dn, name: group })),
    )
  }
  /** Whether the directory takes the password for this entry. On a connection of its own, as this one stays who it is. */
  const isTheirs = (dn: string, password: string): Promise<boolean> =>
    connected(quiet, async (client) => {
      try {
        await client.bind(dn, password)
        return true
      } catch (error) {
        const failure = failureOf('sign-in', error)
        if (error instanceof ldap().ResultCodeError && !isAbsence(error)) return false
        throw failure
      }
    })

  return {
    find: (name, password, onStep = quiet) =>
      connected(onStep, async (client) => {
        await bind(client, onStep)
        const entries = await search(client, name)
        onStep('search', countWords(entries.length))
        const [entry] = entries
        const isOne = entry !== undefined && entries.length === 1 && entry.dn !== ''
        if (password !== null) {
          // A bind with an empty name or password is let in everywhere, as nobody.
          const proved = await isTheirs(
            isOne ? entry.dn : nobodyBelow(settings),
            password === '' ? randomUUID() : password,
          )
          if (!proved || !isOne || password === '') return null
          onStep('sign-in', entry.dn)
        }
        if (!isOne) return null
        const groups = await findGroups(client, name, entry)
        if (settings.groups.filter !== '') onStep('groups', countWords(groups.length))
        return { entry, groups }
      }),

    pretend: (name) =>
      connected(quiet, async (client) => {
        await bind(client, quiet)
        await search(client, name)
        await isTheirs(nobodyBelow(settings), randomUUID())
      }),

    reach: (onStep) =>
      connected(onStep, async (client) => {
        await bind(client, onStep)
        await search(client, randomUUID())
        onStep('search', countWords(0))
      }),
  }
}

const countWords = (count: number): string => (count === 1 ? '1 entry' : `${count} entries`)

const nobody: DirectoryEntry = { dn: '', attributes: new Map() }

/** A name that nobody has, for binds that only take their time. */
const nobodyBelow = ({ baseDn }: SavedLdap): string => `cn=nobody-${randomUUID()},${baseDn}`

const openLine = async (settings: SavedLdap, onStep: StepListener): Promise<{ client: Client; close: () => void }> => {
  const place = parseDirectoryUrl(settings.url)
  const address = await resolve(place)
  onStep('resolve', address)
  const sockets = new Set<Socket>()
  const keep = <S extends Socket>(socket: S): S => {
    sockets.add(socket)
    // The library stops listening at times, and an error that nobody hears would end the process.
    socket.on('error', () => undefined)
    return socket
  }
  const tls: ConnectionOptions = {
    host: place.host,
    ...(isIP(place.host) ? {} : { servername: place.host }),
    ...(settings.ca === null ? {} : { ca: settings.ca }),
    minVersion: 'TLSv1.2',
  }
  const client = new (ldap().Client)({
    url: `${place.secure ? 'ldaps' : 'ldap'}://${isIP(place.host) === 6 ? `[${place.host}]` : place.host}:${place.port}`,
    timeout: stepMs,
    connectTimeout: stepMs,
    strictDN: false,
    // The address that was judged is the one that is called; the certificate is held against the name.
    createConnection: (() => keep(connect({ host: address, port: place.port }))) as typeof connect,
    createSecureConnection: ((...given: unknown[]) => {
      // Called with port and host, or with the socket that is to be encrypted.
      const upgrade = given.length === 1 ? (given[0] as ConnectionOptions) : { host: address, port: place.port }
      return keep(connectTls({ ...tls, ...upgrade }))
    }) as typeof connectTls,
  })
  const close = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  try {
    await greet(client, place, settings, tls, onStep)
    return { client, close }
  } catch (error) {
    close()
    throw error
  }
}

/** Connects and encrypts, before any name or password is said. */
const greet = async (
  client: Client,
  place: DirectoryEndpoint,
  settings: SavedLdap,
  tls: ConnectionOptions,
  onStep: StepListener,
): Promise<void> => {
  if (place.secure || settings.allowPlain) {
    // There is no call that only connects; a search of the root is open to all, and its answer does not matter.
    await during(place.secure ? 'tls' : 'connect', () => probe(client))
    onStep('connect', `port ${place.port}`)
    if (place.secure) onStep('tls', 'ldaps')
    return
  }
  await during('tls', () => inTime(client.startTLS({ ...tls })))
  onStep('connect', `port ${place.port}`)
  onStep('tls', 'StartTLS')
}

const probe = async (client: Client): Promise<void> => {
  try {
    await client.search('', { scope: 'base', filter: '(objectClass=*)', attributes: ['supportedLDAPVersion'] })
  } catch (error) {
    if (!(error instanceof ldap().ResultCodeError)) throw error
  }
}

/** The upgrade of a connection has no time limit of its own in the library. */
const inTime = async (work: Promise<void>): Promise<void> => {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('Connection timeout')), stepMs)
  try {
    await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
    work.catch(() => undefined)
  }
}

/** The first address of the host; networks that are never called are refused. */
const resolve = async ({ host }: DirectoryEndpoint): Promise<string> => {
  try {
    const { address } = isIP(host) ? { address: host } : await lookup(host)
    requireAllowedAddresses([address], true)
    return address
  } catch (error) {
    throw new DirectoryFailure('resolve', isRefusal(error) ? error.message : `${host} was not found.`)
  }
}

const during = async <R>(step: DirectoryStep, work: () => Promise<R>): Promise<R> => {
  try {
    return await work()
  } catch (error) {
    throw failureOf(step, error)
  }
}

/** Not an answer about a password, but that nobody is there to give one. */
const isAbsence = (error: ResultCodeError): boolean =>
  error instanceof ldap().BusyError || error instanceof ldap().UnavailableError

const failureOf = (step: DirectoryStep, error: unknown): DirectoryFailure => {
  if (error instanceof DirectoryFailure) return error
  const { message, code } = error as Error & { code?: unknown }
  const isNet = typeof code === 'string' && /^E[A-Z]+$/.test(code) && step === 'tls'
  return new DirectoryFailure(isNet ? 'connect' : step, message.slice(0, 300).replaceAll('\0', ''))
}

const toEntry = (found: FoundEntry, id: string): DirectoryEntry => ({
  dn: found.dn,
  attributes: new Map(
    Object.entries(found)
      .filter(([name]) => name !== 'dn')
      .map(([name, value]) => [
        name,
        name.toLowerCase() === id.toLowerCase()
          ? [value].flat().map((each) => (Buffer.isBuffer(each) ? readId(id, each) : each))
          : textsOf(value),
      ]),
  ),
})

/** Pictures and certificates are left out: only text is looked at. */
const textsOf = (value: Buffer | Buffer[] | string[] | string): string[] =>
  [value].flat().filter((each): each is string => typeof each === 'string')
