/** An event while it is written: times are those of its own zone. Pure. */
import type { CalendarEvent, EventContent, EventStatus, Guest, Scope } from '@atrium/contract/calendar'
import type { Range } from '../layout/drag.ts'
import { type Times, toLocal } from '../layout/placement.ts'
import { clockOf, recurrenceToRepeat, repeatToRecurrence, startDayOf } from '../repeat/recurrence.ts'
import { type Repeat, repeatToRule } from '../repeat/rule.ts'
import {
  type Day,
  type Wall,
  dayOfWall,
  dayToText,
  minutesOfDay,
  textToDay,
  textToWall,
  wallOf,
  weekdayOf,
} from '../time/day.ts'

export interface Draft {
  readonly title: string
  readonly allDay: boolean
  readonly start: Wall
  /** The midnight after the last day where it lasts all day. */
  readonly end: Wall
  /** null: the same time wherever one is. */
  readonly zone: string | null
  /** `kept`: as it is, as the editor cannot say it. */
  readonly repeat: Repeat | 'kept' | null
  readonly calendarId: string | null
  readonly reminders: readonly number[]
  readonly place: string
  readonly link: string
  readonly notes: string
  readonly color: string | null
  readonly status: EventStatus
  readonly guests: readonly Guest[]
}

/** A new one, at a stretch on the clocks of a zone. */
export const newDraft = (range: Range, allDay: boolean, zone: string, calendarId: string | null): Draft => ({
  ...range,
  title: '',
  allDay,
  zone,
  repeat: null,
  calendarId,
  reminders: [],
  place: '',
  link: '',
  notes: '',
  color: null,
  status: 'confirmed',
  guests: [],
})

/** What is proposed for an event in words; it is written by nobody yet. */
export const proposalToDraft = (event: EventContent, calendarId: string | null): Draft =>
  eventToDraft({
    title: event.title,
    allDay: event.allDay ?? event.startDate !== undefined,
    calendarId,
    startLocal: event.startLocal ?? null,
    endLocal: event.endLocal ?? event.startLocal ?? null,
    startDate: event.startDate ?? null,
    endDate: event.endDate ?? null,
    timeZone: event.timeZone ?? null,
    recurrence: event.recurrence ?? null,
    reminders: event.reminders ?? [],
    place: event.place ?? '',
    link: event.link ?? '',
    notes: event.notes ?? '',
    color: event.color ?? null,
    status: event.status ?? 'confirmed',
    guests: [],
  })

/** What of an event the editor writes. */
type Written = Pick<
  CalendarEvent,
  | keyof Omit<Draft, 'start' | 'end' | 'zone' | 'repeat'>
  | 'startLocal'
  | 'endLocal'
  | 'startDate'
  | 'endDate'
  | 'timeZone'
  | 'recurrence'
>

export function eventToDraft(event: Written): Draft {
  const { title, allDay, calendarId, reminders, place, link, notes, color, status, recurrence } = event
  const { guests } = event
  const repeat = recurrence && (recurrenceToRepeat(recurrence, startDayOf(event), clockOf(event)) ?? 'kept')
  const zone = event.timeZone
  const words = { title, place, link, notes, color, status }
  return { ...rangeOf(event), ...words, allDay, zone, repeat, calendarId, reminders, guests }
}

/** The own times of an event. */
function rangeOf(event: Written): Range {
  if (event.allDay) {
    const first = textToDay(event.startDate) ?? 0
    return { start: wallOf(first, 0), end: wallOf(textToDay(event.endDate) ?? first + 1, 0) }
  }
  const start = textToWall(event.startLocal) ?? 0
  return { start, end: textToWall(event.endLocal) ?? start }
}

/** The same with another start; its end goes along, and what the repetition says of the day does, too. */
export function withStart(draft: Draft, start: Wall): Draft {
  const { repeat } = draft
  const [before, after] = [dayOfWall(draft.start), dayOfWall(start)]
  const isOwnWeekday = repeat !== null && repeat !== 'kept' && repeat.weekdays.join() === String(weekdayOf(before))
  return {
    ...draft,
    start,
    end: start + Math.max(0, draft.end - draft.start),
    repeat: isOwnWeekday ? { ...repeat, weekdays: [weekdayOf(after)] } : repeat,
  }
}

/** The event after it was moved or stretched in a grid, with the times that it has then. */
export function withTimes(draft: Draft, times: Times): Draft {
  if ('startDate' in times) {
    const [first = 0, end = 0] = [textToDay(times.startDate), textToDay(times.endDate)]
    return { ...draft, start: wallOf(first, 0), end: wallOf(end, 0) }
  }
  return { ...draft, start: textToWall(times.startLocal) ?? 0, end: textToWall(times.endLocal) ?? 0 }
}

/** All day, or by the hour; going back and forth leaves the day as it was. */
export function withAllDay(draft: Draft, allDay: boolean, zone: string): Draft {
  if (allDay === draft.allDay) return draft
  const first = dayOfWall(draft.start)
  if (allDay) return { ...draft, allDay, start: wallOf(first, 0), end: wallOf(dayOfWall(draft.end - 1) + 1, 0) }
  const last = dayOfWall(draft.end - 1)
  return { ...draft, allDay, start: wallOf(first, 9 * 60), end: wallOf(last, 10 * 60), zone: draft.zone ?? zone }
}

