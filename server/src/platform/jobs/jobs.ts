/** Durable jobs: one table, workers in any process, and leases with a fence against two workers on one job. */
import type { JobEvent } from '@atrium/contract/durable-jobs'
import type { Clock } from '../clock.ts'
import { cutPage, decodeCursor } from '../db/cursor.ts'
import type { AnyTransaction, Database } from '../db/types.ts'
import type { Entry, EventLog } from '../events/types.ts'
import { fail } from '../http/refusal.ts'
import type { Log } from '../log/log.ts'
import type { Metrics } from '../metrics/index.ts'
import type { Vault } from '../vault/types.ts'
import { askAgain } from './again-store.ts'
import { createJobAdministration, createRetry } from './administration.ts'
import { createJobAdministrationStore } from './administration-store.ts'
import { createChange, jobStream } from './announce.ts'
import { createJobNews } from './news.ts'
import { createJobAttemptStore } from './attempts-store.ts'
import { repairHeads } from './heads-store.ts'
import { recordJobs } from './metrics.ts'
import { mergeHandlers } from './rules.ts'
import { createQueue } from './queue.ts'
import { rowToJob } from './serialise.ts'
import { createJobStore } from './store.ts'
import type { JobRow } from './tables.ts'
import type { EnqueueOptions, JobHandler, Jobs } from './types.ts'
import { startWorker, type Worker } from './worker.ts'

export interface JobParts {
  readonly database: Database
  readonly vault: Vault
  readonly clock: Clock
  readonly events: EventLog
  readonly log: Log
  /** The id under which this process holds its presence. */
  readonly processId: string
  /** How many jobs this process works on at once. */
  readonly concurrency: number
  readonly tuning?: Partial<Tuning>
  readonly metrics?: Metrics | null
  /** Whether the jobs of an account may run just now; without it, those of all. */
  readonly mayRun?: (accountId: string) => Promise<boolean>
  /** Whether jobs that act outside of the instance wait; without it, they do not. */
  readonly isPaused?: () => Promise<boolean>
  /** Told that jobs moved, twice a second at most, for those who look at all of them. */
  readonly moved?: () => void
}

interface Tuning {
  readonly leaseMs: number
  readonly pollMs: number
  readonly graceMs: number
  /** The wait before the second try; later ones double it. */
  readonly backoffMs: number
}

const channel = 'jobs'
const newsMs = 500
/** Larger things are stored by their owner, and the payload names them. */
const longestPayload = 64 * 1024
const recurringTriesKeptMs = 7 * 86_400_000

