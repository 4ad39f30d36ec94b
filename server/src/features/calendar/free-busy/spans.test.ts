import { expect, test } from 'vitest'
import { findFree, mergeSpans } from './spans.ts'

const at = (text: string): number => Date.parse(`2026-${text}Z`)
const span = (text: string) => {
  const [from = '', to = ''] = text.split(' ')
  return { from: at(from), to: at(to) }
}
const tell = ({ from, to }: { from: number; to: number }): string =>
  [from, to].map((time) => new Date(time).toISOString().slice(5, 16)).join(' ')

test('spans that touch are one, and none is outside of the range', () => {
  const spans = [
    '01-01T11:00 01-01T12:00',
    '01-01T09:00 01-01T10:00',
    '01-01T10:00 01-01T11:00',
    '01-01T13:00 01-03T00:00',
  ]
  expect(mergeSpans(spans.map(span), span('01-01T09:30 01-02T00:00')).map(tell)).toEqual([
    '01-01T09:30 01-01T12:00',
    '01-01T13:00 01-02T00:00',
  ])
})

test.each([
  ['an empty day', [], ['01-01T09:00 01-01T10:00', '01-01T11:00 01-01T12:00']],
  ['a morning', ['01-01T09:20 01-01T12:50'], ['01-01T13:00 01-01T14:00', '01-01T15:00 01-01T16:00']],
  ['a gap that is too short', ['01-01T09:30 01-01T12:00', '01-01T12:45 01-01T17:00'], ['01-01T17:00 01-01T18:00']],
  ['a day that is taken', ['01-01T00:00 01-02T00:00'], []],
])('free times of %s', (_name, busy, expected) => {
  const question = { ...span('01-01T00:00 01-02T00:00'), minutes: 60, zone: 'UTC', fromHour: 9, toHour: 18, most: 20 }
  expect(findFree(busy.map(span), question).map(tell)).toEqual(expected)
})

test('hours of a day are those of the zone, also where clocks change', () => {
  const question = { ...span('03-28T00:00 03-30T12:00'), minutes: 240, fromHour: 9, toHour: 13, most: 20 }
  expect(findFree([], { ...question, zone: 'Europe/Berlin' }).map(tell)).toEqual([
    '03-28T08:00 03-28T12:00',
    '03-29T07:00 03-29T11:00',
    '03-30T07:00 03-30T11:00',
  ])
})
