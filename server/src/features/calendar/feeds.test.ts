import { accountsRoutes } from '@atrium/contract/accounts'
import { calendarRoutes as routes } from '@atrium/contract/calendar'
import { trashRoutes } from '@atrium/contract/trash'
import { userAdministrationRoutes } from '@atrium/contract/user-administration'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../../testing/app.ts'
import type { Client } from '../../testing/client.ts'

describe('a calendar at a secret address', () => {
  let app: TestApp
  let admin: Client
  beforeAll(async () => {
    app = await startTestApp()
    admin = await app.signUpAdmin()
  })
  afterAll(() => app?.close())

  const makeCalendar = async (owner: Client) => {
    const { id } = await owner.call(routes.createCalendar, { body: { name: 'Team' } })
    const event = {
      calendarId: id,
      title: 'Budget talk',
      notes: 'Bring the figures',
      place: 'Room 5',
      link: 'https://example.org/talk',
      startLocal: '2026-11-26T09:30',
      endLocal: '2026-11-26T10:00',
      timeZone: 'Europe/Berlin',
      recurrence: { kind: 'rule' as const, rule: 'FREQ=DAILY;COUNT=3' },
    }
    return { calendarId: id, event: await owner.call(routes.createEvent, { body: event }) }
  }
  const open = async (owner: Client, calendarId: string, content: 'all' | 'busy' = 'all') =>
    (await owner.call(routes.createFeed, { params: { calendarId, content } })).path
  /** As a calendar program asks: without an account. */
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${app.url}${path}`, { headers })
    return { status: response.status, etag: response.headers.get('etag') ?? '', text: await response.text() }
  }

  test('is read by programs without an account, and asked again costs nothing until something changes', async () => {
    const ann = await app.signUpUser()
    const { calendarId, event } = await makeCalendar(ann)
    const path = await open(ann, calendarId)
    const first = await get(path)
    expect(first.status).toBe(200)
    expect(first.text).toContain('SUMMARY:Budget talk')
    expect(first.text).toContain('X-WR-CALNAME:Team')
    expect(first.text).toContain('BEGIN:VTIMEZONE')
    expect(await get(path, { 'if-none-match': first.etag })).toMatchObject({ status: 304, text: '' })

    await ann.call(routes.updateEvent, { params: { eventId: event.id }, body: { title: 'Moved talk' } })
    const changed = await get(path, { 'if-none-match': first.etag })
    expect(changed.status).toBe(200)
    expect(changed.text).toContain('SUMMARY:Moved talk')
    await ann.call(routes.updateCalendar, { params: { calendarId }, body: { name: 'Crew' } })
    expect((await get(path, { 'if-none-match': changed.etag })).text).toContain('X-WR-CALNAME:Crew')
    await ann.call(routes.removeEvent, { params: { eventId: event.id } })
    expect((await get(path)).text).not.toContain('VEVENT')
    expect((await ann.call(routes.feeds, { params: { calendarId } })).items).toEqual([
      { content: 'all', createdAt: expect.any(String), lastReadAt: expect.any(String) },
    ])
  })

  test('that tells only when its owner is busy holds no word of any event, nor of its changed occurrences', async () => {
    const ann = await app.signUpUser()
    const { calendarId, event } = await makeCalendar(ann)
    await ann.call(routes.updateEvent, {
      params: { eventId: event.id },
      query: { occurrence: '2026-11-27T08:30:00.000Z', scope: 'this' },
      body: { title: 'Secret party', startLocal: '2026-11-27T18:00', endLocal: '2026-11-27T19:00' },
    })
    const { text } = await get(await open(ann, calendarId, 'busy'))
    expect(text.match(/^SUMMARY:.*$/gm)?.map((line) => line.trim())).toEqual(['SUMMARY:Busy', 'SUMMARY:Busy'])
    expect(text).toContain('DTSTART;TZID=Europe/Berlin:20261127T180000')
    expect(text).not.toMatch(/Budget|figures|Room|example\.org|Secret|Team/)
  })

  test('ends when it gets another secret, is turned off, or its calendar or account goes', async () => {
    const ann = await app.signUpUser()
    const { calendarId } = await makeCalendar(ann)
    const first = await open(ann, calendarId)
    const second = await open(ann, calendarId)
    expect((await get(first)).status).toBe(404)
    expect((await get(second)).status).toBe(200)

    await ann.call(routes.removeCalendar, { params: { calendarId } })
    expect((await get(second)).status).toBe(404)
    await ann.call(trashRoutes.restore, { params: { id: calendarId } })
    expect((await get(second)).status).toBe(200)

    const { id: accountId } = await ann.call(accountsRoutes.me, {})
    await admin.call(userAdministrationRoutes.setStatus, { params: { id: accountId }, body: { status: 'disabled' } })
    expect((await get(second)).status).toBe(404)
    await admin.call(userAdministrationRoutes.setStatus, { params: { id: accountId }, body: { status: 'active' } })
    expect((await get(second)).status).toBe(200)
  })

  test('is for its owner to make and to end, and nobody learns its secret afterwards', async () => {
    const [ann, ben] = [await app.signUpUser(), await app.signUpUser()]
    const { calendarId } = await makeCalendar(ann)
    const params = { calendarId, content: 'all' as const }
    const path = await open(ann, calendarId)
    for (const route of [routes.createFeed, routes.removeFeed])
      expect((await ben.refusal(route, { params })).code, route.path).toBe('calendar_not_found')
    expect((await ben.refusal(routes.feeds, { params: { calendarId } })).code).toBe('calendar_not_found')
    const secret = path.split('/').at(-2) ?? ''
    expect(JSON.stringify(await ann.call(routes.feeds, { params: { calendarId } }))).not.toContain(secret)
    expect(app.lines.filter((line) => JSON.stringify(line).includes(secret))).toEqual([])
    await ann.call(routes.removeFeed, { params })
    expect((await get(path)).status).toBe(404)
    expect((await ann.refusal(routes.removeFeed, { params })).code).toBe('feed_not_found')
  })
})
