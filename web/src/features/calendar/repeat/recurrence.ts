/** Recurrences of events as the editor and the words on screen understand them. Pure. */
import type { CalendarEvent } from '@atrium/contract/calendar'
import { type Day, addMonths, dayOfWall, partsOf, textToDay, textToWall, weekdayOf } from '../time/day.ts'
import { type Repeat, type RuleClock, repeatToRule, ruleToRepeat, usualRepeat } from './rule.ts'

type Recurrence = NonNullable<CalendarEvent['recurrence']>

/** How the times of an event are told. */
export const clockOf = ({ allDay, timeZone }: Pick<CalendarEvent, 'allDay' | 'timeZone'>): RuleClock =>
  allDay ? 'days' : { zone: timeZone }

/** The day on which an event begins, in its own zone. */
export const startDayOf = ({
  allDay,
  startDate,
  startLocal,
}: Pick<CalendarEvent, 'allDay' | 'startDate' | 'startLocal'>): Day =>
  (allDay ? textToDay(startDate) : dayOfWall(textToWall(startLocal) ?? 0)) ?? 0

/** What the editor can say of a recurrence; null for what it cannot, which stays as it is until another is chosen. */
export function recurrenceToRepeat(recurrence: Recurrence, start: Day, clock: RuleClock): Repeat | null {
  const { date, month } = partsOf(start)
  switch (recurrence.kind) {
    case 'rule':
      if (recurrence.rule === null || recurrence.dates?.length) return null
      return ruleToRepeat(recurrence.rule, start, clock)
    case 'daily':
      return usualRepeat('day', start)
    case 'weekly':
      return recurrence.dayOfWeek % 7 === weekdayOf(start) % 7 ? usualRepeat('week', start) : null
    // The last day of shorter months is more than a rule with this date says.
    case 'monthly':
      return recurrence.dayOfMonth === date && date <= 28 ? usualRepeat('month', start) : null
    case 'yearly':
      return recurrence.dayOfMonth === date && recurrence.month === month && date <= 28
        ? usualRepeat('year', start)
        : null
    case 'hourly':
      return null
  }
}

export const repeatToRecurrence = (repeat: Repeat, start: Day, clock: RuleClock): Recurrence => ({
  kind: 'rule',
  rule: repeatToRule(repeat, start, clock),
})

/** The last day that is offered at first where a repetition is to end: a year on, or a month for daily ones. */
export const usualEnd = (every: Repeat['every'], start: Day): Day =>
  addMonths(start, every === 'day' ? 1 : every === 'year' ? 60 : 12)
