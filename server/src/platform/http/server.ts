/** The HTTP server: one way to authenticate for all areas, one shape for errors, one way to stop. */
import { type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { runForRequest } from '../db/requests.ts'
import { createAbortRegistry } from './abort.ts'
import type { AuthenticateProvisioner, Authorise, RequireFresh } from './authenticate.ts'
import { acceptJson } from './body.ts'
import { answerBrokenRequest, checkHead } from './broken-request.ts'
import { createDeparture } from './departure.ts'
import { createDownloads } from './downloads.ts'
import { createFollowers, usualFollowers } from './followers.ts'
import { createPagePolicies, securityHeaders } from './headers.ts'
import { createIntake, usualIntake } from './intake.ts'
import { mountArea } from './mount.ts'
import type { Http, HttpOptions } from './options.ts'
import { mountPage } from './pages.ts'
import { createRates } from './rates.ts'
import { fail } from './refusal.ts'
import { createRefusing } from './refusing.ts'
import { createRelays } from './relays.ts'
import { createSockets } from './sockets.ts'
import { lastWords, stopServer } from './stop.ts'
import { createStreams } from './streams.ts'
import { checkTable } from './table.ts'
import { createUnknown } from './unknown.ts'
import { watchUnusedConnections } from './unused-connections.ts'

/** JSON bodies up to this size are taken: half a million characters of any script, and room for their wrapping. */
const bodyLimit = 2 * 1024 * 1024
const requestIdForm = /^[A-Za-z0-9._-]{8,64}$/

export const createHttp = async (options: HttpOptions): Promise<Http> => {
  const { areas, log, clock } = options
  checkTable(areas)
  const baseUrl = options.baseUrl ?? null
  const always = securityHeaders(baseUrl?.protocol === 'https:')
  const policyAt = createPagePolicies(baseUrl)
  const { heartbeatMs, stallMs, waitingBytes } = options
  const streams = createStreams({ heartbeatMs, stallMs, waitingBytes })
  const followers = createFollowers({ ...usualFollowers, ...options.followers })
  const relays = createRelays({ heartbeatMs, stallMs })
  const downloads = createDownloads({ stallMs: options.downloadStallMs, waitingBytes })
  const aborts = createAbortRegistry()
  const waiting = new Set<FastifyReply['raw']>()

  const requestId = (given: string | string[] | undefined): string =>
    typeof given === 'string' && requestIdForm.test(given) ? given : clock.id()
  const report = (error: unknown, request: FastifyRequest): void =>
    log.error('A request failed', { requestId: request.id, route: request.routeOptions?.url ?? null, error })
  const refuse = createRefusing(areas, report)
  const dress = (request: FastifyRequest, reply: FastifyReply): void =>
    void reply
      .headers(always)
      .header('content-security-policy', policyAt(request.host ?? ''))
      .header('x-request-id', request.id)

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
  const unknown = createUnknown(areas, options.staticFolder)
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
    downloads,
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
      downloads.close()
      rates.stop()
    },
  }
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
