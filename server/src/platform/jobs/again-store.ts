/** Jobs that are asked for again while they run: one more run follows, however often that was. */
import { type AnyTransaction, inTables } from '../db/types.ts'
import { offerHead } from './heads-store.ts'
import type { Claim } from './store.ts'
import type { JobRow, JobTables } from './tables.ts'

/** Has a running job run once more after that; nothing where it does not run. */
export const askAgain = (trx: AnyTransaction, id: string): Promise<JobRow | undefined> =>
  inTables<JobTables>(trx)
    .updateTable('jobs')
    .set({ again: 1 })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .returningAll()
    .executeTakeFirst()

/** Queues a claimed job that was asked for again, in place of its end; nothing when it was not. */
export const runAgain = async (trx: AnyTransaction, { id, fence }: Claim, now: number): Promise<JobRow | undefined> => {
  const row = await inTables<JobTables>(trx)
    .updateTable('jobs')
    .set((eb) => ({
      state: 'queued' as const,
      owner: null,
      lease_until: null,
      due_at: now,
      attempts: 0,
      again: 0,
      cancel_requested: 0,
      failure_code: null,
      failure_detail: null,
      fence: eb('fence', '+', 1),
    }))
    .where('id', '=', id)
    .where('fence', '=', fence)
    .where('state', '=', 'running')
    .where('again', '=', 1)
    .returningAll()
    .executeTakeFirst()
  if (row) await offerHead(trx, row)
  return row
}
