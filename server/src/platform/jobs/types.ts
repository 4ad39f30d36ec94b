import type { InstanceJob, Job, JobAttempt, JobEvent } from '@atrium/contract/durable-jobs'
import type { JobCode } from '@atrium/contract/jobs'
import type { z } from 'zod'
import type { AnyTransaction } from '../db/types.ts'
import type { Entry } from '../events/types.ts'
import type { JobRate } from './attempts-store.ts'

export type { JobRate }

export interface JobContext {
  readonly jobId: string
  readonly accountId: string | null
  readonly attempt: number
  /** Aborted on cancel, lost lease, timeout, stop of the server, and when the account is not active any more. */
  readonly signal: AbortSignal
  /** Tells followers how far it is; written at most every 250 ms. */
  progress(current: number, total: number | null, message?: string): void
  /** First thing in a transaction of the handler: fails when the job has passed to another worker meanwhile. */
  guard(trx: AnyTransaction): Promise<void>
}

/** What a job of a kind is given and does. */
export interface JobDefinition<P> {
  readonly payload: z.ZodType<P>
  /** Tries in all; waits between them grow. */
  readonly attempts: number
  readonly timeoutMs: number
  /** How many of the kind one process runs at a time, so that others are not kept waiting; without it, any number. */
  readonly atOnce?: number
  /** How many of the kind all processes together run at a time; without it, any number. */
  readonly atOnceInAll?: number
  /** Which jobs are begun first (default normal). What has a low one waits ten minutes for it at most. */
  readonly priority?: JobPriority
  /** It acts outside of the instance, so a copy beside the original does not begin it (default false). */
  readonly outward?: boolean
  /** May run more than once. After the signal has aborted it does not matter whether it throws or returns. */
  run(payload: P, context: JobContext): Promise<void>
}

export type JobPriority = 'high' | 'normal' | 'low'

/** A definition that keeps the type of its payload to itself, so that jobs of all kinds stand in one list. */
export interface JobHandler
  extends Pick<JobDefinition<unknown>, 'attempts' | 'timeoutMs' | 'atOnce' | 'atOnceInAll' | 'priority' | 'outward'> {
  /** Checks the payload; null where it is not in the form of the definition. */
  prepare(payload: unknown): ((context: JobContext) => Promise<void>) | null
}
/** By kind. */
export type JobHandlers = Readonly<Record<string, JobHandler>>

export const defineJob = <P>({ payload: form, run, ...limits }: JobDefinition<P>): JobHandler => ({
  ...limits,
  prepare(given) {
    const { success, data } = form.safeParse(given)
    return success ? (context) => run(data, context) : null
  },
})

/** Throw it in a handler to end the job without another try. `detail` holds no content. */
export class JobFailure extends Error {
  readonly code: JobCode
  constructor(code: JobCode, detail: string) {
    super(detail)
    this.code = code
  }
}

export interface EnqueueOptions {
  /** Whose job it is; null: the instance's, which no account sees. */
  readonly accountId: string | null
  /** What it is about, for people. */
  readonly subject?: string
  /** Names the request: the same key of an account and kind gives the job that exists already. */
  readonly key?: string
  /** Until when the key stands: for ever (the default), or until the job has ended. */
  readonly keyUntil?: 'removed' | 'ended'
  /**
   * Where the job of the key runs already, it runs once more after that, however often it is asked for meanwhile: for
   * work that looks for what there is to do, and may have looked before there was this.
   */
  readonly again?: boolean
  readonly delayMs?: number
}

/** The jobs of one kind, in numbers. */
export interface JobCounts {
  readonly kind: string
  /** Waiting, and due. */
  readonly due: number
  /** Waiting, due or not. */
  readonly queued: number
  readonly running: number
  /** Failed, and not yet removed. */
  readonly failed: number
  /** Since when the oldest one is due, in milliseconds; null when none is. */
  readonly oldestDueAt: number | null
  /** Since when the kind is paused; null when it is not. */
  readonly pausedAt: number | null
}

/** A job that runs, and where. */
export interface RunningJob {
  readonly id: string
  readonly kind: string
  /** The process that works on it. */
  readonly process: string | null
  /** When this try began. */
  readonly startedAt: number | null
}

