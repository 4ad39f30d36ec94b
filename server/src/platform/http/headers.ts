/** Headers of every answer, cookies, and file names in headers. */
import type { Cookie } from './area.ts'

/**
 * Styles may be inline because formulas (KaTeX) and diagrams (Mermaid) set them on what they draw; scripts may not.
 * `blob:` frames hold previews, sandboxed.
 */
const pagePolicy = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "frame-src 'self' blob:",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ')

/** For bytes that a user brought: nothing in them runs, loads or submits. */
export const bytesPolicy =
  "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox"

/** The headers of every answer, whatever it is. HSTS only where the instance is reached by https. */
export const securityHeaders = (https: boolean): Readonly<Record<string, string>> => ({
  'content-security-policy': pagePolicy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(self), payment=(), usb=(), browsing-topics=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  ...(https ? { 'strict-transport-security': 'max-age=31536000' } : {}),
})

/** `Set-Cookie` for a cookie that scripts cannot read and other sites cannot send. */
export const setCookieText = (cookie: Cookie, secure: boolean): string => {
  const expires = cookie.value === null ? new Date(0) : cookie.expiresAt ? new Date(cookie.expiresAt) : null
  return [
    `${cookie.name}=${encodeURIComponent(cookie.value ?? '')}`,
    `Path=${cookie.path ?? '/'}`,
    'HttpOnly',
    `SameSite=${cookie.sameSite ?? 'Strict'}`,
    ...(expires ? [`Expires=${expires.toUTCString()}`] : []),
    ...(secure ? ['Secure'] : []),
  ].join('; ')
}

/** One cookie of a `Cookie` header; null when it is not there or not readable. */
export const readCookie = (header: string | undefined, name: string): string | null => {
  for (const pair of header?.split(';') ?? []) {
    const equals = pair.indexOf('=')
    if (equals < 0 || pair.slice(0, equals).trim() !== name) continue
    try {
      return decodeURIComponent(pair.slice(equals + 1).trim())
    } catch {
      // A broken escape is a cookie we did not write.
      return null
    }
  }
  return null
}

/** `Content-Disposition` with the file name in both spellings (RFC 6266, RFC 5987). */
export const disposition = (kind: 'inline' | 'attachment', fileName: string): string => {
  const clean = fileName.toWellFormed().replace(/[\p{Cc}/\\]/gu, '_')
  const ascii = clean.replace(/[^\x20-\x7e]|["%]/g, '_')
  const encoded = encodeURIComponent(clean).replace(/['()*!]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
