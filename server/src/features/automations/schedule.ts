/** When an automation runs: its triggers as schedules, and what is to be done about times that have come. Pure. */
import type { AutomationContent, Trigger } from '@atrium/contract/automations'
import { fail } from '../../platform/http/refusal.ts'
import {
  type Schedule,
  ScheduleFault,
  checkSeries,
  createCron,
  createInterval,
  dayMs,
  hourMs,
  minuteMs,
  mostSteps,
  parseWall,
  ruleOf,
  zoneNamed,
} from '../../platform/time/index.ts'

/** What of an automation says when it runs. */
export type Timing = Pick<AutomationContent, 'triggers' | 'startsAt' | 'endsAt'>

/** A run that begins later than this was missed. */
export const graceMs = 2 * minuteMs
/** So far back missed times are made up for, and so many of them. */
const missedWindowMs = dayMs
const mostMissed = 50

export type Times = Pick<Schedule, 'next' | 'between'>

/**
 * The times of a trigger. `writtenAt`: from when intervals count, in milliseconds. Refuses with `trigger_invalid` and the
 * reason.
 */
export const timesOf = (trigger: Trigger, writtenAt: number): Times => {
  try {
    return scheduleOf(trigger, writtenAt)
  } catch (error) {
    if (error instanceof ScheduleFault) throw fail('trigger_invalid', error.message)
    throw error
  }
}

const scheduleOf = (trigger: Trigger, writtenAt: number): Times => {
  // What happens has no time.
  if (trigger.kind === 'event') return never
  if (trigger.kind === 'once') return single(Date.parse(trigger.at))
  if (trigger.kind === 'interval') {
    const everyMs = trigger.minutes * minuteMs
    return createInterval(writtenAt + everyMs, everyMs)
  }
  const zone = zoneNamed(trigger.timeZone)
  if (zone === null) throw new ScheduleFault('unknown_zone', 'This time zone doesn’t exist.')
  if (trigger.kind === 'cron') return createCron(trigger.expression, zone)
  if (trigger.kind === 'rule') {
    const start = parseWall(trigger.startLocal)
    if (start === null) throw new ScheduleFault('syntax', 'This day or time doesn’t exist.')
    return checkSeries({ start, zone, rule: trigger.rule })
  }
  // The start of a series counts as one of its times, so this one lies before all that are asked for.
  const series = checkSeries({ start: seriesStart, zone, rule: ruleOf(trigger) })
  const first = seriesStart + 2 * dayMs
  return {
    next: (after) => series.next(Math.max(after, first)),
    between: (from, to, limit) => series.between(Math.max(from, first), to, limit),
  }
}

const seriesStart = Date.UTC(2020, 0)

const never: Times = { next: () => null, between: () => [] }

const single = (at: number): Times => ({
  next: (after) => (at > after ? at : null),
  between: (from, to) => (from <= at && at < to ? [at] : []),
})

/** The times of all triggers of an automation, within its start and its end. Refuses as `timesOf` does. */
export const createTimes = ({ triggers, startsAt, endsAt }: Timing, writtenAt: number): Times => {
  const schedules = triggers.map((trigger) => timesOf(trigger, writtenAt))
  const start = startsAt === null ? -Infinity : Date.parse(startsAt)
  const end = endsAt === null ? Infinity : Date.parse(endsAt)
  return {
    next(after) {
      const from = Math.max(after, start - 1)
      const times = schedules.flatMap((schedule) => schedule.next(from) ?? [])
      const first = Math.min(...times)
      return times.length === 0 || first > end ? null : first
    },
    between(from, to, limit = mostSteps) {
      const [begin, stop] = [Math.max(from, start), Math.min(to, end + 1)]
      const times = schedules.flatMap((schedule) => schedule.between(begin, stop, limit))
      return [...new Set(times)].toSorted((a, b) => a - b).slice(0, limit)
    },
  }
}

export interface DueTimes {
  /** Each begins a run. */
  readonly run: readonly number[]
  /** These were missed; they are told, and nothing else. */
  readonly missed: readonly number[]
  readonly next: number | null
}

/**
 * What is to be done once the time has come. Times are integer milliseconds; `nextRunAt` is one of them.
 * `left`: how many runs its owner still allows; null: any number.
 */
export const planDue = (
  schedule: Times,
  {
    nextRunAt,
    now,
    missed,
    left,
  }: {
    readonly nextRunAt: number
    readonly now: number
    readonly missed: AutomationContent['missed']
    readonly left: number | null
  },
): DueTimes => {
  const times = schedule.between(Math.max(nextRunAt, now - missedWindowMs), now + 1)
  // What is older than the window is told once.
  const due = times.length > 0 || nextRunAt > now - missedWindowMs ? times : [nextRunAt]
  const late = due.filter((at) => at < now - graceMs)
  const fresh = due.filter((at) => at >= now - graceMs)
  const wanted = [...madeUp(late, { now, missed, isFresh: fresh.length > 0 }), ...fresh]
  const run = left === null ? wanted : wanted.slice(0, Math.max(0, left))
  const next = left !== null && run.length >= left ? null : schedule.next(now)
  return { run, missed: late.filter((at) => !run.includes(at)).slice(-mostMissed), next }
}

const madeUp = (
  late: readonly number[],
  {
    now,
    missed,
    isFresh,
  }: { readonly now: number; readonly missed: AutomationContent['missed']; readonly isFresh: boolean },
): readonly number[] => {
  const recent = late.filter((at) => at >= now - missedWindowMs)
  if (missed === 'all') return recent.slice(-mostMissed)
  // One run stands for all of them, and it is the next one where that has come.
  return missed === 'once' && !isFresh ? recent.slice(-1) : []
}

/** How long a run waits before it is tried again, in milliseconds: 30 s, 1 min, 2 min, … */
export const retryDelay = (tries: number): number => Math.min(hourMs, 30_000 * 2 ** Math.max(0, tries - 1))
