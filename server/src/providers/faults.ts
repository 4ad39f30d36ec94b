/** Turns what went wrong into our own words. Bodies are looked at here, and never kept. */
import type { OutboundFailure } from '../platform/outbound/types.ts'
import { ProviderFailure } from './types.ts'
import { asArray, asObject, asText } from './wires/json.ts'

/** A refusal with an HTTP status. `body` is searched for known code words only. */
export function refusedByStatus(
  status: number,
  body: string,
  about: { hasKey: boolean; headers?: Readonly<Record<string, string>> },
): ProviderFailure {
  if (status >= 300 && status < 400) {
    return new ProviderFailure(
      'redirected',
      'The provider responded with a redirect, which isn’t followed. Connect it with its final address.',
      status,
    )
  }
  if (status === 403 && /access to (the |this )?model/i.test(body)) {
    return new ProviderFailure(
      'rejected',
      'This account has no access to this model at the provider (status 403).',
      403,
    )
  }
  if ((status === 400 || status === 403 || status === 422) && moderationWords.test(body)) {
    return new ProviderFailure('moderated', 'The provider refused this because of its content rules.', status)
  }
  if (status === 401 || status === 403) return keyRefused(status, about.hasKey)
  if (status === 402) {
    return new ProviderFailure(
      'rejected',
      'The provider refused the request: your account there has no credit left.',
      402,
    )
  }
  if (status === 429 || status === 503 || status === 529) {
    const waitSeconds = waitOf(about.headers ?? {})
    const wait = waitSeconds === null ? '' : ` It asks to wait ${waitSeconds} s.`
    const what = status === 429 ? 'The provider takes no more requests for now' : 'The provider is overloaded'
    return new ProviderFailure('overloaded', `${what} (status ${status}).${wait}`, status, { waitSeconds })
  }
  const word = codeWord(body)
  if (word) return word(status)
  if (status === 404) {
    return new ProviderFailure(
      'rejected',
      'The provider doesn’t know this model, or has nothing at this address (status 404).',
      404,
    )
  }
  if (status === 413) return contextOverflow(status)
  if (status >= 500) {
    return new ProviderFailure('rejected', `The provider failed with an error of its own (status ${status}).`, status)
  }
  const parameter = parameterIn(body)
  return new ProviderFailure('rejected', `The provider refused the request (status ${status}).`, status, { parameter })
}

/** The longest wait that is handed on. */
const longestWait = 86_400

/** `Retry-After` in seconds (RFC 9110, section 10.2.3), also where it is a date; null for none, and for an absurd one. */
function waitOf(headers: Readonly<Record<string, string>>): number | null {
  const said = headers['retry-after'] ?? ''
  // A date is measured by the clock of whoever wrote it.
  const until = Date.parse(said) - Date.parse(headers['date'] ?? '')
  const seconds = /^\d+(\.\d+)?$/.test(said) ? Math.ceil(Number(said)) : Math.ceil(until / 1000)
  return seconds > 0 && seconds <= longestWait ? seconds : null
}

/** The name of a refused parameter, where the provider tells it in a field of its own or as the beginning of its words. */
function parameterIn(body: string): string | null {
  try {
    const error = asObject(asObject(JSON.parse(body))?.['error'])
    const violations = asArray(error?.['details']).flatMap((detail) => asArray(asObject(detail)?.['fieldViolations']))
    const told = [
      asText(error?.['param']),
      ...violations.map((violation) => asText(asObject(violation)?.['field'])),
      /^([^:\s]{1,100}): /.exec(asText(error?.['message']))?.[1] ?? '',
    ]
    return told.find((name) => parameterName.test(name)) ?? null
  } catch {
    // No JSON: a page of a proxy, or a body that was cut. The status has to do.
    return null
  }
}

/** Names, places in lists and dots: no other words of a provider pass, and no key. */
const parameterName = /^[a-z][A-Za-z0-9_]{0,60}(?:\.[A-Za-z0-9_]{1,60}|\[\d{1,5}\]){0,8}$/

/** An error object inside a stream, or in a whole body that came with status 200. */
export function errorInStream(frame: Readonly<Record<string, unknown>>): ProviderFailure {
  const word = codeWord(JSON.stringify(frame['error'] ?? frame).slice(0, 4000))
  return word?.(null) ?? new ProviderFailure('rejected', 'The provider reported an error while it was answering.')
}

