/** How a request arrived, against the address that the client used and what the environment says of it. */
import { isIP } from 'node:net'
import { type CheckOutcome, reportFailure, reportPass, reportWarning } from '../../platform/diagnostics/checks.ts'
import { classifyAddress } from '../../platform/outbound/addresses.ts'
import { proxyFixes, variableFix } from './proxies.ts'

/** What the server saw of the request. */
export interface Arrival {
  /** Scheme and host, as a trusted proxy may name them. */
  readonly origin: string
  /** The address that the request is counted for. */
  readonly address: string
  readonly forwardedFor: string | null
}

/** What the environment says: BASE_URL and TRUST_PROXY. */
export interface Place {
  readonly baseUrl: URL | undefined
  readonly trustProxy: number | readonly string[]
}

/** `used`: the origin that the client used. */
export const judgeArrival = (used: string, arrival: Arrival, place: Place): [string, CheckOutcome][] => {
  const origin = new URL(used)
  return [
    ['base-url', judgeBaseUrl(origin, place.baseUrl)],
    ['https', judgeScheme(origin, new URL(arrival.origin))],
    ['host', judgeHost(origin, new URL(arrival.origin))],
    ['trust-proxy', judgeProxies(arrival, place.trustProxy)],
  ]
}

const judgeBaseUrl = (used: URL, baseUrl: URL | undefined): CheckOutcome => {
  const fix = [variableFix('BASE_URL', used.origin)]
  if (!baseUrl) {
    if (isLocal(used)) return reportPass(`BASE_URL is not set, and ${used.origin} is on this machine or its network.`)
    return reportWarning(
      `BASE_URL is not set. Links in mails, passkeys and single sign-on need the address people use.`,
      fix,
    )
  }
  if (baseUrl.origin === used.origin) return reportPass(`BASE_URL is ${baseUrl.origin}, the address you used.`)
  return reportWarning(
    `BASE_URL is ${baseUrl.origin}, but ${used.origin} was used. Links and passkeys only work at BASE_URL.`,
    fix,
  )
}

const judgeScheme = (used: URL, seen: URL): CheckOutcome => {
  if (used.protocol !== seen.protocol) {
    return reportFailure(
      `The client used ${used.protocol}//, and the request arrived as ${seen.protocol}//: cookies and links are made for the wrong scheme. Make the proxy pass the scheme on, and name the proxy in TRUST_PROXY.`,
      proxyFixes.forwardedProto,
    )
  }
  if (used.protocol === 'https:') return reportPass('The connection is encrypted, and cookies are limited to https.')
  if (isLocal(used)) return reportPass('The connection is plain http, on this machine or its network.')
  return reportWarning(
    'The connection is plain http, so passwords and chats can be read on the way. Put a proxy with a certificate in front.',
  )
}

const judgeHost = (used: URL, seen: URL): CheckOutcome =>
  used.host === seen.host
    ? reportPass(`The host name ${used.host} arrives.`)
    : reportFailure(`The client asked for ${used.host}, and the request arrived for ${seen.host}.`, proxyFixes.host)

/** A client of ours sends no X-Forwarded-For itself, so each entry is a proxy. */
const judgeProxies = ({ forwardedFor, address }: Arrival, trust: number | readonly string[]): CheckOutcome => {
  const hops = forwardedFor === null ? [] : forwardedFor.split(',').map((entry) => entry.trim())
  const fix = [variableFix('TRUST_PROXY', String(hops.length))]
  if (typeof trust !== 'number') {
    if (hops.length === 0 || hops[0] === address)
      return reportPass(`Visitors can be told apart; this one is ${address}.`)
    return reportWarning(
      `TRUST_PROXY names proxies, but not all: this visitor, ${hops[0]}, appears as ${address}.`,
      fix,
    )
  }
  if (hops.length === trust)
    return reportPass(
      trust === 0 ? 'No proxy is in front, and none is trusted.' : `TRUST_PROXY is ${trust}, which is right.`,
    )
  if (hops.length === 0) {
    return reportFailure(
      `TRUST_PROXY is ${trust}, but no proxy passes the visitor’s address on: anyone who reaches this port can claim any address.`,
      [...proxyFixes.forwardedFor, variableFix('TRUST_PROXY', '0')],
    )
  }
  if (trust === 0) {
    return reportFailure(
      `${hops.length === 1 ? 'A proxy is' : `${hops.length} proxies are`} in front, and TRUST_PROXY is 0: all visitors appear as ${address} and share one limit.`,
      fix,
    )
  }
  return (trust > hops.length ? reportFailure : reportWarning)(
    `TRUST_PROXY is ${trust}, and the request came through ${hops.length}: visitors are ${trust > hops.length ? 'able to claim any address' : `seen as ${address}`}.`,
    fix,
  )
}

const isLocal = ({ hostname }: URL): boolean => {
  const bare = hostname.replace(/^\[|\]$/g, '')
  if (isIP(bare)) return classifyAddress(bare) !== 'public'
  return bare === 'localhost' || !bare.includes('.') || /\.(localhost|local|lan|home|internal)$/.test(bare)
}
