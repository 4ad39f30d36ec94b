/** How runs come and change within transactions. */
import { mostWaitingRuns } from '@atrium/contract/automations'
import type { Transaction } from 'kysely'
import type { AutomationTables, RunRow } from '../tables.ts'

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

/** What waits for automations gets another job. Gives whether anything does. */
export const dispatchWaiting = async (trx: RunTransaction, automationIds: readonly string[]): Promise<boolean> => {
  const waiting = await trx
    .updateTable('automation_runs')
    .set((by) => ({ dispatched: 0, dispatches: by('dispatches', '+', 1) }))
    .where('automation_id', 'in', automationIds)
    .where('state', '=', 'queued')
    .returning('id')
    .execute()
  return waiting.length > 0
}

export const isThere = async (trx: RunTransaction, automationId: string): Promise<boolean> =>
  (await trx.selectFrom('automations').select('id').where('id', '=', automationId).executeTakeFirst()) !== undefined
