/** Changes to an event, to one of its occurrences, and to one and all later ones. Pure, but for what it refuses. */
import type { EventContent as GivenContent, Recurrence } from '@atrium/contract/calendar'
import { fail } from '../../../platform/http/refusal.ts'
import { formatDay, formatWall, parseDay, parseWall } from '../../../platform/time/index.ts'
import type { EventContent, OccurrenceChange } from '../content.ts'
import { findOccurrence, formatLocal, isFloating, localOf, occurrenceAt, ruleIn, scheduleOf } from './occurrences.ts'
import { shiftRecurrence } from './shift.ts'
import { checkRecurrence, givesTimes, timingOf } from './times.ts'

/** What of an event may be said in a body. */
export type EventPatch = Partial<Omit<GivenContent, 'calendarId' | 'guests' | 'reminders'>>

const mostChanges = 1000

/** A new event. `uid`: for other programs. */
export const contentFrom = (given: EventPatch & Pick<GivenContent, 'title'>, uid: string): EventContent => {
  const content: EventContent = {
    title: given.title,
    notes: given.notes ?? '',
    place: given.place ?? '',
    link: given.link ?? '',
    color: given.color ?? null,
    status: given.status ?? 'confirmed',
    ...timingOf(given, null),
    recurrence: given.recurrence ?? null,
    changes: [],
    uid,
    sequence: 0,
    extra: [],
  }
  checkRecurrence(content)
  return content
}

/**
 * All of an event. Times that are given with an occurrence are that one's, and move the others by as much. What was
 * changed of single occurrences stays, where the series still has them.
 */
export const changeAll = (content: EventContent, given: EventPatch, of: number | null): EventContent => {
  const at = of === null || content.recurrence === null ? null : findOccurrence(content, of, 'UTC')
  if (of !== null && content.recurrence !== null && at === null) throw fail('occurrence_not_found')
  const changed: EventContent = { ...content, ...wordsOf(given), sequence: content.sequence + 1 }
  if (givesTimes(given)) {
    const moved = timingOf(given, at ? { ...content, start: at.start, end: at.end } : content)
    Object.assign(changed, moved)
    if (at && moved.allDay === content.allDay) {
      const by = wallOf(moved.start) - wallOf(at.start)
      const start = wallOf(content.start) + by
      changed.start = formatLocal(moved, start)
      changed.end = formatLocal(moved, start + wallOf(moved.end) - wallOf(moved.start))
    }
  }
  if (given.recurrence !== undefined) changed.recurrence = given.recurrence
  else if (changed.recurrence !== null && changed.allDay === content.allDay)
    changed.recurrence = shiftRecurrence(changed.recurrence, wallOf(content.start), wallOf(changed.start))
  checkRecurrence(changed)
  changed.changes = keptChanges(content, changed)
  return changed
}

/** What was changed of single occurrences, where they are now; those that are gone are left out. */
const keptChanges = (before: EventContent, now: EventContent): OccurrenceChange[] => {
  if (now.recurrence === null || now.allDay !== before.allDay) return []
  const by = wallOf(now.start) - wallOf(before.start)
  const schedule = scheduleOf(now)
  return before.changes.flatMap((change) => {
    const local = wallOf(localOf(before, change.occurrence)) + by
    const occurrence = occurrenceAt(now, formatLocal(now, local))
    return schedule.between(occurrence, occurrence + 1).length === 0 ? [] : [{ ...change, occurrence }]
  })
}

/** One occurrence alone. */
export const changeOne = (content: EventContent, given: EventPatch, of: number): EventContent => {
  if (given.recurrence !== undefined) throw fail('recurrence_invalid', 'A single occurrence can’t repeat.')
  const at = findOccurrence(content, of, 'UTC')
  if (at === null) throw fail('occurrence_not_found')
  const change: OccurrenceChange = { ...at.change, ...wordsOf(given), occurrence: of }
  if (givesTimes(given)) {
    const moved = timingOf({ allDay: content.allDay, ...given }, { ...content, start: at.start, end: at.end })
    // It keeps the clock of its series.
    if (moved.allDay !== content.allDay || moved.timeZone !== content.timeZone)
      throw fail('event_time_invalid', 'A single occurrence can’t have its own time zone. Change the series instead.')
    change.start = moved.start
    change.end = moved.end
  }
  const changes = [...content.changes.filter(({ occurrence }) => occurrence !== of), change]
  if (changes.length > mostChanges) throw fail('occurrence_limit')
  return { ...content, changes, sequence: content.sequence + 1 }
}

