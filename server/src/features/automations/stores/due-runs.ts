/** What is due is taken, many automations in a few statements. */
import { mostWaitingRuns } from '@atrium/contract/automations'
import type { Transaction } from 'kysely'
import type { StoredAutomation } from '../context.ts'
import type { AutomationTables, RunRow } from '../tables.ts'

type RunTransaction = Transaction<AutomationTables>

/** An automation whose time has come: when it runs next, and the runs that begin, or were missed, meanwhile. */
export interface DuePlan {
  readonly automation: Pick<StoredAutomation, 'id' | 'accountId' | 'version' | 'nextRunAt'>
  readonly next: number | null
  readonly rows: readonly RunRow[]
}

/**
 * Moves the times of automations on, and adds their runs. Gives the plans that were carried out: of the others another
 * process did so, or their owner changed them. Each automation is in one plan.
 */
export const moveAllOn = async (trx: RunTransaction, plans: readonly DuePlan[]): Promise<DuePlan[]> => {
  const moved = await moveTimes(trx, plans)
  const carriedOut = plans.filter(({ automation }) => moved.has(automation.id))
  const ids = carriedOut.filter(({ rows }) => rows.length > 0).map(({ automation }) => automation.id)
  if (ids.length === 0) return carriedOut
  const rows = withinLimit(
    await countWaiting(trx, ids),
    carriedOut.flatMap((plan) => plan.rows),
  )
  const added = await addRuns(trx, rows)
  await noteStarts(
    trx,
    rows.filter(({ id }) => added.has(id)),
  )
  return carriedOut
}

const moveTimes = async (trx: RunTransaction, plans: readonly DuePlan[]): Promise<ReadonlySet<string>> => {
  const moved = await trx
    .updateTable('automations')
    .set((by) => ({
      next_run_at: plans
        .slice(1)
        .reduce(
          (cases, { automation, next }) => cases.when('id', '=', automation.id).then(next),
          by
            .case()
            .when('id', '=', plans[0]?.automation.id ?? '')
            .then(plans[0]?.next ?? null),
        )
        .else(by.ref('next_run_at'))
        .end(),
      version: by('version', '+', 1),
    }))
    .where((by) =>
      by.or(plans.map(({ automation: { id, version, nextRunAt } }) => by.and({ id, version, next_run_at: nextRunAt }))),
    )
    .returning('id')
    .execute()
  return new Set(moved.map(({ id }) => id))
}

const countWaiting = async (trx: RunTransaction, ids: readonly string[]): Promise<ReadonlyMap<string, number>> => {
  const rows = await trx
    .selectFrom('automation_runs')
    .select(['automation_id', (by) => by.fn.countAll<number>().as('count')])
    .where('automation_id', 'in', ids)
    .where('state', '=', 'queued')
    .groupBy('automation_id')
    .execute()
  return new Map(rows.map(({ automation_id, count }) => [automation_id, Number(count)]))
}

/** Where too many wait, a run is skipped: no time goes by without a trace. */
const withinLimit = (waiting: ReadonlyMap<string, number>, rows: readonly RunRow[]): RunRow[] => {
  const counts = new Map(waiting)
  return rows.map((row) => {
    if (row.state !== 'queued') return row
    const count = counts.get(row.automation_id) ?? 0
    counts.set(row.automation_id, count + 1)
    if (count < mostWaitingRuns) return row
    return { ...row, state: 'skipped', reason: 'overlap', ended_at: row.created_at, seen: 0 }
  })
}

/** Gives the ids of those that were added: an occurrence that has a run keeps that one. */
const addRuns = async (trx: RunTransaction, rows: readonly RunRow[]): Promise<ReadonlySet<string>> => {
  const added = new Set<string>()
  for (let begin = 0; begin < rows.length; begin += rowsAtOnce) {
    const made = await trx
      .insertInto('automation_runs')
      .values(rows.slice(begin, begin + rowsAtOnce))
      .onConflict((on) => on.columns(['automation_id', 'occurrence']).doNothing())
      .returning('id')
      .execute()
    for (const { id } of made) added.add(id)
  }
  return added
}

/** A row has some thirty values, and a statement takes 32,766 of them at most. */
const rowsAtOnce = 500

/** The last run of each automation, and how often its triggers started it. */
const noteStarts = async (trx: RunTransaction, added: readonly RunRow[]): Promise<void> => {
  const byAutomation = Map.groupBy(added, ({ automation_id }) => automation_id)
  const groups = Map.groupBy(byAutomation.keys(), (id) => countQueued(byAutomation.get(id)))
  // Nearly always all of them started once.
  for (const [starts, ids] of groups)
    await trx
      .updateTable('automations')
      .set((by) => ({
        started_count: by('started_count', '+', starts),
        last_run_id: by
          .selectFrom('automation_runs')
          .select('automation_runs.id')
          .whereRef('automation_runs.automation_id', '=', 'automations.id')
          .where(
            'automation_runs.id',
            'in',
            ids.map((id) => byAutomation.get(id)?.at(-1)?.id ?? ''),
          ),
      }))
      .where('id', 'in', ids)
      .execute()
}

const countQueued = (rows: readonly RunRow[] = []): number => rows.filter(({ state }) => state === 'queued').length
