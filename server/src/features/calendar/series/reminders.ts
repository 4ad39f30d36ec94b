/** When somebody is to be reminded of an event. Pure. */
import { dayMs, minuteMs } from '../../../platform/time/index.ts'
import type { EventContent } from '../content.ts'
import { type Occurrence, occurrencesIn, placeTiming, scheduleOf, isFloating } from './occurrences.ts'

/** One reminder of one occurrence. */
export interface DueReminder {
  /** When it is due, in integer milliseconds. */
  readonly at: number
  readonly minutes: number
  readonly occurrence: Occurrence
}

/** Zones are so far from UTC at most. */
const zoneMs = dayMs

/** The next ones after an instant, all of the same moment; none where there is no further occurrence. */
export const nextReminders = (
  content: EventContent,
  minutes: readonly number[],
  after: number,
  viewerZone: string,
): DueReminder[] => {
  const widest = Math.max(...minutes) * minuteMs
  const starts = startsAfter(content, after)
  if (starts === null) return []
  // Whatever is due first belongs to an occurrence that begins until then.
  const found = occurrencesIn(content, after, starts + widest + 2 * zoneMs, viewerZone)
    .flatMap((occurrence) =>
      minutes.map((before) => ({ at: occurrence.startAt - before * minuteMs, minutes: before, occurrence })),
    )
    .filter(({ at }) => at > after)
  const first = Math.min(...found.map(({ at }) => at))
  return found.filter(({ at }) => at === first)
}

/** The first start after an instant, in a series or moved out of it; null where there is none. */
const startsAfter = (content: EventContent, after: number): number | null => {
  const reach = isFloating(content) ? zoneMs : 0
  const from = after - reach
  const changed = new Set(content.changes.map(({ occurrence }) => occurrence))
  const starts = content.changes.flatMap(({ start }) =>
    start === undefined ? [] : [placeTiming({ ...content, start, end: start }, 'UTC').startAt],
  )
  if (content.recurrence === null) starts.push(placeTiming(content, 'UTC').startAt)
  else {
    const schedule = scheduleOf(content)
    let next = schedule.next(from)
    // What was moved stands elsewhere; of those that were not, the first counts.
    for (let steps = 0; next !== null && changed.has(next) && steps < 1100; steps += 1) next = schedule.next(next)
    if (next !== null) starts.push(next)
    for (const one of changed) starts.push(one)
  }
  const ahead = starts.filter((start) => start > from)
  return ahead.length === 0 ? null : Math.min(...ahead)
}
