/** The stop of the server, as those see it who follow an answer. */
import { chatRoutes } from '@atrium/contract/chat'
import { expect, test, vi } from 'vitest'
import { type Provider, startProvider } from '../../../e2e/provider/provider.ts'
import { type AppProcess, startAppProcess } from '../testing/app-process.ts'
import { type TestApp, type TestAppOptions, startTestApp } from '../testing/app.ts'
import { createClient } from '../testing/client.ts'
import { createPostgresDatabase, dropPostgresDatabase } from '../testing/databases.ts'

const model = 'long-400-drip-30:stopped'

test('who follows an answer while the server stops is told its end, once', async () => {
  const provider = await startProvider()
  provider.control({ models: [model] })
  const app = await startTestApp({ env: { OLLAMA_BASE_URL: provider.url } })
  try {
    const ann = await app.signUpAdmin()
    const selection = { providerType: 'local', providerId: null, model } as const
    const { id: sessionId } = await ann.call(chatRoutes.create, { body: { selection } })
    await ann.call(chatRoutes.startGeneration, { params: { sessionId }, body: { message: 'Write.' } })
    const begun = Array.from({ length: 3 }, () => Promise.withResolvers<void>())
    const followers = begun.map(async ({ resolve }) => {
      const seen: string[] = []
      for await (const { event } of ann.follow(chatRoutes.events, { params: { sessionId } })) {
        seen.push(event.type === 'error' ? event.data.code : event.type)
        resolve()
      }
      return seen
    })
    await Promise.all(begun.map(({ promise }) => promise))
    await app.stop()
    for (const seen of await Promise.all(followers)) {
      expect(seen.at(-1)).toBe('interrupted')
      expect(seen.filter((type) => ['done', 'interrupted', 'cancelled', 'unavailable'].includes(type))).toEqual([
        'interrupted',
      ])
    }
  } finally {
    await app.close()
    await provider.close()
  }
})

/** An app with a chat in which an answer is being written, which stands still until it is let go. */
const startAnswering = async (
  options: TestAppOptions,
  model = brief,
  before: (app: TestApp) => Promise<void> = async () => undefined,
) => {
  const provider = await startProvider()
  provider.control({ models: [model], holdAfter: 20 })
  const app = await startTestApp({ ...options, env: { ...options.env, OLLAMA_BASE_URL: provider.url } })
  const ann = await app.signUpAdmin()
  await before(app)
  const selection = { providerType: 'local', providerId: null, model } as const
  const { id: sessionId } = await ann.call(chatRoutes.create, { body: { selection } })
  await ann.call(chatRoutes.startGeneration, { params: { sessionId }, body: { message: 'Write.' } })
  const letGo = () => provider.control({ holdAfter: null })
  return { provider, app, ann, params: { sessionId }, letGo }
}
const brief = 'long-40:drained'
const end = async ({ app, provider }: { app: TestApp; provider: Provider }): Promise<void> => {
  await app.close()
  await provider.close()
}

test('an answer that is being written is finished before the server ends, and its follower sees all of it', async () => {
  const open = await startAnswering({ env: { DRAIN_SECONDS: '20' } })
  const { app, ann, params, letGo } = open
  try {
    const begun = Promise.withResolvers<void>()
    const followed = (async () => {
      const seen: string[] = []
      for await (const { event } of ann.follow(chatRoutes.events, { params })) {
        seen.push(event.type)
        begun.resolve()
      }
      return seen
    })()
    await begun.promise
    const stopped = app.stop()
    await vi.waitFor(async () => {
      expect((await ann.raw('/health/ready')).status).toBe(503)
      expect((await ann.raw('/health/live')).status).toBe(200)
      expect((await ann.refusal(chatRoutes.list, {})).code).toBe('unavailable')
    })
    letGo()
    await stopped
    expect((await followed).at(-1)).toBe('done')
    await app.restart()
    const { items } = await ann.call(chatRoutes.messages, { params, query: {} })
    expect(items.at(-1)).toMatchObject({ role: 'assistant', status: 'complete' })
  } finally {
    await end(open)
  }
})

