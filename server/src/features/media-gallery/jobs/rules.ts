/** Decisions about media jobs: how they go on, when the server asks by itself, and what a failure is called. Pure. */
import type { MediaJobFailure } from '@atrium/contract/media-gallery'
import type { ErrorCode } from '@atrium/contract/errors'
import { Refusal } from '../../../platform/http/refusal.ts'
import { ProviderFailure } from '../../../providers/types.ts'
import type { MediaJobRow } from './tables.ts'

/** What is known of a job after its provider was asked. */
export type JobReport =
  | { readonly state: 'waiting' | 'running'; readonly progress: number | null }
  | { readonly state: 'done' }
  | { readonly state: 'failed'; readonly reason: MediaJobFailure }
  /** It could not be told. */
  | { readonly state: 'unclear' }

export type JobStep =
  | { readonly to: 'same' }
  | { readonly to: 'in_progress'; readonly progress: number | null }
  /** Its result is there to be taken up. */
  | { readonly to: 'fetch' }
  | { readonly to: 'failed'; readonly failure: MediaJobFailure }

const minute = 60_000
/** After so long a job has ended, whatever its provider says. */
export const longestJobMs = 24 * 60 * minute
/** Records of jobs are kept for so long. */
export const keptMs = 30 * 24 * 60 * minute
/** A provider is asked about one job no more often than this. */
export const leastGapMs = 2000
/** A job that nobody has asked about for so long is asked about by the server. */
export const unpolledMs = 5 * minute

type Going = Pick<MediaJobRow, 'status' | 'progress' | 'created_at'>

/** A job goes forwards alone: no state and no progress comes back, and what has ended stays. */
export function advanceJob({ status, progress, created_at }: Going, report: JobReport, now: number): JobStep {
  if (status === 'completed' || status === 'failed') return { to: 'same' }
  if (report.state === 'failed') return { to: 'failed', failure: report.reason }
  if (report.state === 'done') return { to: 'fetch' }
  if (now - created_at >= longestJobMs) return { to: 'failed', failure: 'timed_out' }
  if (report.state === 'unclear' || (report.state === 'waiting' && status === 'pending')) return { to: 'same' }
  const told = report.progress === null ? null : Math.round(report.progress * 1000)
  const further = Math.max(told ?? 0, progress ?? 0)
  return { to: 'in_progress', progress: told === null && progress === null ? null : further }
}

/** How long the server waits before it asks again: longer each time, an hour at most. */
export const collectGapMs = (collected: number): number =>
  Math.min(60 * minute, Math.round(unpolledMs * 1.6 ** Math.min(collected, 20)))

/** Another one for each picture, so that a page asks for it anew. */
export const partialPath = (jobId: string, number: number): string =>
  `/api/media/jobs/${jobId}/partial?number=${number}`

/** What may be tried again with what the provider still has. */
export const isResumable = ({ status, failure, handle, created_at }: MediaJobRow, now: number): boolean =>
  status === 'failed' &&
  handle !== null &&
  now - created_at < longestJobMs &&
  (failure === 'no_room' || failure === 'unreachable' || failure === 'timed_out' || failure === 'interrupted')

/** What became of a making, in the words of the closed list; null for a mistake of ours. */
export function failureOf(error: unknown): MediaJobFailure | null {
  if (error instanceof Refusal) return byCode[error.code] ?? null
  if (!(error instanceof ProviderFailure)) return null
  switch (error.kind) {
    case 'moderated':
    case 'over_budget':
    case 'redirected':
    case 'too_large':
    case 'unreachable':
      return error.kind
    case 'timeout':
      return 'timed_out'
    case 'aborted':
      return 'cancelled'
    case 'malformed':
      return 'wrong_type'
    case 'rejected':
      return error.status === 404 || error.status === 410 ? 'expired' : 'refused'
    default:
      return 'refused'
  }
}

const byCode: Readonly<Partial<Record<string, MediaJobFailure>>> = {
  media_type_not_allowed: 'wrong_type',
  too_large: 'too_large',
  quota_full: 'no_room',
  storage_full: 'no_room',
  url_not_allowed: 'address_not_allowed',
  media_stopped: 'cancelled',
}

/** What whoever asked for it is told. */
export const codeOfFailure: Readonly<Record<MediaJobFailure, ErrorCode>> = {
  refused: 'provider_rejected',
  moderated: 'media_moderated',
  expired: 'provider_failed',
  too_large: 'provider_failed',
  wrong_type: 'provider_failed',
  redirected: 'provider_failed',
  address_not_allowed: 'provider_failed',
  unreachable: 'provider_unreachable',
  timed_out: 'provider_unreachable',
  over_budget: 'over_budget',
  no_room: 'quota_full',
  interrupted: 'unavailable',
  cancelled: 'media_stopped',
}
