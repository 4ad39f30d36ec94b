import type { CalendarEvent } from '@atrium/contract/calendar'
import { expect, test } from 'vitest'
import { dayOf, wallToText } from '../time/day.ts'
import { moveRange, stretchRange } from './drag.ts'
import { byPlace, placeEvent, stretchOn, timesAt } from './placement.ts'

const plain = { allDay: false, startDate: null, endDate: null, startLocal: null, endLocal: null }
const event = (given: Partial<CalendarEvent>) => Object.assign({ id: 'one' }, plain, given) as CalendarEvent
const timed = (startAt: string, endAt: string, timeZone = 'Europe/Berlin') => event({ startAt, endAt, timeZone })
const words = ({ start, end }: { start: number; end: number }) => `${wallToText(start)} to ${wallToText(end)}`

test('an event stands where the clocks of its viewer show it', () => {
  const call = timed('2026-11-26T23:30:00.000Z', '2026-11-27T00:30:00.000Z', 'UTC')
  expect(words(placeEvent(call, 'UTC').range)).toBe('2026-11-26T23:30 to 2026-11-27T00:30')
  const { first, last, range } = placeEvent(call, 'Asia/Tokyo')
  expect([words(range), first, last]).toEqual([
    '2026-11-27T08:30 to 2026-11-27T09:30',
    dayOf(2026, 11, 27),
    dayOf(2026, 11, 27),
  ])
})

test('what floats and what lasts all day is the same everywhere', () => {
  const floating = event({ timeZone: null, startLocal: '2026-11-26T09:00:00', endLocal: '2026-11-26T10:00:00' })
  const trip = event({ allDay: true, startDate: '2026-11-26', endDate: '2026-11-29' })
  for (const zone of ['UTC', 'Pacific/Auckland']) {
    expect(words(placeEvent(floating, zone).range)).toBe('2026-11-26T09:00 to 2026-11-26T10:00')
    const { first, last, isBand } = placeEvent(trip, zone)
    expect([last - first, isBand]).toEqual([2, true])
  }
})

test('an event over midnight has a part on each day, and touches none that it only ends at', () => {
  const night = placeEvent(timed('2026-11-26T21:00:00.000Z', '2026-11-27T01:30:00.000Z'), 'Europe/Berlin')
  expect(stretchOn(night, dayOf(2026, 11, 26))).toMatchObject({ start: 1320, end: 1440 })
  expect(stretchOn(night, dayOf(2026, 11, 27))).toMatchObject({ start: 0, end: 150 })
  expect(stretchOn(night, dayOf(2026, 11, 28))).toBeNull()
  const evening = placeEvent(timed('2026-11-26T21:00:00.000Z', '2026-11-26T23:00:00.000Z'), 'Europe/Berlin')
  expect(stretchOn(evening, dayOf(2026, 11, 27))).toBeNull()
})

test('an event lasts as long as it does where clocks go back while it runs', () => {
  const shift = timed('2026-10-25T00:50:00.000Z', '2026-10-25T01:10:00.000Z')
  expect(words(placeEvent(shift, 'Europe/Berlin').range)).toBe('2026-10-25T02:50 to 2026-10-25T03:10')
})

test('a move is told in the zone of the event, and keeps its length over a change of clocks', () => {
  const call = timed('2026-03-27T08:00:00.000Z', '2026-03-27T09:00:00.000Z', 'America/New_York')
  const { range } = placeEvent(call, 'Europe/Berlin')
  expect(timesAt(moveRange(range, 3, 0), call, 'Europe/Berlin')).toEqual({
    startLocal: '2026-03-30T03:00:00',
    endLocal: '2026-03-30T04:00:00',
  })
  const night = timed('2026-03-28T00:30:00.000Z', '2026-03-28T02:30:00.000Z')
  const moved = moveRange(placeEvent(night, 'Europe/Berlin').range, 1, 0)
  expect(timesAt(moved, night, 'Europe/Berlin')).toEqual({
    startLocal: '2026-03-29T01:30:00',
    endLocal: '2026-03-29T04:30:00',
  })
})

test('a stretch, and what lasts all day, are told as the event tells its times', () => {
  const call = timed('2026-11-26T08:00:00.000Z', '2026-11-26T09:00:00.000Z')
  const { range } = placeEvent(call, 'Europe/London')
  expect(timesAt(stretchRange(range, 'end', range.end + 30), call, 'Europe/London')).toEqual({
    startLocal: '2026-11-26T09:00:00',
    endLocal: '2026-11-26T10:30:00',
  })
  const trip = event({ allDay: true, startDate: '2026-11-26', endDate: '2026-11-28' })
  expect(timesAt(moveRange(placeEvent(trip, 'UTC').range, -1, 0), trip, 'UTC')).toEqual({
    startDate: '2026-11-25',
    endDate: '2026-11-27',
  })
})

test('bands come first, longer ones before shorter ones, then the hours', () => {
  const band = (id: string, startDate: string, endDate: string) => event({ id, allDay: true, startDate, endDate })
  const hour = (id: string, at: string) => ({ ...timed(`2026-11-26T${at}:00.000Z`, '2026-11-26T20:00:00.000Z'), id })
  const all = [
    hour('late', '12:00'),
    band('day', '2026-11-26', '2026-11-27'),
    hour('early', '08:00'),
    band('trip', '2026-11-26', '2026-11-30'),
  ]
  const sorted = all.map((each) => placeEvent(each, 'UTC')).sort(byPlace)
  expect(sorted.map(({ key }) => key)).toEqual(['trip', 'day', 'early', 'late'])
})
