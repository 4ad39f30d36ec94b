import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { realClock } from '../../testing/clock.ts'
import { type Open, onBothDatabases } from '../../testing/databases.ts'
import { migrate, openDatabase } from '../db/index.ts'
import type { AnyTransaction, Database } from '../db/types.ts'
import { createEventLog } from '../events/event-log.ts'
import { eventMigrations } from '../events/tables.ts'
import { createLog } from '../log/log.ts'
import { vaultMigrations } from '../vault/tables.ts'
import { openVault } from '../vault/vault.ts'
import { askAgain, runAgain } from './again-store.ts'
import { repairHeads } from './heads-store.ts'
import { createJobs, type JobParts } from './jobs.ts'
import { createQueue, waitingQuery } from './queue.ts'
import { createJobStore } from './store.ts'
import { type JobRow, type JobTables, jobMigrations } from './tables.ts'
import { type JobContext, type JobDefinition, JobFailure, type JobHandler, type Jobs, defineJob } from './types.ts'

const migrations = [...vaultMigrations, ...eventMigrations, ...jobMigrations]
const quick = { leaseMs: 3000, pollMs: 200, graceMs: 200, backoffMs: 5 }

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

const processOn = async (database: Database, options: Partial<JobParts> = {}): Promise<Jobs> => {
  const vault = await openVault({ database, instanceKey: Buffer.alloc(32, 7), clock: realClock })
  const log = createLog({ level: 'silent' })
  const processId = realClock.id()
  const events = createEventLog({ database, vault, clock: realClock, log, processId })
  const jobs = createJobs({
    database,
    vault,
    clock: realClock,
    events,
    log,
    processId,
    concurrency: 4,
    tuning: quick,
    ...options,
  })
  stops.push(async () => {
    await jobs.stop()
    await events.stop()
  })
  return jobs
}
const begin = async (open: Open, count = 1) => {
  const database = await open(migrations)
  const all: Jobs[] = []
  for (let n = 0; n < count; n++) all.push(await processOn(database))
  return { database, jobs: all[0] as Jobs, other: (all[1] ?? all[0]) as Jobs }
}
const handler = (run: JobDefinition<unknown>['run'], more: Partial<JobDefinition<unknown>> = {}): JobHandler =>
  defineJob({ payload: z.unknown(), attempts: 3, timeoutMs: 10_000, run, ...more })
const nothing = handler(async () => undefined)
const stateOf = async (jobs: Jobs, id: string) => (await jobs.read('ada', id))?.state
const rowsOf = (database: Database) => database.tables<JobTables>()

/** A job that waits, as an older version would have left it. */
const waitingRow = (share: string, kind: string, dueAt: number): JobRow => ({
  id: realClock.id(),
  account_id: share === '' ? null : share,
  share,
  kind,
  state: 'queued',
  payload: Buffer.from('x'),
  subject: null,
  progress: null,
  dedupe: null,
  dedupe_ends: 0,
  former_dedupe: null,
  interval_ms: null,
  due_at: dueAt,
  attempts: 0,
  max_attempts: 1,
  owner: null,
  lease_until: null,
  fence: 0,
  cancel_requested: 0,
  again: 0,
  failure_code: null,
  failure_detail: null,
  created_at: dueAt,
  started_at: null,
  finished_at: null,
})
const fill = async (database: Database, rows: readonly JobRow[]) => {
  for (let at = 0; at < rows.length; at += 500)
    await rowsOf(database)
      .insertInto('jobs')
      .values(rows.slice(at, at + 500))
      .execute()
  await repairHeads(database)
}
/** What the heads must be. */
const trueHeads = async (database: Database) =>
  await rowsOf(database)
    .selectFrom('jobs')
    .select((eb) => ['share', 'kind', eb.fn.min('due_at').as('due_at')])
    .where('state', '=', 'queued')
    .groupBy(['share', 'kind'])
    .orderBy('share')
    .orderBy('kind')
    .execute()
