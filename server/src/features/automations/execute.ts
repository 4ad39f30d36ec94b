/** What becomes of a run that was asked in a chat: it ends as its answer does, waits for its owner, or is tried again. */
import type { AutomationContent, RunReason } from '@atrium/contract/automations'
import type { Usage } from '@atrium/contract/generation'
import { type AutomationContext, announceChange } from './context.ts'
import { addUsage, endWaiting, mayCostMore } from './costs.ts'
import { postResult } from './post-result.ts'
import { type RunEnd, recordEnd } from './record-end.ts'
import { retryDelay } from './schedule.ts'
import { changeRun } from './stores/run-changes.ts'
import type { AutomationTables, RunRow } from './tables.ts'

const minuteMs = 60_000

/** Ends the run once its answer, if it is written in this process, has ended. Nobody waits for it. */
export const follow = (context: AutomationContext, run: RunRow): void => {
  if (run.generation_id === null) return
  context.chats
    .waitUntilEnded(run.generation_id)
    .then(() => finishRun(context, run))
    .catch((error: unknown) => {
      // The next look finds it.
      context.log.warn('The end of a run of an automation could not be recorded yet.', { error })
    })
}

/** Records the state of the answer of a run: that it ended, waits for its owner, goes on again, or took too long. */
export const finishRun = async (context: AutomationContext, run: RunRow): Promise<void> => {
  const news = await newsOf(context, run)
  if (news === null) return
  if ('generationId' in news) return await moveRun(context, run, news)
  if (news.state === 'succeeded') {
    const reason = await postResult(context, run)
    if (reason !== null) return void (await stopRun(context, run, { state: 'failed', reason, usage: news.usage }))
  }
  if (news.state === 'failed' && !news.isFinal) {
    const automation = await context.automations.read(run.automation_id, null)
    if (automation) await failRun(context, run, automation.content, news)
  } else await stopRun(context, run, news)
}

type News =
  | { readonly state: 'succeeded' | 'cancelled'; readonly reason: RunReason | null; readonly usage: Usage | null }
  /** `isFinal`: it is not tried again. */
  | {
      readonly state: 'failed'
      readonly reason: RunReason
      readonly isFinal: boolean
      readonly usage: Usage | null
    }
  | { readonly state: 'waiting' | 'running'; readonly generationId: string }

/** What changed since the run was read; null: nothing. */
const newsOf = async (context: AutomationContext, run: RunRow): Promise<News | null> => {
  const isLate = (run.deadline_at ?? Infinity) <= context.clock.now()
  const tooLate: News | null = isLate ? { state: 'failed', reason: 'timed_out', isFinal: true, usage: null } : null
  // Without an answer its job is about to ask, and is tried again where its process died.
  if (run.message_id === null) return tooLate
  const answer = await context.chats.outcome(run.account_id, run.message_id)
  if (answer === null) return { state: 'failed', reason: 'chat_gone', isFinal: false, usage: null }
  const { state, generationId, hadEffect, usage } = answer
  if (state === 'waiting') return run.state === 'waiting' ? null : { state, generationId }
  if (state === 'running') return run.state === 'waiting' ? { state, generationId } : tooLate
  if (state === 'done') return { state: 'succeeded', reason: null, usage }
  if (state === 'cancelled') return { state: 'cancelled', reason: 'stopped', usage }
  const reason = state === 'interrupted' ? 'interrupted' : reasonOf(answer.failure)
  // Another try would repeat what a tool did.
  return { state: 'failed', reason, isFinal: hadEffect, usage }
}

/** The run waits for its owner, who has a day to decide about a call; or it goes on, with its whole time again. */
const moveRun = async (
  context: AutomationContext,
  run: RunRow,
  { state, generationId }: Extract<News, { state: 'waiting' | 'running' }>,
): Promise<void> => {
  const automation = await context.automations.read(run.automation_id, null)
  const minutes = automation?.content.timeoutMinutes ?? 0
  const now = context.clock.now()
  const isWaiting = state === 'waiting'
  const times = {
    ...endWaiting(run, now),
    ...(isWaiting && { waiting_since: now }),
    deadline_at: isWaiting ? null : now + minutes * minuteMs,
  }
  const moved = await context.database.write<AutomationTables, RunRow | null>((trx) =>
    changeRun(trx, run, { state, ...times, generation_id: generationId }),
  )
  if (!moved) return
  await announceChange(context, run.account_id)
  follow(context, moved)
}

/** Records how a run ended, and stops what goes on of it. false: it went on since it was read. */
const stopRun = async (context: AutomationContext, run: RunRow, end: RunEnd): Promise<boolean> => {
  // First, so that the end of its answer is not taken for the end of the run.
  if (!(await recordEnd(context, run, end))) return false
  if (run.message_id !== null && end.state !== 'succeeded') await context.chats.stop(run.account_id, run.message_id)
  return true
}

/** Cancels a run that waits or goes on, whatever it does meanwhile. false: it has ended, or is gone. */
export const cancelOpen = async (
  context: AutomationContext,
  run: RunRow,
  reason: 'overlap' | 'stopped',
): Promise<boolean> => {
  for (let now: RunRow | null = run; now && !isEnded(now); now = await context.runs.read(run.id, null))
    if (await stopRun(context, now, { state: 'cancelled', reason })) return true
  return false
}

const open: ReadonlySet<RunRow['state']> = new Set(['queued', 'running', 'waiting'])
export const isEnded = ({ state }: Pick<RunRow, 'state'>): boolean => !open.has(state)

/** What passes by itself is tried again. */
const passing: ReadonlySet<RunReason> = new Set([
  'chat_busy',
  'provider_failed',
  'model_unavailable',
  'interrupted',
  'internal',
])

/** The run has failed for now: it is tried again where that may help, and its owner wants it. */
export const failRun = async (
  context: AutomationContext,
  run: RunRow,
  content: AutomationContent,
  { reason, usage }: { readonly reason: RunReason; readonly usage: Usage | null },
): Promise<void> => {
  const spent = addUsage(run, usage)
  if (!passing.has(reason) || run.tries > content.retries || !mayCostMore(content, spent)) {
    await recordEnd(context, run, { state: 'failed', reason, usage })
    return
  }
  const dueAt = context.clock.now() + retryDelay(run.tries)
  const queued = await context.database.write<AutomationTables, RunRow | null>((trx) =>
    changeRun(trx, run, {
      state: 'queued',
      due_at: dueAt,
      dispatched: 0,
      dispatches: run.dispatches + 1,
      reason,
      input_tokens: spent.input_tokens,
      output_tokens: spent.output_tokens,
      cost: spent.cost,
      currency: spent.currency,
    }),
  )
  if (!queued) return
  context.wake()
  await announceChange(context, run.account_id)
}

const reasons: Readonly<Record<string, RunReason>> = {
  chat_not_found: 'chat_gone',
  generation_running: 'chat_busy',
  rate_limited: 'chat_busy',
  unavailable: 'interrupted',
  model_unavailable: 'model_unavailable',
  over_budget: 'over_budget',
  cost_limit: 'cost_limit',
  context_overflow: 'context_overflow',
  web_search_unavailable: 'web_search_unavailable',
  tool_unavailable: 'tool_unavailable',
  api_key_needed: 'model_unavailable',
}

/** Why, by the code of a refusal or of the failure of an answer. */
export const reasonOf = (code: string | null): RunReason => {
  if (code !== null && code.startsWith('provider_')) return 'provider_failed'
  return (code !== null && reasons[code]) || 'internal'
}
