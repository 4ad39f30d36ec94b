/** The HTTP server: one way to authenticate for all areas, one shape for errors, one way to stop. */
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import type { Dialect, LimitName } from '@atrium/contract/route'
import { runForRequest } from '../db/requests.ts'
import type { Audit } from '../audit/index.ts'
import type { Clock } from '../clock.ts'
import type { Log } from '../log/log.ts'
import type { Area } from './area.ts'
import { createDeparture } from './departure.ts'
import {
  type Authorise,
  type Authenticate,
  type RevocationCount,
  type Credentials,
  type AuthenticateProvisioner,
  type RequireFresh,
  credentialsOf,
} from './authenticate.ts'
import { createDialectFinder, formatRefusal } from './dialects.ts'
import { createFollowers, type FollowerBounds, usualFollowers } from './followers.ts'
import { createAbortRegistry } from './abort.ts'
import { securityHeaders } from './headers.ts'
import { acceptJson } from './body.ts'
import { createIntake, type IntakeBounds, usualIntake } from './intake.ts'
import { mountArea } from './mount.ts'
import { problemType, toProblem, toRefusal, waitMsOf } from './problem.ts'
import { type RateOptions, type RateRule, createRates } from './rates.ts'
import { type Refusal, fail } from './refusal.ts'
import { createRelays } from './relays.ts'
import { answerBrokenRequest } from './broken-request.ts'
import { createSockets, type RedeemTicket } from './sockets.ts'
import { watchUnusedConnections } from './unused-connections.ts'
import { lastWords, stopServer } from './stop.ts'
import { StaticFile, sendStaticFile } from './static-file.ts'
import { createStreams } from './streams.ts'
import { checkTable, createMethodFinder } from './table.ts'
import { type WebFiles, openWebFiles } from './web-files.ts'

/** A page that is no route of the contract: plain text or files. null answers 404. */
export interface Page {
  readonly path: string
  answer(
    credentials: Credentials,
  ): Promise<{ headers: Record<string, string>; body: string | Uint8Array } | StaticFile | null>
}

/** What is told of every answer, for metrics. `route` is the template, so that values stay few. */
export interface AnswerReport {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly durationMs: number
  readonly stream: boolean
}

export interface HttpOptions {
  readonly areas: readonly Area[]
  readonly authenticate: Authenticate
  /** Needed where directories may call. */
  readonly authenticateProvisioner?: AuthenticateProvisioner
  /** Needed where a route names a thing. */
  readonly authorise?: Authorise
  /** Needed where a route asks for a fresh proof. */
  readonly requireFresh?: RequireFresh
  readonly log: Log
  readonly clock: Clock
  /** Replaces single rate rules of the contract. */
  readonly limits?: Partial<Record<LimitName, RateRule>>
  /** How many proxies stand in front, or which addresses they have; `X-Forwarded-*` counts only from them. */
  readonly trustProxy?: number | readonly string[]
  /** Where people reach the instance; decides on secure cookies and HSTS. */
  readonly baseUrl?: URL | null
  readonly pages?: readonly Page[]
  /** Where calls of routes that are for the audit are written. */
  readonly audit?: Audit
  /** The built web app. */
  readonly staticFolder?: string
  /** Calls back when a session ends; gives a function that stops watching. */
  watchSession(sessionId: string, ended: () => void): () => void
  /** Calls back each time when what an account may do with things of others changes. */
  watchRights?(accountId: string, changed: () => void): () => void
  /** Whom a ticket for a WebSocket stands for; without it nobody comes in by one. */
  readonly redeem?: RedeemTicket
  /** Without it, callers are asked for again where it matters. */
  readonly revocationCount?: RevocationCount
  answered?(answer: AnswerReport): void
  /** Told of every request that a rate rule refuses; `own`: that of an API token. */
  limited?(rule: LimitName | 'own'): void
  /** Where other processes count the same callers; without it, this one counts by itself. */
  readonly sharedRates?: RateOptions['shared']
  /** Check every event of every stream; answers are always checked. */
  readonly checkEvents?: boolean
  readonly heartbeatMs?: number
  readonly stallMs?: number
  /** How long a process that leaves goes on answering while others are there. */
  readonly noticeMs?: number
  /** Replaces single bounds of what comes in. */
  readonly intake?: Partial<IntakeBounds>
  /** Replaces single bounds of how many streams somebody may have open. */
  readonly followers?: Partial<FollowerBounds>
  /** Replaces what may wait for clients that do not read. */
  readonly waitingBytes?: number
}

