/** What becomes of a run: it begins once, is asked in a chat, and ends as its answer does. */
import type { AutomationContent, RunReason } from '@atrium/contract/automations'
import type { Usage } from '@atrium/contract/generation'
import { isRefusal } from '../../platform/http/refusal.ts'
import { type AutomationContext, type StoredAutomation, announceChange } from './context.ts'
import { promptOf } from './content.ts'
import { addUsage, costLeft, endWaiting, mayCostMore, mayRunMore, monthStart } from './costs.ts'
import { postResult } from './post-result.ts'
import { type RunEnd, recordEnd } from './record-end.ts'
import { retryDelay } from './schedule.ts'
import { changeRun, runningBeside } from './stores/run-changes.ts'
import type { AutomationTables, RunRow } from './tables.ts'

const dayMs = 24 * 3600_000
const minuteMs = 60_000
const mostBeside = 5

/** Begins a run, and asks. It may be called again, also after a crash in the middle. */
export const beginRun = async (context: AutomationContext, runId: string): Promise<void> => {
  const run = await context.runs.read(runId, null)
  const automation = run && (await context.automations.read(run.automation_id, null))
  if (!run || !automation) return
  const begun = run.state === 'queued' ? await begin(context, run, automation) : run
  if (begun?.state !== 'running' || begun.generation_id !== null) return
  if (automation.content.asksModel) await ask(context, begun, automation)
  else await handOn(context, begun)
}

/** The run as it goes on; null: it does not. */
const begin = async (
  context: AutomationContext,
  run: RunRow,
  { content }: StoredAutomation,
): Promise<RunRow | null> => {
  const now = context.clock.now()
  if (run.started_by === 'schedule' && run.tries === 0 && run.due_at < now - dayMs) {
    await recordEnd(context, run, { state: 'missed', reason: 'too_late' })
    return null
  }
  const month = await context.runs.sumSince([run.automation_id], monthStart(now))
  const spent = month.get(run.automation_id)
  if (spent && !mayRunMore(content, spent)) {
    await recordEnd(context, run, { state: 'skipped', reason: 'over_limit' })
    return null
  }
  const { begun, beside, isSkipped } = await context.database.write<
    AutomationTables,
    { begun: RunRow | null; beside: RunRow[]; isSkipped: boolean }
  >(async (trx) => {
    const others = await runningBeside(trx, run)
    const isBusy = others.length >= (content.overlap === 'parallel' ? mostBeside : 1)
    if (isBusy && content.overlap === 'skip') {
      const skipped = await changeRun(trx, run, { state: 'skipped', reason: 'overlap', ended_at: now })
      return { begun: null, beside: [], isSkipped: skipped !== null }
    }
    if (isBusy && content.overlap !== 'cancel') {
      // It gets another job once one of the others has ended.
      await changeRun(trx, run, { due_at: now })
      return { begun: null, beside: [], isSkipped: false }
    }
    const row = await changeRun(trx, run, {
      state: 'running',
      started_at: now,
      deadline_at: now + content.timeoutMinutes * minuteMs,
      tries: run.tries + 1,
      waiting_since: null,
      waited_ms: 0,
      generation_id: null,
      message_id: null,
    })
    return { begun: row, beside: isBusy ? others : [], isSkipped: false }
  })
  for (const other of beside) await cancelOpen(context, other, 'overlap')
  if (begun ?? isSkipped) await announceChange(context, run.account_id)
  return begun
}

/** Without a model, the automation's own text goes to its target, and the run ends. */
const handOn = async (context: AutomationContext, run: RunRow): Promise<void> => {
  const reason = await postResult(context, run)
  await recordEnd(context, run, { state: reason === null ? 'succeeded' : 'failed', reason })
}

const ask = async (
  context: AutomationContext,
  run: RunRow,
  { content, ...automation }: StoredAutomation,
): Promise<void> => {
  const { chats, vault } = context
  const accountId = run.account_id
  const goesOn = content.target.kind === 'chat' ? content.target.sessionId : null
  const sessionId = goesOn ?? run.id
  const keyring = await vault.keyring(accountId)
  const payload = run.payload && keyring.open('automation_runs.payload', run.id, run.payload)
  try {
    const { messageId, generationId } = await chats.ask({
      accountId,
      sessionId,
      newTitle: goesOn === null ? content.name : null,
      ...promptOf(content.instructions, payload),
      selection: content.selection,
      webSearch: content.webSearch,
      tools: content.tools,
      scope: content,
      mostCost: costLeft(content, run),
      // The same try asks once, whatever happens on the way.
      name: `${run.id}-${run.tries}`,
    })
    const answer = { session_id: sessionId, message_id: messageId, generation_id: generationId }
    const kept = await context.runs.attachAnswer(run, answer)
    // It was cancelled meanwhile.
    if (!kept) return await chats.stop(accountId, messageId)
    await announceChange(context, accountId)
    follow(context, kept)
  } catch (error) {
    if (!isRefusal(error)) throw error
    const reason = reasonOf(error.code)
    context.log.info('A run of an automation could not begin.', { automation: automation.id, reason })
    await fail(context, run, content, { reason, usage: null })
  }
}

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
    if (automation) await fail(context, run, automation.content, news)
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

const fail = async (
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
const reasonOf = (code: string | null): RunReason => {
  if (code !== null && code.startsWith('provider_')) return 'provider_failed'
  return (code !== null && reasons[code]) || 'internal'
}
