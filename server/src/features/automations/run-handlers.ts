/** Runs: started by hand, listed, stopped, tried again, seen. */
import type { automationsRoutes } from '@atrium/contract/automations'
import type { Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import { dayMs, dayOf, formatDay, wallAt, zoneNamed } from '../../platform/time/index.ts'
import { type AutomationContext, type StoredAutomation, announceChange } from './context.ts'
import { ProviderFailure } from '../../providers/types.ts'
import { promptOf } from './content.ts'
import { fillText } from './targets/text.ts'
import { cancelOpen, isEnded } from './execute.ts'
import { withinDepth } from './events/prepare-run.ts'
import { requireAutomation } from './handlers.ts'
import { addRun, isThere } from './stores/run-changes.ts'
import { newRun, rowToRun } from './stores/runs.ts'
import type { AutomationTables, RunRow } from './tables.ts'

type Routes = Pick<
  typeof automationsRoutes,
  'run' | 'runs' | 'seen' | 'summary' | 'readRun' | 'cancelRun' | 'retryRun' | 'dryRun'
>

const summaryDays = 30

export const runHandlers = (context: AutomationContext): Handlers<Routes> => ({
  async run({ params, body }, { caller, answerStatus }) {
    const automation = await requireAutomation(context, params.automationId, caller.accountId)
    answerStatus(202)
    const payload = body?.payload === undefined ? null : JSON.stringify(body.payload, null, 2)
    return { runId: await startRun(context, automation, { by: 'manual', payload, name: null }) }
  },

  async dryRun({ params, body }, { caller, signal }) {
    const { content } = await requireAutomation(context, params.automationId, caller.accountId)
    const payload = body?.payload === undefined ? null : JSON.stringify(body.payload, null, 2)
    if (!content.asksModel) return { question: null, text: fillText(content.instructions, payload, (value) => value) }
    const { text: question } = promptOf(content.instructions, payload)
    const asked = { selection: content.selection, text: question }
    try {
      return { question, text: await context.chats.tryOut(caller.accountId, asked, signal) }
    } catch (error) {
      if (error instanceof ProviderFailure) throw fail('provider_failed', error.message)
      throw error
    }
  },

  async runs({ query }, { caller }) {
    const { items, nextCursor } = await context.runs.page(caller.accountId, query)
    return { items: items.map(rowToRun), nextCursor }
  },

  async seen(_input, { caller }) {
    const marked = await context.runs.markSeen(caller.accountId)
    if (marked > 0) await announceChange(context, caller.accountId)
    return { marked }
  },

  async summary({ query }, { caller }) {
    const zone = zoneNamed(query.timeZone ?? 'UTC')
    if (zone === null) throw fail('trigger_invalid', 'This time zone doesn’t exist.')
    const today = dayOf(wallAt(zone, context.clock.now()))
    const first = today - (summaryDays - 1) * dayMs
    const days = Array.from({ length: summaryDays }, (_, index) => ({
      day: formatDay(first + index * dayMs),
      succeeded: 0,
      failed: 0,
    }))
    // A day more on either side, as zones are up to fourteen hours off.
    for (const { at, succeeded, failed } of await context.runs.countEnds(caller.accountId, first - dayMs)) {
      const day = days[Math.round((dayOf(wallAt(zone, at)) - first) / dayMs)]
      if (day) {
        day.succeeded += succeeded
        day.failed += failed
      }
    }
    return { unseenCount: await context.runs.countUnseen(caller.accountId), days }
  },

  async readRun({ params }, { caller }) {
    const run = await requireRun(context, params.runId, caller.accountId)
    const keyring = await context.vault.keyring(run.account_id)
    return { ...rowToRun(run), payload: run.payload && keyring.open('automation_runs.payload', run.id, run.payload) }
  },

  async cancelRun({ params }, { caller }) {
    const run = await requireRun(context, params.runId, caller.accountId)
    if (!(await cancelOpen(context, run, 'stopped'))) throw fail('automation_run_ended')
    return rowToRun(await requireRun(context, params.runId, caller.accountId))
  },

  async retryRun({ params }, { caller, answerStatus }) {
    const run = await requireRun(context, params.runId, caller.accountId)
    if (!isEnded(run)) throw fail('automation_run_not_ended')
    const automation = await requireAutomation(context, run.automation_id, caller.accountId)
    const keyring = await context.vault.keyring(run.account_id)
    const payload = run.payload && keyring.open('automation_runs.payload', run.id, run.payload)
    answerStatus(202)
    return { runId: await startRun(context, automation, { by: 'manual', payload, name: null }) }
  },
})

/**
 * Starts a run now, and gives its id: that of an earlier one of the same name. Refuses with `automation_run_limit`.
 * `payload`: what it brings along, as JSON.
 */
export const startRun = async (
  context: AutomationContext,
  { id: automationId, accountId }: Pick<StoredAutomation, 'id' | 'accountId'>,
  {
    by,
    payload,
    name,
    depth = 1,
  }: {
    readonly by: 'manual' | 'webhook'
    readonly payload: string | null
    readonly name: string | null
    /** How many automations had started each other by then, this one included. */
    readonly depth?: number
  },
): Promise<string> => {
  const { clock, database, runs, vault } = context
  const keyring = await vault.keyring(accountId)
  const id = clock.id()
  const now = clock.now()
  const occurrence = `${by}:${name ?? id}`
  const row = withinDepth(
    newRun({
      id,
      automation_id: automationId,
      account_id: accountId,
      occurrence,
      started_by: by,
      scheduled_for: now,
      payload: payload === null ? null : keyring.seal('automation_runs.payload', id, payload),
      created_at: now,
      depth,
    }),
  )
  const outcome = await database.write<AutomationTables, 'added' | 'taken' | 'full' | 'gone'>(async (trx) =>
    (await isThere(trx, automationId)) ? await addRun(trx, row) : 'gone',
  )
  if (outcome === 'gone') throw fail('automation_not_found')
  if (outcome === 'full') throw fail('automation_run_limit')
  if (outcome === 'taken') return (await runs.ofOccurrence(automationId, occurrence))?.id ?? id
  context.wake()
  await announceChange(context, accountId)
  return id
}

/** Refuses with `automation_run_not_found`. */
const requireRun = async ({ runs }: AutomationContext, id: string, accountId: string): Promise<RunRow> => {
  const run = await runs.read(id, accountId)
  if (!run) throw fail('automation_run_not_found')
  return run
}
