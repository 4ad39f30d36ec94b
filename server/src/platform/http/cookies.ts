/** Cookies: what they are called, how they are set and read. */
import type { FastifyRequest } from 'fastify'
import type { Cookie } from './area.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Came by https; or everybody does, as the operator says by the address of the instance. */
    secure: boolean
  }
}

/**
 * By https a name has the prefix with which browsers take a cookie from this host alone, not from a neighbour of the
 * same domain, and by https only (RFC 6265bis, section 4.1.3.2). One without it is then not read.
 */
const nameOf = (name: string, secure: boolean): string => (secure ? `__Host-${name}` : name)

/** `Set-Cookie` for a cookie that scripts cannot read and other sites cannot send. */
export const setCookieText = (cookie: Cookie, secure: boolean): string => {
  const expires = cookie.value === null ? new Date(0) : cookie.expiresAt ? new Date(cookie.expiresAt) : null
  return [
    `${nameOf(cookie.name, secure)}=${encodeURIComponent(cookie.value ?? '')}`,
    'Path=/',
    'HttpOnly',
    `SameSite=${cookie.sameSite ?? 'Strict'}`,
    ...(expires ? [`Expires=${expires.toUTCString()}`] : []),
    ...(secure ? ['Secure'] : []),
  ].join('; ')
}

/** One cookie of a request; null when it is not there or not readable. */
export const readCookie = (
  { headers, secure }: Pick<FastifyRequest, 'headers' | 'secure'>,
  name: string,
): string | null => {
  const full = nameOf(name, secure)
  for (const pair of headers.cookie?.split(';') ?? []) {
    const equals = pair.indexOf('=')
    if (equals < 0 || pair.slice(0, equals).trim() !== full) continue
    try {
      return decodeURIComponent(pair.slice(equals + 1).trim())
    } catch {
      // A broken escape is a cookie we did not write.
      return null
    }
  }
  return null
}
