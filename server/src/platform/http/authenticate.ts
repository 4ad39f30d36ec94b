/** Who is asking, whether they may, and how often. All of it before the input is looked at. */
import type { Named } from '@atrium/contract/rights'
import type { Route } from '@atrium/contract/route'
import { scopesOf } from '@atrium/contract/scopes'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller, Provisioner, AuthorisedResource } from './area.ts'
import { readCookie } from './cookies.ts'
import { isForeign } from './origin.ts'
import { type Rates, type RateUse, addressKey } from './rates.ts'
import { type Refusal, fail, isRefusal } from './refusal.ts'

/** What a request presents to show who sends it. */
export interface Credentials {
  readonly bearer: string | null
  cookie(name: string): string | null
  /** From where it comes; empty when the client is gone already. */
  readonly address: string
}

/** Finds out who is asking: null for a guest; throws a Refusal for someone known who may not come in. */
export type Authenticate = (credentials: Credentials) => Promise<Caller | null>

/** What the caller may do with a thing that a path names. Throws the refusal where that is less than the route needs. */
export type Authorise = (caller: Caller, named: Exclude<Named, string>, id: string) => Promise<AuthorisedResource>

/** Throws the refusal where the session of the caller was neither begun nor proved anew just before. */
export type RequireFresh = (caller: Caller) => Promise<void>

/**
 * How many sessions, tokens and rights ended so far, in any process. As long as it stays the same, whoever came in
 * could come in again.
 */
export type RevocationCount = () => number

/** Which directory shows this token; null for none. Looked up at every call, so that a revoked token ends at once. */
export type AuthenticateProvisioner = (bearer: string) => Promise<Provisioner | null>

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
    provisioner: Provisioner | null
    /** The count of revocations when the caller was authenticated: see `RevocationCount`. */
    revocationsBefore: number
    /** Whether the answer became an event stream. */
    streamed: boolean
    /** Whether what came of it stands in the audit, or is on its way there. */
    audited: boolean
    /** What the call changed in settings, for the audit; null while nothing is gathered. */
    changes: string[] | null
  }
}

export const credentialsOf = (request: FastifyRequest): Credentials => ({
  bearer: /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? apiKeyOf(request),
  cookie: (name) => readCookie(request, name),
  address: request.ip ?? '',
})

/** Clients of one family of `/v1` show their token in a header of their own. */
const apiKeyOf = ({ url, headers: { 'x-api-key': key } }: FastifyRequest): string | null =>
  typeof key === 'string' && key !== '' && url.startsWith('/v1/') ? key : null

/**
 * Lets a request pass to a route or throws the refusal, and puts the caller on the request. Requests that are turned
 * away count against the rate rule as well, so that nobody can guess at full speed. `area`: whose route it is, which
 * decides with the route what an API token needs.
 */
export const createAccessCheck = (
  area: string,
  route: Route,
  by: { authenticate: Authenticate; revocationCount: RevocationCount; rates: Rates; baseUrl: URL | null },
): ((request: FastifyRequest, reply: FastifyReply) => Promise<void>) => {
  const rule = route.limit ?? (route.method === 'get' ? 'read' : 'write')
  const scopes = scopesOf(area, route)
  return async (request, reply) => {
    request.revocationsBefore = by.revocationCount()
    const visitor = await ask(by.authenticate, request)
    const caller = visitor.caller
    request.caller = caller
    const token = caller?.token
    const own = token ? await by.rates.takeOwn(token.id, token.ratePerMinute) : null
    setRateHeaders(reply, await by.rates.take(rule, rateKeyOf(caller, request)), own)
    // A bearer is never sent by a browser on its own, whichever header it came in.
    if (caller?.via !== 'bearer') {
      const { method, headers, host } = request
      if (isForeign({ method, headers, host, viaCookie: caller?.via === 'cookie' }, by.baseUrl)) {
        throw fail('cross_origin')
      }
    }
    if (route.access === 'public') return
    if (visitor.refusal) throw visitor.refusal
    if (!caller) {
      void reply.header('www-authenticate', 'Bearer')
      throw fail('unauthenticated')
    }
    if (route.access === 'admin' && caller.role !== 'admin') throw fail('forbidden')
    if (token) requireScopes(scopes, token.scopes)
  }
}

/**
 * The same for the routes of directories: only their own tokens pass, and nobody else's, whatever else they may do.
 * Those tokens in turn authenticate nobody on any other route.
 */
export const createProvisioningCheck = (
  route: Route,
  by: { authenticateProvisioner: AuthenticateProvisioner; rates: Rates },
): ((request: FastifyRequest, reply: FastifyReply) => Promise<void>) => {
  const rule = route.limit ?? 'scim'
  return async (request, reply) => {
    const { bearer } = credentialsOf(request)
    const provisioner = bearer === null ? null : await by.authenticateProvisioner(bearer)
    request.provisioner = provisioner
    const key = provisioner ? `directory ${provisioner.tokenId}` : addressKey(request.ip ?? '')
    setRateHeaders(reply, await by.rates.take(rule, key), null)
    if (provisioner) return
    void reply.header('www-authenticate', 'Bearer')
    throw fail('unauthenticated', 'Send this directory’s token as a bearer token.')
  }
}

/** The programs of an account count together, and apart from the person: they must not lock each other out. */
const rateKeyOf = (caller: Caller | null, request: FastifyRequest): string =>
  caller ? `${caller.token ? 'programs' : 'account'} ${caller.accountId}` : addressKey(request.ip ?? '')

/** Tells of the rule that leaves least, and refuses when it leaves nothing. */
const setRateHeaders = (reply: FastifyReply, first: RateUse, own: RateUse | null): void => {
  const tightest = own && (own.allowed === first.allowed ? own.remaining < first.remaining : !own.allowed) ? own : first
  const { max, remaining, resetSeconds, allowed } = tightest
  void reply
    .header('ratelimit-limit', max)
    .header('ratelimit-remaining', remaining)
    .header('ratelimit-reset', resetSeconds)
    .header('ratelimit-policy', own ? `${policyOf(first)}, ${policyOf(own)}` : policyOf(first))
  if (allowed) return
  void reply.header('retry-after', resetSeconds)
  throw fail('rate_limited')
}

const policyOf = ({ max, windowSeconds }: RateUse): string => `${max};w=${windowSeconds}`

const requireScopes = (needed: readonly string[] | null, held: readonly string[]): void => {
  if (!needed) throw fail('token_scope', 'API tokens can’t be used here. Sign in instead.')
  const missing = needed.filter((scope) => !held.includes(scope))
  if (missing.length === 0) return
  const names = missing.map((scope) => `\`${scope}\``).join(' and ')
  throw fail('token_scope', `This API token lacks the scope ${names}. Its owner can add it in the settings.`)
}

/** On public routes someone who may not come in is a guest, so the refusal is kept for later. */
const ask = async (
  authenticate: Authenticate,
  request: FastifyRequest,
): Promise<{ caller: Caller | null; refusal: Refusal | null }> => {
  try {
    return { caller: await authenticate(credentialsOf(request)), refusal: null }
  } catch (error) {
    if (isRefusal(error)) return { caller: null, refusal: error }
    throw error
  }
}
