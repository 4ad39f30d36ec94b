/**
 * Jobs of everybody, for administrators: listed, counted, tried again, dismissed, cancelled; kinds paused and resumed.
 * What jobs are about stays sealed.
 */
import type { Clock } from '../clock.ts'
import { creationKey, cutPage, decodeCursor } from '../db/cursor.ts'
import { isUniqueViolation } from '../db/errors.ts'
import type { EventLog } from '../events/types.ts'
import { fail } from '../http/refusal.ts'
import { type ChangeJob, jobStream } from './announce.ts'
import type { JobAdministrationStore } from './administration-store.ts'
import type { JobAttemptStore } from './attempts-store.ts'
import { rowToAttempt, rowToInstanceJob } from './serialise.ts'
import type { JobStore } from './store.ts'
import type { JobRow } from './tables.ts'
import type { JobAdministration } from './types.ts'

export interface AdministrationParts {
  readonly store: JobStore
  readonly everybody: JobAdministrationStore
  readonly tries: JobAttemptStore
  readonly events: EventLog
  readonly clock: Clock
  readonly change: ChangeJob
  /** Has workers of all processes look at the queue. */
  readonly announceDue: () => Promise<void>
  readonly moved: () => void
  /** Cancels whatever a look gives, until it has ended or is asked to. */
  readonly cancel: (look: () => Promise<JobRow | undefined>) => Promise<JobRow | undefined>
}

/** Gives a function that queues a failed job again. It refuses with `job_not_failed`, `job_repeated`. */
export const createRetry = (
  parts: Pick<AdministrationParts, 'everybody' | 'events' | 'clock' | 'change' | 'announceDue'>,
) => {
  const { everybody, events, clock, change } = parts
  const requeue = async ({ id, account_id }: JobRow): Promise<JobRow | undefined> => {
    try {
      return await change(account_id, 'both', async (trx) => {
        const row = await everybody.retry(trx, id, clock.now())
        // It ended with the job; whoever follows it sees the new tries behind the old ones.
        if (row) await events.reopen(jobStream(id), trx)
        return row
      })
    } catch (error) {
      if (isUniqueViolation(error)) return undefined
      throw error
    }
  }
  return async (row: JobRow): Promise<JobRow> => {
    const again = await requeue(row)
    if (again) {
      await parts.announceDue()
      return again
    }
    const now = (await everybody.find(row.id)) ?? missing()
    throw fail(now.state === 'failed' ? 'job_repeated' : 'job_not_failed')
  }
}

export const createJobAdministration = (
  parts: AdministrationParts,
  retry: (row: JobRow) => Promise<JobRow>,
): JobAdministration => {
  const { store, everybody, tries, events, clock, change } = parts
  const find = async (id: string): Promise<JobRow> => (await everybody.find(id)) ?? missing()

  return {
    list: async ({ limit, cursor, state, kind }) => {
      const before = cursor === undefined ? null : decodeCursor(cursor)
      const rows = await store.list(undefined, { limit: limit + 1, before, state, kind })
      const { items, nextCursor } = cutPage(rows, limit, creationKey)
      return { items: items.map(rowToInstanceJob), nextCursor }
    },
    count: async () => await everybody.count(clock.now(), await everybody.pauses()),
    rates: tries.rates,
    running: async () => {
      const rows = await tries.running(1000)
      return rows.map(({ id, kind, owner, begun }) => ({ id, kind, process: owner, startedAt: begun }))
    },
    recurring: async () => (await everybody.recurring()).map(rowToInstanceJob),
    attempts: async (id) => {
      const job = rowToInstanceJob(await find(id))
      return { job, attempts: (await tries.list(id, 100)).map(rowToAttempt) }
    },
    retry: async (id) => rowToInstanceJob(await retry(await find(id))),
    dismiss: async (id) => {
      const { account_id } = await find(id)
      const gone = await change(account_id, 'pages', async (trx) => {
        const row = await everybody.dismiss(trx, id)
        if (!row) return undefined
        await store.remove(trx, [id])
        await events.remove([jobStream(id)], trx)
        return row
      })
      if (gone) return
      await find(id)
      throw fail('job_not_failed')
    },
    cancel: async (id) => {
      // A recurring job that was cancelled would never come back.
      if ((await find(id)).interval_ms !== null) throw fail('job_recurring')
      return rowToInstanceJob((await parts.cancel(() => everybody.find(id))) ?? missing())
    },
    runNow: async (id) => {
      const { interval_ms, kind } = await find(id)
      if (interval_ms === null) throw fail('job_not_recurring')
      if ((await everybody.pauses()).has(kind)) throw fail('job_kind_paused')
      const row = await change(null, 'followers', (trx) => everybody.runNow(trx, id, clock.now()))
      if (row) await parts.announceDue()
      return rowToInstanceJob(row ?? (await find(id)))
    },
    pause: async (kind) => {
      const changed = await everybody.pause(kind, clock.now())
      parts.moved()
      return changed
    },
    resume: async (kind) => {
      const changed = await everybody.resume(kind)
      if (changed) await parts.announceDue()
      parts.moved()
      return changed
    },
  }
}

const missing = (): never => {
  throw fail('job_not_found')
}
