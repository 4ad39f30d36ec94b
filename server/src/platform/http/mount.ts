/** One route on the server: authentication, rate, proof, input, handler, output, answer — in this order. */
import { eventStream } from '@atrium/contract/request'
import type { Route } from '@atrium/contract/route'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Audit } from '../audit/index.ts'
import type {
  Area,
  BytesAnswer,
  Context,
  Cookie,
  Caller,
  Frame,
  Provisioner,
  RelayAnswer,
  AuthorisedResource,
} from './area.ts'
import { answerBytes, type BytesDeps } from './bytes.ts'
import { readCookie, setCookieText } from './cookies.ts'
import {
  type Authorise,
  createAccessCheck,
  createProvisioningCheck,
  type Authenticate,
  type RevocationCount,
  type AuthenticateProvisioner,
  type RequireFresh,
} from './authenticate.ts'
import { type FollowDeps, follow } from './follow.ts'
import type { AbortRegistry } from './abort.ts'
import { checkInput, type RawInput, readAfter } from './input.ts'
import { findEndReason, watchCaller } from './session-end.ts'
import type { Rates } from './rates.ts'
import { gatherDifferences } from '../settings/index.ts'
import { routeTemplate } from './route-template.ts'
import { packedForm } from './packed-answer.ts'
import { type RelayDeps, relay } from './relay.ts'
import { createRecording } from './recording.ts'
import { incomingOf } from './body.ts'
import type { Intake } from './intake.ts'
import { fail } from './refusal.ts'
import { StaticFile, sendStaticFile } from './static-file.ts'
import { receiveUpload } from './upload.ts'

export interface MountDeps extends FollowDeps, RelayDeps, BytesDeps {
  readonly authenticate: Authenticate
  readonly authorise: Authorise
  readonly authenticateProvisioner: AuthenticateProvisioner
  readonly requireFresh: RequireFresh
  readonly revocationCount: RevocationCount
  readonly rates: Rates
  readonly intake: Intake
  readonly baseUrl: URL | null
  readonly aborts: AbortRegistry
  /** Where calls of routes that are for the audit are written. */
  readonly audit: Audit | null
}

/** Puts every route of an area on the server. Upload routes get their body unread. */
export const mountArea = (server: FastifyInstance, area: Area, by: MountDeps): void => {
  const entries = Object.entries(area.routes)
  for (const [name, route] of entries) if (!route.upload) mount(server, area, name, route, by)
  void server.register(async (uploads) => {
    uploads.removeAllContentTypeParsers()
    uploads.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined))
    for (const [name, route] of entries) if (route.upload) mount(uploads, area, name, route, by)
  })
}

const mount = (server: FastifyInstance, area: Area, name: string, route: Route, by: MountDeps): void => {
  // Area forgets the types that bindRoutes checked.
  const handle = area.handlers[name] as unknown as (input: unknown, context: Context<Caller | null>) => Promise<unknown>
  const recording = createRecording(area.name, route, by)
  server.route({
    method: route.method.toUpperCase(),
    url: routeTemplate(route),
    ...boundsOf(route),
    exposeHeadRoute: route.method === 'get' && !route.stream,
    onRequest: route.access === 'scim' ? createProvisioningCheck(route, by) : createAccessCheck(area.name, route, by),
    ...(recording ? { onSend: recording } : {}),
    handler: async (request, reply) => {
      // A token has no owner at the keyboard whom one could ask; its scopes say what it may.
      if (route.proof === true && request.caller?.token === null) await by.requireFresh(request.caller)
      const checked = checkInput(route, route.slashes ? wholeInput(route, request) : request)
      const streams = givesStream(route, request)
      const after = streams ? readAfter(request.headers['last-event-id'], checked.query) : 0
      const resource = await authoriseResource(route, request, checked.params, by)
      let controller: AbortController | null = null
      const watch = () => (controller ??= watchCaller(request, reply.raw, by))
      const context = new RequestContext(request, reply, { after, resource, streams }, watch)
      if (streams) {
        const start = () => handle(checked, context) as Promise<AsyncIterable<Frame<StreamEvent>>>
        const showRight =
          resource && (async () => (await authoriseResource(route, request, checked.params, by)) ?? resource)
        return follow(route, request, reply, (controller = by.aborts.watch(reply.raw)), start, by, showRight)
      }
      void reply.code(route.status ?? 200)
      const file = route.upload && receiveUpload(incomingOf(request, route.upload.maxBytes), by.intake)
      const run = () => handle(file ? { ...checked, file } : checked, context)
      const output = await (recording ? gatherDifferences((request.changes = []), run) : run()).catch(
        (error: unknown) => {
          throw findEndReason(controller) ?? error
        },
      )
      if (route.dialect) return relay(request, reply, watch(), output as RelayAnswer, by)
      if (route.returns === 'bytes') {
        const { downloads, report } = by
        const bounds = { downloads, report, noStore: route.noStore ?? false, signal: watch().signal }
        return await answerBytes(request, reply, output as BytesAnswer, bounds)
      }
      if (route.returns === 'redirect') return answerRedirect(reply, output as string)
      if (output instanceof StaticFile) return sendStaticFile(request, reply, output)
      return answerJson(route, route.returns, request, reply, output)
    },
  })
}

