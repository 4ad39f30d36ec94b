/** What calls ask of their person, in the real app: through a crash, for tokens, and in what an account takes along. */
import { accountDataRoutes } from '@atrium/contract/account-data'
import { apiTokensRoutes } from '@atrium/contract/api-tokens'
import { calendarRoutes } from '@atrium/contract/calendar'
import { chatRoutes } from '@atrium/contract/chat'
import { notificationsRoutes } from '@atrium/contract/notifications'
import { settingsRoutes } from '@atrium/contract/settings'
import { toolsRoutes } from '@atrium/contract/tools'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../e2e/provider/provider.ts'
import { type TestApp, startTestApp } from '../testing/app.ts'
import { newChat } from '../testing/chats.ts'
import type { Client } from '../testing/client.ts'

const makeEvent = '<<create_calendar_event {"title":"Dentist","start":"2026-12-01T09:00"}>>'
const body = { decision: 'allow_once' as const }

describe('a call that waits for its person', () => {
  let provider: Provider
  let app: TestApp
  let ann: Client
  beforeAll(async () => {
    provider = await startProvider()
    app = await startTestApp({ env: { OLLAMA_BASE_URL: provider.url }, ownProcess: true })
    ann = await app.signUpAdmin()
    await ann.call(settingsRoutes.update, { body: { chat: { generateTitles: false } } })
  })
  afterAll(async () => {
    await app?.close()
    await provider?.close()
  })
  const pending = async () => (await ann.call(toolsRoutes.approvals, {})).pending
  const answersOf = async (sessionId: string) =>
    (await ann.call(chatRoutes.messages, { params: { sessionId }, query: {} })).items.filter(
      ({ role }) => role === 'assistant',
    )

  test('waits through a crash, and its answer goes on once it is allowed', async () => {
    const { id } = await newChat(ann)
    const asked = ann.call(chatRoutes.generate, { params: { sessionId: id }, body: { message: makeEvent } })
    asked.catch(() => undefined)
    await expect.poll(async () => (await pending()).length).toBe(1)
    const notified = async () => (await ann.call(notificationsRoutes.list, { query: {} })).items.map(({ kind }) => kind)
    expect(await notified()).toContain('tool-approval')
    await app.kill()
    await app.restart()
    const [wanted] = await pending()
    expect(wanted).toMatchObject({
      toolName: 'create_calendar_event',
      chatId: id,
      arguments: expect.stringContaining('Dentist'),
    })
    await expect.poll(async () => (await answersOf(id))[0]?.status).toBe('waiting')
    const params = { approvalId: wanted?.id ?? '' }
    await ann.call(toolsRoutes.decideApproval, { params, body })
    await expect.poll(async () => (await answersOf(id))[0]?.status).toBe('complete')
    expect((await answersOf(id))[0]?.toolCalls).toMatchObject([{ status: 'succeeded', decidedBy: 'person' }])
    const query = { from: '2026-12-01T00:00:00Z', to: '2026-12-02T00:00:00Z' }
    expect((await ann.call(calendarRoutes.events, { query })).items.map(({ title }) => title)).toEqual(['Dentist'])
    expect(await ann.refusal(toolsRoutes.decideApproval, { params, body })).toMatchObject({ code: 'approval_decided' })
    expect(await notified()).not.toContain('tool-approval')
  })

  test('is decided by people and not by tokens, which may read the history', async () => {
    const { token } = await ann.call(apiTokensRoutes.createToken, {
      body: { name: 'script', scopes: ['chat-tools:read', 'chat-tools:write'] },
    })
    const script = app.client(token)
    expect(await script.refusal(toolsRoutes.approvals, {})).toMatchObject({ code: 'token_scope' })
    const params = { approvalId: 'any' }
    expect(await script.refusal(toolsRoutes.decideApproval, { params, body })).toMatchObject({ code: 'token_scope' })
    const [call] = (await script.call(toolsRoutes.calls, { query: {} })).items
    expect(call).toMatchObject({ toolName: 'create_calendar_event', status: 'succeeded', decidedBy: 'person' })
    const result = await ann.call(toolsRoutes.callResult, { params: { recordId: call?.id ?? '' } })
    expect(await result.text()).toContain('Dentist')
  })

  test('goes along in the export of its account', async () => {
    await ann.call(accountDataRoutes.exportOwn, {})
    const made = async () => (await ann.call(accountDataRoutes.ownExports, {})).items[0]
    await expect.poll(async () => (await made())?.state).toBe('ready')
    const id = (await made())?.id ?? ''
    const blob = await ann.call(accountDataRoutes.ownExport, { params: { id } })
    const lines = strFromU8(unzipSync(new Uint8Array(await blob.arrayBuffer()))['tool-calls.jsonl'] ?? new Uint8Array())
    expect(
      lines
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as object),
    ).toMatchObject([
      { toolName: 'create_calendar_event', status: 'succeeded', arguments: expect.stringContaining('Dentist') },
    ])
  })
})
