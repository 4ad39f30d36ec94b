/** Where clocks change: what does not exist, what comes twice, and what goes by elapsed time. */
import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import { createCron } from './cron.ts'
import { formatWall, parseWall } from './local.ts'
import { createSeries } from './series.ts'
import { hourMs, minuteMs } from './types.ts'
import { placeWall, stretchAt, wallAt, zoneNamed } from './zones.ts'

const wall = (text: string): number => parseWall(text) ?? Number.NaN
const iso = (time: number): string => new Date(time).toISOString().slice(0, 16)

/** Zone, local time, the instant that it is taken for. */
const placed = [
  ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:30'],
  ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30'],
  ['America/New_York', '2026-03-08T02:30', '2026-03-08T07:30'],
  ['America/New_York', '2026-11-01T01:30', '2026-11-01T05:30'],
  ['Australia/Lord_Howe', '2026-10-04T02:15', '2026-10-03T15:45'],
  ['Australia/Lord_Howe', '2026-04-05T01:45', '2026-04-04T14:45'],
  ['America/Santiago', '2026-09-06T00:30', '2026-09-06T04:30'],
  ['America/Santiago', '2026-04-04T23:30', '2026-04-05T02:30'],
  ['Asia/Beirut', '2026-03-29T00:30', '2026-03-28T22:30'],
  ['Asia/Beirut', '2026-10-24T23:30', '2026-10-24T20:30'],
  ['Africa/Casablanca', '2026-03-22T02:30', '2026-03-22T02:30'],
  ['Africa/Casablanca', '2026-02-15T02:30', '2026-02-15T01:30'],
  ['Europe/Dublin', '2026-03-29T01:30', '2026-03-29T01:30'],
  ['Europe/Dublin', '2026-10-25T01:30', '2026-10-25T00:30'],
  ['Pacific/Apia', '2011-12-30T09:00', '2011-12-30T19:00'],
] as const
const zones = [...new Set(placed.map(([zone]) => zone))]

describe('a local time', () => {
  test.each(placed)('in %s, %s, is taken for one instant', (zone, local, instant) => {
    expect(iso(placeWall(zone, wall(local)))).toBe(instant)
  })

  test.each(zones)('in %s is placed as Temporal places it, around every change of sixty years', (zone) => {
    const end = Date.UTC(2037, 0)
    for (let at = Date.UTC(1977, 0); at < end; at = stretchAt(zone, at).until) {
      const { from, offset } = stretchAt(zone, at)
      for (let minutes = -25 * 60; from !== -Infinity && minutes <= 25 * 60; minutes += 75) {
        const local = from + offset + minutes * minuteMs
        const plain = Temporal.PlainDateTime.from(formatWall(local))
        const { epochMilliseconds } = plain.toZonedDateTime(zone, { disambiguation: 'compatible' })
        expect(`${formatWall(local)} ${placeWall(zone, local)}`).toBe(`${formatWall(local)} ${epochMilliseconds}`)
      }
    }
  })

  test('is of a zone by its name, whatever the case, and of nothing else', () => {
    expect(zoneNamed('europe/berlin')).toBe('Europe/Berlin')
    for (const none of ['', 'Mars/Base', '+02:00', 'Europe/Berlin\n', '../etc']) expect(zoneNamed(none)).toBeNull()
    expect(() => wallAt('Mars/Base', 0)).toThrow('time zone')
  })
})