/** What somebody may send who has not shown who they are: more than any form of theirs has. */
const guestBodyBytes = 128 * 1024

const boundsOf = ({ access, maxBodyBytes, maxBodyValues }: Route) => {
  const bodyLimit = maxBodyBytes ?? (access === 'public' ? guestBodyBytes : undefined)
  return { ...(bodyLimit ? { bodyLimit } : {}), ...(maxBodyValues ? { config: { maxBodyValues } } : {}) }
}

/** The resource that the path names, when the caller has the right that the route needs. */
const authoriseResource = async (
  { names }: Route,
  { caller }: FastifyRequest,
  params: unknown,
  { authorise }: MountDeps,
): Promise<AuthorisedResource | null> => {
  if (typeof names !== 'object') return null
  // Refused where the table is checked: a route that names a resource is for accounts, and has the parameter.
  if (!caller) throw fail('unauthenticated')
  return await authorise(caller, names, (params as Record<string, string>)[names.id] ?? '')
}

/** The router calls a parameter that holds slashes `*`. */
const wholeInput = ({ path }: Route, { params, query, body }: FastifyRequest): RawInput => {
  const { '*': rest, ...others } = params as Record<string, string>
  return { params: { ...others, [/\{(\w+)\}$/.exec(path)?.[1] ?? '*']: rest }, query, body }
}

const givesStream = (route: Route, { headers }: FastifyRequest): boolean =>
  route.stream !== undefined && (!route.streamOnRequest || (headers.accept ?? '').includes(eventStream))

type StreamEvent = { readonly type: string; readonly data: unknown }

/** A class, as an object with a getter of its own is slow to make, and there is one for every request. */
class RequestContext implements Context<Caller | null> {
  readonly after: number
  readonly resource: AuthorisedResource | null
  readonly streams: boolean
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply
  readonly #watch: () => AbortController

  constructor(
    request: FastifyRequest,
    reply: FastifyReply,
    found: Pick<Context, 'after' | 'resource' | 'streams'>,
    watch: () => AbortController,
  ) {
    this.after = found.after
    this.resource = found.resource
    this.streams = found.streams
    this.#request = request
    this.#reply = reply
    this.#watch = watch
  }

  get caller(): Caller | null {
    return this.#request.caller
  }

  get provisioner(): Provisioner | null {
    return this.#request.provisioner
  }

  get requestId(): string {
    return this.#request.id
  }

  get address(): string {
    // Unknown when the client is gone already.
    return this.#request.ip ?? ''
  }

  get userAgent(): string | null {
    return this.#request.headers['user-agent']?.slice(0, 500) ?? null
  }

  get origin(): string {
    return `${this.#request.protocol}://${this.#request.host}`
  }

  get signal(): AbortSignal {
    return this.#watch().signal
  }

  // Handlers take these out of the context.
  readonly header = (name: string): string | null => {
    const value = this.#request.headers[name]
    return typeof value === 'string' ? value : null
  }

  readonly cookie = (name: string): string | null => readCookie(this.#request, name)

  readonly answerStatus = (status: 200 | 202): void => void this.#reply.code(status)

  readonly auditedHere = (): void => {
    this.#request.audited = true
  }

  readonly setCookie = (cookie: Cookie): void =>
    void this.#reply.header('set-cookie', setCookieText(cookie, this.#request.secure))
}

/** Nothing of it is kept: where it leads may hold a secret of this one try. */
const answerRedirect = (reply: FastifyReply, address: string): FastifyReply =>
  reply.code(302).headers({ location: address, 'cache-control': 'no-store' }).send()

/**
 * Checks and writes the output. The check stays on in production: it costs little beside the query behind it
 * (see docs/benchmarks.md), and it is what keeps a column that was added in haste from reaching a client.
 */
const answerJson = (
  route: Route,
  schema: z.ZodType,
  request: FastifyRequest,
  reply: FastifyReply,
  output: unknown,
): FastifyReply | Promise<FastifyReply> => {
  const write = (): string => JSON.stringify(schema.parse(output))
  const shared = route.access === 'public' && route.method === 'get' && !route.noStore
  void reply.headers({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': shared ? 'no-cache' : 'no-store',
  })
  const packed = packedForm(output, request.headers['accept-encoding'], write)
  if (packed === null) return reply.send(write())
  return packed.then((bytes) => reply.headers({ 'content-encoding': 'gzip', vary: 'accept-encoding' }).send(bytes))
}
