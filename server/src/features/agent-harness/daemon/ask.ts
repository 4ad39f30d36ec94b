/** One question to the daemon, through a gate that is open for its address alone. */
import { Refusal } from '../../../platform/http/refusal.ts'
import { type Outbound, OutboundFailure } from '../../../platform/outbound/types.ts'
import { readJson } from '../../../providers/read-json.ts'
import { ProviderFailure } from '../../../providers/types.ts'
import { DaemonFailure } from './failure.ts'

export interface DaemonQuestion {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Each is one segment of the path. */
  readonly path: readonly string[]
  /** Absent values are left out. */
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: unknown
  readonly signal?: AbortSignal
  readonly maxBytes?: number
}

/** Gives the parsed answer. Throws DaemonFailure. */
export type AskDaemon = (question: DaemonQuestion) => Promise<unknown>

export interface AskDeps {
  readonly outbound: Pick<Outbound, 'check' | 'request'>
  /** Without slashes at its end. */
  readonly baseUrl: string
  /** For the whole exchange. */
  readonly timeoutMs: number
}

const usualBytes = 4 * 1024 * 1024

export const createAskDaemon =
  ({ outbound, baseUrl, timeoutMs }: AskDeps): AskDaemon =>
  async ({ method, path, query = {}, body, signal: caller, maxBytes = usualBytes }) => {
    const late = AbortSignal.timeout(timeoutMs)
    const signal = caller ? AbortSignal.any([caller, late]) : late
    try {
      const url = await outbound.check(baseUrl + pathOf(path) + queryOf(query))
      const answer = await outbound.request(url, {
        method,
        headers: {
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal,
        connectMs: timeoutMs,
        headersMs: timeoutMs,
        idleMs: timeoutMs,
        maxBytes,
      })
      if (answer.status < 200 || answer.status > 299) {
        answer.discard()
        throw new DaemonFailure('refused', `The daemon answered with ${answer.status}.`, answer.status)
      }
      return await readJson(await answer.bytes(), undefined, signal)
    } catch (error) {
      if (caller?.aborted) throw new DaemonFailure('aborted', 'The question was called off.')
      if (late.aborted) throw new DaemonFailure('timeout', 'The daemon did not answer in time.')
      throw failureOf(error)
    }
  }

const pathOf = (segments: readonly string[]): string =>
  segments.map((segment) => `/${encodeURIComponent(segment)}`).join('')

const queryOf = (query: NonNullable<DaemonQuestion['query']>): string => {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

/** Bugs pass unchanged. */
const failureOf = (error: unknown): unknown => {
  if (error instanceof ProviderFailure)
    return new DaemonFailure('bad-answer', 'The daemon answered with no sound JSON.')
  // The gate refuses addresses that nobody has business at.
  if (error instanceof Refusal) return new DaemonFailure('unreachable', error.message)
  if (!(error instanceof OutboundFailure)) return error
  const { kind } = error
  if (kind === 'aborted' || kind === 'timeout' || kind === 'unreachable') return new DaemonFailure(kind, error.message)
  return new DaemonFailure('bad-answer', error.message)
}
