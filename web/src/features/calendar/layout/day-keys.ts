/** Where the keys lead from a day, in a calendar of weeks below each other. Pure. */
import { type Day, addMonths } from '../time/day.ts'
import { startOfWeek } from '../time/weeks.ts'

/** Undefined for keys that mean nothing here. */
export function dayByKey(key: string, day: Day, firstWeekday: number, rtl: boolean): Day | undefined {
  const start = startOfWeek(day, firstWeekday)
  const steps: Record<string, Day> = {
    [rtl ? 'ArrowLeft' : 'ArrowRight']: day + 1,
    [rtl ? 'ArrowRight' : 'ArrowLeft']: day - 1,
    ArrowDown: day + 7,
    ArrowUp: day - 7,
    Home: start,
    End: start + 6,
    PageDown: addMonths(day, 1),
    PageUp: addMonths(day, -1),
  }
  return steps[key]
}
