import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { accountsRoutes } from '@atrium/contract/accounts'
import { webhooksRoutes as routes } from '@atrium/contract/webhooks'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAudit } from '../../platform/audit/index.ts'
import { createEventLog } from '../../platform/events/event-log.ts'
import { eventMigrations } from '../../platform/events/tables.ts'
import { bindRoutes } from '../../platform/http/area.ts'
import { createJobs } from '../../platform/jobs/jobs.ts'
import { jobMigrations } from '../../platform/jobs/tables.ts'
import { createLog } from '../../platform/log/log.ts'
import { createOutbound } from '../../platform/outbound/outbound.ts'
import { openVault } from '../../platform/vault/vault.ts'
import { createTestAccounts, testAccountMigrations } from '../../testing/accounts.ts'
import { realClock } from '../../testing/clock.ts'
import { onBothDatabases, type Open } from '../../testing/databases.ts'
import { serveAccounts } from '../../testing/serve-accounts.ts'
import { signedIn } from '../../testing/sign-in.ts'
import type { Publication } from '../notifications/index.ts'
import { createWebhooks, pruneJob, webhookMigrations } from './index.ts'

const password = 'a long enough password'
const dayMs = 24 * 3600_000

/** A program that is told: it keeps what came, and answers as it is told, else with 204. */
interface Received {
  readonly headers: Record<string, string>
  readonly body: string
}
const received: Received[] = []
const answers: { readonly status: number; readonly body?: string; readonly headers?: Record<string, string> }[] = []
const receive = async (request: IncomingMessage): Promise<void> => {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  received.push({ headers: request.headers as Record<string, string>, body: Buffer.concat(pieces).toString() })
}
const receiver = createServer((request, response) => {
  void receive(request).then(() => {
    const { status, body = '', headers = {} } = answers.shift() ?? { status: 204 }
    response.writeHead(status, headers).end(body)
  })
})
let place = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  place = `127.0.0.1:${(receiver.address() as AddressInfo).port}`
})
afterAll(() => void receiver.close())

const openWebhooks = async (open: Open) => {
  const database = await open([...testAccountMigrations, ...eventMigrations, ...jobMigrations, ...webhookMigrations])
  let ahead = 0
  const clock = { ...realClock, now: () => realClock.now() + ahead }
  const vault = await openVault({ database, instanceKey: randomBytes(32), clock })
  const log = createLog({ level: 'silent' })
  const processId = clock.id()
  await database.holdPresence(processId)
  const parts = { database, vault, clock, log, processId }
  const events = createEventLog(parts)
  const jobs = createJobs({ ...parts, events, concurrency: 4, tuning: { backoffMs: 20, pollMs: 50 } })
  const accounts = createTestAccounts({ database, vault, clock, log })
  const outbound = createOutbound({ allowed: () => new Set([place]), log })
  const published: Publication[] = []
  const webhooks = createWebhooks({
    ...parts,
    jobs,
    outbound,
    audit: createAudit({ database, vault, clock }),
    accounts: {
      administratorIds: accounts.administratorIds,
      isActive: async (id) => (await accounts.accountNames.find(id)) !== null,
    },
    announce: async () => undefined,
    publish: async (publication) => void published.push(publication),
    address: async () => 'https://atrium.example.org',
  })
  const area = bindRoutes({ name: 'notifications', routes, handlers: webhooks.handlers, jobs: webhooks.jobs })
  const served = await serveAccounts(accounts, { areas: [...accounts.areas, area], clock })
  jobs.start([webhooks.jobs])
  const account = async (username: string, role: 'admin' | 'user' = 'user') => {
    const { id } = await accounts.createAccount({ username, password, role })
    const answer = await served.guest.call(accountsRoutes.login, { body: { username, password } })
    return { id, client: served.guest.as(signedIn(answer).token) }
  }
  received.length = 0
  answers.length = 0
  return {
    account,
    database,
    published,
    webhooks,
    advance: (ms: number) => void (ahead += ms),
    tell: (accountId: string, id: string) =>
      webhooks.api.deliver({
        id,
        accountId,
        notificationId: `n-${id}`,
        kind: 'share',
        at: clock.now(),
        words: async () => ({ title: 'Shared with you', body: 'ann shared “Plans”' }),
      }),
    settled: async (count: number) => await expect.poll(() => received.length).toBe(count),
    prune: async () => {
      const context = { jobId: 'j', accountId: null, attempt: 1, signal: AbortSignal.timeout(60_000) }
      await webhooks.jobs[pruneJob].prepare({})?.({
        ...context,
        progress: () => undefined,
        guard: async () => undefined,
      })
    },
    async stop() {
      await jobs.stop()
      await served.stop()
      await events.stop()
      await outbound.close()
    },
  }
}

