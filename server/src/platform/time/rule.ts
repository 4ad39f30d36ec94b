/** Rules of RFC 5545, 3.3.10, taken apart and checked. */
import { parseDay, parseWall } from './local.ts'
import { ScheduleFault, type ScheduleReason } from './types.ts'

export type Frequency = 'MINUTELY' | 'HOURLY' | 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY'

export interface Rule {
  readonly frequency: Frequency
  readonly interval: number
  readonly count: number | null
  /** `instant`: written in UTC; else a local time, or the whole of a local day. */
  readonly until: { readonly time: number; readonly kind: 'instant' | 'wall' | 'day' } | null
  readonly bySecond: readonly number[] | null
  readonly byMinute: readonly number[] | null
  readonly byHour: readonly number[] | null
  readonly byDay: readonly { readonly ordinal: number | null; readonly day: number }[] | null
  readonly byMonthDay: readonly number[] | null
  readonly byYearDay: readonly number[] | null
  readonly byWeekNo: readonly number[] | null
  readonly byMonth: readonly number[] | null
  readonly bySetPos: readonly number[] | null
  /** The day that weeks begin with, as in `Date.getUTCDay`. */
  readonly weekStart: number
}

/** In the order of `Date.getUTCDay`. */
export const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const

const mostCount = 10_000
const mostEntries = 400
const mostTimesOfDay = 1440

/** Reads a rule, with or without `RRULE:` before it. Throws ScheduleFault. */
export const parseRule = (written: string): Rule => {
  const parts = partsOf(written)
  const frequency = frequencyOf(parts.get('FREQ'))
  const list = (name: string, min: number, max: number) => numbersOf(name, parts.get(name), min, max)
  const [bySecond, byMinute, byHour] = [list('BYSECOND', 0, 59), list('BYMINUTE', 0, 59), list('BYHOUR', 0, 23)]
  if ([bySecond, byMinute, byHour].reduce((product, times) => product * (times?.length ?? 1), 1) > mostTimesOfDay)
    throw faultOf('too_long')
  if (parts.has('COUNT') && parts.has('UNTIL')) throw faultOf('count_and_until')
  const rule: Rule = {
    frequency,
    interval: wholeOf('INTERVAL', parts.get('INTERVAL') ?? '1', 'interval'),
    count: parts.has('COUNT') ? wholeOf('COUNT', parts.get('COUNT') ?? '', 'syntax') : null,
    until: parts.has('UNTIL') ? untilOf(parts.get('UNTIL') ?? '') : null,
    bySecond,
    byMinute,
    byHour,
    byDay: daysOf(parts.get('BYDAY')),
    byMonthDay: list('BYMONTHDAY', -31, 31),
    byYearDay: list('BYYEARDAY', -366, 366),
    byWeekNo: list('BYWEEKNO', -53, 53),
    byMonth: list('BYMONTH', 1, 12),
    bySetPos: list('BYSETPOS', -366, 366),
    weekStart: (weekdays as readonly string[]).indexOf(parts.get('WKST') ?? 'MO'),
  }
  if (rule.count !== null && rule.count > mostCount) throw faultOf('too_long')
  checkCombination(rule)
  return rule
}

