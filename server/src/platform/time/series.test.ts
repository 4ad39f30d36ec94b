import fc from 'fast-check'
import { Cron } from 'croner'
import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import { createCron } from './cron.ts'
import { createInterval } from './interval.ts'
import { parseDay, parseWall } from './local.ts'
import { checkSeries, createSeries } from './series.ts'
import { type Schedule, ScheduleFault, dayMs, hourMs } from './types.ts'
import { ruleOf } from './usual.ts'

const start = Date.UTC(2026, 0, 5, 9, 30)

describe('what is no rule', () => {
  test.each([
    ['FREQ=SECONDLY', 'by_second'],
    ['FREQ=DAILY;INTERVAL=0', 'interval'],
    ['FREQ=DAILY;INTERVAL=-1', 'interval'],
    ['FREQ=DAILY;COUNT=3;UNTIL=20270101', 'count_and_until'],
    ['FREQ=DAILY;COUNT=0', 'syntax'],
    ['FREQ=DAILY;COUNT=20000', 'too_long'],
    [`FREQ=DAILY;BYHOUR=1${',1'.repeat(500)}`, 'too_long'],
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', 'never'],
    ['FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=31', 'never'],
    ['FREQ=DAILY;BYDAY=1MO', 'unsupported'],
    ['FREQ=DAILY;BYSETPOS=1', 'unsupported'],
    ['FREQ=DAILY;X-MINE=1', 'unsupported'],
    ['FREQ=DAILY;RSCALE=CHINESE', 'unsupported'],
    ['FREQ=FORTNIGHTLY', 'syntax'],
    ['FREQ=DAILY;FREQ=DAILY', 'syntax'],
    ['FREQ=DAILY;UNTIL=20260231', 'syntax'],
    ['FREQ=MONTHLY;BYMONTHDAY=0', 'syntax'],
    ['', 'syntax'],
  ])('is refused: %s, for %s', (rule, reason) => {
    let found: unknown
    try {
      checkSeries({ start, zone: 'Europe/Berlin', rule })
    } catch (error) {
      found = error instanceof ScheduleFault ? error.reason : error
    }
    expect(found).toBe(reason)
  })

  test('is found out within the steps, however long it would go on', () => {
    const schedule = createSeries({ start, zone: 'UTC', rule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO' })
    expect(new Date(schedule.next(start) ?? 0).toISOString()).toBe('2044-02-29T09:30:00.000Z')
    expect(schedule.between(start, start + 10 * dayMs)).toEqual([start])
  })
})

describe('days and times', () => {
  test('that are none are none', () => {
    for (const none of ['2026-02-29', '2026-13-01', '26-01-01', '2026-1-1', '9999-01-01'])
      expect(parseDay(none)).toBeNull()
    for (const none of ['2026-01-01T24:00', '2026-01-01T09:60', '2026-01-01 09:00', '2026-02-30T09:00'])
      expect(parseWall(none)).toBeNull()
  })
})

describe('the usual repetitions', () => {
  const from = (rule: string, count: number): string[] => {
    const schedule = createSeries({ start, zone: 'UTC', rule, exceptDates: [start] })
    const found: string[] = []
    for (let at = schedule.next(start); at !== null && found.length < count; at = schedule.next(at))
      found.push(new Date(at).toISOString().slice(0, 16))
    return found
  }

  test('are written as rules, and a day that a month has not is its last day', () => {
    expect(from(ruleOf({ kind: 'monthly', dayOfMonth: 31, hour: 8, minute: 0 }), 4)).toEqual([
      '2026-01-31T08:00',
      '2026-02-28T08:00',
      '2026-03-31T08:00',
      '2026-04-30T08:00',
    ])
    expect(from(ruleOf({ kind: 'yearly', month: 2, dayOfMonth: 29, hour: 8, minute: 0 }), 3)).toEqual([
      '2026-02-28T08:00',
      '2027-02-28T08:00',
      '2028-02-29T08:00',
    ])
    expect(from(ruleOf({ kind: 'weekly', dayOfWeek: 0, hour: 8, minute: 5 }), 1)).toEqual(['2026-01-11T08:05'])
    expect(from(ruleOf({ kind: 'daily', hour: 8, minute: 5 }), 1)).toEqual(['2026-01-06T08:05'])
    expect(from(ruleOf({ kind: 'hourly', minute: 15, startHour: 22, endHour: 1 }), 4)).toEqual([
      '2026-01-05T22:15',
      '2026-01-05T23:15',
      '2026-01-06T00:15',
      '2026-01-06T01:15',
    ])
  })
})

describe('an interval', () => {
  test('goes on from its start, and knows no clock', () => {
    const every = createInterval(start, 25 * 60_000)
    expect(every.next(0)).toBe(start)
    expect(every.next(start)).toBe(start + 25 * 60_000)
    expect(every.previous(start)).toBeNull()
    expect(every.between(start, start + 3600_000)).toHaveLength(3)
    expect(() => createInterval(start, 59_999)).toThrow(ScheduleFault)
  })
})

const zone = fc.constantFrom(
  ...['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Santiago', 'Asia/Beirut'],
  ...['Africa/Casablanca', 'Europe/Dublin', 'Asia/Kolkata'],
)
const list = (min: number, max: number) => fc.uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength: 4 })
const part = (name: string, values: fc.Arbitrary<readonly (number | string)[]>) =>
  fc.option(
    values.map((all) => `;${name}=${all.join(',')}`),
    { nil: '' },
  )
