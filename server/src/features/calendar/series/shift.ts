/** A repetition whose event was moved: what it says of days and times moves along. Pure. */
import type { Recurrence } from '@atrium/contract/calendar'
import { dayMs, dayOf, formatDay, formatWall, parseDay, parseWall } from '../../../platform/time/index.ts'

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** `from`, `to`: the start before and now, as wall-clock times. */
export const shiftRecurrence = (recurrence: Recurrence, from: number, to: number): Recurrence => {
  const before = new Date(from)
  const now = new Date(to)
  const days = (dayOf(to) - dayOf(from)) / dayMs
  const time = { hour: now.getUTCHours(), minute: now.getUTCMinutes() }
  switch (recurrence.kind) {
    case 'hourly':
      return { ...recurrence, minute: time.minute }
    case 'daily':
      return { ...recurrence, ...time }
    case 'weekly':
      return { ...recurrence, ...time, dayOfWeek: (((recurrence.dayOfWeek + days) % 7) + 7) % 7 }
    case 'monthly':
      return { ...recurrence, ...time, dayOfMonth: days === 0 ? recurrence.dayOfMonth : now.getUTCDate() }
    case 'yearly': {
      if (days === 0) return { ...recurrence, ...time }
      return { ...recurrence, ...time, dayOfMonth: now.getUTCDate(), month: now.getUTCMonth() + 1 }
    }
    case 'rule': {
      const { rule, dates, exceptDates } = recurrence
      const move = (texts: string[] | undefined) => texts?.map((text) => shiftLocal(text, to - from))
      return {
        kind: 'rule',
        rule: rule === null ? null : shiftRule(rule, before, now, days),
        ...(dates ? { dates: move(dates) } : {}),
        ...(exceptDates ? { exceptDates: move(exceptDates) } : {}),
      }
    }
  }
}

/** A local time or day, moved by so much. */
export const shiftLocal = (text: string, byMs: number): string => {
  const wall = parseWall(text)
  if (wall !== null) return formatWall(wall + byMs)
  return formatDay((parseDay(text) ?? 0) + Math.round(byMs / dayMs) * dayMs)
}

/** Only what says the very day or time of the start moves with it: the first Friday stays the first Friday. */
const shiftRule = (rule: string, before: Date, now: Date, days: number): string => {
  const isWeekly = /FREQ=WEEKLY/i.test(rule)
  return rule
    .split(';')
    .map((part) => {
      const [name = '', value = ''] = part.split('=')
      const single = (was: number, is: number): string => (Number(value) === was ? `${name}=${is}` : part)
      switch (name.toUpperCase()) {
        case 'BYDAY':
          return isWeekly && days !== 0
            ? `${name}=${value
                .split(',')
                .map((day) => shiftDay(day, days))
                .join(',')}`
            : part
        case 'BYMONTHDAY':
          return single(before.getUTCDate(), now.getUTCDate())
        case 'BYMONTH':
          return single(before.getUTCMonth() + 1, now.getUTCMonth() + 1)
        case 'BYHOUR':
          return single(before.getUTCHours(), now.getUTCHours())
        case 'BYMINUTE':
          return single(before.getUTCMinutes(), now.getUTCMinutes())
        default:
          return part
      }
    })
    .join(';')
}

const shiftDay = (day: string, by: number): string => {
  const index = weekdays.indexOf(day.trim().toUpperCase())
  return index === -1 ? day : (weekdays[(((index + by) % 7) + 7) % 7] ?? day)
}
