/** The usual repetitions in the words of a rule. A day that a month has not is its last day. */
import { weekdays } from './rule.ts'

export type Usual =
  | {
      readonly kind: 'hourly'
      readonly minute: number
      readonly startHour?: number | undefined
      /** Included. */
      readonly endHour?: number | undefined
    }
  | { readonly kind: 'daily'; readonly hour: number; readonly minute: number }
  /** 0 is Sunday. */
  | { readonly kind: 'weekly'; readonly dayOfWeek: number; readonly hour: number; readonly minute: number }
  | { readonly kind: 'monthly'; readonly dayOfMonth: number; readonly hour: number; readonly minute: number }
  | {
      readonly kind: 'yearly'
      readonly month: number
      readonly dayOfMonth: number
      readonly hour: number
      readonly minute: number
    }

export const ruleOf = (usual: Usual): string => {
  switch (usual.kind) {
    case 'hourly':
      return `FREQ=HOURLY${hoursOf(usual.startHour, usual.endHour)};BYMINUTE=${usual.minute}`
    case 'daily':
      return `FREQ=DAILY;${timeOf(usual)}`
    case 'weekly':
      return `FREQ=WEEKLY;BYDAY=${weekdays[usual.dayOfWeek]};${timeOf(usual)}`
    case 'monthly':
      return `FREQ=MONTHLY;${monthDays(usual.dayOfMonth, 28)};${timeOf(usual)}`
    case 'yearly':
      return `FREQ=YEARLY;BYMONTH=${usual.month};${monthDays(usual.dayOfMonth, shortest[usual.month - 1] ?? 28)};${timeOf(usual)}`
  }
}

const shortest = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

const timeOf = ({ hour, minute }: { readonly hour: number; readonly minute: number }): string =>
  `BYHOUR=${hour};BYMINUTE=${minute}`

/** The last of the days up to it that a month has. */
const monthDays = (day: number, certain: number): string => {
  if (day <= certain) return `BYMONTHDAY=${day}`
  const days = Array.from({ length: day - certain + 1 }, (_, index) => certain + index)
  return `BYMONTHDAY=${days.join(',')};BYSETPOS=-1`
}

/** From 22 to 6 goes over midnight. */
const hoursOf = (from: number | undefined, to: number | undefined): string => {
  if (from === undefined && to === undefined) return ''
  const [first, last] = [from ?? 0, to ?? 23]
  const count = ((last - first + 24) % 24) + 1
  return `;BYHOUR=${Array.from({ length: count }, (_, index) => (first + index) % 24).join(',')}`
}
