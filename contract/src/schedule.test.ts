import { expect, test } from 'vitest'
import { parseSchedule } from './schedule.ts'

test.each([
  ['hourly', { kind: 'hourly' }],
  [' Every 15 Minutes ', { kind: 'minutes', every: 15 }],
  ['every 1440 minutes', { kind: 'minutes', every: 1440 }],
  ['daily 08:00', { kind: 'daily', time: '08:00' }],
  ['weekly fri 17:30', { kind: 'weekly', day: 'friday', time: '17:30' }],
  ['weekly sunday 0:05', { kind: 'weekly', day: 'sunday', time: '0:05' }],
  ['*/5 8,20 * 1 mon,7', { kind: 'cron', fields: ['*/5', '8,20', '*', '1', 'mon,7'] }],
])('%j is a schedule', (written, schedule) => expect(parseSchedule(written)).toEqual(schedule))

test.each([
  '',
  'sometimes',
  'hourly 08:00',
  'every 0 minutes',
  'every 1441 minutes',
  'every 2 hours',
  'daily 24:00',
  'daily 08:60',
  'daily',
  'weekly someday 08:00',
  'weekly fr 08:00',
  '* * * *',
  '* * * * * *',
  '60 * * * *',
  '* 24 * * *',
  '* * 0 * *',
  '* * * 13 *',
  '* * * * 8',
  '*/0 * * * *',
  '1-5 * * * *',
  '1,,2 * * * *',
])('%j is none', (written) => expect(parseSchedule(written)).toBeNull())
