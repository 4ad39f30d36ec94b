/** Headers of every answer, and file names in headers. */

/** The one address that a page of ours may hold in a frame. */
const framedPath = '/api/artifacts/sandbox'

/**
 * Styles may be inline because formulas (KaTeX) and diagrams (Mermaid) set them on what they draw; scripts may not.
 * Frames hold previews, sandboxed: wherever one tries to go, only this address loads in it. Not `blob:`: a sandboxed frame
 * that goes to one of its own ends the whole browser (Chromium 153).
 */
const pagePolicy = (frames: string) =>
  [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    `frame-src ${frames}`,
    "frame-ancestors 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ')

/**
 * Gives the policy of our pages at a host, which is what the request was sent to; `baseUrl`: where people reach it, too. A
 * host that a policy cannot name (an IPv6 address) has all of its own paths in the place of the one.
 */
export const createPagePolicies = (baseUrl: URL | null): ((host: string) => string) => {
  let last = { host: '', policy: pagePolicy("'self'") }
  return (host) => {
    if (host === last.host) return last.policy
    const hosts = new Set(baseUrl ? [host, baseUrl.host] : [host])
    const nameable = [...hosts].filter((name) => /^[a-z0-9.-]{1,253}(:\d{1,5})?$/i.test(name))
    const frames = nameable.map((name) => `${name}${framedPath}`).join(' ')
    last = { host, policy: pagePolicy(frames || "'self'") }
    return last.policy
  }
}

/** For bytes that a user brought: nothing in them runs, loads or submits. */
export const bytesPolicy =
  "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox"

/** For sound, pictures and video, which need nothing beside themselves. */
export const mediaPolicy = "default-src 'none'; sandbox"

/** The headers of every answer, whatever it is. HSTS only where the instance is reached by https. */
export const securityHeaders = (https: boolean): Readonly<Record<string, string>> => ({
  'content-security-policy': pagePolicy("'self'"),
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
  const clean = safeFileName(fileName)
  const ascii = clean.replace(/[^\x20-\x7e]|["%]/g, '_')
  const encoded = encodeURIComponent(clean).replace(/['()*!]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

/** In bytes of UTF-8: what the file systems of clients take. */
const longestName = 200

/**
 * A name as any system can save it, whatever somebody wrote: no folders, no dot in front, nothing that cannot be seen or
 * turns the direction round, no name that Windows keeps for a device, and not too long, with its ending kept.
 */
export const safeFileName = (fileName: string): string => {
  const seen = fileName
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '_')
  const plain = seen
    .replace(/\p{Bidi_Control}|[\u200b\u2060\ufeff]/gu, '')
    .replace(/[/\\:*?"<>|]/g, '_')
    .replace(/^[\s.]+|[\s.]+$/g, '')
  const [, stem = plain, ending = ''] = /^(.+)(\.[A-Za-z0-9]{1,10})$/su.exec(plain) ?? []
  const named = /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(stem) ? `_${stem}` : stem
  return (cutToBytes(named, longestName - ending.length) || 'file') + ending
}

/** Whole characters, as many as fit. */
const cutToBytes = (text: string, most: number): string => {
  let [kept, bytes] = ['', 0]
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > most) break
    kept += character
  }
  return kept.trimEnd()
}
