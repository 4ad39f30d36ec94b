/** The way to authorization servers: every request goes through the outbound gate, bounded, and nothing is followed. */
import type { FetchLike } from '@modelcontextprotocol/client'
import { isRefusal } from '../../../platform/http/refusal.ts'
import { fetchWhole } from '../../../platform/outbound/fetch-whole.ts'
import { hostAndPort } from '../../../platform/outbound/destination.ts'
import { type Outbound, OutboundFailure } from '../../../platform/outbound/types.ts'
import { SignInFailure } from './failure.ts'

export interface Gate {
  readonly outbound: Pick<Outbound, 'check' | 'request'>
  /** Private `host:port` pairs that may be called; those of this machine may do without TLS. */
  readonly allowedAddresses: () => Promise<ReadonlySet<string>>
}

const timeoutMs = 15_000
/** Of a document or an answer. */
const maxBytes = 128 * 1024

/**
 * Judges an address that a server named, before it is called or a browser is sent there. Throws SignInFailure
 * `address-not-allowed`: what is private and not on the list, or has no TLS and is not this machine, or is no web
 * address.
 */
export const requireAddress = async (gate: Gate, address: string) => {
  try {
    const checked = await gate.outbound.check(address)
    // Tokens and people’s sign-ins pass here (OAuth 2.1, 1.5).
    const mayBePlain = isThisMachine(checked.hostname) && (await gate.allowedAddresses()).has(hostAndPort(checked.href))
    if (checked.protocol !== 'https:' && !mayBePlain)
      throw new SignInFailure('address-not-allowed', `${checked.origin} must begin with https.`)
    return checked
  } catch (error) {
    if (!isRefusal(error)) throw error
    const where = URL.parse(address)?.host || 'An address that the server named'
    throw new SignInFailure('address-not-allowed', `${where}: ${error.message}`, error)
  }
}

const isThisMachine = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)

/** A `fetch` for the libraries. Throws SignInFailure `address-not-allowed` or `unreachable`. */
export const createOAuthFetch =
  (gate: Gate): FetchLike =>
  async (address, { method, headers, body, signal } = {}) => {
    const checked = await requireAddress(gate, String(address))
    try {
      const call = { method, headers: Object.fromEntries(new Headers(headers)), body, signal }
      return await fetchWhole(gate.outbound, checked, call, { timeoutMs, maxBytes })
    } catch (error) {
      if (isRefusal(error)) throw new SignInFailure('address-not-allowed', `${checked.host}: ${error.message}`, error)
      if (!(error instanceof OutboundFailure)) throw error
      throw new SignInFailure('unreachable', `${checked.host}: ${wordsOf(error)}`, error)
    }
  }

const wordsOf = ({ kind, message }: OutboundFailure): string =>
  kind === 'timeout' || kind === 'aborted' ? 'no answer within 15 seconds.' : message
