/** What the gate answers, as the `Response` that libraries read. */
import type { Checked, Outbound } from './types.ts'

/** A call as libraries say it. `body`: a text or a form; others are not sent. */
export interface WholeCall {
  readonly method?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: unknown
  readonly signal?: AbortSignal | null | undefined
}

const withoutBody = new Set([204, 205, 304])

/**
 * Calls a checked address and reads its answer to the end; `timeoutMs` is for all of that. Throws as `outbound.request`
 * does, and TypeError for a body that is no text.
 */
export const fetchWhole = async (
  outbound: Pick<Outbound, 'request'>,
  url: Checked<URL>,
  { method = 'GET', headers = {}, body, signal }: WholeCall,
  { timeoutMs, maxBytes }: { readonly timeoutMs: number; readonly maxBytes: number },
): Promise<Response> => {
  const over = AbortSignal.timeout(timeoutMs)
  const answer = await outbound.request(url, {
    method: method.toUpperCase() === 'POST' ? 'POST' : 'GET',
    headers,
    ...(body === undefined || body === null ? {} : { body: textOf(body) }),
    signal: signal ? AbortSignal.any([signal, over]) : over,
    connectMs: timeoutMs,
    headersMs: timeoutMs,
    idleMs: timeoutMs,
    maxBytes,
  })
  const bytes = await answer.bytes()
  return new Response(withoutBody.has(answer.status) ? null : new Uint8Array(bytes), {
    status: answer.status,
    headers: { ...answer.headers },
  })
}

const textOf = (body: unknown): string => {
  if (typeof body === 'string' || body instanceof URLSearchParams) return body.toString()
  throw new TypeError('Only text is sent.')
}
