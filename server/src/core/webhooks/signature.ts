/** How a body is signed (Standard Webhooks 1.0), and when it is sent again. Pure. */
import { createHmac } from 'node:crypto'

export const secretPrefix = 'whsec_'
export const secretBytes = 32

/** The secret as its receiver keeps it. */
export const secretOf = (bytes: Uint8Array): string => `${secretPrefix}${Buffer.from(bytes).toString('base64')}`

/** The headers of one try; each secret signs, so that a receiver may have either. `now`: milliseconds. */
export const signedHeaders = (
  { id, body }: { readonly id: string; readonly body: string },
  secrets: readonly string[],
  now: number,
): Record<string, string> => {
  const timestamp = String(Math.floor(now / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'content-type': 'application/json',
    'user-agent': 'Atrium-Webhooks',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}

const minuteMs = 60_000
/** Nothing is tried for longer than this. */
const longestMs = 24 * 60 * minuteMs
const waitsMs = [5_000, ...[1, 5, 15, 30, 60, 120, 180, 240, 360, 360].map((minutes) => minutes * minuteMs)]

/**
 * Milliseconds until the next try, spread by a fifth around its place in the row; null once it has been tried for a day.
 * `tries` were made since `begunAt`, and `chance` is from 0 up to 1.
 */
export const waitAfter = (tries: number, begunAt: number, now: number, chance: number): number | null => {
  const wait = waitsMs[tries - 1]
  if (wait === undefined) return null
  const spread = Math.round(wait * (0.8 + 0.4 * chance))
  return now + spread > begunAt + longestMs ? null : spread
}

/** Who failed for so long is turned off. */
export const patienceMs = 5 * 24 * 60 * minuteMs
