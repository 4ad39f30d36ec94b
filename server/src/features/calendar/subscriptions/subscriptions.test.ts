import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { calendarRoutes as routes } from '@atrium/contract/calendar'
import { durableJobsRoutes } from '@atrium/contract/durable-jobs'
import { searchRoutes } from '@atrium/contract/search'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../../../testing/app.ts'
import type { Client } from '../../../testing/client.ts'
import { realClock } from '../../../testing/clock.ts'

const lines = (...all: string[]): string => `${all.join('\r\n')}\r\n`
const event = (uid: string, title: string, ...more: string[]): string[] => [
  'BEGIN:VEVENT',
  `UID:${uid}@elsewhere`,
  'DTSTART:20261201T090000Z',
  'DTEND:20261201T100000Z',
  `SUMMARY:${title}`,
  ...more,
  'END:VEVENT',
]
const file = (...events: string[][]): string =>
  lines('BEGIN:VCALENDAR', 'VERSION:2.0', 'X-WR-CALNAME:Team\\, all', ...events.flat(), 'END:VCALENDAR')

describe('a calendar that follows an address', () => {
  let app: TestApp
  let admin: Client
  let elsewhere: Server
  let origin: string
  let shift = 0
  /** What the other server says, by path. */
  const said = new Map<string, { readonly status?: number; readonly body: string }>()
  beforeAll(async () => {
    elsewhere = createServer((request, response) => {
      const { status = 200, body } = said.get(request.url ?? '') ?? { status: 404, body: '' }
      response.writeHead(status, { 'content-type': 'text/calendar' }).end(body)
    })
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
    const address = `127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
    origin = `http://${address}`
    const clock = { ...realClock, now: () => realClock.now() + shift }
    const env = { OUTBOUND_ALLOW: address, SESSION_DAYS: '365', SESSION_IDLE_HOURS: '8760' }
    app = await startTestApp({ env, overrides: { clock } })
    admin = await app.signUpAdmin()
  })
  afterAll(async () => {
    await app?.close()
    elsewhere?.close()
  })

  const list = async (client: Client, calendarId?: string) => {
    const query = { from: '2026-11-01T00:00:00Z', to: '2027-01-01T00:00:00Z', ...(calendarId ? { calendarId } : {}) }
    return (await client.call(routes.events, { query })).items
  }
  const titles = async (client: Client) => (await list(client)).map(({ title }) => title).toSorted()
  const read = async (client: Client, id: string) =>
    (await client.call(routes.calendars, {})).items.find((calendar) => calendar.id === id)
  const follow = (client: Client, path: string, body = file(event('a', 'Standup'), event('b', 'Party'))) => {
    said.set(path, { body })
    return client.call(routes.subscribe, { body: { url: `${origin}${path}` } })
  }

  test('has the events that stand there, under its own name, and they are found', async () => {
    const ann = await app.signUpUser()
    const calendar = await follow(ann, '/first.ics')
    expect(calendar).toMatchObject({
      name: 'Team, all',
      subscription: { host: new URL(origin).host, refreshedAt: expect.any(String), failure: null },
    })
    expect(await titles(ann)).toEqual(['Party', 'Standup'])
    expect((await list(ann)).every(({ subscribed }) => subscribed)).toBe(true)
    const found = await ann.call(searchRoutes.everything, { query: { q: 'standup' } })
    expect(found.items.map(({ kind }) => kind)).toEqual(['calendar-event'])
  })

  test('takes over what came, changed or went there, and keeps what it is called there apart from own events', async () => {
    const ann = await app.signUpUser()
    await ann.call(routes.importCalendar, { query: {}, file: new Blob([file(event('a', 'My own'))]) })
    const { id } = await follow(ann, '/changing.ics')
    expect(await titles(ann)).toEqual(['My own', 'Party', 'Standup'])
    const before = (await list(ann, id)).find(({ title }) => title === 'Standup')
    said.set('/changing.ics', { body: file(event('a', 'Standup, moved'), event('c', 'New')) })
    const { subscription } = await ann.call(routes.refreshSubscription, { params: { calendarId: id } })
    expect(subscription?.failure).toBeNull()
    expect(await titles(ann)).toEqual(['My own', 'New', 'Standup, moved'])
    const after = (await list(ann, id)).find(({ title }) => title === 'Standup, moved')
    expect(after?.id).toBe(before?.id)
    // The same file again by hand changes nothing in it.
    await ann.call(routes.importCalendar, { query: {}, file: new Blob([file(event('c', 'Mine, too'))]) })
    expect(await titles(ann)).toEqual(['Mine, too', 'My own', 'New', 'Standup, moved'])
  })

  test('cannot be changed here: only reminders are each reader’s own', async () => {
    const ann = await app.signUpUser()
    const { id: calendarId } = await follow(ann, '/fixed.ics')
    const [one] = await list(ann, calendarId)
    const eventId = one?.id ?? ''
    const own = await ann.call(routes.createEvent, { body: { title: 'Own', startDate: '2026-12-02' } })
    const refusals = await Promise.all([
      ann.refusal(routes.createEvent, { body: { calendarId, title: 'x', startDate: '2026-12-02' } }),
      ann.refusal(routes.updateEvent, { params: { eventId }, body: { title: 'x' } }),
      ann.refusal(routes.updateEvent, { params: { eventId }, body: { calendarId: null } }),
      ann.refusal(routes.updateEvent, { params: { eventId: own.id }, body: { calendarId } }),
      ann.refusal(routes.removeEvent, { params: { eventId } }),
      ann.refusal(routes.importCalendar, { query: { calendarId }, file: new Blob([file()]) }),
    ])
    expect(refusals.map(({ code }) => code)).toEqual(refusals.map(() => 'calendar_subscribed'))
    const reminded = await ann.call(routes.updateEvent, { params: { eventId }, body: { reminders: [10] } })
    expect(reminded.reminders).toEqual([10])
    const renamed = await ann.call(routes.updateCalendar, { params: { calendarId }, body: { name: 'Crew' } })
    expect(renamed.subscription).not.toBeNull()
  })

  test('keeps what it has when its server fails, says why, and is read again by itself later', async () => {
    const ann = await app.signUpUser()
    const { id } = await follow(ann, '/failing.ics')
    const look = async (answer: { status?: number; body: string }) => {
      said.set('/failing.ics', answer)
      await ann.call(routes.refreshSubscription, { params: { calendarId: id } })
      return (await read(ann, id))?.subscription?.failure
    }
    expect(await look({ status: 500, body: '' })).toBe('unreachable')
    expect(await look({ status: 410, body: '' })).toBe('not_found')
    expect(await look({ status: 401, body: '' })).toBe('refused')
    expect(await look({ body: '<html>Sign in</html>' })).toBe('not_a_calendar')
    expect(await look({ body: file(event('a', 'Cut')).slice(0, -30) })).toBe('not_a_calendar')
    expect(await look({ body: 'BEGIN:VCALENDAR\r\n'.padEnd(11 * 1024 * 1024, 'x') })).toBe('too_large')
    expect(await titles(ann)).toEqual(['Party', 'Standup'])

    said.set('/failing.ics', { body: file(event('d', 'Back again')) })
    shift += 25 * 3_600_000
    const { recurring } = await admin.call(durableJobsRoutes.summary, {})
    const job = recurring.find(({ kind }) => kind === 'calendar.refresh')
    await admin.call(durableJobsRoutes.run, { params: { id: job?.id ?? '' } })
    await expect.poll(() => titles(ann)).toEqual(['Back again'])
    expect((await read(ann, id))?.subscription?.failure).toBeNull()
  })

  test('that is none, or lies where nobody may go, is refused with the reason and leaves nothing', async () => {
    const ann = await app.signUpUser()
    said.set('/page.ics', { body: '<html></html>' })
    const refused = async (url: string) => {
      const { status, problem } = await ann.refusal(routes.subscribe, { body: { url } })
      return `${status} ${problem.detail}`
    }
    expect(await refused(`${origin}/page.ics`)).toMatch(/^422 .*doesn’t return a calendar/)
    expect(await refused(`${origin}/nothing.ics`)).toBe('422 Nothing found at this address.')
    expect((await ann.refusal(routes.subscribe, { body: { url: 'http://169.254.169.254/x.ics' } })).code).toBe(
      'url_not_allowed',
    )
    expect((await ann.refusal(routes.subscribe, { body: { url: 'file:///etc/passwd' } })).code).toBe('url_not_allowed')
    expect((await ann.call(routes.calendars, {})).items).toEqual([])
  })

  test('goes with its events when it is unsubscribed from, and nobody else reads or refreshes it', async () => {
    const [ann, ben] = [await app.signUpUser(), await app.signUpUser()]
    const { id: calendarId } = await follow(ann, '/leaving.ics')
    expect((await ben.refusal(routes.refreshSubscription, { params: { calendarId } })).code).toBe('calendar_not_found')
    await ann.call(routes.removeCalendar, { params: { calendarId } })
    expect(await titles(ann)).toEqual([])
    expect((await ann.call(routes.calendars, {})).items).toEqual([])
  })
})
