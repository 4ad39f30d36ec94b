import { setTimeout as sleep } from 'node:timers/promises'
import type { Job } from '@atrium/contract/durable-jobs'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { startChild } from '../../testing/child.ts'
import { realClock } from '../../testing/clock.ts'
import { type Open, onBothDatabases } from '../../testing/databases.ts'
import { migrate, openDatabase } from '../db/index.ts'
import type { Database } from '../db/types.ts'
import { createEventLog } from '../events/event-log.ts'
import { eventMigrations } from '../events/tables.ts'
import { createFiles } from '../files/files.ts'
import { type FileTables, fileMigrations } from '../files/tables.ts'
import { createLog } from '../log/log.ts'
import { mergeMetrics } from '../metrics/definition.ts'
import { commonMetrics, createMetrics } from '../metrics/index.ts'
import { vaultMigrations } from '../vault/tables.ts'
import { openVault } from '../vault/vault.ts'
import { createHousekeeping } from './housekeeping.ts'
import { createJobs, type JobParts } from './jobs.ts'
import { jobMetrics } from './metrics.ts'
import { type JobTables, jobMigrations } from './tables.ts'
import { type JobContext, type JobDefinition, JobFailure, type JobHandler, type Jobs, defineJob } from './types.ts'

const instanceKey = Buffer.alloc(32, 7)
const migrations = [...vaultMigrations, ...eventMigrations, ...jobMigrations]
const quick = { leaseMs: 3000, pollMs: 200, graceMs: 200, backoffMs: 5 }

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

interface Process {
  readonly jobs: Jobs
  readonly database: Database
  readonly events: ReturnType<typeof createEventLog>
}
/** A process of the service, as far as jobs go. */
const processOn = async (database: Database, options: Partial<JobParts> = {}): Promise<Process> => {
  const vault = await openVault({ database, instanceKey, clock: realClock })
  const log = createLog({ level: 'silent' })
  const processId = realClock.id()
  const events = createEventLog({ database, vault, clock: realClock, log, processId })
  const parts = { database, vault, clock: realClock, events, log, processId, concurrency: 4, tuning: quick }
  const jobs = createJobs({ ...parts, ...options })
  stops.push(async () => {
    await jobs.stop()
    await events.stop()
  })
  return { jobs, database, events }
}
const begin = async (open: Open, options?: Partial<JobParts>) => processOn(await open(migrations), options)

const handler = <P>(run: JobDefinition<P>['run'], more: Partial<JobDefinition<P>> = {}): JobHandler =>
  defineJob({ payload: z.custom<P>(), attempts: 3, timeoutMs: 10_000, run, ...more })

const ended = async (jobs: Jobs, id: string, accountId = 'ada'): Promise<Job> => {
  const events = await jobs.follow(accountId, id, 0, AbortSignal.timeout(120_000))
  if (!events) throw new Error('Job not found.')
  let last: Job | null = null
  for await (const { event } of events) {
    expect(last?.finishedAt ?? null).toBe(null)
    last = event.data
  }
  if (!last?.finishedAt) throw new Error(`The job did not end: ${JSON.stringify(await jobs.read(accountId, id))}`)
  return last
}
/** A handler that holds still until its signal aborts, and says when it began. */
const waiting = () => {
  const begun = Promise.withResolvers<JobContext>()
  const run = async (_: unknown, context: JobContext): Promise<void> => {
    begun.resolve(context)
    await new Promise((resolve) => context.signal.addEventListener('abort', resolve))
    context.signal.throwIfAborted()
  }
  return { begun: begun.promise, handler: handler(run) }
}
const until = async (met: () => Promise<boolean> | boolean): Promise<void> => {
  while (!(await met())) await sleep(10)
}

