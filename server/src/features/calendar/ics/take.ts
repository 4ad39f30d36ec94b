/** From the entries of a file to events: what belongs together by its UID, and why something is left out. Pure. */
import type { ImportReport } from '@atrium/contract/calendar'
import { mostDates, mostRuleLetters } from '@atrium/contract/calendar'
import type { CalendarEntry, CalendarMoment } from '../../../platform/formats/index.ts'
import { isRefusal } from '../../../platform/http/refusal.ts'
import { dayMs, formatDay, formatWall, parseDay, parseWall, placeWall, wallAt } from '../../../platform/time/index.ts'
import { type EventContent, type OccurrenceChange, mostContentBytes, Property } from '../content.ts'
import { changeAll, cutBefore, type EventPatch, restFrom } from '../series/edits.ts'
import { type Timing, durationOf, findOccurrence, occurrenceAt } from '../series/occurrences.ts'
import { checkRecurrence } from '../series/times.ts'

export type SkipReason = ImportReport['skipped'][number]['reason']

export interface TakenEvent {
  readonly content: EventContent
  readonly reminders: readonly number[]
}

export interface EntryOutcome {
  readonly events: readonly TakenEvent[]
  readonly skipped: readonly { readonly title: string; readonly reason: SkipReason }[]
}

const longestMs = 400 * dayMs

/** All entries of one UID. */
export const takeEntries = (uid: string, entries: readonly CalendarEntry[]): EntryOutcome => {
  const skipped: { title: string; reason: SkipReason }[] = []
  const skip = (entry: CalendarEntry, reason: SkipReason): void => {
    skipped.push({ title: entry.title.slice(0, 200), reason })
  }
  const masters = entries.filter(({ replaces }) => replaces === null).toSorted((a, b) => b.sequence - a.sequence)
  const replacing = entries.filter(({ replaces }) => replaces !== null)
  const [master, ...older] = masters
  for (const entry of older) skip(entry, 'duplicate')
  if (!master) {
    for (const entry of replacing) skip(entry, 'no_series')
    return { events: [], skipped }
  }
  try {
    const changes = new Map<number, OccurrenceChange>()
    let content = contentOf(uid, master)
    for (const entry of replacing.filter(({ following }) => !following)) {
      const change = changeFrom(content, entry)
      if (typeof change === 'string') skip(entry, change)
      else changes.set(change.occurrence, change)
    }
    content = { ...content, changes: [...changes.values()] }
    const contents: EventContent[] = []
    for (const entry of replacing.filter(({ following }) => following).toSorted(byOccurrence)) {
      const parts = splitAt(content, entry)
      if (!parts) {
        skip(entry, 'no_series')
        continue
      }
      const [before, rest] = parts
      if (before) contents.push(before)
      content = rest
    }
    contents.push(content)
    for (const one of contents) {
      checkRecurrence(one)
      if (JSON.stringify(one).length > mostContentBytes) throw new SkipEntry('too_long')
    }
    return { events: contents.map((one) => ({ content: one, reminders: master.reminders })), skipped }
  } catch (error) {
    if (error instanceof SkipEntry) skip(master, error.reason)
    else if (isRefusal(error)) skip(master, error.code === 'recurrence_invalid' ? 'bad_rule' : 'bad_time')
    else throw error
    for (const entry of replacing) skip(entry, 'no_series')
    return { events: [], skipped }
  }
}

class SkipEntry extends Error {
  readonly reason: SkipReason
  constructor(reason: SkipReason) {
    super(reason)
    this.reason = reason
  }
}

const contentOf = (uid: string, entry: CalendarEntry): EventContent => {
  const timing = timingOf(entry, entry.start.isDay ? null : entry.start.zone)
  const local = (moment: CalendarMoment): string => localIn(timing, moment)
  const repeats = entry.rule !== null || entry.dates.length > 0
  if ((entry.rule?.length ?? 0) > mostRuleLetters || entry.dates.length > mostDates) throw new SkipEntry('bad_rule')
  return {
    ...wordsOf(entry),
    ...timing,
    recurrence: repeats
      ? { kind: 'rule', rule: entry.rule, dates: entry.dates.map(local), exceptDates: entry.exceptDates.map(local) }
      : null,
    changes: [],
    uid,
    sequence: entry.sequence,
    extra: extraOf(entry),
  }
}

