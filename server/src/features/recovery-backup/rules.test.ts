import { describe, expect, test } from 'vitest'
import { drillIsDue, isDrillOverdue, isOverdue, nextBackupAt } from './rules.ts'

const at = (text: string) => Date.parse(`2026-11-${text}Z`)
const now = at('20T10:00:00')

describe('a backup is due', () => {
  test.each([
    ['at once where none was made yet', 'daily', null, null, 0],
    ['in the night after the one before', 'daily', at('20T03:00:10'), null, at('21T03:00:00')],
    ['in the night also after one by hand', 'daily', at('20T09:00:00'), null, at('21T03:00:00')],
    ['with the next hour', 'hourly', at('20T09:20:00'), null, at('20T10:00:00')],
    ['with the next quarter of an hour', 'quarter-hourly', at('20T09:50:00'), null, at('20T10:00:00')],
    ['half an hour after a try that failed', 'daily', at('19T03:00:00'), at('20T09:55:00'), at('20T10:25:00')],
    ['never when it is off', 'off', at('19T03:00:00'), null, null],
    ['at once when the clock was set back', 'daily', at('25T03:00:00'), null, 0],
  ] as const)('%s', (_, schedule, lastMadeAt, lastTriedAt, next) => {
    expect(nextBackupAt(schedule, { lastMadeAt, lastTriedAt }, now)).toBe(next)
  })
})

test('two missed times and an hour make it overdue, also where none was ever made', () => {
  const overdue = (lastMadeAt: number | null, missingSince: number | null) =>
    isOverdue('daily', { lastMadeAt, missingSince }, now)
  expect(['18T08:00:00', '18T10:00:00'].map((time) => overdue(at(time), null))).toEqual([true, false])
  expect(['18T08:00:00', '18T10:00:00'].map((time) => overdue(null, at(time)))).toEqual([true, false])
  expect(overdue(null, null)).toBe(false)
  expect(isOverdue('off', { lastMadeAt: 1, missingSince: 1 }, now)).toBe(false)
})

test('a drill is overdue where none passed in its own turn and one more, also where none has ever passed', () => {
  const overdue = (destinations: number, firstMadeAt: number | null, lastPassedAt: number | null) =>
    isDrillOverdue(24, destinations, { firstMadeAt, lastPassedAt }, now)
  expect(overdue(1, at('18T09:00:00'), null)).toBe(true)
  expect(overdue(1, at('18T09:00:00'), at('18T11:00:00'))).toBe(false)
  expect(overdue(2, at('10T09:00:00'), at('18T09:00:00'))).toBe(false)
  expect(overdue(2, at('10T09:00:00'), at('17T09:00:00'))).toBe(true)
  expect(overdue(1, null, null)).toBe(false)
  expect(overdue(1, null, at('10T09:00:00'))).toBe(false)
  expect(isDrillOverdue(0, 1, { firstMadeAt: 1, lastPassedAt: null }, now)).toBe(false)
})

test.each([
  ['after the first backup', 24, true, null, true],
  ['a day after the last one', 24, true, at('19T10:00:00'), true],
  ['not before that', 24, true, at('19T10:00:01'), false],
  ['when the clock was set back', 24, true, at('21T10:00:00'), true],
  ['not without a backup', 24, false, null, false],
  ['not where drills are switched off', 0, true, null, false],
] as const)('a drill is due %s', (_, hours, hasBackup, lastDrillAt, due) => {
  expect(drillIsDue(hours, hasBackup, lastDrillAt, now)).toBe(due)
})