export interface JobAdministration {
  /** Newest first; accounts come without their names, and processes without their hosts. Refuses with `bad_cursor`. */
  list(page: {
    readonly limit: number
    readonly cursor?: string | undefined
    readonly state?: Job['state'] | undefined
    readonly kind?: string | undefined
  }): Promise<{ items: InstanceJob[]; nextCursor: string | null }>
  /** How many wait, run and failed, by kind; kinds that are paused, too. */
  count(): Promise<JobCounts[]>
  /** What became of the tries that ended since a time, by kind. */
  rates(since: number): Promise<readonly JobRate[]>
  /** What runs now; at most a thousand. */
  running(): Promise<readonly RunningJob[]>
  /** Recurring jobs. */
  recurring(): Promise<InstanceJob[]>
  /** A job and its newest tries, at most a hundred. Refuses with `job_not_found`. */
  attempts(id: string): Promise<{ job: InstanceJob; attempts: JobAttempt[] }>
  /** Removes a failed job. Refuses with `job_not_found`, `job_not_failed`. */
  dismiss(id: string): Promise<void>
  /** Has a recurring job run at once. Refuses with `job_not_found`, `job_not_recurring`, `job_kind_paused`. */
  runNow(id: string): Promise<InstanceJob>
  /**
   * Jobs of the kind are not begun any more, in any process, until it is resumed; those that run go on. Gives whether
   * that is a change.
   */
  pause(kind: string): Promise<boolean>
  /** Gives whether that is a change. */
  resume(kind: string): Promise<boolean>
  /** Queues a failed job again. Refuses with `job_not_found`, `job_not_failed`, `job_repeated`. */
  retry(id: string): Promise<InstanceJob>
  /** Cancels a job; one that has ended stays as it is. Refuses with `job_not_found`, `job_recurring`. */
  cancel(id: string): Promise<InstanceJob>
}

export interface JobInTransaction {
  write(trx: AnyTransaction): Promise<void>
  tell(): Promise<void>
}

export interface Jobs {
  /** Keeps a job for a worker of any process. Refuses with `id_reused` a standing key with another payload. */
  enqueue(kind: string, payload: unknown, options: EnqueueOptions): Promise<Job>
  /**
   * Prepares a job of the instance that a transaction of the caller writes, so that it is there if and only if what it
   * goes on with is: `write` within it, `tell` after it. It is due after `delayMs`; by default at once.
   */
  prepare(kind: string, payload: unknown, delayMs?: number): Promise<JobInTransaction>
  /** An account's job, or null. */
  read(accountId: string, id: string): Promise<Job | null>
  /** An account's jobs, newest first. Refuses with `bad_cursor`. */
  list(
    accountId: string,
    page: {
      limit: number
      cursor?: string | undefined
      state?: Job['state'] | undefined
      kind?: string | undefined
    },
  ): Promise<{ items: Job[]; nextCursor: string | null }>
  /** Queues an account's failed job again, as `JobAdministration.retry`. Null when the account has no such job. */
  retry(accountId: string, id: string): Promise<Job | null>
  /** Stops an account's job; one that has ended stays as it is. Gives the job as it is then, or null. */
  cancel(accountId: string, id: string): Promise<Job | null>
  /** The events of an account's job to its end, or null when there is no such job. */
  follow(
    accountId: string,
    id: string,
    after: number,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Entry<JobEvent>> | null>
  /** Has a job of the instance run again and again; one in all, however many processes say so. */
  every(kind: string, payload: unknown, intervalMs: number): Promise<void>
  /** How many jobs of an account have not ended. */
  countOpen(accountId: string): Promise<number>
  /** How many jobs this process works on at once. */
  readonly concurrency: number
  /** Jobs of everybody. */
  readonly administration: JobAdministration
  /** Begins to work. Throws when a kind has two handlers. Kinds without a handler are left to other processes. */
  start(handlers: readonly JobHandlers[]): void
  /**
   * Call it in every process when an account may have ended: what runs here for it (null: for anybody) is asked about
   * again, and aborted where it may not run any more.
   */
  review(accountId: string | null): void
  /** Begins no more jobs; those that run go on. */
  leave(): void
  /** Lets go of all work: handlers are aborted, and what they did not finish passes to another process at once. */
  stop(): Promise<void>
  /**
   * Drops jobs that ended before a time, with their events and tries. Failed ones stay until they are retried or
   * dismissed, and tries of recurring jobs a week.
   */
  prune(before: number): Promise<void>
  /** Removes the jobs of an account; call `EventLog.removeAccount` too. */
  removeAccount(accountId: string, trx?: AnyTransaction): Promise<void>
}