const wordsOf = ({ title, notes, place, link, color, status }: CalendarEntry) => ({
  title,
  notes,
  place,
  link,
  color,
  status,
})
const extraOf = ({ extra }: CalendarEntry): Property[] => extra.map((property) => Property.parse(property))

/** Throws where an end is before its start. `zone`: that of the series. */
const timingOf = (entry: CalendarEntry, zone: string | null): Timing => {
  const allDay = entry.start.isDay
  const place = { allDay, timeZone: zone, start: '', end: '' }
  const start = localIn(place, entry.start)
  const wall = wallOf(start)
  const end =
    entry.end !== null
      ? wallOf(localIn(place, entry.end))
      : entry.durationMs !== null
        ? wall + entry.durationMs
        : wall + (allDay ? dayMs : 0)
  // Some programs write the last day, not the one behind it.
  const behind = allDay && end === wall ? wall + dayMs : end
  const timing: Timing = { ...place, start, end: allDay ? formatDay(behind) : formatWall(behind) }
  const duration = durationOf(timing)
  if (!(duration >= 0) || Number.isNaN(wall)) throw new SkipEntry('bad_time')
  if (duration > longestMs) throw new SkipEntry('too_long')
  return timing
}

/** A moment as the series writes its own: a day, or a time on its clock. */
const localIn = ({ allDay, timeZone }: Pick<Timing, 'allDay' | 'timeZone'>, moment: CalendarMoment): string => {
  const wall = moment.isDay ? parseDay(moment.text) : parseWall(moment.text)
  if (wall === null) throw new SkipEntry('bad_time')
  if (allDay) return formatDay(wall)
  if (moment.isDay) return moment.text
  if (timeZone === null || moment.zone === null || moment.zone === timeZone) return formatWall(wall)
  return formatWall(wallAt(timeZone, placeWall(moment.zone, wall)))
}

const wallOf = (text: string): number => parseWall(text) ?? parseDay(text) ?? Number.NaN

/** Which occurrence an entry stands for. */
const occurrenceOf = (content: EventContent, { replaces }: CalendarEntry): number => {
  if (replaces === null) throw new SkipEntry('no_series')
  const local = localIn(content, replaces)
  // A day stands for the occurrence that begins on it.
  return occurrenceAt(content, content.allDay || local.includes('T') ? local : local + content.start.slice(10))
}

/** What an occurrence has that its series has not; the reason where it cannot be one. */
const changeFrom = (content: EventContent, entry: CalendarEntry): OccurrenceChange | SkipReason => {
  if (content.recurrence === null) return 'no_series'
  if (entry.start.isDay !== content.allDay) return 'bad_time'
  try {
    const occurrence = occurrenceOf(content, entry)
    const { start, end } = timingOf(entry, content.timeZone)
    const words = Object.entries(wordsOf(entry)).filter(
      ([name, value]) => content[name as keyof ReturnType<typeof wordsOf>] !== value,
    )
    const extra = extraOf(entry)
    return {
      ...(Object.fromEntries(words) as Partial<OccurrenceChange>),
      ...(JSON.stringify(extra) === JSON.stringify(content.extra) ? {} : { extra }),
      occurrence,
      start,
      end,
    }
  } catch (error) {
    if (error instanceof SkipEntry) return error.reason
    throw error
  }
}

const byOccurrence = (one: CalendarEntry, other: CalendarEntry): number =>
  (one.replaces?.text ?? '').localeCompare(other.replaces?.text ?? '')

/** The series before an occurrence, and what follows from it on, as the entry says; null where there is none. */
const splitAt = (content: EventContent, entry: CalendarEntry): [EventContent | null, EventContent] | null => {
  if (content.recurrence === null || entry.start.isDay !== content.allDay) return null
  const of = occurrenceOf(content, entry)
  if (findOccurrence(content, of, 'UTC') === null) return null
  const before = cutBefore(content, of)
  const rest = before === null ? content : restFrom(content, of, `${content.uid}#${of}`)
  const { start, end } = timingOf(entry, content.timeZone)
  const times: EventPatch = content.allDay ? { startDate: start, endDate: end } : { startLocal: start, endLocal: end }
  return [before, { ...changeAll(rest, { ...wordsOf(entry), ...times }, null), extra: extraOf(entry) }]
}
