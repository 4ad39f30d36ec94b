/**
 * Rules by the day, week, month and year. Their wall-clock times are made as if the whole world had UTC, and the zone
 * places them, so that nothing is lost where clocks change. Libraries do the same more slowly (a number of times is
 * counted from the start at every question), and are what the tests compare it with.
 */
import { lastYear } from './local.ts'
import { type Rule, faultOf } from './rule.ts'
import { daysOfRule } from './rule-days.ts'
import { sortedOnce } from './search.ts'
import { dayMs, hourMs, minuteMs, mostSteps } from './types.ts'
import { placeWall, wallAt } from './zones.ts'

/** Clocks are moved by a day at most, and somewhere they were. */
const marginMs = 25 * hourMs

export interface RuleMoments {
  /** Instants from one on and before another; those of the rule alone. */
  between(from: number, to: number): number[]
  /** The first one after an instant; null where the rule gives none. */
  next(after: number): number | null
  /** The last one; null where there is no end of them. */
  last(): number | null
}

/** `start`: the wall-clock time at which the event begins first. */
export const createWallRule = (rule: Rule, start: number, zone: string): RuleMoments => {
  const until = rule.until === null ? Infinity : untilInstant(rule.until, zone)
  /** Beyond it the calendar is not asked. */
  const end = Date.UTC(lastYear + 1, 0)
  const walls = wallsOf(rule, start, end)
  let counted: number | null = null
  /** The wall-clock time of the last one that a number of times allows. */
  const lastWall = (): number => {
    if (rule.count === null) return Infinity
    if (counted !== null) return counted
    const plain = plainStepMs(rule)
    if (plain !== null) {
      counted = start + (rule.count - 1) * plain
      return counted
    }
    let left = rule.count
    counted = -Infinity
    for (const wall of walls(start)) {
      counted = wall
      left -= 1
      if (left === 0) break
    }
    return counted
  }

  const between = (from: number, to: number): number[] => {
    const [first, last] = [wallAt(zone, from) - marginMs, Math.min(wallAt(zone, to) + marginMs, lastWall())]
    const found: number[] = []
    for (const wall of walls(first)) {
      if (wall > last || found.length === mostSteps) break
      const at = placeWall(zone, wall)
      if (from <= at && at < to && at <= until) found.push(at)
    }
    return sortedOnce(found)
  }

  return {
    between,
    next(after) {
      for (const wall of walls(wallAt(zone, after) - marginMs)) {
        if (wall > lastWall()) return null
        const at = placeWall(zone, wall)
        // One that its clocks skip comes later than what is written after it.
        if (at > after) return between(after + 1, at + 1)[0] ?? null
      }
      return null
    },
    last() {
      if (rule.count === null && until === Infinity) return null
      const bound = rule.count === null ? wallAt(zone, until) + marginMs : lastWall()
      for (let width = 4 * dayMs; ; width *= 8) {
        const found = between(placeWall(zone, bound - width), placeWall(zone, bound) + marginMs).at(-1)
        if (found !== undefined) return found
        if (bound - width < start) return placeWall(zone, start)
      }
    },
  }
}

/** What lies between two of a rule that only says every how many days or weeks; null for all others. */
const plainStepMs = (rule: Rule): number | null => {
  const lists = [rule.bySecond, rule.byMinute, rule.byHour, rule.byDay, rule.byMonthDay, rule.byMonth]
  if (lists.some((list) => list !== null)) return null
  if (rule.frequency === 'DAILY') return rule.interval * dayMs
  return rule.frequency === 'WEEKLY' ? rule.interval * 7 * dayMs : null
}

/** Wall-clock times from one on, in order; none before the start. */
const wallsOf = (rule: Rule, start: number, end: number) => {
  const days = daysOfRule(rule, Math.floor(start / dayMs))
  const times = timesOf(rule, start)
  const { bySetPos } = rule
  return function* (from: number): Generator<number> {
    let period = Math.max(0, days.before(Math.floor(from / dayMs) - 1) - 1)
    for (let steps = 0; steps < mostSteps; steps += 1) {
      const all = days.of(period)
      if (all.length === 0) {
        period = days.skip(period)
        if (days.before(Math.floor(end / dayMs)) < period) return
        continue
      }
      const size = all.length * times.length
      for (let n = 0; n < size; n += 1) {
        if (bySetPos !== null && !bySetPos.includes(n + 1) && !bySetPos.includes(n - size)) continue
        const wall = (all[Math.floor(n / times.length)] ?? 0) * dayMs + (times[n % times.length] ?? 0)
        if (wall >= end) return
        if (wall < start || wall < from) continue
        yield wall
        steps = 0
      }
      period += 1
    }
    throw faultOf('never')
  }
}

/** The times of a day, in milliseconds since its beginning; where the rule says nothing, that of the start. */
const timesOf = ({ byHour, byMinute, bySecond }: Rule, start: number): number[] => {
  const date = new Date(start)
  const seconds = bySecond ?? [date.getUTCSeconds()]
  const minutes = byMinute ?? [date.getUTCMinutes()]
  return (byHour ?? [date.getUTCHours()]).flatMap((hour) =>
    minutes.flatMap((minute) => seconds.map((second) => hour * hourMs + minute * minuteMs + second * 1000)),
  )
}

/** The last instant that still counts. */
export const untilInstant = ({ time, kind }: NonNullable<Rule['until']>, zone: string): number => {
  if (kind === 'instant') return time
  return kind === 'wall' ? placeWall(zone, time) : placeWall(zone, time + dayMs) - 1
}
