import { expect, test } from 'vitest'
import { readTime } from './fields.ts'

const local = (...parts: [number, number, number, number, number, number, number]) => new Date(...parts).toISOString()

test.each<[unknown, string | null]>([
  ['2026-11-26T16:39:18.123456', local(2026, 10, 26, 16, 39, 18, 123)],
  ['2026-11-26T16:39:18.999999', local(2026, 10, 26, 16, 39, 18, 999)],
  ['2026-11-26T16:39:59', local(2026, 10, 26, 16, 39, 59, 0)],
  ['2026-11-26 16:40:00.5', local(2026, 10, 26, 16, 40, 0, 500)],
  ['2026-11-26T16:40', local(2026, 10, 26, 16, 40, 0, 0)],
  ['2026-11-26T16:40:01Z', '2026-11-26T16:40:01.000Z'],
  ['2026-11-26T16:40:01.25+02:00', '2026-11-26T14:40:01.250Z'],
  ['2026-07-01T16:40:01', local(2026, 6, 1, 16, 40, 1, 0)],
  ['2026-13-26T16:40:01', null],
  ['2026-13-26T16:40:02', null],
  ['2026-11-26T24:00:01', null],
  ['2026-11-26T16:40:60', null],
  ['2026-11-26', null],
  ['yesterday', null],
  [1764175158, null],
  [null, null],
])('the time %j of the daemon is %j', (written, expected) => {
  expect(readTime(written)).toBe(expected)
  // As the next event has it, in the minute of the one before.
  expect(readTime(written)).toBe(expected)
})
