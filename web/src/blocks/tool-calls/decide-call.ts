import { toolsRoutes } from '@atrium/contract/tools'
import { call } from '../../api/client.ts'
import { refresh } from '../../api/query.ts'
import type { Verdict } from './approval-card.tsx'

/** Decides about a call that waits; throws where somebody was faster. Whatever came of it, what waits is asked for anew. */
export async function decideCall(
  approvalId: string,
  { decision, arguments: changed, answers }: Verdict,
): Promise<void> {
  try {
    const params = { approvalId }
    const more = changed ? { arguments: JSON.stringify(changed) } : {}
    await call(toolsRoutes.decideApproval, { params, body: Object.assign({ decision, answers }, more) })
  } finally {
    void refresh(toolsRoutes.approvals)
  }
}
