/**
 * Instants are integer milliseconds since 1970, UTC. A wall-clock time is the same number as if its digits were UTC: 09:30
 * of some day is the instant of 09:30 UTC on that day, until a zone places it.
 */

/** When something happens, again and again. Every answer is an instant; the same one never comes twice. */
export interface Schedule {
  /** The first one after an instant; null where there is none. */
  next(after: number): number | null
  /** The last one before an instant; null where there is none. */
  previous(before: number): number | null
  /** Those from an instant on and before another, in order, and at most so many. */
  between(from: number, to: number, limit?: number): number[]
  /** The last one of all; null where it never ends, or too far away to be counted. */
  last(): number | null
}

/** How far each question goes: so many candidates are looked at, and no more. */
export const mostSteps = 10_000

/** Why a schedule is refused, in a closed list. */
export type ScheduleReason =
  | 'syntax'
  | 'by_second'
  | 'interval'
  | 'count_and_until'
  | 'too_long'
  | 'unsupported'
  | 'never'
  | 'unknown_zone'

/** What was given is no schedule, or one that is not kept. */
export class ScheduleFault extends Error {
  readonly reason: ScheduleReason
  constructor(reason: ScheduleReason, detail: string) {
    super(detail)
    this.name = 'ScheduleFault'
    this.reason = reason
  }
}

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs
