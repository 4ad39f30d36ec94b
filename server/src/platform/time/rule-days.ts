/** The days that a rule by the day, week, month or year gives, period by period. Days are counted since 1970. */
import { type Rule, weekdays } from './rule.ts'
import { dayMs } from './types.ts'

/** Of one period, by how many intervals it is behind that of the start. */
export interface RuleDays {
  /** The days of a period, in order. */
  of(period: number): number[]
  /** A period that is not behind a day. */
  before(day: number): number
  /** The next period that may have days, after one that has none; by default the one after it. */
  skip(period: number): number
}

interface CalendarDay {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  readonly date: number
}

/** `start`: the day of the first one. */
export const daysOfRule = (rule: Rule, start: number): RuleDays => {
  const { interval } = rule
  const begin = calendarDay(start)
  switch (rule.frequency) {
    case 'WEEKLY': {
      const week = weekStart(start, rule.weekStart)
      const days = rule.byDay?.map(({ day }) => day) ?? [weekdayOf(start)]
      return {
        of: (period) =>
          weekFrom(week + period * interval * 7).filter(
            (day) => days.includes(weekdayOf(day)) && isInMonths(rule, calendarDay(day)),
          ),
        before: (day) => Math.floor((day - week) / (7 * interval)),
        skip: (period) => period + 1,
      }
    }
    case 'MONTHLY': {
      const first = begin.year * 12 + begin.month - 1
      return {
        of: (period) =>
          daysOfMonth(
            rule,
            Math.floor((first + period * interval) / 12),
            ((first + period * interval) % 12) + 1,
            begin.date,
          ),
        before(day) {
          const { year, month } = calendarDay(day)
          return Math.floor((year * 12 + month - 1 - first) / interval)
        },
        skip: (period) => period + 1,
      }
    }
    case 'YEARLY':
      return {
        of: (period) => daysOfYear(rule, begin.year + period * interval, begin, weekdayOf(start)),
        // A week of a year can begin in the year before it.
        before: (day) => Math.floor((calendarDay(day).year - begin.year) / interval),
        skip: (period) => period + 1,
      }
    default:
      return {
        of(period) {
          const day = start + period * interval
          return isAllowed(rule, day) ? [day] : []
        },
        before: (day) => Math.floor((day - start) / interval),
        skip(period) {
          const date = calendarDay(start + period * interval)
          if (isInMonths(rule, date)) return period + 1
          return Math.max(period + 1, Math.ceil((dayNumber(date.year, date.month + 1, 1) - start) / interval))
        },
      }
  }
}

/** Also for months beyond 12. */
const dayNumber = (year: number, month: number, date: number): number => Date.UTC(year, month - 1, date) / dayMs
const calendarDay = (day: number): CalendarDay => {
  const time = new Date(day * dayMs)
  return { year: time.getUTCFullYear(), month: time.getUTCMonth() + 1, date: time.getUTCDate() }
}
/** The first of January 1970 was a Thursday. */
const weekdayOf = (day: number): number => (((day + 4) % 7) + 7) % 7
const weekStart = (day: number, first: number): number => day - ((weekdayOf(day) - first + 7) % 7)
const weekFrom = (day: number): number[] => Array.from({ length: weekdays.length }, (_, n) => day + n)
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, n) => from + n)

const isInMonths = ({ byMonth }: Rule, { month }: CalendarDay): boolean => byMonth === null || byMonth.includes(month)

/** Whether a number, or the same counted from the end, is in the list. */
const isNumbered = (list: readonly number[] | null, number: number, most: number): boolean =>
  list === null || list.includes(number) || list.includes(number - most - 1)

const isOnMonthDay = ({ byMonthDay }: Rule, { year, month, date }: CalendarDay): boolean =>
  byMonthDay === null || isNumbered(byMonthDay, date, dayNumber(year, month + 1, 1) - dayNumber(year, month, 1))

const isAllowed = (rule: Rule, day: number): boolean => {
  const date = calendarDay(day)
  if (!isInMonths(rule, date) || !isOnMonthDay(rule, date)) return false
  return rule.byDay === null || rule.byDay.some((one) => one.day === weekdayOf(day))
}

/** Whether a day is one of the weekdays, where some are counted within the days from one to another. */
const isWeekday = ({ byDay }: Rule, day: number, from: number, to: number): boolean =>
  byDay === null ||
  byDay.some(({ ordinal, day: weekday }) => {
    if (weekday !== weekdayOf(day)) return false
    if (ordinal === null) return true
    return ordinal > 0 ? Math.floor((day - from) / 7) + 1 === ordinal : Math.floor((to - 1 - day) / 7) + 1 === -ordinal
  })

const daysOfMonth = (rule: Rule, year: number, month: number, startDate: number): number[] => {
  if (!isInMonths(rule, { year, month, date: 1 })) return []
  const from = dayNumber(year, month, 1)
  const to = dayNumber(year, month + 1, 1)
  if (!rule.byMonthDay && !rule.byDay) return startDate <= to - from ? [from + startDate - 1] : []
  return range(from, to).filter(
    (day) => isNumbered(rule.byMonthDay, day - from + 1, to - from) && isWeekday(rule, day, from, to),
  )
}

const daysOfYear = (rule: Rule, year: number, start: CalendarDay, startWeekday: number): number[] => {
  const { byDay, byMonth, byMonthDay, byWeekNo, byYearDay } = rule
  if (!byDay && !byMonthDay && !byWeekNo && !byYearDay)
    return (byMonth ?? [start.month]).flatMap((month) => {
      const day = dayNumber(year, month, start.date)
      return calendarDay(day).month === month ? [day] : []
    })
  const [from, to] = [dayNumber(year, 1, 1), dayNumber(year + 1, 1, 1)]
  const days = byWeekNo
    ? daysOfWeeks(rule, byWeekNo, year).filter(
        (day) => byDay || byMonthDay || byYearDay || weekdayOf(day) === startWeekday,
      )
    : byMonth
      ? byMonth.flatMap((month) => range(dayNumber(year, month, 1), dayNumber(year, month + 1, 1)))
      : range(from, to)
  return days.filter((day) => {
    const date = calendarDay(day)
    if (!isInMonths(rule, date) || !isOnMonthDay(rule, date)) return false
    if (
      !isNumbered(
        byYearDay,
        day - dayNumber(date.year, 1, 1) + 1,
        dayNumber(date.year + 1, 1, 1) - dayNumber(date.year, 1, 1),
      )
    )
      return false
    // With months, the first Friday is that of each month.
    return byMonth
      ? isWeekday(rule, day, dayNumber(year, date.month, 1), dayNumber(year, date.month + 1, 1))
      : isWeekday(rule, day, from, to)
  })
}

/** Weeks as in ISO 8601, from the weekday on that the rule says: the first one has four days of its year. */
const daysOfWeeks = ({ weekStart: first }: Rule, weeks: readonly number[], year: number): number[] => {
  const begin = weekStart(dayNumber(year, 1, 4), first)
  const count = (weekStart(dayNumber(year + 1, 1, 4), first) - begin) / 7
  return range(1, count + 1)
    .filter((week) => isNumbered(weeks, week, count))
    .flatMap((week) => weekFrom(begin + (week - 1) * 7))
}
