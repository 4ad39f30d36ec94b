import type { RequestListener } from 'node:http'
import { agentHarnessRoutes as routes } from '@atrium/contract/agent-harness'
import { auditRoutes } from '@atrium/contract/audit'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type AgentDaemon, startAgentDaemon } from '../../../../e2e/agent-daemon/daemon.ts'
import { type TestApp, startTestApp } from '../../testing/app.ts'
import type { Client } from '../../testing/client.ts'

const soon = { timeout: 120_000, interval: 20 }

describe('the bridge to the agent daemon', () => {
  let daemon: AgentDaemon
  let app: TestApp
  let admin: Client

  beforeAll(async () => {
    daemon = await startAgentDaemon()
    app = await startTestApp({ env: { HARNESS_BASE_URL: daemon.url, HARNESS_TIMEOUT_MS: '1000' } })
    admin = await app.signUpAdmin()
  })
  afterEach(() => daemon.answerWith(null))
  afterAll(async () => {
    await app.close()
    await daemon.close()
  })

  const start = (message: string, more: object = {}) => admin.call(routes.startRun, { body: { message, ...more } })
  const details = (id: string) => admin.call(routes.readRun, { params: { id } })
  const allEvents = async (id: string) => (await admin.call(routes.runEvents, { params: { id } })).items
  const ended = (id: string) => vi.waitFor(async () => expect((await details(id)).active).toBe(false), soon)
  const blocked = (id: string) =>
    vi.waitFor(async () => {
      const [toolCallId] = (await details(id)).pendingPermissions
      if (!toolCallId) throw new Error('nothing waits')
      return toolCallId
    }, soon)
  /** Whether every route of the daemon is refused so, while it answers like this. */
  const refusalWhile = async (listener: RequestListener) => {
    daemon.answerWith(listener)
    return await admin.refusal(routes.runs, {})
  }

  test('tells where the daemon is and how it is', async () => {
    expect(await admin.call(routes.status, {})).toEqual({
      connected: true,
      baseUrl: daemon.url,
      dashboardUrl: `${daemon.url}/dashboard`,
      reason: null,
      health: { activeRuns: 0, telegramBridge: 'disabled' },
      lastKnown: null,
    })
  })

  test('starts a run, gives its events from the first one, and its artifacts', async () => {
    const run = await start('Look at the folder')
    expect(run).toMatchObject({ state: 'queued', kind: 'chat', title: 'Look at the folder' })
    expect(Date.parse(run.createdAt ?? '')).toBeGreaterThan(Date.now() - 60_000)
    expect(Date.parse(run.createdAt ?? '')).toBeLessThan(Date.now() + 60_000)
    await ended(run.runId)
    const events = await allEvents(run.runId)
    expect(events.map(({ eventId }) => eventId)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(events[0]).toMatchObject({ type: 'run_started', data: { surface: 'atrium', model: 'qwen3:8b' } })
    expect(events.at(-1)).toMatchObject({ type: 'run_finished', data: { state: 'done' } })
    expect(events.find(({ type }) => type === 'usage')?.data).toMatchObject({ inputTokens: 1200, outputTokens: 34 })
    expect((await details(run.runId)).artifacts).toContainEqual({ name: 'summary.md', exists: true, sizeBytes: 412 })
    expect((await admin.call(routes.runs, {})).items.map(({ runId }) => runId)).toContain(run.runId)
  })

  test('gives events in pages', async () => {
    const { runId: id } = await start('Look again')
    await ended(id)
    const first = await admin.call(routes.runEvents, { params: { id }, query: { limit: 3 } })
    expect(first).toMatchObject({ items: [{ eventId: 1 }, { eventId: 2 }, { eventId: 3 }], nextCursor: '3' })
    const rest = await admin.call(routes.runEvents, { params: { id }, query: { after: Number(first.nextCursor) } })
    expect(rest.items.map(({ eventId }) => eventId)).toEqual([4, 5, 6, 7])
    expect(rest.nextCursor).toBeNull()
  })

  test('follows a run until it is over', async () => {
    const { runId: id } = await start('ask me first')
    const toolCallId = await blocked(id)
    const collect = async () => {
      const frames = []
      for await (const frame of admin.follow(routes.runEvents, { params: { id } })) frames.push(frame)
      return frames
    }
    const following = [collect(), collect(), collect()]
    await admin.call(routes.decide, { params: { id, toolCallId }, body: { decision: 'allow_once' } })
    const [frames = [], ...others] = await Promise.all(following)
    const whole = await allEvents(id)
    expect(frames.slice(0, -1).map(({ event }) => event.data)).toEqual(whole)
    expect(frames.at(-1)).toEqual({ seq: whole.length, event: { type: 'done', data: { state: 'done' } } })
    for (const other of others) expect(other).toEqual(frames)
    const late = []
    for await (const { event } of admin.follow(routes.runEvents, { params: { id } }, { after: whole.length - 1 }))
      late.push(event.type)
    expect(late).toEqual(['event', 'done'])
  })

  test('a run of a goal tells what its judge says', async () => {
    const { runId: id } = await start('Make the tests pass', { kind: 'goal', provider: 'openai', model: 'gpt-5' })
    await ended(id)
    const events = await allEvents(id)
    expect(events.find(({ type }) => type === 'goal_judge')?.data).toEqual({
      done: true,
      confidence: 0.9,
      reason: 'The tests pass.',
      nextPrompt: '',
    })
    expect((await details(id)).run).toMatchObject({ kind: 'goal', provider: 'openai', model: 'gpt-5' })
  })

  test('a cancelled run ends a little later', async () => {
    const { runId: id } = await start('wait for me')
    await vi.waitFor(async () => expect((await details(id)).run.state).toBe('running'), soon)
    expect(await admin.call(routes.cancelRun, { params: { id } })).toEqual({ runId: id, cancelled: true, active: true })
    await vi.waitFor(async () => expect((await details(id)).run.state).toBe('cancelled'), soon)
    expect((await admin.call(routes.cancelRun, { params: { id } })).active).toBe(false)
  })

  test('a permission is answered once, and whoever comes later hears that it is gone', async () => {
    const { runId: id } = await start('ask me first')
    const toolCallId = await blocked(id)
    const call = { params: { id, toolCallId }, body: { resolution: 'deny' } } as const
    expect(await admin.call(routes.decide, call)).toEqual({ runId: id, toolCallId, decision: 'deny' })
    expect(await admin.refusal(routes.decide, call)).toMatchObject({ status: 409, code: 'permission_gone' })
    await ended(id)
    expect(await admin.refusal(routes.decide, call)).toMatchObject({ status: 409, code: 'permission_gone' })
    const events = await allEvents(id)
    expect(events.find(({ type }) => type === 'permission_response')?.data.resolution).toBe('deny')
    const nowhere = { ...call, params: { id: 'run-of-nobody', toolCallId } }
    expect(await admin.refusal(routes.decide, nowhere)).toMatchObject({ status: 404, code: 'harness_run_not_found' })
    expect(JSON.stringify(events)).not.toContain('planted-secret')
  })

  test('automations are made, changed, run, paused, resumed and deleted', async () => {
    const body = { name: 'Morning', prompt: 'Read the news', schedule: 'daily 08:00' }
    const made = await admin.call(routes.createAutomation, { body })
    expect(made).toMatchObject({ ...body, route: 'report', status: 'active', lastRunAt: null })
    expect(Date.parse(made.nextRunAt ?? '')).toBeGreaterThan(Date.now())
    const params = { id: made.automationId }
    const changed = await admin.call(routes.updateAutomation, { params, body: { schedule: 'weekly fri 17:30' } })
    expect(changed).toMatchObject({ name: 'Morning', schedule: 'weekly fri 17:30' })
    const { run, automation } = await admin.call(routes.runAutomation, { params })
    expect(run.title).toBe('Scheduled: Morning')
    expect(automation.lastRunId).toBe(run.runId)
    expect((await admin.call(routes.pauseAutomation, { params })).status).toBe('paused')
    expect((await admin.call(routes.resumeAutomation, { params })).status).toBe('active')
    expect((await admin.call(routes.automations, {})).items).toHaveLength(1)
    expect(await admin.call(routes.removeAutomation, { params })).toEqual({})
    const gone = { status: 404, code: 'harness_automation_not_found' }
    expect(await admin.refusal(routes.readAutomation, { params })).toMatchObject(gone)
  })

  test('model, fallback, theme and usage', async () => {
    const model = { provider: 'local', model: 'gemma3' }
    expect(await admin.call(routes.updateModel, { body: model })).toMatchObject({
      provider: 'ollama',
      persistedPath: null,
    })
    expect(await admin.call(routes.model, {})).toMatchObject({ provider: 'ollama', model: 'gemma3' })
    const body = { routes: [{ provider: 'openai', model: 'gpt-5', apiKeyEnv: 'OPENAI_API_KEY' }] }
    expect(await admin.call(routes.updateFallback, { body })).toMatchObject({ enabled: true, ...body })
    expect(await admin.call(routes.fallback, {})).toMatchObject({ enabled: true, ...body })
    const theme = await admin.call(routes.updateTheme, { body: { theme: 'nord' } })
    expect(theme).toMatchObject({ theme: 'nord', persistedPath: expect.any(String) })
    const usage = await admin.call(routes.usage, {})
    expect(usage.summary.totalTokens).toBe(usage.summary.requests * 1234)
    expect(usage.records.length).toBeGreaterThan(0)
  })

  test('what is wrong with a body is said before the daemon is asked', async () => {
    const before = daemon.asked.length
    const automation = { name: 'x', prompt: 'y', schedule: 'hourly' }
    const route = { provider: 'a', model: 'b' }
    const answers = await Promise.all([
      admin.refusal(routes.startRun, { body: { message: ' ' } }),
      admin.refusal(routes.startRun, { body: { message: 'x', kind: 'swarm' as 'chat' } }),
      admin.refusal(routes.createAutomation, { body: { ...automation, schedule: 'every 2000 minutes' } }),
      admin.refusal(routes.createAutomation, { body: { ...automation, route: 'telegram' } }),
      admin.refusal(routes.updateFallback, { body: { routes: [route, route, route, route] } }),
      admin.refusal(routes.updateTheme, { body: { theme: 'pink' as 'nord' } }),
      admin.refusal(routes.decide, { params: { id: 'run-1', toolCallId: 'c' }, body: {} as { decision: 'deny' } }),
      admin.refusal(routes.decide, { params: { id: 'run-1', toolCallId: 'c' }, body: { decision: 'yes' as 'deny' } }),
      admin.refusal(routes.readRun, { params: { id: '../config/model' } }),
      admin.refusal(routes.runs, { query: { limit: 101 } }),
    ])
    expect(answers.map(({ code }) => code)).toEqual(Array.from({ length: 10 }, () => 'validation_failed'))
    expect(daemon.asked).toHaveLength(before)
  })

  const answering =
    (status: number, body: string, headers: Record<string, string> = {}): RequestListener =>
    (_request, response) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)

  test.each([
    [400, 400, 'harness_rejected'],
    [403, 403, 'harness_forbidden'],
    [409, 409, 'harness_conflict'],
    [429, 429, 'harness_busy'],
    [500, 502, 'harness_failed'],
    [503, 503, 'harness_unavailable'],
  ])('a daemon that answers with %i is told as %i %s, without its words', async (answered, status, code) => {
    const { problem, ...refusal } = await refusalWhile(answering(answered, '{"error":"words of the daemon"}'))
    expect(refusal).toEqual({ status, code })
    expect(JSON.stringify(problem)).not.toContain('words of the daemon')
  })

  test.each<[string, RequestListener]>([
    ['a page', answering(200, '<html></html>', { 'content-type': 'text/html' })],
    ['half a JSON', answering(200, '{"runs": [')],
    ['something else', answering(200, '{"items": []}')],
    ['a list', answering(200, '[]')],
    ['nothing', answering(200, '')],
    ['a redirect', answering(302, '', { location: 'http://127.0.0.1:1/' })],
    ['five megabytes', answering(200, `{"runs":[],"text":"${'x'.repeat(5_000_000)}"}`)],
  ])('a daemon that answers with %s did not answer as it should', async (_what, listener) => {
    expect(await refusalWhile(listener)).toMatchObject({ status: 502, code: 'harness_failed' })
    expect(await admin.call(routes.status, {})).toMatchObject({ connected: false, reason: 'bad_answer' })
  })

  test('runs of a daemon that are not in the right form are left out', async () => {
    const sound = { run_id: 'run-1', state: 'done', title: 'One', kind: 'chat', created_at: 'never' }
    const answer = { runs: [sound, { ...sound, run_id: '../x' }, { ...sound, state: 'odd' }, null, 7] }
    daemon.answerWith(answering(200, JSON.stringify(answer)))
    const { items } = await admin.call(routes.runs, {})
    expect(items).toEqual([expect.objectContaining({ runId: 'run-1', createdAt: null, model: null })])
  })

  test('a silent daemon is given up at the time limit', async () => {
    expect(await refusalWhile(() => undefined)).toMatchObject({ status: 504, code: 'harness_timeout' })
  })

  test('switched off, nothing is asked, and the last known state stays', async () => {
    await admin.call(routes.runs, {})
    const model = await admin.call(routes.model, {})
    const fallback = await admin.call(routes.fallback, {})
    const usage = await admin.call(routes.usage, {})
    expect(await admin.call(routes.updateAccess, { body: { enabled: false } })).toMatchObject({ enabled: false })
    const before = daemon.asked.length
    expect(await admin.refusal(routes.runs, {})).toMatchObject({ status: 503, code: 'harness_off' })
    const status = await admin.call(routes.status, {})
    expect(status).toMatchObject({ connected: false, reason: 'switched_off' })
    expect(status.lastKnown).toMatchObject({ model, fallback, usage })
    expect(status.lastKnown?.runs?.length).toBeGreaterThan(0)
    expect(daemon.asked).toHaveLength(before)
    await admin.call(routes.updateAccess, { body: { enabled: true } })
    expect(await admin.call(routes.access, {})).toEqual({ enabled: true, source: 'saved' })
  })

  test('the audit has who started, decided and changed what', async () => {
    const { items } = await admin.call(auditRoutes.list, { query: { limit: 200 } })
    const actions = items.map(({ action }) => action)
    for (const action of ['run.start', 'run.cancel', 'run.decide', 'automation.create', 'automation.delete'])
      expect(actions).toContain(`harness-${action}`)
    const started = items.flatMap(({ action, targetId }) => (action === 'harness-run.start' ? [targetId] : []))
    expect(started).toContainEqual(expect.stringMatching(/^run-\d{8}-\d{6}-[0-9a-f]{8}$/))
    const decided = items.filter(({ action }) => action === 'harness-run.decide')
    expect(decided.map(({ result, details }) => [result, details?.['decision']])).toContainEqual(['success', 'deny'])
    // What came too late is there as well, as what was not done.
    expect(decided.map(({ result }) => result)).toContain('failure')
  })

  test('a daemon that is away is unreachable', async () => {
    const other = await startTestApp({ env: { HARNESS_BASE_URL: 'http://127.0.0.1:1' } })
    const client = await other.signUpAdmin()
    expect(await client.refusal(routes.runs, {})).toMatchObject({ status: 502, code: 'harness_unreachable' })
    const away = {
      connected: false,
      reason: 'unreachable',
      lastKnown: null,
      dashboardUrl: 'http://127.0.0.1:1/dashboard',
    }
    expect(await client.call(routes.status, {})).toMatchObject(away)
    await other.close()
  })
})
