/** Who is asking, whether they may, and how often. All of it before the input is looked at. */
import type { Route } from '@atrium/contract/route'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from './area.ts'
import { readCookie } from './headers.ts'
import { isForeign } from './origin.ts'
import { type Rates, addressKey } from './rates.ts'
import { type Refusal, fail, isRefusal } from './refusal.ts'

/** What a request shows at the door. */
export interface Knock {
  readonly bearer: string | null
  cookie(name: string): string | null
}

/** Finds out who is asking: null for a guest; throws a Refusal for someone known who may not come in. */
export type Doors = (knock: Knock) => Promise<Caller | null>

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
    /** Whether the answer became an event stream. */
    streamed: boolean
  }
}

export const knockOf = (request: FastifyRequest): Knock => ({
  bearer: /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null,
  cookie: (name) => readCookie(request.headers.cookie, name),
})

/**
 * Lets a request pass to a route or throws the refusal, and puts the caller on the request. Requests that are turned
 * away count against the rate rule as well, so that nobody tries doors at full speed.
 */
export const passDoor = async (
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  by: { doors: Doors; rates: Rates; baseUrl: URL | null },
): Promise<void> => {
  const visitor = await ask(by.doors, request)
  const caller = visitor.caller
  request.caller = caller
  const taken = by.rates.take(
    route.limit ?? (route.method === 'get' ? 'read' : 'write'),
    caller ? `account ${caller.accountId}` : addressKey(request.ip ?? ''),
  )
  void reply.headers({
    'ratelimit-limit': taken.max,
    'ratelimit-remaining': taken.remaining,
    'ratelimit-reset': taken.resetSeconds,
    'ratelimit-policy': `${taken.max};w=${taken.windowSeconds}`,
  })
  if (!taken.allowed) {
    void reply.header('retry-after', taken.resetSeconds)
    throw fail('rate_limited')
  }
  const { method, headers, host } = request
  if (isForeign({ method, headers, host, viaCookie: caller?.via === 'cookie' }, by.baseUrl)) throw fail('cross_origin')
  if (route.access === 'public') return
  if (visitor.refusal) throw visitor.refusal
  if (!caller) {
    void reply.header('www-authenticate', 'Bearer')
    throw fail('unauthenticated')
  }
  if (route.access === 'admin' && caller.role !== 'admin') throw fail('forbidden')
}

/** On public routes someone who may not come in is a guest, so the refusal is kept for later. */
const ask = async (
  doors: Doors,
  request: FastifyRequest,
): Promise<{ caller: Caller | null; refusal: Refusal | null }> => {
  try {
    return { caller: await doors(knockOf(request)), refusal: null }
  } catch (error) {
    if (isRefusal(error)) return { caller: null, refusal: error }
    throw error
  }
}
