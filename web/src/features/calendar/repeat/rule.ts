/** Recurrence as the editor offers it, and as a rule of RFC 5545 says it. Pure. */
import { type Day, daysInMonth, partsOf, wallOf, dayOfWall, dayToText, textToDay, weekdayOf } from '../time/day.ts'
import { instantToWall, wallToInstant } from '../time/zone.ts'

export interface Repeat {
  readonly every: 'day' | 'week' | 'month' | 'year'
  readonly interval: number
  /** For weeks: from 1, Monday, to 7; never empty. */
  readonly weekdays: readonly number[]
  /** For months: the date of the start, its weekday (`second Tuesday`), the last such weekday, or the last day. */
  readonly on: 'date' | 'weekday' | 'last-weekday' | 'last-day'
  /** null: for ever. */
  readonly end: { readonly until: Day } | { readonly count: number } | null
}

/** How the time of an event is told: in a zone, floating (null), or by days alone. */
export type RuleClock = { readonly zone: string | null } | 'days'

const names = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const frequencies = { day: 'DAILY', week: 'WEEKLY', month: 'MONTHLY', year: 'YEARLY' } as const

/** Which one of its weekday in the month a day is, from 1. */
export const ordinalOf = (day: Day): number => Math.ceil(partsOf(day).date / 7)
export const isLastWeekday = (day: Day): boolean => partsOf(day).date + 7 > daysInMonth(day)
export const isLastDay = (day: Day): boolean => partsOf(day).date === daysInMonth(day)

/** What is offered first for an event that begins on a day. */
export const usualRepeat = (every: Repeat['every'], start: Day): Repeat => ({
  every,
  interval: 1,
  weekdays: [weekdayOf(start)],
  on: 'date',
  end: null,
})

/** The rule of an event that begins on a day. */
export function repeatToRule({ every, interval, weekdays, on, end }: Repeat, start: Day, clock: RuleClock): string {
  const weekday = names[weekdayOf(start) - 1]
  const parts = [
    `FREQ=${frequencies[every]}`,
    interval > 1 && `INTERVAL=${interval}`,
    every === 'week' &&
      `BYDAY=${[...weekdays]
        .sort((a, b) => a - b)
        .map((each) => names[each - 1])
        .join()}`,
    every === 'month' && on === 'date' && `BYMONTHDAY=${partsOf(start).date}`,
    every === 'month' && on === 'weekday' && `BYDAY=${ordinalOf(start)}${weekday}`,
    every === 'month' && on === 'last-weekday' && `BYDAY=-1${weekday}`,
    every === 'month' && on === 'last-day' && 'BYMONTHDAY=-1',
    end && 'count' in end && `COUNT=${end.count}`,
    end && 'until' in end && `UNTIL=${writeUntil(end.until, clock)}`,
  ]
  return parts.filter(Boolean).join(';')
}

/** What the editor shows of a rule; null for one that it cannot say, which then stays as it is. */
export function ruleToRepeat(rule: string, start: Day, clock: RuleClock): Repeat | null {
  const { FREQ, INTERVAL, BYDAY, BYMONTHDAY, COUNT, UNTIL, WKST, BYMONTH, ...others } = partsOfRule(rule)
  const every = (Object.keys(frequencies) as Repeat['every'][]).find((each) => frequencies[each] === FREQ)
  const until = UNTIL === undefined ? null : readUntil(UNTIL, clock)
  const interval = Number(INTERVAL ?? 1)
  if (!every || until === undefined || Object.keys(others).length > 0) return null
  // The first day of weeks counts only where some of them are left out.
  if (WKST !== undefined && WKST !== 'MO' && every === 'week' && interval > 1) return null
  const { month, date } = partsOf(start)
  if (BYMONTH !== undefined && !(every === 'year' && Number(BYMONTH) === month)) return null
  const weekdays = every === 'week' ? readWeekdays(BYDAY, start) : [weekdayOf(start)]
  const on = every === 'month' ? readOn(BYDAY, BYMONTHDAY, start) : 'date'
  if (!weekdays || !on) return null
  if (every !== 'week' && every !== 'month' && BYDAY !== undefined) return null
  if (every !== 'month' && BYMONTHDAY !== undefined && !(every === 'year' && Number(BYMONTHDAY) === date)) return null
  return { every, interval, weekdays, on, end: COUNT ? { count: Number(COUNT) } : until === null ? null : { until } }
}

function readWeekdays(byDay: string | undefined, start: Day): number[] | null {
  if (byDay === undefined) return [weekdayOf(start)]
  const weekdays = byDay.split(',').map((name) => names.indexOf(name) + 1)
  return weekdays.includes(0) ? null : [...new Set(weekdays)].sort((a, b) => a - b)
}

function readOn(byDay: string | undefined, byMonthDay: string | undefined, start: Day): Repeat['on'] | null {
  const weekday = names[weekdayOf(start) - 1]
  if (byDay === undefined) {
    if (byMonthDay === undefined || byMonthDay === String(partsOf(start).date)) return 'date'
    return byMonthDay === '-1' && isLastDay(start) ? 'last-day' : null
  }
  if (byMonthDay !== undefined) return null
  if (byDay === `${ordinalOf(start)}${weekday}`) return 'weekday'
  return byDay === `-1${weekday}` && isLastWeekday(start) ? 'last-weekday' : null
}

const partsOfRule = (rule: string): Record<string, string> =>
  Object.fromEntries(
    rule
      .replace(/^RRULE:/i, '')
      .split(';')
      .filter(Boolean)
      .map((part) => part.toUpperCase().split('=') as [string, string]),
  )

/** The last moment of a day, in the way that the start of the event is told. */
function writeUntil(day: Day, clock: RuleClock): string {
  const date = dayToText(day).replaceAll('-', '')
  if (clock === 'days') return date
  if (clock.zone === null) return `${date}T235959`
  const end = new Date(wallToInstant(wallOf(day, 23 * 60 + 59), clock.zone) + 59_000)
  return end.toISOString().replace(/[-:]|\.\d+/g, '')
}

/** On which day the rule ends at last; undefined for what cannot be read. */
function readUntil(until: string, clock: RuleClock): Day | undefined {
  const [, year, month, date, time] = /^(\d{4})(\d\d)(\d\d)(?:T(\d{6})(?:Z)?)?$/.exec(until) ?? []
  const day = textToDay(`${year}-${month}-${date}`)
  if (day === undefined || time === undefined || clock === 'days' || clock.zone === null || !until.endsWith('Z'))
    return day
  const iso = `${year}-${month}-${date}T${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4)}Z`
  return dayOfWall(instantToWall(Date.parse(iso), clock.zone))
}
