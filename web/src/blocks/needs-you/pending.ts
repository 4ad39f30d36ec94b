/** What waits for a decision of the account, wherever it stands. */
import type { ToolCall } from '@atrium/contract/generation'
import { type PendingApproval, toolsRoutes } from '@atrium/contract/tools'
import { onAccountEvent } from '../../api/account-events.ts'
import { queryOf, refresh } from '../../api/query.ts'

export const approvalsQuery = queryOf(toolsRoutes.approvals)

onAccountEvent('tools-changed', () => void refresh(toolsRoutes.approvals))

/** The call that waits, as an answer has it. */
export function toCall({ approval, callId, toolId, toolName, ...pending }: PendingApproval): ToolCall {
  const { source, serverId, serverName, sideEffect } = pending
  return {
    id: callId,
    name: source === 'builtin' ? toolId.replace(/^builtin:/, '') : toolName,
    arguments: pending.arguments,
    source,
    ...(serverId === null ? {} : { serverId }),
    ...(serverName === null ? {} : { serverName }),
    sideEffect,
    status: 'awaiting_approval',
    approval,
  }
}
