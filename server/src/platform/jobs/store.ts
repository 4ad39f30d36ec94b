/** Every statement about jobs that workers and accounts need. */
import type { CursorKey } from '../db/cursor.ts'
import { type AnyTransaction, type Database, inTables } from '../db/types.ts'
import { beginAttempt } from './attempts-store.ts'
import { offerHead, settleHead } from './heads-store.ts'
import type { Failure } from './rules.ts'
import type { JobRow, JobTables } from './tables.ts'

/** A claim on a job: valid while the row still has this fence. */
export interface Claim {
  readonly id: string
  readonly fence: number
}
export type JobStore = ReturnType<typeof createJobStore>

export const createJobStore = (database: Database) => {
  const tables = database.tables<JobTables>()
  const rowsIn = (trx: AnyTransaction) => inTables<JobTables>(trx)
  /** An update that only the holder of a claim can make. */
  const update = (trx: AnyTransaction, { id, fence }: Claim) =>
    rowsIn(trx).updateTable('jobs').where('id', '=', id).where('fence', '=', fence).where('state', '=', 'running')

  return {
    /** Gives the row, or nothing when its dedupe key stands already. */
    insert: async (trx: AnyTransaction, row: JobRow): Promise<JobRow | undefined> =>
      await waits(
        trx,
        await rowsIn(trx)
          .insertInto('jobs')
          .values(row)
          .onConflict((on) => on.column('dedupe').doNothing())
          .returningAll()
          .executeTakeFirst(),
      ),

    byDedupe: (dedupe: string): Promise<JobRow | undefined> =>
      tables.selectFrom('jobs').selectAll().where('dedupe', '=', dedupe).executeTakeFirst(),

    /** Makes or changes a recurring job; a due time that is earlier stays. */
    upsertRecurring: async (trx: AnyTransaction, row: JobRow, latestDue: number): Promise<void> => {
      const made = await rowsIn(trx)
        .insertInto('jobs')
        .values(row)
        .onConflict((on) =>
          on.column('id').doUpdateSet((eb) => ({
            payload: eb.ref('excluded.payload'),
            interval_ms: eb.ref('excluded.interval_ms'),
            due_at: eb.case().when('jobs.due_at', '>', latestDue).then(latestDue).else(eb.ref('jobs.due_at')).end(),
          })),
        )
        .returningAll()
        .executeTakeFirstOrThrow()
      if (made.state === 'queued') await offerHead(trx, made)
    },

    find: (accountId: string, id: string): Promise<JobRow | undefined> =>
      tables.selectFrom('jobs').selectAll().where('id', '=', id).where('account_id', '=', accountId).executeTakeFirst(),

    /** Newest first; without an account those of everybody. */
    list: (
      accountId: string | undefined,
      page: {
        readonly limit: number
        readonly before: CursorKey | null
        readonly state?: JobRow['state'] | undefined
        readonly kind?: string | undefined
      },
    ): Promise<JobRow[]> => {
      let query = tables.selectFrom('jobs').selectAll()
      if (accountId !== undefined) query = query.where('account_id', '=', accountId)
      if (page.state) query = query.where('state', '=', page.state)
      if (page.kind) query = query.where('kind', '=', page.kind)
      const { before } = page
      if (before)
        query = query.where((eb) =>
          eb.or([
            eb('created_at', '<', before.time),
            eb.and([eb('created_at', '=', before.time), eb('id', '<', before.id)]),
          ]),
        )
      return query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(page.limit).execute()
    },

    /** Takes the oldest due job of an account and kind; nothing when other workers were faster. */
    claimNext: async (
      trx: AnyTransaction,
      line: Pick<JobRow, 'share' | 'kind'>,
      by: { owner: string; now: number; leaseUntil: number; maxAttempts: number },
    ): Promise<JobRow | undefined> => {
      const row = await rowsIn(trx)
        .updateTable('jobs')
        .set((eb) => ({
          state: 'running' as const,
          owner: by.owner,
          lease_until: by.leaseUntil,
          fence: eb('fence', '+', 1),
          attempts: eb('attempts', '+', 1),
          again: 0,
          max_attempts: by.maxAttempts,
          started_at: eb.fn.coalesce('started_at', eb.val(by.now)),
        }))
        .where('id', '=', (eb) =>
          eb
            .selectFrom('jobs as oldest')
            .select('oldest.id')
            .where('oldest.state', '=', 'queued')
            .where('oldest.share', '=', line.share)
            .where('oldest.kind', '=', line.kind)
            .where('oldest.due_at', '<=', by.now)
            .orderBy('oldest.due_at')
            .orderBy('oldest.id')
            .limit(1),
        )
        .returningAll()
        .executeTakeFirst()
      await settleHead(trx, line)
      if (row) await beginAttempt(trx, row, by.now)
      return row
    },

    /** Whether jobs of a kind may be begun; `most` is how many of them may run in all processes. */
    mayBegin: async (trx: AnyTransaction, kind: string, most: number | undefined): Promise<boolean> => {
      const rows = rowsIn(trx)
      const pause = await rows.selectFrom('job_pauses').select('kind').where('kind', '=', kind).executeTakeFirst()
      if (pause) return false
      if (most === undefined) return true
      const { count } = await rows
        .selectFrom('jobs')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('state', '=', 'running')
        .where('kind', '=', kind)
        .executeTakeFirstOrThrow()
      return Number(count) < most
    },

    /** Lengthens the leases of a process; gives the claims it still has. */
    renew: (owner: string, leaseUntil: number): Promise<(Claim & { cancel_requested: number })[]> =>
      tables
        .updateTable('jobs')
        .set({ lease_until: leaseUntil })
        .where('owner', '=', owner)
        .where('state', '=', 'running')
        .returning(['id', 'fence', 'cancel_requested'])
        .execute(),

    /** Fails to find the row when the claim is no longer valid; the row stays locked until the transaction ends. */
    confirm: async (trx: AnyTransaction, claim: Claim): Promise<boolean> => {
      const row = await update(trx, claim)
        .set((eb) => ({ fence: eb.ref('fence') }))
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    saveProgress: (trx: AnyTransaction, claim: Claim, progress: Uint8Array): Promise<JobRow | undefined> =>
      update(trx, claim).set({ progress }).returningAll().executeTakeFirst(),

    /** Ends a job, or nothing when the claim is no longer valid. */
    finish: (
      trx: AnyTransaction,
      claim: Claim,
      end: {
        state: 'succeeded' | 'cancelled' | 'failed'
        failure: Failure | null
        now: number
        progress: Uint8Array | null
      },
    ): Promise<JobRow | undefined> =>
      update(trx, claim)
        .set((eb) => ({
          state: end.state,
          finished_at: end.now,
          owner: null,
          lease_until: null,
          failure_code: end.failure?.code ?? null,
          failure_detail: end.failure?.detail ?? null,
          ...(end.progress ? { progress: end.progress } : {}),
          fence: eb('fence', '+', 1),
          dedupe: eb.case().when('dedupe_ends', '=', 1).then(null).else(eb.ref('dedupe')).end(),
          former_dedupe: eb.case().when('dedupe_ends', '=', 1).then(eb.ref('dedupe')).else(null).end(),
        }))
        .returningAll()
        .executeTakeFirst(),

    /** Queues a claimed job again. Nothing when the claim is no longer valid, or when somebody asked to cancel it. */
    requeue: async (
      trx: AnyTransaction,
      claim: Claim,
      again: { dueAt: number; attempts: number; failure: Failure | null },
    ): Promise<JobRow | undefined> =>
      await waits(
        trx,
        await update(trx, claim)
          .set((eb) => ({
            state: 'queued' as const,
            owner: null,
            lease_until: null,
            due_at: again.dueAt,
            attempts: again.attempts,
            failure_code: again.failure?.code ?? null,
            failure_detail: again.failure?.detail ?? null,
            fence: eb('fence', '+', 1),
          }))
          .where('cancel_requested', '=', 0)
          .returningAll()
          .executeTakeFirst(),
      ),

    cancelQueued: async (trx: AnyTransaction, id: string, now: number): Promise<JobRow | undefined> => {
      const row = await rowsIn(trx)
        .updateTable('jobs')
        .set((eb) => ({
          state: 'cancelled' as const,
          cancel_requested: 1,
          finished_at: now,
          dedupe: eb.case().when('dedupe_ends', '=', 1).then(null).else(eb.ref('dedupe')).end(),
        }))
        .where('id', '=', id)
        .where('state', '=', 'queued')
        .returningAll()
        .executeTakeFirst()
      if (row) await settleHead(trx, row)
      return row
    },

    requestCancel: (trx: AnyTransaction, id: string): Promise<JobRow | undefined> =>
      rowsIn(trx)
        .updateTable('jobs')
        // Who asked for it again before wanted what is stopped now.
        .set({ cancel_requested: 1, again: 0 })
        .where('id', '=', id)
        .where('state', '=', 'running')
        .returningAll()
        .executeTakeFirst(),

    /** Claims of processes that are gone (see `expire`), and those of this one whose lease ran out. */
    expired: (owner: string, now: number): Promise<JobRow[]> =>
      tables
        .selectFrom('jobs')
        .selectAll()
        .where('state', '=', 'running')
        .where((by) =>
          by.or([by('lease_until', '=', 0), by.and([by('owner', '=', owner), by('lease_until', '<', now)])]),
        )
        .limit(100)
        .execute(),

    /** Processes that hold claims. */
    owners: async (): Promise<string[]> => {
      const rows = await tables.selectFrom('jobs').select('owner').distinct().where('state', '=', 'running').execute()
      return rows.flatMap((row) => row.owner ?? [])
    },
    /** Lets the leases of a process that is gone run out. */
    expire: async (owner: string): Promise<void> => {
      await tables
        .updateTable('jobs')
        .set({ lease_until: 0 })
        .where('owner', '=', owner)
        .where('state', '=', 'running')
        .execute()
    },

    /** Those that failed are kept. */
    finishedBefore: async (before: number, limit: number): Promise<string[]> => {
      const rows = await tables
        .selectFrom('jobs')
        .select('id')
        .where('state', 'in', ['succeeded', 'cancelled'])
        .where('finished_at', '<', before)
        .limit(limit)
        .execute()
      return rows.map((row) => row.id)
    },
    remove: async (trx: AnyTransaction, ids: readonly string[]): Promise<void> => {
      await rowsIn(trx).deleteFrom('job_attempts').where('job_id', 'in', ids).execute()
      await rowsIn(trx).deleteFrom('jobs').where('id', 'in', ids).execute()
    },
    countOpen: async (accountId: string): Promise<number> => {
      const { count } = await database
        .tables<JobTables>()
        .selectFrom('jobs')
        .select((by) => by.fn.countAll<number>().as('count'))
        .where('account_id', '=', accountId)
        .where('finished_at', 'is', null)
        .executeTakeFirstOrThrow()
      return Number(count)
    },
    removeAccount: async (trx: AnyTransaction, accountId: string): Promise<void> => {
      await rowsIn(trx)
        .deleteFrom('job_attempts')
        .where('job_id', 'in', (eb) => eb.selectFrom('jobs').select('id').where('account_id', '=', accountId))
        .execute()
      await rowsIn(trx).deleteFrom('job_heads').where('share', '=', accountId).execute()
      await rowsIn(trx).deleteFrom('jobs').where('account_id', '=', accountId).execute()
    },
  }
}

/** A job that waits now is told to the heads of the queue. */
const waits = async (trx: AnyTransaction, row: JobRow | undefined): Promise<JobRow | undefined> => {
  if (row) await offerHead(trx, row)
  return row
}
