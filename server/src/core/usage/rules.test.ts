import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { daysOf, spansOf, rangeBetween, rangeUntil } from './days.ts'
import { addTo, bucketOf, type Histogram, percentileOf } from './histogram.ts'
import { costOf, toBillionths, toDecimal } from './money.ts'
import { periodAt, refusalWords, stateOf, subjectOf, subjectStart } from './periods.ts'

describe('money', () => {
  test.each([
    ['0', 0n],
    ['12.5', 12_500_000_000n],
    ['0.000000001', 1n],
    ['999999999.999999999', 999_999_999_999_999_999n],
  ])('%s is exact both ways', (decimal, billionths) => {
    expect(toBillionths(decimal)).toBe(billionths)
    expect(toDecimal(billionths)).toBe(decimal)
  })

  const prices = { input: toBillionths('0.1'), cached: toBillionths('0.01'), output: toBillionths('0.5'), unit: null }
  test.each([
    ['input and output', { inputTokens: 1000, outputTokens: 10, cachedTokens: null, units: null }, '0.000105'],
    [
      'kept input for its own price',
      { inputTokens: 1000, outputTokens: 0, cachedTokens: 400, units: null },
      '0.000064',
    ],
    ['nothing used', { inputTokens: 0, outputTokens: 0, cachedTokens: null, units: null }, '0'],
    ['nothing known', { inputTokens: null, outputTokens: null, cachedTokens: null, units: 3 }, null],
  ])('%s', (_name, used, cost) => {
    const found = costOf(prices, used)
    expect(found === null ? null : toDecimal(BigInt(found))).toBe(cost)
  })

  test('what was used without a price makes the call unpriced, not cheap', () => {
    const input = { input: 5n, cached: null, output: null, unit: null }
    expect(costOf(input, { inputTokens: 5, outputTokens: 5, cachedTokens: null, units: null })).toBeNull()
    expect(costOf(input, { inputTokens: 2_000_000, outputTokens: null, cachedTokens: 1, units: null })).toBe(10)
  })

  test('a cost that no sum could hold is unknown', () => {
    const slip = { input: toBillionths('999999999'), cached: null, output: null, unit: null }
    const used = { outputTokens: null, cachedTokens: null, units: null }
    expect(costOf(slip, { ...used, inputTokens: 1_000_000_000 })).toBeNull()
    expect(costOf(slip, { ...used, inputTokens: 9_000 })).toBe(8_999_999_991_000_000)
  })

  test('units are priced one by one', () => {
    const unit = { input: null, cached: null, output: null, unit: toBillionths('0.04') }
    expect(costOf(unit, { inputTokens: 9, outputTokens: 900, cachedTokens: null, units: 2 })).toBe(80_000_000)
  })

  test('seconds of a film are priced beside the film, and where nobody knows them they cost nothing known', () => {
    const second = { input: null, cached: null, output: null, unit: null, second: toBillionths('0.25') }
    const film = { inputTokens: null, outputTokens: null, cachedTokens: null, units: 1 }
    expect(costOf(second, { ...film, seconds: 8 })).toBe(2_000_000_000)
    expect(costOf({ ...second, unit: toBillionths('1') }, { ...film, seconds: 8 })).toBe(3_000_000_000)
    expect(costOf(second, film)).toBeNull()
  })
})

describe('histograms', () => {
  test('a percentile is within a fifth of the true one, whatever the times', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 3_600_000 }), { minLength: 1, maxLength: 200 }), (times) => {
        const histogram: Histogram = new Map()
        for (const time of times) addTo(histogram, bucketOf(time), 1)
        const sorted = times.toSorted((a, b) => a - b)
        const truth = sorted[Math.ceil(0.5 * sorted.length) - 1] ?? 0
        const found = percentileOf(histogram, 0.5) ?? 0
        expect(found).toBeGreaterThanOrEqual(Math.floor(truth / 1.2))
        expect(found).toBeLessThanOrEqual(Math.ceil(truth * 1.2))
      }),
    )
    expect(percentileOf(new Map(), 0.5)).toBeNull()
  })
})

describe('days', () => {
  test('a range begins at midnight where the person is', () => {
    const now = Date.UTC(2026, 10, 20, 22)
    expect(rangeUntil(now, 7, 0)).toMatchObject({ from: '2026-11-14', to: '2026-11-20', days: 7 })
    const there = rangeUntil(now, 7, 330)
    expect(there).toMatchObject({ from: '2026-11-15', to: '2026-11-21', since: Date.UTC(2026, 10, 14, 18, 30) })
    expect(daysOf(there)).toHaveLength(7)
  })

  test('the pieces of a range cover it once, quarters only where no whole day fits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), fc.integer({ min: -56, max: 56 }), (days, quarters) => {
        const range = rangeUntil(Date.UTC(2026, 5, 1), days, quarters * 15)
        const pieces = spansOf(range)
        let at = range.since
        for (const piece of pieces) {
          expect(piece.since).toBe(at)
          at = piece.until
        }
        expect(at).toBe(range.until)
        expect(pieces.filter((piece) => piece.span === 'quarter').length).toBeLessThanOrEqual(2)
      }),
    )
    expect(spansOf(rangeBetween('2026-01-01', '2026-01-31', 0))).toHaveLength(1)
  })
})

describe('budgets', () => {
  test.each([
    ['daily', '2026-11-20', '2026-11-21'],
    ['weekly', '2026-11-16', '2026-11-23'],
    ['monthly', '2026-11-01', '2026-12-01'],
  ] as const)('a %s period', (period, start, end) => {
    const found = periodAt(period, Date.UTC(2026, 10, 20, 13))
    expect([found.start, found.end].map((ms) => new Date(ms).toISOString().slice(0, 10))).toEqual([start, end])
  })

  test('a week that ends on a Sunday night belongs to its Monday', () => {
    expect(periodAt('weekly', Date.UTC(2026, 10, 22, 23, 59)).start).toBe(Date.UTC(2026, 10, 16))
  })

  test('a state follows what is spent', () => {
    expect([79n, 80n, 99n, 100n].map((spent) => stateOf(spent, 100n))).toEqual([
      'normal',
      'warned',
      'warned',
      'exceeded',
    ])
  })

  test('counters of a changed budget never meet', () => {
    const each = { unit: 'tokens', period: 'daily', principalType: 'account', principalId: null } as const
    expect(subjectOf(each, 'ann')).toBe('tokens/daily/account/ann')
    expect(subjectOf({ ...each, unit: 'money' }, 'ann')).not.toBe(subjectOf(each, 'ann'))
    expect(subjectOf(each, 'ann').startsWith(subjectStart({ ...each, name: '', amount: '1', mode: 'warn' }))).toBe(true)
  })

  test('a refusal says which budget and until when', () => {
    const budget = { id: 'b', createdAt: 0, name: 'Team', principalType: 'instance', principalId: null } as const
    const terms = {
      ...budget,
      unit: 'money',
      amount: '5',
      period: 'weekly',
      mode: 'block',
      setBy: 'administrator',
    } as const
    const words = refusalWords(terms, periodAt('weekly', Date.UTC(2026, 10, 20)), false)
    expect(words).toContain('“Team” for this week is used up')
    expect(words).toContain('Monday, 23 November 2026 at 00:00 UTC; an administrator can raise it.')
    const own = refusalWords({ ...terms, setBy: 'owner' }, periodAt('weekly', Date.UTC(2026, 10, 20)), false)
    expect(own).toContain('whoever made the token can raise it')
  })
})
