/** WebSockets (RFC 6455): areas say what is sent, a ticket says to whom, and both end when the session does. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import { loadPackage } from '../load-package.ts'
import type { AuthorisedResource, Caller, Frame, Socket } from './area.ts'
import type { Authorise } from './authenticate.ts'
import { keepShowing } from './follow.ts'
import type { Followers } from './followers.ts'
import { isOtherSite } from './origin.ts'
import { addressKey, type Rates } from './rates.ts'
import { fail } from './refusal.ts'
import { createListening, notRead } from './socket-messages.ts'
import { sendFrames } from './socket-frames.ts'

/** Who came in with a ticket. */
export interface TicketHolder {
  readonly caller: Caller
  /** When the ticket was given out, in ms since 1970. */
  readonly issuedAt: number
  /** Whether they could still come in, with the same rights. */
  stands(): Promise<boolean>
}

/** Whom a ticket stands for; it is used up. null for nobody. */
export type RedeemTicket = (ticket: string, audience: string) => Promise<TicketHolder | null>

export interface SocketDeps {
  readonly redeem: RedeemTicket | null
  readonly authorise: Authorise
  readonly rates: Rates
  readonly followers: Followers
  readonly baseUrl: URL | null
  readonly heartbeatMs: number
  readonly stallMs: number
  watchSession(sessionId: string, ended: () => void): () => void
  /** Calls back each time when what an account may do with things of others changes. */
  watchRights(accountId: string, changed: () => void): () => void
  report(error: unknown, request: FastifyRequest): void
}

export interface Sockets {
  /** Puts a socket of an area on the server. */
  mount(socket: Socket): void
  readonly size: number
  /** Closes all with 1001; those that do not answer are cut. */
  close(): void
}

interface Upgrade {
  readonly socket: Duplex
  readonly head: Buffer
}

/** What a client may say at once, in bytes. */
const mostFromClients = 4096
const cutMs = 1000

