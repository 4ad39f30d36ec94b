import { expect, test } from 'vitest'
import { type Bar, layOutLanes } from './lanes.ts'

const bar = (key: string, from: number, to = from): Bar => ({ key, from, to })
const lay = (bars: Bar[], room: number) => {
  const { lanes, more, used } = layOutLanes(bars, 7, room)
  return { lanes: Object.fromEntries(lanes), more: more.join(''), used }
}

test('bars that share a day lie below each other, others beside', () => {
  expect(lay([bar('trip', 0, 2), bar('fair', 2, 4), bar('call', 3), bar('run', 0)], 4)).toEqual({
    lanes: { trip: 0, fair: 1, call: 0, run: 1 },
    more: '0000000',
    used: 2,
  })
})

test('a day with as many as fit says nothing, with one more it shows one less', () => {
  const bars = ['a', 'b', 'c'].map((key) => bar(key, 1))
  expect(lay(bars, 3)).toEqual({ lanes: { a: 0, b: 1, c: 2 }, more: '0000000', used: 3 })
  expect(lay([...bars, bar('d', 1)], 3)).toEqual({ lanes: { a: 0, b: 1 }, more: '0200000', used: 3 })
})

test('a bar over several days is shown on all of them or counted on all of them', () => {
  const bars = [bar('a', 1), bar('b', 1), bar('trip', 1, 3), bar('c', 1)]
  expect(lay(bars, 3)).toEqual({ lanes: { a: 0, b: 1 }, more: '0211000', used: 3 })
})

test('without room every event is counted', () => {
  expect(lay([bar('a', 0), bar('b', 0, 1)], 0)).toEqual({ lanes: {}, more: '2100000', used: 0 })
  expect(lay([bar('a', 0), bar('b', 0)], 1)).toEqual({ lanes: {}, more: '2000000', used: 1 })
})

test('nothing is lost and nothing lies over another, however much there is', () => {
  const bars = Array.from({ length: 60 }, (_, index) => {
    const from = (index * 5) % 7
    return bar(String(index), from, Math.min(6, from + (index % 3)))
  })
  for (const room of [1, 2, 3, 5, 40]) {
    const { lanes, more } = layOutLanes(bars, 7, room)
    for (let day = 0; day < 7; day++) {
      const here = bars.filter(({ from, to }) => from <= day && day <= to)
      const shown = here.flatMap(({ key }) => lanes.get(key) ?? [])
      expect(new Set(shown).size).toBe(shown.length)
      expect(shown.length + (more[day] ?? 0)).toBe(here.length)
      expect(Math.max(-1, ...shown)).toBeLessThan(more[day] ? room - 1 : room)
    }
  }
})
