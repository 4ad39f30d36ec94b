/** Who decides about calls: administrators, the person and the chat; and what is told of calls afterwards. */
import { auditRoutes } from '@atrium/contract/audit'
import { chatRoutes } from '@atrium/contract/chat'
import type { ToolChoice } from '@atrium/contract/generation'
import { toolsRoutes as routes } from '@atrium/contract/tools'
import { settingsRoutes } from '@atrium/contract/settings'
import { usageRoutes } from '@atrium/contract/usage'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../e2e/provider/provider.ts'
import { type TestApp, startTestApp } from '../testing/app.ts'
import { newChat, say } from '../testing/chats.ts'
import type { Client } from '../testing/client.ts'

describe('who decides about calls', () => {
  let provider: Provider
  let app: TestApp
  let admin: Client
  let ann: Client
  beforeAll(async () => {
    provider = await startProvider()
    app = await startTestApp({ env: { OLLAMA_BASE_URL: provider.url } })
    admin = await app.signUpAdmin()
    ann = await app.signUpUser('ann')
    await ann.call(settingsRoutes.update, { body: { chat: { generateTitles: false } } })
  })
  afterAll(async () => {
    await app?.close()
    await provider?.close()
  })

  test('administrators set how many rounds an answer has, from 1 to 50', async () => {
    expect(await admin.call(routes.access, {})).toMatchObject({ maxRounds: 8, maxRoundsLockedByEnv: false })
    for (const maxRounds of [0, 51, 1.5])
      expect((await admin.refusal(routes.updateAccess, { body: { maxRounds } })).code).toBe('validation_failed')
    await admin.call(routes.updateAccess, { body: { maxRounds: 2 } })
    const { id } = await newChat(ann)
    const sum = '<<calculate {"expression":"1 + 1"}>>'
    // The second round is the last one, and has no tools.
    expect((await say(ann, id, `${sum} then ${sum} then ${sum}`)).toolCalls).toHaveLength(1)
    expect(await admin.call(routes.updateAccess, { body: { maxRounds: 50 } })).toMatchObject({
      mode: 'all-users',
      maxRounds: 50,
    })
  })

  const entry = async (client: Client, toolId: string) =>
    (await client.call(routes.catalog, {})).tools.find(({ id }) => id === toolId)
  const choose = (toolId: string, mode: 'allow' | 'ask' | 'never' | null) =>
    ann.call(routes.savePolicy, { body: { toolId, mode } })
  const sum = 'builtin:calculate'
  const ask = async (settings: object = {}, tools?: ToolChoice) => {
    const selection = { providerType: 'local', providerId: null, model: 'echo' } as const
    const { id } = await ann.call(chatRoutes.create, { body: { selection, settings } })
    const body = { message: '<<calculate {"expression":"6 * 7"}>>', ...(tools && { tools }) }
    return { answer: ann.call(chatRoutes.generate, { params: { sessionId: id }, body }) }
  }
  /** Allows or denies the one call that waits. */
  const decide = async (decision: 'allow_once' | 'deny') => {
    const pending = async () => (await ann.call(routes.approvals, {})).pending
    await expect.poll(async () => (await pending()).length).toBe(1)
    const approvalId = (await pending())[0]?.id ?? ''
    await ann.call(routes.decideApproval, { params: { approvalId }, body: { decision } })
  }

  test('a person is as strict as they like, for themselves alone, and never less strict than administrators', async () => {
    expect(await choose(sum, 'ask')).toMatchObject({ rule: 'allow', ownMode: 'ask', mode: 'ask' })
    expect(await entry(admin, sum)).toMatchObject({ mode: 'allow', ownMode: null })
    const { answer } = await ask()
    await decide('deny')
    expect((await answer).toolCalls).toMatchObject([{ status: 'denied', decidedBy: 'person' }])

    await choose(sum, 'never')
    expect((await (await ask()).answer).toolCalls[0]?.status).not.toBe('succeeded')
    expect((await ann.refusal(routes.savePolicy, { body: { toolId: 'builtin:none', mode: 'ask' } })).code).toBe(
      'tool_not_found',
    )
    await choose(sum, null)
    expect(await entry(ann, sum)).toMatchObject({ mode: 'allow', ownMode: null })

    // Their permission changes nothing where an administrator says that it asks.
    const event = 'builtin:create_calendar_event'
    expect(await choose(event, 'allow')).toMatchObject({ rule: 'ask', mode: 'ask' })
    await admin.call(routes.saveBuiltin, { params: { name: 'create_calendar_event' }, body: { mode: 'never' } })
    expect(await entry(ann, event)).toMatchObject({ rule: 'never', mode: 'never' })
    await admin.call(routes.saveBuiltin, { params: { name: 'create_calendar_event' }, body: { mode: null } })
    const { items } = await admin.call(auditRoutes.list, { query: { action: 'tool.policy' } })
    expect(items.map(({ details }) => details)).toContainEqual({ mode: 'never' })
  })

  test('a chat may ask where nothing else does, and no request is less strict than its chat', async () => {
    const { answer } = await ask({ tools: { choice: 'auto', askFirst: [sum] } }, { choice: 'auto', ids: [sum] })
    await decide('allow_once')
    expect((await answer).toolCalls).toMatchObject([{ status: 'succeeded', decidedBy: 'person' }])
    const other = await ask({}, { choice: 'auto', askFirst: [sum] })
    await decide('deny')
    expect((await other.answer).toolCalls).toMatchObject([{ status: 'denied' }])
    expect((await (await ask()).answer).toolCalls).toMatchObject([{ status: 'succeeded', decidedBy: 'rules' }])
    const settings = { tools: { choice: 'auto' as const, askFirst: ['builtin:none'] } }
    expect((await ann.refusal(chatRoutes.create, { body: { settings } })).code).toBe('tool_unavailable')
  })

  test('calls are counted by tool, for each account and for all, and stay counted when their chat goes', async () => {
    const before = (await ann.call(routes.usage, { query: {} })).items.find(({ toolId }) => toolId === sum)
    expect(before).toMatchObject({ toolName: 'calculate', source: 'builtin', serverId: null, accounts: 1, failed: 0 })
    const wrong = await newChat(ann)
    await say(ann, wrong.id, '<<calculate {"expression":"1 +"}>>')
    await ann.call(chatRoutes.remove, { params: { sessionId: wrong.id } })
    const { items } = await ann.call(routes.usage, { query: { days: 2 } })
    const after = items.find(({ toolId }) => toolId === sum)
    expect(after?.calls).toBe((before?.calls ?? 0) + 1)
    expect([after?.succeeded, after?.failed]).toEqual([before?.succeeded, 1])
    expect((await admin.call(routes.usage, { query: {} })).items).toEqual([])
    expect((await admin.call(routes.allUsage, { query: {} })).items).toEqual(items)
    expect((await ann.refusal(routes.allUsage, { query: {} })).code).toBe('forbidden')

    await admin.call(usageRoutes.updatePolicy, { body: { policy: 'off' } })
    await say(ann, (await newChat(ann)).id, '<<calculate {"expression":"1 + 1"}>>')
    expect((await ann.call(routes.usage, { query: {} })).items).toEqual(items)
    await admin.call(usageRoutes.updatePolicy, { body: { policy: 'full' } })
  })

  test('the history is narrowed to a tool, a state, a decision and a time, and read page by page', async () => {
    const list = async (query: object) => (await ann.call(routes.calls, { query })).items
    const all = await list({ limit: 100 })
    expect(all.length).toBeGreaterThan(4)
    const denied = await list({ status: 'denied', decidedBy: 'person', toolId: sum })
    expect(denied.length).toBeGreaterThan(0)
    expect(denied.every(({ status, decidedBy }) => status === 'denied' && decidedBy === 'person')).toBe(true)
    expect(await list({ toolId: 'builtin:current_time' })).toEqual([])
    const middle = all[2]?.createdAt ?? ''
    const since = await list({ from: middle, limit: 100 })
    const earlier = await list({ to: middle, limit: 100 })
    expect([...since, ...earlier]).toEqual(all)
    expect(since.every(({ createdAt }) => createdAt >= middle)).toBe(true)
    const first = await ann.call(routes.calls, { query: { limit: 2, toolId: sum } })
    const query = { limit: 100, toolId: sum, cursor: first.nextCursor ?? '' }
    expect([...first.items, ...(await list(query))]).toEqual(await list({ limit: 100, toolId: sum }))
    expect((await ann.refusal(routes.calls, { query: { from: 'yesterday' } })).code).toBe('validation_failed')
  })
})
