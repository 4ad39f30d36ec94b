/** What happens at once, or in any order, with the tick: nothing twice, nothing lost. */
import { type AutomationContent, type AutomationRun, automationsRoutes as routes } from '@atrium/contract/automations'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../../e2e/provider/provider.ts'
import { systemClock } from '../../platform/system-clock.ts'
import { type TestApp, startTestApp } from '../../testing/app.ts'
import { local } from '../../testing/chats.ts'
import type { Client } from '../../testing/client.ts'

type Given = Partial<AutomationContent>
const hourMs = 3600_000
const minuteMs = 60_000
/** Room on both sides of a tick for a busy machine, and less late than what counts as missed. */
const stepMs = 3 * minuteMs

let provider: Provider
let app: TestApp
let ann: Client
/** How far the clock of the server is ahead. */
let ahead = 0
let waker = ''
beforeAll(async () => {
  provider = await startProvider()
  provider.control({ models: ['echo', 'long-400-drip-50'] })
  app = await startTestApp({
    env: { OLLAMA_BASE_URL: provider.url },
    overrides: { clock: { ...systemClock, now: () => Date.now() + ahead } },
  })
  ann = await app.signUpAdmin()
  waker = await create()
})
afterAll(async () => {
  await app?.close()
  await provider?.close()
})

const content = (given: Given = {}): AutomationContent => ({
  name: 'Race',
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
  missed: 'all',
  overlap: 'parallel',
  retries: 0,
  timeoutMinutes: 240,
  startsAt: null,
  endsAt: null,
  mostRuns: null,
  notify: 'off',
  ...given,
})
const at = (automationId: string) => ({ params: { automationId } })
const of = (runId: string) => ({ params: { runId } })
const create = async (given: Given = {}) => (await ann.call(routes.create, { body: content(given) })).id
const once = (time: number): Given => ({ triggers: [{ kind: 'once', at: new Date(time).toISOString() }] })
/** Every change has it look. */
const wake = () => ann.call(routes.resume, at(waker))
const runsOf = async (automationId: string): Promise<AutomationRun[]> =>
  (await ann.call(routes.runs, { query: { automationId } })).items
const settled = async (automationId: string): Promise<AutomationRun[]> => {
  await expect.poll(async () => (await runsOf(automationId)).filter(({ endedAt }) => endedAt === null)).toEqual([])
  return runsOf(automationId)
}
const scheduled = async (automationId: string) =>
  (await settled(automationId)).filter(({ trigger }) => trigger === 'schedule')

const orders = <T>(items: readonly T[]): T[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item) => orders(items.filter((other) => other !== item)).map((rest) => [item, ...rest]))

test('pause, resume and edit in any order with the tick run it as often as they should', async () => {
  const all = orders(['pause', 'resume', 'edit', 'tick'] as const)
  const begin = Date.now() + ahead
  const cases = await Promise.all(
    all.map(async (order) => {
      const given = once(begin + (order.indexOf('tick') + 0.5) * stepMs)
      return { order, given, id: await create(given) }
    }),
  )
  for (let step = 0; step < 4; step += 1) {
    await Promise.all(
      cases.map(async ({ order, given, id }) => {
        const act = order[step]
        if (act === 'pause') await ann.call(routes.pause, at(id))
        if (act === 'resume') await ann.call(routes.resume, at(id))
        if (act === 'edit') await ann.call(routes.update, { ...at(id), body: content({ ...given, name: 'Edited' }) })
      }),
    )
    ahead += stepMs
    // By hand in the moment of the tick.
    const ticking = cases.filter(({ order }) => order[step] === 'tick')
    await Promise.all([wake(), ...ticking.map(({ id }) => ann.call(routes.run, at(id)))])
    for (const { id } of ticking) await settled(id)
  }
  for (const { order, id } of cases) {
    const before = order.slice(0, order.indexOf('tick'))
    const isPaused = before.lastIndexOf('pause') > before.lastIndexOf('resume')
    const states = (await settled(id)).map(({ trigger, state }) => `${trigger} ${state}`).toSorted()
    const wanted = isPaused ? ['manual succeeded'] : ['manual succeeded', 'schedule succeeded']
    expect(states, order.join(', ')).toEqual(wanted)
    await ann.call(routes.remove, at(id))
  }
})

test('what is due is not lost to an edit that comes first', async () => {
  const given = once(Date.now() + ahead + 30 * minuteMs)
  const ids = await Promise.all(Array.from({ length: 10 }, () => create(given)))
  ahead += hourMs
  const edit = (id: string) => ann.call(routes.update, { ...at(id), body: content({ ...given, name: 'Edited' }) })
  // Nobody woke the scheduler before this one.
  await edit(ids[0] ?? '')
  await Promise.all(ids.slice(1).flatMap((id) => [edit(id), wake()]))
  for (const id of ids) {
    expect(await scheduled(id)).toMatchObject([{ state: 'succeeded' }])
    expect(await ann.call(routes.read, at(id))).toMatchObject({ name: 'Edited', nextRunAt: null })
    await ann.call(routes.remove, at(id))
  }
})

