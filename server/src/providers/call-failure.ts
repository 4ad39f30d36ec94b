/** Why a call failed. */
import { translate } from './exchange.ts'
import { stoppedFailure } from './faults.ts'
import type { IdleTimeout } from './idle-timeout.ts'
import type { MeteredCall } from './metering.ts'
import { ProviderFailure } from './types.ts'

/**
 * What the caller is told of an error, and what the meter is: the caller's own abort explains everything, then a deadline
 * that has passed. Bugs pass unchanged. `answering`: something of the answer had come.
 */
export function explainFailure(
  error: unknown,
  call: { readonly signal: AbortSignal; readonly watch: Pick<IdleTimeout, 'late'>; readonly answering: boolean },
): { readonly failure: unknown; readonly status: MeteredCall['status'] } {
  const failure = call.signal.aborted
    ? stoppedFailure()
    : (call.watch.late() ?? translate(error, undefined, call.answering))
  const isOwn = failure instanceof ProviderFailure && failure.kind === 'aborted'
  return { failure, status: isOwn ? 'cancelled' : 'error' }
}
