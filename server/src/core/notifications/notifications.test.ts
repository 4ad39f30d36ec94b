/** The inbox over HTTP, and what is published to it, on both databases. */
import { randomBytes } from 'node:crypto'
import { type NotificationKind, notificationsRoutes as routes } from '@atrium/contract/notifications'
import { afterEach, expect, test } from 'vitest'
import type { AccountEvents } from '../../platform/events/account-events.ts'
import { createEventLog } from '../../platform/events/event-log.ts'
import { eventMigrations } from '../../platform/events/tables.ts'
import { bindRoutes } from '../../platform/http/area.ts'
import type { JobContext, JobHandlers } from '../../platform/jobs/types.ts'
import { createLog } from '../../platform/log/log.ts'
import { createSlot } from '../../platform/slot.ts'
import { openVault } from '../../platform/vault/vault.ts'
import { vaultMigrations } from '../../platform/vault/tables.ts'
import { authenticateById } from '../../testing/authenticate.ts'
import { testClock } from '../../testing/clock.ts'
import { onBothDatabases } from '../../testing/databases.ts'
import { serveAreas } from '../../testing/serve.ts'
import {
  type Deliveries,
  type Publication,
  type PublishedNotification,
  createNotifications,
  notificationMigrations,
} from './index.ts'
import type { NotificationTables } from './tables.ts'

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

const hourMs = 3600_000
const dayMs = 24 * hourMs

