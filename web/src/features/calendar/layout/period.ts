/** Which days a view shows, and where its arrows lead. Pure. */
import type { View } from '../search.ts'
import { type Day, addMonths, firstOfMonth } from '../time/day.ts'
import { startOfWeek, weeksOfMonth } from '../time/weeks.ts'

/** `last` is included. */
export interface Period {
  readonly first: Day
  readonly last: Day
}

export const agendaDays = 28

export function periodOf(view: View, day: Day, firstWeekday: number): Period {
  if (view === 'day') return { first: day, last: day }
  if (view === 'agenda') return { first: day, last: day + agendaDays - 1 }
  if (view === 'week') {
    const first = startOfWeek(day, firstWeekday)
    return { first, last: first + 6 }
  }
  const weeks = weeksOfMonth(day, firstWeekday)
  const first = weeks[0]?.[0] ?? day
  return { first, last: first + weeks.length * 7 - 1 }
}

/** A day of the next view, or of the one before. */
export function stepFrom(view: View, day: Day, by: 1 | -1): Day {
  if (view === 'day') return day + by
  if (view === 'week') return day + by * 7
  if (view === 'agenda') return day + by * agendaDays
  return firstOfMonth(addMonths(firstOfMonth(day), by))
}
