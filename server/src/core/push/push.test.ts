import { randomBytes } from 'node:crypto'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { accountsRoutes } from '@atrium/contract/accounts'
import { pushRoutes as routes } from '@atrium/contract/push'
import type { AccountEvent } from '@atrium/contract/system'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PushAnswer, type PushService, startPushService } from '../../../../e2e/push-service/push-service.ts'
import { createEventLog } from '../../platform/events/event-log.ts'
import { eventMigrations } from '../../platform/events/tables.ts'
import { bindRoutes } from '../../platform/http/area.ts'
import { createJobs } from '../../platform/jobs/jobs.ts'
import { jobMigrations } from '../../platform/jobs/tables.ts'
import { createLog } from '../../platform/log/log.ts'
import { createOutbound } from '../../platform/outbound/outbound.ts'
import type { Environment } from '../../platform/settings/index.ts'
import { openVault } from '../../platform/vault/vault.ts'
import { createTestAccounts, testAccountMigrations } from '../../testing/accounts.ts'
import { realClock } from '../../testing/clock.ts'
import { withDatabase, type Open } from '../../testing/databases.ts'
import { serveAccounts } from '../../testing/serve-accounts.ts'
import { savedSettings } from '../../testing/settings.ts'
import { signedIn } from '../../testing/sign-in.ts'
import { settingsMigrations } from '../settings/index.ts'
import { createPush, type PushMessage, pushMigrations, pushSettings } from './index.ts'

const password = 'a long enough password'
const migrations = [
  ...[...testAccountMigrations, ...settingsMigrations, ...eventMigrations, ...jobMigrations, ...pushMigrations],
]

const usualCertificates = getCACertificates('default')
let service: PushService
beforeAll(async () => {
  service = await startPushService()
  setDefaultCACertificates([...usualCertificates, service.certificate])
})
afterAll(async () => {
  // Others trust certificates of the same name in this process.
  setDefaultCACertificates(usualCertificates)
  await service.close()
})

/** Accounts with push over real HTTP; what is told of a notification is what a test puts in `words`. */
const openPush = async (open: Open, environment: Environment = {}) => {
  const database = await open(migrations)
  let ahead = 0
  const opened = realClock.now()
  const clock = { ...realClock, now: () => realClock.now() + ahead }
  const vault = await openVault({ database, instanceKey: randomBytes(32), clock })
  const log = createLog({ level: 'silent' })
  const processId = clock.id()
  await database.holdPresence(processId)
  const parts = { database, vault, clock, log, processId }
  const events = createEventLog(parts)
  const jobs = createJobs({ ...parts, events, concurrency: 4, tuning: { backoffMs: 20, pollMs: 50 } })
  const accounts = createTestAccounts({ database, vault, clock, log })
  const saved = savedSettings({ database, vault, clock }, environment)
  const elsewhere = createOutbound({ allowed: () => new Set([service.place]), log })
  const words = new Map<string, PushMessage>()
  const news: AccountEvent['type'][] = []
  const push = createPush({
    ...parts,
    jobs,
    saved,
    elsewhere,
    accounts,
    settings: saved.bind(pushSettings),
    announce: async (_, event) => void news.push(event.type),
    languageOf: async () => 'ar',
    workspaceName: async () => 'Harbour',
    address: async () => 'https://atrium.example.org',
  })
  push.api.messages.fill(async (_, notificationId) => words.get(notificationId) ?? null)
  const area = bindRoutes({ name: 'notifications', routes, handlers: push.handlers, jobs: push.jobs })
  const served = await serveAccounts(accounts, { areas: [...accounts.areas, area], clock })
  jobs.start([push.jobs])
  const signIn = async (username: string) =>
    served.guest.as(signedIn(await served.guest.call(accountsRoutes.login, { body: { username, password } })).token)
  const account = async (username: string) => {
    const { id } = await accounts.createAccount({ username, password })
    return { id, client: await signIn(username) }
  }
  return {
    accounts,
    account,
    clock,
    database,
    news,
    push,
    signIn,
    words,
    /** Has the browsers of an account told, by a delivery of the same name as the notification. */
    deliver: (accountId: string, name: string) =>
      push.api.deliver({ id: name, accountId, notificationId: name, at: opened }),
    advance: (ms: number) => void (ahead += ms),
    /** Once no job waits that is due. */
    idle: async () =>
      await expect
        .poll(async () => (await jobs.administration.count()).reduce((sum, { due, running }) => sum + due + running, 0))
        .toBe(0),
    failed: async () =>
      (await jobs.administration.list({ limit: 50, state: 'failed' })).items.map(({ failure }) => failure?.code),
    async stop() {
      await jobs.stop()
      push.stop()
      await served.stop()
      await events.stop()
      await elsewhere.close()
    },
  }
}

