import { expect, test } from 'vitest'
import { factSeparator, formatDateTime, formatMoney, formatSize, formatSpan, showTimesIn } from './format.ts'
import { setLanguage } from './texts.ts'

test('sizes are said with the plural of their unit', () => {
  expect([1, 184, 1000, 4_100_000_000].map(formatSize)).toEqual(['1 byte', '184 bytes', '1 kB', '4.1 GB'])
})

test('long times are said in their two largest units', () => {
  const day = 86_400_000
  expect(
    [0, 999, 1000, 61_000, 3_600_000, 3_661_000, 3 * day + 4 * 3_600_000 + 59_000, 2 * day].map(formatSpan),
  ).toEqual([
    '0 seconds',
    '0 seconds',
    '1 second',
    '1 minute, 1 second',
    '1 hour',
    '1 hour, 1 minute',
    '3 days, 4 hours',
    '2 days',
  ])
})

test('times are written in the zone that was chosen', () => {
  showTimesIn('Asia/Tokyo')
  expect(formatDateTime('2026-11-23T23:30:00Z')).toMatch(/Nov 24, 2026, 8:30\sAM/)
  showTimesIn(undefined)
})

test('a currency and facts in a row keep their order where lines run from right to left', () => {
  expect(formatMoney('0.0042', 'USD')).toBe('$0.0042')
  setLanguage('ar', 'rtl')
  expect(formatMoney('5', 'USD')).toContain('\u2066US$\u2069')
  expect(['PDF', '3'].join(factSeparator())).toBe('PDF \u200f·\u200f 3')
  setLanguage('en', 'ltr')
})
