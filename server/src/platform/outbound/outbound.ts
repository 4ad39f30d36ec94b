/**
 * The one way out of the process. An address is judged as written, as resolved, and once more where the socket connects,
 * so that a name that changes its mind in between reaches nothing. Redirects are reported, never followed.
 */
import { lookup as systemLookup } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import type { Agent } from 'undici'
import { createCache } from '../cache/cache.ts'
import { Refusal } from '../http/refusal.ts'
import type { Log } from '../log/log.ts'
import { Answer } from './answer.ts'
import type { ClockReadings } from './clock-readings.ts'
import {
  checkAddress,
  type ParsedAddress,
  readDestination,
  parseAddress,
  requireAllowedAddresses,
} from './destination.ts'
import {
  type Checked,
  type Outbound,
  OutboundFailure,
  type OutboundGate,
  type OutboundRequest,
  type OutboundResponse,
} from './types.ts'

/** Gives all addresses of a host name; throws when there is none. */
export type ResolveHost = (host: string) => Promise<readonly string[]>

export interface OutboundOptions {
  /** Private `host:port` pairs that may be called, asked at every call. */
  readonly allowed: () => Promise<ReadonlySet<string>> | ReadonlySet<string>
  readonly resolve?: ResolveHost
  readonly log: Log
  /** Told what answers say about the time. */
  readonly clocks?: ClockReadings
}

const defaults = { connectMs: 10_000, headersMs: 60_000, idleMs: 60_000, resolveMs: 5_000 }
/** How long a name that led to public addresses only is not looked up again by `check`; the socket always does. */
const believedMs = 30_000
const believedCount = 500
/** Addresses that are called again and again are parsed once; they are judged at every call. */
const parsedCount = 500
const nothing: ReadonlySet<string> = new Set()

/** Opens the gate. Close it to drop every connection. */
export const createOutbound = ({ allowed, resolve = resolveBySystem, log, clocks }: OutboundOptions): Outbound => {
  const agents = new Map<string, Agent>()
  const believed = createCache<true>({ max: believedCount, ttl: { ms: believedMs, clock: performance } })
  const parsed = createCache<ParsedAddress>({ max: parsedCount })

  const placeOf = (href: string): ParsedAddress => {
    let place = parsed.get(href)
    if (!place) {
      place = parseAddress(href)
      parsed.set(href, place)
    }
    return place
  }

  /** Sockets to private and to public places never share a pool: taking an entry off the list cuts its sockets off. */
  const agentFor = (listed: boolean, connectMs: number): Agent | Promise<Agent> => {
    const name = `${listed ? 'listed' : 'public'} ${connectMs}`
    return agents.get(name) ?? openAgent(name, listed, connectMs)
  }

  const openAgent = async (name: string, listed: boolean, connectMs: number): Promise<Agent> => {
    // Loaded with the first call: a server that calls nobody has no need of it.
    const undici = await import('undici')
    const known = agents.get(name)
    if (known) return known
    const agent = new undici.Agent({
      connect: { lookup: guardedLookup(resolve, listed), timeout: connectMs, allowH2: false },
      keepAliveTimeout: 15_000,
      keepAliveMaxTimeout: 60_000,
    })
    agents.set(name, agent)
    return agent
  }

  const requirePublic = async (host: string): Promise<void> => {
    if (believed.get(host)) return
    // A name that cannot be found just now is not a forbidden one; the call itself will say that it is unreachable.
    const addresses = await resolveInTime(resolve, host)
    requireAllowedAddresses(addresses, false)
    if (addresses.length > 0) believed.set(host, true)
  }

  const note = (url: string, error: unknown): unknown => {
    if (error instanceof Refusal) log.info('outbound address refused', { host: hostOf(url), reason: error.message })
    return error
  }

  const gateTo = (allowed: OutboundOptions['allowed']): OutboundGate => ({
    check: async (written) => {
      try {
        const destination = readDestination(written, await allowed())
        if (!destination.isAddress && !destination.listed) await requirePublic(destination.host)
        return destination.url as Checked<URL>
      } catch (error) {
        throw note(written, error)
      }
    },

    request: async (url, request) => {
      try {
        // A URL object can be changed after it was checked, and the operator's list as well.
        const place = placeOf(url.href)
        const listed = checkAddress(place, await allowed())
        const agent = await agentFor(listed, request.connectMs ?? defaults.connectMs)
        const askedAt = Date.now()
        const answer = await call(agent, place, request)
        clocks?.note(place.hostAndPort, answer.headers, askedAt, Date.now())
        return answer
      } catch (error) {
        throw note(url.href, error)
      }
    },
  })

  return {
    ...gateTo(allowed),
    toPublic: gateTo(() => nothing),
    async close() {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()))
      agents.clear()
    },
  }
}

const call = (agent: Agent, { origin, path }: ParsedAddress, request: OutboundRequest): Promise<OutboundResponse> =>
  new Promise((resolve, reject) => {
    if (request.signal?.aborted) return reject(new OutboundFailure('aborted', 'The call was cancelled.'))
    agent.dispatch(
      {
        origin,
        path,
        method: request.method,
        headers: headersOf(request),
        body: request.body ?? null,
        headersTimeout: request.headersMs ?? defaults.headersMs,
        bodyTimeout: request.idleMs ?? defaults.idleMs,
      },
      new Answer(request, { resolve, reject }),
    )
  })

/** Names and values in turn. The host follows from the address; a different one could reach another service behind it. */
const headersOf = ({ headers = {} }: OutboundRequest): string[] => {
  const flat = ['accept-encoding', 'identity']
  for (const name in headers) {
    const value = headers[name]
    if (value === undefined || (name.length === 4 && name.toLowerCase() === 'host')) continue
    if (name.toLowerCase() === 'accept-encoding') flat[1] = value
    else flat.push(name, value)
  }
  return flat
}

/** What the socket uses to look a name up: it connects to the very addresses that were judged here. */
const guardedLookup =
  (resolve: ResolveHost, listed: boolean): LookupFunction =>
  (host, options, done) => {
    const refuse = (reason: Error) => done(reason, '', 4)
    void resolve(host).then(
      (addresses) => {
        try {
          requireAllowedAddresses(addresses, listed)
        } catch (refusal) {
          refuse(refusal as Error)
          return
        }
        const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
        const first = found[0]
        if (!first) refuse(new OutboundFailure('unreachable', 'The host name couldn’t be found.'))
        else if (options.all) done(null, found)
        else done(null, first.address, first.family)
      },
      () => refuse(new OutboundFailure('unreachable', 'The host name couldn’t be found.')),
    )
  }

const resolveBySystem: ResolveHost = async (host) => {
  const found = await systemLookup(host, { all: true, order: 'verbatim' })
  return found.map(({ address }) => address)
}

/** The addresses of a name; none when it is unknown or the look-up takes too long. */
const resolveInTime = async (resolve: ResolveHost, host: string): Promise<readonly string[]> => {
  const waiting = Promise.withResolvers<readonly string[]>()
  const timer = setTimeout(() => waiting.resolve([]), defaults.resolveMs)
  resolve(host).then(waiting.resolve, () => waiting.resolve([]))
  return await waiting.promise.finally(() => clearTimeout(timer))
}

const hostOf = (url: string): string => URL.parse(url)?.host ?? '[unreadable]'
