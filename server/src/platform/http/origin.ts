/** Whether a state change that relies on a cookie comes from our own pages. */
import type { IncomingHttpHeaders } from 'node:http'

const unsafe = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

export interface RequestOrigin {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  /** The host the request was sent to, as a trusted proxy may name it. */
  readonly host: string
  readonly viaCookie: boolean
}

/**
 * True when the request must be refused as `cross_origin`: it changes state, and the browser says that another site
 * sent it, or it relies on a cookie and nothing says that our own page did. Other headers say nothing: behind a proxy
 * that asks for a password, browsers send one by themselves.
 */
export const isForeign = (sender: RequestOrigin, baseUrl: URL | null): boolean => {
  if (!unsafe.has(sender.method)) return false
  const site = sender.headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  if (sender.headers.origin === undefined) return sender.viaCookie
  return isOtherSite(sender.headers, sender.host, baseUrl)
}

/** Whether a browser says that another site's page is asking. Who is no browser names no origin. */
export const isOtherSite = ({ origin }: IncomingHttpHeaders, ownHost: string, baseUrl: URL | null): boolean => {
  if (origin === undefined) return false
  const host = URL.parse(origin)?.host
  return host === undefined || (host !== ownHost.toLowerCase() && host !== baseUrl?.host)
}