export interface Http {
  /** Starts to listen; gives the address. Port 0 takes a free one. */
  listen(host: string, port: number): Promise<string>
  /** Event streams, answers that are passed on as they come, and WebSockets. */
  readonly openStreams: number
  /** Of these, WebSockets. */
  readonly openSockets: number
  /** How many requests are not answered yet, beside those that only follow something. */
  readonly waiting: number
  /**
   * Takes no more requests but those of `/health`. `passOn`: whoever follows something is sent away, to come back to
   * another process, and so is everybody once proxies had time to notice.
   */
  leave(passOn: boolean): void
  /**
   * Takes no more requests, ends what is followed with `ends` and gives its last words time to arrive, ends streams,
   * lets what runs finish for `graceMs`, then closes.
   */
  stop(graceMs?: number, ends?: () => Promise<void>): Promise<void>
}

/** JSON bodies up to this size are taken: half a million characters of any script, and room for their wrapping. */
const bodyLimit = 2 * 1024 * 1024
const requestIdForm = /^[A-Za-z0-9._-]{8,64}$/

export const createHttp = async (options: HttpOptions): Promise<Http> => {
  const { areas, log, clock } = options
  checkTable(areas)
  const baseUrl = options.baseUrl ?? null
  const always = securityHeaders(baseUrl?.protocol === 'https:')
  const { heartbeatMs, stallMs, waitingBytes } = options
  const streams = createStreams({ heartbeatMs, stallMs, waitingBytes })
  const followers = createFollowers({ ...usualFollowers, ...options.followers })
  const relays = createRelays({ heartbeatMs, stallMs })
  const aborts = createAbortRegistry()
  const dialectOf = createDialectFinder(areas)
  const waiting = new Set<FastifyReply['raw']>()

  const requestId = (given: string | string[] | undefined): string =>
    typeof given === 'string' && requestIdForm.test(given) ? given : clock.id()
  const report = (error: unknown, request: FastifyRequest): void =>
    log.error('A request failed', { requestId: request.id, route: request.routeOptions?.url ?? null, error })
  const refuse = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const known = toRefusal(error)
    if (!known && !reply.raw.destroyed) report(error, request)
    const refusal = known ?? fail('internal')
    void reply.removeHeader('set-cookie')
    const waitMs = waitMsOf(refusal)
    if (waitMs !== null) void reply.header('retry-after', Math.max(1, Math.ceil(waitMs / 1000)))
    const dialect = dialectOf(request.url.split('?', 1)[0] ?? '/')
    if (dialect)
      return answerIn(
        dialect === 'openai' && request.headers['anthropic-version'] ? 'anthropic' : dialect,
        refusal,
        request,
        reply,
      )
    const { status, ...problem } = toProblem(refusal, request.id)
    return reply
      .code(status)
      .headers({ 'content-type': problemType, 'cache-control': 'no-store' })
      .send(JSON.stringify({ status, ...problem }))
  }
  const dress = (request: FastifyRequest, reply: FastifyReply): void =>
    void reply.headers(always).header('x-request-id', request.id)

  const server = fastify({
    logger: false,
    trustProxy: trusted(options.trustProxy ?? 0),
    bodyLimit,
    requestIdHeader: false,
    genReqId: (raw) => requestId(raw.headers['x-request-id']),
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    keepAliveTimeout: 72_000,
    requestTimeout: 300_000,
    routerOptions: { maxParamLength: 1024 },
    http: {
      maxHeaderSize: 16 * 1024,
      headersTimeout: 15_000,
      connectionsCheckingInterval: 5_000,
      // Told below, in our own shape.
      requireHostHeader: false,
      // Other upgrades, such as HTTP/2, are not for us: those requests are answered like any other.
      shouldUpgradeCallback: (request) => request.headers.upgrade?.toLowerCase() === 'websocket',
    },
    frameworkErrors: (error, request, reply) => {
      dress(request, reply)
      void refuse(error, request, reply)
    },
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, clock.id(), always),
  })
  server.server.maxHeadersCount = 100
  const departure = createDeparture(server, options.noticeMs)
  // What a client expects beside `100-continue` is not for us; the request is answered like any other.
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response))

  const intake = createIntake({ ...usualIntake(), ...options.intake })
  acceptJson(server, intake)
  server.decorateRequest('caller', null)
  server.decorateRequest('provisioner', null)
  server.decorateRequest('revocationsBefore', 0)
  server.decorateRequest('streamed', false)
  server.decorateRequest('secure', false)
  // Put there before anything else looks at a request.
  server.decorateRequest('response', null as never)
  server.decorateRequest('audited', false)
  server.decorateRequest('changes', null)
  server.setErrorHandler(refuse)
  const unknown = createUnknown(areas, options)
  server.addHook('onRequest', (request, reply, done) => {
    dress(request, reply)
    request.response = reply.raw
    request.secure = request.protocol === 'https' || baseUrl?.protocol === 'https:'
    if (departure.refuses(request)) {
      void reply.header('connection', 'close')
      throw fail('unavailable')
    }
    // Upgrades are followed, and never answered.
    if (!request.raw.headers.upgrade) {
      waiting.add(reply.raw)
      reply.raw.once('close', () => waiting.delete(reply.raw))
    }
    checkHead(request)
    if (request.is404) unknown(request, reply)
    else runForRequest(done)
  })
  // Whatever reads a body goes on from the events of its connection.
  server.addHook('preValidation', (_request, _reply, done) => runForRequest(done))
  server.addHook('onResponse', (request, reply, done) => {
    if (!request.raw.complete) stopReading(request)
    const route = request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown')
    const { method, id, streamed: stream } = request
    const { statusCode: status } = reply.raw
    const durationMs = Math.round(reply.elapsedTime * 10) / 10
    options.answered?.({ method, route, status, durationMs, stream })
    const fields = { requestId: id, method, route, status, durationMs, accountId: request.caller?.accountId }
    if (status >= 500) log.warn('Answered', fields)
    else if (request.is404 || route.startsWith('/health') || route === '/metrics') log.debug('Answered', fields)
    else log.info('Answered', fields)
    done()
  })

  const rates = createRates(clock, { rules: options.limits, limited: options.limited, shared: options.sharedRates })
  const by = {
    authenticate: options.authenticate,
    audit: options.audit ?? null,
    authorise: options.authorise ?? nobodyMay,
    requireFresh: options.requireFresh ?? nobodyIsFresh,
    authenticateProvisioner: options.authenticateProvisioner ?? noDirectory,
    watchSession: options.watchSession,
    watchRights: options.watchRights ?? (() => () => {}),
    // Equal to nothing, itself included.
    revocationCount: options.revocationCount ?? (() => Number.NaN),
    rates,
    intake,
    followers,
    streams,
    relays,
    patienceMs: options.heartbeatMs ?? 15_000,
    baseUrl,
    aborts,
    report,
    checkEvents: options.checkEvents ?? false,
  }
  const unused = watchUnusedConnections(server.server)
  for (const area of areas) mountArea(server, area, by)
  const sockets = createSockets(server, {
    rates,
    followers,
    baseUrl,
    report,
    watchSession: options.watchSession,
    watchRights: by.watchRights,
    authorise: by.authorise,
    redeem: options.redeem ?? null,
    heartbeatMs: options.heartbeatMs ?? 15_000,
    stallMs: options.stallMs ?? 15_000,
  })
  for (const area of areas) for (const socket of area.sockets ?? []) sockets.mount(socket)
  for (const page of options.pages ?? []) mountPage(server, page)
  await server.ready()

  return {
    get openStreams() {
      return streams.size + relays.size + sockets.size
    },
    get openSockets() {
      return sockets.size
    },
    get waiting() {
      return waiting.size - streams.size
    },
    listen: (host, port) => server.listen({ host, port }),
    leave(passOn) {
      departure.begin(passOn)
      if (!passOn) return
      streams.endAll()
      sockets.close()
    },
    stop: async (graceMs = 8000, ends) => {
      departure.end()
      const ended = ends?.()
      if (ended) await lastWords(streams, ended, graceMs)
      sockets.close()
      await stopServer(server, { streams, aborts, unused, graceMs })
      await ended
      relays.close()
      rates.stop()
    },
  }
}

