/**
 * Rules by the hour and the minute go by elapsed time: where clocks change no hour is lost and none comes twice. What
 * limits them (months, days, hours) is asked of the clock at each moment.
 */
import { dayOf } from './local.ts'
import { type Rule, faultOf } from './rule.ts'
import { lastBetween } from './search.ts'
import { dayMs, hourMs, minuteMs, mostSteps } from './types.ts'
import { placeWall, wallAt } from './zones.ts'
import { type RuleMoments, untilInstant } from './wall-rule.ts'

/** `start`: the wall-clock time at which the event begins first. */
export const createElapsedRule = (rule: Rule, start: number, zone: string): RuleMoments => {
  const first = placeWall(zone, start)
  const unit = rule.frequency === 'HOURLY' ? hourMs : minuteMs
  const step = rule.interval * unit
  const until = rule.until === null ? Infinity : untilInstant(rule.until, zone)
  const within = withinPeriod(rule, start % unit, unit)
  /** Where the period of the first moment begins. */
  const base = first - (start % unit)

  /** Moments from an instant on, in order; with a number of times they are counted from the first on. */
  const moments = function* (from: number): Generator<number> {
    let period = rule.count === null ? Math.max(0, Math.floor((from - base) / step)) : 0
    let counted = 0
    for (let steps = 0; steps < mostSteps; steps += 1) {
      const begin = base + period * step
      if (begin > until) return
      const skip = limitedUntil(rule, zone, begin)
      if (skip !== null) {
        period = Math.max(period + 1, Math.ceil((skip - base) / step))
        continue
      }
      for (const offset of within) {
        const at = begin + offset
        if (at < first || at > until) continue
        counted += 1
        if (at >= from) {
          yield at
          steps = 0
        }
        if (counted === rule.count) return
      }
      period += 1
    }
    throw faultOf('never')
  }

  const between = (from: number, to: number): number[] => {
    const found: number[] = []
    if (to <= first) return found
    for (const at of bounded(moments(from), to)) {
      found.push(at)
      if (found.length === mostSteps) break
    }
    return found
  }
  return {
    between,
    next: (after) => moments(after + 1).next().value ?? null,
    last() {
      if (rule.count !== null) return [...moments(first)].at(-1) ?? null
      return until === Infinity ? null : lastBetween(between, first, until + 1, hourMs)
    },
  }
}

/** Those before an instant, and nothing is looked for behind it. */
const bounded = function* (moments: Generator<number>, to: number): Generator<number> {
  for (const at of moments) {
    if (at >= to) return
    yield at
  }
}

/** What a period holds, in milliseconds from its beginning. */
const withinPeriod = (rule: Rule, rest: number, unit: number): number[] => {
  const seconds = rule.bySecond ?? [Math.floor((rest % minuteMs) / 1000)]
  const minutes = unit === minuteMs ? [0] : (rule.byMinute ?? [Math.floor(rest / minuteMs)])
  const all = minutes.flatMap((minute) => seconds.map((second) => minute * minuteMs + second * 1000))
  const { bySetPos } = rule
  if (bySetPos === null) return all
  return all.filter((_, index) => bySetPos.includes(index + 1) || bySetPos.includes(index - all.length))
}

/** null where the clock fits the rule; else the first instant at which it may again. */
const limitedUntil = (rule: Rule, zone: string, at: number): number | null => {
  const wall = wallAt(zone, at)
  const date = new Date(wall)
  const day = dayOf(wall)
  if (rule.byMonth && !rule.byMonth.includes(date.getUTCMonth() + 1))
    return placeWall(zone, Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1))
  if (!fitsDay(rule, date)) return placeWall(zone, day + dayMs)
  if (rule.byHour && !rule.byHour.includes(date.getUTCHours())) return at + (hourMs - (wall % hourMs))
  const minute = date.getUTCMinutes()
  if (rule.frequency === 'HOURLY' || !rule.byMinute || rule.byMinute.includes(minute)) return null
  const later = rule.byMinute.find((one) => one > minute) ?? 60
  return at - (wall % hourMs) + later * minuteMs
}

const fitsDay = ({ byDay, byMonthDay, byYearDay }: Rule, date: Date): boolean => {
  if (byDay && !byDay.some(({ day }) => day === date.getUTCDay())) return false
  const year = date.getUTCFullYear()
  const daysInMonth = new Date(Date.UTC(year, date.getUTCMonth() + 1, 0)).getUTCDate()
  if (byMonthDay && !isNumbered(byMonthDay, date.getUTCDate(), daysInMonth)) return false
  const dayOfYear = Math.floor((date.getTime() - Date.UTC(year, 0, 1)) / dayMs) + 1
  const daysInYear = (Date.UTC(year + 1, 0, 1) - Date.UTC(year, 0, 1)) / dayMs
  return !byYearDay || isNumbered(byYearDay, dayOfYear, daysInYear)
}

/** Whether a number, or the same counted from the end, is in the list. */
const isNumbered = (list: readonly number[], number: number, most: number): boolean =>
  list.includes(number) || list.includes(number - most - 1)
