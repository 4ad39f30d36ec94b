/** One small JSON question to a provider (lists, details, versions), with the runner's words for every fault. */
import { Refusal } from '../platform/http/refusal.ts'
import { type Checked, type Outbound, OutboundFailure } from '../platform/outbound/types.ts'
import { outboundFault, refusedByStatus, stoppedFailure } from './faults.ts'
import { readJson } from './read-json.ts'
import { ProviderFailure } from './types.ts'

export interface ProviderRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly url: Checked<URL>
  readonly headers?: Readonly<Record<string, string>>
  readonly hasKey?: boolean
  readonly body?: unknown
  /** Sent as it is instead of `body`; its type is among the headers. */
  readonly bytes?: Uint8Array | undefined
  readonly signal?: AbortSignal
  /** For the whole exchange. */
  readonly timeoutMs: number
  readonly maxBytes?: number
  /** Values in the answer, in all its lists together; see `read-json.ts`. */
  readonly maxMembers?: number
}

/** Gives the parsed answer (null for an empty one). Throws ProviderFailure. */
export async function exchange(outbound: Pick<Outbound, 'request'>, request: ProviderRequest): Promise<unknown> {
  const late = AbortSignal.timeout(request.timeoutMs)
  const signal = request.signal ? AbortSignal.any([request.signal, late]) : late
  try {
    const response = await outbound.request(request.url, {
      method: request.method,
      headers: {
        accept: 'application/json',
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...request.headers,
      },
      ...bodyOf(request),
      signal,
      headersMs: request.timeoutMs,
      idleMs: request.timeoutMs,
      maxBytes: request.maxBytes ?? 16 * 1024 * 1024,
    })
    const bytes = await response.bytes()
    if (response.status < 200 || response.status > 299) {
      const { status, headers } = response
      throw refusedByStatus(status, bytes.subarray(0, 64 * 1024).toString(), {
        hasKey: request.hasKey ?? false,
        headers,
      })
    }
    return await readJson(bytes, request.maxMembers, signal)
  } catch (error) {
    if (request.signal?.aborted) throw stoppedFailure()
    if (late.aborted) throw new ProviderFailure('timeout', 'The provider did not answer in time.')
    throw translate(error)
  }
}

/**
 * What an error of a call to a provider means; bugs pass unchanged. `signal`: the caller's own, whose abort explains
 * everything. `answering`: the answer had begun.
 */
export function translate(error: unknown, signal?: AbortSignal, answering = false): unknown {
  if (error instanceof ProviderFailure) return error
  if (signal?.aborted) return stoppedFailure()
  if (error instanceof OutboundFailure) return outboundFault(error, answering)
  // A refusal of the gate means that the provider cannot be reached.
  if (error instanceof Refusal) return new ProviderFailure('unreachable', error.message)
  return error
}

function bodyOf({ body, bytes }: ProviderRequest): { body?: string | Uint8Array } {
  if (bytes) return { body: bytes }
  return body === undefined ? {} : { body: JSON.stringify(body) }
}
