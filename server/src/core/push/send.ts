/**
 * Hands a message to a push service. `web-push` makes the bytes (RFC 8291) and the headers (RFC 8292); they leave by the
 * one way out, to public addresses only.
 */
import type { Clock } from '../../platform/clock.ts'
import { isRefusal } from '../../platform/http/refusal.ts'
import { type Outbound, OutboundFailure } from '../../platform/outbound/types.ts'
import type { VapidKeys } from './keys.ts'
import { payloadOf, type PushMessage, topicOf } from './message.ts'
import type { PushSubscription } from './store.ts'

export type PushOutcome =
  | { readonly outcome: 'sent'; readonly status: number }
  /** The browser takes none any more. */
  | { readonly outcome: 'gone'; readonly status: number }
  /** Worth another try: after `waitMs`, where the service says. */
  | { readonly outcome: 'later'; readonly status: number | null; readonly waitMs: number | null }
  | { readonly outcome: 'refused'; readonly status: number | null }

export interface SendDeps {
  readonly outbound: Pick<Outbound, 'check' | 'request'>
  readonly clock: Pick<Clock, 'now'>
  readonly keys: () => Promise<VapidKeys>
  /** Where push services reach whoever runs this instance. */
  readonly subject: () => Promise<string>
}

const patienceMs = 15_000
/** Nothing of what it says is kept. */
const answerBytes = 16_384
const longestWaitMs = 3_600_000

export const sendPush = async (
  { outbound, clock, keys, subject }: SendDeps,
  subscription: PushSubscription,
  message: PushMessage,
  signal?: AbortSignal,
): Promise<PushOutcome> => {
  // Loaded with the first message: most starts send none.
  const { default: webPush } = await import('web-push')
  const { headers, body } = webPush.generateRequestDetails(subscription, payloadOf(message), {
    vapidDetails: { subject: await subject(), ...(await keys()) },
    TTL: message.ttlSeconds,
    urgency: message.urgency,
    topic: topicOf(message.tag),
    contentEncoding: 'aes128gcm',
  })
  try {
    const address = await outbound.check(subscription.endpoint)
    const answer = await outbound.request(address, {
      method: 'POST',
      headers: textHeaders(headers),
      body,
      connectMs: patienceMs,
      headersMs: patienceMs,
      idleMs: patienceMs,
      maxBytes: answerBytes,
      ...(signal && { signal }),
    })
    answer.discard()
    return readOutcome(answer.status, answer.headers['retry-after'], clock.now())
  } catch (error) {
    if (isRefusal(error)) return { outcome: 'refused', status: null }
    if (!(error instanceof OutboundFailure)) throw error
    // Where it leads elsewhere, it always will.
    if (error.kind === 'redirected') return { outcome: 'refused', status: null }
    return { outcome: 'later', status: null, waitMs: null }
  }
}

/** What an answer means (RFC 8030, 5 and 7.3). `now`: milliseconds. */
export const readOutcome = (status: number, retryAfter: string | undefined, now: number): PushOutcome => {
  if (status >= 200 && status < 300) return { outcome: 'sent', status }
  if (status === 404 || status === 410) return { outcome: 'gone', status }
  if (status === 429 || status >= 500) return { outcome: 'later', status, waitMs: waitOf(retryAfter, now) }
  return { outcome: 'refused', status }
}

/** Seconds or a date (RFC 9110, 10.2.3), an hour at most. */
const waitOf = (retryAfter: string | undefined, now: number): number | null => {
  if (retryAfter === undefined) return null
  const ms = /^\d+$/.test(retryAfter.trim()) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), longestWaitMs) : null
}

/** `Content-Length` is the client's to write. */
const textHeaders = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name.toLowerCase() !== 'content-length')
      .map(([name, value]) => [name, String(value)]),
  )
