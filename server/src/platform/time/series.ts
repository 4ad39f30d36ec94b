/** A start, a rule or none, further dates and exceptions, as one schedule (RFC 5545, 3.8.5). */
import { createElapsedRule } from './elapsed-rule.ts'
import { faultOf, type Rule, parseRule } from './rule.ts'
import { lastBetween, sortedOnce } from './search.ts'
import { type Schedule, dayMs, hourMs, mostSteps } from './types.ts'
import { createWallRule } from './wall-rule.ts'
import { placeWall } from './zones.ts'

export interface Series {
  /** The wall-clock time of the first one, which counts whether the rule gives it or not. */
  readonly start: number
  /** Its zone; `UTC` for what floats. */
  readonly zone: string
  /** RFC 5545, with or without `RRULE:`. */
  readonly rule: string | null
  /** Instants besides those of the rule. */
  readonly dates?: readonly number[]
  /** Instants that are left out, in whatever zone they were written. */
  readonly exceptDates?: readonly number[]
}

/** Throws ScheduleFault. */
export const createSeries = ({ start, zone, rule: written, dates = [], exceptDates = [] }: Series): Schedule => {
  const rule = written === null ? null : parseRule(written)
  const moments = rule && momentsOf(rule, start, zone)
  const first = placeWall(zone, start)
  const out = new Set(exceptDates)
  const own = sortedOnce([first, ...dates]).filter((at) => !out.has(at))
  const begin = Math.min(first, ...dates)
  const windowMs = rule && isElapsed(rule) ? hourMs : 2 * dayMs

  const all = (from: number, to: number): number[] => {
    const given = moments ? moments.between(Math.max(from, begin), to).filter((at) => !out.has(at)) : []
    const single = own.filter((at) => from <= at && at < to)
    return single.length === 0 ? given : sortedOnce([...given, ...single])
  }
  const last = (): number | null => {
    const end = moments ? moments.last() : first
    if (end === null) return null
    return lastBetween(all, begin, Math.max(end, ...own, first) + 1, windowMs) ?? end
  }

  return {
    between: (from, to, limit = mostSteps) => all(from, to).slice(0, limit),
    next(after) {
      const single = own.find((at) => at > after)
      let given = moments?.next(Math.max(after, begin - 1)) ?? null
      for (let steps = 0; given !== null && out.has(given) && steps < mostSteps; steps += 1)
        given = moments?.next(given) ?? null
      if (single === undefined || given === null) return single ?? given
      return Math.min(single, given)
    },
    previous: (before) => lastBetween(all, begin, before, windowMs),
    last,
  }
}

/** Throws ScheduleFault where a rule never comes true. */
export const checkSeries = (series: Series): Schedule => {
  const schedule = createSeries(series)
  if (series.rule === null) return schedule
  const rule = parseRule(series.rule)
  const moments = momentsOf(rule, series.start, series.zone)
  const first = placeWall(series.zone, series.start)
  // Of an end that was reached by the start itself nothing more is asked.
  if (rule.count === null && rule.until === null && moments.next(first - 1) === null) throw faultOf('never')
  return schedule
}

const momentsOf = (rule: Rule, start: number, zone: string) =>
  isElapsed(rule) ? createElapsedRule(rule, start, zone) : createWallRule(rule, start, zone)

const isElapsed = ({ frequency }: Rule): boolean => frequency === 'HOURLY' || frequency === 'MINUTELY'
