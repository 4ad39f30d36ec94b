/** Headers of every answer, and file names in headers. */

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

/** `Content-Disposition` with the file name in both spellings (RFC 6266, RFC 5987). */
export const contentDisposition = (kind: 'inline' | 'attachment', fileName: string): string => {
  const clean = fileName.toWellFormed().replace(/[\p{Cc}/\\]/gu, '_')
  const ascii = clean.replace(/[^\x20-\x7e]|["%]/g, '_')
  const encoded = encodeURIComponent(clean).replace(/['()*!]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
