/** Tasks: a provider accepts them, works, and is asked until there is a result. */
import { ProviderFailure, type ProviderFailureKind } from '../types.ts'
import { askWhole } from './ask.ts'
import type { Limits, Reply, TaskFault, TaskFormat, TaskHandle, TaskState } from './format.ts'
import { isPassing, waitUnlessStopped } from './patience.ts'
import { aboutOf, moderatedAnswer, type UncountedCall } from './route.ts'

const submitLimits: Limits = { timeoutMs: 60_000, maxBytes: 4 * 1024 * 1024 }
const lookLimits: Limits = { timeoutMs: 15_000, maxBytes: 16 * 1024 * 1024 }
const wholeLimits: Limits = { timeoutMs: 2 * 60_000, maxBytes: 96 * 1024 * 1024 }
const cancelMs = 3000
/** One after the other, each after twice the time. */
const mostRetries = 4

/** What a provider says of a task. */
export type TaskReport<R> =
  | { readonly state: 'waiting' | 'running'; readonly progress: number | null }
  | { readonly state: 'done'; readonly result: R }
  | { readonly state: 'failed'; readonly reason: TaskFault }

/** Throws ProviderFailure where it was not accepted. */
export async function submitTask<A, R>(call: UncountedCall, format: TaskFormat<A, R>, asked: A): Promise<TaskHandle> {
  const about = aboutOf(call)
  for (const said of format.before?.(asked, about) ?? []) await askWhole(call, said, submitLimits)
  return format.accepted(await askWhole(call, format.say(asked, about), submitLimits), about)
}

/** How large an answer about a task may be, and how long it may take. */
export const lookLimitsOf = ({ holdsResult }: { readonly holdsResult?: true | undefined }): Limits =>
  holdsResult ? wholeLimits : lookLimits

/** Asks once. Throws ProviderFailure where it cannot be told how the task stands. */
export async function lookAtTask<A, R>(
  call: UncountedCall,
  format: TaskFormat<A, R>,
  handle: TaskHandle,
): Promise<TaskReport<R>> {
  const limits = lookLimitsOf(format)
  const about = aboutOf(call)
  const asked = await askKnown(() => askWhole(call, format.whereToAsk(handle, about), limits))
  if (asked === null) return { state: 'failed', reason: 'expired' }
  const told: TaskState = format.state(asked, handle, about)
  if (told.state !== 'done') return told
  const whereResult = format.whereResult
  const reply = whereResult ? await askKnown(() => askWhole(call, whereResult(handle, about), limits)) : asked
  if (reply === null) return { state: 'failed', reason: 'expired' }
  try {
    return { state: 'done', result: format.result(reply, handle, about) }
  } catch (error) {
    const reason = error instanceof ProviderFailure ? faults[error.kind] : undefined
    if (reason === undefined) throw error
    return { state: 'failed', reason }
  }
}

/** What was done and gives nothing will give nothing later either. */
const faults: Readonly<Partial<Record<ProviderFailureKind, TaskFault>>> = {
  moderated: 'moderated',
  malformed: 'wrong_type',
}

/** null where the provider says that there is no such task, or none any more. */
async function askKnown(question: () => Promise<Reply>): Promise<Reply | null> {
  try {
    return await question()
  } catch (error) {
    if (error instanceof ProviderFailure && (error.status === 404 || error.status === 410)) return null
    throw error
  }
}

/** Whether the provider was told; best effort, within some seconds. */
export async function cancelTask<A, R>(
  call: UncountedCall,
  format: TaskFormat<A, R>,
  handle: TaskHandle,
): Promise<boolean> {
  if (!format.cancel) return false
  const calm = { ...call, signal: AbortSignal.timeout(cancelMs) }
  try {
    for (const said of format.cancel(handle, aboutOf(call))) {
      await askWhole(calm, said, { timeoutMs: cancelMs, maxBytes: 65_536 })
    }
    return true
  } catch {
    return false
  }
}

export interface Patience {
  readonly timeoutMs: number
  readonly everyMs: number
}

/** Submits a task and waits for its result, for what people wait for. A stop reaches the provider. */
export async function performTask<A, R>(
  call: UncountedCall,
  format: TaskFormat<A, R>,
  asked: A,
  { timeoutMs, everyMs }: Patience,
): Promise<R> {
  const late = AbortSignal.timeout(timeoutMs)
  const signal = AbortSignal.any([call.signal, late])
  const handle = await submitTask(call, format, asked)
  /** What it works on is paid for: a question that failed on the way is asked again. */
  const look = async (): Promise<TaskReport<R>> => {
    for (let failures = 0; ; failures += 1) {
      try {
        return await lookAtTask({ ...call, signal }, format, handle)
      } catch (error) {
        const isBroken = error instanceof ProviderFailure && error.kind === 'malformed'
        if (signal.aborted || failures === mostRetries || !(isBroken || isPassing(error))) throw error
        await waitUnlessStopped(everyMs * 2 ** failures, signal)
      }
    }
  }
  try {
    for (;;) {
      await waitUnlessStopped(everyMs, signal)
      const report = await look()
      if (report.state === 'done') return report.result
      if (report.state === 'failed') throw failureOf(report.reason)
      if (report.progress !== null) call.heard?.({ progress: report.progress })
    }
  } catch (error) {
    if (signal.aborted) await cancelTask(call, format, handle)
    if (late.aborted && !call.signal.aborted)
      throw new ProviderFailure('timeout', 'The provider didn’t finish in time.')
    throw error
  }
}

const failureOf = (reason: TaskFault): ProviderFailure => {
  switch (reason) {
    case 'moderated':
      return moderatedAnswer()
    case 'expired':
      return new ProviderFailure('rejected', 'The provider no longer has this.', 410)
    case 'cancelled':
      return new ProviderFailure('rejected', 'The provider stopped before it was done.')
    case 'wrong_type':
      return new ProviderFailure('malformed', 'The provider is done, but told no result.')
    case 'refused':
      return new ProviderFailure('rejected', 'The provider couldn’t make it.')
  }
}
