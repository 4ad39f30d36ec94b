/** What the daemon's refusals and failures mean for who asked, in our words. */
import type { HarnessAbsence } from '@atrium/contract/agent-harness'
import type { ErrorCode } from '@atrium/contract/errors'
import { Refusal, fail } from '../../platform/http/refusal.ts'
import type { DaemonFailure } from './daemon/failure.ts'

const busyMs = 30_000
const unavailableMs = 5_000

/** `missing`: what a 404 of the daemon is about; null where it would be no sound answer. */
export const refusalOf = ({ kind, status }: DaemonFailure, missing: ErrorCode | null): Refusal => {
  if (kind === 'unreachable') return fail('harness_unreachable')
  if (kind === 'timeout') return fail('harness_timeout')
  if (kind === 'aborted') return fail('unavailable')
  if (kind === 'bad-answer') return fail('harness_failed')
  if (status === 400 || status === 413 || status === 422) return fail('harness_rejected')
  if (status === 403) return fail('harness_forbidden')
  if (status === 404 && missing) return fail(missing)
  if (status === 409) return fail('harness_conflict')
  if (status === 429) return new Refusal('harness_busy', undefined, undefined, busyMs)
  if (status === 503) return new Refusal('harness_unavailable', undefined, undefined, unavailableMs)
  return fail('harness_failed')
}

/** Why there is no connection. */
export const absenceOf = ({ kind }: DaemonFailure): HarnessAbsence =>
  kind === 'timeout' ? 'timeout' : kind === 'refused' ? 'refused' : kind === 'bad-answer' ? 'bad_answer' : 'unreachable'
