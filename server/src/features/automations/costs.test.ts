import { expect, test } from 'vitest'
import { addUsage, mayCostMore, mayRunMore, monthStart, toCost } from './costs.ts'

const nothing = { input_tokens: null, output_tokens: null, cost: null, currency: null }
const usage = (inputTokens: number | null, outputTokens: number | null, amount: string | null, currency = 'EUR') => ({
  inputTokens,
  outputTokens,
  firstTokenMs: null,
  durationMs: 1,
  tokensPerSecond: null,
  cost: amount === null ? null : { amount, currency },
})

test('tokens and costs of all tries are added up, as far as they are known', () => {
  const once = addUsage(nothing, usage(10, 5, '0.000000001'))
  expect(once).toEqual({ input_tokens: 10, output_tokens: 5, cost: 1, currency: 'EUR' })
  const twice = addUsage(once, usage(null, 7, '0.25'))
  expect(twice).toEqual({ input_tokens: 10, output_tokens: 12, cost: 250_000_001, currency: 'EUR' })
  expect(toCost(twice)).toEqual({ amount: '0.250000001', currency: 'EUR' })
  expect(addUsage(twice, null)).toBe(twice)
  expect(addUsage(nothing, usage(null, null, null))).toEqual(nothing)
  expect(toCost(nothing)).toBeNull()
})

test('what was paid in another currency is not added to what is paid now', () => {
  const before = addUsage(nothing, usage(1, 1, '5', 'USD'))
  expect(toCost(addUsage(before, usage(1, 1, '2', 'EUR')))).toEqual({ amount: '2', currency: 'EUR' })
})

test.each([
  [null, 10_000_000_000, true],
  ['0.5', 499_999_999, true],
  ['0.5', 500_000_000, false],
  ['0', null, false],
])('with a bound of %s, a run that cost %s billionths may be tried again: %s', (mostRunCost, cost, may) => {
  expect(mayCostMore({ mostRunCost }, { cost })).toBe(may)
})

test.each([
  [null, null, true],
  ['1', null, true],
  ['0.9', null, false],
  [null, 11, true],
  [null, 10, false],
])(
  'with bounds of %s and %s minutes, a month of 0.9 and ten minutes goes on: %s',
  (mostMonthCost, mostMonthMinutes, may) => {
    const month = { cost: 900_000_000, currency: 'EUR', ms: 600_000 }
    expect(mayRunMore({ mostMonthCost, mostMonthMinutes }, month)).toBe(may)
  },
)

test('a month begins in UTC', () => {
  expect(new Date(monthStart(Date.UTC(2026, 10, 30, 23, 59))).toISOString()).toBe('2026-11-01T00:00:00.000Z')
})