const message = (tag: string, more: Partial<PushMessage> = {}): PushMessage => ({
  title: 'ben mentioned you',
  body: 'Lunch?',
  href: '/notifications/1',
  tag,
  language: 'en',
  at: Date.UTC(2026, 10, 26),
  urgency: 'high',
  ttlSeconds: 3600,
  ...more,
})

/** Another browser at the same service. */
const another = () => ({
  ...service.subscription,
  endpoint: `https://${service.place}/push/${randomBytes(16).toString('base64url')}`,
})

withDatabase('push', (open) => {
  test('a browser that was turned on is told, by a message that only it can open', async () => {
    const app = await openPush(open)
    try {
      const { id, client } = await app.account('ann')
      const { publicKey } = await client.call(routes.publicKey, {})
      const device = await client.call(routes.subscribe, { body: service.subscription })
      expect(device).toMatchObject({ current: true, lastUsedAt: null })
      const before = service.messages.length
      app.words.set('n1', message('n1'))
      await app.deliver(id, 'n1')
      await app.deliver(id, 'n1')
      await app.idle()
      expect(service.faults).toEqual([])
      expect(service.messages.slice(before)).toEqual([
        {
          payload: expect.objectContaining({
            title: 'ben mentioned you',
            body: 'Lunch?',
            href: '/notifications/1',
            tag: 'n1',
            lang: 'en',
            dir: 'ltr',
          }),
          ttl: '3600',
          urgency: 'high',
          topic: expect.stringMatching(/^[\w-]{32}$/),
          sender: { subject: 'https://atrium.example.org', publicKey },
        },
      ])
      const { items } = await client.call(routes.devices, {})
      expect(items).toMatchObject([{ id: device.id, lastUsedAt: expect.any(String) }])
      expect(JSON.stringify(items)).not.toContain('/push/')
      // What was read meanwhile is not sent.
      await app.deliver(id, 'n2')
      await app.idle()
      expect(service.messages.length).toBe(before + 1)
    } finally {
      await app.stop()
    }
  })

  test('one that is busy is asked again, one that knows the browser no more ends it, and one that refuses is left', async () => {
    const app = await openPush(open)
    try {
      const { id, client } = await app.account('ann')
      await client.call(routes.subscribe, { body: service.subscription })
      const send = async (name: string, ...answers: readonly PushAnswer[]) => {
        const before = service.calls
        service.answerNext(...answers)
        app.words.set(name, message(name))
        await app.deliver(id, name)
        await expect.poll(() => service.calls - before).toBeGreaterThanOrEqual(answers.length)
        await app.idle()
        return service.calls - before
      }
      expect(
        await send('busy', { status: 503 }, { status: 429, headers: { 'retry-after': '0' } }, { status: 201 }),
      ).toBe(3)
      expect(await send('refused', { status: 413 })).toBe(1)
      expect(await app.failed()).toEqual(['push_refused'])
      expect(await send('gone', { status: 410 })).toBe(1)
      expect((await client.call(routes.devices, {})).items).toEqual([])
      expect(app.news.filter((type) => type === 'push-devices-changed')).toHaveLength(2)
    } finally {
      await app.stop()
    }
  })

  test('a test tells what the service said, in the language of the reader', async () => {
    const app = await openPush(open)
    try {
      const { client } = await app.account('ann')
      const { id } = await client.call(routes.subscribe, { body: service.subscription })
      expect(await client.call(routes.test, { body: { id } })).toEqual({ outcome: 'sent', status: 201 })
      expect(service.messages.at(-1)?.payload).toMatchObject({
        lang: 'ar',
        dir: 'rtl',
        body: expect.stringContaining('Harbour'),
      })
      service.answerNext({ status: 500 })
      expect(await client.call(routes.test, { body: { id } })).toEqual({ outcome: 'later', status: 500 })
      service.answerNext({ status: 404 })
      expect(await client.call(routes.test, { body: { id } })).toEqual({ outcome: 'gone', status: 404 })
      expect(await client.refusal(routes.test, { body: { id } })).toMatchObject({ code: 'push_device_not_found' })
    } finally {
      await app.stop()
    }
  })

  test('a browser goes with its session, and belongs to whoever turned it on last', async () => {
    const app = await openPush(open)
    try {
      const ann = await app.account('ann')
      const ben = await app.account('ben')
      const { id } = await ann.client.call(routes.subscribe, { body: service.subscription })
      // The same again is the same one.
      expect(await ann.client.call(routes.subscribe, { body: service.subscription })).toMatchObject({ id })
      expect(await ben.client.refusal(routes.test, { body: { id } })).toMatchObject({ code: 'push_device_not_found' })
      for (const body of [{ id }, { endpoint: service.subscription.endpoint }])
        expect(await ben.client.call(routes.unsubscribe, { body })).toEqual({ removed: false })
      expect((await ann.client.call(routes.devices, {})).items).toHaveLength(1)
      await ben.client.call(routes.subscribe, { body: service.subscription })
      expect((await ann.client.call(routes.devices, {})).items).toEqual([])
      const other = await app.signIn('ben')
      expect((await other.call(routes.devices, {})).items).toMatchObject([{ current: false }])
      await ben.client.call(accountsRoutes.logout, {})
      expect((await other.call(routes.devices, {})).items).toEqual([])
      // A session whose time is over has none either, also where nobody ended it.
      await other.call(routes.subscribe, { body: service.subscription })
      app.words.set('late', message('late', { ttlSeconds: 10_000_000 }))
      app.advance(400 * 24 * 3600_000)
      const before = service.calls
      await app.deliver(ben.id, 'late')
      await app.idle()
      expect(service.calls).toBe(before)
    } finally {
      await app.stop()
    }
  })

  test('ten browsers are the most, and what cannot be one is refused', async () => {
    const app = await openPush(open)
    try {
      const { client } = await app.account('ann')
      for (let n = 0; n < 10; n++) await client.call(routes.subscribe, { body: another() })
      expect(await client.refusal(routes.subscribe, { body: another() })).toMatchObject({ code: 'push_device_limit' })
      const { items } = await client.call(routes.devices, {})
      expect(await client.call(routes.unsubscribe, { body: { id: items[0]?.id ?? '' } })).toEqual({ removed: true })
      const { endpoint, keys } = another()
      for (const body of [
        { endpoint: endpoint.replace('https', 'http'), keys },
        { endpoint: 'https://user:secret@example.org/x', keys },
        { endpoint: 'https://169.254.169.254/latest', keys },
        { endpoint: 'https://127.0.0.1/', keys },
        { endpoint: `https://example.org/${'x'.repeat(2100)}`, keys },
        { endpoint, keys: { ...keys, p256dh: `B${'A'.repeat(86)}` } },
        { endpoint, keys: { ...keys, p256dh: 'short' } },
        { endpoint, keys: { ...keys, auth: '' } },
      ])
        expect((await client.refusal(routes.subscribe, { body })).code).toMatch(
          /^(validation_failed|url_not_allowed|push_refused)$/,
        )
      await client.call(routes.subscribe, { body: { endpoint, keys } })
    } finally {
      await app.stop()
    }
  })

  test('nothing readable of a browser stands in the database', async () => {
    const app = await openPush(open)
    try {
      const { id, client } = await app.account('ann')
      await client.call(routes.subscribe, { body: service.subscription })
      const rows = await app.database
        .tables<{ push_devices: Record<string, unknown> }>()
        .selectFrom('push_devices')
        .selectAll()
        .execute()
      const text = rows
        .flatMap((row) =>
          Object.values(row).map((value) =>
            value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value),
          ),
        )
        .join(' ')
      for (const secret of [
        service.subscription.endpoint,
        service.subscription.keys.auth,
        service.subscription.keys.p256dh,
      ])
        expect(text).not.toContain(secret)
      await app.push.accountRemoved(id)
      expect((await client.call(routes.devices, {})).items).toEqual([])
    } finally {
      await app.stop()
    }
  })
})
