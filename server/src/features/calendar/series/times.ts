/** From what a body says of the time of an event to what is kept. Throws refusals. */
import { fail } from '../../../platform/http/refusal.ts'
import {
  ScheduleFault,
  dayMs,
  formatDay,
  formatWall,
  parseDay,
  parseWall,
  wallAt,
  zoneNamed,
} from '../../../platform/time/index.ts'
import type { EventContent } from '../content.ts'
import { type Timing, durationOf, scheduleOf } from './occurrences.ts'

/** What a body can say. */
export interface GivenTimes {
  readonly allDay?: boolean | undefined
  readonly startLocal?: string | undefined
  readonly endLocal?: string | null | undefined
  readonly timeZone?: string | null | undefined
  readonly startDate?: string | undefined
  readonly endDate?: string | null | undefined
  readonly startAt?: string | undefined
  readonly endAt?: string | null | undefined
}

/** Nothing lasts longer. */
const longestMs = 400 * dayMs

export const givesTimes = (given: GivenTimes): boolean =>
  [given.allDay, given.startLocal, given.endLocal, given.timeZone, given.startDate].some((one) => one !== undefined) ||
  [given.endDate, given.startAt, given.endAt].some((one) => one !== undefined)

/** `before`: what holds for what is not given; a start that moves takes its end along. */
export const timingOf = (given: GivenTimes, before: Timing | null): Timing => {
  const hasTime = given.startLocal !== undefined || given.startAt !== undefined
  const allDay = given.allDay ?? (given.startDate !== undefined ? true : hasTime ? false : (before?.allDay ?? false))
  const timing = allDay ? dayTiming(given, before) : timeTiming(given, before)
  const duration = durationOf(timing)
  if (!(duration >= 0) || duration > longestMs || (allDay && duration < dayMs)) throw fail('event_time_invalid')
  return timing
}

const dayTiming = (given: GivenTimes, before: Timing | null): Timing => {
  const read = (text: string): number => parseDay(text.slice(0, 10)) ?? refuse()
  const instant = (text: string): number => wallAt(zoneGiven(given, before) ?? 'UTC', instantOf(text))
  const start =
    given.startDate !== undefined
      ? read(given.startDate)
      : given.startLocal !== undefined
        ? read(given.startLocal)
        : given.startAt !== undefined
          ? read(formatDay(instant(given.startAt)))
          : before
            ? read(before.start)
            : refuse()
  const length = before?.allDay ? read(before.end) - read(before.start) : dayMs
  const end = given.endDate ? read(given.endDate) : given.endDate === null ? start + dayMs : start + length
  return { allDay: true, start: formatDay(start), end: formatDay(end), timeZone: null }
}

const timeTiming = (given: GivenTimes, before: Timing | null): Timing => {
  const timeZone = zoneGiven(given, before)
  const zone = timeZone ?? 'UTC'
  const read = (text: string): number => parseWall(text) ?? parseDay(text) ?? refuse()
  const start =
    given.startLocal !== undefined
      ? read(given.startLocal)
      : given.startAt !== undefined
        ? wallAt(zone, instantOf(given.startAt))
        : before
          ? read(before.start)
          : refuse()
  const length = before && !before.allDay ? read(before.end) - read(before.start) : 0
  const end =
    given.endLocal === null || given.endAt === null
      ? start
      : given.endLocal !== undefined
        ? read(given.endLocal)
        : given.endAt !== undefined
          ? wallAt(zone, instantOf(given.endAt))
          : start + length
  if (end < start) throw fail('event_time_invalid')
  return { allDay: false, start: formatWall(start), end: formatWall(end), timeZone }
}

const zoneGiven = ({ timeZone, startAt, startLocal }: GivenTimes, before: Timing | null): string | null => {
  if (timeZone === undefined) {
    if (before && !before.allDay) return before.timeZone
    // An instant alone says nothing of a zone.
    return startAt !== undefined && startLocal === undefined ? 'UTC' : null
  }
  return timeZone === null ? null : zoneOrRefusal(timeZone)
}

/** Refuses with `time_zone_unknown`. */
export const zoneOrRefusal = (name: string): string => {
  const zone = zoneNamed(name)
  if (zone === null) throw fail('time_zone_unknown')
  return zone
}

const instantOf = (text: string): number => {
  const time = Date.parse(text)
  return parseDay(Number.isNaN(time) ? '' : new Date(time).toISOString().slice(0, 10)) === null ? refuse() : time
}

const refuse = (): never => {
  throw fail('event_time_invalid')
}

/** Refuses with `recurrence_invalid` a repetition that is none, or that an event of days cannot have. */
export const checkRecurrence = (content: EventContent): void => {
  const { recurrence, allDay } = content
  if (recurrence === null) return
  if (recurrence.kind === 'rule' && recurrence.rule === null && (recurrence.dates ?? []).length === 0)
    throw fail('recurrence_invalid', 'Enter a rule or dates.')
  const parts = recurrence.kind === 'rule' ? (recurrence.rule ?? '') : recurrence.kind
  if (allDay && /hourly|minutely|byhour|byminute|bysecond/i.test(parts))
    throw fail('recurrence_invalid', 'All-day events can’t repeat within a day.')
  const written = recurrence.kind === 'rule' ? [...(recurrence.dates ?? []), ...(recurrence.exceptDates ?? [])] : []
  if (written.some((text) => parseWall(text) === null && parseDay(text) === null))
    throw fail('recurrence_invalid', 'One of the repetition’s dates doesn’t exist.')
  try {
    scheduleOf(content, true)
  } catch (error) {
    throw error instanceof ScheduleFault ? fail('recurrence_invalid', error.message) : error
  }
}