/** A refusal in a foreign shape. */
const answerIn = (dialect: Dialect, refusal: Refusal, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const { status, headers, body } = formatRefusal(dialect, refusal, request.id)
  return reply
    .code(status)
    .headers({ 'content-type': 'application/json; charset=utf-8', ...headers, 'cache-control': 'no-store' })
    .send(JSON.stringify(body))
}

const trusted = (
  proxies: number | readonly string[],
): false | string[] | ((address: string, hop: number) => boolean) => {
  if (typeof proxies !== 'number') return [...proxies]
  return proxies > 0 && ((_address, hop) => hop < proxies)
}

/** Without anybody to ask, no token is a directory's. */
const noDirectory: AuthenticateProvisioner = () => Promise.resolve(null)

/** Without anybody to ask, nothing that a path names is there. */
const nobodyMay: Authorise = () => Promise.reject(fail('resource_not_found'))

/** Without anybody to ask, no session is fresh. */
const nobodyIsFresh: RequireFresh = () => Promise.reject(fail('fresh_proof_needed'))

/** Answered before the body had arrived: the client gets a moment to notice, then the connection is cut. */
const stopReading = (request: FastifyRequest): void => {
  const { raw } = request
  const cut = setTimeout(() => raw.complete || raw.socket.destroy(), 2000)
  cut.unref()
}

