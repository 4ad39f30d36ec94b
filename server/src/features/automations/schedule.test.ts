import type { AutomationContent, Trigger } from '@atrium/contract/automations'
import { describe, expect, test } from 'vitest'
import { isRefusal } from '../../platform/http/refusal.ts'
import { createTimes, planDue, retryDelay, timesOf } from './schedule.ts'

const at = (text: string): number => Date.parse(text)
const iso = (times: readonly number[]): string[] => times.map((time) => new Date(time).toISOString().slice(0, 16))
const timeZone = 'Europe/Berlin'
const first = (trigger: Trigger, after = '2026-03-28T12:00Z', count = 3): string[] => {
  const found: number[] = []
  const times = timesOf(trigger, at(after))
  for (let next = times.next(at(after)); next !== null && found.length < count; next = times.next(next))
    found.push(next)
  return iso(found)
}

describe('a trigger', () => {
  test.each<[string, Trigger, string[]]>([
    ['once', { kind: 'once', at: '2026-04-01T10:00:00+02:00' }, ['2026-04-01T08:00']],
    // Clocks go forward on the 29th: what has an hour keeps to the clock.
    [
      'daily',
      { kind: 'daily', hour: 9, minute: 30, timeZone },
      ['2026-03-29T07:30', '2026-03-30T07:30', '2026-03-31T07:30'],
    ],
    [
      'in the gap',
      { kind: 'daily', hour: 2, minute: 30, timeZone },
      ['2026-03-29T01:30', '2026-03-30T00:30', '2026-03-31T00:30'],
    ],
    [
      'hourly',
      { kind: 'hourly', minute: 5, startHour: 8, endHour: 9, timeZone },
      ['2026-03-29T06:05', '2026-03-29T07:05', '2026-03-30T06:05'],
    ],
    [
      'weekly',
      { kind: 'weekly', dayOfWeek: 0, hour: 12, minute: 0, timeZone },
      ['2026-03-29T10:00', '2026-04-05T10:00', '2026-04-12T10:00'],
    ],
    [
      'monthly',
      { kind: 'monthly', dayOfMonth: 31, hour: 8, minute: 0, timeZone },
      ['2026-03-31T06:00', '2026-04-30T06:00', '2026-05-31T06:00'],
    ],
    [
      'yearly',
      { kind: 'yearly', month: 2, dayOfMonth: 29, hour: 8, minute: 0, timeZone },
      ['2027-02-28T07:00', '2028-02-29T07:00', '2029-02-28T07:00'],
    ],
    [
      'a rule',
      { kind: 'rule', rule: 'FREQ=WEEKLY;INTERVAL=2', startLocal: '2026-03-30T09:00', timeZone },
      ['2026-03-30T07:00', '2026-04-13T07:00', '2026-04-27T07:00'],
    ],
    [
      'cron',
      { kind: 'cron', expression: '0 9 * * MON-FRI', timeZone },
      ['2026-03-30T07:00', '2026-03-31T07:00', '2026-04-01T07:00'],
    ],
    ['an interval', { kind: 'interval', minutes: 45 }, ['2026-03-28T12:45', '2026-03-28T13:30', '2026-03-28T14:15']],
  ])('%s gives its times', (_kind, trigger, expected) => {
    expect(first(trigger)).toEqual(expected)
  })

  test.each<Trigger>([
    { kind: 'daily', hour: 9, minute: 0, timeZone: 'Mars/Olympus' },
    { kind: 'cron', expression: '0 0 30 2 *', timeZone },
    { kind: 'cron', expression: '* * * * * *', timeZone },
    { kind: 'rule', rule: 'FREQ=SECONDLY', startLocal: '2026-03-30T09:00', timeZone },
    { kind: 'rule', rule: 'FREQ=DAILY;COUNT=2;UNTIL=20270101', startLocal: '2026-03-30T09:00', timeZone },
    { kind: 'rule', rule: 'FREQ=DAILY', startLocal: '2026-02-30T09:00', timeZone },
  ])('that makes no sense is refused: %j', (trigger) => {
    expect(() => timesOf(trigger, 0)).toThrow(
      expect.toSatisfy((error) => isRefusal(error) && error.code === 'trigger_invalid'),
    )
  })

  test('counts between the start and the end of its automation, and two at one instant are one', () => {
    const trigger: Trigger = { kind: 'daily', hour: 9, minute: 0, timeZone: 'UTC' }
    const twin: Trigger = { kind: 'cron', expression: '0 9 * * *', timeZone: 'UTC' }
    const times = createTimes(
      { triggers: [trigger, twin], startsAt: '2026-03-02T09:00:00Z', endsAt: '2026-03-04T09:00:00Z' },
      0,
    )
    expect(iso(times.between(at('2026-03-01'), at('2026-04-01')))).toEqual([
      '2026-03-02T09:00',
      '2026-03-03T09:00',
      '2026-03-04T09:00',
    ])
    expect(times.next(at('2026-03-01'))).toBe(at('2026-03-02T09:00Z'))
    expect(times.next(at('2026-03-04T09:00Z'))).toBeNull()
  })
})

