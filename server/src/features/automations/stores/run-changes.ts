/** How runs come and change within transactions. */
import { mostWaitingRuns } from '@atrium/contract/automations'
import type { Transaction } from 'kysely'
import type { AutomationTables, RunRow } from '../tables.ts'
import type { StoredAutomation } from '../context.ts'

type RunTransaction = Transaction<AutomationTables>

/** Adds a run within a transaction; `taken`: its occurrence has one, `full`: too many wait. */
export const addRun = async (trx: RunTransaction, row: RunRow): Promise<'added' | 'taken' | 'full'> => {
  const { count } = await trx
    .selectFrom('automation_runs')
    .select((by) => by.fn.countAll<number>().as('count'))
    .where('automation_id', '=', row.automation_id)
    .where('state', '=', 'queued')
    .executeTakeFirstOrThrow()
  if (Number(count) >= mostWaitingRuns && row.state === 'queued') return 'full'
  const made = await trx
    .insertInto('automation_runs')
    .values(row)
    .onConflict((on) => on.columns(['automation_id', 'occurrence']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) return 'taken'
  await trx.updateTable('automations').set({ last_run_id: row.id }).where('id', '=', row.automation_id).execute()
  return 'added'
}

/** What of an automation goes on beside a run that is to begin. */
export const runningBeside = (trx: RunTransaction, { id, automation_id }: Pick<RunRow, 'id' | 'automation_id'>) =>
  trx
    .selectFrom('automation_runs')
    .selectAll()
    .where('automation_id', '=', automation_id)
    .where('state', 'in', ['running', 'waiting'])
    .where('id', '!=', id)
    .execute()

/** null: it went on since it was read, to another state, try or answer. */
export const changeRun = async (
  trx: RunTransaction,
  { id, state, tries, generation_id }: Pick<RunRow, 'id' | 'state' | 'tries' | 'generation_id'>,
  values: Partial<RunRow>,
): Promise<RunRow | null> => {
  const row = await trx
    .updateTable('automation_runs')
    .set(values)
    .where('id', '=', id)
    .where('state', '=', state)
    .where('tries', '=', tries)
    .where((by) => (generation_id === null ? by('generation_id', 'is', null) : by('generation_id', '=', generation_id)))
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/** What waits for an automation gets another job. Gives whether anything does. */
export const dispatchWaiting = async (trx: RunTransaction, automationId: string): Promise<boolean> => {
  const waiting = await trx
    .updateTable('automation_runs')
    .set((by) => ({ dispatched: 0, dispatches: by('dispatches', '+', 1) }))
    .where('automation_id', '=', automationId)
    .where('state', '=', 'queued')
    .returning('id')
    .execute()
  return waiting.length > 0
}

/**
 * Moves the time of an automation on, and adds the runs that begin, or were missed, meanwhile. false: another process did
 * so, or its owner changed it.
 */
export const moveOn = async (
  trx: RunTransaction,
  { id, version, nextRunAt }: StoredAutomation,
  { next, rows }: { readonly next: number | null; readonly rows: readonly RunRow[] },
): Promise<boolean> => {
  const moved = await trx
    .updateTable('automations')
    .set((by) => ({ next_run_at: next, version: by('version', '+', 1) }))
    .where('id', '=', id)
    .where('version', '=', version)
    .where('next_run_at', '=', nextRunAt)
    .returning('id')
    .executeTakeFirst()
  if (!moved) return false
  let started = 0
  for (const row of rows) {
    const outcome = await addRun(trx, row)
    if (outcome === 'added' && row.state === 'queued') started += 1
    // No time goes by without a trace.
    if (outcome === 'full')
      await addRun(trx, { ...row, state: 'skipped', reason: 'overlap', ended_at: row.created_at, seen: 0 })
  }
  if (started > 0)
    await trx
      .updateTable('automations')
      .set((by) => ({ started_count: by('started_count', '+', started) }))
      .where('id', '=', id)
      .execute()
  return true
}

export const isThere = async (trx: RunTransaction, automationId: string): Promise<boolean> =>
  (await trx.selectFrom('automations').select('id').where('id', '=', automationId).executeTakeFirst()) !== undefined
