/** How a call stands, for people: one word for each way that calls can go, whoever runs the tool. */
import type { ToolCall } from '@atrium/contract/generation'

export type CallState =
  | 'awaiting'
  | 'running'
  | 'succeeded'
  | 'failed'
  | 'denied'
  | 'cancelled'
  | 'unknown'
  | 'unanswered'

/** `open`: the answer that it belongs to still goes on, so that what is not done yet may come. */
export function stateOf({ status, approval, result }: ToolCall, open: boolean): CallState {
  if (status === 'awaiting_approval') return open ? 'awaiting' : 'unanswered'
  if (status === 'running') return open ? 'running' : 'unanswered'
  if (status) return status
  if (approval?.decision === 'deny') return 'denied'
  if (result) return result.status === 'done' ? 'succeeded' : 'failed'
  if (approval?.decision === null) return open ? 'awaiting' : 'unanswered'
  return open ? 'running' : 'unanswered'
}

/** How long it took, in milliseconds; null where nobody knows. */
export const durationOf = ({ startedAt, finishedAt }: ToolCall): number | null =>
  startedAt === undefined || finishedAt === undefined ? null : Math.max(0, finishedAt - startedAt)
