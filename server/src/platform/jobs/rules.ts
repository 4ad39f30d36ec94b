/** Pure decisions about jobs: when to try again, and what an ending means. */
import { OutboundFailure } from '../outbound/types.ts'
import { Refusal } from '../http/refusal.ts'
import type { JobCode } from '@atrium/contract/jobs'
import { JobFailure, type JobHandler, type JobHandlers, type JobPriority } from './types.ts'

/** Why a handler was told to stop. */
export type StopReason = 'cancelled' | 'lease-lost' | 'timeout' | 'stopping' | 'account-inactive'

export interface Failure {
  readonly code: JobCode
  readonly detail: string
}

/** What becomes of a job after a try. */
export type Outcome =
  | { readonly to: 'succeeded' | 'cancelled' }
  | { readonly to: 'failed'; readonly failure: Failure }
  /** Back to the queue after a while. */
  | { readonly to: 'retried'; readonly failure: Failure }
  /** Back to the queue at once; the try does not count. */
  | { readonly to: 'released' }
  /** The job is another worker's now: write nothing. */
  | { readonly to: 'lost' }

/**
 * What a try leads to that threw, or that was told to stop: from then on, how a handler ends says nothing about its work.
 * `attempt` counts from 1.
 */
export const decideOutcome = (
  error: unknown,
  reason: StopReason | null,
  attempt: number,
  attempts: number,
): Outcome => {
  if (reason === 'lease-lost') return { to: 'lost' }
  if (reason === 'cancelled') return { to: 'cancelled' }
  if (reason === 'stopping') return { to: 'released' }
  if (reason === 'account-inactive') return { to: 'failed', failure: accountInactive }
  const final = reason === null ? finalFailure(error) : null
  if (final) return { to: 'failed', failure: final }
  const failure = reason === 'timeout' ? timedOut : passingFailure(error)
  return attempt < attempts ? { to: 'retried', failure } : { to: 'failed', failure }
}

/** Milliseconds until the next try: 1 s, doubled with every attempt up to 5 minutes, spread by half around it. */
export const retryDelay = (attempt: number, baseMs: number, chance: number): number =>
  Math.round(Math.min(300_000, baseMs * 2 ** (attempt - 1)) * (0.5 + chance))

/** The jobs of an account and kind that wait. */
export interface Waiting {
  /** The account, empty for the instance. */
  readonly share: string
  readonly kind: string
  /** Since when the oldest is due. */
  readonly dueAt: number
  /** How many jobs of the account run. */
  readonly running: number
}

/**
 * Of which accounts and kinds a job is begun next, one of an account: those of a higher priority first, then of accounts with the least
 * running, then older ones. Of a low priority is nothing that has waited for ten minutes, so that it gets its turn.
 */
export const chooseNext = (
  waiting: readonly Waiting[],
  priorityOf: (kind: string) => JobPriority,
  now: number,
  limit: number,
): readonly Waiting[] => {
  const rankOf = ({ kind, dueAt }: Waiting): number => {
    const priority = priorityOf(kind)
    return priority === 'low' && now - dueAt >= longestLowMs ? ranks.normal : ranks[priority]
  }
  const ranked = waiting.toSorted((a, b) => rankOf(a) - rankOf(b) || a.running - b.running || a.dueAt - b.dueAt)
  const chosen = new Map<string, Waiting>()
  for (const each of ranked) {
    if (chosen.size === limit) break
    if (!chosen.has(each.share)) chosen.set(each.share, each)
  }
  return [...chosen.values()]
}

const ranks: Readonly<Record<JobPriority, number>> = { high: 0, normal: 1, low: 2 }
const longestLowMs = 600_000

/** All handlers by kind. Throws when a kind has two. */
export const mergeHandlers = (all: readonly JobHandlers[]): Map<string, JobHandler> => {
  const merged = new Map<string, JobHandler>()
  for (const [kind, handler] of all.flatMap((some) => Object.entries(some))) {
    if (merged.has(kind)) throw new Error(`The job kind ${kind} has two handlers.`)
    merged.set(kind, handler)
  }
  return merged
}

export const payloadInvalid: Failure = {
  code: 'payload_invalid',
  detail: 'This version can’t read this job’s data.',
}
export const leaseLost: Failure = {
  code: 'worker_lost',
  detail: 'The process that worked on this was lost, and no tries are left.',
}
/** What somebody began who may do nothing here any more does not go on behind their back. */
export const accountInactive: Failure = { code: 'account_inactive', detail: 'The account isn’t active.' }
const timedOut: Failure = { code: 'timeout', detail: 'This took too long.' }

/** Failures that another try would only repeat. */
const finalFailure = (error: unknown): Failure | null => {
  if (error instanceof JobFailure) return { code: error.code, detail: error.message }
  if (error instanceof Refusal && error.status < 500) return { code: error.code, detail: error.message }
  return null
}

const passingFailure = (error: unknown): Failure => {
  if (error instanceof Refusal) return { code: error.code, detail: error.message }
  if (error instanceof OutboundFailure)
    return { code: 'provider_unreachable', detail: 'The other side didn’t respond as expected.' }
  return { code: 'internal', detail: 'Something went wrong on the server. See its log.' }
}