describe('a daily rule', () => {
  const daily = (zone: string, start: string, rule = 'FREQ=DAILY') => createSeries({ start: wall(start), zone, rule })

  test.each([
    ['Europe/Berlin', '2026-03-28T02:30', ['2026-03-28T01:30', '2026-03-29T01:30', '2026-03-30T00:30']],
    ['America/Santiago', '2026-09-05T00:30', ['2026-09-05T04:30', '2026-09-06T04:30', '2026-09-07T03:30']],
    ['Australia/Lord_Howe', '2026-10-03T02:15', ['2026-10-02T15:45', '2026-10-03T15:45', '2026-10-04T15:15']],
    // The thirtieth of December never was: it falls together with the next day.
    ['Pacific/Apia', '2011-12-29T09:00', ['2011-12-29T19:00', '2011-12-30T19:00', '2011-12-31T19:00']],
    // What comes twice comes once.
    ['Europe/Berlin', '2026-10-24T02:30', ['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30']],
  ])('in %s from %s leaves no day out and none twice', (zone, start, expected) => {
    const schedule = daily(zone, start)
    const [first] = expected.map((text) => Date.parse(`${text}Z`))
    const found = schedule.between(first ?? 0, (first ?? 0) + 30 * 24 * hourMs)
    expect(found.slice(0, 3).map(iso)).toEqual(expected)
    for (const [n, at] of found.entries()) {
      expect(schedule.next(at - 1)).toBe(at)
      if (n > 0) expect(schedule.previous(at)).toBe(found[n - 1])
    }
  })

  test('keeps the order of instants where one is put behind another, and counts one instant once', () => {
    const gap = daily('Europe/Berlin', '2026-03-29T00:00', 'FREQ=DAILY;BYHOUR=2,3;BYMINUTE=0,30')
    const day = gap.between(Date.UTC(2026, 2, 29), Date.UTC(2026, 2, 29, 12)).map(iso)
    // 02:00 and 03:00 fall together, and so do 02:30 and 03:30.
    expect(day).toEqual(['2026-03-29T01:00', '2026-03-29T01:30'])
    expect(iso(gap.next(Date.UTC(2026, 2, 29, 0, 59)) ?? 0)).toBe('2026-03-29T01:00')
  })

  test('ends at an instant, whatever the clock says then', () => {
    const rule = 'FREQ=DAILY;UNTIL=20260329T013000Z'
    expect(iso(daily('Europe/Berlin', '2026-03-28T02:30', rule).last() ?? 0)).toBe('2026-03-29T01:30')
    const before = 'FREQ=DAILY;UNTIL=20260329T012959Z'
    expect(iso(daily('Europe/Berlin', '2026-03-28T02:30', before).last() ?? 0)).toBe('2026-03-28T01:30')
    expect(iso(daily('Europe/Berlin', '2026-03-28T02:30', 'FREQ=DAILY;UNTIL=20260330').last() ?? 0)).toBe(
      '2026-03-30T00:30',
    )
    expect(iso(daily('Europe/Berlin', '2026-03-28T02:30', 'FREQ=DAILY;UNTIL=20260330T023000').last() ?? 0)).toBe(
      '2026-03-30T00:30',
    )
  })

  test('leaves exceptions out by their instant, in whatever zone they were written, and adds dates', () => {
    const schedule = createSeries({
      start: wall('2026-03-28T09:00'),
      zone: 'Europe/Berlin',
      rule: 'FREQ=DAILY;COUNT=3',
      dates: [placeWall('America/New_York', wall('2026-04-10T09:00')), Date.UTC(2026, 2, 30, 7)],
      exceptDates: [placeWall('America/New_York', wall('2026-03-29T03:00'))],
    })
    expect(schedule.between(0, Date.UTC(2027, 0)).map(iso)).toEqual([
      '2026-03-28T08:00',
      '2026-03-30T07:00',
      '2026-04-10T13:00',
    ])
    expect(iso(schedule.last() ?? 0)).toBe('2026-04-10T13:00')
    expect(iso(schedule.next(Date.UTC(2026, 2, 28, 8)) ?? 0)).toBe('2026-03-30T07:00')
    expect(schedule.next(Date.UTC(2026, 3, 10, 13))).toBeNull()
  })
})