export const createSockets = (server: FastifyInstance, by: SocketDeps): Sockets => {
  const speaker = new WebSocketServer({ noServer: true, maxPayload: mostFromClients, perMessageDeflate: false })
  const upgrades = new WeakMap<IncomingMessage, Upgrade>()
  const open = new Set<WebSocket>()

  // An upgrade goes the way of every request, so that refusals, limits and the log are the same.
  server.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    const response = new (loadPackage('node:http').ServerResponse)(request)
    response.shouldKeepAlive = false
    upgrades.set(request, { socket, head })
    response.assignSocket(socket as never)
    response.once('finish', () => socket.end())
    server.routing(request, response)
  })

  const enter = async (socket: Socket, request: FastifyRequest): Promise<TicketHolder> => {
    const { ticket } = request.query as { ticket?: unknown }
    if (isOtherSite(request.headers, request.host, by.baseUrl)) throw fail('cross_origin')
    const admitted = typeof ticket === 'string' ? await by.redeem?.(ticket, socket.audience) : null
    if (!admitted)
      throw fail(
        'unauthenticated',
        'This ticket was already used, has expired or is for something else. Request a new one.',
      )
    return admitted
  }

  const atPath = new Map<string, Socket[]>()
  /** The socket that a request means: one whose thing it names, else one that has none. */
  const choose = (sockets: readonly Socket[], request: FastifyRequest): Socket | undefined => {
    const asked = sockets.find(({ names }) => names && queryOf(request)(names.field) !== null)
    return asked ?? sockets.find(({ names }) => !names) ?? sockets[0]
  }
  /** Shows the right to what the query names; null where the socket names nothing. */
  const rightOf = ({ names }: Socket, caller: Caller, request: FastifyRequest) => {
    const id = names && queryOf(request)(names.field)
    if (!names) return null
    if (id == null)
      throw fail('validation_failed', undefined, [{ path: `query.${names.field}`, message: 'is missing' }])
    return (): Promise<AuthorisedResource> => by.authorise(caller, { ...names, id: names.field }, id)
  }

  const serve = async (socket: Socket, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const upgrade = upgrades.get(request.raw)
    if (!upgrade) {
      void reply.header('upgrade', 'websocket')
      throw fail('upgrade_required')
    }
    const { allowed, resetSeconds } = await by.rates.take('read', addressKey(request.ip))
    if (!allowed) {
      void reply.header('retry-after', resetSeconds)
      throw fail('rate_limited')
    }
    const after = readAfter(request.query as { after?: unknown })
    const { caller, issuedAt, stands } = await enter(socket, request)
    request.caller = caller
    const showRight = rightOf(socket, caller, request)
    const resource = showRight && (await showRight())
    const controller = new AbortController()
    const query = queryOf(request)
    const listening = createListening(socket)
    const { signal } = controller
    const frames = await socket.open({ caller, issuedAt, resource, after, query, onSaid: listening.onSaid, signal })
    void reply.hijack()
    reply.raw.detachSocket(upgrade.socket as never)
    speaker.handleUpgrade(request.raw, upgrade.socket, upgrade.head, (line) => {
      open.add(line)
      // The session may have ended between the ticket and the watch.
      const leave = (): void => line.close(policyViolation, 'The session has ended.')
      const unwatch = by.watchSession(caller.sessionId, leave)
      stands().then(
        (still) => still || leave(),
        () => leave(),
      )
      const leaveFollowers = by.followers.join(caller, () =>
        closeSoon(line, tryAgainLater, 'Newer ones took its place.'),
      )
      const rights = showRight && keepShowing(showRight, () => line.close(policyViolation, 'The right has ended.'))
      const unwatchRights = rights ? by.watchRights(caller.accountId, rights.show) : () => {}
      // It may have ended between the first look and the watch.
      rights?.show()
      line.once('close', () => {
        open.delete(line)
        unwatch()
        unwatchRights()
        rights?.stop()
        leaveFollowers()
        controller.abort()
      })
      line.on('message', (data, isBinary) => {
        const fault = isBinary ? notRead : listening.take(String(data))
        if (fault) line.close(fault.code, fault.reason)
      })
      // Told by its close as well.
      line.on('error', () => line.terminate())
      sendFrames(line, frames as AsyncIterable<Frame<unknown>>, by).catch((error: unknown) => {
        if (!controller.signal.aborted) by.report(error, request)
        line.close(internalError)
      })
    })
  }

  return {
    mount(socket) {
      const sockets = atPath.get(socket.path)
      if (sockets) return void sockets.push(socket)
      const all = [socket]
      atPath.set(socket.path, all)
      server.get(socket.path, (request, reply) => serve(choose(all, request) ?? socket, request, reply))
    },
    get size() {
      return open.size
    },
    close() {
      for (const line of open) closeSoon(line, goingAway, 'The server stops.')
    },
  }
}

/** Closing codes of RFC 6455, section 7.4.1. */
const goingAway = 1001
const policyViolation = 1008
const internalError = 1011
/** Registered later, as RFC 6455 allows (section 11.7). */
const tryAgainLater = 1013

/** Who does not answer the goodbye is cut off. */
const closeSoon = (line: WebSocket, code: number, reason: string): void => {
  line.close(code, reason)
  setTimeout(() => line.terminate(), cutMs).unref()
}

const queryOf = (request: FastifyRequest) => (name: string) => {
  const value = (request.query as Record<string, unknown>)[name]
  return typeof value === 'string' && value !== '' && value.length <= 200 ? value : null
}

const readAfter = ({ after }: { after?: unknown }): number | null => {
  if (after === undefined) return null
  if (typeof after === 'string' && /^\d{1,15}$/.test(after)) return Number(after)
  throw fail('validation_failed', undefined, [{ path: 'query.after', message: 'must be a whole number' }])
}
