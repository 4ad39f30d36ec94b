/** Reading an address as it was written: what is odd is refused before anything is looked up. */
import { isIP } from 'node:net'
import { fail } from '../http/refusal.ts'
import { type AddressClass, classifyAddress } from './addresses.ts'

/** What an address says by itself: the same for the same text, however often it is read. */
export interface ParsedAddress {
  readonly url: URL
  /** Scheme, host and port. */
  readonly origin: string
  /** Path and query. */
  readonly path: string
  /** Host name or address, without brackets. */
  readonly host: string
  /** `host:port` with the port always written, as the operator's list has it. */
  readonly hostAndPort: string
  readonly isAddress: boolean
  /** Whose it is, for an address; null for a name. */
  readonly addressClass: AddressClass | null
}

export interface Destination extends ParsedAddress {
  /** Whether the operator's list has exactly this host and port. */
  readonly listed: boolean
}

/** Parses and judges an address without looking anything up. Throws `url_not_allowed` with a reason in words. */
export const readDestination = (written: string, allowed: ReadonlySet<string>): Destination => {
  const place = parseAddress(written)
  return { ...place, listed: checkAddress(place, allowed) }
}

/** Parses an address. Throws `url_not_allowed` where it is oddly written. */
export const parseAddress = (written: string): ParsedAddress => {
  const url = parse(written)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const hostAndPort = placeOf(url)
  const isAddress = isIP(host) !== 0
  const addressClass = isAddress ? classifyAddress(host) : null
  return { url, origin: url.origin, path: url.pathname + url.search, host, hostAndPort, isAddress, addressClass }
}

/** Whether the operator's list has a place; throws `url_not_allowed` where it would have to, and does not. */
export const checkAddress = (
  { host, hostAndPort, addressClass }: ParsedAddress,
  allowed: ReadonlySet<string>,
): boolean => {
  const listed = isListed(hostAndPort, allowed)
  if (addressClass !== null) requireAllowed(addressClass, listed)
  else if (isLocalName(host) && !listed) throw notAllowed(privateWords)
  return listed
}

/**
 * Judges an address that is to be kept and called later, perhaps after its place was allowed: refuses odd writing and
 * networks that are never called with `url_not_allowed`, and lets plainly private ones pass.
 */
export const requireSoundAddress = (written: string): void => {
  const url = URL.parse(written)
  readDestination(written, new Set(url ? [placeOf(url)] : []))
}

/** Refuses unless every one of `addresses` may be called. `listed`: private ones are allowed by the operator. */
export const requireAllowedAddresses = (addresses: readonly string[], listed: boolean): void => {
  for (const address of addresses) requireAllowed(classifyAddress(address), listed)
}

const requireAllowed = (addressClass: AddressClass, listed: boolean): void => {
  if (addressClass === 'never') throw notAllowed('This address belongs to a network that can’t be called.')
  if (addressClass === 'private' && !listed) throw notAllowed(privateWords)
}

/**
 * An entry of the operator's list in the form that a parsed address has (`LOCALHOST:80` is `localhost:80`, the shortest
 * form for IPv6); null when it is no `host:port`.
 */
export const plainHostAndPort = (entry: string): string | null => {
  const port = Number(/:(\d{1,5})$/.exec(entry)?.[1])
  const url = /[\s/\\?#@]/.test(entry) ? null : URL.parse(`http://${entry}`)
  return url && isPlainHost(entry, url.hostname) && port > 0 && port <= 65_535 ? `${url.hostname}:${port}` : null
}

/** `host:port` of an address, with the port always written. Throws TypeError for what is no address. */
export const hostAndPort = (address: string): string => placeOf(new URL(address))

const placeOf = ({ hostname, port, protocol }: URL): string =>
  `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`

/** Whose the host of a `host:port` is, when it is an address; null for a name. */
export const classifyHost = (hostAndPort: string): AddressClass | null => {
  const host = hostAndPort.replace(/:\d+$/, '').replace(/^\[|\]$/g, '')
  return isIP(host) === 0 ? null : classifyAddress(host)
}

const privateWords =
  'This address is on this machine or in a private network. An administrator can allow exactly this host and port.'
const maxLength = 2048

const notAllowed = (words: string) => fail('url_not_allowed', words)

const parse = (written: string): URL => {
  if (written.length > maxLength) throw notAllowed('This address is too long.')
  // The parser would quietly drop or turn around these, and another reader of the text would not.
  if (/[\s\\\p{Cc}]/u.test(written)) throw notAllowed('Enter the address without spaces or backslashes.')
  const url = URL.parse(written)
  if (!url) throw notAllowed('This isn’t a complete web address.')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw notAllowed('Only addresses that begin with http:// or https:// can be called.')
  }
  const authority = /^https?:\/\/([^/?#]+)/i.exec(written)?.[1]
  if (!authority || url.hostname === '') throw notAllowed('This address has no host.')
  if (authority.includes('@')) throw notAllowed('Leave user name and password out of the address.')
  if (url.port === '0') throw notAllowed('Port 0 can’t be called.')
  if (url.hostname.endsWith('.')) throw notAllowed('Enter the host without a dot at the end.')
  if (!isPlainHost(authority, url.hostname)) {
    throw notAllowed('Enter the host as a name or as an address in its usual form.')
  }
  return url
}

/**
 * The host must stand there as it is meant: `0x7f.1`, `2130706433`, `%6c…` and full-width digits all become something
 * else in the parser. Only names in other scripts may change, into their `xn--` form.
 */
const isPlainHost = (authority: string, hostname: string): boolean => {
  if (hostname.startsWith('[')) return true
  const host = authority.replace(/:\d*$/, '').toLowerCase()
  if (host === hostname) return true
  return hostname.includes('xn--') && /[^\0-\x7f]/.test(host) && !host.includes('%')
}

/** Names that mean this machine whatever a resolver says. */
const isLocalName = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost')

const isListed = (hostAndPort: string, allowed: ReadonlySet<string>): boolean => {
  if (allowed.has(hostAndPort)) return true
  for (const entry of allowed) if (plainHostAndPort(entry) === hostAndPort) return true
  return false
}
