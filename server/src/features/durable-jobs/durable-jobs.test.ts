import { durableJobsRoutes as routes } from '@atrium/contract/durable-jobs'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import type { Caller } from '../../platform/http/area.ts'
import { createEventLog } from '../../platform/events/event-log.ts'
import { eventMigrations } from '../../platform/events/tables.ts'
import { createJobs } from '../../platform/jobs/jobs.ts'
import { jobMigrations } from '../../platform/jobs/tables.ts'
import { defineJob } from '../../platform/jobs/types.ts'
import { createLog } from '../../platform/log/log.ts'
import { vaultMigrations } from '../../platform/vault/tables.ts'
import { openVault } from '../../platform/vault/vault.ts'
import { realClock } from '../../testing/clock.ts'
import { type Open, withDatabase } from '../../testing/databases.ts'
import { serveAreas } from '../../testing/serve.ts'
import { createDurableJobs } from './index.ts'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

/** A token is the name of its account here. */
const callerOf = (accountId: string): Caller => ({
  accountId,
  sessionId: accountId,
  role: 'user',
  via: 'bearer',
  token: null,
})

const begin = async (open: Open) => {
  const database = await open([...vaultMigrations, ...eventMigrations, ...jobMigrations])
  const vault = await openVault({ database, instanceKey: Buffer.alloc(32, 5), clock: realClock })
  const parts = { database, vault, clock: realClock, log: createLog({ level: 'silent' }), processId: realClock.id() }
  const events = createEventLog(parts)
  const jobs = createJobs({ ...parts, events, concurrency: 2 })
  const served = await serveAreas({
    areas: [createDurableJobs({ jobs })],
    authenticate: async ({ bearer }) => (bearer === null ? null : callerOf(bearer)),
    clock: realClock,
  })
  stops.push(async () => {
    await served.stop()
    await jobs.stop()
    await events.stop()
  })
  return { jobs, ada: served.guest.as('ada'), bob: served.guest.as('bob') }
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