/** Takes one occurrence out. */
export const removeOne = (content: EventContent, of: number): EventContent => {
  if (findOccurrence(content, of, 'UTC') === null || content.recurrence === null) throw fail('occurrence_not_found')
  const recurrence = asRule(content.recurrence, content.allDay)
  const exceptDates = [...(recurrence.exceptDates ?? []), localOf(content, of)]
  if (exceptDates.length > mostChanges) throw fail('occurrence_limit')
  return {
    ...content,
    recurrence: { ...recurrence, exceptDates },
    changes: content.changes.filter(({ occurrence }) => occurrence !== of),
    sequence: content.sequence + 1,
  }
}

/** The series up to an occurrence, without it; null where nothing is before it. */
export const cutBefore = (content: EventContent, of: number): EventContent | null => {
  if (findOccurrence(content, of, 'UTC') === null || content.recurrence === null) throw fail('occurrence_not_found')
  const { rule, dates = [], exceptDates = [] } = asRule(content.recurrence, content.allDay)
  if (scheduleOf(content).previous(of) === null) return null
  const isBefore = (text: string): boolean => occurrenceAt(content, text) < of
  const bare = rule?.replace(/;?(?:COUNT|UNTIL)=[^;]*/gi, '').replace(/^;/, '')
  return {
    ...content,
    recurrence: {
      kind: 'rule',
      rule: bare === undefined ? null : `${bare};UNTIL=${untilBefore(content, of)}`,
      dates: dates.filter(isBefore),
      exceptDates: exceptDates.filter(isBefore),
    },
    changes: content.changes.filter(({ occurrence }) => occurrence < of),
    sequence: content.sequence + 1,
  }
}

/** An event of its own from an occurrence on, with what was changed behind it. */
export const restFrom = (content: EventContent, of: number, uid: string): EventContent => {
  if (content.recurrence === null) throw fail('occurrence_not_found')
  const { rule, dates = [], exceptDates = [] } = asRule(content.recurrence, content.allDay)
  const start = localOf(content, of)
  const isBehind = (text: string): boolean => occurrenceAt(content, text) >= of
  return {
    ...content,
    start,
    end: formatLocal(content, wallOf(start) + wallOf(content.end) - wallOf(content.start)),
    recurrence: {
      kind: 'rule',
      rule:
        rule === null
          ? null
          : rule.replace(/COUNT=(\d+)/i, (_, count: string) => `COUNT=${leftOf(content, rule, Number(count), of)}`),
      dates: dates.filter(isBehind),
      exceptDates: exceptDates.filter(isBehind),
    },
    changes: content.changes.filter(({ occurrence }) => occurrence >= of),
    uid,
    sequence: 0,
  }
}

/** How many of a number of times are left from an occurrence on. */
const leftOf = (content: EventContent, rule: string, count: number, of: number): number => {
  const alone = scheduleOf({ ...content, recurrence: { kind: 'rule', rule } })
  return Math.max(1, count - alone.between(occurrenceAt(content, content.start), of).length)
}

/** Any repetition in the words of a rule. */
const asRule = (recurrence: Recurrence, allDay: boolean): Extract<Recurrence, { kind: 'rule' }> =>
  recurrence.kind === 'rule' ? recurrence : { kind: 'rule', rule: ruleIn(recurrence, allDay) }

/** An UNTIL that leaves an occurrence out, in the form that goes with the start (RFC 5545, 3.3.10). */
const untilBefore = (content: EventContent, of: number): string => {
  const compact = (text: string): string => text.replace(/[-:]/g, '')
  if (content.allDay) return compact(formatDay(of - 1))
  return compact(formatWall(of - 1000)) + (isFloating(content) ? '' : 'Z')
}

/** What is given of its words; dates of rules are checked where they are used. */
const wordsOf = ({ title, notes, place, link, color, status }: EventPatch) => {
  const words: Partial<Pick<EventContent, 'title' | 'notes' | 'place' | 'link' | 'color' | 'status'>> = {}
  if (title !== undefined) words.title = title
  if (notes !== undefined) words.notes = notes
  if (place !== undefined) words.place = place
  if (link !== undefined) words.link = link
  if (color !== undefined) words.color = color
  if (status !== undefined) words.status = status
  return words
}

const wallOf = (text: string): number => parseWall(text) ?? parseDay(text) ?? 0
