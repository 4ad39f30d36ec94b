/** The way to authorization servers: every request goes through the outbound gate, bounded, and nothing is followed. */
import type { FetchLike } from '@modelcontextprotocol/client'
import { isRefusal } from '../../../platform/http/refusal.ts'
import { hostAndPort } from '../../../platform/outbound/destination.ts'
import { type Outbound, OutboundFailure } from '../../../platform/outbound/types.ts'
import { SignInFailure } from './failure.ts'

export interface Gate {
  readonly outbound: Pick<Outbound, 'check' | 'request'>
  /** Private `host:port` pairs that may be called; they alone may do without TLS. */
  readonly allowedAddresses: () => Promise<ReadonlySet<string>>
}

const timeoutMs = 15_000
/** Of a document or an answer. */
const maxBytes = 128 * 1024

/**
 * Judges an address that a server named, before it is called or a browser is sent there. Throws SignInFailure
 * `address-not-allowed`: what is private and not on the list, or has no TLS and is not on it, or is no web address.
 */
export const requireAddress = async (gate: Gate, address: string) => {
  try {
    const checked = await gate.outbound.check(address)
    if (checked.protocol !== 'https:' && !(await gate.allowedAddresses()).has(hostAndPort(checked.href)))
      throw new SignInFailure('address-not-allowed', `${checked.origin} has to begin with https.`)
    return checked
  } catch (error) {
    if (!isRefusal(error)) throw error
    const where = URL.parse(address)?.host || 'An address that the server named'
    throw new SignInFailure('address-not-allowed', `${where}: ${error.message}`, error)
  }
}

/** A `fetch` for the libraries. Throws SignInFailure `address-not-allowed` or `unreachable`. */
export const createOAuthFetch =
  (gate: Gate): FetchLike =>
  async (address, { method = 'GET', headers, body, signal } = {}) => {
    const checked = await requireAddress(gate, String(address))
    const over = AbortSignal.timeout(timeoutMs)
    try {
      const answer = await gate.outbound.request(checked, {
        method: method.toUpperCase() === 'POST' ? 'POST' : 'GET',
        headers: Object.fromEntries(new Headers(headers)),
        ...(body === undefined || body === null ? {} : { body: textOf(body) }),
        signal: signal ? AbortSignal.any([signal, over]) : over,
        connectMs: timeoutMs,
        headersMs: timeoutMs,
        idleMs: timeoutMs,
        maxBytes,
      })
      const bytes = await answer.bytes()
      const empty = answer.status === 204 || answer.status === 304
      return new Response(empty ? null : new Uint8Array(bytes), {
        status: answer.status,
        headers: { ...answer.headers },
      })
    } catch (error) {
      if (isRefusal(error)) throw new SignInFailure('address-not-allowed', `${checked.host}: ${error.message}`, error)
      if (!(error instanceof OutboundFailure)) throw error
      throw new SignInFailure('unreachable', `${checked.host}: ${wordsOf(error)}`, error)
    }
  }

const textOf = (body: unknown): string => {
  if (typeof body === 'string' || body instanceof URLSearchParams) return body.toString()
  throw new TypeError('Authorization servers are sent text.')
}

const wordsOf = ({ kind, message }: OutboundFailure): string =>
  kind === 'timeout' || kind === 'aborted' ? 'no answer within 15 seconds.' : message
