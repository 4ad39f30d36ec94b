/** Repetitions in words of the language on screen. */
import type { CalendarEvent } from '@atrium/contract/calendar'
import { formatList } from '../../../lib/format.ts'
import type { Translate } from '../../../lib/texts.ts'
import { formatDay } from '../data/format.ts'
import { type Day, partsOf, weekdayOf } from '../time/day.ts'
import { clockOf, recurrenceToRepeat, startDayOf } from './recurrence.ts'
import { type Repeat, ordinalOf } from './rule.ts'

/** `Every 2 weeks on Monday and Thursday, until 3 Jan 2027`. */
export function sayRepeat(t: Translate, repeat: Repeat, start: Day): string {
  const { end } = repeat
  const last =
    end && ('until' in end ? t('repeat.until', { day: formatDay(end.until, 'date') }) : t('repeat.times', end))
  return [sayEvery(t, repeat, start), last].filter(Boolean).join(t('repeat.comma'))
}

function sayEvery(t: Translate, { every, interval: count, weekdays, on }: Repeat, start: Day): string {
  const weekday = weekdayName(weekdayOf(start))
  const nth = t(`repeat.nth.${ordinalOf(start)}`)
  if (every === 'day') return t('repeat.day', { count })
  if (every === 'year') return t('repeat.year', { count, day: formatDay(start, 'dayOfYear') })
  if (every === 'week') {
    if (count === 1 && weekdays.join() === '1,2,3,4,5') return t('repeat.workdays')
    return t('repeat.week', { count, days: formatList(weekdays.map(weekdayName)) })
  }
  if (on === 'weekday') return t('repeat.monthWeekday', { count, nth, weekday })
  if (on === 'last-weekday') return t('repeat.monthWeekday', { count, nth: t('repeat.nth.last'), weekday })
  if (on === 'last-day') return t('repeat.monthLastDay', { count })
  return t('repeat.month', { count, date: partsOf(start).date })
}

/** How an event repeats; null where it does not. */
export function sayRecurrence(t: Translate, event: CalendarEvent): string | null {
  const { recurrence } = event
  if (!recurrence) return null
  const start = startDayOf(event)
  const repeat = recurrenceToRepeat(recurrence, start, clockOf(event))
  if (repeat) return sayRepeat(t, repeat, start)
  return recurrence.kind === 'rule' && recurrence.rule === null ? t('repeat.dates') : t('repeat.special')
}

/** 5 January 1970 was a Monday. */
export const weekdayName = (weekday: number): string => formatDay(3 + weekday, 'weekday')
