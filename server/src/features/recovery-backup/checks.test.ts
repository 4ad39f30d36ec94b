import type { BackupSettings } from '@atrium/contract/recovery-backup'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { testClock } from '../../testing/clock.ts'
import { ageCheck, drillCheck, firstBackupCheck, noDestinationCheck } from './checks.ts'
import { createBackupState } from './state.ts'

const hourMs = 3_600_000
const { signal } = new AbortController()

/** An instance that nobody has given a destination yet. */
const begin = (kept: unknown = {}) => {
  const clock = testClock()
  const wished = { schedule: 'daily' as BackupSettings['schedule'], ids: [] as string[] }
  const schedule = async () => wished.schedule
  const saved = {
    document: (_: string, form: z.ZodType) => ({
      read: async () => form.parse(kept),
      change: async (change: (before: unknown) => unknown) => (kept = change(form.parse(kept))),
    }),
  }
  const state = createBackupState({ clock, saved } as unknown as Parameters<typeof createBackupState>[0])
  const places = async () => {
    const read = await state.read()
    return wished.ids.map((id) => ({ id, name: id, ...read(id) }))
  }
  const options = { places, schedule, withoutSince: state.withoutSince, now: clock.now }
  return {
    clock,
    wished,
    state,
    /** What the schedule does every few minutes, while it makes no backup. */
    look: () => state.see(wished.ids, wished.schedule !== 'off'),
    age: () => ageCheck(options).run(signal),
    first: () => firstBackupCheck(options).run(signal),
    drill: () =>
      drillCheck({ ...options, drills: async () => () => ({ drill: null, passed: null }), intervalHours: 24 }).run(
        signal,
      ),
    destination: () => noDestinationCheck(async () => wished.ids.length, schedule).run(signal),
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
  wished.ids = ['disk']
  await look()
  expect([await age(), await destination()]).toEqual([null, null])
  clock.advance(50 * hourMs)
  expect(await age()).toMatchObject({ status: 'fail', message: expect.stringContaining('no backup has been made yet') })
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

test('a destination without a backup is warned of where none is made by itself, when somebody looks and not as an alert', async () => {
  const { wished, state, look, age, first } = begin()
  wished.ids = ['disk']
  await look()
  expect(await first()).toBe(null)
  wished.schedule = 'off'
  await look()
  expect(await age()).toBe(null)
  expect(await first()).toMatchObject({ status: 'warn', message: expect.stringContaining('back up by hand') })
  await state.note('disk', () => ({ lastMadeAt: 1 }))
  expect([(await age())?.status, await first()]).toEqual(['pass', null])
})

test('what a version before kept of all destinations together holds for those that were there, and for none that is added', async () => {
  const { clock, wished, state, look, age } = begin({
    lastMadeAt: 1000,
    lastTriedAt: 2000,
    lastFailure: 'Away.',
    lastBytes: 7,
  })
  wished.ids = ['disk']
  const disk = { firstMadeAt: 1000, lastMadeAt: 1000, lastTriedAt: 2000, lastFailure: 'Away.', lastBytes: 7 }
  expect((await state.read())('disk')).toMatchObject(disk)
  await look()
  expect(await age()).toMatchObject({ status: 'fail', message: expect.stringContaining('overdue. disk: the last one') })
  wished.ids = ['disk', 'added']
  await look()
  const read = await state.read()
  expect(read('disk')).toMatchObject({ ...disk, missingSince: null })
  expect(read('added')).toMatchObject({ lastMadeAt: null, lastFailure: null, missingSince: clock.now() })
})

test('backups that no restore drill ever proved are warned of', async () => {
  const { clock, wished, state, drill } = begin()
  wished.ids = ['disk']
  expect(await drill()).toBe(null)
  await state.note('disk', () => ({ firstMadeAt: clock.now() }))
  clock.advance(48 * hourMs)
  expect(await drill()).toBe(null)
  clock.advance(1)
  expect(await drill()).toMatchObject({ status: 'warn', message: expect.stringContaining('disk: never') })
})