/** Makes the queue. Its tables are `jobMigrations`. Work begins with `start()` and ends with `stop()`. */
export const createJobs = (parts: JobParts): Jobs => {
  const { database, vault, clock, events, log, processId, concurrency } = parts
  const tuning = { leaseMs: 30_000, pollMs: 5000, graceMs: 5000, backoffMs: 1000, ...parts.tuning }
  const store = createJobStore(database)
  const everybody = createJobAdministrationStore(database)
  const tries = createJobAttemptStore(database)
  const news = createJobNews(() => parts.moved?.(), newsMs)
  const changeRow = createChange({ database, vault, events })
  const change: typeof changeRow = async (...given) => {
    const row = await changeRow(...given)
    if (row) news.tell()
    return row
  }
  let handlers: ReadonlyMap<string, JobHandler> = new Map()
  let worker: Worker | null = null

  const tell = async (message: string): Promise<void> => {
    try {
      await database.notify(channel, message)
    } catch (error) {
      // Workers look for themselves every few seconds.
      log.warn('Other processes could not be told about a job.', { error })
    }
  }
  const unlisten = database.listen(
    channel,
    (message) => {
      const [verb, id] = message.split(' ')
      if (verb === 'due') worker?.wake()
      else if (verb === 'cancel' && id) worker?.stopRun(id, 'cancelled')
      else if (verb === 'gone' && id) worker?.stopAccount(id)
    },
    () => worker?.wake(),
  )

  const newRow = async (id: string, kind: string, payload: unknown, accountId: string | null): Promise<JobRow> => {
    const text = JSON.stringify(payload ?? null)
    if (text.length > longestPayload) throw new Error(`The payload of a job of kind ${kind} is too large.`)
    const keyring = await vault.keyring(accountId)
    const now = clock.now()
    return {
      id,
      kind,
      account_id: accountId,
      share: accountId ?? '',
      state: 'queued',
      payload: keyring.seal('jobs.payload', id, text),
      subject: null,
      progress: null,
      dedupe: null,
      dedupe_ends: 0,
      former_dedupe: null,
      interval_ms: null,
      due_at: now,
      created_at: now,
      attempts: 0,
      max_attempts: handlers.get(kind)?.attempts ?? 1,
      owner: null,
      lease_until: null,
      fence: 0,
      cancel_requested: 0,
      again: 0,
      failure_code: null,
      failure_detail: null,
      started_at: null,
      finished_at: null,
    }
  }

  const enqueue: Jobs['enqueue'] = async (kind, payload, options) => {
    const { accountId } = options
    const keyring = await vault.keyring(accountId)
    const row: JobRow = { ...(await newRow(clock.id(), kind, payload, accountId)) }
    if (options.subject !== undefined) row.subject = keyring.seal('jobs.subject', row.id, options.subject)
    row.dedupe = dedupeOf(vault, kind, options)
    row.dedupe_ends = options.keyUntil === 'ended' ? 1 : 0
    row.due_at += options.delayMs ?? 0
    for (;;) {
      const made = await change(accountId, 'pages', (trx) => store.insert(trx, row))
      if (made) {
        await tell('due')
        return rowToJob(made, keyring)
      }
      const existing = row.dedupe === null ? undefined : await store.byDedupe(row.dedupe)
      // The key may have fallen between the two looks; then there is room now.
      if (!existing) continue
      const same = keyring.open('jobs.payload', existing.id, existing.payload) === JSON.stringify(payload ?? null)
      if (!same && options.keyUntil !== 'ended') throw fail('id_reused')
      if (options.again && existing.state === 'running' && existing.again === 0) {
        const asked = await database.write((trx: AnyTransaction) => askAgain(trx, existing.id))
        // It has ended meanwhile, or waits for another try.
        if (!asked) continue
      }
      return rowToJob(existing, keyring)
    }
  }

  const find = async (accountId: string, id: string) => {
    const row = await store.find(accountId, id)
    return row ? rowToJob(row, await vault.keyring(accountId)) : null
  }

  const cancel = async (look: () => Promise<JobRow | undefined>): Promise<JobRow | undefined> => {
    // It may be claimed, or queued again, between the two statements; an end is for good.
    for (let row = await look(); ; row = await look()) {
      if (!row || row.finished_at !== null) return row
      const { id, account_id } = row
      const ended = await change(account_id, 'both', (trx) => store.cancelQueued(trx, id, clock.now()))
      if (ended) return ended
      const requested = await change(account_id, 'both', (trx) => store.requestCancel(trx, id))
      if (!requested) continue
      worker?.stopRun(id, 'cancelled')
      await tell(`cancel ${id}`)
      return requested
    }
  }

  const announceDue = () => tell('due')
  const retry = createRetry({ everybody, events, clock, change, announceDue })
  const administration = createJobAdministration(
    { store, everybody, tries, events, clock, change, announceDue, cancel, moved: news.tell },
    retry,
  )
  const ended = parts.metrics
    ? recordJobs(parts.metrics, { count: administration.count, clock, concurrency, busy: () => worker?.busy() ?? 0 })
    : null

  return {
    enqueue,
    async prepare(kind, payload, delayMs = 0) {
      const row = await newRow(clock.id(), kind, payload, null)
      row.due_at += delayMs
      return { write: async (trx) => void (await store.insert(trx, row)), tell: announceDue }
    },
    read: find,
    list: async (accountId, { limit, cursor, state, kind }) => {
      const before = cursor === undefined ? null : decodeCursor(cursor)
      const rows = await store.list(accountId, { limit: limit + 1, before, state, kind })
      const keyring = await vault.keyring(accountId)
      const page = cutPage(rows, limit, (row) => ({ time: row.created_at, id: row.id }))
      return { items: page.items.map((row) => rowToJob(row, keyring)), nextCursor: page.nextCursor }
    },
    cancel: async (accountId, id) => {
      const row = await cancel(() => store.find(accountId, id))
      return row ? rowToJob(row, await vault.keyring(accountId)) : null
    },
    retry: async (accountId, id) => {
      const row = await store.find(accountId, id)
      return row ? rowToJob(await retry(row), await vault.keyring(accountId)) : null
    },
    follow: async (accountId, id, after, signal) => {
      const job = await find(accountId, id)
      if (!job) return null
      const stream = { id: jobStream(id), accountId }
      if (job.finishedAt !== null && (await events.lastSeq(stream.id)) === 0)
        return only({ seq: after + 1, event: { type: 'ended', data: job } })
      return events.follow<JobEvent>(stream, after, signal)
    },
    review: (accountId) => {
      worker?.reviewAccount(accountId).catch((error: unknown) => {
        log.error('Whether running jobs may go on could not be found out.', { error })
      })
    },
    countOpen: (accountId) => store.countOpen(accountId),
    concurrency,
    administration,
    every: async (kind, payload, intervalMs) => {
      const row = await newRow(`every:${kind}`, kind, payload, null)
      const recurring = { ...row, interval_ms: intervalMs }
      await database.write((trx) => store.upsertRecurring(trx, recurring, clock.now() + intervalMs))
      await tell('due')
    },
    start: (all) => {
      if (worker) throw new Error('The worker of this process has been started already.')
      handlers = mergeHandlers(all)
      if (handlers.size > 0)
        worker = startWorker(
          {
            ...tuning,
            database,
            store,
            queue: createQueue(database),
            change,
            vault,
            clock,
            log,
            processId,
            concurrency,
            ended,
            mayRun: parts.mayRun ?? (async () => true),
            isPaused: parts.isPaused ?? (async () => false),
            announceDue,
          },
          handlers,
        )
    },
    leave: () => worker?.leave(),
    stop: async () => {
      unlisten()
      news.stop()
      await worker?.stop()
      worker = null
      await tell('due')
    },
    prune: async (before) => {
      await repairHeads(database)
      await tries.removeRecurring(Math.max(before, clock.now() - recurringTriesKeptMs))
      for (;;) {
        const ids = await store.finishedBefore(before, 200)
        if (ids.length === 0) return
        await database.write(async (trx) => {
          await store.remove(trx, ids)
          await events.remove(ids.map(jobStream), trx)
        })
      }
    },
    removeAccount: async (accountId, trx) => {
      if (trx) await store.removeAccount(trx, accountId)
      else await database.write((own) => store.removeAccount(own, accountId))
      void tell(`gone ${accountId}`)
    },
  }
}

const dedupeOf = (vault: Vault, kind: string, { accountId, key }: EnqueueOptions): string | null =>
  key === undefined ? null : vault.blindIndex('jobs.key', JSON.stringify([accountId, kind, key]))

async function* only<E>(entry: Entry<E>): AsyncGenerator<Entry<E>> {
  yield entry
}