onBothDatabases('jobs', (open, dialect) => {
  test('run with what they were given, and tell of their progress to the end', async () => {
    const { jobs, events } = await begin(open)
    const given: unknown[] = []
    const run = async (payload: unknown, { progress, attempt, accountId }: JobContext): Promise<void> => {
      given.push(payload, attempt, accountId)
      progress(1, 3, 'first')
      progress(2, 3, 'second')
      progress(3, 3, 'last')
    }
    jobs.start([{ 'test.greet': handler(run, { payload: z.strictObject({ name: z.string() }) }) }])
    const job = await jobs.enqueue('test.greet', { name: 'Ada' }, { accountId: 'ada', subject: 'A greeting' })
    expect(job).toMatchObject({ kind: 'test.greet', state: 'queued', subject: 'A greeting', attempts: 0 })
    const last = await ended(jobs, job.id)
    expect(last).toMatchObject({ state: 'succeeded', attempts: 1, maxAttempts: 3, failure: null })
    expect(last.progress).toEqual({ current: 3, total: 3, message: 'last' })
    expect(given).toEqual([{ name: 'Ada' }, 1, 'ada'])
    expect(await jobs.read('ada', job.id)).toEqual(last)
    const pages = await events.read<{ type: string; data: { id: string } }>({ id: 'account:ada', accountId: 'ada' }, 0)
    expect(new Set(pages.map(({ event }) => `${event.type} ${event.data.id}`))).toEqual(
      new Set([`job-changed ${job.id}`]),
    )
    expect(pages).toHaveLength(3)
  })

  test('that act outside wait while the instance is paused, and others do not', async () => {
    let paused = true
    const { jobs } = await begin(open, { isPaused: async () => paused })
    const order: string[] = []
    const note = (word: string) => async () => void order.push(word)
    jobs.start([{ 'test.send': handler(note('sent'), { outward: true }), 'test.count': handler(note('counted')) }])
    const send = await jobs.enqueue('test.send', {}, { accountId: 'ada' })
    const count = await jobs.enqueue('test.count', {}, { accountId: 'ada' })
    expect(await ended(jobs, count.id)).toMatchObject({ state: 'succeeded' })
    expect(await jobs.read('ada', send.id)).toMatchObject({ state: 'queued', attempts: 0 })
    paused = false
    expect(await ended(jobs, send.id)).toMatchObject({ state: 'succeeded' })
    expect(order).toEqual(['counted', 'sent'])
  })

  test('are seen by their own account only', async () => {
    const { jobs } = await begin(open)
    const { id } = await jobs.enqueue('test.idle', {}, { accountId: 'ada' })
    expect(await jobs.read('bob', id)).toBe(null)
    expect(await jobs.cancel('bob', id)).toBe(null)
    expect(await jobs.follow('bob', id, 0, AbortSignal.abort())).toBe(null)
    expect((await jobs.list('bob', { limit: 10 })).items).toEqual([])
    expect((await jobs.read('ada', id))?.state).toBe('queued')
  })

  test('are listed newest first, page by page, and by state', async () => {
    const { jobs } = await begin(open)
    const ids: string[] = []
    for (let n = 0; n < 7; n++) ids.push((await jobs.enqueue('test.idle', { n }, { accountId: 'ada' })).id)
    await jobs.cancel('ada', ids[2] as string)
    const found: string[] = []
    let cursor: string | undefined
    do {
      const page = await jobs.list('ada', { limit: 3, cursor })
      found.push(...page.items.map((job) => job.id))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    expect(found).toEqual([...ids].reverse())
    expect((await jobs.list('ada', { limit: 9, state: 'cancelled' })).items.map((job) => job.id)).toEqual([ids[2]])
    await expect(jobs.list('ada', { limit: 9, cursor: 'nonsense' })).rejects.toMatchObject({ code: 'bad_cursor' })
  })

  test('are tried again after failures, until a try succeeds', async () => {
    const { jobs } = await begin(open)
    const tries: number[] = []
    const run = async (_: unknown, { attempt }: JobContext): Promise<void> => {
      tries.push(attempt)
      if (attempt < 3) throw new Error('not yet')
    }
    jobs.start([{ 'test.flaky': handler(run) }])
    const { id } = await jobs.enqueue('test.flaky', {}, { accountId: 'ada' })
    expect(await ended(jobs, id)).toMatchObject({ state: 'succeeded', attempts: 3, failure: null })
    expect(tries).toEqual([1, 2, 3])
  })

  test('fail when all tries are used up, without words of the error', async () => {
    const { jobs } = await begin(open)
    const run = (): Promise<void> => Promise.reject(new Error('secret words'))
    jobs.start([{ 'test.broken': handler(run, { attempts: 2 }) }])
    const { id } = await jobs.enqueue('test.broken', {}, { accountId: 'ada' })
    const last = await ended(jobs, id)
    expect(last).toMatchObject({ state: 'failed', attempts: 2, failure: { code: 'internal' } })
    expect(JSON.stringify(last)).not.toContain('secret words')
  })

  test('fail at once when the handler says so', async () => {
    const { jobs } = await begin(open)
    const run = (): Promise<void> => Promise.reject(new JobFailure('model_not_found', 'The model is gone.'))
    jobs.start([{ 'test.final': handler(run) }])
    const { id } = await jobs.enqueue('test.final', {}, { accountId: 'ada' })
    const failure = { code: 'model_not_found', detail: 'The model is gone.' }
    expect(await ended(jobs, id)).toMatchObject({ state: 'failed', attempts: 1, failure })
  })

  test('fail with payload_invalid when a payload no longer has the form of its kind', async () => {
    const { jobs } = await begin(open)
    const run = (): Promise<void> => Promise.reject(new Error('must not run'))
    jobs.start([{ 'test.strict': handler(run, { payload: z.strictObject({ n: z.number() }) }) }])
    const { id } = await jobs.enqueue('test.strict', { n: 'three' }, { accountId: 'ada' })
    expect(await ended(jobs, id)).toMatchObject({ state: 'failed', attempts: 1, failure: { code: 'payload_invalid' } })
  })

  test('end with a timeout when they take too long, even if the handler does not listen', async () => {
    const { jobs } = await begin(open)
    const run = (): Promise<void> => new Promise(() => undefined)
    jobs.start([{ 'test.endless': handler(run, { attempts: 1, timeoutMs: 30 }) }])
    const { id } = await jobs.enqueue('test.endless', {}, { accountId: 'ada' })
    expect(await ended(jobs, id)).toMatchObject({ state: 'failed', failure: { code: 'timeout' } })
  })

  test('are made once for a key, whoever else asks at the same time', async () => {
    const { jobs, database } = await begin(open)
    const other = await processOn(database)
    const ask = (by: Jobs) => by.enqueue('test.keyed', { n: 1 }, { accountId: 'ada', key: 'same' })
    const made = await Promise.all([ask(jobs), ask(other.jobs), ask(jobs), ask(other.jobs)])
    expect(new Set(made.map((job) => job.id)).size).toBe(1)
    const options = { accountId: 'ada', key: 'same' }
    await expect(jobs.enqueue('test.keyed', { n: 2 }, options)).rejects.toMatchObject({ code: 'id_reused' })
    const elsewhere = await jobs.enqueue('test.keyed', { n: 2 }, { accountId: 'bob', key: 'same' })
    expect(elsewhere.id).not.toBe(made[0]?.id)
    await jobs.cancel('ada', made[0]?.id as string)
    expect((await ask(jobs)).id).toBe(made[0]?.id)
  })

  test('may be made again for a key that fell with the end of the first', async () => {
    const { jobs } = await begin(open)
    const ask = () => jobs.enqueue('test.keyed', {}, { accountId: 'ada', key: 'pull', keyUntil: 'ended' })
    const first = await ask()
    expect((await ask()).id).toBe(first.id)
    await jobs.cancel('ada', first.id)
    const second = await ask()
    expect(second.id).not.toBe(first.id)
    jobs.start([{ 'test.keyed': handler(async () => undefined) }])
    await ended(jobs, second.id)
    expect((await ask()).id).not.toBe(second.id)
  })

  test('wait for their time', async () => {
    const { jobs } = await begin(open)
    const times: number[] = []
    jobs.start([{ 'test.later': handler(async () => void times.push(realClock.now())) }])
    const { id, createdAt } = await jobs.enqueue('test.later', {}, { accountId: 'ada', delayMs: 150 })
    await ended(jobs, id)
    expect((times[0] ?? 0) - Date.parse(createdAt)).toBeGreaterThanOrEqual(150)
  })

  test('are left alone where their kind has no handler', async () => {
    const { jobs, database } = await begin(open)
    jobs.start([{ 'test.known': handler(async () => undefined) }])
    const unknown = await jobs.enqueue('test.unknown', {}, { accountId: 'ada' })
    const known = await jobs.enqueue('test.known', {}, { accountId: 'ada' })
    await ended(jobs, known.id)
    expect((await jobs.read('ada', unknown.id))?.state).toBe('queued')
    const other = await processOn(database)
    other.jobs.start([{ 'test.unknown': handler(async () => undefined) }])
    expect((await ended(jobs, unknown.id)).state).toBe('succeeded')
  })

  test('of one account do not keep those of another waiting', async () => {
    const { jobs } = await begin(open, { concurrency: 2 })
    const order: (string | null)[] = []
    const run = async (_: unknown, { accountId }: JobContext): Promise<void> => {
      order.push(accountId)
      await sleep(5)
    }
    const many = []
    for (let n = 0; n < 12; n++) many.push(await jobs.enqueue('test.fair', {}, { accountId: 'greedy' }))
    const late = []
    for (let n = 0; n < 3; n++) late.push(await jobs.enqueue('test.fair', {}, { accountId: 'modest' }))
    jobs.start([{ 'test.fair': handler(run) }])
    for (const job of late) await ended(jobs, job.id, 'modest')
    expect(order.lastIndexOf('modest')).toBeLessThan(9)
    for (const job of many) await ended(jobs, job.id, 'greedy')
  })

  test('tell how many places a process has for them, and how many are taken', async () => {
    const definitions = mergeMetrics([...commonMetrics, jobMetrics])
    const metrics = await createMetrics({ token: 'for metrics', prefix: '', definitions })
    const { jobs } = await begin(open, { metrics, concurrency: 7 })
    const places = async () => (await metrics.text()).body.split('\n').filter((line) => /^job_places/.test(line))
    expect(await places()).toEqual(['job_places 7', 'job_places_taken 0'])
    const long = waiting()
    jobs.start([{ 'test.long': long.handler }])
    for (const accountId of ['ada', 'bob']) await jobs.enqueue('test.long', {}, { accountId })
    await long.begun
    await expect.poll(places).toEqual(['job_places 7', 'job_places_taken 2'])
  })

  test('of a kind that runs few at once leave room for others', async () => {
    const { jobs } = await begin(open)
    let running = 0
    let most = 0
    const gate = Promise.withResolvers<void>()
    const slow = handler(
      async () => {
        most = Math.max(most, ++running)
        await gate.promise
        running -= 1
      },
      { atOnce: 2 },
    )
    const many = []
    for (let n = 0; n < 6; n++) many.push(await jobs.enqueue('test.slow', {}, { accountId: `a${n}` }))
    jobs.start([{ 'test.slow': slow, 'test.quick': handler(async () => undefined) }])
    const other = await jobs.enqueue('test.quick', {}, { accountId: 'bob' })
    expect((await ended(jobs, other.id, 'bob')).state).toBe('succeeded')
    gate.resolve()
    for (const [n, job] of many.entries()) expect((await ended(jobs, job.id, `a${n}`)).state).toBe('succeeded')
    expect(most).toBe(2)
  })

  test('are each run once by many workers in two processes', async () => {
    const { jobs, database } = await begin(open)
    const other = await processOn(database)
    const runs = new Map<string, number>()
    const run = async (_: unknown, { jobId }: JobContext): Promise<void> => {
      runs.set(jobId, (runs.get(jobId) ?? 0) + 1)
      await sleep(Math.random() * 4)
    }
    jobs.start([{ 'test.once': handler(run) }])
    other.jobs.start([{ 'test.once': handler(run) }])
    const made = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        (n % 2 ? jobs : other.jobs).enqueue('test.once', {}, { accountId: `a${n % 3}` }),
      ),
    )
    await Promise.all(made.map((job, n) => ended(jobs, job.id, `a${n % 3}`)))
    expect([...runs.values()]).toEqual(Array.from({ length: 40 }, () => 1))
  })

  test('of an account that is not active any more end without having run, those of the instance run on', async () => {
    const active = new Set(['ada', 'bob'])
    const { jobs } = await begin(open, { mayRun: async (accountId) => active.has(accountId) })
    const ran: (string | null)[] = []
    const note = handler(async (_, { accountId }) => void ran.push(accountId))
    const made = await Promise.all(
      ['ada', 'bob', 'bob'].map((accountId) => jobs.enqueue('test.note', {}, { accountId })),
    )
    await jobs.enqueue('test.note', {}, { accountId: null })
    active.delete('bob')
    jobs.start([{ 'test.note': note }])
    expect(await ended(jobs, made[0]?.id ?? '')).toMatchObject({ state: 'succeeded' })
    for (const { id } of made.slice(1))
      expect(await ended(jobs, id, 'bob')).toMatchObject({
        state: 'failed',
        attempts: 1,
        failure: { code: 'account_inactive' },
      })
    await expect.poll(() => ran.map(String).toSorted()).toEqual(['ada', 'null'])
  })

  test('that run for an account are aborted once it is not active, those of others run on', async () => {
    const active = new Set(['ada', 'bob'])
    const { jobs } = await begin(open, { mayRun: async (accountId) => active.has(accountId) })
    const signals = new Map<string | null, AbortSignal>()
    const run = async (_: unknown, { accountId, signal }: JobContext): Promise<void> => {
      signals.set(accountId, signal)
      await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
    }
    jobs.start([{ 'test.wait': handler(run) }])
    await jobs.enqueue('test.wait', {}, { accountId: 'ada' })
    await jobs.enqueue('test.wait', {}, { accountId: null })
    const { id } = await jobs.enqueue('test.wait', {}, { accountId: 'bob' })
    await until(() => signals.size === 3)
    jobs.review('bob')
    await sleep(50)
    expect(signals.get('bob')?.aborted).toBe(false)
    active.delete('bob')
    jobs.review('bob')
    expect(await ended(jobs, id, 'bob')).toMatchObject({
      state: 'failed',
      attempts: 1,
      failure: { code: 'account_inactive' },
    })
    expect([signals.get('ada')?.aborted, signals.get(null)?.aborted]).toEqual([false, false])
    active.delete('ada')
    jobs.review(null)
    await until(() => signals.get('ada')?.aborted === true)
    expect(signals.get(null)?.aborted).toBe(false)
  })

  test('that wait are cancelled at once', async () => {
    const { jobs } = await begin(open)
    const { id } = await jobs.enqueue('test.idle', {}, { accountId: 'ada' })
    expect(await jobs.cancel('ada', id)).toMatchObject({ state: 'cancelled', cancelRequested: true })
    expect(await ended(jobs, id)).toMatchObject({ state: 'cancelled', attempts: 0 })
    expect(await jobs.cancel('ada', id)).toMatchObject({ state: 'cancelled' })
  })

  test('that run are aborted by a cancel, in another process too', async () => {
    const { jobs, database } = await begin(open)
    const other = await processOn(database, { tuning: { ...quick, leaseMs: 60_000 } })
    const { begun, handler } = waiting()
    other.jobs.start([{ 'test.wait': handler }])
    const { id } = await jobs.enqueue('test.wait', {}, { accountId: 'ada' })
    await begun
    expect(await jobs.cancel('ada', id)).toMatchObject({ state: 'running', cancelRequested: true })
    expect(await ended(jobs, id)).toMatchObject({ state: 'cancelled', attempts: 1 })
  })

  test('are not tried again when a cancel came while they failed', async () => {
    const { jobs, database } = await begin(open)
    const run = async (_: unknown, { jobId }: JobContext): Promise<void> => {
      const request = database.tables<JobTables>().updateTable('jobs').set({ cancel_requested: 1 })
      await request.where('id', '=', jobId).execute()
      throw new Error('failed meanwhile')
    }
    jobs.start([{ 'test.late': handler(run) }])
    const { id } = await jobs.enqueue('test.late', {}, { accountId: 'ada' })
    expect(await ended(jobs, id)).toMatchObject({ state: 'cancelled', attempts: 1 })
  })

  test('that run elsewhere are aborted even when the word about it gets lost', async () => {
    const { jobs, database } = await begin(open)
    const deaf: Database = { ...database, listen: () => () => undefined }
    const other = await processOn(deaf, { tuning: { ...quick, leaseMs: 150 } })
    const { begun, handler } = waiting()
    other.jobs.start([{ 'test.wait': handler }])
    const { id } = await jobs.enqueue('test.wait', {}, { accountId: 'ada' })
    await begun
    await jobs.cancel('ada', id)
    expect(await ended(jobs, id)).toMatchObject({ state: 'cancelled' })
  })

  test('end exactly once, whatever a cancel and their completion do at the same time', async () => {
    const { jobs } = await begin(open, { concurrency: 8 })
    const run = () => sleep(Math.random() * 12)
    jobs.start([{ 'test.race': handler(run) }])
    const race = async (): Promise<string> => {
      const { id } = await jobs.enqueue('test.race', {}, { accountId: 'ada' })
      await sleep(Math.random() * 25)
      const answer = await jobs.cancel('ada', id)
      const last = await ended(jobs, id)
      if (answer?.finishedAt) expect(answer).toEqual(last)
      return last.state
    }
    const states = await Promise.all(Array.from({ length: 24 }, race))
    expect(states.filter((state) => state !== 'cancelled' && state !== 'succeeded')).toEqual([])
  })

  test('cannot be finished by a worker that lost its lease', async () => {
    const { database } = await begin(open)
    const losing = await processOn(database, { tuning: { ...quick, leaseMs: 60_000 } })
    const release = Promise.withResolvers<void>()
    const began = Promise.withResolvers<JobContext>()
    const stuck = async (_: unknown, context: JobContext): Promise<void> => {
      began.resolve(context)
      await release.promise
      context.progress(99, 100, 'from the dead')
    }
    losing.jobs.start([{ 'test.fenced': handler(stuck) }])
    const { id } = await losing.jobs.enqueue('test.fenced', {}, { accountId: 'ada' })
    const context = await began.promise
    await database.tables<JobTables>().updateTable('jobs').set({ lease_until: 0 }).where('id', '=', id).execute()
    const taking = await processOn(database)
    const second = waiting()
    taking.jobs.start([{ 'test.fenced': second.handler }])
    expect((await second.begun).attempt).toBe(2)
    await expect(database.write((trx) => context.guard(trx))).rejects.toThrow(/another worker/)
    await database.write(async (trx) => (await second.begun).guard(trx))
    release.resolve()
    await sleep(50)
    expect(await taking.jobs.read('ada', id)).toMatchObject({ state: 'running', progress: null, attempts: 2 })
    await taking.jobs.cancel('ada', id)
    expect((await ended(taking.jobs, id)).state).toBe('cancelled')
  })

  test('are told when their lease is lost', async () => {
    const { jobs, database } = await begin(open, { tuning: { ...quick, leaseMs: 90 } })
    const { begun, handler } = waiting()
    jobs.start([{ 'test.told': handler }])
    const { id } = await jobs.enqueue('test.told', {}, { accountId: 'ada' })
    const { signal } = await begun
    await database.tables<JobTables>().updateTable('jobs').set({ fence: 50 }).where('id', '=', id).execute()
    await until(() => signal.aborted)
  })

  test('keep their lease as long as they run', async () => {
    const { jobs, database } = await begin(open, { tuning: { ...quick, leaseMs: 120 } })
    const other = await processOn(database, { tuning: { ...quick, leaseMs: 120 } })
    let runs = 0
    const slow = { 'test.slow': handler(async () => ((runs += 1), await sleep(600))) }
    jobs.start([slow])
    other.jobs.start([slow])
    const { id } = await jobs.enqueue('test.slow', {}, { accountId: 'ada' })
    expect(await ended(jobs, id)).toMatchObject({ state: 'succeeded', attempts: 1 })
    expect(runs).toBe(1)
  })

  test('pass to another process at once when theirs stops, and that try does not count', async () => {
    const { jobs, database } = await begin(open, { tuning: { ...quick, leaseMs: 60_000 } })
    const first = waiting()
    jobs.start([{ 'test.handed': first.handler }])
    const { id } = await jobs.enqueue('test.handed', {}, { accountId: 'ada' })
    await first.begun
    const other = await processOn(database, { tuning: { ...quick, leaseMs: 60_000, pollMs: 60_000 } })
    other.jobs.start([{ 'test.handed': handler(async () => undefined) }])
    await jobs.stop()
    expect(await ended(other.jobs, id)).toMatchObject({ state: 'succeeded', attempts: 1 })
  })

  test('that recur run once per time in all processes, and again after a failure', async () => {
    const { jobs, database } = await begin(open)
    const other = await processOn(database)
    const times: number[] = []
    const run = async (): Promise<void> => {
      times.push(realClock.now())
      if (times.length === 2) throw new JobFailure('provider_failed', 'This once.')
    }
    for (const one of [jobs, other.jobs]) await one.every('test.tick', {}, 60)
    for (const one of [jobs, other.jobs]) one.start([{ 'test.tick': handler(run) }])
    await until(() => times.length >= 5)
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(60)
    const rows = await database.tables<JobTables>().selectFrom('jobs').selectAll().execute()
    expect(rows.map((row) => row.id)).toEqual(['every:test.tick'])
  })

  test('hold no content in plain on disk', async () => {
    const { jobs, database } = await begin(open)
    const run = async (_: unknown, { progress }: JobContext): Promise<void> => progress(1, 1, 'planted-progress')
    jobs.start([{ 'test.sealed': handler(run) }])
    const options = { accountId: 'ada', subject: 'planted-subject', key: 'planted-key' }
    const { id } = await jobs.enqueue('test.sealed', { words: 'planted-payload' }, options)
    expect(await ended(jobs, id)).toMatchObject({
      subject: 'planted-subject',
      progress: { message: 'planted-progress' },
    })
    const [row] = await database.tables<JobTables>().selectFrom('jobs').selectAll().execute()
    const text = Object.values(row ?? {}).map((value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value),
    )
    expect(text.join('\n')).not.toContain('planted')
  })

  test('are dropped with their events some time after they ended, and with their account', async () => {
    const { jobs, events } = await begin(open)
    const old = await jobs.enqueue('test.idle', {}, { accountId: 'ada' })
    await jobs.cancel('ada', old.id)
    const waitingJob = await jobs.enqueue('test.idle', {}, { accountId: 'ada' })
    await events.remove([`job:${old.id}`])
    expect((await ended(jobs, old.id)).state).toBe('cancelled')
    await sleep(2)
    await jobs.prune(realClock.now())
    expect((await jobs.list('ada', { limit: 9 })).items.map((job) => job.id)).toEqual([waitingJob.id])
    await jobs.removeAccount('ada')
    expect((await jobs.list('ada', { limit: 9 })).items).toEqual([])
  })

  test('tidy up: old events, ended jobs and half-written files go, newer ones stay', async () => {
    let now = realClock.now()
    const database = await open([...migrations, ...fileMigrations])
    const { jobs, events } = await processOn(database)
    const done: string[] = []
    const file = {
      account_id: 'ada',
      size: 1,
      chunks: 1,
      complete: 0,
      created_at: now,
      counted: 1,
      streamed: 0,
      held: 0,
    }
    await database
      .tables<FileTables>()
      .insertInto('files')
      .values({ ...file, id: 'half' })
      .execute()
    const { id } = await jobs.enqueue('test.idle', {}, { accountId: 'ada' })
    await jobs.cancel('ada', id)
    const vault = await openVault({ database, instanceKey, clock: realClock })
    const files = createFiles({ database, vault, clock: realClock })
    const sweep = async (before: number): Promise<void> => (await files.sweep(before), void done.push('swept'))
    const harness = createHousekeeping({ jobs, events, files: { sweep }, clock: { ...realClock, now: () => now } })
    jobs.start([harness.handlers])
    /** Waits with it until the run before has been written down, and the job is queued again. */
    const makeDue = async (): Promise<boolean> => {
      const due = database.tables<JobTables>().updateTable('jobs').set({ due_at: 0 }).where('state', '=', 'queued')
      return (await due.executeTakeFirst()).numUpdatedRows > 0n
    }
    const tidy = async (): Promise<void> => {
      const before = done.length
      await until(makeDue)
      await harness.begin()
      await until(() => done.length > before)
    }
    await harness.begin()
    await until(() => done.length > 0)
    expect(await events.lastSeq(`job:${id}`)).toBe(1)
    now += 2 * 86_400_000
    await tidy()
    expect(await events.lastSeq(`job:${id}`)).toBe(0)
    expect(await database.tables<FileTables>().selectFrom('files').select('id').execute()).toEqual([])
    expect(await jobs.read('ada', id)).not.toBe(null)
    now += 30 * 86_400_000
    await tidy()
    expect(await jobs.read('ada', id)).toBe(null)
  })

  test('go on in another process after theirs was killed', async () => {
    const place = await open.place()
    const { options, folder } = place
    const own = { ...options, log: silent }
    let database = await openDatabase(own)
    await migrate(database, migrations, { version: '0', snapshotFolder: `${folder}/snapshots`, now: () => 0 })
    if (dialect === 'sqlite') await database.close()
    const child = startChild(childSource({ ...options, key: options.key?.toString('hex'), log: undefined }))
    const id = await child.line()
    expect(await child.line()).toBe('begun')
    await child.kill()
    if (dialect === 'sqlite') database = await openDatabase(own)
    const { jobs } = await processOn(database)
    jobs.start([{ 'test.killed': handler(async () => undefined) }])
    expect(await ended(jobs, id ?? '')).toMatchObject({ state: 'succeeded', attempts: 2 })
    for (const stop of stops.splice(0).reverse()) await stop()
    await database.close()
  })

  test('a job whose subject and progress cannot be read stands in the list without them, beside the others', async () => {
    const { jobs, database } = await begin(open)
    const ids = []
    for (const subject of ['one', 'two']) ids.push((await jobs.enqueue('rest', null, { accountId: 'ada', subject })).id)
    const broken = { subject: Buffer.from('no seal'), progress: Buffer.from('no seal') }
    await database
      .tables<JobTables>()
      .updateTable('jobs')
      .set(broken)
      .where('id', '=', ids[0] ?? '')
      .execute()
    const { items } = await jobs.list('ada', { limit: 10 })
    expect(Object.fromEntries(items.map(({ id, subject, progress }) => [id, [subject, progress]]))).toEqual({
      [ids[0] ?? '']: ['\u{FFFD}', null],
      [ids[1] ?? '']: ['two', null],
    })
    expect((await jobs.cancel('ada', ids[0] ?? ''))?.state).toBe('cancelled')
  })
})

