/** The way to providers: every call goes through the outbound gate, with short limits, and nothing is followed. */
import { fetchWhole } from '../../../platform/outbound/fetch-whole.ts'
import { hostAndPort } from '../../../platform/outbound/destination.ts'
import { type Outbound, OutboundFailure } from '../../../platform/outbound/types.ts'
import { isRefusal } from '../../../platform/http/refusal.ts'
import { OAuthFailure } from './failure.ts'

export const timeoutMs = 10_000
const maxBytes = 1024 * 1024

export interface ProviderCall {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}
export type ProviderFetch = (url: string, call?: ProviderCall) => Promise<Response>

/**
 * Judges an address that a provider named, before it is called or a browser is sent there: what could never be called
 * there, is private and not on the list, or has no TLS and is not on it. Throws OAuthFailure `address-not-allowed`.
 */
export type AddressCheck = (address: string) => Promise<void>

interface Gate {
  readonly outbound: Pick<Outbound, 'check' | 'request'>
  readonly allowedAddresses: () => Promise<ReadonlySet<string>>
}

const checkPlace = async ({ outbound, allowedAddresses }: Gate, address: string) => {
  const checked = await outbound.check(address)
  if (checked.protocol !== 'https:' && !(await allowedAddresses()).has(hostAndPort(checked.href)))
    throw new OAuthFailure('address-not-allowed', `${checked.origin} must begin with https.`)
  return checked
}

export const createAddressCheck =
  (gate: Gate): AddressCheck =>
  async (address) => {
    try {
      await checkPlace(gate, address)
    } catch (error) {
      throw asFailure(error, URL.parse(address)?.host || 'An address of the provider')
    }
  }

/**
 * A `fetch` for the libraries. Throws OAuthFailure: `address-not-allowed`, `upstream-timeout`, `upstream-error`.
 * Without TLS only places that an administrator allowed by name are called: tokens travel here.
 */
export const createProviderFetch = (gate: Gate): ProviderFetch => {
  const { outbound } = gate
  return async (address, { method, headers, body, signal } = {}) => {
    const url = URL.parse(address)
    if (!url) throw new OAuthFailure('address-not-allowed', 'The provider sent an invalid address.')
    try {
      const call = { method, headers, body, signal }
      return await fetchWhole(outbound, await checkPlace(gate, url.href), call, { timeoutMs, maxBytes })
    } catch (error) {
      throw asFailure(error, url.origin)
    }
  }
}

const asFailure = (error: unknown, origin: string): unknown => {
  if (isRefusal(error)) return new OAuthFailure('address-not-allowed', `${origin}: ${error.message}`, error)
  if (!(error instanceof OutboundFailure)) return error
  if (error.kind === 'timeout' || error.kind === 'aborted')
    return new OAuthFailure('upstream-timeout', `${origin} didn’t respond within ten seconds.`, error)
  return new OAuthFailure('upstream-error', `${origin}: ${error.message}`, error)
}
