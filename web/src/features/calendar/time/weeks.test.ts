import { expect, test } from 'vitest'
import { dayOf, dayToText } from './day.ts'
import { firstWeekdayOf, localeWithRegion, startOfWeek, weekNumberOf, weeksOfMonth } from './weeks.ts'

test('weeks begin as the language has it, with the region of the browser', () => {
  expect(['en', 'en-GB', 'ar', 'ar-MA', 'de'].map(firstWeekdayOf)).toEqual([7, 1, 6, 1, 1])
  expect(localeWithRegion('en', ['de-DE', 'en-GB', 'en'])).toBe('en-GB')
  expect(localeWithRegion('ar', ['en-US'])).toBe('ar')
})

test.each([
  ['2026-12-28', 1, 53],
  ['2027-01-04', 1, 1],
  ['2024-12-30', 1, 1],
  ['2026-11-23', 1, 48],
  ['2026-12-27', 7, 1],
  ['2026-01-04', 7, 2],
  ['2026-11-22', 7, 48],
])('the week of %s, where weeks begin on day %i, is number %i', (text, first, number) => {
  const [year = 0, month = 0, date = 0] = text.split('-').map(Number)
  const start = dayOf(year, month, date)
  expect(startOfWeek(start + 3, first)).toBe(start)
  expect(weekNumberOf(start, first)).toBe(number)
})

test('a month is drawn by whole weeks', () => {
  const rows = (first: number) => weeksOfMonth(dayOf(2026, 2, 10), first)
  expect(rows(7).length).toBe(4)
  expect(rows(1).map((week) => dayToText(week[0] ?? 0))).toEqual([
    '2026-01-26',
    '2026-02-02',
    '2026-02-09',
    '2026-02-16',
    '2026-02-23',
  ])
  expect(weeksOfMonth(dayOf(2026, 8, 1), 1).length).toBe(6)
})
