/** Calls of destinations that are reached over HTTP: repeated while the other side is busy, told in words where it refuses. */
import { Refusal } from '../../http/refusal.ts'
import {
  type Checked,
  type Outbound,
  OutboundFailure,
  type OutboundRequest,
  type OutboundResponse,
} from '../../outbound/types.ts'
import { DestinationFailure, maxObjectBytes } from './destination.ts'

export interface HttpDestinationDeps {
  readonly outbound: Pick<Outbound, 'check' | 'request'>
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Milliseconds before the second try; each further one waits twice as long. */
  readonly backOffMs?: number
}

export interface HttpCall {
  readonly method: OutboundRequest['method']
  readonly url: string
  /** Asked at each try: a signature holds its time. */
  readonly headers: () => Readonly<Record<string, string>>
  readonly body?: Uint8Array | string | undefined
  readonly signal?: AbortSignal | undefined
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export type HttpCaller = (call: HttpCall) => Promise<HttpAnswer>

const tries = 5
const connectMs = 15_000
/** Storage answers within it, or is tried again. */
const silenceMs = 60_000
const longestWaitMs = 30_000
const busy = new Set([408, 425, 429, 500, 502, 503, 504])
const passing: ReadonlySet<string> = new Set(['unreachable', 'timeout', 'reset'])

/**
 * Gives a function that calls and reads the whole answer, whatever its status, redirects as well, which are never
 * followed. A busy server and a cut connection are tried again, five times in all; then DestinationFailure `unreachable`.
 */
export const createHttpCaller =
  ({ outbound, backOffMs = 500 }: HttpDestinationDeps): HttpCaller =>
  async (call) => {
    const url = await inWords(outbound.check(call.url), call.signal)
    for (let attempt = 1; ; attempt++) {
      const outcome = await tryOnce(outbound, url, call)
      const isLast = attempt >= tries
      if (outcome instanceof OutboundFailure) {
        if (isLast || !passing.has(outcome.kind)) throw asDestinationFailure(outcome, call.signal)
      } else if (isLast || !busy.has(outcome.status)) return outcome
      const asked = outcome instanceof OutboundFailure ? 0 : Number(outcome.headers['retry-after'] ?? 0) * 1000
      const usual = backOffMs * 2 ** (attempt - 1) * (0.75 + Math.random() / 2)
      await wait(Math.min(Math.max(usual, asked > 0 ? asked : 0), longestWaitMs), call.signal)
    }
  }

const tryOnce = async (
  outbound: HttpDestinationDeps['outbound'],
  url: Checked<URL>,
  { method, headers, body, signal }: HttpCall,
): Promise<HttpAnswer | OutboundFailure> => {
  signal?.throwIfAborted()
  let response: OutboundResponse | undefined
  try {
    response = await outbound.request(url, {
      method,
      headers: headers(),
      connectMs,
      headersMs: silenceMs,
      idleMs: silenceMs,
      maxBytes: maxObjectBytes,
      showRedirects: true,
      ...(body === undefined ? {} : { body }),
      ...(signal ? { signal } : {}),
    })
    return { status: response.status, headers: response.headers, body: await response.bytes() }
  } catch (error) {
    response?.discard()
    if (error instanceof OutboundFailure) return error
    throw await inWords(Promise.reject(error), signal)
  }
}

const inWords = async <T>(step: Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
  try {
    return await step
  } catch (error) {
    if (error instanceof OutboundFailure) throw asDestinationFailure(error, signal)
    if (error instanceof Refusal) throw new DestinationFailure('invalid', error.message, { cause: error })
    throw error
  }
}

const asDestinationFailure = (failure: OutboundFailure, signal: AbortSignal | undefined): unknown => {
  if (failure.kind === 'aborted') return signal?.reason ?? failure
  const kind = failure.kind === 'too-large' ? 'invalid' : 'unreachable'
  return new DestinationFailure(kind, failure.message, { cause: failure })
}

const wait = (ms: number, signal: AbortSignal | undefined): Promise<void> => {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const calledOff = () => reject(signal?.reason as Error)
  const timer = setTimeout(resolve, ms)
  signal?.addEventListener('abort', calledOff)
  return promise.finally(() => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', calledOff)
  })
}

/** What a status says by itself; the protocols know more of some. */
export const failureOfStatus = (status: number): DestinationFailure => {
  if (status >= 300 && status < 400)
    return new DestinationFailure(
      'invalid',
      'The server redirects to another address, which isn’t followed. Enter the final address.',
    )
  if (status === 401) return new DestinationFailure('denied', 'The server does not accept this user name and password.')
  if (status === 403) return new DestinationFailure('denied', 'The server refused: these credentials don’t allow it.')
  if (status === 404 || status === 410) return new DestinationFailure('missing', 'Nothing was found at this address.')
  if (status === 413) return new DestinationFailure('full', 'The server doesn’t accept files of this size.')
  if (status === 507) return new DestinationFailure('full', 'The destination is full.')
  if (busy.has(status)) return new DestinationFailure('unreachable', `The server is busy or broken (status ${status}).`)
  return new DestinationFailure('invalid', `The server answered with status ${status}, which was not expected.`)
}
