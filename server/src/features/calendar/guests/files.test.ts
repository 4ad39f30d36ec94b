import { accountDataRoutes } from '@atrium/contract/account-data'
import { calendarRoutes as routes, type CalendarEvent } from '@atrium/contract/calendar'
import { notificationsRoutes } from '@atrium/contract/notifications'
import { searchRoutes } from '@atrium/contract/search'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '../../../testing/app.ts'
import { type CalendarPeople, startCalendarPeople } from '../../../testing/calendar-people.ts'
import type { Client } from '../../../testing/client.ts'
import { usualDialects } from '../../../testing/databases.ts'

describe.each(usualDialects)('guests in calendar files (%s)', (dialect) => {
  let app: TestApp
  let ann: Client
  let ben: Client
  let cyd: Client
  let idOf: CalendarPeople['idOf']
  beforeAll(async () => {
    ;({ app, ann, ben, cyd, idOf } = await startCalendarPeople(dialect))
  })
  afterAll(() => app?.close())

  const june = { from: '2026-06-01T00:00:00Z', to: '2026-07-01T00:00:00Z' }
  const list = async (client: Client): Promise<CalendarEvent[]> =>
    (await client.call(routes.events, { query: june })).items
  const give = async (client: Client, calendarId?: string): Promise<string> =>
    unfolded(await (await client.call(routes.exportCalendar, { query: { calendarId } })).text())
  const unfolded = (text: string): string => text.replace(/\r\n /g, '')
  const take = (client: Client, text: string, calendarId?: string) =>
    client.call(routes.importCalendar, { query: { calendarId }, file: new Blob([text], { type: 'text/calendar' }) })
  /** Without what says when the file was written, and who has it. */
  const stable = (text: string): string => text.replace(/^(?:DTSTAMP|CREATED|LAST-MODIFIED|X-WR-CALNAME):.*\r\n/gm, '')
  const guestLines = (text: string): string[] =>
    [...text.matchAll(/^(?:ORGANIZER|ATTENDEE|RECURRENCE-ID).*$/gm)].map(([line]) => line.trim())
  const makeSeries = async (calendarId: string): Promise<string> =>
    (
      await ann.call(routes.createEvent, {
        body: {
          calendarId,
          title: 'Review',
          startLocal: '2026-06-01T09:00',
          endLocal: '2026-06-01T10:00',
          timeZone: 'UTC',
          recurrence: { kind: 'rule', rule: 'FREQ=DAILY;COUNT=3' },
          guests: [idOf(ben), idOf(cyd)],
        },
      })
    ).id
  const answer = (client: Client, eventId: string, body: { answer: 'yes' | 'no' | 'maybe'; occurrence?: string }) =>
    client.call(routes.answerInvitation, { params: { eventId }, body })
  const makeCalendar = async (client: Client): Promise<string> =>
    (await client.call(routes.createCalendar, { body: { name: 'Team' } })).id

  test('accounts are written with their answers, without an address to write to, and read again as the same', async () => {
    const calendarId = await makeCalendar(ann)
    const id = await makeSeries(calendarId)
    await answer(ben, id, { answer: 'yes' })
    await answer(ben, id, { answer: 'no', occurrence: '2026-06-02T09:00:00.000Z' })
    const out = await give(ann, calendarId)
    expect(guestLines(out)).toEqual([
      `ORGANIZER;CN=ann:urn:uuid:${idOf(ann)}`,
      `ATTENDEE;CN=ben;PARTSTAT=ACCEPTED;RSVP=TRUE:urn:uuid:${idOf(ben)}`,
      `ATTENDEE;CN=cyd;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:urn:uuid:${idOf(cyd)}`,
      'RECURRENCE-ID:20260602T090000Z',
      `ORGANIZER;CN=ann:urn:uuid:${idOf(ann)}`,
      `ATTENDEE;CN=ben;PARTSTAT=DECLINED;RSVP=TRUE:urn:uuid:${idOf(ben)}`,
      `ATTENDEE;CN=cyd;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:urn:uuid:${idOf(cyd)}`,
    ])
    expect(out).not.toMatch(/mailto|@example/i)

    // In another account they are names: nobody is invited by a file.
    const dee = await app.signUpUser()
    const inboxes = async () =>
      Promise.all([ben, cyd].map(async (one) => (await one.call(notificationsRoutes.list, { query: {} })).items.length))
    const before = await inboxes()
    const theirs = await makeCalendar(dee)
    expect(await take(dee, out, theirs)).toMatchObject({ imported: 1, skippedCount: 0 })
    expect(await inboxes()).toEqual(before)
    expect((await list(dee)).map(({ guests, fileGuests, organizer }) => ({ guests, fileGuests, organizer }))).toEqual(
      (['yes', 'no', 'yes'] as const).map((said) => ({
        guests: [],
        fileGuests: [
          { name: 'ben', answer: said },
          { name: 'cyd', answer: 'waiting' },
        ],
        organizer: 'ann',
      })),
    )
    expect(stable(await give(dee, theirs))).toBe(stable(out))
    expect((await list(ben)).filter(({ shared }) => shared?.ownerName !== 'ann')).toEqual([])

    // At home they stay guests, each of them once, and their answers are theirs.
    expect(await take(ann, out, calendarId)).toMatchObject({ imported: 0, updated: 1 })
    for (const event of await list(ann))
      expect(event).toMatchObject({ fileGuests: [], organizer: null, changed: false })
    expect((await list(ann)).map(({ guests }) => guests.map((guest) => guest.answer))).toEqual([
      ['yes', 'waiting'],
      ['no', 'waiting'],
      ['yes', 'waiting'],
    ])
    expect(stable(await give(ann, calendarId)).replace(/^SEQUENCE:.*$/gm, '')).toBe(
      stable(out).replace(/^SEQUENCE:.*$/gm, ''),
    )
    await ann.call(routes.removeEvent, { params: { eventId: id }, query: {} })
  })

  test('who has no account is shown by name, with the answer, and changes here leave them in the file', async () => {
    const eve = await app.signUpUser()
    const file = [
      ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'BEGIN:VEVENT', 'UID:meet@x', 'DTSTART:20260610T080000Z', 'SUMMARY:Meet'],
      'ORGANIZER;CN=Head of things:mailto:head@example.org',
      'ATTENDEE;CN="Doe, Jane";PARTSTAT=ACCEPTED:mailto:jane@example.org',
      'ATTENDEE;PARTSTAT=TENTATIVE:mailto:kim@example.org',
      'ATTENDEE;CN=Evil \u202e<b>name</b>;PARTSTAT=NONSENSE:mailto:e@example.org',
      ...['END:VEVENT', 'END:VCALENDAR', ''],
    ].join('\r\n')
    await take(eve, file)
    const [event] = await list(eve)
    expect(event).toMatchObject({
      organizer: 'Head of things',
      fileGuests: [
        { name: 'Doe, Jane', answer: 'yes' },
        { name: 'kim@example.org', answer: 'maybe' },
        { name: 'Evil <b>name</b>', answer: 'waiting' },
      ],
      guests: [],
      answer: null,
    })
    await eve.call(routes.updateEvent, { params: { eventId: event?.id ?? '' }, query: {}, body: { title: 'Met' } })
    const out = await give(eve)
    for (const line of file.split('\r\n').filter((each) => each.startsWith('ATTENDEE'))) expect(out).toContain(line)
    const found = async (q: string) =>
      (await eve.call(searchRoutes.everything, { query: { q } })).items.map(({ title }) => title)
    for (const q of ['in:calendar jane', 'in:calendar head', 'met kim']) expect(await found(q), q).toEqual(['Met'])
  })

  test('events are found by the names of guests, by their owner and by who is invited, and by nobody else', async () => {
    const calendarId = await makeCalendar(ann)
    const id = await makeSeries(calendarId)
    const found = async (client: Client, q: string) =>
      (await client.call(searchRoutes.everything, { query: { q } })).items.map((hit) => hit.id)
    for (const client of [ann, ben, cyd]) {
      expect(await found(client, 'in:calendar ben')).toEqual([id])
      expect(await found(client, 'in:events review cyd')).toEqual([id])
    }
    expect(await found(await app.signUpUser(), 'in:calendar ben')).toEqual([])
    expect(await found(ben, 'in:team ben')).toEqual([])
    await ann.call(routes.updateEvent, { params: { eventId: id }, query: {}, body: { guests: [idOf(cyd)] } })
    for (const client of [ann, ben, cyd]) expect(await found(client, 'in:calendar ben')).toEqual([])
    expect(await found(ben, 'in:calendar review')).toEqual([])
    await ann.call(routes.removeEvent, { params: { eventId: id }, query: {} })
    expect(await found(cyd, 'in:calendar review')).toEqual([])
  })

  test('the export of an account tells who is invited, and has a file of its own for invitations', async () => {
    const calendarId = await makeCalendar(ann)
    const id = await makeSeries(calendarId)
    await answer(cyd, id, { answer: 'maybe' })
    const exportOf = async (client: Client): Promise<Map<string, string>> => {
      const { id: exportId } = await client.call(accountDataRoutes.exportOwn, {})
      const state = async () => (await client.call(accountDataRoutes.ownExports, {})).items[0]?.state
      await expect.poll(state).toBe('ready')
      const blob = await client.call(accountDataRoutes.ownExport, { params: { id: exportId } })
      const files = Object.entries(unzipSync(new Uint8Array(await blob.arrayBuffer())))
      return new Map(files.map(([name, bytes]) => [name, unfolded(strFromU8(bytes))]))
    }
    const own = await exportOf(ann)
    expect([...own.values()].filter((text) => text.includes('ATTENDEE;CN=cyd;PARTSTAT=TENTATIVE'))).toHaveLength(1)
    expect(own.has('calendars/invitations.ics')).toBe(false)
    const theirs = await exportOf(cyd)
    expect(theirs.get('calendars/invitations.ics')).toContain('ATTENDEE;CN=cyd;PARTSTAT=TENTATIVE')
    expect(theirs.get('calendars/events.ics')).not.toContain('Review')
    await ann.call(routes.removeEvent, { params: { eventId: id }, query: {} })
  })

  test('programs that follow a calendar read anew what a guest answered', async () => {
    const calendarId = await makeCalendar(ann)
    const id = await makeSeries(calendarId)
    const { path } = await ann.call(routes.createFeed, { params: { calendarId, content: 'all' } })
    const busy = await ann.call(routes.createFeed, { params: { calendarId, content: 'busy' } })
    const read = async (address: string, etag = '') => {
      const response = await fetch(`${app.url}${address}`, { headers: { 'if-none-match': etag } })
      return {
        status: response.status,
        etag: response.headers.get('etag') ?? '',
        text: unfolded(await response.text()),
      }
    }
    const first = await read(path)
    expect(first.text).toContain('ATTENDEE;CN=ben;PARTSTAT=NEEDS-ACTION')
    expect((await read(path, first.etag)).status).toBe(304)
    await answer(ben, id, { answer: 'no' })
    const second = await read(path, first.etag)
    expect(second.text).toContain('ATTENDEE;CN=ben;PARTSTAT=DECLINED')
    expect((await read(busy.path)).text).not.toMatch(/ATTENDEE|ORGANIZER|ben/)
    await ann.call(routes.removeEvent, { params: { eventId: id }, query: {} })
  })
})
