import { chatRoutes } from '@atrium/contract/chat'
import type { ToolCall } from '@atrium/contract/generation'
import { call as request } from '../../../../api/client.ts'
import { stateOf } from '../../../../blocks/tool-calls/call-state.ts'
import { decideCall } from '../../../../blocks/tool-calls/decide-call.ts'
import { PendingCard } from '../../../../blocks/tool-calls/pending-card.tsx'
import { useThread } from '../context.ts'

/** The calls of an answer that wait for a person, at its end, where they stand. Whoever only reads the chat decides nothing. */
export function Approvals({ calls }: { calls: readonly ToolCall[] }) {
  const { chat, ownerName } = useThread()
  if (ownerName !== null) return null
  const waiting = calls.filter((call) => call.approval && stateOf(call, true) === 'awaiting')
  if (waiting.length === 0) return null
  return (
    <div className="my-3 flex flex-col gap-2.5">
      {waiting.map((call) => (
        <PendingCard
          key={call.id}
          call={call}
          chatId={chat.id}
          decide={(verdict) =>
            call.source
              ? decideCall(call.approval?.id ?? '', verdict)
              : request(chatRoutes.decide, {
                  params: { sessionId: chat.id, approvalId: call.approval?.id ?? '' },
                  body: { decision: verdict.decision },
                })
          }
        />
      ))}
    </div>
  )
}