describe('what is due', () => {
  const hourly: Trigger = { kind: 'cron', expression: '0 * * * *', timeZone: 'UTC' }
  const times = createTimes({ triggers: [hourly], startsAt: null, endsAt: null }, 0)
  const plan = (now: string, missed: AutomationContent['missed'], more: { from?: string; left?: number } = {}) => {
    const nextRunAt = at(more.from ?? '2026-03-02T09:00Z')
    const planned = planDue(times, { nextRunAt, now: at(now), missed, left: more.left ?? null })
    return {
      run: iso(planned.run),
      missed: iso(planned.missed),
      next: planned.next === null ? null : iso([planned.next])[0],
    }
  }

  test.each(['skip', 'once', 'all'] as const)('in time runs once, with missed times %s', (missed) => {
    expect(plan('2026-03-02T09:00:03Z', missed)).toEqual({
      run: ['2026-03-02T09:00'],
      missed: [],
      next: '2026-03-02T10:00',
    })
  })

  const late = ['2026-03-02T09:00', '2026-03-02T10:00', '2026-03-02T11:00']
  test.each([
    ['skip', [], late],
    ['once', late.slice(2), late.slice(0, 2)],
    ['all', late, []],
  ] as const)('after three hours off is made up for as its owner says: %s', (policy, run, missed) => {
    expect(plan('2026-03-02T11:30Z', policy)).toEqual({ run, missed, next: '2026-03-02T12:00' })
  })

  test('at the very next time, that one run stands for those that were missed', () => {
    expect(plan('2026-03-02T11:00:01Z', 'once')).toMatchObject({ run: late.slice(2), missed: late.slice(0, 2) })
  })

  test('more than a day ago is never made up for, and told once', () => {
    const once = createTimes(
      { triggers: [{ kind: 'once', at: '2026-03-02T09:00:00Z' }], startsAt: null, endsAt: null },
      0,
    )
    const given = {
      nextRunAt: at('2026-03-02T09:00Z'),
      now: at('2026-03-09T09:00Z'),
      missed: 'all',
      left: null,
    } as const
    expect(planDue(once, given)).toEqual({ run: [], missed: [at('2026-03-02T09:00Z')], next: null })
    const many = plan('2026-03-09T09:30Z', 'all')
    expect([many.run.length, many.missed.length]).toEqual([24, 0])
  })

  test('ends with the number of runs that its owner allows', () => {
    expect(plan('2026-03-02T11:30Z', 'all', { left: 2 })).toMatchObject({ run: late.slice(0, 2), next: null })
    expect(plan('2026-03-02T09:00:01Z', 'all', { left: 2 })).toMatchObject({ next: '2026-03-02T10:00' })
  })
})

test('what fails is tried again after twice as long, an hour at most', () => {
  expect([1, 2, 3, 20].map(retryDelay)).toEqual([30_000, 60_000, 120_000, 3_600_000])
})
