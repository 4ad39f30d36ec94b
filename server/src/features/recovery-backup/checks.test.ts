import type { BackupSettings } from '@atrium/contract/recovery-backup'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { createLog } from '../../platform/log/log.ts'
import { testClock } from '../../testing/clock.ts'
import { createBackups, scheduleJobKind } from './backups.ts'
import { ageCheck, drillCheck, noDestinationCheck } from './checks.ts'

const hourMs = 3_600_000
const { signal } = new AbortController()

/** An instance that nobody has given a destination yet. */
const begin = () => {
  const clock = testClock()
  const wished = { schedule: 'daily' as BackupSettings['schedule'], destinations: 0 }
  const schedule = async () => wished.schedule
  const count = async () => wished.destinations
  let kept: unknown = {}
  const backups = createBackups({
    clock,
    schedule,
    log: createLog({ level: 'silent' }),
    saved: {
      document: (_: string, form: z.ZodType) => ({
        read: async () => form.parse(kept),
        change: async (change: (before: unknown) => unknown) => (kept = change(form.parse(kept))),
      }),
    },
    destinations: { count, openAll: async () => [] },
    keys: { refresh: async () => undefined },
    beginDueDrill: async () => undefined,
  } as unknown as Parameters<typeof createBackups>[0])
  return {
    clock,
    wished,
    /** What the schedule does every few minutes, while it makes no backup. */
    look: () => backups.jobs[scheduleJobKind].prepare({})?.({ signal } as never),
    age: () => ageCheck({ state: backups.state, count, schedule, now: clock.now }).run(signal),
    destination: () => noDestinationCheck(count, schedule).run(signal),
  }
}

test('an instance without a destination is warned of when somebody looks, and an alert once two backups are missing', async () => {
  const { clock, wished, look, age, destination } = begin()
  await look()
  expect(await destination()).toMatchObject({ status: 'warn', message: expect.stringContaining('no destination') })
  clock.advance(48 * hourMs)
  await look()
  expect(await age()).toBe(null)
  clock.advance(2 * hourMs)
  expect(await age()).toMatchObject({ status: 'fail', message: expect.stringContaining('no destination') })
  wished.destinations = 1
  expect(await age()).toMatchObject({ status: 'fail', message: expect.stringContaining('no backup has been made yet') })
  expect(await destination()).toBe(null)
})

test('where backups are turned off none is missing, and they count from when they are turned on', async () => {
  const { clock, wished, look, age, destination } = begin()
  await look()
  wished.schedule = 'off'
  clock.advance(72 * hourMs)
  await look()
  expect([await age(), await destination()]).toEqual([null, null])
  wished.schedule = 'daily'
  await look()
  expect(await age()).toBe(null)
  clock.advance(50 * hourMs)
  expect(await age()).toMatchObject({ status: 'fail' })
})

test('backups that no restore drill ever proved are warned of', async () => {
  const nothing = async () => ({ drill: null, passed: null })
  expect(await drillCheck(nothing, async () => false).run(signal)).toBe(null)
  expect(await drillCheck(nothing, async () => true).run(signal)).toMatchObject({
    status: 'warn',
    message: expect.stringContaining('No backup has passed a restore drill yet'),
  })
})