const names = new Set([
  ...['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'WKST', 'BYSECOND', 'BYMINUTE', 'BYHOUR', 'BYDAY'],
  ...['BYMONTHDAY', 'BYYEARDAY', 'BYWEEKNO', 'BYMONTH', 'BYSETPOS'],
])

const partsOf = (written: string): Map<string, string> => {
  const parts = new Map<string, string>()
  const text = written
    .trim()
    .replace(/^RRULE:/i, '')
    .replace(/;$/, '')
    .toUpperCase()
  for (const part of text.split(';')) {
    const [name = '', value = '', ...more] = part.split('=')
    if (value === '' || more.length > 0 || parts.has(name)) throw faultOf('syntax')
    if (!names.has(name)) throw faultOf('unsupported')
    parts.set(name, value)
  }
  const wkst = parts.get('WKST')
  if (wkst !== undefined && !(weekdays as readonly string[]).includes(wkst)) throw faultOf('syntax')
  return parts
}

const frequencyOf = (value: string | undefined): Frequency => {
  if (value === 'SECONDLY') throw faultOf('by_second')
  const known = (['MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const).find((one) => one === value)
  if (!known) throw faultOf('syntax')
  return known
}

const wholeOf = (name: string, value: string, reason: ScheduleReason): number => {
  if (!/^\d{1,5}$/.test(value) || Number(value) < 1) throw faultOf(reason, `${name} is a number from 1 on.`)
  return Number(value)
}

const numbersOf = (name: string, value: string | undefined, min: number, max: number): number[] | null => {
  if (value === undefined) return null
  const entries = value.split(',')
  if (entries.length > mostEntries) throw faultOf('too_long')
  const numbers = entries.map((entry) => {
    const number = Number(entry)
    if (!/^[+-]?\d{1,3}$/.test(entry) || number < min || number > max || (min < 0 && number === 0))
      throw faultOf('syntax', `${name} can’t be ${entry.slice(0, 10)}.`)
    return number
  })
  return [...new Set(numbers)].toSorted((a, b) => a - b)
}

const daysOf = (value: string | undefined): Rule['byDay'] => {
  if (value === undefined) return null
  const entries = value.split(',')
  if (entries.length > mostEntries) throw faultOf('too_long')
  return entries.map((entry) => {
    const [, ordinal, name] = /^([+-]?\d{1,2})?(SU|MO|TU|WE|TH|FR|SA)$/.exec(entry) ?? []
    const number = ordinal === undefined ? null : Number(ordinal)
    if (name === undefined || number === 0 || (number !== null && Math.abs(number) > 53)) throw faultOf('syntax')
    return { ordinal: number, day: weekdays.indexOf(name as (typeof weekdays)[number]) }
  })
}

const untilOf = (value: string): NonNullable<Rule['until']> => {
  const [, year, month, day, hour, minute, second, utc] =
    /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z)?)?$/.exec(value) ?? []
  const date = `${year}-${month}-${day}`
  const time = hour === undefined ? parseDay(date) : parseWall(`${date}T${hour}:${minute}:${second}`)
  if (time === null) throw faultOf('syntax', 'UNTIL is no day or time.')
  return { time, kind: utc ? 'instant' : hour === undefined ? 'day' : 'wall' }
}

/** What the table of 3.3.10 does not allow together. */
const checkCombination = (rule: Rule): void => {
  const { frequency, byDay, byWeekNo, byYearDay, byMonthDay, bySetPos } = rule
  const ordinals = byDay?.some(({ ordinal }) => ordinal !== null) ?? false
  if (ordinals && (byWeekNo || !(frequency === 'MONTHLY' || frequency === 'YEARLY'))) throw faultOf('unsupported')
  if (byWeekNo && frequency !== 'YEARLY') throw faultOf('unsupported')
  if (byYearDay && (frequency === 'DAILY' || frequency === 'WEEKLY' || frequency === 'MONTHLY'))
    throw faultOf('unsupported')
  if (byMonthDay && frequency === 'WEEKLY') throw faultOf('unsupported')
  const selects = [rule.bySecond, rule.byMinute, rule.byHour, byDay, byMonthDay, byYearDay, byWeekNo, rule.byMonth]
  if (bySetPos && selects.every((one) => one === null)) throw faultOf('unsupported')
}

const sentences: Readonly<Record<ScheduleReason, string>> = {
  syntax: 'The rule doesn’t follow RFC 5545.',
  by_second: 'Events can’t repeat by the second.',
  interval: 'The interval must be a whole number of at least 1.',
  count_and_until: 'A rule can have a count or an end date, not both.',
  too_long: 'The rule has too many entries, or repeats more than 10,000 times.',
  unsupported: 'The rule has parts that are unknown or can’t be combined.',
  never: 'The rule never matches a date.',
  unknown_zone: 'This time zone doesn’t exist.',
}

export const faultOf = (reason: ScheduleReason, detail = sentences[reason]): ScheduleFault =>
  new ScheduleFault(reason, detail)
