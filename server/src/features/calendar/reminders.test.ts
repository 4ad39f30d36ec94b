import { accountsRoutes } from '@atrium/contract/accounts'
import { accessRoutes } from '@atrium/contract/access'
import { calendarRoutes as routes } from '@atrium/contract/calendar'
import { notificationsRoutes } from '@atrium/contract/notifications'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../../testing/app.ts'
import type { Client } from '../../testing/client.ts'
import { realClock } from '../../testing/clock.ts'
import { contentFrom } from './series/edits.ts'
import { nextReminders } from './series/reminders.ts'

const minute = 60_000

describe('the next reminders', () => {
  const due = (given: object, minutes: number[], after: string, zone = 'UTC') =>
    nextReminders(contentFrom({ title: 'x', ...given } as never, 'uid'), minutes, Date.parse(after), zone).map(
      ({ at, minutes: before }) => `${new Date(at).toISOString().slice(0, 16)} ${before}`,
    )
  const once = { startLocal: '2026-06-01T09:00', timeZone: 'Europe/Berlin' }
  const weekly = { ...once, recurrence: { kind: 'rule', rule: 'FREQ=WEEKLY;COUNT=3' } }

  test.each([
    [once, [10, 60], '2026-05-01T00:00Z', 'UTC', ['2026-06-01T06:00 60']],
    [once, [10, 60], '2026-06-01T06:00Z', 'UTC', ['2026-06-01T06:50 10']],
    [once, [10, 60], '2026-06-01T06:50Z', 'UTC', []],
    [weekly, [0], '2026-06-01T07:00Z', 'UTC', ['2026-06-08T07:00 0']],
    // Before the day of the next one, the one after it reminds already.
    [weekly, [5, 10_080], '2026-06-01T06:54Z', 'UTC', ['2026-06-01T06:55 5']],
    [weekly, [5, 10_080], '2026-06-01T06:55Z', 'UTC', ['2026-06-01T07:00 10080']],
    [weekly, [0], '2026-06-15T07:00Z', 'UTC', []],
    // Whole days and floating times begin where one is.
    [{ startDate: '2026-06-01' }, [60], '2026-05-01T00:00Z', 'America/New_York', ['2026-06-01T03:00 60']],
    [{ startLocal: '2026-06-01T09:00' }, [0], '2026-05-01T00:00Z', 'Asia/Tokyo', ['2026-06-01T00:00 0']],
  ])('of %j, %j minutes before, after %s in %s', (given, minutes, after, zone, expected) => {
    expect(due(given, minutes, after, zone)).toEqual(expected)
  })
})

describe('a reminder', () => {
  let shift = 0
  const clock = { ...realClock, now: () => realClock.now() + shift }
  let app: TestApp
  let ann: Client
  beforeAll(async () => {
    app = await startTestApp({ env: { SESSION_DAYS: '3650', SESSION_IDLE_HOURS: '87600' }, overrides: { clock } })
    await app.signUpAdmin()
    ann = await app.signUpUser('ann')
  })
  afterAll(() => app?.close())

  const inMinutes = (minutes: number) => new Date(clock.now() + minutes * minute).toISOString()
  const remindersOf = async (client: Client) =>
    (await client.call(notificationsRoutes.list, {})).items.filter(({ kind }) => kind === 'reminder')
  /** Waits until all that was set is reckoned, by one that is set afterwards and due at once. */
  const settled = async () => {
    const last = await app.signUpUser()
    await last.call(routes.createEvent, { body: { title: 'Now', startAt: inMinutes(0), reminders: [0] } })
    await expect.poll(() => remindersOf(last)).toHaveLength(1)
  }

  test('comes once for each occurrence and reader, and after a stop as missed', async () => {
    const ben = await app.signUpUser('ben')
    const { id: calendarId } = await ann.call(routes.createCalendar, { body: { name: 'Team' } })
    const { id: principalId } = await ben.call(accountsRoutes.me, {})
    const grant = await ann.call(accessRoutes.grant, {
      body: { resourceType: 'calendar', resourceId: calendarId, principalType: 'account', principalId, right: 'write' },
    })
    const recurrence = { kind: 'rule', rule: 'FREQ=DAILY' } as const
    const body = { title: 'Stand-up', startAt: inMinutes(60), calendarId, recurrence, reminders: [15] }
    const { id } = await ann.call(routes.createEvent, { body })
    await ben.call(routes.updateEvent, { params: { eventId: id }, body: { reminders: [0] } })
    await settled()
    shift += 46 * minute
    await expect
      .poll(() => remindersOf(ann))
      .toMatchObject([{ facts: { name: 'Stand-up', eventId: id, missed: false } }])
    expect(await remindersOf(ben)).toEqual([])
    shift += 15 * minute
    await expect.poll(() => remindersOf(ben)).toHaveLength(1)
    expect(await remindersOf(ann)).toHaveLength(1)

    // A clock that goes back an hour and comes again reminds of nothing twice.
    for (const minutes of [-60, 60]) {
      shift += minutes * minute
      await settled()
    }
    expect([await remindersOf(ann), await remindersOf(ben)].map((all) => all.length)).toEqual([1, 1])

    // Whoever may not read it any more is not reminded; three days later the last one is told as missed.
    await ann.call(accessRoutes.revoke, { params: { id: grant.id } })
    shift += 3 * 24 * 60 * minute
    await expect
      .poll(async () => (await remindersOf(ann)).map(({ facts }) => 'missed' in facts && facts.missed))
      .toEqual([true, false])
    await settled()
    expect(await remindersOf(ben)).toHaveLength(1)

    await ann.call(routes.removeEvent, { params: { eventId: id } })
    expect(await remindersOf(ann)).toEqual([])
  })
})
