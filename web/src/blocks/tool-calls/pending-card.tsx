import type { ToolCall } from '@atrium/contract/generation'
import { ApprovalCard, type Verdict } from './approval-card.tsx'
import { AskCard } from './ask-card.tsx'

/** What a call waits for: to be allowed, or to be told something. */
export function PendingCard({
  call,
  chatId,
  decide,
}: {
  call: ToolCall
  /** The chat in which it stands. */
  chatId: string | null
  decide: (verdict: Verdict) => Promise<unknown>
}) {
  const { approval } = call
  const kind = approval?.kind ?? 'call'
  return approval && kind !== 'call' ? (
    <AskCard call={call} approval={approval} chatId={chatId} decide={decide} />
  ) : (
    <ApprovalCard call={call} decide={decide} />
  )
}
