import { expect, test } from 'vitest'
import {
  addMonths,
  dayOf,
  dayToText,
  daysInMonth,
  firstOfMonth,
  textToDay,
  textToWall,
  wallToText,
  weekdayOf,
} from './day.ts'

test('days are read and written, and what is none is refused', () => {
  expect(dayToText(dayOf(2026, 2, 28))).toBe('2026-02-28')
  expect(textToDay('2026-11-26')).toBe(dayOf(2026, 11, 26))
  expect(['2026-02-30', '2026-13-01', '26-1-1', '', null, 20261126].map(textToDay)).toEqual(Array(6).fill(undefined))
})

test('times are read and written, and what is none is refused', () => {
  expect(wallToText(textToWall('2026-11-26T09:30') ?? 0)).toBe('2026-11-26T09:30')
  expect(textToWall('2026-11-26T09:30:59')).toBe(textToWall('2026-11-26T09:30'))
  expect(wallToText(textToWall('1969-12-31T23:59') ?? 0)).toBe('1969-12-31T23:59')
  expect(['2026-11-26', '2026-11-26T24:00', '2026-02-30T10:00', undefined].map(textToWall)).toEqual(
    Array(4).fill(undefined),
  )
})

test('months have their ends, and weekdays their numbers from Monday', () => {
  expect(dayToText(addMonths(dayOf(2026, 1, 31), 1))).toBe('2026-02-28')
  expect(dayToText(addMonths(dayOf(2026, 1, 31), -2))).toBe('2025-11-30')
  expect(dayToText(firstOfMonth(dayOf(2026, 11, 26)))).toBe('2026-11-01')
  expect(daysInMonth(dayOf(2024, 2, 3))).toBe(29)
  expect([dayOf(2026, 11, 26), dayOf(2026, 11, 29), dayOf(1969, 12, 29)].map(weekdayOf)).toEqual([4, 7, 1])
})
