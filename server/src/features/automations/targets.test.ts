import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { accountsRoutes } from '@atrium/contract/accounts'
import { type AutomationContent, type AutomationRun, automationsRoutes as routes } from '@atrium/contract/automations'
import { channelsRoutes } from '@atrium/contract/channels'
import { webhooksRoutes } from '@atrium/contract/webhooks'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../../e2e/provider/provider.ts'
import { type TestApp, startTestApp } from '../../testing/app.ts'
import { local } from '../../testing/chats.ts'
import type { Client } from '../../testing/client.ts'
import { type SmtpServer, startSmtpServer } from '../../testing/smtp.ts'
import { fillText } from './targets/text.ts'

let provider: Provider
let smtp: SmtpServer
let app: TestApp
let ann: Client
const received: { readonly headers: Record<string, string>; readonly body: string }[] = []
const receiver = createServer((request, response) => {
  let body = ''
  request.on('data', (bytes: Buffer) => (body += bytes.toString()))
  request.on('end', () => {
    received.push({ headers: request.headers as Record<string, string>, body })
    response.writeHead(204).end()
  })
})
let place = ''
beforeAll(async () => {
  await new Promise<void>((go) => receiver.listen(0, '127.0.0.1', go))
  place = `127.0.0.1:${(receiver.address() as AddressInfo).port}`
  provider = await startProvider()
  smtp = await startSmtpServer()
  app = await startTestApp({
    env: {
      OLLAMA_BASE_URL: provider.url,
      OUTBOUND_ALLOW: place,
      SMTP_HOST: 'localhost',
      SMTP_PORT: String(smtp.port),
      SMTP_SECURITY: 'none',
      SMTP_FROM: 'Atrium <atrium@example.org>',
      BASE_URL: 'https://atrium.example.org',
    },
  })
  ann = await app.signUpAdmin()
})
afterAll(async () => {
  await app?.close()
  await provider?.close()
  await smtp?.close()
  receiver.close()
})

const create = (given: Partial<AutomationContent>, client = ann) =>
  client.call(routes.create, {
    body: { name: 'Build watch', instructions: 'Say hello.', triggers: [], selection: local('echo'), ...given },
  })
const run = async (automationId: string, payload: Record<string, unknown> = {}): Promise<AutomationRun> => {
  const { runId } = await ann.call(routes.run, { params: { automationId }, body: { payload } })
  await expect.poll(async () => (await ann.call(routes.readRun, { params: { runId } })).endedAt).not.toBeNull()
  return await ann.call(routes.readRun, { params: { runId } })
}

test('a text without a model goes to a channel, filled from what came along, which calls nobody and marks nothing up', async () => {
  const { id: channelId } = await ann.call(channelsRoutes.create, { body: { type: 'private', name: 'Builds' } })
  const target = { kind: 'channel', channelId } as const
  const { id } = await create({
    asksModel: false,
    instructions: '**Build** {{build.number}} by {{ by }}: {{build.failed}} {{gone}}',
    target,
  })
  const payload = { build: { number: 7, failed: ['lint'] }, by: '[Eve](https://evil.example) **@channel**' }
  expect(await run(id, payload)).toMatchObject({ state: 'succeeded', sessionId: null, messageId: null })
  const { items } = await ann.call(channelsRoutes.messages, { params: { channelId }, query: {} })
  expect(items.map(({ content }) => content)).toEqual([
    '**Build** 7 by \\[Eve\\](https://evil.example) \\*\\*@channel\\*\\*: \\["lint"\\] ',
  ])
  const body = { name: 'No', instructions: 'No.', triggers: [], asksModel: false }
  expect(await ann.refusal(routes.create, { body })).toMatchObject({ status: 422, code: 'automation_target_invalid' })
})

test('a result goes by mail to the confirmed address of its owner, and to no other', async () => {
  const target = { kind: 'mail' } as const
  expect(
    await ann.refusal(routes.create, { body: { name: 'M', instructions: 'M.', triggers: [], target } }),
  ).toMatchObject({ code: 'automation_mail_unavailable' })
  await ann.call(accountsRoutes.updateMe, { body: { email: 'ann@example.org' } })
  const [asked] = await smtp.waitFor('ann@example.org')
  const [, token = ''] = /#(\S+)/.exec(asked?.mail.text ?? '') ?? []
  await ann.call(accountsRoutes.verifyEmail, { body: { token } })
  const { id } = await create({ target, instructions: 'Say hello.' })
  const { sessionId } = await run(id)
  const letter = (await smtp.waitFor('ann@example.org', 2)).at(-1)
  expect(letter?.mail.subject).toContain('Build watch')
  expect(letter?.mail.text).toContain('Say hello.')
  expect(letter?.mail.text).toContain(`https://atrium.example.org/chat/${sessionId}`)
})