const heads = async (database: Database) =>
  await rowsOf(database).selectFrom('job_heads').selectAll().orderBy('share').orderBy('kind').execute()

interface PlanNode {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanNode[]
}
const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

onBothDatabases('the queue of jobs', (open, dialect) => {
  test('is looked at in as few rows when thousands of accounts wait as when four do', async () => {
    const { database } = await begin(open)
    const rows = Array.from({ length: 3000 }, (_, n) => waitingRow(`a${n % 2500}`, n % 3 ? 'test.a' : 'test.b', n + 1))
    await fill(database, rows)
    const queue = createQueue(database)
    const kinds = ['test.a', 'test.b', 'test.c']
    const found = await queue.waiting(kinds, new Map(), 10_000, 4)
    expect(found.map(({ dueAt }) => dueAt).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 10])
    const query = waitingQuery(kinds, ['a1', 'a2'], 10_000, 4)
    if (dialect === 'sqlite') {
      const plan = await sql<{ detail: string }>`explain query plan ${query}`.execute(rowsOf(database))
      const steps = plan.rows.map(({ detail }) => detail)
      expect(steps.filter((step) => /^SCAN (job_heads|jobs)\b/.test(step))).toEqual([])
      return
    }
    await sql`analyze jobs, job_heads`.execute(rowsOf(database))
    const answer = await sql<Record<string, [{ Plan: PlanNode }]>>`
      explain (analyze, format json) ${query}`.execute(rowsOf(database))
    const [[root]] = Object.values(answer.rows[0] ?? {}) as [[{ Plan: PlanNode }]]
    const looked = nodesOf(root.Plan)
      .filter((node) => node['Relation Name'] !== undefined)
      .map((node) => ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 1))
    expect(looked.reduce((sum, each) => sum + each, 0)).toBeLessThan(100)
  })

  test('takes the accounts with nothing running before the others, however old what these have', async () => {
    const { database } = await begin(open)
    const greedy = Array.from({ length: 300 }, (_, n) => waitingRow('greedy', 'test.a', n + 1))
    const running = { ...waitingRow('greedy', 'test.a', 1), state: 'running' as const, owner: 'p' }
    await fill(database, [...greedy, running, waitingRow('modest', 'test.a', 900), waitingRow('late', 'test.a', 9999)])
    const queue = createQueue(database)
    const { busy } = await queue.state()
    const found = await queue.waiting(['test.a'], busy, 1000, 4)
    expect(found.map(({ share, running: count, dueAt }) => [share, count, dueAt])).toEqual([
      ['modest', 0, 900],
      ['greedy', 1, 1],
    ])
  })

  test('has its heads right after any number of jobs came, ran and were cancelled in two processes', async () => {
    const { database, jobs, other } = await begin(open, 2)
    for (const one of [jobs, other])
      one.start([{ 'test.a': handler(() => sleep(Math.random() * 3)), 'test.b': nothing }])
    const made = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        const by = n % 2 ? jobs : other
        const options = { accountId: `a${n % 4}`, delayMs: n % 3 ? 0 : 60_000 }
        const { id } = await by.enqueue(n % 5 ? 'test.a' : 'test.b', {}, options)
        if (n % 6 === 0) await by.cancel(options.accountId, id)
      }),
    )
    expect(made).toHaveLength(60)
    await expect
      .poll(async () => {
        const open = await rowsOf(database)
          .selectFrom('jobs')
          .select('id')
          .where('due_at', '<=', realClock.now())
          .where('finished_at', 'is', null)
          .execute()
        return open.length
      })
      .toBe(0)
    expect(await heads(database)).toEqual(await trueHeads(database))
    expect((await heads(database)).length).toBeGreaterThan(0)
    await jobs.removeAccount('a0')
    expect(await heads(database)).toEqual(await trueHeads(database))
  })

  test('keeps no job waiting that comes while the one before it of its kind is taken', async () => {
    const { database } = await begin(open)
    await fill(database, [waitingRow('', 'test.a', 1)])
    const store = createJobStore(database)
    const later = waitingRow('', 'test.a', 2)
    const begun = Promise.withResolvers<void>()
    const added = begun.promise.then(() => database.write((trx) => store.insert(trx, later)))
    const taken = await database.write(async (trx) => {
      await store.mayBegin(trx, 'test.a', undefined)
      begun.resolve()
      // On SQLite, writes wait for each other.
      if (dialect === 'postgres') await added
      const by = { owner: 'p', now: 10, leaseUntil: 20, maxAttempts: 1 }
      return await store.claimNext(trx, { share: '', kind: 'test.a' }, by)
    })
    await added
    expect(taken?.due_at).toBe(1)
    expect(await heads(database)).toEqual([{ share: '', kind: 'test.a', due_at: 2 }])
  })

  test('runs a job once more that is asked for while it runs, however often, and not after it was cancelled', async () => {
    const { jobs, other } = await begin(open, dialect === 'postgres' ? 2 : 1)
    const runs: string[] = []
    const running = new Map<string, PromiseWithResolvers<void>>()
    const handlers = {
      'test.a': handler(async (payload, { signal }) => {
        const gate = Promise.withResolvers<void>()
        signal.addEventListener('abort', () => gate.resolve())
        running.set(String(payload), gate)
        runs.push(String(payload))
        await gate.promise
        if (payload === 'fails') throw new JobFailure('internal', 'It failed.')
      }),
    }
    jobs.start([handlers])
    const ask = (by: Jobs, key: string) =>
      by.enqueue('test.a', key, { accountId: 'ada', key, keyUntil: 'ended', again: true })
    const count = (key: string) => runs.filter((one) => one === key).length
    const end = (key: string) => running.get(key)?.resolve()
    for (const key of ['works', 'fails', 'stops']) {
      const { id } = await ask(jobs, key)
      // Whoever waits already sees all there is.
      await ask(other, key)
      await expect.poll(() => count(key)).toBe(1)
      for (const by of [jobs, other, other]) expect((await ask(by, key)).id).toBe(id)
      if (key === 'stops') {
        await jobs.cancel('ada', id)
        await expect.poll(() => stateOf(jobs, id)).toBe('cancelled')
        expect(count(key)).toBe(1)
        continue
      }
      end(key)
      await expect.poll(() => count(key)).toBe(2)
      end(key)
      await expect.poll(() => stateOf(jobs, id)).toBe(key === 'works' ? 'succeeded' : 'failed')
      expect(count(key)).toBe(2)
    }
  })

  test('leaves no job out that is asked for while its end is written', async () => {
    const { database } = await begin(open)
    const store = createJobStore(database)
    const row = Object.assign(waitingRow('', 'test.a', 1), { state: 'running' as const })
    await fill(database, [row])
    const begun = Promise.withResolvers<void>()
    const asked = begun.promise.then(() => database.write((trx: AnyTransaction) => askAgain(trx, row.id)))
    const ended = await database.write(async (trx: AnyTransaction) => {
      const again = await runAgain(trx, row, 5)
      begun.resolve()
      // On SQLite, writes wait for each other.
      if (dialect === 'postgres') await asked
      return again ?? (await store.finish(trx, row, { state: 'succeeded', failure: null, now: 5, progress: null }))
    })
    // One of both knows of the other: it is queued again, or whoever asked is told that it ended.
    expect([ended?.state, (await asked) === undefined]).toEqual(
      dialect === 'postgres' ? ['queued', false] : ['succeeded', true],
    )
  })

  test('finds jobs of a process that tells of no heads, and heads without a job keep nobody waiting', async () => {
    const { database, jobs } = await begin(open)
    await rowsOf(database)
      .insertInto('jobs')
      .values(waitingRow('', 'test.old', 1))
      .execute()
    await rowsOf(database).insertInto('job_heads').values({ share: 'gone', kind: 'test.a', due_at: 1 }).execute()
    jobs.start([{ 'test.a': nothing, 'test.old': nothing }])
    const { id } = await jobs.enqueue('test.a', {}, { accountId: 'ada' })
    await expect.poll(() => stateOf(jobs, id)).toBe('succeeded')
    await expect.poll(() => heads(database)).toEqual([])
  })

  test('brings jobs along whose kind has another name in this version', async () => {
    const { folder, options } = await open.place()
    const database = await openDatabase(options)
    stops.push(() => database.close())
    const upgrade = { version: '1', snapshotFolder: folder, now: Date.now }
    await migrate(database, [...vaultMigrations, ...eventMigrations, ...jobMigrations.slice(0, 3)], upgrade)
    const { again: _, ...before } = waitingRow('', 'tools.go-on', 1)
    await database.tables<{ jobs: typeof before }>().insertInto('jobs').values(before).execute()
    await rowsOf(database).insertInto('job_heads').values({ share: '', kind: 'tools.go-on', due_at: 1 }).execute()
    await migrate(database, migrations, upgrade)
    expect(await rowsOf(database).selectFrom('jobs').select('kind').execute()).toEqual([{ kind: 'tools.resume' }])
    expect(await heads(database)).toEqual(await trueHeads(database))
  })
})

