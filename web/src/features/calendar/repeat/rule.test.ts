import { expect, test } from 'vitest'
import { dayOf } from '../time/day.ts'
import { type Repeat, repeatToRule, ruleToRepeat, usualRepeat } from './rule.ts'

/** A Thursday, the fourth and last of its month. */
const start = dayOf(2026, 11, 26)
const berlin = { zone: 'Europe/Berlin' }
const made = (every: Repeat['every'], change: Partial<Repeat> = {}): Repeat => ({
  ...usualRepeat(every, start),
  ...change,
})

test.each<[string, Repeat]>([
  ['FREQ=DAILY', made('day')],
  ['FREQ=DAILY;INTERVAL=3;COUNT=10', made('day', { interval: 3, end: { count: 10 } })],
  ['FREQ=WEEKLY;BYDAY=TH', made('week')],
  ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE,FR', made('week', { interval: 2, weekdays: [1, 3, 5] })],
  ['FREQ=MONTHLY;BYMONTHDAY=26', made('month')],
  ['FREQ=MONTHLY;BYDAY=4TH', made('month', { on: 'weekday' })],
  ['FREQ=MONTHLY;BYDAY=-1TH', made('month', { on: 'last-weekday' })],
  ['FREQ=YEARLY', made('year')],
  ['FREQ=DAILY;UNTIL=20261231T225959Z', made('day', { end: { until: dayOf(2026, 12, 31) } })],
])('%s is written and read', (rule, repeat) => {
  expect(repeatToRule(repeat, start, berlin)).toBe(rule)
  expect(ruleToRepeat(rule, start, berlin)).toEqual(repeat)
})

test('the end is told as the start is: in UTC, floating, or by its date', () => {
  const repeat = made('day', { end: { until: dayOf(2026, 12, 31) } })
  expect(repeatToRule(repeat, start, { zone: null })).toBe('FREQ=DAILY;UNTIL=20261231T235959')
  expect(repeatToRule(repeat, start, 'days')).toBe('FREQ=DAILY;UNTIL=20261231')
  for (const clock of [{ zone: 'Pacific/Auckland' }, { zone: 'America/Los_Angeles' }, { zone: null }, 'days'] as const)
    expect(ruleToRepeat(repeatToRule(repeat, start, clock), start, clock)).toEqual(repeat)
})

test('the last day of a month is offered where the event begins on one', () => {
  const last = dayOf(2026, 11, 30)
  const repeat: Repeat = { ...usualRepeat('month', last), on: 'last-day' }
  expect(repeatToRule(repeat, last, 'days')).toBe('FREQ=MONTHLY;BYMONTHDAY=-1')
  expect(ruleToRepeat('FREQ=MONTHLY;BYMONTHDAY=-1', last, 'days')).toEqual(repeat)
  expect(ruleToRepeat('FREQ=MONTHLY;BYMONTHDAY=-1', start, 'days')).toBeNull()
})

test('rules of other programs are read where they say the same', () => {
  expect(ruleToRepeat('RRULE:FREQ=WEEKLY;WKST=SU', start, berlin)).toEqual(made('week'))
  expect(ruleToRepeat('FREQ=YEARLY;BYMONTH=11;BYMONTHDAY=26', start, berlin)).toEqual(made('year'))
  expect(ruleToRepeat('freq=monthly', start, berlin)).toEqual(made('month'))
})

test.each([
  'FREQ=HOURLY',
  'FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=TH',
  'FREQ=MONTHLY;BYDAY=1MO',
  'FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1',
  'FREQ=MONTHLY;BYMONTHDAY=1',
  'FREQ=YEARLY;BYMONTH=5',
  'FREQ=DAILY;BYDAY=MO',
  'FREQ=DAILY;UNTIL=soon',
])('%s is more than the editor can say', (rule) => {
  expect(ruleToRepeat(rule, start, berlin)).toBeNull()
})
