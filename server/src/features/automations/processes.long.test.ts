/** Exactly one run for each time, over processes that are killed in the middle. */
import { type AutomationRun, automationsRoutes as routes } from '@atrium/contract/automations'
import { calendarRoutes } from '@atrium/contract/calendar'
import { notificationsRoutes } from '@atrium/contract/notifications'
import { toolsRoutes } from '@atrium/contract/tools'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../../e2e/provider/provider.ts'
import { startTestApp } from '../../testing/app.ts'
import { startAppProcess } from '../../testing/app-process.ts'
import { local } from '../../testing/chats.ts'
import type { Client } from '../../testing/client.ts'

const count = 60
const model = 'long-20-drip-50'

let provider: Provider
beforeAll(async () => {
  provider = await startProvider()
  provider.control({ models: [model] })
})
afterAll(() => provider?.close())

const createAll = async (client: Client): Promise<string[]> => {
  const time = new Date(Date.now() + 4000).toISOString()
  const made = Array.from({ length: count }, (_, index) =>
    client.call(routes.create, {
      body: {
        name: `Number ${index}`,
        instructions: 'Say good morning.',
        selection: local(model),
        triggers: [{ kind: 'once', at: time }],
        retries: 3,
        notify: 'off',
      },
    }),
  )
  return (await Promise.all(made)).map(({ id }) => id)
}

const runsOf = async (client: Client): Promise<AutomationRun[]> =>
  (await client.call(routes.runs, { query: { limit: 100 } })).items

const someAnswer = async (client: Client): Promise<void> => {
  await expect
    .poll(async () => (await runsOf(client)).filter(({ messageId }) => messageId !== null).length)
    .toBeGreaterThan(5)
}

const everyRunEndsWell = async (client: Client, ids: readonly string[]): Promise<void> => {
  await expect
    .poll(async () => (await runsOf(client)).filter(({ state }) => state === 'succeeded').length, { timeout: 240_000 })
    .toBe(count)
  const runs = await runsOf(client)
  expect(runs.map(({ automationId }) => automationId).toSorted()).toEqual(ids.toSorted())
}

test('of three processes on PostgreSQL one is killed', async () => {
  const app = await startTestApp({ dialect: 'postgres', env: { OLLAMA_BASE_URL: provider.url } })
  const env = {
    PORT: '0',
    DATA_DIR: app.dataDir,
    DATABASE_URL: app.databaseUrl ?? '',
    OLLAMA_BASE_URL: provider.url,
    DRAIN_SECONDS: '0',
  }
  const others = await Promise.all([startAppProcess(env), startAppProcess(env)])
  try {
    const ann = await app.signUpAdmin()
    const ids = await createAll(ann)
    await someAnswer(ann)
    await others[0]?.kill()
    await everyRunEndsWell(ann, ids)
  } finally {
    await others[0]?.kill()
    await others[1]?.stop()
    await app.close()
  }
})

test('the only process, on SQLite, is killed and started again', async () => {
  const app = await startTestApp({ ownProcess: true, env: { OLLAMA_BASE_URL: provider.url } })
  try {
    const ann = await app.signUpAdmin()
    const ids = await createAll(ann)
    await someAnswer(ann)
    await app.kill()
    await app.restart()
    await everyRunEndsWell(ann, ids)
  } finally {
    await app.close()
  }
})

test('a run waits for the yes to a tool, also through a crash, and goes on with it once', async () => {
  const app = await startTestApp({ env: { OLLAMA_BASE_URL: provider.url }, ownProcess: true })
  try {
    const ann = await app.signUpAdmin()
    const { id } = await ann.call(routes.create, {
      body: {
        name: 'Planner',
        instructions: '<<create_calendar_event {"title":"Review","start":"2026-12-01T09:00"}>>',
        triggers: [],
        selection: local(model),
        tools: ['builtin:create_calendar_event'],
      },
    })
    const { runId } = await ann.call(routes.run, { params: { automationId: id }, body: {} })
    const runOf = (id: string) => ann.call(routes.readRun, { params: { runId: id } })
    await expect.poll(async () => (await runOf(runId)).state, { timeout: 20_000 }).toBe('waiting')
    const told = async () => (await ann.call(notificationsRoutes.list, { query: {} })).items.map(({ kind }) => kind)
    expect(await told()).toContain('tool-approval')
    await app.kill()
    await app.restart()
    await expect.poll(async () => (await runOf(runId)).state, { timeout: 20_000 }).toBe('waiting')
    const [asked] = (await ann.call(toolsRoutes.approvals, {})).pending
    const params = { approvalId: asked?.id ?? '' }
    await ann.call(toolsRoutes.decideApproval, { params, body: { decision: 'allow_once' } })
    await expect.poll(async () => (await runOf(runId)).state, { timeout: 40_000 }).toBe('succeeded')
    expect(await runOf(runId)).toMatchObject({ tries: 1, reason: null })
    const query = { from: '2026-12-01T00:00:00Z', to: '2026-12-02T00:00:00Z' }
    expect((await ann.call(calendarRoutes.events, { query })).items.map(({ title }) => title)).toEqual(['Review'])
    expect(await told()).not.toContain('tool-approval')
    expect(await told()).toContain('automation-result')
  } finally {
    await app.close()
  }
})
