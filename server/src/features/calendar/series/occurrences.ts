/** From what is kept of an event to its occurrences. Pure: the clock is asked nowhere. */
import type { Recurrence } from '@atrium/contract/calendar'
import { createCache } from '../../../platform/cache/cache.ts'
import {
  type Schedule,
  checkSeries,
  createSeries,
  dayMs,
  formatDay,
  formatWall,
  hourMs,
  parseDay,
  parseWall,
  placeWall,
  ruleOf,
  wallAt,
} from '../../../platform/time/index.ts'
import type { EventContent, OccurrenceChange } from '../content.ts'
import { endless } from '../tables.ts'

/** Zones are so far from UTC at most. */
const zoneMs = 14 * hourMs

export type Timing = Pick<EventContent, 'allDay' | 'start' | 'end' | 'timeZone'>

/** One of an event. Times are integer milliseconds. */
export interface Occurrence {
  /** When it begins, or began before it was moved: its name. Of what floats, as if in UTC. */
  readonly of: number
  /** Local times or days, as they are kept. */
  readonly start: string
  readonly end: string
  readonly startAt: number
  readonly endAt: number
  readonly change: OccurrenceChange | null
}

/** Whether its times are the same on every clock. */
export const isFloating = ({ allDay, timeZone }: Timing): boolean => allDay || timeZone === null
/** The zone that its series is reckoned in. */
const zoneOf = (timing: Timing): string => (isFloating(timing) ? 'UTC' : (timing.timeZone ?? 'UTC'))

const wallOf = (text: string): number => parseWall(text) ?? parseDay(text) ?? Number.NaN
export const formatLocal = ({ allDay }: Pick<Timing, 'allDay'>, wall: number): string =>
  allDay ? formatDay(wall) : formatWall(wall)

/** The instants of a start and an end, which a viewer's zone gives where they float. */
export const placeTiming = (timing: Timing, viewerZone: string): { startAt: number; endAt: number } => {
  const zone = isFloating(timing) ? viewerZone : zoneOf(timing)
  return { startAt: placeWall(zone, wallOf(timing.start)), endAt: placeWall(zone, wallOf(timing.end)) }
}

/** How long it lasts: by the clock where it floats, else by elapsed time (RFC 5545, 3.8.5.3). */
export const durationOf = (timing: Timing): number => {
  const { startAt, endAt } = placeTiming(timing, 'UTC')
  return endAt - startAt
}

/** When a series has an occurrence: the name of one is an instant of it. */
export const scheduleOf = (content: Timing & Pick<EventContent, 'recurrence'>, check = false): Schedule => {
  const zone = zoneOf(content)
  const { recurrence } = content
  const place = (texts: readonly string[] | undefined): number[] =>
    (texts ?? []).flatMap((text) => {
      const wall = wallOf(text)
      if (Number.isNaN(wall)) return []
      // A day stands for the occurrence that begins on it.
      const isDay = !content.allDay && !text.includes('T')
      return [placeWall(zone, isDay ? wall + (wallOf(content.start) % dayMs) : wall)]
    })
  const series = {
    start: wallOf(content.start),
    zone,
    rule: recurrence && ruleIn(recurrence, content.allDay),
    dates: recurrence?.kind === 'rule' ? place(recurrence.dates) : [],
    exceptDates: recurrence?.kind === 'rule' ? place(recurrence.exceptDates) : [],
  }
  if (check) return checkSeries(series)
  const key = JSON.stringify(series)
  const known = schedules.get(key)
  if (known) return known
  const schedule = createSeries(series)
  schedules.set(key, schedule)
  return schedule
}

/** What a series has counted once it need not count at every look. */
const schedules = createCache<Schedule>({ max: 10_000 })

/** The rule of a repetition; null: its dates alone. */
export const ruleIn = (recurrence: Recurrence, allDay: boolean): string | null => {
  if (recurrence.kind === 'rule') return recurrence.rule
  const rule = ruleOf(recurrence)
  return allDay ? rule.replace(/;BYHOUR=[\d,]+|;BYMINUTE=\d+/g, '') : rule
}

