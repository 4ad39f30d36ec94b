/** Calls a webhook once, by the one way out. What comes back is given to who asks, and kept by nobody. */
import type { WebhookFailure } from '@atrium/contract/webhooks'
import { isRefusal } from '../../platform/http/refusal.ts'
import { type Outbound, OutboundFailure, type OutboundResponse } from '../../platform/outbound/types.ts'

export interface CallOutcome {
  readonly delivered: boolean
  /** null where no answer came. */
  readonly status: number | null
  readonly failure: WebhookFailure | null
  /** The beginning of the answer; empty unless it was asked for. */
  readonly answer: string
}

const patienceMs = 10_000
const answerBytes = 65_536
const shownLetters = 2000

/** `shows`: whether the answer is read. */
export const callWebhook = async (
  outbound: Pick<Outbound, 'check' | 'request'>,
  url: string,
  request: { readonly headers: Record<string, string>; readonly body: string },
  { signal, shows = false }: { readonly signal?: AbortSignal; readonly shows?: boolean } = {},
): Promise<CallOutcome> => {
  const late = AbortSignal.timeout(patienceMs)
  try {
    const answer = await outbound.request(await outbound.check(url), {
      ...request,
      method: 'POST',
      connectMs: patienceMs,
      headersMs: patienceMs,
      idleMs: patienceMs,
      maxBytes: answerBytes,
      signal: signal ? AbortSignal.any([signal, late]) : late,
    })
    const { status } = answer
    const delivered = status >= 200 && status < 300
    const text = shows ? await beginningOf(answer) : ''
    if (!shows) answer.discard()
    return { delivered, status, failure: delivered ? null : 'status', answer: text }
  } catch (error) {
    if (isRefusal(error)) return failed('address')
    if (!(error instanceof OutboundFailure)) throw error
    if (signal?.aborted) throw error
    if (error.kind === 'redirected') return failed('redirected')
    return failed(error.kind === 'timeout' || late.aborted ? 'timeout' : 'unreachable')
  }
}

const failed = (failure: WebhookFailure): CallOutcome => ({ delivered: false, status: null, failure, answer: '' })

/** As text, without what no page shows. An answer that breaks off or is too long says nothing. */
const beginningOf = async (answer: OutboundResponse): Promise<string> => {
  try {
    const text = await answer.text()
    return Array.from(text.replaceAll('\0', '')).slice(0, shownLetters).join('')
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error
    return ''
  }
}
