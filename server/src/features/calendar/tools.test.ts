import { accessRoutes } from '@atrium/contract/access'
import { calendarRoutes as routes } from '@atrium/contract/calendar'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrations } from '../../app/areas.ts'
import { createResourceRegistry } from '../../core/resources/index.ts'
import { createSearchIndexes } from '../../platform/db/search/index.ts'
import { bindRoutes } from '../../platform/http/area.ts'
import { createLog } from '../../platform/log/log.ts'
import { createOutbound } from '../../platform/outbound/outbound.ts'
import { openVault } from '../../platform/vault/vault.ts'
import { createTestAccess, principalsById } from '../../testing/access.ts'
import { authenticateById } from '../../testing/authenticate.ts'
import { callTool } from '../../testing/call-tool.ts'
import type { Client } from '../../testing/client.ts'
import { realClock as clock } from '../../testing/clock.ts'
import { withDatabase } from '../../testing/databases.ts'
import { createTestGroups } from '../../testing/groups.ts'
import { createTestNotifications } from '../../testing/notifications.ts'
import { type Served, serveAreas } from '../../testing/serve.ts'
import { createCalendar } from './index.ts'

withDatabase('calendars as tools of models', (open) => {
  let served: Served
  let ann: Client
  let call: (
    accountId: string,
    name: string,
    args: Record<string, unknown>,
    callId?: string,
  ) => ReturnType<typeof callTool>
  let zone: string | null = 'Europe/Berlin'
  beforeEach(async () => {
    zone = 'Europe/Berlin'
    const database = await open(migrations)
    const vault = await openVault({ database, instanceKey: Buffer.alloc(32, 7), clock })
    const resources = createResourceRegistry()
    const principals = principalsById(createTestGroups(database).groups)
    const access = createTestAccess({ resources, database, vault, clock, principals })
    const { preferencesOf, publisher } = createTestNotifications({ database, vault, clock })
    const { handlers, tools, ...calendar } = createCalendar({
      database,
      vault,
      clock,
      access,
      indexes: createSearchIndexes({ database, vault }),
      announce: async () => undefined,
      outbound: createOutbound({ allowed: () => new Set(), log: createLog({ level: 'silent' }) }),
      notifications: { preferencesOf, publisher },
      address: async () => null,
      isActive: async () => true,
      accountByUsername: async (username) => (username === 'nobody' ? null : username),
      namesOf: async (ids) => new Map(ids.map((id) => [id, id])),
      defaultModel: async () => null,
      zoneOf: async () => zone,
    })
    resources.add(calendar.resources)
    call = (accountId, name, args, callId = 'call-1') => callTool(tools, name, accountId, args, { callId })
    served = await serveAreas({
      areas: [bindRoutes({ name: 'calendar', routes, handlers }), access.area],
      authenticate: authenticateById(),
      authorise: access.authorise,
      clock,
    })
    ann = served.guest.as('ann')
  })
  afterEach(() => served?.stop())
  const list = async (accountId: string, from: string, to = from) =>
    (await call(accountId, 'list_calendar_events', { from, to })).text
  const linked = async (args: Record<string, unknown>, callId?: string) =>
    (await call('ann', 'create_calendar_event', args, callId)).links?.[0]?.id ?? ''

  test('events are made once for a call, in the time zone of the account, and are its own', async () => {
    const args = { title: 'Dentist', start: '2026-07-01T09:00', end: '2026-07-01T09:30', reminders: [15] }
    const id = await linked(args)
    expect(await linked(args)).toBe(id)
    expect(await linked(args, 'call-2')).not.toBe(id)
    expect(await ann.call(routes.readEvent, { params: { eventId: id }, query: {} })).toMatchObject({
      startAt: '2026-07-01T07:00:00.000Z',
      timeZone: 'Europe/Berlin',
      reminders: [15],
    })
    const shown = await list('ann', '2026-07-01')
    expect(shown).toContain('2026-07-01T09:00 to 2026-07-01T09:30: Dentist')
    expect(shown.match(/Dentist/g)).toHaveLength(2)
    expect(await list('bob', '2026-07-01')).toContain('There are no events')
  })

  test.each([
    [{ start: '2026-07-01' }, '2026-07-01 (all day)'],
    [{ start: '2026-07-01', end: '2026-07-03' }, '2026-07-01 (all day, until 2026-07-03)'],
    [{ start: '2026-07-01T09:00Z', end: '2026-07-01T12:00+02:00' }, '2026-07-01T11:00 to 2026-07-01T12:00'],
    [{ start: '2026-07-01T09:00:00', repeat: 'RRULE:FREQ=DAILY;COUNT=2' }, '2026-07-02T09:00 to 2026-07-02T09:00'],
  ])('times are understood as models write them: %j', async (times, expected) => {
    await linked({ title: 'x', ...times })
    expect(await list('ann', '2026-07-01', '2026-07-31')).toContain(expected)
  })

  test('times without a zone are the same on every clock where the account set none', async () => {
    zone = null
    const eventId = await linked({ title: 'Lunch', start: '2026-07-01T12:00' })
    expect(await ann.call(routes.readEvent, { params: { eventId }, query: {} })).toMatchObject({
      startLocal: '2026-07-01T12:00:00',
      timeZone: null,
    })
    expect(await list('ann', '2026-07-01')).toContain('UTC, because the user has not set a time zone')
  })

  test('what is no time, no range and no repetition is refused in words', async () => {
    const make = (more: object) =>
      call('ann', 'create_calendar_event', { title: 'x', start: '2026-07-01T09:00', ...more })
    for (const more of [{ start: '2026-02-31T09:00' }, { end: '2026-07-01T08:00' }, { end: '2026-07-02' }])
      await expect(make(more), JSON.stringify(more)).rejects.toMatchObject({ code: 'event_time_invalid' })
    await expect(make({ repeat: 'FREQ=NEVER' })).rejects.toMatchObject({ code: 'recurrence_invalid' })
    await expect(make({ start: 'tomorrow' })).rejects.toThrow('ISO 8601')
    await expect(list('ann', '2026-07-01', '2029-07-01')).rejects.toMatchObject({ code: 'range_invalid' })
    await expect(list('ann', '2026-07-02', '2026-06-01')).rejects.toMatchObject({ code: 'range_invalid' })
  })

  test('events are deleted into the trash, once, by who may change them', async () => {
    const id = await linked({ title: 'Old', start: '2026-07-01T09:00' })
    const remove = (accountId: string, args: object) => call(accountId, 'delete_calendar_event', { ...args })
    await expect(remove('bob', { id })).rejects.toMatchObject({ code: 'event_not_found' })
    expect((await remove('ann', { id })).text).toContain('restored from the trash')
    expect((await remove('ann', { id })).text).toContain('in the trash already')
    expect(await list('ann', '2026-07-01')).toContain('There are no events')
    expect(await call('ann', 'create_calendar_event', { title: 'Old', start: '2026-07-01T09:00' })).toMatchObject({
      isError: true,
    })
  })

  test('of a series one occurrence is deleted, or all of it when that is said', async () => {
    const id = await linked({ title: 'Stand-up', start: '2026-07-01T09:00', repeat: 'FREQ=DAILY;COUNT=3' })
    expect(await call('ann', 'delete_calendar_event', { id })).toMatchObject({ isError: true })
    const [, occurrence = ''] = /id (\S+:\d+)/.exec(await list('ann', '2026-07-02')) ?? []
    await call('ann', 'delete_calendar_event', { id: occurrence })
    expect((await list('ann', '2026-07-01', '2026-07-31')).match(/Stand-up/g)).toHaveLength(2)
    await expect(call('ann', 'delete_calendar_event', { id: occurrence })).rejects.toMatchObject({
      code: 'occurrence_not_found',
    })
    await call('ann', 'delete_calendar_event', { id, all: true })
    expect(await list('ann', '2026-07-01', '2026-07-31')).toContain('There are no events')
  })

  test('guests are told with their answers, to whoever invited them and to themselves', async () => {
    const { id: eventId } = await ann.call(routes.createEvent, {
      body: { title: 'Review', startDate: '2026-07-01', guests: ['bob', 'cyd'] },
    })
    await served.guest.as('bob').call(routes.answerInvitation, { params: { eventId }, body: { answer: 'maybe' } })
    expect(await list('ann', '2026-07-01')).toContain('Review (guests bob: maybe, cyd: waiting; id')
    expect(await list('bob', '2026-07-01')).toContain('guests bob: maybe, cyd: waiting; the user’s answer: maybe; id')
  })

  test('shared calendars are seen, and changed only with the right to it', async () => {
    const { id: calendarId } = await ann.call(routes.createCalendar, { body: { name: 'Team' } })
    const { id } = await ann.call(routes.createEvent, {
      body: { title: 'Shared', startDate: '2026-07-01', calendarId },
    })
    const whom = { principalType: 'account', principalId: 'bob' } as const
    const grant = { resourceType: 'calendar', resourceId: calendarId, ...whom } as const
    await ann.call(accessRoutes.grant, { body: { ...grant, right: 'read' } })
    expect(await list('bob', '2026-07-01')).toContain('Shared (of ann')
    await expect(call('bob', 'delete_calendar_event', { id })).rejects.toMatchObject({ code: 'right_missing' })
    await ann.call(accessRoutes.grant, { body: { ...grant, right: 'write' } })
    expect((await call('bob', 'delete_calendar_event', { id })).text).toContain('Deleted “Shared”')
  })
})