test('a result goes to a webhook of its owner, signed, and no webhook of others is told', async () => {
  const settings = { url: `http://${place}/hook`, events: ['share'], enabled: true }
  const made = await ann.call(webhooksRoutes.createWebhook, { body: { name: 'Home', ...settings } })
  const target = { kind: 'webhook', webhookId: made.webhook.id } as const
  const { id } = await create({ asksModel: false, instructions: 'Build {{number}}', target })
  const { id: runId } = await run(id, { number: 8 })
  await expect.poll(() => received.length).toBe(1)
  const [{ headers, body }] = received as [(typeof received)[number]]
  expect(new Webhook(made.secret).verify(body, headers)).toMatchObject({
    type: 'automation.result',
    data: { automationId: id, runId, name: 'Build watch', text: 'Build 8' },
  })
  const eve = await app.signUpUser()
  const spied = { name: 'S', instructions: 'S.', triggers: [], target }
  expect(await eve.refusal(routes.create, { body: spied })).toMatchObject({ status: 404, code: 'webhook_not_found' })
  await ann.call(webhooksRoutes.removeWebhook, { params: { webhookId: made.webhook.id } })
  expect(await run(id)).toMatchObject({ state: 'failed', reason: 'webhook_gone' })
})

test('a chain that goes through webhooks ends after five, whoever passes it on, and a forged place in one counts for nothing', async () => {
  const settings = { url: `http://${place}/relay`, events: ['share'], enabled: true }
  const made = await ann.call(webhooksRoutes.createWebhook, { body: { name: 'Relay', ...settings } })
  const target = { kind: 'webhook', webhookId: made.webhook.id } as const
  const { id } = await create({ asksModel: false, instructions: 'Round {{number}}', target, overlap: 'parallel' })
  const { secret, path } = await ann.call(routes.createSecret, { params: { automationId: id } })
  const hook = (headers: Record<string, string>) =>
    fetch(`${app.url}${path}`, { method: 'POST', headers: { authorization: `Bearer ${secret}`, ...headers } })
  const all = async () => (await ann.call(routes.runs, { query: { automationId: id } })).items
  const settled = async (count: number) => {
    await expect.poll(async () => (await all()).filter(({ endedAt }) => endedAt !== null).length).toBe(count)
    return (await all()).map(({ state, reason }) => reason ?? state)
  }
  /** Another program that calls back whatever it was told, with what it was told by. */
  const relay = async (count: number): Promise<string> => {
    await expect.poll(() => received.length).toBeGreaterThanOrEqual(count)
    return received[count - 1]?.headers['atrium-delivery'] ?? ''
  }
  received.length = 0
  expect((await hook({})).status).toBe(202)
  for (let count = 1; count <= 5; count += 1)
    expect((await hook({ 'atrium-delivery': await relay(count) })).status).toBe(202)
  expect(await settled(6)).toEqual(['chain_too_deep', ...Array.from({ length: 5 }, () => 'succeeded')])
  expect(received).toHaveLength(5)

  const [delivery = ''] = (received[4]?.headers['atrium-delivery'] ?? '').split('.')
  for (const forged of ['', 'x', `${delivery}.`, `${delivery}.${'A'.repeat(43)}`, `${delivery}.${delivery}`])
    expect((await hook({ 'atrium-delivery': forged })).status).toBe(202)
  expect((await settled(11)).filter((one) => one === 'succeeded')).toHaveLength(10)
  await ann.call(webhooksRoutes.removeWebhook, { params: { webhookId: made.webhook.id } })
  await ann.call(routes.remove, { params: { automationId: id } })
})

test.each([
  ['{{a}} {{ b.c }} {{b}}', '{"a":1,"b":{"c":true}}', '1 true {"c":true}'],
  ['{{constructor}}{{a.length}}{{__proto__.x}}', '{"a":"text"}', ''],
  ['{{a}}', '{"a":"{{b}}","b":"no"}', '{{b}}'],
  ['{{a', '{"a":1}', '{{a'],
  ['{{a}}', null, ''],
])('%s is filled from %s', (text, payload, filled) => {
  expect(fillText(text, payload, (value) => value)).toBe(filled)
})