/** What is wrong with it; null for nothing. */
export function faultOf({ title, start, end, link }: Draft): 'title' | 'end' | 'link' | null {
  if (title.trim() === '') return 'title'
  if (end < start) return 'end'
  return /^(?:(?:https?|mailto):\S+)?$/i.test(link.trim()) ? null : 'link'
}

/** Everything of a new event. */
export const draftToContent = (draft: Draft): EventContent => ({
  ...timesOf(draft),
  ...wordsOf(draft),
  ...(draft.repeat === null || draft.repeat === 'kept'
    ? {}
    : { recurrence: repeatToRecurrence(draft.repeat, dayOfWall(draft.start), ruleClock(draft)) }),
})

/**
 * What was changed of an event; nothing else is sent. Times are those of the occurrence: the server moves others by as
 * much, with what their rule says of them. `isOtherRepeat`: another repetition was chosen.
 */
export function changesOf(event: CalendarEvent, draft: Draft, isOtherRepeat: boolean): Partial<EventContent> {
  const before = eventToDraft(event)
  const changes: Partial<EventContent> = {}
  const [old, words] = [wordsOf(before), wordsOf(draft)]
  for (const name of Object.keys(words) as (keyof typeof words)[])
    if (JSON.stringify(words[name]) !== JSON.stringify(old[name])) Object.assign(changes, { [name]: words[name] })
  if (JSON.stringify(timesOf(draft)) !== JSON.stringify(timesOf(before))) Object.assign(changes, timesOf(draft))
  // The start of a series is what its rule goes by.
  const isMovedSeries = event.baseEventId === null && isRuleChanged(before, draft)
  if (isOtherRepeat || isMovedSeries)
    Object.assign(changes, { recurrence: recurrenceOf(draft, event, draft.start - before.start) })
  return changes
}

/** How much of a series a change can be about. */
export function scopesOf(before: Draft, draft: Draft, isOtherRepeat: boolean): readonly Scope[] {
  const { repeat } = before
  if (draft.calendarId !== before.calendarId) return ['all']
  // Guests are invited to a series.
  if (JSON.stringify(guestIds(draft)) !== JSON.stringify(guestIds(before))) return ['following', 'all']
  // One occurrence has the repetition and the clock of its series.
  if (isOtherRepeat || draft.allDay !== before.allDay || draft.zone !== before.zone) return ['following', 'all']
  const isOtherDay = dayOfWall(draft.start) !== dayOfWall(before.start)
  // The second Tuesday of a month is no other day.
  const isTied = repeat === 'kept' || (repeat?.every === 'month' && repeat.on !== 'date')
  return isOtherDay && isTied ? ['this'] : ['this', 'following', 'all']
}

function isRuleChanged(before: Draft, draft: Draft): boolean {
  if (draft.repeat === null || draft.repeat === 'kept') return false
  if (before.repeat === null || before.repeat === 'kept') return false
  const rule = (each: Draft, repeat: Repeat) => repeatToRule(repeat, dayOfWall(each.start), ruleClock(each))
  return rule(draft, draft.repeat) !== rule(before, before.repeat)
}

function recurrenceOf(draft: Draft, { recurrence: old }: CalendarEvent, by: number): EventContent['recurrence'] {
  if (draft.repeat === null || draft.repeat === 'kept') return draft.repeat === null ? null : old
  const recurrence = repeatToRecurrence(draft.repeat, dayOfWall(draft.start), ruleClock(draft))
  const left = old?.kind === 'rule' ? old.exceptDates : undefined
  if (!left?.length) return recurrence
  // What was left out stays left out, also at another time of the day.
  const days = Math.round(by / minutesOfDay)
  const exceptDates = left.map((date) =>
    date.includes('T') ? toLocal((textToWall(date) ?? 0) + by) : dayToText((textToDay(date) ?? 0) + days),
  )
  return Object.assign(recurrence, { exceptDates })
}

const ruleClock = (draft: Draft) => clockOf({ allDay: draft.allDay, timeZone: draft.zone })

function timesOf({ allDay, start, end, zone }: Pick<Draft, 'allDay' | 'start' | 'end' | 'zone'>) {
  if (!allDay) return { allDay, startLocal: toLocal(start), endLocal: toLocal(end), timeZone: zone }
  const last: Day = Math.max(dayOfWall(start) + 1, Math.ceil(end / minutesOfDay))
  return { allDay, startDate: dayToText(dayOfWall(start)), endDate: dayToText(last) }
}

const guestIds = ({ guests }: Draft): string[] => guests.map(({ id }) => id)

const wordsOf = (draft: Draft) => {
  const { title, notes, place, link, color, status, calendarId, reminders } = draft
  return {
    title: title.trim(),
    notes,
    place: place.trim(),
    link: link.trim(),
    color,
    status,
    calendarId,
    reminders: [...new Set(reminders)].sort((a, b) => a - b),
    guests: guestIds(draft),
  }
}