const silent = { warn: () => undefined, error: () => undefined }
const url = (path: string): string => new URL(path, import.meta.url).href

/** A process that claims a job and never ends it. */
const childSource = (options: object): string => `
  import { openDatabase } from '${url('../db/index.ts')}'
  import { openVault } from '${url('../vault/vault.ts')}'
  import { createEventLog } from '${url('../events/event-log.ts')}'
  import { createLog } from '${url('../log/log.ts')}'
  import { systemClock as clock } from '${url('../system-clock.ts')}'
  import { createJobs } from '${url('./jobs.ts')}'
  import { defineJob } from '${url('./types.ts')}'
  import { z } from 'zod'
  const given = ${JSON.stringify(options)}
  const log = createLog({ level: 'silent' })
  const database = await openDatabase({ ...given, key: given.key && Buffer.from(given.key, 'hex'), log })
  const vault = await openVault({ database, instanceKey: Buffer.alloc(32, 7), clock })
  const processId = clock.id()
  const events = createEventLog({ database, vault, clock, log, processId })
  const jobs = createJobs({ database, vault, clock, events, log, processId, concurrency: 1 })
  const run = async () => { console.log('begun'); await new Promise(() => setInterval(() => {}, 1000)) }
  const { id } = await jobs.enqueue('test.killed', {}, { accountId: 'ada' })
  console.log(id)
  jobs.start([{ 'test.killed': defineJob({ payload: z.unknown(), attempts: 3, timeoutMs: 60000, run }) }])
`
