import { expect, test } from 'vitest'
import { dayOf, textToWall, wallToText } from './day.ts'
import { clockChangeOn, instantToWall, isSameTime, isZone, todayIn, wallToInstant } from './zone.ts'

const at = (text: string, zone: string) => new Date(wallToInstant(textToWall(text) ?? 0, zone)).toISOString()

test.each([
  ['an ordinary time', 'Europe/Berlin', '2026-11-26T09:30', '2026-11-26T08:30:00.000Z'],
  ['a time in the gap', 'Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:30:00.000Z'],
  ['the first of two times', 'Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
  ['a time in the gap', 'America/New_York', '2026-03-08T02:30', '2026-03-08T07:30:00.000Z'],
  ['a gap of half an hour', 'Australia/Lord_Howe', '2026-10-04T02:10', '2026-10-03T15:40:00.000Z'],
  ['a gap at midnight', 'America/Santiago', '2026-09-06T00:30', '2026-09-06T04:30:00.000Z'],
  ['a zone of 45 minutes', 'Asia/Kathmandu', '2026-11-26T00:15', '2026-11-25T18:30:00.000Z'],
  ['a day that was left out', 'Pacific/Apia', '2011-12-30T10:00', '2011-12-30T20:00:00.000Z'],
])('%s in %s is an instant', (_name, zone, text, instant) => {
  expect(at(text, zone)).toBe(instant)
})

test('what clocks show is read back, on every hour of a year with two changes', () => {
  for (const zone of ['Europe/Berlin', 'Australia/Lord_Howe', 'Africa/Casablanca', 'Europe/Dublin', 'Asia/Beirut']) {
    for (let instant = Date.UTC(2026, 0, 1); instant < Date.UTC(2027, 0, 1); instant += 3 * 3_600_000) {
      const wall = instantToWall(instant, zone)
      expect(instantToWall(wallToInstant(wall, zone), zone), `${zone} ${wallToText(wall)}`).toBe(wall)
    }
  }
})

test('a day of 23 or 25 hours is told', () => {
  expect(clockChangeOn(dayOf(2026, 3, 29), 'Europe/Berlin')).toBe(-60)
  expect(clockChangeOn(dayOf(2026, 10, 25), 'Europe/Berlin')).toBe(60)
  expect(clockChangeOn(dayOf(2026, 4, 5), 'Australia/Lord_Howe')).toBe(30)
  expect(clockChangeOn(dayOf(2026, 9, 6), 'America/Santiago')).toBe(-60)
  expect(clockChangeOn(dayOf(2026, 11, 26), 'Europe/Berlin')).toBe(0)
  expect(clockChangeOn(dayOf(2026, 11, 26), 'UTC')).toBe(0)
})

test('today is another day elsewhere', () => {
  const now = Date.parse('2026-11-26T23:30:00Z')
  expect(todayIn('UTC', now)).toBe(dayOf(2026, 11, 26))
  expect(todayIn('Europe/Berlin', now)).toBe(dayOf(2026, 11, 27))
})

test('two zones whose clocks agree need no word', () => {
  const winter = Date.parse('2026-12-01T12:00:00Z')
  expect(isSameTime(winter, 'Europe/Berlin', 'Europe/Paris')).toBe(true)
  expect(isSameTime(winter, 'Europe/Berlin', 'Europe/London')).toBe(false)
  expect(isZone('Europe/Berlin')).toBe(true)
  expect(isZone('Mars/Olympus')).toBe(false)
})
