import { randomBytes } from 'node:crypto'
import type { KyselyPlugin } from 'kysely'
import { expect, test } from 'vitest'
import { languageCodes } from '@atrium/contract/languages'
import { notificationKinds, type NotificationPreferences } from '@atrium/contract/notifications'
import { eventMigrations } from '../../platform/events/tables.ts'
import type { AnyTransaction, Database } from '../../platform/db/types.ts'
import { createLog } from '../../platform/log/log.ts'
import { createSlot } from '../../platform/slot.ts'
import { vaultMigrations } from '../../platform/vault/tables.ts'
import { openVault } from '../../platform/vault/vault.ts'
import { testClock } from '../../testing/clock.ts'
import { onBothDatabases, type Open } from '../../testing/databases.ts'
import { createTestNotifications } from '../../testing/notifications.ts'
import { type Deliveries, notificationMigrations } from '../notifications/index.ts'
import { createPresence, presenceMigrations } from '../presence/index.ts'
import { createDeliveries, type Delivery, deliveryMigrations, describeNotification, sentTo, sweepJob } from './index.ts'
import { deliveryLocales } from './locales/index.ts'
import { pushMessages } from './push-messages.ts'

const openDeliveries = async (open: Open, way: (delivery: Delivery) => Promise<void>) => {
  const present = new Set<string>()
  const clock = testClock()
  const database = await open([
    ...vaultMigrations,
    ...eventMigrations,
    ...notificationMigrations,
    ...presenceMigrations,
    ...deliveryMigrations,
  ])
  const vault = await openVault({ database, instanceKey: randomBytes(32), clock })
  const slot = createSlot<Deliveries>('Deliveries of notifications')
  const inbox = createTestNotifications({ clock, database, vault, deliveries: slot })
  /** What a test lays over the preferences of everybody. */
  const chosen: { -readonly [K in keyof NotificationPreferences]?: NotificationPreferences[K] } = {}
  const preferencesOf = async (accountId: string) => ({ ...(await inbox.preferencesOf(accountId)), ...chosen })
  const notifications = { ...inbox, preferencesOf }
  const log = createLog({ level: 'silent' })
  const presence = createPresence({ clock, database, log, vault, processId: 'one' })
  const { quietUntil } = presence.api
  const create = (own: Database) =>
    createDeliveries({
      clock,
      database: own,
      log,
      notifications,
      presence: { quietUntil, isPresent: async (id) => present.has(id) },
      ways: { push: async (delivery) => sentTo(Number((await way(delivery)) ?? 1)) },
    })
  const deliveries = create(database)
  slot.fill(deliveries.deliveries)
  const share = (accountId: string, name: string, again = false) =>
    notifications.publish({
      accountId,
      again,
      kind: 'share',
      sourceKey: 'grant:1',
      facts: { resourceType: 'chat', resourceId: 'c1', name, by: 'ann' },
    })
  const sweep = async () => {
    const context = { jobId: 'j', accountId: null, attempt: 1, signal: AbortSignal.timeout(60_000) }
    await deliveries.jobs[sweepJob].prepare({})?.({
      ...context,
      progress: () => undefined,
      guard: async () => undefined,
    })
  }
  /** What became of the newest notification of an account by push. */
  const outcome = async (accountId: string) => {
    const [[one] = []] = await Array.fromAsync(notifications.listAll(accountId))
    const [push] = await deliveries.deliveries.outcomesOf(accountId, one?.id ?? '')
    return push && `${push.state} ${push.reason ?? ''}`.trim()
  }
  return {
    chosen,
    clock,
    create,
    database,
    deliveries,
    inbox,
    notifications,
    outcome,
    presence,
    present,
    share,
    sweep,
  }
}

