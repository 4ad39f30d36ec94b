/**
 * Cron of five fields, as in crontab(5). Times of a fixed hour are made as if in UTC and placed by the zone; where the hour
 * is `*` it goes by elapsed time: within a stretch of one offset clock and time run alike, and the next stretch goes on
 * where it ends.
 */
import { dayOf, lastYear } from './local.ts'
import { faultOf } from './rule.ts'
import { lastBetween } from './search.ts'
import { type Schedule, dayMs, hourMs, minuteMs, mostSteps } from './types.ts'
import { placeWall, stretchAt, wallAt } from './zones.ts'

const marginMs = 25 * hourMs

/** `0 9 * * MON-FRI`; no seconds, no nicknames, no signs of single programs. Throws ScheduleFault. */
export const createCron = (written: string, zone: string): Schedule => {
  const fields = written.trim().toUpperCase().split(/\s+/)
  if (fields.length !== bounds.length) throw cronFault()
  const [minutes = [], hours = [], dates = [], months = [], weekdays = []] = fields.map(numbersOf)
  const isDay = (date: Date): boolean => {
    const onDate = dates.includes(date.getUTCDate())
    const onWeekday = weekdays.includes(date.getUTCDay())
    // Where both say something, either is enough.
    return fields[2]?.startsWith('*') || fields[4]?.startsWith('*') ? onDate && onWeekday : onDate || onWeekday
  }
  const times = hours.flatMap((hour) => minutes.map((minute) => hour * hourMs + minute * minuteMs))

  const nextWall = (after: number): number | null => {
    const end = Date.UTC(lastYear + 1, 0)
    for (let day = dayOf(after); day < end; ) {
      const date = new Date(day)
      if (!months.includes(date.getUTCMonth() + 1)) {
        day = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
        continue
      }
      const time = isDay(date) ? times.find((one) => day + one > after) : undefined
      if (time !== undefined) return day + time
      day += dayMs
    }
    return null
  }
  // A day that never comes, such as the 30th of February.
  if (nextWall(0) === null) throw faultOf('never')
  stretchAt(zone, 0)

  const next = fields[1] === '*' ? elapsedNext(zone, nextWall) : placedNext(zone, nextWall)
  const between = (from: number, to: number, limit = mostSteps): number[] => {
    const found: number[] = []
    for (let at = next(from - 1); at !== null && at < to && found.length < limit; at = next(at)) found.push(at)
    return found
  }
  return {
    next,
    between,
    previous: (before) => lastBetween(between, before - longestMs, before, hourMs),
    last: () => null,
  }
}

/** Between two runs: the 29th of February on a weekday, around a year such as 2100. */
const longestMs = 41 * 366 * dayMs

/** Minute, hour, day of the month, month, day of the week; 0 and 7 are Sunday. */
const bounds = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const
const monthNames = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const dayNames = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

const cronFault = () => faultOf('syntax', 'Write five fields: minute, hour, day of the month, month, day of the week.')

/** The numbers of a field, in order: lists of numbers, ranges and `*`, each with a step where one is written. */
const numbersOf = (field: string, index: number): number[] => {
  const [min, max] = bounds[index] ?? [0, 0]
  const numberOf = (text: string): number => {
    const named = index === 3 ? monthNames.indexOf(text) + 1 : index === 4 ? dayNames.indexOf(text) : -1
    if (named > 0 || (named === 0 && index === 4)) return named
    if (!/^\d{1,2}$/.test(text) || Number(text) < min || Number(text) > max) throw cronFault()
    return Number(text)
  }
  const found = field.split(',').flatMap((entry) => {
    const [span = '', written, ...more] = entry.split('/')
    if (more.length > 0 || (written !== undefined && !/^[1-9]\d?$/.test(written))) throw cronFault()
    const step = Number(written ?? 1)
    const [first = '', last, ...rest] = span.split('-')
    if (rest.length > 0 || (written !== undefined && span !== '*' && last === undefined)) throw cronFault()
    const [from, to] = span === '*' ? [min, index === 4 ? 6 : max] : [numberOf(first), numberOf(last ?? first)]
    if (from > to || step > max) throw cronFault()
    return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, n) => from + n * step)
  })
  return [...new Set(index === 4 ? found.map((day) => day % 7) : found)].toSorted((a, b) => a - b)
}

type Next = (after: number) => number | null

const placedNext =
  (zone: string, nextWall: Next): Next =>
  (after) => {
    let best: number | null = null
    let wall: number | null = wallAt(zone, after) - marginMs
    for (let steps = 0; steps < mostSteps; steps += 1) {
      wall = nextWall(wall)
      if (wall === null || (best !== null && wall >= wallAt(zone, best))) return best
      const at = placeWall(zone, wall)
      if (at <= after) continue
      best = Math.min(best ?? at, at)
      // One that its clocks skip comes later than what is written after it.
      if (wallAt(zone, at) === wall) return best
    }
    return best
  }

const elapsedNext =
  (zone: string, nextWall: Next): Next =>
  (after) => {
    let at = after
    for (let steps = 0; steps < mostSteps; steps += 1) {
      const { until, offset } = stretchAt(zone, at)
      const wall = nextWall(at + offset)
      if (wall === null) return null
      if (wall - offset < until) return wall - offset
      // It goes on with the clock of the next stretch, whose first moment counts.
      at = until - 1
      const ahead = stretchAt(zone, until).offset
      const first = nextWall(at + ahead)
      if (first !== null && first - ahead === until) return until
      at = until
    }
    return null
  }