describe('what goes by the hour or the minute', () => {
  const berlin = (from: string, to: string) =>
    [placeWall('Europe/Berlin', wall(from)), placeWall('Europe/Berlin', wall(to))] as const
  const hourly = (zone: string) => createSeries({ start: wall('2026-01-01T00:00'), zone, rule: 'FREQ=HOURLY' })

  test.each([
    ['2026-03-29T00:00', '2026-03-30T00:00', 23],
    ['2026-10-25T00:00', '2026-10-26T00:00', 25],
  ])('from %s to %s loses no hour and doubles none', (from, to, hours) => {
    const range = berlin(from, to)
    const expected = Array.from({ length: hours }, (_, n) => range[0] + n * hourMs)
    expect(hourly('Europe/Berlin').between(...range)).toEqual(expected)
    expect(createCron('0 * * * *', 'Europe/Berlin').between(...range)).toEqual(expected)
    const quarters = createSeries({
      start: wall('2026-01-01T00:00'),
      zone: 'Europe/Berlin',
      rule: 'FREQ=MINUTELY;INTERVAL=15',
    })
    expect(quarters.between(...range)).toHaveLength(hours * 4)
    expect(createCron('*/15 * * * *', 'Europe/Berlin').between(...range)).toEqual(quarters.between(...range))
  })

  test('goes on through half an hour at Lord Howe', () => {
    const [from, to] = [Date.UTC(2026, 9, 3, 12), Date.UTC(2026, 9, 3, 20)]
    const found = hourly('Australia/Lord_Howe').between(from, to)
    expect(found).toHaveLength(8)
    expect(new Set(found.slice(1).map((at, n) => at - (found[n] ?? 0)))).toEqual(new Set([hourMs]))
    const halves = createCron('*/30 * * * *', 'Australia/Lord_Howe').between(from, to)
    expect(halves).toHaveLength(16)
    expect(new Set(halves.slice(1).map((at, n) => at - (halves[n] ?? 0)))).toEqual(new Set([30 * minuteMs]))
  })

  test('is limited by hours, days and months of the clock', () => {
    const rule = 'FREQ=MINUTELY;INTERVAL=30;BYMONTH=3;BYDAY=SU;BYHOUR=1,2,3'
    const schedule = createSeries({ start: wall('2026-01-01T00:00'), zone: 'Europe/Berlin', rule })
    const [start, ...found] = schedule.between(0, Date.UTC(2027, 0))
    expect(start).toBe(placeWall('Europe/Berlin', wall('2026-01-01T00:00')))
    expect(found.map((at) => formatWall(wallAt('Europe/Berlin', at)).slice(5, 16)).slice(-8)).toEqual([
      ...['03-22T02:00', '03-22T02:30', '03-22T03:00', '03-22T03:30'],
      ...['03-29T01:00', '03-29T01:30', '03-29T03:00', '03-29T03:30'],
    ])
    expect(schedule.next(Date.UTC(2026, 3, 1))).toBe(placeWall('Europe/Berlin', wall('2027-03-07T01:00')))
  })
})

describe('cron', () => {
  test.each([
    ['30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00', ['2026-03-29T01:30', '2026-03-30T00:30']],
    ['30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00', ['2026-10-25T00:30', '2026-10-26T01:30']],
    ['15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T00:00', ['2026-10-03T15:45', '2026-10-04T15:15']],
    ['0 9 29 2 *', 'America/New_York', '2026-01-01T00:00', ['2028-02-29T14:00', '2032-02-29T14:00']],
    ['0 9 * * MON-FRI', 'America/New_York', '2026-03-06T15:00', ['2026-03-09T13:00', '2026-03-10T13:00']],
    // A day of the month or a day of the week: either is enough.
    ['0 0 13 * 5', 'UTC', '2026-11-01T00:00', ['2026-11-06T00:00', '2026-11-13T00:00']],
    ['0 0 * * 7', 'UTC', '2026-11-26T00:00', ['2026-11-29T00:00', '2026-12-06T00:00']],
  ])('%s in %s after %s', (fields, zone, after, expected) => {
    const cron = createCron(fields, zone)
    const first = cron.next(Date.parse(`${after}Z`)) ?? 0
    const second = cron.next(first) ?? 0
    expect([first, second].map(iso)).toEqual(expected)
    expect(cron.previous(second)).toBe(first)
    expect(cron.between(first, second + 1)).toEqual([first, second])
  })

  test.each([
    '0 9 30 2 *',
    '60 * * * *',
    '* * * *',
    '0 0 9 * * *',
    '@daily',
    '0 9 L * *',
    '* * * * MOO',
    '',
    '*/0 * * * *',
  ])('refuses %j', (fields) => {
    expect(() => createCron(fields, 'UTC')).toThrow()
  })
})