test('an edit does not start what is paused in the same moment', async () => {
  const given = once(Date.now() + ahead + 30 * minuteMs)
  const ids = await Promise.all(Array.from({ length: 30 }, () => create(given)))
  await Promise.all(
    ids.flatMap((id) => [
      ann.call(routes.update, { ...at(id), body: content({ ...given, name: 'Edited' }) }),
      ann.call(routes.pause, at(id)),
    ]),
  )
  for (const id of ids)
    expect(await ann.call(routes.read, at(id))).toMatchObject({ name: 'Edited', status: 'paused', nextRunAt: null })
  ahead += hourMs
  await wake()
  for (const id of ids) {
    expect(await runsOf(id)).toEqual([])
    await ann.call(routes.remove, at(id))
  }
})

test('what is deleted in the moment of the tick leaves nothing behind', async () => {
  const given = once(Date.now() + ahead + 30 * minuteMs)
  const ids = await Promise.all(Array.from({ length: 10 }, () => create(given)))
  ahead += hourMs
  await Promise.all(ids.flatMap((id) => [wake(), ann.call(routes.remove, at(id))]))
  await wake()
  for (const id of ids) {
    expect(await runsOf(id)).toEqual([])
    expect(await ann.refusal(routes.run, at(id))).toMatchObject({ code: 'automation_not_found' })
  }
})

test('two who stop a run at once stop it once, and what waits for it goes on', async () => {
  const id = await create({ selection: local('long-400-drip-50'), overlap: 'queue' })
  const { runId: first } = await ann.call(routes.run, at(id))
  const { runId: second } = await ann.call(routes.run, at(id))
  const { runId: third } = await ann.call(routes.run, at(id))
  await expect.poll(async () => (await ann.call(routes.readRun, of(first))).messageId).not.toBeNull()
  expect(await ann.call(routes.cancelRun, of(second))).toMatchObject({ state: 'cancelled', startedAt: null, tries: 0 })
  const cancel = () =>
    ann.call(routes.cancelRun, of(first)).then(
      () => 200,
      (error: { status?: number }) => error.status,
    )
  const answers = await Promise.all([cancel(), cancel()])
  expect(answers.toSorted()).toEqual([200, 409])
  await expect.poll(async () => (await ann.call(routes.readRun, of(third))).messageId).not.toBeNull()
  expect(await ann.call(routes.readRun, of(second))).toMatchObject({ state: 'cancelled', tries: 0 })
  await ann.call(routes.cancelRun, of(third))
})

test('what is stopped before or while it begins lets the next one begin, and asks nobody', async () => {
  const id = await create({ selection: local('long-400-drip-50'), overlap: 'queue' })
  for (let round = 0; round < 10; round += 1) {
    const { runId } = await ann.call(routes.run, at(id))
    expect(await ann.call(routes.cancelRun, of(runId))).toMatchObject({ state: 'cancelled', reason: 'stopped' })
  }
  const { runId } = await ann.call(routes.run, at(id))
  await expect.poll(async () => (await ann.call(routes.readRun, of(runId))).messageId).not.toBeNull()
  const states = (await runsOf(id)).map(({ state }) => state)
  expect(states).toEqual(['running', ...Array.from({ length: 10 }, () => 'cancelled')])
  await ann.call(routes.cancelRun, of(runId))
})

test('a clock that goes back an hour and comes again repeats nothing and leaves nothing out', async () => {
  const given: Given = { triggers: [{ kind: 'cron', expression: '0 * * * *', timeZone: 'UTC' }], mostRuns: 3 }
  const id = await create(given)
  const body = content({ ...given, name: 'Edited' })
  ahead += hourMs
  await wake()
  await expect.poll(() => scheduled(id)).toHaveLength(1)
  ahead -= hourMs
  await ann.call(routes.update, { ...at(id), body })
  await ann.call(routes.pause, at(id))
  await ann.call(routes.resume, at(id))
  ahead += hourMs
  await wake()
  // It went by a second time.
  await expect
    .poll(async () => Date.parse((await ann.call(routes.read, at(id))).nextRunAt ?? ''))
    .toBeGreaterThan(Date.now() + ahead)
  expect(await scheduled(id)).toHaveLength(1)
  for (const count of [2, 3]) {
    ahead += hourMs
    await wake()
    await expect.poll(() => scheduled(id)).toHaveLength(count)
  }
  expect(new Set((await scheduled(id)).map(({ scheduledFor }) => scheduledFor)).size).toBe(3)
  expect((await ann.call(routes.read, at(id))).nextRunAt).toBeNull()
})