onBothDatabases('notifications', (open) => {
  const start = async () => {
    const clock = testClock()
    const database = await open([...vaultMigrations, ...eventMigrations, ...notificationMigrations])
    const vault = await openVault({ database, instanceKey: randomBytes(32), clock })
    const told: string[] = []
    const delivered: PublishedNotification[] = []
    const deliveries = createSlot<Deliveries>('Deliveries')
    deliveries.fill({
      ways: ['push'],
      published: async (_trx, one) => void delivered.push(one),
      outcomesOf: async () => [],
      wake: () => void told.push('wake'),
    })
    const log = createLog({ level: 'silent' })
    const events = createEventLog({ database, vault, clock, log, processId: 'here' })
    stops.push(() => events.stop())
    const announce: AccountEvents['announce'] = async (accountId, event) => {
      told.push(accountId)
      await events.append({ id: `account:${accountId}`, accountId }, event)
    }
    const area = createNotifications({
      database,
      vault,
      clock,
      events,
      announce,
      prepareAnnouncement: async (accountId, event) => ({
        write: async () => undefined,
        tell: () => announce(accountId, event),
      }),
      deliveries,
      watch: createSlot('Who waits'),
    })
    const served = await serveAreas({
      areas: [bindRoutes({ name: 'notifications', routes, handlers: area.handlers })],
      clock,
      authenticate: authenticateById(),
    })
    stops.push(() => served.stop())
    const share = (number: number, more: Partial<Publication> = {}): Publication =>
      ({
        accountId: 'ann',
        kind: 'share',
        sourceKey: `grant:${number}`,
        about: `chat:${number}`,
        facts: { resourceType: 'chat', resourceId: String(number), name: `Trip ${number}`, by: 'Ben' },
        ...more,
      }) as Publication
    const ann = served.guest.as('ann')
    const names = async (
      query: { state?: 'inbox' | 'unread' | 'snoozed' | 'done'; q?: string; kind?: NotificationKind } = {},
    ) => (await ann.call(routes.list, { query })).items.map(({ facts }) => ('name' in facts ? facts.name : ''))
    const idOf = async (name: string) => {
      const { items } = await ann.call(routes.list, { query: { q: name } })
      return items[0]?.id ?? ''
    }
    const unread = async () => (await ann.call(routes.unreadCount, {})).count
    return { ...area, ann, ben: served.guest.as('ben'), clock, database, delivered, idOf, names, share, told, unread }
  }

  test('come newest first, page by page, and each is read by itself', async () => {
    const { ann, api, clock, share, names, unread } = await start()
    for (const number of [1, 2, 3]) {
      await api.publish(share(number))
      clock.advance(1000)
    }
    expect(await names()).toEqual(['Trip 3', 'Trip 2', 'Trip 1'])
    const first = await ann.call(routes.list, { query: { limit: 2 } })
    const rest = await ann.call(routes.list, { query: { limit: 2, cursor: first.nextCursor ?? '' } })
    expect([first.items.length, rest.items.length, rest.nextCursor]).toEqual([2, 1, null])
    expect(await ann.refusal(routes.list, { query: { cursor: 'nonsense' } })).toMatchObject({ code: 'bad_cursor' })
    const id = first.items[0]?.id ?? ''
    expect(await ann.call(routes.one, { params: { id } })).toMatchObject({ kind: 'share', readAt: null })
    expect(await unread()).toBe(3)
    const read = await ann.call(routes.read, { params: { id } })
    clock.advance(1000)
    expect(await ann.call(routes.read, { params: { id } })).toEqual(read)
    expect(await names({ state: 'unread' })).toEqual(['Trip 2', 'Trip 1'])
    await ann.call(routes.update, { params: { id }, body: { read: false } })
    expect(await unread()).toBe(3)
  })

  test('the same source is one notification: another content changes it, and what was read stays read', async () => {
    const { ann, api, delivered, idOf, names, share, unread, told } = await start()
    await Promise.all([api.publish(share(1)), api.publish(share(1)), api.publish(share(1))])
    expect(await names()).toEqual(['Trip 1'])
    expect(delivered.map(({ change }) => change)).toEqual(['new'])
    await ann.call(routes.read, { params: { id: await idOf('Trip') } })
    const renamed = { resourceType: 'chat', resourceId: '1', name: 'Journey', by: 'Ben' }
    told.length = 0
    await api.publish(share(1, { facts: renamed }))
    expect([await names(), await unread()]).toEqual([['Journey'], 0])
    expect(told).toEqual(['ann', 'wake'])
    expect(delivered.at(-1)).toMatchObject({ change: 'changed', version: 2 })
    await api.publish(share(1, { facts: renamed, again: true }))
    expect(await unread()).toBe(1)
    expect(delivered.at(-1)).toMatchObject({ change: 'again', version: 3 })
  })

  test('what stands or falls with a transaction is not there when it fails', async () => {
    const { api, database, names, share } = await start()
    const publisher = await api.publisher(['ann'])
    const failing = database.write(async (trx) => {
      await publisher.publish(trx, share(1))
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await names()).toEqual([])
    await expect(database.write((trx) => publisher.publish(trx, share(1, { accountId: 'ben' })))).rejects.toThrow(
      'not made for this account',
    )
  })

  test('is withdrawn from everybody, and settled for who saw it elsewhere', async () => {
    const { ann, ben, api, clock, database, names, share, told, unread } = await start()
    for (const number of [1, 2, 3]) await api.publish(share(number))
    await api.publish(share(1, { accountId: 'ben' }))
    const publisher = await api.publisher([])
    told.length = 0
    await database.write((trx) => publisher.withdraw(trx, { about: ['chat:1'] }))
    await publisher.tell()
    expect(told.toSorted()).toEqual(['ann', 'ben'])
    expect((await ben.call(routes.list, {})).items).toEqual([])
    expect(await names()).toEqual(['Trip 3', 'Trip 2'])
    await database.write((trx) =>
      publisher.settle(trx, { accountId: 'ann', sourceKeys: ['grant:2'], until: clock.now() - 1 }),
    )
    expect(await unread()).toBe(2)
    await database.write((trx) => publisher.settle(trx, { accountId: 'ann', sourceKeys: ['grant:2', 'grant:9'] }))
    expect(await names({ state: 'unread' })).toEqual(['Trip 3'])
    expect((await ann.call(routes.list, {})).items).toHaveLength(2)
  })

  test('what was deleted does not come back by the same source, unless it happens again', async () => {
    const { ann, api, idOf, names, share } = await start()
    await api.publish(share(1))
    const id = await idOf('Trip')
    await ann.call(routes.remove, { params: { id } })
    expect(await ann.refusal(routes.one, { params: { id } })).toMatchObject({ code: 'notification_not_found' })
    await api.publish(share(1, { facts: { resourceType: 'chat', resourceId: '1', name: 'Journey', by: 'Ben' } }))
    expect(await names()).toEqual([])
    await api.publish(share(1, { again: true }))
    expect(await names()).toEqual(['Trip 1'])
  })

  test('are followed from a place on: each change of the own inbox, with how many are unread then', async () => {
    const { api, ann, ben, share } = await start()
    await api.publish(share(1))
    const seen: unknown[] = []
    const stop = new AbortController()
    const following = (async () => {
      for await (const { event } of ann.follow(routes.events, { query: { after: 0 } }, stop)) seen.push(event)
    })().catch(() => undefined)
    const changed = (unreadCount: number) => ({ type: 'changed', data: { unreadCount } })
    await expect.poll(() => seen).toEqual([changed(1)])
    await ben.call(routes.readAll, { body: {} })
    await api.publish(share(2))
    await expect.poll(() => seen).toEqual([changed(1), changed(2)])
    await ann.call(routes.readAll, { body: {} })
    await expect.poll(() => seen).toEqual([changed(1), changed(2), changed(0)])
    stop.abort()
    await following
  })

  test('is another account’s to nobody', async () => {
    const { ben, api, idOf, share, unread } = await start()
    await api.publish(share(1))
    const params = { id: await idOf('Trip') }
    for (const route of [routes.one, routes.read, routes.remove])
      expect(await ben.refusal(route, { params })).toMatchObject({ status: 404, code: 'notification_not_found' })
    expect(await ben.refusal(routes.update, { params, body: { done: true } })).toMatchObject({ status: 404 })
    for (const route of [routes.readAll, routes.doneAll])
      expect(await ben.call(route, { body: {} })).toMatchObject({ count: 0 })
    expect((await ben.call(routes.list, {})).items).toEqual([])
    expect(await unread()).toBe(1)
  })

  test('snoozed, it is away until its time, and then unread, told and delivered again', async () => {
    const { ann, api, clock, delivered, idOf, jobs, names, share, told, unread } = await start()
    await api.publish(share(1))
    clock.advance(1000)
    await api.publish(share(2))
    const params = { id: await idOf('Trip 1') }
    const until = new Date(clock.now() + hourMs).toISOString()
    await ann.call(routes.update, { params, body: { snoozedUntil: until } })
    expect([await names(), await names({ state: 'snoozed' })]).toEqual([['Trip 2'], ['Trip 1']])
    expect(await ann.call(routes.unreadCount, {})).toEqual({ count: 1, nextAt: until })
    await run(jobs, 'notifications.wake')
    expect(await names()).toEqual(['Trip 2'])
    clock.advance(hourMs)
    expect([await names(), await unread()]).toEqual([['Trip 1', 'Trip 2'], 2])
    told.length = 0
    await run(jobs, 'notifications.wake')
    await run(jobs, 'notifications.wake')
    expect(told).toEqual(['ann', 'wake'])
    expect(delivered.at(-1)).toMatchObject({ change: 'again' })
    for (const time of [clock.now() - 1, clock.now() + 400 * dayMs]) {
      const body = { snoozedUntil: new Date(time).toISOString() }
      expect(await ann.refusal(routes.update, { params, body })).toMatchObject({ code: 'validation_failed' })
    }
    await ann.call(routes.update, { params, body: { snoozedUntil: new Date(clock.now() + dayMs).toISOString() } })
    await ann.call(routes.update, { params, body: { snoozedUntil: null } })
    expect(await names()).toEqual(['Trip 2', 'Trip 1'])
  })

  test('all at once can be read or done, of one kind too, and undone without what was so before', async () => {
    const { ann, api, clock, idOf, names, share, unread } = await start()
    for (const number of [1, 2, 3]) await api.publish(share(number))
    await ann.call(routes.update, { params: { id: await idOf('Trip 1') }, body: { done: true } })
    await ann.call(routes.read, { params: { id: await idOf('Trip 2') } })
    clock.advance(1000)
    const { at, count } = await ann.call(routes.readAll, { body: { kind: 'share' } })
    expect([count, await unread()]).toEqual([1, 0])
    expect(await ann.call(routes.undoAll, { body: { at } })).toEqual({ count: 1 })
    clock.advance(1000)
    const done = await ann.call(routes.doneAll, { body: {} })
    expect([done.count, await names()]).toEqual([2, []])
    await ann.call(routes.undoAll, { body: { at: done.at } })
    expect([await names(), await names({ state: 'unread' })]).toEqual([['Trip 3', 'Trip 2'], ['Trip 3']])
    expect(await names({ state: 'done' })).toEqual(['Trip 1'])
  })

  test('is searched by what people wrote, not by ids and codes, as far as there are pages', async () => {
    const { ann, api, clock, names, share } = await start()
    for (let number = 1; number <= 12; number++) {
      await api.publish(share(number))
      clock.advance(1)
    }
    expect(await names({ q: 'ben TRIP 12' })).toEqual(['Trip 12'])
    expect(await names({ q: 'chat' })).toEqual([])
    const found: number[] = []
    for (let cursor: string | undefined; ; ) {
      const { items, nextCursor } = await ann.call(routes.list, {
        query: { q: 'trip', limit: 5, ...(cursor ? { cursor } : {}) },
      })
      found.push(items.length)
      if (nextCursor === null) break
      cursor = nextCursor
    }
    expect(found).toEqual([5, 5, 2])
  })

  test('nothing of it can be read on the disk, and a row that cannot be opened hides no other', async () => {
    const { api, database, idOf, names, share } = await start()
    await api.publish(share(1))
    await api.publish(share(2))
    const tables = database.tables<NotificationTables>()
    const rows = await tables.selectFrom('notifications').selectAll().execute()
    const written = JSON.stringify(
      rows.map((row) => ({ ...row, content: Buffer.from(row.content ?? []).toString('latin1') })),
    )
    expect(written).not.toMatch(/Trip|Ben/)
    const id = await idOf('Trip 1')
    await tables
      .updateTable('notifications')
      .set({ content: randomBytes(40) })
      .where('id', '=', id)
      .execute()
    expect(await names()).toEqual(['Trip 2'])
  })

  test('what somebody does not want in the app is not in the inbox, and still delivered', async () => {
    const { ann, ben, api, delivered, names, share, unread } = await start()
    const before = await ann.call(routes.preferences, {})
    expect(before).toMatchObject({ ways: ['push'], words: false, kinds: { share: { app: true, mail: 'off' } } })
    const ways = { app: false, push: true, mail: 'off', webhook: false } as const
    await ann.call(routes.updatePreferences, { body: { kinds: { share: ways }, timeZone: 'Asia/Kathmandu' } })
    await ann.call(routes.updatePreferences, { body: { words: true } })
    const kinds = { ...before.kinds, share: ways }
    expect(await api.preferencesOf('ann')).toMatchObject({ kinds, timeZone: 'Asia/Kathmandu', words: true })
    expect(await ben.call(routes.preferences, {})).toEqual(before)
    await api.publish(share(1))
    expect([await names(), await unread(), delivered.length]).toEqual([[], 0, 1])
    for (const body of [
      { timeZone: 'Mars/Olympus' },
      { quietHours: Array.from({ length: 7 }, () => ({ from: '24:00', to: '07:00' })) },
      { quietHours: [null] },
    ])
      expect(await ann.refusal(routes.updatePreferences, { body })).toMatchObject({ code: 'validation_failed' })
  })

  test('is kept for 90 days, and the newest 500 of an account in any case', async () => {
    const { api, clock, database, jobs, share, accountRemoved } = await start()
    const tables = database.tables<NotificationTables>()
    const count = async () => (await tables.selectFrom('notifications').select('id').execute()).length
    await api.publish(share(0))
    await api.publish(share(0, { accountId: 'ben' }))
    clock.advance(91 * dayMs)
    await run(jobs, 'notifications.upkeep')
    expect(await count()).toBe(2)
    const publisher = await api.publisher(['ann'])
    await database.write(async (trx) => {
      for (let number = 1; number <= 500; number++) await publisher.publish(trx, share(number))
    })
    await run(jobs, 'notifications.upkeep')
    expect(await count()).toBe(501)
    clock.advance(80 * dayMs)
    await run(jobs, 'notifications.upkeep')
    expect(await count()).toBe(501)
    await accountRemoved('ann')
    expect(await count()).toBe(1)
  })
})

const run = async (jobs: JobHandlers, kind: string): Promise<void> => {
  await jobs[kind]?.prepare({})?.({} as JobContext)
}
