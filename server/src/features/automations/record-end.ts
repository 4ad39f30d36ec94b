/** Records how a run of an automation ended, with what follows from it in the same transaction. */
import type { RunReason } from '@atrium/contract/automations'
import type { Usage } from '@atrium/contract/generation'
import { type AutomationContext, announceChanges, changeEvent } from './context.ts'
import { addUsage, endWaiting } from './costs.ts'
import { countFailure } from './stores/failures.ts'
import { endWell } from './stores/open-runs.ts'
import { changeRun, dispatchWaiting } from './stores/run-changes.ts'
import type { AutomationTables, RunRow } from './tables.ts'

export interface RunEnd {
  readonly state: 'succeeded' | 'failed' | 'cancelled' | 'missed' | 'skipped'
  readonly reason: RunReason | null
  /** Tokens and cost of its last try; absent where it asked no model. */
  readonly usage?: Usage | null
}

/** Records an end once, notifies the owner as the automation says, and lets waiting runs begin. false: the run changed since it was read. */
export const recordEnd = async (
  context: AutomationContext,
  run: RunRow,
  { state, reason, usage = null }: RunEnd,
): Promise<boolean> => {
  const now = context.clock.now()
  const automation = await context.automations.read(run.automation_id, null)
  const publisher = await context.notifications.publisher([run.account_id])
  const announcement = await context.prepareAnnouncement(run.account_id, changeEvent)
  const seen: 0 | 1 = state === 'cancelled' ? 1 : 0
  let isAwaited = false
  const ended = await context.database.write<AutomationTables, boolean>(async (trx) => {
    const { input_tokens, output_tokens, cost, currency } = addUsage(run, usage)
    const used = { input_tokens, output_tokens, cost, currency, ...endWaiting(run, now) }
    const ended = { state, reason, ended_at: now, seen, ...used }
    const row = await changeRun(trx, run, ended)
    if (!row) return false
    const isPaused = await countFailure(trx, run.automation_id, state)
    isAwaited = await dispatchWaiting(trx, [run.automation_id])
    await announcement.write(trx)
    const about = {
      accountId: run.account_id,
      sourceKey: `automation-run:${run.id}`,
      about: `automation:${run.automation_id}`,
    }
    const facts = { automationId: run.automation_id, runId: run.id, name: automation?.content.name ?? '' }
    const { notify } = automation?.content ?? { notify: 'off' }
    if (state === 'succeeded' && notify === 'results' && row.session_id !== null)
      await publisher.publish(trx, {
        ...about,
        kind: 'automation-result',
        facts: { ...facts, sessionId: row.session_id },
      })
    // A paused automation is always reported, as it runs no more.
    if (state === 'failed' && (notify !== 'off' || isPaused))
      await publisher.publish(trx, {
        ...about,
        kind: 'automation-failed',
        facts: { ...facts, reason: reason ?? 'internal', paused: isPaused },
      })
    return true
  })
  if (!ended) return false
  await publisher.tell()
  // Another run waited for the end of this one, and begins now.
  if (isAwaited) context.wake()
  await announcement.tell()
  return true
}

/** Records that runs without a model ended well, all in one transaction. Their owners are not notified of such ends. */
export const recordEnds = async (context: AutomationContext, runs: readonly RunRow[]): Promise<void> => {
  if (runs.length === 0) return
  let isAwaited = false
  const ended = await context.database.write<AutomationTables, string[]>(async (trx) => {
    const rows = await endWell(trx, runs, context.clock.now())
    const automationIds = [...new Set(rows.map(({ automation_id }) => automation_id))]
    isAwaited = automationIds.length > 0 && (await dispatchWaiting(trx, automationIds))
    return rows.map(({ account_id }) => account_id)
  })
  if (isAwaited) context.wake()
  await announceChanges(context, ended)
}