const settings = (more: object = {}) => ({
  name: 'Home',
  url: `http://${place}/hook?key=1`,
  events: ['*'],
  content: false,
  enabled: true,
  ...more,
})

onBothDatabases('webhooks', (open) => {
  test('a program is told what kind of thing happened, signed, and once', async () => {
    const app = await openWebhooks(open)
    try {
      const { id, client } = await app.account('ann')
      const { webhook, secret } = await client.call(routes.createWebhook, { body: settings() })
      await client.call(routes.createWebhook, { body: settings({ name: 'Other', events: ['webhook-off'] }) })
      await app.tell(id, 'd1')
      await app.tell(id, 'd1')
      await app.settled(1)
      const [first] = received
      const said = new Webhook(secret).verify(first?.body ?? '', first?.headers ?? {})
      expect(said).toEqual({
        type: 'notification.share',
        timestamp: expect.any(String),
        data: {
          notificationId: 'n-d1',
          kind: 'share',
          at: expect.any(String),
          link: 'https://atrium.example.org/notifications/n-d1',
        },
      })
      const list = () => client.call(routes.webhookDeliveries, { params: { webhookId: webhook.id } })
      await expect
        .poll(async () => (await list()).items)
        .toMatchObject([{ type: 'notification.share', state: 'delivered', tries: 1, status: 204, failure: null }])
      expect(() =>
        new Webhook(`whsec_${randomBytes(32).toString('base64')}`).verify(first?.body ?? '', first?.headers ?? {}),
      ).toThrow()
      // Words only where they were asked for.
      const params = { webhookId: webhook.id }
      await client.call(routes.updateWebhook, { params, body: settings({ content: true }) })
      await app.tell(id, 'd2')
      await app.settled(2)
      expect(JSON.parse(received[1]?.body ?? '')).toMatchObject({ data: { body: 'ann shared “Plans”' } })
    } finally {
      await app.stop()
    }
  })

  test('while a secret is exchanged both sign, and a time later only the new one', async () => {
    const app = await openWebhooks(open)
    try {
      const { id, client } = await app.account('ann')
      const { webhook, secret } = await client.call(routes.createWebhook, { body: settings() })
      const params = { webhookId: webhook.id }
      const { secret: next } = await client.call(routes.rotateWebhookSecret, { params, body: { keepHours: 2 } })
      expect(next).not.toBe(secret)
      await app.tell(id, 'd1')
      await app.settled(1)
      for (const each of [secret, next]) new Webhook(each).verify(received[0]?.body ?? '', received[0]?.headers ?? {})
      await client.call(routes.rotateWebhookSecret, { params, body: { keepHours: 0 } })
      await app.tell(id, 'd2')
      await app.settled(2)
      for (const each of [secret, next])
        expect(() => new Webhook(each).verify(received[1]?.body ?? '', received[1]?.headers ?? {})).toThrow()
      expect(JSON.stringify(await client.call(routes.webhooks, {}))).not.toContain('whsec_')
    } finally {
      await app.stop()
    }
  })

  test('who is away is tried again for a day, and again by hand under the same id', async () => {
    const app = await openWebhooks(open)
    try {
      const { id, client } = await app.account('ann')
      const { webhook } = await client.call(routes.createWebhook, { body: settings() })
      const params = { webhookId: webhook.id }
      const newest = async () => (await client.call(routes.webhookDeliveries, { params })).items[0]
      for (let n = 0; n < 40; n++) answers.push({ status: 503 })
      await app.tell(id, 'd1')
      // Each wait is over at once, for as long as there is one.
      let tries = 0
      for (let state = 'waiting'; state === 'waiting'; ) {
        await expect.poll(async () => (await newest())?.tries).toBe(++tries)
        const delivery = await newest()
        state = delivery?.state ?? ''
        if (delivery?.nextTryAt)
          app.advance(Math.max(0, Date.parse(delivery.nextTryAt) - Date.parse(delivery.triedAt ?? '')) + 1000)
      }
      expect(tries).toBeGreaterThan(8)
      expect(await newest()).toMatchObject({ state: 'failed', status: 503, failure: 'status', nextTryAt: null })
      expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
      expect((await client.call(routes.webhooks, {})).items).toMatchObject([
        { enabled: true, failingSince: expect.any(String) },
      ])
      answers.length = 0
      const { id: deliveryId = '' } = (await newest()) ?? {}
      await client.call(routes.redeliver, { params: { webhookId: webhook.id, deliveryId }, body: {} })
      await expect.poll(newest).toMatchObject({ state: 'delivered' })
      expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
      expect((await client.call(routes.webhooks, {})).items).toMatchObject([{ failingSince: null }])
      app.advance(31 * dayMs)
      await app.prune()
      const rows = app.database.tables<{ webhook_deliveries: { id: string } }>().selectFrom('webhook_deliveries')
      expect(await rows.select('id').execute()).toEqual([])
    } finally {
      await app.stop()
    }
  })

  test('one that is gone, or fails for five days, is turned off, and its owner is told', async () => {
    const app = await openWebhooks(open)
    try {
      const { id, client } = await app.account('ann')
      const { webhook } = await client.call(routes.createWebhook, { body: settings() })
      const params = { webhookId: webhook.id }
      const now = async () => (await client.call(routes.webhooks, {})).items[0]
      answers.push({ status: 410 })
      await app.tell(id, 'd1')
      await expect.poll(now).toMatchObject({ enabled: false, off: 'gone' })
      await app.tell(id, 'd2')
      const facts = { webhookId: webhook.id, of: 'account', name: 'Home' }
      await expect
        .poll(() => app.published)
        .toMatchObject([{ accountId: id, kind: 'webhook-off', facts: { ...facts, reason: 'gone' } }])
      const { items } = await client.call(routes.webhookDeliveries, { params })
      const retry = { params: { webhookId: webhook.id, deliveryId: items[0]?.id ?? '' }, body: {} }
      expect(await client.refusal(routes.redeliver, retry)).toMatchObject({ code: 'webhook_off' })
      await client.call(routes.updateWebhook, { params, body: settings() })
      expect(await now()).toMatchObject({ enabled: true, off: null })
      answers.push({ status: 500 })
      await app.tell(id, 'd3')
      await expect.poll(now).toMatchObject({ failingSince: expect.any(String) })
      app.advance(5 * dayMs + 3600_000)
      answers.push(...Array.from({ length: 9 }, () => ({ status: 500 })))
      await expect.poll(now).toMatchObject({ enabled: false, off: 'failing' })
    } finally {
      await app.stop()
    }
  })

  test('a test shows what came back and keeps none of it', async () => {
    const app = await openWebhooks(open)
    try {
      const { client } = await app.account('ann')
      const { webhook, secret } = await client.call(routes.createWebhook, { body: settings() })
      const call = { params: { webhookId: webhook.id }, body: {} }
      answers.push({ status: 418, body: 'short <b>and</b> stout' })
      expect(await client.call(routes.testWebhook, call)).toMatchObject({
        delivered: false,
        status: 418,
        failure: 'status',
        answer: 'short <b>and</b> stout',
      })
      new Webhook(secret).verify(received[0]?.body ?? '', received[0]?.headers ?? {})
      answers.push({ status: 200, body: 'x'.repeat(100_000) })
      expect(await client.call(routes.testWebhook, call)).toMatchObject({ status: 200, answer: '' })
      answers.push({ status: 302, headers: { location: 'http://169.254.169.254/' } })
      expect(await client.call(routes.testWebhook, call)).toMatchObject({ failure: 'redirected', status: null })
      expect((await client.call(routes.webhookDeliveries, { params: call.params })).items).toEqual([])
    } finally {
      await app.stop()
    }
  })

  test('others see none of it, and those of the instance are for administrators', async () => {
    const app = await openWebhooks(open)
    try {
      const ann = await app.account('ann')
      const ben = await app.account('ben')
      const admin = await app.account('adm', 'admin')
      const { webhook } = await ann.client.call(routes.createWebhook, { body: settings() })
      const own = { of: 'instance' as const, events: ['alert-started'] }
      const ofInstance = (await admin.client.call(routes.createWebhook, { body: { ...settings(), ...own } })).webhook
      for (const [client, { id }] of [
        [ben.client, webhook],
        [admin.client, webhook],
        [ann.client, ofInstance],
      ] as const) {
        const params = { webhookId: id }
        for (const refused of [
          client.refusal(routes.updateWebhook, { params, body: settings() }),
          client.refusal(routes.removeWebhook, { params }),
          client.refusal(routes.rotateWebhookSecret, { params, body: {} }),
          client.refusal(routes.testWebhook, { params, body: {} }),
          client.refusal(routes.webhookDeliveries, { params }),
          client.refusal(routes.redeliver, { params: { webhookId: id, deliveryId: 'd' }, body: {} }),
        ])
          expect(await refused).toMatchObject({ status: 404, code: 'webhook_not_found' })
      }
      const instance = { query: { of: 'instance' as const } }
      expect(await ben.client.refusal(routes.webhooks, instance)).toMatchObject({ code: 'forbidden' })
      expect((await admin.client.call(routes.webhooks, instance)).items).toMatchObject([{ id: ofInstance.id }])
      await app.webhooks.api.sendToInstance('alert-started', { source: 'a1', data: { id: 'disk' } })
      await app.webhooks.api.sendToInstance('alert-ended', { source: 'a2', data: { id: 'disk' } })
      await app.settled(1)
      expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ type: 'alert.started', data: { id: 'disk' } })
      for (const body of [
        settings({ url: 'http://169.254.169.254/' }),
        settings({ url: 'http://127.0.0.1:1/' }),
        settings({ url: 'ftp://example.org' }),
        settings({ events: ['nothing'] }),
        settings({ events: ['alert-started'] }),
        settings({ events: [] }),
        settings({ name: ' ' }),
      ])
        expect((await ben.client.refusal(routes.createWebhook, { body })).code).toMatch(
          /validation_failed|url_not_allowed/,
        )
      for (let n = 0; n < 20; n++) await ben.client.call(routes.createWebhook, { body: settings() })
      expect(await ben.client.refusal(routes.createWebhook, { body: settings() })).toMatchObject({
        code: 'webhook_limit',
      })
      const rows = await app.database
        .tables<{ webhooks: Record<string, unknown> }>()
        .selectFrom('webhooks')
        .selectAll()
        .execute()
      const text = rows
        .flatMap((row) => Object.values(row))
        .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)))
        .join(' ')
      expect(text).not.toMatch(/hook\?key|whsec_|Home/)
      await app.webhooks.accountRemoved(ben.id)
      expect((await ben.client.call(routes.webhooks, {})).items).toEqual([])
    } finally {
      await app.stop()
    }
  })
})
