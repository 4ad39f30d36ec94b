/** What goes wrong in a call to a provider, as refusals with the statuses that clients act on. Pure. */
import { Refusal, fail } from '../../../platform/http/refusal.ts'
import { ProviderFailure } from '../../../providers/types.ts'

/** Turns a provider's failure into a refusal; everything else passes as it is. */
export const refusalOf = (error: unknown): unknown => (error instanceof ProviderFailure ? refusalFor(error) : error)

const refusalFor = ({ kind, status, message, waitSeconds, parameter }: ProviderFailure): Refusal => {
  switch (kind) {
    case 'no_key':
      return fail('api_key_needed', message)
    case 'over_budget':
      return fail('over_budget', message)
    case 'context_overflow':
      return fail('context_overflow', message)
    case 'overloaded':
      return new Refusal(status === 429 ? 'rate_limited' : 'unavailable', message, undefined, waitOf(waitSeconds))
    case 'unreachable':
    case 'timeout':
      return fail('provider_unreachable', message)
    case 'rejected':
      return rejected(status, message, parameter)
    case 'too_large':
      // Without the status it is what the provider answered.
      return fail(status === 413 ? 'too_large' : 'provider_failed', message)
    case 'moderated':
      return fail('provider_rejected', message)
    case 'aborted':
      return fail('request_aborted', message)
    default:
      return fail('provider_failed', message)
  }
}

const waitOf = (seconds: number | null): number | undefined => (seconds === null ? undefined : seconds * 1000)

/** What the provider says about the request is the client's to mend; what it says about our key is not. */
const rejected = (status: number | null, message: string, parameter: string | null): Refusal => {
  if (status === 404) return fail('model_not_found', message)
  if (status === 413) return fail('too_large', message)
  if (status === 400 || status === 415 || status === 422) {
    const issues = parameter === null ? undefined : [{ path: `body.${parameter}`, message: 'the provider refuses it' }]
    return fail('validation_failed', message, issues)
  }
  return fail(status !== null && status >= 500 ? 'provider_failed' : 'provider_rejected', message)
}
