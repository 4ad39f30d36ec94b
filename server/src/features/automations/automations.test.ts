import { createHmac } from 'node:crypto'
import { type AutomationContent, type AutomationRun, automationsRoutes as routes } from '@atrium/contract/automations'
import { accountsRoutes } from '@atrium/contract/accounts'
import { channelsRoutes } from '@atrium/contract/channels'
import { chatRoutes } from '@atrium/contract/chat'
import { notificationsRoutes } from '@atrium/contract/notifications'
import { toolsRoutes } from '@atrium/contract/tools'
import { usageRoutes } from '@atrium/contract/usage'
import { searchRoutes } from '@atrium/contract/search'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../../e2e/provider/provider.ts'
import { type TestApp, startTestApp } from '../../testing/app.ts'
import { local } from '../../testing/chats.ts'
import type { Client } from '../../testing/client.ts'
import { makeSecret } from './webhook.ts'
import { systemClock } from '../../platform/system-clock.ts'

type Given = Partial<AutomationContent>

describe.each(['sqlite', 'postgres'] as const)('automations on %s', (dialect) => {
  let provider: Provider
  let app: TestApp
  let ann: Client
  let ben: Client
  /** How far the clock of the server is ahead. */
  let ahead = 0
  beforeAll(async () => {
    provider = await startProvider()
    provider.control({ models: ['echo', 'long-400-drip-50'] })
    app = await startTestApp({
      dialect,
      env: { OLLAMA_BASE_URL: provider.url },
      overrides: { clock: { ...systemClock, now: () => Date.now() + ahead } },
    })
    ann = await app.signUpAdmin()
    ben = await app.signUpUser('ben')
  })
  afterAll(async () => {
    await app?.close()
    await provider?.close()
  })

  const content = (given: Given = {}): AutomationContent => ({
    name: 'Morning news',
    instructions: 'Say good morning.',
    triggers: [],
    selection: local('echo'),
    asksModel: true,
    tools: [],
    useLibrary: true,
    collectionIds: [],
    mostRunCost: null,
    mostMonthCost: null,
    mostMonthMinutes: null,
    webSearch: false,
    target: { kind: 'chat', sessionId: null },
    missed: 'once',
    overlap: 'skip',
    retries: 0,
    timeoutMinutes: 5,
    startsAt: null,
    endsAt: null,
    mostRuns: null,
    notify: 'results',
    ...given,
  })
  const create = (given: Given = {}, client = ann) => client.call(routes.create, { body: content(given) })
  const at = (automationId: string) => ({ params: { automationId } })
  const runsOf = async (automationId: string): Promise<AutomationRun[]> =>
    (await ann.call(routes.runs, { query: { automationId } })).items
  const ended = async (automationId: string, count = 1): Promise<AutomationRun[]> => {
    await expect
      .poll(async () => (await runsOf(automationId)).filter(({ endedAt }) => endedAt !== null))
      .toHaveLength(count)
    return runsOf(automationId)
  }

  test('run by hand ask in a new chat of their owner, which is told', async () => {
    const { id } = await create()
    const { runId } = await ann.call(routes.run, { ...at(id), body: { payload: { city: 'Oslo' } } })
    const [run] = await ended(id)
    expect(run).toMatchObject({ id: runId, state: 'succeeded', trigger: 'manual', tries: 1, reason: null, seen: false })
    const chat = await ann.call(chatRoutes.read, { params: { sessionId: run?.sessionId ?? '' }, query: {} })
    expect(chat).toMatchObject({ title: 'Morning news' })
    const [question] = chat.messages.items
    expect(question?.content).toContain('Say good morning.')
    expect(question?.content).toContain('"city": "Oslo"')
    expect((await ann.call(routes.readRun, { params: { runId } })).payload).toContain('Oslo')
    const { items } = await ann.call(notificationsRoutes.list, { query: {} })
    expect(items).toContainEqual(
      expect.objectContaining({
        kind: 'automation-result',
        facts: { automationId: id, runId, sessionId: run?.sessionId, name: 'Morning news' },
      }),
    )
    expect((await ann.call(routes.summary, { query: {} })).unseenCount).toBe(1)
    expect(await ann.call(routes.seen, {})).toEqual({ marked: 1 })
    expect((await ann.call(routes.summary, { query: {} })).days.at(-1)).toMatchObject({ succeeded: 1, failed: 0 })
  })

  test('post their result in a channel in the name of their owner, once, and call nobody there', async () => {
    const benId = (await ben.call(accountsRoutes.me, {})).id
    const body = { type: 'private' as const, name: 'News', memberIds: [benId] }
    const { id: channelId } = await ann.call(channelsRoutes.create, { body })
    const { id } = await create({
      name: 'Morning *news*',
      instructions: '@channel and @ben: good morning.',
      target: { kind: 'channel', channelId },
    })
    const { runId } = await ann.call(routes.run, at(id))
    expect((await ended(id))[0]).toMatchObject({ state: 'succeeded', sessionId: runId })
    const posted = async () =>
      (await ben.call(channelsRoutes.messages, { params: { channelId }, query: {} })).items.map((one) => one.content)
    expect(await posted()).toEqual([expect.stringMatching(/^\*\*Morning \\\*news\\\*\*\*\n\n[^]*@channel and @ben/)])
    const told = (await ben.call(notificationsRoutes.list, {})).items.filter(({ kind }) => kind.startsWith('channel'))
    expect(told.map(({ kind }) => kind)).not.toContain('channel-mention')

    await ann.call(channelsRoutes.update, { params: { channelId }, body: { archived: true } })
    await ann.call(routes.run, at(id))
    const [last] = (await ended(id, 2)).filter((run) => run.id !== runId)
    expect(last).toMatchObject({ state: 'failed', reason: 'channel_gone' })
    expect(await posted()).toHaveLength(1)
    const target = { kind: 'channel' as const, channelId }
    expect(await ann.refusal(routes.create, { body: content({ target }) })).toMatchObject({ code: 'channel_archived' })
    const cyd = await app.signUpUser()
    expect(await cyd.refusal(routes.create, { body: content({ target }) })).toMatchObject({ code: 'channel_not_found' })
  })

  test('are found by their names and by what they ask, by their owner alone', async () => {
    const { id } = await create({ name: 'Quarterly figures', instructions: 'Compare the turnover of Lisbon.' })
    const find = async (client: Client, q: string) =>
      (await client.call(searchRoutes.everything, { query: { q } })).items
        .filter(({ kind }) => kind === 'automation')
        .map((hit) => hit.id)
    expect(await find(ann, 'quarterly')).toEqual([id])
    expect(await find(ann, 'figures lisb')).toEqual([id])
    expect(await find(ann, 'in:automations turnover')).toEqual([id])
    expect(await find(ann, 'figures madrid')).toEqual([])
    expect(await find(ben, 'quarterly')).toEqual([])
  })

  test('are everybody’s own', async () => {
    const { id } = await create()
    const { runId } = await ann.call(routes.run, at(id))
    for (const route of [routes.read, routes.remove, routes.pause, routes.resume, routes.run, routes.createSecret])
      expect(await ben.refusal(route, at(id))).toMatchObject({ status: 404, code: 'automation_not_found' })
    expect(await ben.refusal(routes.update, { ...at(id), body: content() })).toMatchObject({ status: 404 })
    for (const route of [routes.readRun, routes.cancelRun, routes.retryRun])
      expect(await ben.refusal(route, { params: { runId } })).toMatchObject({ code: 'automation_run_not_found' })
    expect((await ben.call(routes.list, {})).items).toEqual([])
    expect((await ben.call(routes.runs, { query: {} })).items).toEqual([])
  })

  test('run at their time, once', async () => {
    const { id, nextRunAt } = await create({
      triggers: [{ kind: 'once', at: new Date(Date.now() + ahead + 60_000).toISOString() }],
    })
    expect(nextRunAt).not.toBeNull()
    ahead += 60_000
    // Every change has it look.
    await create()
    const [run] = await ended(id)
    expect(run).toMatchObject({ state: 'succeeded', trigger: 'schedule', scheduledFor: nextRunAt })
    expect(await ann.call(routes.read, at(id))).toMatchObject({ nextRunAt: null, lastRun: { id: run?.id } })
    expect(await runsOf(id)).toHaveLength(1)
  })

  test('make up for what they missed as their owner says', async () => {
    const triggers = [{ kind: 'interval', minutes: 10 }] as const
    const skip = await create({ triggers: [...triggers], missed: 'skip' })
    const once = await create({ triggers: [...triggers], missed: 'once' })
    ahead += 35 * 60_000
    // Every change has it look.
    await create()
    expect((await ended(skip.id, 3)).map(({ state }) => state)).toEqual(['missed', 'missed', 'missed'])
    expect((await ended(once.id, 3)).map(({ state }) => state).toSorted()).toEqual(['missed', 'missed', 'succeeded'])
    for (const { id } of [skip, once]) await ann.call(routes.remove, at(id))
  })

  describe('that are started while they run', () => {
    const slow = local('long-400-drip-50')
    const startTwice = async (overlap: AutomationContent['overlap']) => {
      const { id } = await create({ selection: slow, overlap })
      const { runId: first } = await ann.call(routes.run, at(id))
      await expect.poll(async () => (await runsOf(id))[0]?.messageId).not.toBeNull()
      const { runId: second } = await ann.call(routes.run, at(id))
      const stateOf = async (runId: string) => (await ann.call(routes.readRun, { params: { runId } })).state
      return { id, first, second, stateOf }
    }

    test('skip the second', async () => {
      const { first, second, stateOf, id } = await startTwice('skip')
      await expect.poll(() => stateOf(second)).toBe('skipped')
      expect(await stateOf(first)).toBe('running')
      expect(await ann.call(routes.cancelRun, { params: { runId: first } })).toMatchObject({
        state: 'cancelled',
        reason: 'stopped',
      })
      expect(await ann.refusal(routes.cancelRun, { params: { runId: first } })).toMatchObject({
        code: 'automation_run_ended',
      })
      await ann.call(routes.remove, at(id))
      expect(await ann.refusal(routes.read, at(id))).toMatchObject({ code: 'automation_not_found' })
    })

    test('keep it waiting', async () => {
      const { first, second, stateOf } = await startTwice('queue')
      expect(await stateOf(second)).toBe('queued')
      await ann.call(routes.cancelRun, { params: { runId: first } })
      await expect.poll(() => stateOf(second)).toBe('running')
      await ann.call(routes.cancelRun, { params: { runId: second } })
    })

    test('stop the first', async () => {
      const { first, second, stateOf } = await startTwice('cancel')
      await expect.poll(() => stateOf(first)).toBe('cancelled')
      await expect.poll(() => stateOf(second)).toBe('running')
      await ann.call(routes.cancelRun, { params: { runId: second } })
    })

    test('let both go on', async () => {
      const { first, second, stateOf } = await startTwice('parallel')
      await expect.poll(() => stateOf(second)).toBe('running')
      expect(await stateOf(first)).toBe('running')
      for (const runId of [first, second]) await ann.call(routes.cancelRun, { params: { runId } })
    })
  })

  describe('that fail', () => {
    const gone = { providerType: 'plugin', providerId: 'gone', model: 'none' } as const

    test('are tried again as often as their owner says', async () => {
      const { id } = await create({ selection: gone, retries: 1 })
      await ann.call(routes.run, at(id))
      await expect
        .poll(async () => (await runsOf(id))[0])
        .toMatchObject({
          state: 'queued',
          tries: 1,
          reason: 'model_unavailable',
        })
      ahead += 31_000
      await create()
      expect(await ended(id)).toMatchObject([{ state: 'failed', tries: 2, reason: 'model_unavailable' }])
    })

    test('ten times in a row are paused, of which their owner is told, until they are resumed', async () => {
      const { id } = await create({ selection: gone, notify: 'off', name: 'Broken' })
      for (let count = 1; count <= 10; count += 1) {
        await ann.call(routes.run, at(id))
        await ended(id, count)
      }
      expect(await ann.call(routes.read, at(id))).toMatchObject({ status: 'paused', pausedByFailures: true })
      const told = (await ann.call(notificationsRoutes.list, { query: {} })).items.filter(
        ({ facts }) => (facts as { automationId?: string }).automationId === id,
      )
      expect(told).toMatchObject([{ kind: 'automation-failed', facts: { name: 'Broken', paused: true } }])
      expect(await ann.call(routes.resume, at(id))).toMatchObject({ status: 'active', pausedByFailures: false })
    })

    test('because their chat is gone say so', async () => {
      const { id: sessionId } = await ann.call(chatRoutes.create, { body: { selection: local('echo') } })
      const { id } = await create({ target: { kind: 'chat', sessionId } })
      await ann.call(routes.run, at(id))
      expect(await ended(id)).toMatchObject([{ state: 'succeeded', sessionId }])
      await ann.call(chatRoutes.remove, { params: { sessionId } })
      await ann.call(routes.run, at(id))
      expect((await ended(id, 2))[0]).toMatchObject({ state: 'failed', reason: 'chat_gone' })
      expect(
        await ann.refusal(routes.create, { body: content({ target: { kind: 'chat', sessionId } }) }),
      ).toMatchObject({
        code: 'chat_not_found',
      })
    })

    test('by taking too long are stopped', async () => {
      const { id } = await create({ selection: local('long-400-drip-50'), timeoutMinutes: 1 })
      await ann.call(routes.run, at(id))
      await expect.poll(async () => (await runsOf(id))[0]?.messageId).not.toBeNull()
      ahead += 61_000
      await create()
      expect(await ended(id)).toMatchObject([{ state: 'failed', reason: 'timed_out' }])
    })
  })

  test('tell what they cost in this month, and begin no more once that is too much', async () => {
    await ann.call(usageRoutes.addTariff, {
      body: {
        providerId: 'local',
        model: null,
        inputPerMillion: '1000',
        cachedPerMillion: null,
        outputPerMillion: '1000',
        unitPrice: null,
        effectiveFrom: '2026-01-01T00:00:00.000Z',
      },
    })
    const { id } = await create({ mostMonthCost: '0.000001' })
    await ann.call(routes.run, at(id))
    const [first] = await ended(id)
    expect(first).toMatchObject({ state: 'succeeded', inputTokens: expect.any(Number), cost: { currency: 'USD' } })
    expect(await ann.call(routes.read, at(id))).toMatchObject({ monthCost: first?.cost })
    await ann.call(routes.run, at(id))
    expect((await ended(id, 2))[0]).toMatchObject({ state: 'skipped', reason: 'over_limit', cost: null })
    await ann.call(routes.remove, at(id))

    // The model calls something, and would be asked again: the answer has passed its cost by then, and ends.
    const bound = await create({
      instructions: '<<list_automations {}>> then <<list_automations {}>>',
      tools: ['builtin:list_automations'],
      mostRunCost: '0.000001',
      retries: 3,
    })
    await ann.call(routes.run, at(bound.id))
    expect(await ended(bound.id)).toMatchObject([
      { state: 'failed', reason: 'cost_limit', tries: 1, cost: { currency: 'USD' } },
    ])
    await ann.call(routes.remove, at(bound.id))
  })

  test('stop at their cost also where an answer goes on after a decision', async () => {
    const { id: channelId } = await ann.call(channelsRoutes.create, { body: { type: 'private', name: 'Bound' } })
    const { id } = await create({
      instructions: `<<post_to_channel {"id":"${channelId}","message":"Built."}>>`,
      tools: ['builtin:post_to_channel'],
      mostRunCost: '0.000001',
    })
    await ann.call(routes.run, at(id))
    const pending = async () => (await ann.call(toolsRoutes.approvals, {})).pending
    await expect.poll(async () => (await pending()).length).toBe(1)
    const approvalId = (await pending())[0]?.id ?? ''
    await ann.call(toolsRoutes.decideApproval, { params: { approvalId }, body: { decision: 'allow_once' } })
    expect(await ended(id)).toMatchObject([{ state: 'failed', reason: 'cost_limit' }])
    await ann.call(routes.remove, at(id))
  })

  // What follows has nothing of its own in the database.
  if (dialect === 'postgres') return

  test('show what would come of them, and keep nothing of it', async () => {
    const { id } = await create({ instructions: 'Say good evening.' })
    const chats = async () => (await ann.call(chatRoutes.list, { query: {} })).items.length
    const before = await chats()
    const shown = await ann.call(routes.dryRun, { ...at(id), body: { payload: { city: 'Oslo' } } })
    expect(shown.question).toContain('"city": "Oslo"')
    expect(shown.text).toContain('Say good evening.')
    expect([await chats(), await runsOf(id)]).toEqual([before, []])
    expect(await ben.refusal(routes.dryRun, at(id))).toMatchObject({ code: 'automation_not_found' })
    await ann.call(routes.remove, at(id))
  })

  describe('by webhook', () => {
    const open = async (given: Given = {}) => {
      const { id } = await create(given)
      const { secret, path } = await ann.call(routes.createSecret, at(id))
      const send = (headers: Record<string, string>, body: string | undefined = '{"a":1}') =>
        fetch(`${app.url}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body,
        })
      return { id, secret, send }
    }
    const runOf = async (response: Response): Promise<string> => {
      expect(response.status).toBe(202)
      return ((await response.json()) as { runId: string }).runId
    }

    test('start with their secret as bearer, or signed with it, and with nothing else', async () => {
      const { id, secret, send } = await open({ overlap: 'parallel' })
      const payload = '{"ref":"main"}'
      const now = Math.floor((Date.now() + ahead) / 1000)
      const standard = (key: string, seconds = now, body = payload) => ({
        'webhook-id': `msg_${seconds}`,
        'webhook-timestamp': String(seconds),
        'webhook-signature': new Webhook(key).sign(`msg_${seconds}`, new Date(seconds * 1000), body),
      })
      const hub = (key: string) => ({
        'x-hub-signature-256': `sha256=${createHmac('sha256', key).update(payload).digest('hex')}`,
      })
      const other = makeSecret()
      const runs = [
        await runOf(await send({ authorization: `Bearer ${secret}` }, payload)),
        await runOf(await send(standard(secret), payload)),
        await runOf(await send(hub(secret), payload)),
      ]
      expect(new Set(runs).size).toBe(3)
      const refused = [
        send({}, payload),
        send({ authorization: `Bearer ${other}` }, payload),
        send(standard(other), payload),
        send(standard(secret, now - 301), payload),
        send(standard(secret, now, '{}'), payload),
        send(hub(other), payload),
      ]
      for (const response of await Promise.all(refused)) expect(response.status).toBe(401)
      const unknown = await fetch(`${app.url}/api/automations/unknown/webhook`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}` },
      })
      expect(unknown.status).toBe(401)
      expect(await ended(id, 3)).toMatchObject([{ trigger: 'webhook' }, {}, {}])
    })

    test('the same delivery gives the same run, also a hundred times at once', async () => {
      const { id, secret, send } = await open()
      const headers = { authorization: `Bearer ${secret}`, 'webhook-id': 'msg_same' }
      const answers = await Promise.all(Array.from({ length: 100 }, () => send(headers)))
      expect(new Set(await Promise.all(answers.map(runOf))).size).toBe(1)
      expect(await ended(id)).toHaveLength(1)
    })

    test('take nothing but a JSON object', async () => {
      const { secret, send } = await open()
      const headers = { authorization: `Bearer ${secret}` }
      for (const body of ['[1]', '"text"', '{', '1', `${'{"a":'.repeat(80)}1${'}'.repeat(80)}`, '{"__proto__":{}}'])
        expect((await send(headers, body)).status).toBe(400)
      expect((await send(headers, JSON.stringify({ a: 'x'.repeat(1024 * 1024) }))).status).toBe(413)
      expect((await send(headers, '')).status).toBe(202)
    })

    test('end with their secret, and while they are paused', async () => {
      const { id, secret, send } = await open()
      const headers = { authorization: `Bearer ${secret}` }
      await ann.call(routes.pause, at(id))
      expect((await send(headers)).status).toBe(409)
      expect((await send({})).status).toBe(401)
      await ann.call(routes.resume, at(id))
      const { secret: next } = await ann.call(routes.createSecret, at(id))
      expect((await send(headers)).status).toBe(401)
      expect((await send({ authorization: `Bearer ${next}` })).status).toBe(202)
      expect(await ann.call(routes.removeSecret, at(id))).toEqual({ webhookEnabled: false })
      expect((await send({ authorization: `Bearer ${next}` })).status).toBe(401)
    })

    test('start sixty times a minute at most', async () => {
      const { secret, send } = await open({ overlap: 'skip' })
      const headers = { authorization: `Bearer ${secret}` }
      const statuses: number[] = []
      for (let count = 0; count < 61; count += 1) statuses.push((await send(headers, '')).status)
      expect([statuses.slice(0, 60).every((status) => status === 202), statuses[60]]).toEqual([true, 429])
    })
  })

  test('refuse what makes no sense, and keep nothing of it', async () => {
    const refusals = [
      { triggers: [{ kind: 'cron', expression: '0 0 30 2 *', timeZone: 'UTC' }] },
      { triggers: Array.from({ length: 6 }, () => ({ kind: 'interval', minutes: 5 })) },
      { name: 'two\nlines' },
      { instructions: ' ' },
      { retries: 6 },
    ] as Given[]
    const eve = await app.signUpUser()
    for (const given of refusals)
      expect((await eve.refusal(routes.create, { body: content(given) })).status).toBeGreaterThanOrEqual(400)
    expect((await eve.call(routes.list, {})).items).toEqual([])
    const ranges = { from: '2026-03-01T00:00:00Z', to: '2026-06-01T00:00:00Z' }
    expect(await eve.refusal(routes.occurrences, { query: ranges })).toMatchObject({ code: 'validation_failed' })
  })

  test('tell when they will run, and what a schedule means before it is kept', async () => {
    const eve = await app.signUpUser()
    const trigger = { kind: 'cron', expression: '30 7 * * *', timeZone: 'UTC' } as const
    const { id } = await create({ triggers: [trigger] }, eve)
    const from = new Date(Date.now() + ahead)
    const to = new Date(from.getTime() + 3 * 86_400_000)
    const query = { from: from.toISOString(), to: to.toISOString() }
    const { items } = await eve.call(routes.occurrences, { query })
    expect(items).toHaveLength(3)
    const preview = { triggers: [trigger], startsAt: null, endsAt: null }
    const shown = await eve.call(routes.preview, { body: preview })
    expect(shown.next.slice(0, 3)).toEqual(items.map((item) => item.at))
    expect(shown.triggers).toMatchObject([{ trigger, next: shown.next }])
    expect(await eve.call(routes.pause, at(id))).toMatchObject({ status: 'paused', nextRunAt: null })
    expect((await eve.call(routes.occurrences, { query })).items).toEqual([])
    expect((await eve.call(routes.resume, at(id))).nextRunAt).toBe(shown.next[0])
  })
})
