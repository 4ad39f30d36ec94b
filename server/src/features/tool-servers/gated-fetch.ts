/**
 * A `fetch` for libraries that want one: to the origin of one server alone, through the outbound gate, with the account's
 * proof, no redirects, and bounds on bytes and time that hold while an answer streams.
 */
import { Refusal } from '../../platform/http/refusal.ts'
import { OutboundFailure, type OutboundGate, type OutboundResponse } from '../../platform/outbound/types.ts'
import { type GatedFetch, type RegisteredServer, type ServerAuth, ServerFault, type ServerLink } from './kind.ts'

/** A stream that was opened to be told of changes may be silent for so long. */
const silenceMs = 5 * 60_000
/** And say so much in all: older servers answer everything on one stream. */
const mostStreamBytes = 16 * 1024 * 1024
const connectMs = 10_000
/** What libraries read of an answer; everything else stays outside. */
const passed = ['content-type', 'mcp-session-id', 'mcp-protocol-version', 'www-authenticate', 'retry-after']
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** `outbound`: the gate that this server may be reached through. */
export const createLink = (parts: {
  readonly server: RegisteredServer
  readonly accountId: string
  readonly auth: ServerAuth
  readonly outbound: OutboundGate
}): ServerLink => {
  const { server, accountId, auth, outbound } = parts
  const { origin } = new URL(server.baseUrl)
  let last: ServerFault | null = null
  const note = (error: unknown): ServerFault => {
    const fault = toFault(error)
    // What is called off because something else went wrong is not what went wrong.
    if (!last || fault.kind !== 'cancelled') last = fault
    return fault
  }

  const fetchWithin: ServerLink['fetchWithin'] = ({ maxBytes, timeoutMs, signal, onStream }): GatedFetch => {
    let left = maxBytes
    return async (input, init = {}) => {
      try {
        const url = new URL(String(input))
        if (url.origin !== origin)
          throw new ServerFault('protocol', 'The server named an address elsewhere, which Atrium doesn’t call.')
        const method = methods.find((known) => known === (init.method ?? 'GET').toUpperCase())
        if (!method) throw new ServerFault('protocol', 'The call has a method that no tool server needs.')
        const checked = await outbound.check(url.href)
        const given = headersOf(init.headers)
        // One that goes on where another broke off belongs to a question.
        const streams = method === 'GET' && given['accept'] === 'text/event-stream' && !('last-event-id' in given)
        for (let again = false; ; again = true) {
          const answer = await outbound.request(checked, {
            method,
            // What an administrator set is not what a model says.
            headers: { ...given, ...lowerCase(server.headers), ...lowerCase(await auth.headers()) },
            ...(init.body === undefined || init.body === null ? {} : { body: bodyOf(init.body) }),
            signal: init.signal ? AbortSignal.any([signal, init.signal]) : signal,
            connectMs: Math.min(connectMs, timeoutMs),
            headersMs: timeoutMs,
            idleMs: streams ? silenceMs : timeoutMs,
            maxBytes: streams ? mostStreamBytes : left,
          })
          const { status } = answer
          if (status === 401 || status === 403) {
            const challenge = { status, wwwAuthenticate: answer.headers['www-authenticate'] ?? null, again } as const
            if ((await auth.refused?.(challenge)) && !again) {
              answer.discard()
              continue
            }
            last = refusedBy(status, server.authMode !== 'none')
          }
          const ended = Promise.withResolvers<ServerFault | null>()
          // A stream that tells of changes belongs to no question.
          if (isEventStream(answer) && !streams) onStream?.(ended.promise)
          return toResponse(answer, {
            count: (bytes) => void (left -= streams ? 0 : bytes),
            broken: (error) => {
              const fault = note(error)
              ended.resolve(fault)
              return fault
            },
            ended: () => ended.resolve(null),
          })
        }
      } catch (error) {
        throw note(error)
      }
    }
  }

  return { server, accountId, auth, outbound, fetchWithin, lastFault: () => last }
}

const refusedBy = (status: 401 | 403, hasProof: boolean): ServerFault =>
  new ServerFault(
    'refused',
    hasProof
      ? `The server refused the credential (HTTP ${status}).`
      : `The server requires a credential, but is registered without one (HTTP ${status}).`,
  )

/** The gate's words are ours already. */
export const toFault = (error: unknown): ServerFault => {
  if (error instanceof ServerFault) return error
  if (error instanceof Refusal) return new ServerFault('unreachable', error.message)
  if (error instanceof OutboundFailure) {
    if (error.kind === 'aborted') return new ServerFault('cancelled', 'The call was cancelled.')
    if (error.kind === 'too-large') return new ServerFault('too-large', 'The answer is larger than allowed.')
    if (error.kind === 'timeout') return new ServerFault('timeout', error.message)
    return new ServerFault('unreachable', error.message)
  }
  if (error instanceof Error && error.name === 'AbortError')
    return new ServerFault('cancelled', 'The call was cancelled.')
  return new ServerFault('protocol', 'The server didn’t answer as the protocol says.', { cause: error })
}

const isEventStream = ({ headers }: OutboundResponse): boolean =>
  headers['content-type']?.trim().toLowerCase().startsWith('text/event-stream') === true

const toResponse = (
  answer: OutboundResponse,
  on: {
    readonly count: (bytes: number) => void
    readonly broken: (error: unknown) => ServerFault
    readonly ended: () => void
  },
): Response => {
  const headers = new Headers()
  for (const name of passed) {
    const value = answer.headers[name]
    // What cannot stand in a header was no header.
    if (value !== undefined && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)) headers.set(name, value)
  }
  const { status } = answer
  const bare = status === 204 || status === 205 || status === 304
  if (bare) answer.discard()
  const pieces = answer.body[Symbol.asyncIterator]()
  const body = bare
    ? null
    : new ReadableStream<Uint8Array>({
        async pull(controller) {
          try {
            const { value, done } = await pieces.next()
            if (done) {
              on.ended()
              return controller.close()
            }
            on.count(value.byteLength)
            controller.enqueue(value)
          } catch (error) {
            controller.error(on.broken(error))
          }
        },
        cancel: () => answer.discard(),
      })
  return new Response(body, { status, headers })
}

const headersOf = (given: RequestInit['headers']): Record<string, string> =>
  Object.fromEntries(new Headers(given).entries())

const lowerCase = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

const bodyOf = (body: NonNullable<RequestInit['body']>): string | Uint8Array => {
  if (typeof body === 'string' || body instanceof Uint8Array) return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new ServerFault('protocol', 'The call has a body of a kind that is not sent.')
}
