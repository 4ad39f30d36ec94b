import { calendarRoutes } from '@atrium/contract/calendar'
import { type ChatEvent, chatRoutes } from '@atrium/contract/chat'
import { durableJobsRoutes } from '@atrium/contract/durable-jobs'
import { toolsRoutes } from '@atrium/contract/tools'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../../e2e/provider/provider.ts'
import { dataPathsIn } from '../../app/config.ts'
import { openDatabase } from '../../platform/db/index.ts'
import { loadInstanceKey } from '../../platform/vault/instance-key.ts'
import { sqliteKey } from '../../platform/vault/keys.ts'
import { type TestApp, startTestApp } from '../../testing/app.ts'
import { local, textOf } from '../../testing/chats.ts'
import type { Client, ClientFrame } from '../../testing/client.ts'

describe.each(['sqlite', 'postgres'] as const)('a process that dies while its answers call tools (%s)', (dialect) => {
  let provider: Provider
  let app: TestApp
  let ann: Client
  beforeAll(async () => {
    provider = await startProvider()
    provider.control({ models: ['echo'] })
    app = await startTestApp({ dialect, ownProcess: true, env: { OLLAMA_BASE_URL: provider.url } })
    ann = await app.signUpAdmin()
  })
  afterAll(async () => {
    await app.close()
    await provider.close()
  })

  test('keeps the calls that an answer made, and makes none of them again', async () => {
    const { id } = await ann.call(chatRoutes.create, { body: { selection: local('echo') } })
    const params = { sessionId: id }
    const long = 'One word after the other. '.repeat(400)
    provider.control({ msPerToken: 10, answers: [{ match: '1180591620717411303424', answer: long }] })
    const message = '<<calculate {"expression":"2^70"}>>'
    const { assistantMessage } = await ann.call(chatRoutes.startGeneration, { params, body: { message } })
    const seen: ClientFrame<ChatEvent>[] = []
    try {
      for await (const frame of ann.follow(chatRoutes.events, { params, query: {} })) {
        seen.push(frame)
        if (textOf(seen).split(' ').length > 60) await app.kill()
      }
    } catch {
      // The connection breaks with the process.
    }
    provider.control({ msPerToken: 0, answers: [] })
    await app.restart()
    const kept = (await ann.call(chatRoutes.read, { params, query: {} })).messages.items[1]
    expect(kept).toMatchObject({
      status: 'interrupted',
      toolCalls: [
        { name: 'calculate', status: 'succeeded', result: { text: expect.stringContaining('1180591620717411303424') } },
      ],
    })
    const done = await ann.call(chatRoutes.generate, { params, body: { continueMessageId: assistantMessage.id } })
    expect(done).toMatchObject({ status: 'complete', toolCalls: kept?.toolCalls })
    expect(done.content.startsWith(kept?.content ?? 'x')).toBe(true)
    const asked = provider.requests.filter(({ path }) => path === '/api/chat').map(({ body }) => JSON.stringify(body))
    expect(asked.some((body) => body.includes('1180591620717411303424') && body.includes('One word after'))).toBe(true)
  })

  test('leaves answers waiting that waited for a decision, which lets each go on once, whenever it came', async () => {
    const ask = async (title: string) => {
      const { id } = await ann.call(chatRoutes.create, { body: { selection: local('echo') } })
      const event = { title, start: '2026-12-01T09:00', end: '2026-12-01T10:00' }
      const message = `<<calculate {"expression":"6*7"}>> <<create_calendar_event ${JSON.stringify(event)}>>`
      await ann.call(chatRoutes.startGeneration, { params: { sessionId: id }, body: { message } })
      const read = async () => await ann.call(chatRoutes.read, { params: { sessionId: id }, query: {} })
      await expect.poll(async () => (await read()).needsAnswer).toBe(true)
      const answer = async () => (await read()).messages.items[1]
      return { id, read, answer, status: async () => (await answer())?.status }
    }
    const [waits, decided, forgotten] = [await ask('Dentist'), await ask('Decided'), await ask('Forgotten')]
    await app.kill()
    await change(
      app,
      sql`update tool_approvals set state = 'decided', decision = 'allow_once', decided_at = 1
      where chat_id = ${decided.id}`,
    )
    await change(app, sql`update tool_approvals set expires_at = 1 where chat_id = ${forgotten.id}`)
    await app.restart()
    await expect.poll(waits.status).toBe('waiting')
    expect(await waits.read()).toMatchObject({ needsAnswer: true, runningGenerationId: null })
    await expect.poll(decided.status).toBe('complete')
    await expect.poll(forgotten.status).toBe('waiting')
    const { pending } = await ann.call(toolsRoutes.approvals, {})
    const approvalId = pending.find(({ chatId }) => chatId === waits.id)?.approval.id ?? ''
    await ann.call(toolsRoutes.decideApproval, { params: { approvalId }, body: { decision: 'allow_once' } })
    const { recurring } = await ann.call(durableJobsRoutes.summary, {})
    const tidy = recurring.find(({ kind }) => kind === 'tools.tidy')
    await ann.call(durableJobsRoutes.run, { params: { id: tidy?.id ?? '' } })
    await expect.poll(waits.status).toBe('complete')
    await expect.poll(forgotten.status).toBe('complete')
    const callsOf = async (chat: typeof waits) => (await chat.answer())?.toolCalls
    const calculated = { name: 'calculate', status: 'succeeded' }
    const allowed = [calculated, { name: 'create_calendar_event', status: 'succeeded', decidedBy: 'person' }]
    expect(await callsOf(waits)).toMatchObject(allowed)
    expect(await callsOf(decided)).toMatchObject(allowed)
    expect(await callsOf(forgotten)).toMatchObject([calculated, { status: 'denied' }])
    const query = { from: '2026-12-01T00:00:00.000Z', to: '2026-12-02T00:00:00.000Z', timeZone: 'UTC' }
    const { items } = await ann.call(calendarRoutes.events, { query })
    expect(items.map(({ title }) => title).toSorted()).toEqual(['Decided', 'Dentist'])
  })
})

/** Writes what a process wrote that was killed before it could do more. */
const change = async ({ dataDir, databaseUrl }: TestApp, statement: ReturnType<typeof sql>): Promise<void> => {
  const { key } = await loadInstanceKey({ value: undefined, dataDir, databaseExists: true })
  const place = databaseUrl ? { url: databaseUrl } : { file: dataPathsIn(dataDir).database, key: sqliteKey(key) }
  const log = { warn: () => undefined, error: () => undefined }
  const database = await openDatabase({ ...place, lock: false, log })
  try {
    await statement.execute(database.tables())
  } finally {
    await database.close()
  }
}
