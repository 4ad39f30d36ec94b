import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { accessRoutes } from '@atrium/contract/access'
import { accountsRoutes } from '@atrium/contract/accounts'
import { calendarRoutes as routes, type CalendarEvent } from '@atrium/contract/calendar'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type TestApp, startTestApp } from '../../../testing/app.ts'
import type { Client } from '../../../testing/client.ts'

const lines = (...all: string[]): string => `${all.join('\r\n')}\r\n`
const calendar = (...inner: string[]): string => lines('BEGIN:VCALENDAR', 'VERSION:2.0', ...inner, 'END:VCALENDAR')
const event = (uid: string, ...inner: string[]): string[] => ['BEGIN:VEVENT', `UID:${uid}`, ...inner, 'END:VEVENT']
const file = (text: string): Blob => new Blob([text], { type: 'text/calendar' })

describe('a calendar file', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
    await app.signUpAdmin()
  })
  afterAll(() => app?.close())

  const take = (client: Client, text: string, calendarId?: string) =>
    client.call(routes.importCalendar, { query: { calendarId }, file: file(text) })
  const give = async (client: Client, calendarId?: string): Promise<string> =>
    (await client.call(routes.exportCalendar, { query: { calendarId } })).text()
  const list = async (client: Client, from = '2026-01-01', to = '2026-12-31'): Promise<CalendarEvent[]> =>
    (await client.call(routes.events, { query: { from: `${from}T00:00:00Z`, to: `${to}T00:00:00Z` } })).items
  const starts = async (client: Client) =>
    (await list(client)).map(({ title, startAt }) => `${title} ${startAt.slice(0, 16)}`)
  /** Without what says when the file was written. */
  const stable = (text: string) => text.replace(/^(?:DTSTAMP|CREATED|LAST-MODIFIED):.*\r\n/gm, '')

  const rich = calendar(
    ...event(
      'series@elsewhere',
      'DTSTART;TZID=Europe/Berlin:20260302T090000',
      'DTEND;TZID=Europe/Berlin:20260302T100000',
      'RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=6;BYDAY=MO',
      // Written in another zone, and meant for the 16th.
      'EXDATE;TZID=America/New_York:20260316T040000',
      'RDATE;TZID=Europe/Berlin:20260305T120000',
      `SUMMARY:Überlange Besprechung\\, mit Semikolon\\; und ${'ö'.repeat(80)}`,
      'DESCRIPTION:First line\\nSecond <b>line</b>',
      'LOCATION:Room 5',
      'CATEGORIES:WORK,TEAM',
      'ATTENDEE;CN="Doe, Jane";PARTSTAT=ACCEPTED:mailto:jane@example.org',
      'X-ELSEWHERE-THING;X-P=1:kept\\;as it is',
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      'TRIGGER:-PT15M',
      'DESCRIPTION:x',
      'END:VALARM',
    ),
    ...event(
      'series@elsewhere',
      'RECURRENCE-ID;TZID=America/New_York:20260330T030000',
      'DTSTART;TZID=Europe/Berlin:20260331T110000',
      'DTEND;TZID=Europe/Berlin:20260331T113000',
      'SUMMARY:Moved',
    ),
    ...event('day@elsewhere', 'DTSTART;VALUE=DATE:20260401', 'DTEND;VALUE=DATE:20260403', 'SUMMARY:Two days'),
    ...event('floating@elsewhere', 'DTSTART:20260405T080000', 'DURATION:PT45M', 'SUMMARY:Wake up', 'STATUS:TENTATIVE'),
    ...event('utc@elsewhere', 'DTSTART:20260406T080000Z', 'SUMMARY:Instant'),
  )

  test('is taken in whole, and comes out again as it was', async () => {
    const [ann, ben] = [await app.signUpUser(), await app.signUpUser()]
    expect(await take(ann, rich)).toEqual({ imported: 4, updated: 0, skipped: [], skippedCount: 0, unknownZones: [] })
    expect((await starts(ann)).map((one) => one.replace(/ber.*ö/, ''))).toEqual([
      'Ü 2026-03-02T08:00',
      'Ü 2026-03-05T11:00',
      'Moved 2026-03-31T09:00',
      'Two days 2026-04-01T00:00',
      'Wake up 2026-04-05T08:00',
      'Instant 2026-04-06T08:00',
      'Ü 2026-04-13T07:00',
      'Ü 2026-04-27T07:00',
      'Ü 2026-05-11T07:00',
    ])
    const [first] = await list(ann)
    expect(first).toMatchObject({ place: 'Room 5', notes: 'First line\nSecond <b>line</b>', reminders: [15] })

    const out = await give(ann)
    expect(out.split('\r\n').every((line) => new TextEncoder().encode(line).byteLength <= 75)).toBe(true)
    expect(out.match(/^BEGIN:VTIMEZONE/gm)).toHaveLength(1)
    for (const kept of ['CATEGORIES:WORK,TEAM', 'X-ELSEWHERE-THING;X-P=1:kept\\;as it is', 'TRIGGER:-PT15M'])
      expect(out).toContain(kept)
    expect(out.replace(/\r\n /g, '')).toContain('ATTENDEE;CN="Doe, Jane";PARTSTAT=ACCEPTED:mailto:jane@example.org')
    expect(await take(ben, out)).toMatchObject({ imported: 4, skippedCount: 0 })
    expect(stable(await give(ben))).toBe(stable(out))
    expect(await starts(ben)).toEqual(await starts(ann))
  })

  test('changes own events by their UIDs, and never those of others', async () => {
    const [ann, ben] = [await app.signUpUser(), await app.signUpUser()]
    const one = calendar(...event('a@x', 'DTSTART:20260406T080000Z', 'SUMMARY:First'))
    await take(ann, one)
    await take(ben, one)
    const changed = one.replace('First', 'Second')
    expect(await take(ann, changed)).toMatchObject({ imported: 0, updated: 1 })
    expect(await starts(ann)).toEqual(['Second 2026-04-06T08:00'])
    expect(await starts(ben)).toEqual(['First 2026-04-06T08:00'])

    // Whoever may write to one calendar of somebody changes nothing in the others.
    const { id: calendarId } = await ann.call(routes.createCalendar, { body: { name: 'Shared' } })
    const { id: principalId } = await ben.call(accountsRoutes.me, {})
    const grant = { resourceType: 'calendar', resourceId: calendarId, principalType: 'account', principalId } as const
    await ann.call(accessRoutes.grant, { body: { ...grant, right: 'read' } })
    const refused = { query: { calendarId }, file: file(changed) }
    expect(await ben.refusal(routes.importCalendar, refused)).toMatchObject({ code: 'right_missing' })
    await ann.call(accessRoutes.grant, { body: { ...grant, right: 'write' } })
    expect(await take(ben, one.replace('First', 'Third'), calendarId)).toMatchObject({ imported: 1, updated: 0 })
    expect((await starts(ann)).toSorted()).toEqual(['Second 2026-04-06T08:00', 'Third 2026-04-06T08:00'])
    expect(await give(ben, calendarId)).toContain('SUMMARY:Third')
    expect(await give(ben, calendarId)).not.toContain('SUMMARY:Second')
  })

  test('says of every entry that it leaves out why, and takes the others', async () => {
    const ann = await app.signUpUser()
    const report = await take(
      ann,
      calendar(
        ...event('good@x', 'DTSTART:20260406T080000Z', 'SUMMARY:Good'),
        ...event('none@x', 'SUMMARY:No start'),
        ...event('second@x', 'DTSTART:20260406T080000Z', 'RRULE:FREQ=SECONDLY', 'SUMMARY:By the second'),
        ...event('two@x', 'DTSTART:20260406T080000Z', 'RRULE:FREQ=DAILY', 'RRULE:FREQ=WEEKLY', 'SUMMARY:Two rules'),
        ...event('long@x', 'DTSTART:20260406T080000Z', 'DTEND:20290406T080000Z', 'SUMMARY:Long'),
        ...event('back@x', 'DTSTART:20260406T080000Z', 'DTEND:20260405T080000Z', 'SUMMARY:Backwards'),
        ...event('alone@x', 'RECURRENCE-ID:20260406T080000Z', 'DTSTART:20260406T080000Z', 'SUMMARY:Alone'),
        ...['BEGIN:VTODO', 'UID:todo@x', 'SUMMARY:Task', 'END:VTODO'],
      ),
    )
    expect(report).toMatchObject({ imported: 1, skippedCount: 7 })
    expect(Object.fromEntries(report.skipped.map(({ title, reason }) => [title, reason]))).toEqual({
      'No start': 'no_start',
      'By the second': 'bad_rule',
      'Two rules': 'bad_rule',
      Long: 'too_long',
      Backwards: 'bad_time',
      Alone: 'no_series',
      Task: 'not_an_event',
    })
    expect(await starts(ann)).toEqual(['Good 2026-04-06T08:00'])
  })

  test('is words and times: nothing in it is fetched, run, expanded or mailed', async () => {
    const asked: string[] = []
    const stranger = createServer((request, response) => {
      asked.push(request.url ?? '')
      response.end()
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void stranger.close())
    await once(stranger, 'listening')
    const url = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`
    const entity = '<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e\\;</a>'
    const ann = await app.signUpUser()
    const hostile = calendar(
      ...event(
        'hostile@x',
        'DTSTART:20260406T080000Z',
        `SUMMARY:${entity}`,
        'DESCRIPTION:<script>alert(1)</script><img src=x onerror=alert(2)>',
        'URL:javascript:alert(3)',
        `ATTACH:${url}/attached`,
        'ATTACH:file:///etc/passwd',
        `IMAGE;VALUE=URI:${url}/image`,
        `CONFERENCE;VALUE=URI:${url}/conference`,
        `ORGANIZER;DIR="${url}/directory":mailto:boss@example.org`,
        'ATTENDEE;RSVP=TRUE:mailto:guest@example.org',
        ...['BEGIN:VALARM', 'ACTION:EMAIL', 'ATTENDEE:mailto:guest@example.org', 'TRIGGER:PT0S', 'END:VALARM'],
        ...['BEGIN:VALARM', 'ACTION:AUDIO', `ATTACH:${url}/sound`, 'TRIGGER:PT0S', 'END:VALARM'],
      ),
    )
    expect(await take(ann, hostile)).toMatchObject({ imported: 1, skippedCount: 0 })
    const [found] = await list(ann)
    expect(found).toMatchObject({
      title: '<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e;</a>',
      notes: '<script>alert(1)</script><img src=x onerror=alert(2)>',
      link: '',
    })
    expect((await give(ann)).replace(/\r\n /g, '')).toContain(`SUMMARY:${entity}`)
    expect(asked).toEqual([])
  })

  test('that is damaged changes nothing', async () => {
    const ann = await app.signUpUser()
    for (const text of [
      '',
      'hello',
      rich.slice(0, -40),
      rich.replace('VERSION:2.0', 'BROKEN LINE'),
      '<?xml version="1.0"?>',
    ])
      expect(await ann.refusal(routes.importCalendar, { query: {}, file: file(text) })).toMatchObject({
        status: 422,
        code: 'calendar_damaged',
      })
    expect(await list(ann)).toEqual([])
    expect(await ann.refusal(routes.importCalendar, { query: { calendarId: 'x' }, file: file(rich) })).toMatchObject({
      code: 'calendar_not_found',
    })
  })

  test('names zones in many ways, and what nobody knows floats and is told', async () => {
    const ann = await app.signUpUser()
    const named = (n: number, tzid: string) => event(`${n}@x`, `DTSTART;TZID="${tzid}":20260706T080000`, `SUMMARY:${n}`)
    const custom = [
      ...['BEGIN:VTIMEZONE', 'TZID:Customized', 'BEGIN:STANDARD', 'DTSTART:19701101T020000', 'TZOFFSETFROM:-0400'],
      ...['TZOFFSETTO:-0500', 'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU', 'END:STANDARD', 'BEGIN:DAYLIGHT'],
      ...['DTSTART:19700308T020000', 'TZOFFSETFROM:-0500', 'TZOFFSETTO:-0400', 'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU'],
      ...['END:DAYLIGHT', 'END:VTIMEZONE'],
    ]
    const names = [
      'europe/berlin',
      '/freeassociation.sourceforge.net/Tzfile/Europe/Berlin',
      'W. Europe Standard Time',
      '(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna',
      'Western/Central Europe',
      'Customized',
      'Nowhere at all',
    ]
    const report = await take(ann, calendar(...custom, ...names.flatMap((tzid, n) => named(n, tzid))))
    expect(report).toMatchObject({ imported: names.length, unknownZones: ['Nowhere at all'] })
    const byTitle = new Map((await list(ann)).map((one) => [one.title, one]))
    for (const n of [0, 1, 2, 3, 4]) expect(byTitle.get(`${n}`)?.startAt).toBe('2026-07-06T06:00:00.000Z')
    expect(byTitle.get('5')?.startAt).toBe('2026-07-06T12:00:00.000Z')
    expect(byTitle.get('6')).toMatchObject({ timeZone: null, startLocal: '2026-07-06T08:00:00' })
  })

  test('moves what follows where an entry says so', async () => {
    const ann = await app.signUpUser()
    const series = calendar(
      ...event('f@x', 'DTSTART;TZID=Europe/Berlin:20260601T090000', 'RRULE:FREQ=WEEKLY;COUNT=4', 'SUMMARY:A'),
      ...event(
        'f@x',
        'RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20260615T090000',
        'DTSTART;TZID=Europe/Berlin:20260616T100000',
        'SUMMARY:B',
      ),
    )
    const expected = ['A 2026-06-01T07:00', 'A 2026-06-08T07:00', 'B 2026-06-16T08:00', 'B 2026-06-23T08:00']
    expect(await take(ann, series)).toMatchObject({ imported: 2, skippedCount: 0 })
    expect(await starts(ann)).toEqual(expected)
    expect(await take(ann, series)).toMatchObject({ imported: 0, updated: 2 })
    expect(await starts(ann)).toEqual(expected)
  })
})