/** The name of an occurrence as a local time of its event. */
export const localOf = (content: Timing, of: number): string => formatLocal(content, wallAt(zoneOf(content), of))
/** The name of the occurrence that begins at a local time of its event. */
export const occurrenceAt = (content: Timing, local: string): number => placeWall(zoneOf(content), wallOf(local))

/** Its occurrences that touch a range, by their start; what does not repeat has one. */
export const occurrencesIn = (content: EventContent, from: number, to: number, viewerZone: string): Occurrence[] => {
  const touches = ({ startAt, endAt }: Occurrence): boolean =>
    startAt < to && (endAt > from || (endAt === startAt && startAt >= from))
  if (content.recurrence === null) return [firstOf(content, viewerZone)].filter(touches)
  const reach = isFloating(content) ? zoneMs + dayMs : 0
  const duration = durationOf(content)
  const changed = new Map(content.changes.map((change) => [change.occurrence, change]))
  const found: Occurrence[] = []
  for (const of of scheduleOf(content).between(from - duration - reach - 1, to + reach))
    if (!changed.has(of)) found.push(plainOccurrence(content, of, duration, viewerZone))
  for (const change of content.changes) found.push(occurrenceOf(content, change.occurrence, change, viewerZone))
  return found.filter(touches).toSorted((a, b) => a.startAt - b.startAt)
}

/** One that is in its series, changed or not; null where there is none. */
export const findOccurrence = (content: EventContent, of: number, viewerZone: string): Occurrence | null => {
  const change = content.changes.find(({ occurrence }) => occurrence === of)
  if (change) return occurrenceOf(content, of, change, viewerZone)
  const [found] = content.recurrence === null ? [] : scheduleOf(content).between(of, of + 1)
  return found === of ? occurrenceOf(content, of, null, viewerZone) : null
}

const firstOf = (content: EventContent, viewerZone: string): Occurrence => ({
  of: occurrenceAt(content, content.start),
  start: content.start,
  end: content.end,
  ...placeTiming(content, viewerZone),
  change: null,
})

/** One that was not changed: a month has thousands of them. */
const plainOccurrence = (content: EventContent, of: number, duration: number, viewerZone: string): Occurrence => {
  const zone = zoneOf(content)
  const [start, end] = [wallAt(zone, of), wallAt(zone, of + duration)]
  const floats = isFloating(content)
  return {
    of,
    start: formatLocal(content, start),
    end: formatLocal(content, end),
    startAt: floats ? placeWall(viewerZone, start) : of,
    endAt: floats ? placeWall(viewerZone, end) : of + duration,
    change: null,
  }
}

const occurrenceOf = (
  content: EventContent,
  of: number,
  change: OccurrenceChange | null,
  viewerZone: string,
): Occurrence => {
  const zone = zoneOf(content)
  const start = change?.start ?? localOf(content, of)
  const end = change?.end ?? formatLocal(content, wallAt(zone, occurrenceAt(content, start) + durationOf(content)))
  return { of, start, end, ...placeTiming({ ...content, start, end }, viewerZone), change }
}

/** From when to when it has occurrences, wherever one is. */
export const boundsOf = (content: EventContent): { startsAt: number; endsAt: number } => {
  const reach = isFloating(content) ? zoneMs : 0
  const first = placeTiming(content, 'UTC')
  const starts = [first.startAt]
  const ends = [first.endAt]
  if (content.recurrence !== null) {
    const schedule = scheduleOf(content)
    starts.push(schedule.next(-endless) ?? first.startAt)
    const last = schedule.last()
    ends.push(last === null ? endless : last + durationOf(content))
    for (const { occurrence, start, end } of content.changes) {
      const local = start ?? localOf(content, occurrence)
      const moved = placeTiming({ ...content, start: local, end: end ?? local }, 'UTC')
      starts.push(moved.startAt)
      ends.push(end === undefined ? moved.startAt + durationOf(content) : moved.endAt)
    }
  }
  const end = Math.max(...ends)
  return { startsAt: Math.min(...starts) - reach, endsAt: end === endless ? endless : end + reach }
}