test('an answer that a program streams is finished before the server ends, past what any request has', async () => {
  const provider = await startProvider()
  const model = 'long-60-drip-50:streamed'
  provider.control({ models: [model] })
  const app = await startTestApp({ env: { DRAIN_SECONDS: '20', OLLAMA_BASE_URL: provider.url } })
  try {
    const ann = await app.signUpAdmin()
    const body = JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'Write.' }] })
    const headers = { 'content-type': 'application/json' }
    const answer = await ann.raw('/v1/chat/completions', { method: 'POST', headers, body })
    expect(answer.status).toBe(200)
    const [text] = await Promise.all([answer.text(), app.stop()])
    expect(text.trimEnd()).toMatch(/data: \[DONE\]$/)
  } finally {
    await end({ app, provider })
  }
})

test('an answer that takes longer than it may at the end stands as interrupted', async () => {
  const open = await startAnswering({ env: { DRAIN_SECONDS: '1' } })
  const { app, ann, params } = open
  try {
    await app.restart()
    const { items } = await ann.call(chatRoutes.messages, { params, query: {} })
    expect(items.at(-1)).toMatchObject({ role: 'assistant', status: 'interrupted' })
  } finally {
    await end(open)
  }
})

test('with nothing left to finish the server ends at once, however long it might wait', async () => {
  const app = await startTestApp({ ownProcess: true, env: { DRAIN_SECONDS: '3600' } })
  await app.signUpAdmin()
  // It would not end within the time of a test otherwise.
  await app.close()
})

test('who follows an answer goes on at another process, from where it was, while the first one finishes it', async () => {
  const databaseUrl = await createPostgresDatabase()
  const env = { DRAIN_SECONDS: '20', DATABASE_URL: databaseUrl }
  const open = await startAnswering({ env }, 'long-160:elsewhere')
  const { app, ann, params, letGo } = open
  const second = await startAppProcess({ PORT: '0', DATA_DIR: app.dataDir, DATABASE_URL: databaseUrl })
  const there = createClient(second.url, ann.token)
  try {
    let last = 0
    const begun = Promise.withResolvers<void>()
    const here = (async () => {
      const types: string[] = []
      for await (const { seq, event } of ann.follow(chatRoutes.events, { params })) {
        types.push(event.type)
        last = seq
        begun.resolve()
      }
      return types
    })()
    await begun.promise
    const stopped = app.stop()
    expect(await here).not.toContain('done')
    letGo()
    const rest: string[] = []
    for await (const { seq, event } of there.follow(chatRoutes.events, { params }, { after: last })) {
      expect(seq).toBe(last + 1)
      last = seq
      rest.push(event.type)
    }
    expect(rest.at(-1)).toBe('done')
    await stopped
  } finally {
    await second.stop()
    await end(open)
    await dropPostgresDatabase(databaseUrl)
  }
})

test('beside another process it goes on answering until proxies know, and then refuses connections while it finishes', async () => {
  const databaseUrl = await createPostgresDatabase()
  const env = { DRAIN_SECONDS: '20', DATABASE_URL: databaseUrl }
  let second: AppProcess | null = null
  const open = await startAnswering({ env, overrides: { noticeMs: 5000 } }, 'long-160:notice', async ({ dataDir }) => {
    second = await startAppProcess({ PORT: '0', DATA_DIR: dataDir, DATABASE_URL: databaseUrl })
  })
  const { app, ann, params, letGo } = open
  const other = second as unknown as AppProcess
  const there = createClient(other.url, ann.token)
  try {
    const stopped = app.stop()
    await vi.waitFor(async () => expect((await ann.raw('/health/ready')).status).toBe(503))
    expect((await ann.call(chatRoutes.list, {})).items).toHaveLength(1)
    const started = await ann.refusal(chatRoutes.startGeneration, { params, body: { message: 'And this.' } })
    expect(started.code).not.toBe('internal')
    const headers = { accept: 'text/event-stream' }
    expect((await ann.raw(`/api/chat/sessions/${params.sessionId}/events`, { headers })).status).toBe(503)
    const refused = () =>
      ann.raw('/health/live').then(
        () => null,
        (error: Error) => (error.cause as NodeJS.ErrnoException).code,
      )
    await vi.waitFor(async () => expect(await refused()).toBe('ECONNREFUSED'), { timeout: 120_000 })
    const { items } = await there.call(chatRoutes.messages, { params, query: {} })
    expect(items.at(-1)).toMatchObject({ role: 'assistant', status: 'running' })
    letGo()
    await stopped
    const after = await there.call(chatRoutes.messages, { params, query: {} })
    expect(after.items.at(-1)).toMatchObject({ role: 'assistant', status: 'complete' })
  } finally {
    await other.stop()
    await end(open)
    await dropPostgresDatabase(databaseUrl)
  }
})