const mountPage = (server: FastifyInstance, page: Page): void => {
  server.get(page.path, async (request, reply) => {
    const answer = await page.answer(credentialsOf(request))
    if (!answer) throw fail('route_not_found')
    if (answer instanceof StaticFile) return sendStaticFile(request, reply, answer)
    return reply.headers({ 'cache-control': 'no-cache', ...answer.headers }).send(answer.body)
  })
}

/** What the parser lets pass and HTTP/1.1 does not (RFC 9112, sections 2.3 and 3.2). */
const checkHead = ({ raw }: FastifyRequest): void => {
  if (raw.httpVersion !== '1.1' && raw.httpVersion !== '1.0')
    throw fail('validation_failed', `HTTP/${raw.httpVersion} is not spoken here. Use HTTP/1.1.`)
  let hosts = 0
  for (let at = 0; at < raw.rawHeaders.length; at += 2) if (isHost(raw.rawHeaders[at])) hosts += 1
  if (hosts > 1) throw fail('validation_failed', 'The request names more than one host.')
  if (hosts === 0 && raw.httpVersion === '1.1')
    throw fail('validation_failed', 'The request does not say which host it is for.')
}

/** Who watches the process is told that it lives, and that it is not ready. */
const isHost = (name: string | undefined): boolean => name?.length === 4 && name.toLowerCase() === 'host'

/** Answers where no route is: 405, 404, or a file or page of the web app. */
/** Clients put a prefix before every path; where it stands in their base address too, they are told. */
const doubledHint = (path: string, methodsOf: (path: string) => readonly string[]): string | undefined => {
  const [, prefix, rest] = /^(\/[^/]+)\1(\/.*)$/.exec(path) ?? []
  if (!prefix || !rest || methodsOf(prefix + rest).length === 0) return undefined
  return `There is nothing at this address: it holds ${prefix} twice. Leave ${prefix} out of the base address of this client.`
}

const createUnknown = (areas: readonly Area[], options: HttpOptions) => {
  const methodsOf = createMethodFinder(areas)
  const files: WebFiles | null = options.staticFolder ? openWebFiles(options.staticFolder) : null
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const path = request.url.split('?', 1)[0] ?? '/'
    const methods = methodsOf(path)
    if (methods.length > 0) {
      void reply.header('allow', methods.join(', '))
      throw fail('method_not_allowed')
    }
    if (/^\/(api|v1|scim|health|metrics)(\/|$)/.test(path)) throw fail('route_not_found', doubledHint(path, methodsOf))
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      void reply.header('allow', 'GET, HEAD')
      throw fail('method_not_allowed')
    }
    if (files?.answer(request, reply, path)) return reply
    throw fail('route_not_found', files ? undefined : 'The web app is not built. `npm start` builds it.')
  }
}
