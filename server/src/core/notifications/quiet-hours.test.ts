import { describe, expect, test } from 'vitest'
import { endOfQuiet, isQuiet } from './quiet-hours.ts'

const nights = (timeZone = 'Europe/Berlin') => ({
  timeZone,
  // Friday's and Saturday's begin later.
  quietHours: [0, 1, 2, 3, 4, 5, 6].map((day) => ({ from: day === 4 || day === 5 ? '23:30' : '22:00', to: '07:00' })),
})
const never = { timeZone: 'UTC', quietHours: Array.from({ length: 7 }, () => null) }

describe('quiet hours', () => {
  test.each([
    ['2026-11-26T20:59:00Z', false],
    ['2026-11-26T21:00:00Z', true],
    ['2026-11-27T05:59:59Z', true],
    ['2026-11-27T06:00:00Z', false],
    // Friday night.
    ['2026-11-27T21:30:00Z', false],
    ['2026-11-27T22:30:00Z', true],
  ])('at %s in Berlin they hold: %s', (time, quiet) => {
    expect(isQuiet(nights(), Date.parse(time))).toBe(quiet)
    expect(isQuiet(never, Date.parse(time))).toBe(false)
  })

  test.each([
    ['2026-11-26T23:12:34Z', '2026-11-27T06:00:00.000Z'],
    // Clocks go back in this night, and forth in that one: it ends at seven on the clock.
    ['2026-10-24T23:00:00Z', '2026-10-25T06:00:00.000Z'],
    ['2026-03-28T23:00:00Z', '2026-03-29T05:00:00.000Z'],
  ])('those of %s end at %s', (time, end) => {
    expect(new Date(endOfQuiet(nights(), Date.parse(time)) ?? 0).toISOString()).toBe(end)
  })

  test('outside of them there is nothing to wait for, and what never ends says so', () => {
    const noon = Date.parse('2026-11-26T12:00:00Z')
    expect(endOfQuiet(nights(), noon)).toBe(noon)
    const always = {
      timeZone: 'Asia/Kathmandu',
      quietHours: Array.from({ length: 7 }, () => ({ from: '00:00', to: '00:00' })),
    }
    expect(endOfQuiet(always, noon)).toBeNull()
    const workdays = {
      timeZone: 'UTC',
      quietHours: [...Array.from({ length: 5 }, () => null), ...always.quietHours.slice(0, 2)],
    }
    expect(endOfQuiet(workdays, Date.parse('2026-11-28T12:00:00Z'))).toBe(Date.parse('2026-11-30T00:00:00Z'))
  })
})