onBothDatabases('kinds of jobs', (open) => {
  test('that are paused are begun in no process, after a restart neither; what runs may finish, others run', async () => {
    const { database, jobs, other } = await begin(open, 2)
    const gate = Promise.withResolvers<void>()
    const begun: string[] = []
    const slow = handler(async (_, { jobId }: JobContext) => {
      begun.push(jobId)
      await gate.promise
    })
    const kinds = { 'test.slow': slow, 'test.quick': nothing }
    jobs.start([kinds])
    const first = await jobs.enqueue('test.slow', {}, { accountId: 'ada' })
    await expect.poll(() => begun.length).toBe(1)
    expect([await other.administration.pause('test.slow'), await jobs.administration.pause('test.slow')]).toEqual([
      true,
      false,
    ])
    const later = await jobs.enqueue('test.slow', {}, { accountId: 'bob' })
    other.start([kinds])
    const restarted = await processOn(database)
    restarted.start([kinds])
    const quickly = await jobs.enqueue('test.quick', {}, { accountId: 'ada' })
    await expect.poll(() => stateOf(jobs, quickly.id)).toBe('succeeded')
    gate.resolve()
    await expect.poll(() => stateOf(jobs, first.id)).toBe('succeeded')
    await sleep(600)
    expect(begun).toEqual([first.id])
    expect(await jobs.administration.count()).toEqual([
      expect.objectContaining({ kind: 'test.slow', queued: 1, running: 0, pausedAt: expect.any(Number) }),
    ])
    expect([await jobs.administration.resume('test.slow'), await other.administration.resume('test.slow')]).toEqual([
      true,
      false,
    ])
    await expect.poll(async () => (await jobs.read('bob', later.id))?.state).toBe('succeeded')
  })

  test('are paused once for two who do so at the same time, and nothing begins that came after', async () => {
    const { jobs, other } = await begin(open, 2)
    let begun = 0
    for (const one of [jobs, other]) one.start([{ 'test.a': handler(async () => void (begun += 1)) }])
    for (let round = 0; round < 5; round++) {
      await Promise.all(
        Array.from({ length: 8 }, (_, n) => (n % 2 ? jobs : other).enqueue('test.a', {}, { accountId: `a${n}` })),
      )
      const changes = await Promise.all([jobs, other].map((one) => one.administration.pause('test.a')))
      expect(changes.filter(Boolean)).toHaveLength(1)
      const after = await jobs.enqueue('test.a', {}, { accountId: 'ada' })
      await sleep(60)
      expect(await stateOf(jobs, after.id)).toBe('queued')
      await other.administration.resume('test.a')
      await expect.poll(() => stateOf(jobs, after.id)).toBe('succeeded')
    }
    await expect.poll(() => begun).toBe(45)
  })

  test('with a bound over all processes never run more at once, and all of them run in the end', async () => {
    const { jobs, other } = await begin(open, 2)
    let running = 0
    let most = 0
    const bounded = handler(
      async () => {
        most = Math.max(most, ++running)
        // On a busy machine the second one takes its time to begin.
        for (let waits = 0; waits < 3 || (most < 2 && waits < 100); waits += 1) await sleep(5)
        running -= 1
      },
      { atOnceInAll: 2 },
    )
    for (const one of [jobs, other]) one.start([{ 'test.bounded': bounded }])
    const made = await Promise.all(
      Array.from({ length: 16 }, (_, n) => (n % 2 ? jobs : other).enqueue('test.bounded', {}, { accountId: `a${n}` })),
    )
    for (const [n, { id }] of made.entries())
      await expect.poll(async () => (await jobs.read(`a${n}`, id))?.state).toBe('succeeded')
    expect(most).toBe(2)
  })

  test('of a high priority are begun first, those of a low one last', async () => {
    const one = await processOn(await open(migrations), { concurrency: 1 })
    const order: string[] = []
    const note = (word: string) => async () => void order.push(word)
    for (const kind of ['test.low', 'test.normal', 'test.high']) await one.enqueue(kind, {}, { accountId: kind })
    one.start([
      {
        'test.low': handler(note('low'), { priority: 'low' }),
        'test.normal': handler(note('normal')),
        'test.high': handler(note('high'), { priority: 'high' }),
      },
    ])
    await expect.poll(() => order).toEqual(['high', 'normal', 'low'])
  })
})

