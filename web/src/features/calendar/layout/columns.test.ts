import { expect, test } from 'vitest'
import { layOutColumns } from './columns.ts'

const lay = (...events: [string, number, number][]) =>
  Object.fromEntries(
    [...layOutColumns(events.map(([key, start, end]) => ({ key, start, end })))].map(
      ([key, { column, span, columns }]) => [key, `${column}+${span}/${columns}`],
    ),
  )

test('an event alone has the whole day, also beside one that ends as it begins', () => {
  expect(lay(['a', 540, 600], ['b', 600, 660])).toEqual({ a: '0+1/1', b: '0+1/1' })
})

test('events at the same time stand beside each other, the longer one first', () => {
  expect(lay(['short', 540, 570], ['long', 540, 660])).toEqual({ long: '0+1/2', short: '1+1/2' })
})

test('an event takes the room that is free beside it', () => {
  expect(lay(['a', 540, 720], ['b', 540, 600], ['c', 570, 630], ['d', 640, 700])).toEqual({
    a: '0+1/3',
    b: '1+1/3',
    c: '2+1/3',
    d: '1+2/3',
  })
})

test('a column that is free again is used again', () => {
  expect(lay(['a', 540, 660], ['b', 540, 600], ['c', 600, 660])).toEqual({ a: '0+1/2', b: '1+1/2', c: '1+1/2' })
})

test('what is very short still keeps others off its name', () => {
  expect(lay(['a', 540, 540], ['b', 550, 610])).toEqual({ a: '0+1/2', b: '1+1/2' })
})

test('no two events of a full day lie over each other', () => {
  const events = Array.from({ length: 200 }, (_, index) => {
    const start = (index * 97) % 1400
    return { key: String(index), start, end: start + 15 + ((index * 31) % 180) }
  })
  const places = layOutColumns(events)
  for (const a of events)
    for (const b of events) {
      if (a.key >= b.key || a.start >= b.end || b.start >= a.end) continue
      const [one, other] = [places.get(a.key), places.get(b.key)]
      if (!one || !other) throw new Error('an event without a place')
      const apart = one.column + one.span <= other.column || other.column + other.span <= one.column
      expect(apart, `${a.key} and ${b.key}`).toBe(true)
    }
})
