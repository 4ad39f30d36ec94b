import { accessRoutes } from '@atrium/contract/access'
import { accountsRoutes } from '@atrium/contract/accounts'
import {
  calendarRoutes as routes,
  type CalendarEvent,
  mostCalendars,
  mostTitleLetters,
} from '@atrium/contract/calendar'
import { searchRoutes } from '@atrium/contract/search'
import { trashRoutes } from '@atrium/contract/trash'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../../testing/app.ts'
import type { Client } from '../../testing/client.ts'
import { usualDialects } from '../../testing/databases.ts'

describe.each(usualDialects)('a calendar (%s)', (dialect) => {
  let app: TestApp
  let ann: Client
  let ben: Client
  beforeAll(async () => {
    app = await startTestApp({ dialect })
    await app.signUpAdmin()
    ann = await app.signUpUser('ann')
    ben = await app.signUpUser('ben')
  })
  afterAll(() => app?.close())

  const create = (client: Client, body: Record<string, unknown>): Promise<CalendarEvent> =>
    client.call(routes.createEvent, { body: { title: 'Stand-up', ...body } as never })
  const list = async (client: Client, from: string, to: string, more: object = {}): Promise<CalendarEvent[]> =>
    (await client.call(routes.events, { query: { from: `${from}T00:00:00Z`, to: `${to}T00:00:00Z`, ...more } })).items
  const at = (eventId: string) => ({ params: { eventId } })
  const daily = { startLocal: '2026-03-27T09:00', endLocal: '2026-03-27T09:30', timeZone: 'Europe/Berlin' }
  const rule = (text: string) => ({ recurrence: { kind: 'rule', rule: text } })
  const share = async (owner: Client, calendarId: string, reader: Client, right: 'read' | 'write') => {
    const { id: principalId } = await reader.call(accountsRoutes.me, {})
    const body = {
      resourceType: 'calendar',
      resourceId: calendarId,
      principalType: 'account',
      principalId,
      right,
    } as const
    return await owner.call(accessRoutes.grant, { body })
  }

  test('is renamed by its owner and coloured by each reader, and its events outlive it', async () => {
    const { id: calendarId } = await ann.call(routes.createCalendar, { body: { name: ' Team ', color: '#3a7bd5' } })
    await share(ann, calendarId, ben, 'read')
    const params = { calendarId }
    await ben.call(routes.updateCalendar, { params, body: { color: '#ff0000' } })
    expect(await ben.refusal(routes.updateCalendar, { params, body: { name: 'Mine' } })).toMatchObject({
      code: 'right_missing',
    })
    expect(await ann.call(routes.updateCalendar, { params, body: { name: 'Crew' } })).toMatchObject({
      name: 'Crew',
      color: '#3a7bd5',
      shared: null,
    })
    expect((await ben.call(routes.calendars, {})).items).toMatchObject([
      { name: 'Crew', color: '#ff0000', shared: { ownerName: 'ann', right: 'read' } },
    ])
    const { id } = await create(ann, { ...daily, calendarId })
    expect(await ben.call(routes.readEvent, at(id))).toMatchObject({ calendarId, shared: { right: 'read' } })
    await ann.call(routes.removeCalendar, { params })
    expect(await ann.call(routes.readEvent, at(id))).toMatchObject({ calendarId: null })
    expect(await ben.refusal(routes.readEvent, at(id))).toMatchObject({ code: 'event_not_found' })
    await ann.call(trashRoutes.restore, { params: { id: calendarId } })
    expect(await ben.call(routes.readEvent, at(id))).toMatchObject({ calendarId })
    await ann.call(routes.removeCalendar, { params })
    await ann.call(trashRoutes.remove, { params: { id: calendarId } })
    expect(await ann.call(routes.readEvent, at(id))).toMatchObject({ calendarId: null })
    await ann.call(routes.removeEvent, at(id))
    await ann.call(trashRoutes.empty, {})
  })

  test('takes events of whoever may write to it, which are its owner’s', async () => {
    const { id: calendarId } = await ann.call(routes.createCalendar, { body: { name: 'Shared' } })
    await share(ann, calendarId, ben, 'read')
    expect(await ben.refusal(routes.createEvent, { body: { title: 'x', ...daily, calendarId } })).toMatchObject({
      code: 'right_missing',
    })
    await share(ann, calendarId, ben, 'write')
    const event = await create(ben, { ...daily, calendarId, reminders: [10, 5, 10] })
    expect(event).toMatchObject({ reminders: [5, 10], shared: { ownerName: 'ann' } })
    expect(await ann.call(routes.readEvent, at(event.id))).toMatchObject({
      title: 'Stand-up',
      reminders: [],
      shared: null,
    })
    await ben.call(routes.updateEvent, { ...at(event.id), body: { title: 'Moved' } })
    // It stays with its owner.
    const { id: own } = await ben.call(routes.createCalendar, { body: { name: 'Ben’s' } })
    for (const to of [null, own])
      expect(
        (await ben.refusal(routes.updateEvent, { ...at(event.id), body: { calendarId: to } })).status,
      ).toBeGreaterThan(402)
    await ben.call(routes.removeEvent, at(event.id))
    expect((await ann.call(trashRoutes.list, {})).items).toMatchObject([{ id: event.id, title: 'Moved' }])
    await ann.call(trashRoutes.remove, { params: { id: event.id } })
  })

  test('is one of a hundred at most, with a name that shows as it is', async () => {
    const owner = await app.signUpUser()
    for (const name of ['', ' ', 'a\nb', 'a\u202eb', 'x'.repeat(101)])
      expect(await owner.refusal(routes.createCalendar, { body: { name } })).toMatchObject({
        code: 'validation_failed',
      })
    for (let n = 0; n < mostCalendars; n += 1) await owner.call(routes.createCalendar, { body: { name: `${n}` } })
    expect(await owner.refusal(routes.createCalendar, { body: { name: 'one more' } })).toMatchObject({
      code: 'calendar_limit',
    })
  })

  test('is proposed an event in words, which nobody wrote', async () => {
    const body = { text: 'Lunch tomorrow at 12:30', timeZone: 'Europe/Berlin' }
    const { event, ...how } = await ann.call(routes.quickAdd, { body })
    expect(how).toEqual({ by: 'rules', missing: [], notUnderstood: [] })
    expect(event).toMatchObject({ title: 'Lunch', timeZone: 'Europe/Berlin' })
    expect(event.startLocal).toMatch(/T12:30:00$/)
    const from = new Date().toISOString().slice(0, 10)
    const to = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
    expect(await list(ann, from, to)).toEqual([])
    expect((await ann.call(routes.createEvent, { body: event })).title).toBe('Lunch')
    const refused = async (more: object) => (await ann.refusal(routes.quickAdd, { body: { ...body, ...more } })).code
    expect(await refused({ timeZone: 'Mars/Base' })).toBe('time_zone_unknown')
    expect(await refused({ text: ' ' })).toBe('validation_failed')
  })

  describe('an event', () => {
    test('keeps its local time, and says the instant', async () => {
      const zoned = await create(ann, {
        startAt: '2026-07-01T07:00:00.000Z',
        endAt: '2026-07-01T08:00:00.000Z',
        timeZone: 'europe/berlin',
      })
      expect(zoned).toMatchObject({
        startLocal: '2026-07-01T09:00:00',
        endLocal: '2026-07-01T10:00:00',
        timeZone: 'Europe/Berlin',
      })
      const day = await create(ann, { startDate: '2026-07-02' })
      expect(day).toMatchObject({ allDay: true, startDate: '2026-07-02', endDate: '2026-07-03', startLocal: null })
      const floating = await create(ann, { startLocal: '2026-07-03T23:30' })
      const query = { timeZone: 'America/New_York' }
      expect(await ann.call(routes.readEvent, { ...at(floating.id), query })).toMatchObject({
        timeZone: null,
        startAt: '2026-07-04T03:30:00.000Z',
        endAt: '2026-07-04T03:30:00.000Z',
      })
      // A floating time and a whole day are found where one is.
      const there = { timeZone: 'Pacific/Auckland' }
      const query2 = { from: '2026-07-01T12:00:00Z', to: '2026-07-02T12:00:00Z', ...there }
      expect((await ann.call(routes.events, { query: query2 })).items.map(({ id }) => id)).toEqual([day.id])
      for (const { id } of [zoned, day, floating]) await ann.call(routes.removeEvent, at(id))
    })

    test.each([
      [{ startLocal: '2026-07-01T09:00', endLocal: '2026-07-01T08:00' }, 'event_time_invalid'],
      [{ startDate: '2026-07-02', endDate: '2026-07-02' }, 'event_time_invalid'],
      [{ startLocal: '2026-02-30T09:00' }, 'event_time_invalid'],
      [{}, 'event_time_invalid'],
      [{ startLocal: '2026-07-01T09:00', endLocal: '2028-07-01T09:00' }, 'event_time_invalid'],
      [{ startLocal: '2026-07-01T09:00', timeZone: 'Mars/Base' }, 'time_zone_unknown'],
      [{ ...daily, ...rule('FREQ=SECONDLY') }, 'recurrence_invalid'],
      [{ ...daily, ...rule('FREQ=DAILY;COUNT=2;UNTIL=20270101') }, 'recurrence_invalid'],
      [{ ...daily, ...rule('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=31') }, 'recurrence_invalid'],
      [{ startDate: '2026-07-02', recurrence: { kind: 'hourly', minute: 5 } }, 'recurrence_invalid'],
      [{ ...daily, recurrence: { kind: 'rule', rule: null } }, 'recurrence_invalid'],
      [{ ...daily, title: '' }, 'validation_failed'],
      [{ ...daily, title: 'x'.repeat(mostTitleLetters + 1) }, 'validation_failed'],
      [{ ...daily, link: 'javascript:alert(1)' }, 'validation_failed'],
      [{ ...daily, reminders: [-1] }, 'validation_failed'],
      [{ ...daily, calendarId: 'unknown-id' }, 'calendar_not_found'],
    ])('is refused: %j', async (body, code) => {
      expect(await ann.refusal(routes.createEvent, { body: { title: 'x', ...body } as never })).toMatchObject({ code })
    })

    test.each([
      ['2026-07-01T00:00:00Z', '2026-07-01T00:00:00Z'],
      ['2026-07-02T00:00:00Z', '2026-07-01T00:00:00Z'],
      ['2026-07-01T00:00:00Z', '2028-07-01T00:00:00Z'],
    ])('is not looked for from %s to %s', async (from, to) => {
      expect(await ann.refusal(routes.events, { query: { from, to } })).toMatchObject({ code: 'range_invalid' })
    })

    test('that repeats stands at the same time on the clock, before and after clocks change', async () => {
      const { id } = await create(ann, { ...daily, ...rule('FREQ=DAILY;COUNT=4') })
      const found = await list(ann, '2026-03-01', '2026-04-30')
      expect(found.map(({ startAt }) => startAt.slice(5, 16))).toEqual([
        ...['03-27T08:00', '03-28T08:00', '03-29T07:00', '03-30T07:00'],
      ])
      expect(found[1]).toMatchObject({ baseEventId: id, occurrence: '2026-03-28T08:00:00.000Z', changed: false })
      await ann.call(routes.removeEvent, at(id))
    })

    test('of the usual kinds repeats, and its start counts whatever they say', async () => {
      const { id } = await create(ann, {
        ...daily,
        recurrence: { kind: 'monthly', dayOfMonth: 31, hour: 9, minute: 0 },
      })
      expect((await list(ann, '2026-03-01', '2026-06-01')).map(({ startLocal }) => startLocal)).toEqual([
        ...['2026-03-27T09:00:00', '2026-03-31T09:00:00', '2026-04-30T09:00:00', '2026-05-31T09:00:00'],
      ])
      await ann.call(routes.removeEvent, at(id))
    })

    test('goes to the trash and comes back', async () => {
      const { id } = await create(ann, daily)
      await ann.call(routes.removeEvent, at(id))
      expect(await ann.refusal(routes.readEvent, at(id))).toMatchObject({ status: 404, code: 'event_not_found' })
      expect(await list(ann, '2026-03-01', '2026-04-30')).toEqual([])
      await ann.call(trashRoutes.restore, { params: { id } })
      expect(await list(ann, '2026-03-01', '2026-04-30')).toMatchObject([{ id }])
      await ann.call(routes.removeEvent, at(id))
    })

    test('is found by its words, also in a calendar of a name', async () => {
      const { id: calendarId } = await ann.call(routes.createCalendar, { body: { name: 'Zeppelin club' } })
      const { id } = await create(ann, {
        ...daily,
        calendarId,
        title: 'Regatta',
        place: 'Quayside',
        notes: 'Bring oars',
      })
      const find = async (q: string) =>
        (await ann.call(searchRoutes.everything, { query: { q } })).items.map((hit) => hit.id)
      for (const q of ['regatta', 'quayside in:calendar', 'oars in:zeppelin']) expect(await find(q)).toEqual([id])
      expect(await find('oars in:balloon')).toEqual([])
      await ann.call(routes.updateEvent, { ...at(id), body: { title: 'Race' } })
      expect(await find('regatta')).toEqual([])
      await ann.call(routes.removeEvent, at(id))
      await ann.call(routes.removeCalendar, { params: { calendarId } })
    })
  })

  describe('a series', () => {
    const weekly = {
      ...daily,
      startLocal: '2026-06-01T09:00',
      endLocal: '2026-06-01T10:00',
      ...rule('FREQ=WEEKLY;BYDAY=MO'),
    }
    const june = async (client: Client) =>
      (await list(client, '2026-06-01', '2026-07-01')).map(
        ({ title, startLocal }) => `${title} ${startLocal?.slice(8, 16)}`,
      )
    const second = '2026-06-08T07:00:00.000Z'
    let owner: Client
    let id: string
    const start = async () => {
      owner = await app.signUpUser()
      id = (await create(owner, { ...weekly, title: 'A' })).id
    }

    test('has one occurrence changed, moved and taken out', async () => {
      await start()
      const query = { occurrence: second, scope: 'this' as const }
      const moved = await owner.call(routes.updateEvent, {
        ...at(id),
        query,
        body: { title: 'B', startLocal: '2026-06-09T11:00' },
      })
      expect(moved).toMatchObject({ title: 'B', endLocal: '2026-06-09T12:00:00', occurrence: second, changed: true })
      expect(await june(owner)).toEqual(['A 01T09:00', 'B 09T11:00', 'A 15T09:00', 'A 22T09:00', 'A 29T09:00'])
      // The whole series keeps what was changed of one.
      await owner.call(routes.updateEvent, { ...at(id), body: { title: 'C' } })
      await owner.call(routes.removeEvent, {
        ...at(id),
        query: { occurrence: '2026-06-15T09:00:00+02:00', scope: 'this' },
      })
      expect(await june(owner)).toEqual(['C 01T09:00', 'B 09T11:00', 'C 22T09:00', 'C 29T09:00'])
      await owner.call(routes.removeEvent, { ...at(id), query: { occurrence: second, scope: 'this' } })
      expect(await june(owner)).toEqual(['C 01T09:00', 'C 22T09:00', 'C 29T09:00'])
      for (const occurrence of [second, '2026-06-15T07:00:00.000Z', '2026-06-02T07:00:00.000Z'])
        expect(await owner.refusal(routes.removeEvent, { ...at(id), query: { occurrence } })).toMatchObject({
          code: 'occurrence_not_found',
        })
    })

    test('is changed from one occurrence on, which makes two', async () => {
      await start()
      await owner.call(routes.updateEvent, {
        ...at(id),
        query: { occurrence: '2026-06-22T07:00:00.000Z' },
        body: { title: 'X' },
      })
      const query = { occurrence: '2026-06-15T07:00:00.000Z', scope: 'following' as const }
      const rest = await owner.call(routes.updateEvent, {
        ...at(id),
        query,
        body: { startLocal: '2026-06-16T10:00', title: 'B' },
      })
      expect(rest.id).not.toBe(id)
      expect(await june(owner)).toEqual(['A 01T09:00', 'A 08T09:00', 'B 16T10:00', 'X 23T10:00', 'B 30T10:00'])
      await owner.call(routes.removeEvent, {
        ...at(rest.id),
        query: { occurrence: '2026-06-23T08:00:00.000Z', scope: 'following' },
      })
      expect(await june(owner)).toEqual(['A 01T09:00', 'A 08T09:00', 'B 16T10:00'])
      await owner.call(routes.removeEvent, {
        ...at(rest.id),
        query: { occurrence: '2026-06-16T08:00:00.000Z', scope: 'following' },
      })
      expect((await owner.call(trashRoutes.list, {})).items).toMatchObject([{ id: rest.id }])
    })

    test('with a number of times keeps it when it is cut in two', async () => {
      await start()
      await owner.call(routes.updateEvent, { ...at(id), body: rule('FREQ=WEEKLY;BYDAY=MO;COUNT=4') as never })
      const query = { occurrence: second, scope: 'following' as const }
      await owner.call(routes.updateEvent, { ...at(id), query, body: { title: 'B' } })
      expect(await june(owner)).toEqual(['A 01T09:00', 'B 08T09:00', 'B 15T09:00', 'B 22T09:00'])
    })

    test('moves whole by one of its occurrences, with its days and its exceptions', async () => {
      await start()
      await owner.call(routes.removeEvent, { ...at(id), query: { occurrence: '2026-06-15T07:00:00.000Z' } })
      await owner.call(routes.updateEvent, {
        ...at(id),
        query: { occurrence: second, scope: 'all' },
        body: { startLocal: '2026-06-10T08:30', endLocal: '2026-06-10T09:00' },
      })
      expect(await june(owner)).toEqual(['A 03T08:30', 'A 10T08:30', 'A 24T08:30'])
    })

    test('loses no exception when two pages take occurrences out at once', async () => {
      await start()
      await Promise.all(
        ['08', '15', '22', '29'].map((day) =>
          owner.call(routes.removeEvent, { ...at(id), query: { occurrence: `2026-06-${day}T07:00:00.000Z` } }),
        ),
      )
      expect(await june(owner)).toEqual(['A 01T09:00'])
    })

    test('is not changed by whoever saw an old one, and says what stands', async () => {
      await start()
      const { version } = await owner.call(routes.readEvent, at(id))
      const answers = await Promise.all(
        ['B', 'C'].map((title) => owner.answer(routes.updateEvent, { ...at(id), body: { title, version } })),
      )
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
      const refused = (await answers.find(({ status }) => status === 409)?.json()) as { current: CalendarEvent }
      const stands = await owner.call(routes.readEvent, at(id))
      expect(refused.current).toEqual(stands)
      expect(stands.version).toBe(version + 1)
      expect(await owner.refusal(routes.removeEvent, { ...at(id), query: { version } })).toMatchObject({
        code: 'conflict',
      })
    })
  })
})
