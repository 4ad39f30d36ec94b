/** Runs begin and end, many in a few statements. */
import type { Transaction } from 'kysely'
import type { AutomationTables, RunRow } from '../tables.ts'

type RunTransaction = Transaction<AutomationTables>
type RunKey = Pick<RunRow, 'id' | 'tries'>

/** The automations among these of which a run goes on. */
export const busyAmong = async (
  trx: RunTransaction,
  automationIds: readonly string[],
): Promise<ReadonlySet<string>> => {
  const rows = await trx
    .selectFrom('automation_runs')
    .select('automation_id')
    .distinct()
    .where('automation_id', 'in', automationIds)
    .where('state', 'in', ['running', 'waiting'])
    .execute()
  return new Set(rows.map(({ automation_id }) => automation_id))
}

/** Runs that begin. `runs` wait, have this long, and are of different automations. Gives those that did wait, as they go on. */
export const beginWaiting = async (
  trx: RunTransaction,
  runs: readonly (RunKey & { readonly timeoutMs: number })[],
  now: number,
): Promise<RunRow[]> => {
  const begun: RunRow[] = []
  for (const [timeoutMs, some] of Map.groupBy(runs, (run) => run.timeoutMs))
    begun.push(
      ...(await trx
        .updateTable('automation_runs')
        .set((by) => ({
          state: 'running',
          started_at: now,
          deadline_at: now + timeoutMs,
          tries: by('tries', '+', 1),
          waiting_since: null,
          waited_ms: 0,
          generation_id: null,
          message_id: null,
        }))
        .where((by) => by.or(some.map(({ id, tries }) => by.and({ id, tries }))))
        .where('state', '=', 'queued')
        .returningAll()
        .execute()),
    )
  return begun
}

/** Runs that ask no model end well. Gives those that did go on in this try. */
export const endWell = async (trx: RunTransaction, runs: readonly RunKey[], now: number) => {
  const ended = await trx
    .updateTable('automation_runs')
    .set({ state: 'succeeded', reason: null, ended_at: now, seen: 0 })
    .where((by) => by.or(runs.map(({ id, tries }) => by.and({ id, tries }))))
    .where('state', '=', 'running')
    .where('generation_id', 'is', null)
    .returning(['id', 'automation_id', 'account_id'])
    .execute()
  const ids = ended.map(({ automation_id }) => automation_id)
  if (ids.length > 0)
    await trx.updateTable('automations').set({ failures: 0 }).where('id', 'in', ids).where('failures', '>', 0).execute()
  return ended
}

/** A job was made for these; not of what another one was made for, or that is to get another one. Gives how many. */
export const markDispatched = async (
  trx: RunTransaction,
  runs: readonly Pick<RunRow, 'id' | 'dispatches'>[],
): Promise<number> => {
  const marked = await trx
    .updateTable('automation_runs')
    .set({ dispatched: 1 })
    .where((by) => by.or(runs.map(({ id, dispatches }) => by.and({ id, dispatches }))))
    .where('dispatched', '=', 0)
    .returning('id')
    .execute()
  return marked.length
}
