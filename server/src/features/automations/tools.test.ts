/** Tools in automations: a run waits for its owner's yes, and what a tool did is not done twice. */
import { automationsRoutes as routes } from '@atrium/contract/automations'
import { calendarRoutes } from '@atrium/contract/calendar'
import { chatRoutes } from '@atrium/contract/chat'
import { toolsRoutes } from '@atrium/contract/tools'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../../e2e/provider/provider.ts'
import { type TestApp, startTestApp } from '../../testing/app.ts'
import { local } from '../../testing/chats.ts'
import type { Client } from '../../testing/client.ts'
import { systemClock } from '../../platform/system-clock.ts'

const makeEvent = (title: string) => `<<create_calendar_event {"title":"${title}","start":"2026-12-01T09:00"}>>`
const december = { from: '2026-12-01T00:00:00Z', to: '2026-12-02T00:00:00Z' }

let provider: Provider
beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider?.close())

const open = (client: Client) => ({
  start: async (instructions: string, given: { retries?: number; mostMonthMinutes?: number } = {}) => {
    const tools = ['builtin:create_calendar_event']
    const body = { name: 'Planner', instructions, triggers: [], selection: local('echo'), tools, ...given }
    const { id } = await client.call(routes.create, { body })
    return (await client.call(routes.run, { params: { automationId: id }, body: {} })).runId
  },
  runOf: (runId: string) => client.call(routes.readRun, { params: { runId } }),
  pending: async () => (await client.call(toolsRoutes.approvals, {})).pending,
  titles: async () => (await client.call(calendarRoutes.events, { query: december })).items.map(({ title }) => title),
})

const allow = (client: Client, approvalId: string) =>
  client.call(toolsRoutes.decideApproval, { params: { approvalId }, body: { decision: 'allow_once' } })

test('a day without an answer is a no, what a tool did is not done again, and a stopped run asks no more', async () => {
  let ahead = 0
  const clock = { ...systemClock, now: () => Date.now() + ahead }
  const app: TestApp = await startTestApp({ env: { OLLAMA_BASE_URL: provider.url }, overrides: { clock } })
  try {
    const ann = await app.signUpAdmin()
    const { start, runOf, pending, titles } = open(ann)
    const stateOf = async (runId: string) => (await runOf(runId)).state

    const late = await start(makeEvent('Late'), { mostMonthMinutes: 5 })
    await expect.poll(() => stateOf(late)).toBe('waiting')
    ahead += 24 * 3600_000 + 60_000
    await expect.poll(() => stateOf(late)).toBe('succeeded')
    const { sessionId } = await runOf(late)
    const { items } = await ann.call(chatRoutes.messages, { params: { sessionId: sessionId ?? '' }, query: {} })
    expect(items.at(-1)?.toolCalls).toMatchObject([{ status: 'denied' }])
    // The day that it waited is no time that it ran.
    const { automationId } = await runOf(late)
    const { runId: next } = await ann.call(routes.run, { params: { automationId }, body: {} })
    await expect.poll(() => stateOf(next)).toBe('waiting')
    await ann.call(routes.cancelRun, { params: { runId: next } })

    const failing = await start(makeEvent('Once'), { retries: 5 })
    await expect.poll(() => stateOf(failing)).toBe('waiting')
    provider.control({ fault: 'status-500' })
    await allow(ann, (await pending())[0]?.id ?? '')
    await expect.poll(() => stateOf(failing)).toBe('failed')
    provider.control({ fault: null })
    expect(await runOf(failing)).toMatchObject({ tries: 1, reason: 'provider_failed' })
    expect(await titles()).toEqual(['Once'])

    const stopped = await start(makeEvent('Never'))
    await expect.poll(() => stateOf(stopped)).toBe('waiting')
    await ann.call(routes.cancelRun, { params: { runId: stopped } })
    await expect.poll(pending).toEqual([])
    expect(await stateOf(stopped)).toBe('cancelled')
    expect(await titles()).toEqual(['Once'])

    const body = { name: 'No', instructions: 'No.', triggers: [], tools: ['builtin:unknown'] }
    expect(await ann.refusal(routes.create, { body })).toMatchObject({ code: 'tool_unavailable' })
  } finally {
    await app.close()
  }
})
