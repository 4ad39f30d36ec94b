/** Times as models write them: days, local times, or instants with an offset (ISO 8601). Throws refusals. */
import type { EventContent as GivenContent } from '@atrium/contract/calendar'
import { fail } from '../../platform/http/refusal.ts'
import { dayMs, formatDay, formatWall, parseDay, parseWall, placeWall, wallAt } from '../../platform/time/index.ts'

export const isDay = (text: string): boolean => text.length === 10
export const hasOffset = (text: string): boolean => /(?:Z|[+-]\d{2}:\d{2})$/.test(text)

/** Times without a zone are the user’s; where that is not known, they are the same on every clock. `end` of days: the last. */
export const timesOf = (start: string, end: string | undefined, zone: string | null): Partial<GivenContent> => {
  if (isDay(start)) {
    if (end !== undefined && !isDay(end)) throw fail('event_time_invalid', 'Enter a day for the end too.')
    const last = parseDay(end ?? start)
    return { allDay: true, startDate: start, endDate: last === null ? undefined : formatDay(last + dayMs) }
  }
  if (end !== undefined && isDay(end)) throw fail('event_time_invalid', 'Enter a time for the end too.')
  const timeZone = zone ?? (hasOffset(start) ? 'UTC' : null)
  // Kept as the clocks of that zone show it.
  const local = (text: string): string =>
    hasOffset(text) ? formatWall(wallAt(timeZone ?? 'UTC', instantOf(text, timeZone))) : text
  return { startLocal: local(start), timeZone, ...(end === undefined ? {} : { endLocal: local(end) }) }
}

/** Refuses with `event_time_invalid` a time that does not exist. */
export const instantOf = (text: string, zone: string | null): number => {
  const wall = hasOffset(text) ? null : (parseWall(text) ?? parseDay(text))
  const time = hasOffset(text) ? Date.parse(text) : wall === null ? Number.NaN : placeWall(zone ?? 'UTC', wall)
  if (!Number.isFinite(time)) throw fail('event_time_invalid', `${text} isn’t a valid time.`)
  return time
}