/** Whoever asked does not wait any more. */
export const stoppedFailure = (): ProviderFailure => new ProviderFailure('aborted', 'The request was stopped.')

/** A fault on the way there or back. */
export function outboundFault(failure: OutboundFailure, answering: boolean): ProviderFailure {
  switch (failure.kind) {
    case 'unreachable':
      return new ProviderFailure('unreachable', `The provider could not be reached. ${failure.message}`.trim())
    case 'reset':
      return answering
        ? new ProviderFailure('malformed', 'The connection to the provider broke off before the answer was complete.')
        : new ProviderFailure('unreachable', 'The provider closed the connection without an answer.')
    case 'timeout':
      return new ProviderFailure(
        'timeout',
        answering
          ? 'The provider stopped responding in the middle of the answer.'
          : 'The provider didn’t start answering in time.',
      )
    case 'redirected':
      return refusedByStatus(307, '', { hasKey: false })
    case 'too-large':
      return new ProviderFailure('too_large', 'The answer of the provider is larger than Atrium takes.')
    case 'aborted':
      return stoppedFailure()
  }
}

export const keyRefused = (status: number, hasKey: boolean): ProviderFailure =>
  hasKey
    ? new ProviderFailure('rejected', `The provider refused the key (status ${status}).`, status)
    : new ProviderFailure('no_key', `The provider requires an API key (status ${status}).`, status)

/** What known codes and phrases mean, in any provider's dialect. */
function codeWord(body: string): ((status: number | null) => ProviderFailure) | null {
  if (overflowWords.test(body)) return contextOverflow
  if (/does not support tools|tool use is not supported/i.test(body)) {
    return (status) => new ProviderFailure('rejected', 'This model doesn’t support tools.', status)
  }
  if (/think value .{0,40} is not supported/i.test(body)) {
    return (status) => new ProviderFailure('rejected', 'This model doesn’t support this thinking level.', status)
  }
  if (/does not support thinking/i.test(body)) {
    return (status) =>
      new ProviderFailure('rejected', 'This model doesn’t support thinking. Turn thinking off for it.', status)
  }
  if (/does not support (images|vision)|image input is not supported/i.test(body)) {
    return (status) => new ProviderFailure('rejected', 'This model doesn’t support images.', status)
  }
  if (/insufficient_quota|insufficient (credits|balance)/i.test(body)) {
    return (status) =>
      new ProviderFailure(
        'rejected',
        'The provider refused the request: your account there has no credit left.',
        status,
      )
  }
  if (/model_not_found|model ['"`\\]*[^'"`\\]{1,200}['"`\\]* (was )?(not found|does not exist)/i.test(body)) {
    return (status) => new ProviderFailure('rejected', 'The provider does not know this model.', status)
  }
  if (/API_KEY_INVALID|API key not valid/i.test(body)) {
    return (status) => new ProviderFailure('rejected', 'The provider refused the key.', status)
  }
  if (/with on-demand throughput isn.t supported/i.test(body)) {
    return (status) =>
      new ProviderFailure('rejected', 'This model needs an inference profile. Choose it by the profile’s id.', status)
  }
  if (/overloaded_error|rate_limit_(error|exceeded)/i.test(body)) {
    return (status) =>
      new ProviderFailure('overloaded', 'The provider is overloaded or accepts no more requests for now.', status)
  }
  if (/requires more system memory|out of memory/i.test(body)) {
    return (status) =>
      new ProviderFailure('rejected', 'The machine of the provider has not enough memory for this model.', status)
  }
  return null
}

/** The codes, and not the words, in which providers say so. */
const moderationWords =
  /["'](moderation_blocked|content_policy_violation|content_moderation|content_filter|content_filtered|safety_violations?)["']/i

const overflowWords =
  /context_length_exceeded|exceed_context_size|context_window_exceeded|maximum context length|(exceeds?|larger than|longer than)( the)?( available| model'?s)? (maximum )?context|context (length|window|size) (is )?(exceeded|limit)|prompt is too long|input token count .{0,40}exceeds the maximum|input is too long|too many (input )?tokens/i

const contextOverflow = (status: number | null): ProviderFailure =>
  new ProviderFailure('context_overflow', 'This doesn’t fit in the model’s context window.', status)