onBothDatabases('tries of jobs', (open) => {
  const triesOf = async (jobs: Jobs, id: string) =>
    (await jobs.administration.attempts(id)).attempts.map(({ number, outcome, code }) => [number, outcome, code])

  test('are kept with their process, times, outcome and code, newest first', async () => {
    const { jobs } = await begin(open)
    let mended = false
    jobs.start([
      {
        'test.flaky': handler(async (_, { attempt }) => {
          if (mended) return
          if (attempt === 2) throw new JobFailure('provider_failed', 'secret words')
          throw new Error('secret words')
        }),
      },
    ])
    const { id } = await jobs.enqueue('test.flaky', { words: 'secret words' }, { accountId: 'ada' })
    await expect.poll(() => stateOf(jobs, id)).toBe('failed')
    expect(await triesOf(jobs, id)).toEqual([
      [2, 'failed', 'provider_failed'],
      [1, 'retried', 'internal'],
    ])
    mended = true
    expect(await jobs.retry('bob', id)).toBe(null)
    expect(await jobs.retry('ada', id)).toMatchObject({ state: 'queued' })
    await expect.poll(() => stateOf(jobs, id)).toBe('succeeded')
    await expect(jobs.retry('ada', id)).rejects.toMatchObject({ code: 'job_not_failed' })
    const { job, attempts } = await jobs.administration.attempts(id)
    expect(await triesOf(jobs, id)).toEqual([
      [1, 'succeeded', null],
      [2, 'failed', 'provider_failed'],
      [1, 'retried', 'internal'],
    ])
    expect(JSON.stringify([job, attempts])).not.toContain('secret')
    for (const { startedAt, finishedAt, process } of attempts) {
      expect(Date.parse(finishedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(startedAt))
      expect(process.id).not.toBe('')
    }
    const rates = await jobs.administration.rates(0)
    expect(rates.map(({ outcome, count }) => `${outcome} ${count}`).toSorted()).toEqual([
      'failed 1',
      'retried 1',
      'succeeded 1',
    ])
    await expect(jobs.administration.attempts('none')).rejects.toMatchObject({ code: 'job_not_found' })
  })

  test('say that a process handed them on, or was lost, or that they were cancelled', async () => {
    const { database, jobs, other } = await begin(open, 2)
    const endless = handler(
      (_, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    )
    jobs.start([{ 'test.endless': endless }])
    const { id } = await jobs.enqueue('test.endless', {}, { accountId: 'ada' })
    await expect.poll(() => stateOf(jobs, id)).toBe('running')
    expect(await jobs.administration.running()).toEqual([
      { id, kind: 'test.endless', process: expect.any(String), startedAt: expect.any(Number) },
    ])
    other.start([{ 'test.endless': endless }])
    await jobs.stop()
    await expect
      .poll(() => triesOf(other, id))
      .toEqual([
        [1, 'running', null],
        [1, 'released', null],
      ])
    // As a process that was gone leaves it.
    await rowsOf(database).updateTable('jobs').set({ owner: 'gone', lease_until: 0 }).where('id', '=', id).execute()
    await expect
      .poll(() => triesOf(other, id))
      .toEqual([
        [2, 'running', null],
        [1, 'lost', 'worker_lost'],
        [1, 'released', null],
      ])
    await other.cancel('ada', id)
    await expect.poll(async () => (await triesOf(other, id))[0]).toEqual([2, 'cancelled', null])
  })

  test('that failed for good stay until they are retried or dismissed, once for two who do both', async () => {
    const { jobs, other, database } = await begin(open, 2)
    jobs.start([{ 'test.broken': handler(() => Promise.reject(new JobFailure('timeout', 'Too long.'))) }])
    const made = await Promise.all([1, 2, 3].map(() => jobs.enqueue('test.broken', {}, { accountId: 'ada' })))
    for (const { id } of made) await expect.poll(() => stateOf(jobs, id)).toBe('failed')
    await jobs.prune(realClock.now() + 60_000)
    expect((await jobs.list('ada', { limit: 9 })).items).toHaveLength(3)
    await jobs.stop()
    const [first, second, third] = made.map(({ id }) => id) as [string, string, string]
    const ends = await Promise.allSettled([
      other.administration.dismiss(first),
      other.administration.retry(first),
      jobs.administration.dismiss(first),
    ])
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await other.administration.dismiss(second)
    expect(await other.read('ada', second)).toBe(null)
    await expect(other.administration.dismiss(second)).rejects.toMatchObject({ code: 'job_not_found' })
    await other.administration.retry(third)
    await expect(other.administration.dismiss(third)).rejects.toMatchObject({ code: 'job_not_failed' })
    const tries = await rowsOf(database).selectFrom('job_attempts').select('job_id').execute()
    expect(tries.map(({ job_id }) => job_id)).not.toContain(second)
  })

  test('of recurring jobs can be had at once, not where the kind is paused, and go after a week', async () => {
    const { jobs, database } = await begin(open)
    let runs = 0
    jobs.start([{ 'test.tick': handler(async () => void (runs += 1)) }])
    await jobs.every('test.tick', {}, 3_600_000)
    await expect.poll(() => runs).toBe(1)
    const id = 'every:test.tick'
    const due = async () => (await jobs.administration.recurring())[0]?.nextRunAt ?? ''
    await expect.poll(async () => Date.parse(await due()) > realClock.now()).toBe(true)
    expect(await jobs.administration.runNow(id)).toMatchObject({ id, everyMs: 3_600_000 })
    await expect.poll(() => runs).toBe(2)
    await jobs.administration.pause('test.tick')
    await expect(jobs.administration.runNow(id)).rejects.toMatchObject({ code: 'job_kind_paused' })
    const single = await jobs.enqueue('test.idle', {}, { accountId: 'ada' })
    await expect(jobs.administration.runNow(single.id)).rejects.toMatchObject({ code: 'job_not_recurring' })
    await expect(jobs.administration.runNow('none')).rejects.toMatchObject({ code: 'job_not_found' })
    await expect.poll(async () => (await triesOf(jobs, id)).length).toBe(2)
    const old = realClock.now() - 8 * 86_400_000
    await rowsOf(database).updateTable('job_attempts').set({ finished_at: old }).execute()
    await jobs.prune(realClock.now() - 30 * 86_400_000)
    expect(await triesOf(jobs, id)).toEqual([])
  })
})
