/** A page of the web, as a visitor without a name or a past gets it. */
import { type Outbound, OutboundFailure, type OutboundResponse } from './types.ts'

export interface PageRequest {
  readonly accept: string
  readonly maxBytes: number
  /** For everything, redirects and body too. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

export interface Page {
  readonly status: number
  /** Where it came from in the end. */
  readonly url: string
  /** As the host says, with its parameters; empty when it says nothing. */
  readonly mediaType: string
  readonly bytes: Buffer
}

const mostRedirects = 3

/**
 * Gets a page. Every address on the way, each redirect too, is checked by the gate before anything is sent there; no
 * credential and no cookie goes along. Throws Refusal `url_not_allowed`, or OutboundFailure.
 */
export const fetchPage = async (
  outbound: Pick<Outbound, 'check' | 'request'>,
  address: string,
  { accept, maxBytes, timeoutMs, signal }: PageRequest,
): Promise<Page> => {
  const late = AbortSignal.timeout(timeoutMs)
  const stop = signal ? AbortSignal.any([signal, late]) : late
  try {
    let url = await outbound.check(address)
    for (let step = 0; ; step++) {
      const answer = await outbound.request(url, {
        method: 'GET',
        headers: { accept, 'user-agent': 'Mozilla/5.0 (compatible; Atrium)' },
        signal: stop,
        connectMs: timeoutMs,
        headersMs: timeoutMs,
        idleMs: timeoutMs,
        maxBytes,
        showRedirects: true,
      })
      const next = targetOf(answer, url)
      if (next === null) {
        const { status, headers } = answer
        return { status, url: url.href, mediaType: headers['content-type'] ?? '', bytes: await answer.bytes() }
      }
      answer.discard()
      if (step >= mostRedirects) throw new OutboundFailure('redirected', 'The page redirects too many times.')
      url = await outbound.check(next)
    }
  } catch (error) {
    if (late.aborted && !signal?.aborted) throw new OutboundFailure('timeout', 'The page took too long to load.')
    throw error
  }
}

const targetOf = ({ status, headers }: OutboundResponse, from: URL): string | null => {
  const location = headers['location']
  if (status < 300 || status > 399 || location === undefined) return null
  return URL.parse(location, from.href)?.href ?? null
}
