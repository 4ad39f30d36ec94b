import { hostname } from 'node:os'
import { durableJobsRoutes as routes } from '@atrium/contract/durable-jobs'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { Caller } from '../../platform/http/area.ts'
import { createEventLog } from '../../platform/events/event-log.ts'
import { eventMigrations } from '../../platform/events/tables.ts'
import { createJobs } from '../../platform/jobs/jobs.ts'
import { jobMigrations } from '../../platform/jobs/tables.ts'
import { JobFailure, defineJob } from '../../platform/jobs/types.ts'
import { createLog } from '../../platform/log/log.ts'
import { createProcesses } from '../../platform/processes/index.ts'
import { vaultMigrations } from '../../platform/vault/tables.ts'
import { openVault } from '../../platform/vault/vault.ts'
import { realClock } from '../../testing/clock.ts'
import type { Client } from '../../testing/client.ts'
import { type Open, onBothDatabases, withDatabase } from '../../testing/databases.ts'
import { serveAreas } from '../../testing/serve.ts'
import { jobsCheck } from './check.ts'
import { createDurableJobs } from './index.ts'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

/** A token is the name of its account here; root's program has no scope. */
const callerOf = (accountId: string): Caller => ({
  accountId,
  sessionId: accountId,
  role: accountId.startsWith('root') ? 'admin' : 'user',
  via: 'bearer',
  token: accountId === 'root-program' ? { id: 'p', scopes: [], models: null, ratePerMinute: 100 } : null,
})
const names = new Map([['ada', 'Ada']])

const begin = async (open: Open) => {
  const database = await open([...vaultMigrations, ...eventMigrations, ...jobMigrations])
  const vault = await openVault({ database, instanceKey: Buffer.alloc(32, 5), clock: realClock })
  const parts = { database, vault, clock: realClock, log: createLog({ level: 'silent' }), processId: realClock.id() }
  const events = createEventLog(parts)
  const jobs = createJobs({ ...parts, events, concurrency: 2 })
  const processes = createProcesses({ ...parts, version: '1' })
  const served = await serveAreas({
    areas: [createDurableJobs({ jobs, processes, clock: realClock, namesOf: async () => names })],
    authenticate: async ({ bearer }) => (bearer === null ? null : callerOf(bearer)),
    clock: realClock,
  })
  stops.push(async () => {
    await served.stop()
    await jobs.stop()
    await events.stop()
  })
  const [ada, bob, root] = ['ada', 'bob', 'root'].map((name) => served.guest.as(name)) as [Client, Client, Client]
  return { jobs, database, ada, bob, root, program: served.guest.as('root-program') }
}

/** Makes half of its way, then waits until it is cancelled. */
const half = defineJob({
  payload: z.unknown(),
  attempts: 1,
  timeoutMs: 10_000,
  run: async (_, { progress, signal }) => {
    progress(1, 2, 'half')
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
  },
})

withDatabase('the routes of jobs', (open) => {
  test('show a job from its start to its cancelled end, and again from any point', async () => {
    const { jobs, ada } = await begin(open)
    jobs.start([{ 'test.half': half }])
    const { id } = await jobs.enqueue('test.half', {}, { accountId: 'ada', subject: 'A long way' })
    const seen: [number, string, string][] = []
    for await (const { seq, event } of ada.follow(routes.events, { params: { id } })) {
      seen.push([seq, event.type, event.data.state])
      if (event.data.progress && !event.data.cancelRequested) await ada.call(routes.cancel, { params: { id } })
    }
    expect(seen).toEqual([
      [1, 'progress', 'running'],
      [2, 'progress', 'running'],
      [3, 'progress', 'running'],
      [4, 'ended', 'cancelled'],
    ])
    const again: number[] = []
    for await (const { seq } of ada.follow(routes.events, { params: { id } }, { after: 1 })) again.push(seq)
    expect(again).toEqual([2, 3, 4])
    const job = await ada.call(routes.read, { params: { id } })
    expect(job).toMatchObject({ state: 'cancelled', subject: 'A long way', cancelRequested: true })
    expect(await ada.call(routes.cancel, { params: { id } })).toEqual(job)
  })

  test('list the own jobs in pages', async () => {
    const { jobs, ada } = await begin(open)
    for (let n = 0; n < 3; n++) await jobs.enqueue('test.idle', {}, { accountId: 'ada' })
    const first = await ada.call(routes.list, { query: { limit: 2 } })
    expect(first.items).toHaveLength(2)
    const second = await ada.call(routes.list, { query: { limit: 2, cursor: first.nextCursor ?? '' } })
    expect(second.items).toHaveLength(1)
    expect(second.nextCursor).toBe(null)
    expect((await ada.call(routes.list, { query: { state: 'failed' } })).items).toEqual([])
    expect((await ada.refusal(routes.list, { query: { cursor: 'nonsense' } })).code).toBe('bad_cursor')
  })

  test('answer for a job of somebody else as for none', async () => {
    const { jobs, bob } = await begin(open)
    const { id } = await jobs.enqueue('test.idle', {}, { accountId: 'ada' })
    for (const unseen of [id, 'no-such-job'])
      for (const route of [routes.read, routes.events, routes.cancel] as const)
        expect(await bob.refusal(route, { params: { id: unseen } })).toMatchObject({
          status: 404,
          code: 'job_not_found',
        })
    expect((await bob.call(routes.list, {})).items).toEqual([])
  })
})