const weekday = fc.uniqueArray(fc.constantFrom('MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'), {
  minLength: 1,
  maxLength: 3,
})
const ordinals = fc.uniqueArray(fc.constantFrom('1MO', '-1FR', '2TU', '-2SU', '4WE'), { minLength: 1, maxLength: 2 })
const interval = fc.integer({ min: 1, max: 5 }).map((n) => `;INTERVAL=${n}`)
const times = fc.tuple(part('BYHOUR', list(0, 23)), part('BYMINUTE', list(0, 59))).map((parts) => parts.join(''))

const calendarRule = fc
  .tuple(
    fc.oneof(
      fc.tuple(fc.constant('FREQ=DAILY'), part('BYDAY', weekday), part('BYMONTH', list(1, 12))),
      fc.tuple(fc.constant('FREQ=WEEKLY'), part('BYDAY', weekday), fc.constant('')),
      fc.tuple(fc.constant('FREQ=MONTHLY'), part('BYMONTHDAY', list(1, 28)), part('BYDAY', weekday)),
      fc.tuple(fc.constant('FREQ=MONTHLY'), part('BYDAY', ordinals), fc.constant('')),
      fc.tuple(fc.constant('FREQ=MONTHLY'), part('BYMONTHDAY', list(-31, -1)), fc.constant('')),
      fc.tuple(fc.constant('FREQ=YEARLY'), part('BYMONTH', list(1, 12)), part('BYMONTHDAY', list(1, 28))),
      fc.tuple(fc.constant('FREQ=YEARLY'), part('BYMONTH', list(1, 12)), part('BYDAY', ordinals)),
      fc.tuple(fc.constant('FREQ=YEARLY'), part('BYWEEKNO', list(2, 51)), part('BYDAY', weekday)),
      fc.tuple(fc.constant('FREQ=YEARLY'), part('BYYEARDAY', list(1, 366)), fc.constant('')),
    ),
    interval,
    times,
    fc.constantFrom('', ';COUNT=7', ';UNTIL=20270301T120000Z'),
  )
  .map(([head, ...rest]) => [...head, ...rest].join(''))
const elapsedRule = fc
  .tuple(
    fc.oneof(
      fc.tuple(fc.constant('FREQ=HOURLY'), part('BYMINUTE', list(0, 59))),
      fc.tuple(fc.constant('FREQ=MINUTELY'), fc.constant(';BYMINUTE=0,5,15,25,30,45')),
    ),
    part('BYHOUR', list(0, 23)),
    part('BYDAY', weekday),
    fc.constantFrom('', ';COUNT=7', ';UNTIL=20270301T120000Z'),
  )
  .map(([head, ...rest]) => [...head, ...rest].join(''))

const runs = { numRuns: 40 }

describe('every schedule', () => {
  const checkAgreement = (schedule: Schedule, from: number): void => {
    const stepped: number[] = []
    for (let at = schedule.next(from - 1); at !== null && stepped.length < 12; at = schedule.next(at)) {
      expect(at).toBeGreaterThan(stepped.at(-1) ?? from - 1)
      stepped.push(at)
    }
    const last = stepped.at(-1)
    if (last === undefined) return
    expect(schedule.between(from, last + 1)).toEqual(stepped)
    for (const [n, at] of stepped.entries()) if (n > 0) expect(schedule.previous(at)).toBe(stepped[n - 1])
  }

  /** What a library makes of a rule from just after the start on, where clocks never change. */
  const checkLibrary = (rule: string, days: number): void => {
    const dtstart = Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO('UTC')
    const library = new RRuleTemporal({ rruleString: `RRULE:${rule}`, dtstart })
    const expected = library
      .between(new Date(start + 1), new Date(start + days * dayMs), true)
      .map(({ epochMilliseconds }) => epochMilliseconds)
    expect(createSeries({ start, zone: 'UTC', rule }).between(start + 1, start + days * dayMs + 1)).toEqual(expected)
  }

  test('of days, weeks, months and years says the same by next, previous and between, and as a library', () => {
    const starts = fc.integer({ min: 0, max: 500 * 24 })
    fc.assert(
      fc.property(calendarRule, zone, starts, (rule, where, hours) => {
        checkAgreement(createSeries({ start, zone: where, rule }), start + hours * hourMs)
        checkLibrary(rule, 800)
      }),
      runs,
    )
  })

  test('of hours and minutes does, and is what the library makes of it where clocks never change', () => {
    fc.assert(
      fc.property(elapsedRule, zone, fc.integer({ min: 0, max: 400 * 24 }), (rule, where, hours) => {
        checkAgreement(createSeries({ start, zone: where, rule }), start + hours * hourMs)
        checkLibrary(rule, 20)
      }),
      runs,
    )
  })

  test('of cron does', () => {
    const field = (min: number, max: number) =>
      fc.oneof(
        fc.constant('*'),
        list(min, max).map((all) => all.join(',')),
        fc.integer({ min: 2, max: Math.min(max, 9) }).map((n) => `*/${n}`),
      )
    const fields = fc.tuple(field(0, 59), field(0, 23), fc.constant('*'), field(1, 12), field(0, 6))
    fc.assert(
      fc.property(fields, zone, fc.integer({ min: 0, max: 400 * 24 }), (all, where, hours) => {
        const from = start + hours * hourMs
        checkAgreement(createCron(all.join(' '), where), from)
        const [expected] = new Cron(all.join(' '), { timezone: 'UTC', paused: true }).nextRuns(1, new Date(from))
        expect(createCron(all.join(' '), 'UTC').next(from)).toBe(expected?.getTime())
      }),
      runs,
    )
  })
})
