/** SQL of media jobs. What can be won by one alone, of all processes, is a conditional update. */
import type { MediaJobFailure, MediaJobKind } from '@atrium/contract/media-gallery'
import type { Database } from '../../../platform/db/types.ts'
import type { MediaItemRow, MediaTables } from '../tables.ts'
import type { MediaJobRow, MediaJobTables, MediaPartialRow } from './tables.ts'

export interface JobEnd {
  readonly status: 'completed' | 'failed'
  readonly failure?: MediaJobFailure | null
  readonly missing?: { readonly count: number; readonly reason: MediaJobFailure } | null
}

export const createJobStore = (database: Database) => {
  const tables = database.tables<MediaJobTables & MediaTables>()

  return {
    /** false: the account has a job under this key already. */
    async insert(row: MediaJobRow): Promise<boolean> {
      const added = await tables
        .insertInto('media_jobs')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      return added !== undefined
    },

    async read(accountId: string, id: string): Promise<MediaJobRow | null> {
      const row = await tables
        .selectFrom('media_jobs')
        .selectAll()
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return row ?? null
    },

    async readByKey(accountId: string, digest: string): Promise<MediaJobRow | null> {
      const row = await tables
        .selectFrom('media_jobs')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('key_digest', '=', digest)
        .executeTakeFirst()
      return row ?? null
    },

    list: (
      accountId: string,
      { limit, active, kind }: { limit: number; active: boolean; kind?: MediaJobKind },
    ): Promise<MediaJobRow[]> =>
      tables
        .selectFrom('media_jobs')
        .selectAll()
        .where('account_id', '=', accountId)
        .$if(active, (query) => query.where('ended_at', 'is', null))
        .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? 'video'))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),

    /** What was made by jobs and is in the gallery, by their ids. */
    async madeBy(ids: readonly string[]): Promise<ReadonlyMap<string, MediaItemRow[]>> {
      const made = new Map<string, MediaItemRow[]>()
      if (ids.length === 0) return made
      const rows = await tables
        .selectFrom('media_items')
        .selectAll()
        .where('job_id', 'in', ids)
        .where('deleted_at', 'is', null)
        .orderBy('created_at')
        .orderBy('id')
        .execute()
      for (const row of rows) made.set(row.job_id ?? '', [...(made.get(row.job_id ?? '') ?? []), row])
      return made
    },

    /** Own pictures, newest first, and how many there are. */
    async pictures(accountId: string, limit: number, offset: number) {
      const own = tables
        .selectFrom('media_items')
        .where('account_id', '=', accountId)
        .where('kind', '=', 'image')
        .where('deleted_at', 'is', null)
      const rows = await own
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute()
      const counted = await own.select(({ fn }) => fn.countAll().as('total')).executeTakeFirst()
      return { rows, total: Number(counted?.total ?? 0) }
    },

    /** Whether a job made something, wherever that is now. */
    async hasMade(id: string): Promise<boolean> {
      const row = await tables.selectFrom('media_items').select('id').where('job_id', '=', id).executeTakeFirst()
      return row !== undefined
    },

    /** Changes a job that has not ended; false: it has. */
    async change(id: string, values: Partial<MediaJobRow>): Promise<boolean> {
      const { numUpdatedRows } = await tables
        .updateTable('media_jobs')
        .set(values)
        .where('id', '=', id)
        .where('ended_at', 'is', null)
        .executeTakeFirst()
      return Number(numUpdatedRows) > 0
    },

    /** Ends a job; false: it had ended before, or another one holds it. */
    async end(id: string, { status, failure = null, missing = null }: JobEnd, now: number, lease?: string) {
      const { numUpdatedRows } = await tables
        .updateTable('media_jobs')
        .set({
          status,
          failure,
          missing_count: missing?.count ?? 0,
          missing_reason: missing?.reason ?? null,
          ended_at: now,
          updated_at: now,
          lease: null,
          lease_until: 0,
          ...(status === 'completed' ? { progress: 1000 } : {}),
        })
        .where('id', '=', id)
        .where('ended_at', 'is', null)
        .$if(lease !== undefined, (query) => query.where('lease', '=', lease ?? ''))
        .executeTakeFirst()
      if (Number(numUpdatedRows) === 0) return false
      await tables.deleteFrom('media_job_partials').where('job_id', '=', id).execute()
      return true
    },

    /** Keeps a picture as far as it is, unless a later one is there. */
    async keepPartial(row: MediaPartialRow): Promise<void> {
      await tables
        .insertInto('media_job_partials')
        .values(row)
        .onConflict((conflict) =>
          conflict
            .column('job_id')
            .doUpdateSet({ number: row.number, mime_type: row.mime_type, picture: row.picture })
            .where('media_job_partials.number', '<', row.number),
        )
        .execute()
    },

    async readPartial(accountId: string, jobId: string): Promise<MediaPartialRow | null> {
      const row = await tables
        .selectFrom('media_job_partials')
        .selectAll()
        .where('job_id', '=', jobId)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return row ?? null
    },

    /** The numbers of the newest ones, by job. */
    async partialNumbers(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
      if (ids.length === 0) return new Map()
      const rows = await tables
        .selectFrom('media_job_partials')
        .select(['job_id', 'number'])
        .where('job_id', 'in', ids)
        .execute()
      return new Map(rows.map(({ job_id, number }) => [job_id, number]))
    },

    /** Takes a job to ask about it: one at a time, and not sooner than `gapMs` after the last time. */
    async claim(id: string, lease: string, { now, until, gapMs }: { now: number; until: number; gapMs: number }) {
      const { numUpdatedRows } = await tables
        .updateTable('media_jobs')
        .set({ lease, lease_until: until, asked_at: now })
        .where('id', '=', id)
        .where('ended_at', 'is', null)
        .where('lease_until', '<=', now)
        .where('asked_at', '<=', now - gapMs)
        .executeTakeFirst()
      return Number(numUpdatedRows) > 0
    },

    /** Holds on to a claim; false: somebody else has it, or the job has ended. */
    async extend(id: string, lease: string, until: number): Promise<boolean> {
      const { numUpdatedRows } = await tables
        .updateTable('media_jobs')
        .set({ lease_until: until })
        .where('id', '=', id)
        .where('lease', '=', lease)
        .where('ended_at', 'is', null)
        .executeTakeFirst()
      return Number(numUpdatedRows) > 0
    },

    async release(id: string, lease: string): Promise<void> {
      await tables
        .updateTable('media_jobs')
        .set({ lease: null, lease_until: 0 })
        .where('id', '=', id)
        .where('lease', '=', lease)
        .execute()
    },

    /** Takes a failed job up again; false: it is not failed any more. */
    async reopen(id: string, now: number): Promise<boolean> {
      const { numUpdatedRows } = await tables
        .updateTable('media_jobs')
        .set({ status: 'in_progress', failure: null, ended_at: null, updated_at: now, asked_at: 0, collected: 0 })
        .where('id', '=', id)
        .where('status', '=', 'failed')
        .executeTakeFirst()
      return Number(numUpdatedRows) > 0
    },

    /** Films that the server asks about by itself. */
    toCollect: (now: number, unpolledSince: number, limit: number): Promise<MediaJobRow[]> =>
      tables
        .selectFrom('media_jobs')
        .selectAll()
        .where('ended_at', 'is', null)
        .where('kind', '=', 'video')
        .where('handle', 'is not', null)
        .where('collect_at', '<=', now)
        .where('polled_at', '<=', unpolledSince)
        .orderBy('collect_at')
        .limit(limit)
        .execute(),

    /** What some process makes, or submits, just now. */
    inHand: (): Promise<MediaJobRow[]> =>
      tables
        .selectFrom('media_jobs')
        .selectAll()
        .where('ended_at', 'is', null)
        .where('handle', 'is', null)
        .limit(1000)
        .execute(),

    /** Drops the records of jobs that ended before a time. */
    async prune(before: number): Promise<void> {
      await tables.deleteFrom('media_jobs').where('ended_at', '<', before).execute()
      // A job may have ended while its last one was being kept.
      await tables
        .deleteFrom('media_job_partials')
        .where('job_id', 'not in', (query) => query.selectFrom('media_jobs').select('id').where('ended_at', 'is', null))
        .execute()
    },

    async removeAccount(accountId: string): Promise<void> {
      await tables.deleteFrom('media_jobs').where('account_id', '=', accountId).execute()
      await tables.deleteFrom('media_job_partials').where('account_id', '=', accountId).execute()
    },
  }
}
export type JobStore = ReturnType<typeof createJobStore>