const done = defineJob({ payload: z.unknown(), attempts: 1, timeoutMs: 10_000, run: async () => undefined })
const all = { all: 'true' } as const
/** Fails until `mended`, and then counts its runs. */
const failing = () => {
  const state = { mended: false, runs: 0 }
  const handler = defineJob({
    payload: z.unknown(),
    attempts: 1,
    timeoutMs: 10_000,
    run: async () => {
      state.runs += 1
      if (!state.mended) throw new JobFailure('provider_failed', 'This once.')
    },
  })
  return { state, handler }
}
const stateOf = async (client: Client, id: string) => (await client.call(routes.read, { params: { id } })).state
const until = (client: Client, id: string, state: string) =>
  vi.waitFor(async () => expect(await stateOf(client, id)).toBe(state))

onBothDatabases('jobs of everybody', (open) => {
  test('are listed for administrators alone, with whose they are and without what they are about', async () => {
    const { jobs, ada, root, program } = await begin(open)
    jobs.start([{ 'mail.send': half }])
    const { id } = await jobs.enqueue('mail.send', { words: 'secret' }, { accountId: 'ada', subject: 'secret' })
    const other = await jobs.enqueue('trash.purge', {}, { accountId: null, delayMs: 60_000 })
    await jobs.every('house.tidy', {}, 3_600_000)
    await until(ada, id, 'running')
    const { items } = await root.call(routes.list, { query: all })
    expect(items).toHaveLength(3)
    const mine = items.find((job) => job.id === id)
    expect(mine).toMatchObject({ kind: 'mail.send', state: 'running', attempts: 1, subject: null, progress: null })
    expect(mine).toMatchObject({
      account: { id: 'ada', name: 'Ada' },
      process: { host: hostname(), pid: process.pid },
      nextRunAt: null,
    })
    expect(items.find((job) => job.id === other.id)).toMatchObject({
      account: null,
      process: null,
      nextRunAt: expect.any(String),
      everyMs: null,
    })
    expect(items.find((job) => job.kind === 'house.tidy')).toMatchObject({ everyMs: 3_600_000 })
    expect(JSON.stringify(items)).not.toContain('secret')

    const running = await root.call(routes.list, { query: { ...all, state: 'running' } })
    expect(running.items.map((job) => job.id)).toEqual([id])
    const purges = await root.call(routes.list, { query: { ...all, kind: 'trash.purge' } })
    expect(purges.items.map((job) => job.id)).toEqual([other.id])
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await root.call(routes.list, { query: { ...all, limit: 1, cursor } })
      seen.push(...page.items.map((job) => job.id))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(seen).toEqual(items.map((job) => job.id))

    expect((await root.call(routes.list, {})).items).toEqual([])
    expect(await ada.refusal(routes.list, { query: all })).toMatchObject({ status: 403, code: 'forbidden' })
    expect(await program.refusal(routes.list, { query: all })).toMatchObject({ status: 403, code: 'token_scope' })
    for (const route of [routes.retry, routes.stop] as const)
      expect((await ada.refusal(route, { params: { id } })).code).toBe('forbidden')
  })

  test('are tried again once they failed, once for any number of calls, and their followers see it', async () => {
    const { jobs, ada, root } = await begin(open)
    const { state, handler } = failing()
    jobs.start([{ 'mail.send': handler }])
    const { id } = await jobs.enqueue('mail.send', {}, { accountId: 'ada' })
    const params = { id }
    await until(ada, id, 'failed')
    state.mended = true
    const calls = await Promise.all([1, 2, 3].map(() => root.answer(routes.retry, { params })))
    expect(calls.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
    const types: string[] = []
    for await (const { event } of ada.follow(routes.events, { params })) types.push(`${event.type} ${event.data.state}`)
    expect(types.at(-1)).toBe('ended succeeded')
    expect(types).toContain('ended failed')
    expect(state.runs).toBe(2)
    expect(await ada.call(routes.read, { params })).toMatchObject({ state: 'succeeded', attempts: 1, failure: null })
    expect((await root.refusal(routes.retry, { params })).code).toBe('job_not_failed')
    expect((await root.refusal(routes.retry, { params: { id: 'none' } })).code).toBe('job_not_found')
  })

  test('are not tried again beside a newer one of the same key', async () => {
    const { jobs, ada, root } = await begin(open)
    const { state, handler } = failing()
    jobs.start([{ 'mail.send': handler }])
    const options = { accountId: 'ada', key: 'k', keyUntil: 'ended' } as const
    const first = await jobs.enqueue('mail.send', {}, options)
    await until(ada, first.id, 'failed')
    const newer = await jobs.enqueue('mail.send', {}, { ...options, delayMs: 60_000 })
    expect(newer.id).not.toBe(first.id)
    expect((await root.refusal(routes.retry, { params: { id: first.id } })).code).toBe('job_repeated')
    await root.call(routes.stop, { params: { id: newer.id } })
    state.mended = true
    await root.call(routes.retry, { params: { id: first.id } })
    await until(ada, first.id, 'succeeded')
  })

  test('are cancelled by administrators, but for those that come back by themselves', async () => {
    const { jobs, ada, root } = await begin(open)
    jobs.start([{ 'mail.send': half }])
    const { id } = await jobs.enqueue('mail.send', {}, { accountId: 'ada' })
    await until(ada, id, 'running')
    expect(await root.call(routes.stop, { params: { id } })).toMatchObject({ cancelRequested: true })
    await until(ada, id, 'cancelled')
    expect(await root.call(routes.stop, { params: { id } })).toMatchObject({ state: 'cancelled' })
    await jobs.every('house.tidy', {}, 3_600_000)
    expect((await root.refusal(routes.stop, { params: { id: 'every:house.tidy' } })).code).toBe('job_recurring')
  })

  test('are counted by kind: due, running, failed, and since when the oldest waits', async () => {
    const { jobs, ada } = await begin(open)
    const { handler } = failing()
    jobs.start([{ 'mail.send': handler, 'documents.embed': half }])
    const failed = await jobs.enqueue('mail.send', {}, { accountId: 'ada' })
    const running = await jobs.enqueue('documents.embed', {}, { accountId: 'ada' })
    const waiting = await jobs.enqueue('trash.purge', {}, { accountId: 'ada' })
    await jobs.enqueue('trash.purge', {}, { accountId: 'ada', delayMs: 60_000 })
    await until(ada, failed.id, 'failed')
    await until(ada, running.id, 'running')
    const none = { due: 0, queued: 0, running: 0, failed: 0, oldestDueAt: null, pausedAt: null }
    expect(await jobs.administration.count()).toEqual([
      { ...none, kind: 'documents.embed', running: 1 },
      { ...none, kind: 'mail.send', failed: 1 },
      { ...none, kind: 'trash.purge', due: 1, queued: 2, oldestDueAt: Date.parse(waiting.createdAt) },
    ])
  })
})

onBothDatabases('what administrators do with jobs', (open) => {
  test('a summary tells what waits, runs, recurs and failed, how fast it goes, and where', async () => {
    const { jobs, ada, bob, root, program } = await begin(open)
    const { handler } = failing()
    jobs.start([{ 'mail.send': handler, 'documents.embed': half, 'house.tidy': done }])
    const failed = await jobs.enqueue('mail.send', {}, { accountId: 'ada', subject: 'secret' })
    const running = await jobs.enqueue('documents.embed', {}, { accountId: 'bob', subject: 'secret' })
    await jobs.every('house.tidy', {}, 3_600_000)
    await jobs.enqueue('trash.purge', {}, { accountId: 'ada' })
    await until(ada, failed.id, 'failed')
    await until(bob, running.id, 'running')
    await root.call(routes.pause, { params: { kind: 'trash.purge' } })
    const summary = await vi.waitFor(async () => {
      const now = await root.call(routes.summary, {})
      expect(now.kinds.find(({ kind }) => kind === 'house.tidy')?.lastHour.succeeded).toBe(1)
      return now
    })
    const of = (kind: string) => summary.kinds.find((each) => each.kind === kind)
    expect(of('mail.send')).toMatchObject({
      failed: 1,
      running: 0,
      pausedAt: null,
      lastHour: { failed: 1, succeeded: 0, averageMs: expect.any(Number) },
    })
    expect(of('documents.embed')).toMatchObject({ running: 1, lastHour: { succeeded: 0, averageMs: null } })
    expect(of('trash.purge')).toMatchObject({ due: 1, oldestDueAt: expect.any(String), pausedAt: expect.any(String) })
    expect(summary.recurring).toMatchObject([{ kind: 'house.tidy', everyMs: 3_600_000, nextRunAt: expect.any(String) }])
    expect(summary.placesPerProcess).toBe(2)
    expect(summary.processes).toMatchObject([
      { pid: process.pid, isThis: true, running: [{ id: running.id, kind: 'documents.embed' }] },
    ])
    expect(JSON.stringify(summary)).not.toContain('secret')
    expect((await ada.refusal(routes.summary, {})).code).toBe('forbidden')
    expect((await program.refusal(routes.summary, {})).code).toBe('token_scope')
  })

  test('tries of a job are told with their process; failed ones are dismissed, and tried again by their owner', async () => {
    const { jobs, ada, bob, root } = await begin(open)
    const { state, handler } = failing()
    jobs.start([{ 'mail.send': handler }])
    const { id } = await jobs.enqueue('mail.send', {}, { accountId: 'ada', subject: 'secret' })
    const params = { id }
    await until(ada, id, 'failed')
    const told = await root.call(routes.attempts, { params })
    expect(told).toMatchObject({
      job: { id, account: { id: 'ada', name: 'Ada' }, subject: null },
      attempts: [{ number: 1, outcome: 'failed', code: 'provider_failed', process: { pid: process.pid } }],
    })
    expect(JSON.stringify(told)).not.toContain('secret')
    expect((await bob.refusal(routes.restart, { params })).code).toBe('job_not_found')
    expect((await root.refusal(routes.restart, { params })).code).toBe('job_not_found')
    expect(await ada.call(routes.restart, { params })).toMatchObject({ id, subject: 'secret' })
    await until(ada, id, 'failed')
    expect(state.runs).toBe(2)
    expect((await root.call(routes.attempts, { params })).attempts).toHaveLength(2)
    await root.call(routes.dismiss, { params })
    expect((await ada.refusal(routes.read, { params })).code).toBe('job_not_found')
    for (const route of [routes.dismiss, routes.attempts, routes.run] as const)
      expect((await root.refusal(route, { params })).code).toBe('job_not_found')
  })

  test('kinds are paused and resumed, and what recurs is run now', async () => {
    const { jobs, ada, root } = await begin(open)
    jobs.start([{ 'mail.send': done, 'house.tidy': done }])
    const kind = { params: { kind: 'mail.send' } } as const
    expect(await root.call(routes.pause, kind)).toEqual({})
    expect(await root.call(routes.pause, kind)).toEqual({})
    const { id } = await jobs.enqueue('mail.send', {}, { accountId: 'ada' })
    await jobs.every('house.tidy', {}, 3_600_000)
    const run = { params: { id: 'every:house.tidy' } }
    const runs = async () => (await root.call(routes.attempts, run)).attempts.filter(({ finishedAt }) => finishedAt)
    await vi.waitFor(async () => expect(await runs()).toHaveLength(1))
    expect(await root.call(routes.run, run)).toMatchObject({ kind: 'house.tidy' })
    await vi.waitFor(async () => expect(await runs()).toHaveLength(2))
    expect(await stateOf(ada, id)).toBe('queued')
    expect((await root.refusal(routes.run, { params: { id } })).code).toBe('job_not_recurring')
    await root.call(routes.pause, { params: { kind: 'house.tidy' } })
    expect((await root.refusal(routes.run, run)).code).toBe('job_kind_paused')
    await root.call(routes.resume, kind)
    await until(ada, id, 'succeeded')
    for (const route of [routes.pause, routes.resume] as const)
      expect((await root.refusal(route, { params: { kind: 'no.such' } })).code).toBe('job_kind_not_found')
    for (const route of [routes.pause, routes.resume] as const)
      expect((await ada.refusal(route, kind)).code).toBe('forbidden')
  })

  test('a job that waits for long is told by the check, and that its type is paused', async () => {
    const { jobs, root } = await begin(open)
    const check = jobsCheck({ jobs, clock: { now: () => realClock.now() + 120_000 } })
    expect(await check.run(AbortSignal.timeout(30_000))).toMatchObject({ status: 'pass' })
    await jobs.enqueue('mail.send', {}, { accountId: 'ada' })
    expect(await check.run(AbortSignal.timeout(30_000))).toMatchObject({
      status: 'warn',
      message: expect.stringContaining('late: mail.send'),
    })
    await root.call(routes.pause, { params: { kind: 'mail.send' } })
    expect(await check.run(AbortSignal.timeout(30_000))).toMatchObject({
      status: 'warn',
      message: expect.stringContaining('paused: mail.send'),
    })
  })
})
