import { calendarRoutes } from '@atrium/contract/calendar'
import { type ChatEvent, chatRoutes } from '@atrium/contract/chat'
import { toolsRoutes } from '@atrium/contract/tools'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../../e2e/provider/provider.ts'
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

  test('leaves an answer waiting that waited for a decision, which lets it go on once', async () => {
    const { id } = await ann.call(chatRoutes.create, { body: { selection: local('echo') } })
    const params = { sessionId: id }
    const event = { title: 'Dentist', start: '2026-12-01T09:00', end: '2026-12-01T10:00' }
    const message = `<<calculate {"expression":"6*7"}>> <<create_calendar_event ${JSON.stringify(event)}>>`
    await ann.call(chatRoutes.startGeneration, { params, body: { message } })
    const read = () => ann.call(chatRoutes.read, { params, query: {} })
    await expect.poll(async () => (await read()).needsAnswer).toBe(true)
    await app.kill()
    await app.restart()
    await expect.poll(async () => (await read()).messages.items[1]?.status).toBe('waiting')
    expect(await read()).toMatchObject({ needsAnswer: true, runningGenerationId: null })
    const { pending } = await ann.call(toolsRoutes.approvals, {})
    const approvalId = pending[0]?.approval.id ?? ''
    await ann.call(toolsRoutes.decideApproval, { params: { approvalId }, body: { decision: 'allow_once' } })
    await expect.poll(async () => (await read()).messages.items[1]?.status).toBe('complete')
    expect((await read()).messages.items[1]?.toolCalls).toMatchObject([
      { name: 'calculate', status: 'succeeded' },
      { name: 'create_calendar_event', status: 'succeeded', decidedBy: 'person' },
    ])
    const query = { from: '2026-12-01T00:00:00.000Z', to: '2026-12-02T00:00:00.000Z', timeZone: 'UTC' }
    const { items } = await ann.call(calendarRoutes.events, { query })
    expect(items.map(({ title }) => title)).toEqual(['Dentist'])
  })
})
