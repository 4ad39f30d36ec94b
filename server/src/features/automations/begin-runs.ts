/** Begins runs, a batch at a time: those that nothing stands in the way of all together, the others one by one. */
import { isRefusal } from '../../platform/http/refusal.ts'
import { dayMs, minuteMs } from '../../platform/time/index.ts'
import { type AutomationContext, type StoredAutomation, announceChange, announceChanges } from './context.ts'
import { promptOf } from './content.ts'
import { costLeft, mayRunMore, monthStart } from './costs.ts'
import { cancelOpen, failRun, follow, reasonOf } from './execute.ts'
import { postResult } from './post-result.ts'
import { recordEnd, recordEnds } from './record-end.ts'
import { beginWaiting, busyAmong } from './stores/open-runs.ts'
import { changeRun, runningBeside } from './stores/run-changes.ts'
import type { AutomationTables, RunRow } from './tables.ts'

const mostBeside = 5
/** So many runs of a batch are asked, or handed on, side by side. */
const lanes = 4

interface Ready {
  readonly run: RunRow
  readonly automation: StoredAutomation
}

/**
 * Begins runs, and asks. It may be called again for the same ones, also after a crash in the middle. That one fails keeps
 * no other one from beginning; then it rejects once it is through.
 */
export const beginRuns = async (
  context: AutomationContext,
  runIds: readonly string[],
  signal: AbortSignal,
): Promise<void> => {
  const all = await readAll(context, runIds)
  const waiting = await withoutEnded(
    context,
    all.filter(({ run }) => run.state === 'queued'),
  )
  const begun = await beginFree(context, waiting)
  // Their job died, or failed, before it asked.
  const left = all.filter(({ run }) => run.state === 'running' && run.generation_id === null)
  const handedOn: RunRow[] = []
  const goOn = async ({ run, automation }: Ready): Promise<void> => {
    if (automation.content.asksModel) await ask(context, run, automation)
    else if (await handOn(context, run)) handedOn.push(run)
  }
  const faults = await forEach([...left, ...begun], goOn, signal)
  const begunIds = new Set(begun.map(({ run }) => run.id))
  for (const ready of waiting.filter(({ run }) => !begunIds.has(run.id))) {
    signal.throwIfAborted()
    // The one before it ends first, where it can.
    await recordEnds(context, handedOn.splice(0))
    const run = await beginBeside(context, ready)
    if (run) faults.push(...(await forEach([{ ...ready, run }], goOn, signal)))
  }
  await recordEnds(context, handedOn)
  signal.throwIfAborted()
  if (faults.length > 0) throw faults[0]
}

const readAll = async (context: AutomationContext, runIds: readonly string[]): Promise<Ready[]> => {
  const runs = await context.runs.readMany(runIds)
  const ids = [...new Set(runs.map(({ automation_id }) => automation_id))]
  const automations = new Map((await context.automations.readMany(ids)).map((each) => [each.id, each]))
  return runs.flatMap((run) => {
    const automation = automations.get(run.automation_id)
    return automation ? [{ run, automation }] : []
  })
}

/** Ends those that are too late, or over their limit, and leaves those of accounts waiting that are not active. */
const withoutEnded = async (context: AutomationContext, all: readonly Ready[]): Promise<Ready[]> => {
  const now = context.clock.now()
  const limited = all.filter(
    ({ automation: { content } }) => content.mostMonthCost !== null || content.mostMonthMinutes !== null,
  )
  const ids = new Set(limited.map(({ automation }) => automation.id))
  const month = await context.runs.sumSince([...ids], monthStart(now))
  const active = new Map<string, boolean>()
  const ready: Ready[] = []
  for (const { run, automation } of all) {
    const { accountId } = automation
    if (!active.has(accountId)) active.set(accountId, (await context.user(accountId))?.status === 'active')
    if (!active.get(accountId)) continue
    const spent = month.get(automation.id)
    if (run.started_by === 'schedule' && run.tries === 0 && run.due_at < now - dayMs)
      await recordEnd(context, run, { state: 'missed', reason: 'too_late' })
    else if (spent && !mayRunMore(automation.content, spent))
      await recordEnd(context, run, { state: 'skipped', reason: 'over_limit' })
    else ready.push({ run, automation })
  }
  return ready
}

/** Begins the first run of each automation of which none goes on; gives them as they go on. */
const beginFree = async (context: AutomationContext, waiting: readonly Ready[]): Promise<Ready[]> => {
  const firsts = new Map<string, Ready>()
  for (const ready of waiting) if (!firsts.has(ready.automation.id)) firsts.set(ready.automation.id, ready)
  if (firsts.size === 0) return []
  const begun = await context.database.write<AutomationTables, RunRow[]>(async (trx) => {
    const busy = await busyAmong(trx, [...firsts.keys()])
    const free = [...firsts.values()].filter(({ automation }) => !busy.has(automation.id))
    if (free.length === 0) return []
    return await beginWaiting(
      trx,
      free.map(({ run: { id, tries }, automation: { content } }) => ({
        id,
        tries,
        timeoutMs: content.timeoutMinutes * minuteMs,
      })),
      context.clock.now(),
    )
  })
  await announceChanges(
    context,
    begun.map(({ account_id }) => account_id),
  )
  return begun.flatMap((run) => {
    const ready = firsts.get(run.automation_id)
    return ready ? [{ run, automation: ready.automation }] : []
  })
}

/** Begins one where others of its automation go on, or may do so. Gives it as it goes on; null: it does not. */
const beginBeside = async (
  context: AutomationContext,
  { run, automation: { content } }: Ready,
): Promise<RunRow | null> => {
  const now = context.clock.now()
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

/** Sends the own text of an automation without a model to its target. Gives whether the run ends well by that. */
const handOn = async (context: AutomationContext, run: RunRow): Promise<boolean> => {
  const reason = await postResult(context, run)
  if (reason !== null) await recordEnd(context, run, { state: 'failed', reason })
  return reason === null
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
    await failRun(context, run, content, { reason, usage: null })
  }
}

/** Does it for all of them, some side by side. Gives what some rejected with. */
const forEach = async <T>(
  all: readonly T[],
  work: (each: T) => Promise<void>,
  signal: AbortSignal,
): Promise<unknown[]> => {
  const faults: unknown[] = []
  const left = all.values()
  const lane = async (): Promise<void> => {
    for (const each of left) {
      if (signal.aborted) return
      // The job is tried again, and finds what did not begin.
      await work(each).catch((error: unknown) => faults.push(error))
    }
  }
  await Promise.all(Array.from({ length: Math.min(lanes, all.length) }, lane))
  return faults
}
