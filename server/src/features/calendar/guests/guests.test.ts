import { accessRoutes } from '@atrium/contract/access'
import { calendarRoutes as routes, type CalendarEvent } from '@atrium/contract/calendar'
import { notificationsRoutes } from '@atrium/contract/notifications'
import { trashRoutes } from '@atrium/contract/trash'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '../../../testing/app.ts'
import { type CalendarPeople, startCalendarPeople } from '../../../testing/calendar-people.ts'
import type { Client } from '../../../testing/client.ts'
import { usualDialects } from '../../../testing/databases.ts'

describe.each(usualDialects)('guests of events (%s)', (dialect) => {
  let app: TestApp
  let ann: Client
  let ben: Client
  let cyd: Client
  let idOf: CalendarPeople['idOf']
  let signUp: CalendarPeople['signUp']
  beforeAll(async () => {
    ;({ app, ann, ben, cyd, idOf, signUp } = await startCalendarPeople(dialect))
  })
  afterAll(() => app?.close())

  const at = (eventId: string) => ({ params: { eventId } })
  const make = (body: object, guests: readonly Client[]): Promise<CalendarEvent> =>
    ann.call(routes.createEvent, {
      body: {
        title: 'Review',
        startLocal: '2026-06-01T09:00',
        endLocal: '2026-06-01T10:00',
        timeZone: 'Europe/Berlin',
        guests: guests.map(idOf),
        ...body,
      },
    })
  const daily = { recurrence: { kind: 'rule' as const, rule: 'FREQ=DAILY;COUNT=4' } }
  const june = { from: '2026-06-01T00:00:00Z', to: '2026-07-01T00:00:00Z' }
  const seen = async (client: Client, eventId: string) =>
    (await client.call(routes.events, { query: june })).items.filter(
      ({ id, baseEventId }) => (baseEventId ?? id) === eventId,
    )
  /** What an account was told of an event, newest first. */
  const told = async (client: Client, eventId: string): Promise<string[]> =>
    (await client.call(notificationsRoutes.list, { query: {} })).items.flatMap(({ kind, facts, readAt }) => {
      if (kind !== 'event-invitation' && kind !== 'guest-answer') return []
      if (facts.eventId !== eventId) return []
      const what = kind === 'guest-answer' ? facts.answer : facts.change
      return [`${facts.by}: ${what}${facts.occurrence === null ? '' : ` ${facts.occurrence}`}${readAt ? ', read' : ''}`]
    })
  const answer = (client: Client, eventId: string, body: { answer: 'yes' | 'no' | 'maybe'; occurrence?: string }) =>
    client.call(routes.answerInvitation, { ...at(eventId), body })

  test('are told, see the event without a right to its calendar, and their owner is told what they answer', async () => {
    const { id: calendarId } = await ann.call(routes.createCalendar, { body: { name: 'Private' } })
    const { id, guests } = await make({ calendarId }, [ben, cyd])
    expect(guests.map(({ name, answer: said }) => [name, said])).toEqual([
      ['ben', 'waiting'],
      ['cyd', 'waiting'],
    ])
    expect(await told(ben, id)).toEqual(['ann: invited'])
    expect(await seen(ben, id)).toMatchObject([
      { title: 'Review', calendarId: null, answer: 'waiting', shared: { ownerName: 'ann', right: 'read' } },
    ])
    expect((await ben.call(routes.calendars, {})).items).toEqual([])
    expect((await ben.refusal(routes.events, { query: { ...june, calendarId } })).code).toBe('calendar_not_found')

    expect(await answer(ben, id, { answer: 'maybe' })).toMatchObject({ answer: 'maybe' })
    expect(await told(ann, id)).toEqual(['ben: maybe'])
    expect(await told(ben, id)).toEqual(['ann: invited, read'])
    await answer(ben, id, { answer: 'yes' })
    expect(await told(ann, id)).toEqual(['ben: yes'])
    expect((await ann.call(routes.readEvent, { ...at(id), query: {} })).guests).toMatchObject([
      { id: idOf(ben), answer: 'yes' },
      { id: idOf(cyd), answer: 'waiting' },
    ])
  })

  test('answer for a series, and for one occurrence of it', async () => {
    const { id } = await make(daily, [ben])
    await answer(ben, id, { answer: 'yes' })
    await answer(ben, id, { answer: 'no', occurrence: '2026-06-02T07:00:00.000Z' })
    expect((await seen(ben, id)).map((event) => event.answer)).toEqual(['yes', 'no', 'yes', 'yes'])
    expect((await seen(ann, id)).map((event) => event.guests[0]?.answer)).toEqual(['yes', 'no', 'yes', 'yes'])
    expect(await told(ann, id)).toEqual(['ben: no 2026-06-02T07:00:00.000Z', 'ben: yes'])
    const occurrence = '2026-06-02T08:00:00.000Z'
    const nowhere = await ben.refusal(routes.answerInvitation, { ...at(id), body: { answer: 'no', occurrence } })
    expect(nowhere.code).toBe('occurrence_not_found')
    // The series is one event: who answers to all of it answers to each.
    await answer(ben, id, { answer: 'maybe' })
    expect(new Set((await seen(ben, id)).map((event) => event.answer))).toEqual(new Set(['maybe']))
  })

  test('are told of what is changed and called off, and of nothing else', async () => {
    const { id } = await make({}, [ben])
    await ann.call(routes.updateEvent, { ...at(id), query: {}, body: { notes: 'Bring slides' } })
    expect(await told(ben, id)).toEqual(['ann: invited'])
    await ann.call(routes.updateEvent, { ...at(id), query: {}, body: { startLocal: '2026-06-01T11:00' } })
    expect(await told(ben, id)).toEqual(['ann: changed'])
    await ann.call(routes.removeEvent, { ...at(id), query: {} })
    expect(await told(ben, id)).toEqual(['ann: cancelled'])
    expect((await ben.refusal(routes.readEvent, { ...at(id), query: {} })).code).toBe('event_not_found')
    await ann.call(trashRoutes.restore, { params: { id } })
    expect(await told(ben, id)).toEqual(['ann: invited'])
    expect(await seen(ben, id)).toHaveLength(1)
  })

  test('who is taken off is told, and sees nothing from then on', async () => {
    const { id, version } = await make({}, [ben, cyd])
    await ann.call(routes.updateEvent, { ...at(id), query: {}, body: { guests: [idOf(cyd)], version } })
    expect(await told(ben, id)).toEqual(['ann: cancelled'])
    expect(await told(cyd, id)).toEqual(['ann: invited'])
    expect(await seen(ben, id)).toEqual([])
    for (const refused of [
      await ben.refusal(routes.readEvent, { ...at(id), query: {} }),
      await ben.refusal(routes.answerInvitation, { ...at(id), body: { answer: 'yes' } }),
      await ben.refusal(routes.updateOwn, { ...at(id), body: { reminders: [5] } }),
    ])
      expect(refused).toMatchObject({ status: 404, code: 'event_not_found' })
  })

  test('stay with both parts of a series that is cut in two, with what they answered', async () => {
    const { id } = await make(daily, [ben])
    await answer(ben, id, { answer: 'yes' })
    await answer(ben, id, { answer: 'no', occurrence: '2026-06-04T07:00:00.000Z' })
    const rest = await ann.call(routes.updateEvent, {
      ...at(id),
      query: { occurrence: '2026-06-03T07:00:00.000Z', scope: 'following' },
      body: { place: 'Room 4' },
    })
    expect((await seen(ben, id)).map((event) => event.answer)).toEqual(['yes', 'yes'])
    expect((await seen(ben, rest.baseEventId ?? rest.id)).map((event) => event.answer)).toEqual(['yes', 'no'])
    expect(await told(ben, rest.baseEventId ?? rest.id)).toEqual(['ann: changed'])
  })

  test('change nothing but what is their own, and are no more than who was invited', async () => {
    const { id } = await make(daily, [ben])
    const body = { title: 'Mine' }
    expect((await ben.refusal(routes.updateEvent, { ...at(id), query: {}, body })).code).toBe('right_missing')
    expect((await ben.refusal(routes.removeEvent, { ...at(id), query: {} })).code).toBe('right_missing')
    expect((await cyd.refusal(routes.answerInvitation, { ...at(id), body: { answer: 'yes' } })).status).toBe(404)
    expect((await ann.refusal(routes.answerInvitation, { ...at(id), body: { answer: 'yes' } })).code).toBe(
      'not_invited',
    )
    const change = (guests: string[], query: object) =>
      ann.refusal(routes.updateEvent, { ...at(id), query, body: { guests } })
    expect((await change(['nobody'], {})).code).toBe('guest_unknown')
    const one = { occurrence: '2026-06-02T07:00:00.000Z', scope: 'this' }
    expect((await change([idOf(cyd)], one)).code).toBe('occurrence_guests')
    // Its owner is none of its guests.
    expect((await make({}, [ann])).guests).toEqual([])
  })

  test('and readers of a calendar have reminders and a color of their own', async () => {
    const { id: calendarId } = await ann.call(routes.createCalendar, { body: { name: 'Team' } })
    const whom = { principalType: 'account', principalId: idOf(cyd), right: 'read' } as const
    await ann.call(accessRoutes.grant, { body: { resourceType: 'calendar', resourceId: calendarId, ...whom } })
    const { id } = await make({ calendarId, color: '#111111', reminders: [5] }, [ben])
    for (const [client, color] of [
      [ben, '#222222'],
      [cyd, '#333333'],
    ] as const) {
      await client.call(routes.updateOwn, { ...at(id), body: { reminders: [30, 10], color } })
      expect(await seen(client, id)).toMatchObject([{ color, reminders: [10, 30] }])
    }
    expect(await seen(ann, id)).toMatchObject([{ color: '#111111', reminders: [5] }])
    await ben.call(routes.updateOwn, { ...at(id), body: { color: null } })
    expect(await seen(ben, id)).toMatchObject([{ color: '#111111' }])
  })

  test('when others are busy is told without a title, and when all of them are free', async () => {
    const [dee, eve] = [await signUp('dee'), await signUp('eve')]
    const plan = (client: Client, startLocal: string, endLocal: string, more: object = {}) =>
      client.call(routes.createEvent, {
        body: { title: 'Secret talks', startLocal, endLocal, timeZone: 'UTC', ...more },
      })
    await plan(dee, '2026-07-01T09:00', '2026-07-01T11:00')
    await plan(dee, '2026-07-01T11:00', '2026-07-01T12:00', { status: 'cancelled' })
    await plan(eve, '2026-07-01T10:30', '2026-07-01T14:00')
    const { id } = await plan(ann, '2026-07-01T15:00', '2026-07-01T16:00', { guests: [idOf(eve)] })
    const range = { from: '2026-07-01T00:00:00Z', to: '2026-07-02T00:00:00Z', timeZone: 'UTC' }
    const query = { ...range, accounts: idOf(eve), minutes: 60 }
    const ask = async () => {
      const answered = await dee.call(routes.freeBusy, { query })
      expect(JSON.stringify(answered)).not.toContain('Secret')
      const times = (spans: readonly { startAt: string; endAt: string }[]) =>
        spans.map(({ startAt, endAt }) => `${startAt.slice(11, 16)}-${endAt.slice(11, 16)}`)
      return { busy: answered.items.map(({ busy }) => times(busy)), free: times(answered.free) }
    }
    expect(await ask()).toEqual({
      busy: [['09:00-11:00'], ['10:30-14:00']],
      free: ['14:00-15:00', '16:00-17:00'],
    })
    // Whoever said yes is busy then.
    await answer(eve, id, { answer: 'yes' })
    expect((await ask()).busy[1]).toEqual(['10:30-14:00', '15:00-16:00'])
    const refused = async (more: object) => (await dee.refusal(routes.freeBusy, { query: { ...query, ...more } })).code
    expect(await refused({ accounts: 'nobody' })).toBe('guest_unknown')
    expect(await refused({ to: '2026-06-30T00:00:00Z' })).toBe('range_invalid')
    expect(await refused({ fromHour: 18, toHour: 9 })).toBe('range_invalid')
  })
})
