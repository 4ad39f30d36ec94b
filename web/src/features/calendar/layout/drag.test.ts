import { expect, test } from 'vitest'
import { textToWall, wallToText } from '../time/day.ts'
import { drawRange, keyRange, moveRange, type Range, stretchRange } from './drag.ts'

const wall = (text: string) => textToWall(`2026-11-${text}`) ?? Number.NaN
const range = (start: string, end: string): Range => ({ start: wall(start), end: wall(end) })
const words = (given: Range | undefined) =>
  given && [given.start, given.end].map((at) => wallToText(at).slice(8)).join(' to ')

test('a stretch is drawn up or down, by quarters of an hour, on one day', () => {
  expect(words(drawRange(wall('26T09:04'), wall('26T09:50')))).toBe('26T09:00 to 26T10:00')
  expect(words(drawRange(wall('26T10:00'), wall('26T09:05')))).toBe('26T09:00 to 26T10:00')
  expect(words(drawRange(wall('26T09:07'), wall('26T09:07')))).toBe('26T09:00 to 26T09:15')
  expect(words(drawRange(wall('26T23:50'), wall('27T03:00')))).toBe('26T23:45 to 27T00:00')
  expect(words(drawRange(wall('26T01:00'), wall('25T20:00')))).toBe('26T00:00 to 26T01:00')
})

test('a move keeps the length, and the minutes where only the day changes', () => {
  const call = range('26T09:10', '26T09:40')
  expect(words(moveRange(call, 1, 3))).toBe('27T09:10 to 27T09:40')
  expect(words(moveRange(call, 0, 12))).toBe('26T09:15 to 26T09:45')
  expect(words(moveRange(call, 0, 5000))).toBe('26T23:45 to 27T00:15')
  expect(words(moveRange(call, -2, -5000))).toBe('24T00:00 to 24T00:30')
})

test('either edge is stretched, never over the other', () => {
  const call = range('26T09:00', '26T10:00')
  expect(words(stretchRange(call, 'end', wall('26T10:38')))).toBe('26T09:00 to 26T10:45')
  expect(words(stretchRange(call, 'end', wall('26T08:00')))).toBe('26T09:00 to 26T09:15')
  expect(words(stretchRange(call, 'start', wall('26T08:08')))).toBe('26T08:15 to 26T10:00')
  expect(words(stretchRange(call, 'start', wall('26T11:00')))).toBe('26T09:45 to 26T10:00')
})

test('arrow keys go by quarters and days over hours, by days and weeks over days', () => {
  const call = range('26T09:00', '26T10:00')
  const press = (key: string, { shiftKey = false, rtl = false } = {}) => ({ key: `Arrow${key}`, shiftKey, rtl })
  expect(words(keyRange(call, press('Down'), 'hours'))).toBe('26T09:15 to 26T10:15')
  expect(words(keyRange(call, press('Right'), 'hours'))).toBe('27T09:00 to 27T10:00')
  expect(words(keyRange(call, press('Right', { rtl: true }), 'hours'))).toBe('25T09:00 to 25T10:00')
  expect(words(keyRange(call, press('Up', { shiftKey: true }), 'hours'))).toBe('26T09:00 to 26T09:45')
  expect(keyRange(call, press('Right', { shiftKey: true }), 'hours')).toBeUndefined()
  expect(keyRange(call, { key: 'a', shiftKey: false, rtl: false }, 'hours')).toBeUndefined()
  const trip = range('24T00:00', '26T00:00')
  expect(words(keyRange(trip, press('Down'), 'days'))).toBe('01T00:00 to 03T00:00')
  expect(words(keyRange(trip, press('Right', { shiftKey: true }), 'days'))).toBe('24T00:00 to 27T00:00')
  expect(words(keyRange(range('24T00:00', '25T00:00'), press('Left', { shiftKey: true }), 'days'))).toBe(
    '24T00:00 to 25T00:00',
  )
})
