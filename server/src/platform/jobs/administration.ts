/** Jobs of everybody, for administrators: listed, counted, tried again, cancelled. What they are about stays sealed. */
import type { Clock } from '../clock.ts'
import { creationKey, cutPage, decodeCursor } from '../db/cursor.ts'
import { isUniqueViolation } from '../db/errors.ts'
import type { EventLog } from '../events/types.ts'
import { fail } from '../http/refusal.ts'
import { type ChangeJob, jobStream } from './announce.ts'
import { type JobAdministrationStore, rowToInstanceJob } from './administration-store.ts'
import type { JobStore } from './store.ts'
import type { JobRow } from './tables.ts'
import type { JobAdministration } from './types.ts'

export const createJobAdministration = (parts: {
  readonly store: JobStore
  readonly everybody: JobAdministrationStore
  readonly events: EventLog
  readonly clock: Clock
  readonly change: ChangeJob
  /** Has workers of all processes look at the queue. */
  readonly announceDue: () => Promise<void>
  /** Cancels whatever a look gives, until it has ended or is asked to. */
  readonly cancel: (look: () => Promise<JobRow | undefined>) => Promise<JobRow | undefined>
}): JobAdministration => {
  const { store, everybody, events, clock, change } = parts
  const find = async (id: string): Promise<JobRow> => (await everybody.find(id)) ?? missing()

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

  return {
    list: async ({ limit, cursor, state, kind }) => {
      const before = cursor === undefined ? null : decodeCursor(cursor)
      const rows = await store.list(undefined, { limit: limit + 1, before, state, kind })
      const { items, nextCursor } = cutPage(rows, limit, creationKey)
      return { items: items.map(rowToInstanceJob), nextCursor }
    },
    count: () => everybody.count(clock.now()),
    retry: async (id) => {
      const row = await find(id)
      const again = await requeue(row)
      if (again) {
        await parts.announceDue()
        return rowToInstanceJob(again)
      }
      throw fail((await find(id)).state === 'failed' ? 'job_repeated' : 'job_not_failed')
    },
    cancel: async (id) => {
      // A recurring job that was cancelled would never come back.
      if ((await find(id)).interval_ms !== null) throw fail('job_recurring')
      return rowToInstanceJob((await parts.cancel(() => everybody.find(id))) ?? missing())
    },
  }
}

const missing = (): never => {
  throw fail('job_not_found')
}
