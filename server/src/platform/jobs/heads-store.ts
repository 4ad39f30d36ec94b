/**
 * The heads of the queue: of each account and kind, when its oldest waiting job is due. A worker finds what is next in
 * them however many accounts wait. One that is too early costs a look; one that is missing would keep a job waiting.
 */
import { sql } from 'kysely'
import { type AnyTransaction, type Database, inTables } from '../db/types.ts'
import type { JobHeadRow, JobTables } from './tables.ts'

type Line = Pick<JobHeadRow, 'share' | 'kind'>

/** Tells of a job that waits now, in the transaction that queues it. */
export const offerHead = async (trx: AnyTransaction, { share, kind, due_at }: JobHeadRow): Promise<void> => {
  const rows = inTables<JobTables>(trx)
  // PostgreSQL does not count a conflict that changes nothing as a read: whoever takes the last job of the line at the
  // same time would remove the head, and neither would be told of the other. It does count this one.
  const head = await rows
    .selectFrom('job_heads')
    .select('due_at')
    .where('share', '=', share)
    .where('kind', '=', kind)
    .executeTakeFirst()
  if (head && head.due_at <= due_at) return
  await rows
    .insertInto('job_heads')
    .values({ share, kind, due_at })
    .onConflict((on) =>
      on
        .columns(['share', 'kind'])
        .doUpdateSet((eb) => ({ due_at: eb.ref('excluded.due_at') }))
        .where((eb) => eb('job_heads.due_at', '>', eb.ref('excluded.due_at'))),
    )
    .execute()
}

/** Looks for the head of a line again, in the transaction that takes a job from it. */
export const settleHead = async (trx: AnyTransaction, { share, kind }: Line): Promise<void> => {
  const rows = inTables<JobTables>(trx)
  const oldest = await rows
    .selectFrom('jobs')
    .select('due_at')
    .where('state', '=', 'queued')
    .where('share', '=', share)
    .where('kind', '=', kind)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  if (oldest)
    await rows
      .updateTable('job_heads')
      .set({ due_at: oldest.due_at })
      .where('share', '=', share)
      .where('kind', '=', kind)
      .execute()
  else await rows.deleteFrom('job_heads').where('share', '=', share).where('kind', '=', kind).execute()
}

/** Adds heads that are missing: a process of an older version tells of none. */
export const repairHeads = async (database: Database): Promise<void> => {
  // One that was taken meanwhile gets a head that is too early, and that does no harm.
  await sql`
    insert into job_heads (share, kind, due_at)
    select share, kind, min(due_at) from jobs
    where state = 'queued' and not exists (
      select 1 from job_heads h where h.share = jobs.share and h.kind = jobs.kind and h.due_at <= jobs.due_at
    )
    group by share, kind
    on conflict (share, kind) do update set due_at = excluded.due_at
    where job_heads.due_at > excluded.due_at`.execute(database.tables<JobTables>())
}
