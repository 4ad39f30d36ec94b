/** One try of one job: parse, run, report, and write down how it ended. Every write holds only while the claim does. */
import { unlessUnreadable } from '../stored-json.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import type { AnyTransaction } from '../db/types.ts'
import type { Log } from '../log/log.ts'
import type { Vault } from '../vault/types.ts'
import { runAgain } from './again-store.ts'
import { endAttempt } from './attempts-store.ts'
import type { ChangeJob } from './announce.ts'
import type { RecordJobEnd } from './metrics.ts'
import { createProgress } from './progress.ts'
import { accountInactive, decideOutcome, type Outcome, payloadInvalid, retryDelay, type StopReason } from './rules.ts'
import type { JobStore } from './store.ts'
import type { JobRow } from './tables.ts'
import { type JobContext, JobFailure, type JobHandler } from './types.ts'

export interface RunParts {
  readonly store: JobStore
  readonly change: ChangeJob
  readonly vault: Vault
  readonly clock: Clock
  readonly log: Log
  /** How long a handler that was told to stop may take before it is left behind. */
  readonly graceMs: number
  readonly backoffMs: number
  /** Aborted when the worker stops. */
  readonly stopped: AbortSignal
  /** Told of each try that ended. */
  readonly ended: RecordJobEnd | null
  /** Whether the jobs of an account may run just now. */
  readonly mayRun: (accountId: string) => Promise<boolean>
}

export interface Run {
  readonly row: JobRow
  /** Aborts the handler; the first reason counts, except that nothing is written once the job is not here any more. */
  stop(reason: StopReason): void
  /** Resolves when the ending is written down, or cannot be. Never rejects. */
  readonly done: Promise<void>
}

export const startRun = (parts: RunParts, row: JobRow, handler: JobHandler): Run => {
  const { store, change, vault, clock, log } = parts
  const controller = new AbortController()
  let reason: StopReason | null = null
  let leave: (error: Error) => void = () => undefined
  const left = new Promise<never>((_, reject) => {
    leave = reject
  })
  left.catch(() => undefined)
  let graceTimer: NodeJS.Timeout | undefined

  const stop = (why: StopReason): void => {
    // An account that ended is gone soon after, and then there is nothing to write an ending into.
    if (reason === 'account-inactive' && why === 'lease-lost') reason = why
    if (reason !== null) return
    reason = why
    controller.abort(new Error(`The job was told to stop: ${why}.`))
    graceTimer = setTimeout(() => leave(new Error('The handler did not stop in time.')), parts.graceMs)
  }
  const progress = createProgress({ ...parts, row, lost: () => stop('lease-lost') })

  const attempt = async (): Promise<Outcome> => {
    const keyring = await vault.keyring(row.account_id)
    const run = prepare(
      handler,
      unlessUnreadable(() => keyring.open('jobs.payload', row.id, row.payload), ''),
    )
    if (!run) return { to: 'failed', failure: payloadInvalid }
    const context: JobContext = {
      jobId: row.id,
      accountId: row.account_id,
      attempt: row.attempts,
      signal: controller.signal,
      progress: progress.report,
      guard: async (trx) => {
        if (await store.confirm(trx, row)) return
        stop('lease-lost')
        throw new Error('This job has passed to another worker.')
      },
    }
    const timeout = setTimeout(() => stop('timeout'), handler.timeoutMs)
    try {
      if (row.account_id !== null && !(await parts.mayRun(row.account_id)))
        throw new JobFailure(accountInactive.code, accountInactive.detail)
      await Promise.race([run(context), left])
      return reason === null ? { to: 'succeeded' } : decideOutcome(null, reason, row.attempts, handler.attempts)
    } catch (error) {
      const outcome = decideOutcome(error, reason, row.attempts, handler.attempts)
      if (reason === null && outcome.to !== 'failed') log.warn('A job will be tried again.', { ...about(row), error })
      else if (reason === null && error instanceof JobFailure)
        // Its words are kept with the job, for administrators: they may name what people named.
        log.warn('A job ended in failure.', { ...about(row), code: error.code })
      else if (reason === null) log.error('A job failed.', { ...about(row), error })
      return outcome
    } finally {
      clearTimeout(timeout)
    }
  }

  const writeEnd = async (
    trx: AnyTransaction,
    outcome: Exclude<Outcome, { to: 'lost' }>,
    now: number,
    last: Uint8Array | null,
  ): Promise<JobRow | undefined> => {
    const failure = 'failure' in outcome ? outcome.failure : null
    const finish = async (state: 'succeeded' | 'cancelled' | 'failed') =>
      (await runAgain(trx, row, now)) ?? (await store.finish(trx, row, { state, failure, now, progress: last }))
    if (outcome.to === 'released')
      return (
        (await store.requeue(trx, row, { dueAt: now, attempts: row.attempts - 1, failure: null })) ??
        (await finish('cancelled'))
      )
    if (outcome.to === 'retried') {
      const dueAt = now + retryDelay(row.attempts, parts.backoffMs, Math.random())
      return (await store.requeue(trx, row, { dueAt, attempts: row.attempts, failure })) ?? (await finish('cancelled'))
    }
    if (row.interval_ms === null) return await finish(outcome.to)
    return await store.requeue(trx, row, { dueAt: now + row.interval_ms, attempts: 0, failure })
  }

  const record = async (outcome: Outcome): Promise<void> => {
    if (outcome.to === 'lost') return
    const last = await progress.end()
    const written = await change(row.account_id, 'both', async (trx) => {
      const now = clock.now()
      const changed = await writeEnd(trx, outcome, now, last)
      // A job that was to be tried again, and was cancelled meanwhile.
      const to = changed?.state === 'cancelled' ? 'cancelled' : outcome.to
      const code = to === outcome.to && 'failure' in outcome ? outcome.failure.code : null
      if (changed) await endAttempt(trx, row, { outcome: to, code, now })
      return changed
    })
    if (!written) log.warn('A job had passed to another worker; its ending was not written.', about(row))
  }

  const work = async (): Promise<void> => {
    const begun = performance.now()
    let outcome: Outcome
    try {
      outcome = await attempt()
    } catch (error) {
      log.error('A job could not be begun.', { ...about(row), error })
      outcome = decideOutcome(error, reason, row.attempts, handler.attempts)
    }
    clearTimeout(graceTimer)
    parts.ended?.(row.kind, outcome.to, performance.now() - begun)
    let triesAfterStop = 0
    for (let tries = 1; ; tries++) {
      try {
        await record(outcome)
        return
      } catch (error) {
        log.error('The ending of a job could not be written.', { ...about(row), error })
        // What is done is not done again because the database was away. Another process takes it after the stop.
        if (parts.stopped.aborted && (triesAfterStop += 1) > 3) return
        await pause(Math.min(250 * tries, longestPauseMs), parts.stopped)
      }
    }
  }

  return { row, stop, done: work() }
}

/** Between two tries to write an ending down. */
const longestPauseMs = 5000

/** Waits so long; not longer than a moment once the signal has aborted. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  signal.aborted ? sleep(250) : sleep(ms, undefined, { signal }).catch(() => undefined)

const about = (row: JobRow) => ({ jobId: row.id, kind: row.kind, attempt: row.attempts })

const prepare = (handler: JobHandler, text: string): ReturnType<JobHandler['prepare']> => {
  let payload: unknown
  try {
    payload = JSON.parse(text)
  } catch {
    // Not even JSON: the same answer as a wrong shape.
    return null
  }
  return handler.prepare(payload)
}
