/** How an event starts an automation, within a transaction. */
import type { Transaction } from 'kysely'
import { minuteMs } from '../../../platform/time/index.ts'
import type { StoredAutomation } from '../context.ts'
import type { AutomationTables, RunRow } from '../tables.ts'
import { addRun } from './run-changes.ts'

/** Adds the run, unless this event, or another one in the same minute, started the automation. */
export const addEventRun = async (
  trx: Transaction<AutomationTables>,
  { automation: { id, content }, row }: { readonly automation: StoredAutomation; readonly row: RunRow },
): Promise<boolean> => {
  const there = await trx
    .selectFrom('automation_runs')
    .select('id')
    .where('automation_id', '=', id)
    .where('occurrence', '=', row.occurrence)
    .executeTakeFirst()
  if (there) return false
  const { mostRuns } = content
  const starts = row.state === 'queued' ? 1 : 0
  const taken = await trx
    .updateTable('automations')
    .set((by) => ({
      event_fired_at: row.scheduled_for,
      started_count: by('started_count', '+', starts),
      version: by('version', '+', 1),
    }))
    .where('id', '=', id)
    .where('status', '=', 'active')
    .where((by) =>
      by.or([
        by('event_fired_at', 'is', null),
        by('event_fired_at', '<=', row.scheduled_for - minuteMs),
        // The clock was put back: it would start nothing until then.
        by('event_fired_at', '>', row.created_at + minuteMs),
      ]),
    )
    .$if(mostRuns !== null, (query) => query.where('started_count', '<', mostRuns ?? 0))
    .returning('id')
    .executeTakeFirst()
  if (!taken) return false
  if ((await addRun(trx, row)) === 'full')
    await addRun(trx, { ...row, state: 'skipped', reason: 'overlap', ended_at: row.created_at, seen: 0 })
  return true
}
