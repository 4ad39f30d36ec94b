/** What becomes of the calls of an answer when its run ends before they do. Pure. */
import type { ToolCall } from '@atrium/contract/generation'
import { isOverStatus } from './run-calls.ts'
import { isOwnCall } from './tool-messages.ts'
import type { RunOutcome } from './types.ts'

/** A call that waits for a decision waits on when its process ends; Stop ends it. */
export const stateWhenAborted = <Reason extends string>(
  reason: Reason,
  calls: readonly ToolCall[],
): Reason | 'waiting' => (reason === 'interrupted' && calls.some(isAwaited) ? 'waiting' : reason)

/** Whether a person has to decide about it. */
export const isAwaited = (call: ToolCall): boolean => isOwnCall(call) && call.status === 'awaiting_approval'

export const endCalls = (calls: readonly ToolCall[], state: RunOutcome['state'], now: number): readonly ToolCall[] =>
  calls.map((call) => {
    if (!isOwnCall(call) || isOverStatus(call.status)) return call
    if (state === 'waiting' && isAwaited(call)) return call
    if (state === 'interrupted' || state === 'waiting') return { ...call, status: 'unknown' }
    return { ...call, status: 'cancelled', finishedAt: now }
  })
