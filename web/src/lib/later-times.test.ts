import { expect, test } from 'vitest'
import { laterTimes } from './later-times.ts'

const said = (now: Date) => laterTimes(now).map(([name, time]) => `${name} ${time.toString().slice(0, 21)}`)

test('on a Thursday afternoon there is an evening, a morning and a Monday', () => {
  expect(said(new Date(2026, 10, 26, 15, 20))).toEqual([
    'hour Thu Nov 26 2026 16:20',
    'evening Thu Nov 26 2026 18:00',
    'tomorrow Fri Nov 27 2026 09:00',
    'week Mon Nov 30 2026 09:00',
  ])
})

test('on a Sunday night tomorrow is the Monday, and on a Monday the next one is meant', () => {
  expect(said(new Date(2026, 10, 29, 22))).toEqual(['hour Sun Nov 29 2026 23:00', 'tomorrow Mon Nov 30 2026 09:00'])
  expect(said(new Date(2026, 10, 30, 22)).at(-1)).toBe('week Mon Dec 07 2026 09:00')
})