onBothDatabases('deliveries', (open) => {
  test('what is new or happened again is handed over once, and what only says something else is not', async () => {
    const handed: Delivery[] = []
    const { deliveries, share, sweep } = await openDeliveries(open, async (delivery) => void handed.push(delivery))
    await share('ben', 'Plans')
    await deliveries.stop()
    expect(handed).toMatchObject([{ accountId: 'ben', kind: 'share' }])
    await share('ben', 'Other plans')
    await share('ben', 'Other plans')
    await deliveries.stop()
    await sweep()
    expect(handed).toHaveLength(1)
    await share('ben', 'Other plans', true)
    await deliveries.stop()
    expect(new Set(handed.map(({ id }) => id)).size).toBe(2)
    expect(new Set(handed.map(({ notificationId }) => notificationId)).size).toBe(1)
  })

  test('who asks in the very moment in which a look ends is heard', async () => {
    const handed: string[] = []
    const { clock, create, database } = await openDeliveries(
      open,
      async ({ notificationId }) => void handed.push(notificationId),
    )
    let looked = (): void => undefined
    const afterRows: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if (result.rows.length === 0) looked()
        return result
      },
    }
    const { deliveries } = create({ ...database, tables: <T>() => database.tables<T>().withPlugin(afterRows) })
    // So many steps after the last rows were read, of which one is that moment.
    for (let steps = 0; steps < 40; steps += 1) {
      const id = `n${steps}`
      clock.advance(10)
      await database.write((trx: AnyTransaction) =>
        deliveries.published(trx, { id, accountId: 'ben', kind: 'share', change: 'new', version: 1 }),
      )
      clock.advance(-10)
      const asked = Promise.withResolvers<void>()
      const ask = (left: number): void => {
        if (left > 0) return queueMicrotask(() => ask(left - 1))
        clock.advance(10)
        deliveries.wake()
        asked.resolve()
      }
      looked = () => {
        looked = () => undefined
        ask(steps)
      }
      deliveries.wake()
      await asked.promise
      await expect.poll(() => handed.at(-1), { message: `${steps} steps after` }).toBe(id)
    }
  })

  test('what a way out could not take waits for the next look, keeps no other waiting, and is dropped after a day', async () => {
    const handed: string[] = []
    let broken = true
    const { clock, deliveries, share, sweep } = await openDeliveries(open, async ({ accountId }) => {
      if (broken && accountId === 'ben') throw new Error('not now')
      handed.push(accountId)
    })
    await share('ben', 'Plans')
    await share('cid', 'Plans')
    await deliveries.stop()
    expect(handed).toEqual(['cid'])
    broken = false
    await sweep()
    expect(handed).toEqual(['cid', 'ben'])
    broken = true
    await share('ben', 'Plans', true)
    await deliveries.stop()
    clock.advance(25 * 3600_000)
    broken = false
    await sweep()
    expect(handed).toEqual(['cid', 'ben'])
  })

  test('who is not to be disturbed is told afterwards, also where that ends before its time, and of their safety at once', async () => {
    const handed: string[] = []
    const { clock, deliveries, notifications, presence, share, sweep } = await openDeliveries(
      open,
      async ({ kind }) => {
        handed.push(kind)
      },
    )
    const set = (body: object) => presence.handlers.set({ body } as never, { caller: { accountId: 'ben' } } as never)
    await set({ mode: 'do-not-disturb', until: new Date(clock.now() + 3600_000).toISOString() })
    await share('ben', 'Plans')
    const facts = { event: 'new-sign-in' as const, by: null, reason: null, until: null }
    await notifications.publish({ accountId: 'ben', kind: 'security', sourceKey: 'security:1', facts })
    await deliveries.stop()
    await sweep()
    expect(handed).toEqual(['security'])
    await set({ mode: 'automatic' })
    clock.advance(6 * 60_000)
    await sweep()
    expect(handed).toEqual(['security', 'share'])
    await presence.stop()
  })

  test('quiet hours hold it until they are over, and what is not wanted is not handed over', async () => {
    const handed: string[] = []
    const { chosen, clock, deliveries, notifications, outcome, share, sweep } = await openDeliveries(
      open,
      async ({ accountId }) => {
        handed.push(accountId)
      },
    )
    // Noon in this zone; quiet until two.
    chosen.quietHours = Array.from({ length: 7 }, () => ({ from: '11:00', to: '14:00' }))
    await share('ben', 'Plans')
    await deliveries.stop()
    await sweep()
    expect(handed).toEqual([])
    expect(await outcome('ben')).toBe('waiting quiet-hours')
    clock.advance(2 * 3600_000 + 60_000)
    await sweep()
    expect(handed).toEqual(['ben'])
    expect(await outcome('ben')).toBe('sent')
    const { kinds } = await notifications.preferencesOf('cid')
    chosen.kinds = { ...kinds, share: { app: true, push: false, mail: 'now', webhook: true } }
    await share('cid', 'Plans')
    await deliveries.stop()
    await sweep()
    expect(handed).toEqual(['ben'])
    expect(await outcome('cid')).toBe('not-sent kind-off')
  })

  test('who wants it only when away is told once away, and never of what was read at the page', async () => {
    const handed: string[] = []
    const { chosen, clock, database, deliveries, inbox, outcome, present, share, sweep } = await openDeliveries(
      open,
      async ({ accountId }) => void handed.push(accountId),
    )
    chosen.onlyWhenAway = true
    present.add('ben').add('cid')
    await share('ben', 'Plans')
    await share('cid', 'Plans')
    await deliveries.stop()
    expect([handed, await outcome('ben')]).toEqual([[], 'waiting present'])
    const publisher = await inbox.publisher(['cid'])
    await database.write((trx) => publisher.settle(trx, { accountId: 'cid', sourceKeys: ['grant:1'] }))
    clock.advance(61_000)
    await sweep()
    expect([handed, await outcome('cid')]).toEqual([[], 'not-sent read-before'])
    present.clear()
    clock.advance(61_000)
    await sweep()
    expect([handed, await outcome('ben')]).toEqual([['ben'], 'sent'])
    await share('ben', 'Other', true)
    await deliveries.stop()
    expect(handed).toEqual(['ben', 'ben'])
  })

  test('push says what kind of thing happened, words where its reader wants them, and nothing of what was read', async () => {
    const { chosen, database, notifications, share } = await openDeliveries(open, async () => undefined)
    await share('ben', 'Plans {by}')
    const [[notification] = []] = await Array.fromAsync(notifications.listAll('ben'))
    const id = notification?.id ?? ''
    const quiet = await pushMessages(notifications)('ben', id, 'en')
    expect(quiet).toMatchObject({ title: 'Shared with you', body: '', href: `/notifications/${id}`, tag: id })
    chosen.words = true
    const wordy = pushMessages(notifications)
    expect(await wordy('ben', id, 'en')).toMatchObject({ body: 'ann shared “Plans {by}” with you.' })
    expect(await wordy('cid', id, 'en')).toBeNull()
    const publisher = await notifications.publisher(['ben'])
    await database.write((trx) => publisher.settle(trx, { accountId: 'ben', sourceKeys: ['grant:1'] }))
    expect(await wordy('ben', id, 'en')).toBeNull()
  })
})

test.each(languageCodes)('every kind has its words in %s', (code) => {
  for (const kind of notificationKinds) expect(deliveryLocales[code].kinds).toHaveProperty(kind)
  const facts = { resourceType: 'chat', resourceId: 'c', name: 'N', by: 'B' }
  const { title, body } = describeNotification({ kind: 'share', facts }, code)
  expect(title).not.toMatch(/[{}NB]/)
  expect(body).toMatch(/B.*N/)
})
