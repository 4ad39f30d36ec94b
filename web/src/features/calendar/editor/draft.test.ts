import type { CalendarEvent } from '@atrium/contract/calendar'
import { expect, test } from 'vitest'
import { usualRepeat } from '../repeat/rule.ts'
import { textToWall } from '../time/day.ts'
import {
  type Draft,
  changesOf,
  draftToContent,
  eventToDraft,
  faultOf,
  newDraft,
  proposalToDraft,
  scopesOf,
  withAllDay,
  withStart,
  withTimes,
} from './draft.ts'

const wall = (text: string) => textToWall(`2026-11-${text}`) ?? Number.NaN
const plain = {
  notes: '',
  place: '',
  link: '',
  color: null,
  status: 'confirmed',
  calendarId: null,
  reminders: [],
  guests: [],
  fileGuests: [],
  organizer: null,
  answer: null,
}
const event = (given: Partial<CalendarEvent>): CalendarEvent =>
  Object.assign(
    { id: 'one', title: 'Call', allDay: false, timeZone: 'Europe/Berlin', recurrence: null, startDate: null },
    plain,
    given,
  ) as CalendarEvent
const rule = (text: string, exceptDates?: string[]): CalendarEvent['recurrence'] =>
  Object.assign({ kind: 'rule' as const, rule: text }, exceptDates ? { exceptDates } : {})
/** Every Thursday, but not the 19th. */
const occurrence = event({
  baseEventId: 'series',
  startLocal: '2026-11-26T09:00:00',
  endLocal: '2026-11-26T10:00:00',
  recurrence: rule('FREQ=WEEKLY;BYDAY=TH', ['2026-11-19T09:00:00']),
})
const before = eventToDraft(occurrence)

test('a new event says its times as it keeps them, and how it repeats', () => {
  const draft = newDraft({ start: wall('26T09:00'), end: wall('26T10:00') }, false, 'Europe/Berlin', 'work')
  expect(draftToContent({ ...draft, title: ' Call ' })).toMatchObject({
    title: 'Call',
    startLocal: '2026-11-26T09:00:00',
    endLocal: '2026-11-26T10:00:00',
    timeZone: 'Europe/Berlin',
    calendarId: 'work',
  })
  const trip = withAllDay(draft, true, 'UTC')
  expect(draftToContent(trip)).toMatchObject({ allDay: true, startDate: '2026-11-26', endDate: '2026-11-27' })
  expect(draftToContent(trip)).not.toHaveProperty('startLocal')
  expect(withAllDay(trip, false, 'UTC')).toMatchObject({ start: wall('26T09:00'), end: wall('26T10:00') })
})

test('what is proposed is written as it is, in the calendar of new events', () => {
  const proposed = {
    title: 'Lunch',
    startLocal: '2026-11-26T12:00:00',
    endLocal: '2026-11-26T13:00:00',
    timeZone: 'Europe/Berlin',
    recurrence: { kind: 'rule' as const, rule: 'FREQ=WEEKLY;BYDAY=TH' },
  }
  expect(draftToContent(proposalToDraft(proposed, 'work'))).toMatchObject({ ...proposed, calendarId: 'work' })
  const day = { title: 'Trip', allDay: true, startDate: '2026-11-26', endDate: '2026-11-28' }
  expect(draftToContent(proposalToDraft(day, null))).toMatchObject(day)
})

test('guests are invited to all of a series, or from an occurrence on', () => {
  const guests = [{ id: 'ben', name: 'Ben', answer: 'waiting' as const }]
  expect(changesOf(occurrence, { ...before, guests }, false)).toEqual({ guests: ['ben'] })
  expect(scopesOf(before, { ...before, guests }, false)).toEqual(['following', 'all'])
})

test('only what was changed is sent', () => {
  expect(changesOf(occurrence, before, false)).toEqual({})
  expect(changesOf(occurrence, { ...before, place: 'Room 4' }, false)).toEqual({ place: 'Room 4' })
})

test('what was dragged says its own new times, and nothing of its series', () => {
  const times = { startLocal: '2026-11-27T11:00:00', endLocal: '2026-11-27T12:00:00' }
  expect(changesOf(occurrence, withTimes(before, times), false)).toEqual({
    allDay: false,
    timeZone: 'Europe/Berlin',
    ...times,
  })
})

test('another repetition keeps what was left out, at the time that it would have now', () => {
  const draft = withStart(before, wall('26T11:00'))
  const repeat = { ...usualRepeat('week', 20_783), interval: 2 }
  expect(changesOf(occurrence, { ...draft, repeat }, true)).toMatchObject({
    recurrence: { rule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TH', exceptDates: ['2026-11-19T11:00:00'] },
  })
  expect(changesOf(occurrence, { ...before, repeat: null }, true)).toEqual({ recurrence: null })
})

test('a series that is opened by itself takes its rule to its new start', () => {
  const series = { ...occurrence, baseEventId: null, recurrence: rule('FREQ=MONTHLY;BYDAY=-1TH') }
  expect(changesOf(series, withStart(eventToDraft(series), wall('30T09:00')), false)).toMatchObject({
    startLocal: '2026-11-30T09:00:00',
    recurrence: { rule: 'FREQ=MONTHLY;BYDAY=-1MO' },
  })
})

test('what a change can be about follows from what is changed', () => {
  const all = ['this', 'following', 'all']
  const tied = eventToDraft({ ...occurrence, recurrence: rule('FREQ=MONTHLY;BYDAY=4TH') })
  const at = (draft: Draft, start: string) => scopesOf(draft, { ...draft, start: wall(start) }, false)
  expect(at(before, '27T09:00')).toEqual(all)
  expect(at(tied, '26T11:00')).toEqual(all)
  expect(at(tied, '27T09:00')).toEqual(['this'])
  expect(at(eventToDraft({ ...occurrence, recurrence: rule('FREQ=HOURLY') }), '27T09:00')).toEqual(['this'])
  expect(scopesOf(before, { ...before, zone: 'UTC' }, false)).toEqual(['following', 'all'])
  expect(scopesOf(before, before, true)).toEqual(['following', 'all'])
  expect(scopesOf(before, { ...before, calendarId: 'work' }, false)).toEqual(['all'])
})

test('another start takes the end and its own weekday along', () => {
  const draft = withStart(eventToDraft(occurrence), wall('27T14:00'))
  expect(draft.end).toBe(wall('27T15:00'))
  expect(draft.repeat).toMatchObject({ weekdays: [5] })
})

test('an empty title, an end before the start and a link that is none are told', () => {
  const draft = eventToDraft(occurrence)
  expect(faultOf({ ...draft, title: '  ' })).toBe('title')
  expect(faultOf({ ...draft, end: draft.start - 1 })).toBe('end')
  expect(faultOf({ ...draft, link: 'javascript:alert(1)' })).toBe('link')
  expect(faultOf({ ...draft, link: 'https://example.com/a' })).toBeNull()
})
