/** Exactly one run for each time, over processes that are killed in the middle. */
import { type AutomationRun, automationsRoutes as routes } from '@atrium/contract/automations'
import { calendarRoutes } from '@atrium/contract/calendar'
import { channelsRoutes } from '@atrium/contract/channels'
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
  provider.control({ models: [model, 'echo'] })
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

test('of a thousand schedules on three processes, of which one is killed, each runs once and has one effect', async () => {
  const [accounts, each] = [5, 200]
  const app = await startTestApp({ dialect: 'postgres' })
  const env = { PORT: '0', DATA_DIR: app.dataDir, DATABASE_URL: app.databaseUrl ?? '', DRAIN_SECONDS: '0' }
  const others = await Promise.all([startAppProcess(env), startAppProcess(env)])
  try {
    await app.signUpAdmin()
    const time = new Date(Date.now() + 60_000).toISOString()
    const owners = await Promise.all(
      Array.from({ length: accounts }, async () => {
        const client = await app.signUpUser()
        const { id: channelId } = await client.call(channelsRoutes.create, { body: { type: 'private', name: 'All' } })
        const body = {
          name: 'Once',
          instructions: 'It ran.',
          asksModel: false,
          target: { kind: 'channel', channelId } as const,
          triggers: [{ kind: 'once', at: time } as const],
          notify: 'off' as const,
        }
        const ids: string[] = []
        for (let made = 0; made < each; made += 1) ids.push((await client.call(routes.create, { body })).id)
        return { client, channelId, ids }
      }),
    )
    const posted = async ({ client, channelId }: (typeof owners)[number]) =>
      (await client.call(channelsRoutes.read, { params: { channelId } })).lastSeq
    const allPosted = async () => (await Promise.all(owners.map(posted))).reduce((sum, count) => sum + count, 0)
    await expect.poll(allPosted, { timeout: 240_000 }).toBeGreaterThan(each)
    await others[0]?.kill()
    for (const { client, channelId, ids } of owners) {
      const runs = async () => [
        ...(await pagesOf((cursor) => client.call(routes.runs, { query: { limit: 100, cursor } }))),
      ]
      await expect
        .poll(async () => (await runs()).filter(({ state }) => state === 'succeeded').length, { timeout: 240_000 })
        .toBe(each)
      const all = await runs()
      expect(all.map(({ automationId }) => automationId).toSorted()).toEqual(ids.toSorted())
      const messages = await pagesOf((cursor) =>
        client.call(channelsRoutes.messages, { params: { channelId }, query: { limit: 100, cursor } }),
      )
      expect(messages.map(({ id }) => id).toSorted()).toEqual(all.map(({ id }) => id).toSorted())
    }
  } finally {
    await others[0]?.kill()
    await others[1]?.stop()
    await app.close()
  }
})

const pagesOf = async <T>(
  read: (cursor: string | undefined) => Promise<{ readonly items: readonly T[]; readonly nextCursor: string | null }>,
): Promise<T[]> => {
  const all: T[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await read(cursor)
    all.push(...page.items)
    cursor = page.nextCursor
  }
  return all
}

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
        selection: local('echo'),
        tools: ['builtin:create_calendar_event'],
      },
    })
    const { runId } = await ann.call(routes.run, { params: { automationId: id }, body: {} })
    const runOf = (id: string) => ann.call(routes.readRun, { params: { runId: id } })
    await expect.poll(async () => (await runOf(runId)).state, { timeout: 120_000 }).toBe('waiting')
    const told = async () => (await ann.call(notificationsRoutes.list, { query: {} })).items.map(({ kind }) => kind)
    expect(await told()).toContain('tool-approval')
    await app.kill()
    await app.restart()
    await expect.poll(async () => (await runOf(runId)).state, { timeout: 120_000 }).toBe('waiting')
    const [asked] = (await ann.call(toolsRoutes.approvals, {})).pending
    const params = { approvalId: asked?.id ?? '' }
    await ann.call(toolsRoutes.decideApproval, { params, body: { decision: 'allow_once' } })
    await expect.poll(async () => (await runOf(runId)).state, { timeout: 120_000 }).toBe('succeeded')
    expect(await runOf(runId)).toMatchObject({ tries: 1, reason: null })
    const query = { from: '2026-12-01T00:00:00Z', to: '2026-12-02T00:00:00Z' }
    expect((await ann.call(calendarRoutes.events, { query })).items.map(({ title }) => title)).toEqual(['Review'])
    expect(await told()).not.toContain('tool-approval')
    expect(await told()).toContain('automation-result')
  } finally {
    await app.close()
  }
})
