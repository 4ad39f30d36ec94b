import { chatRoutes as routes } from '@atrium/contract/chat'
import type { Selection } from '@atrium/contract/common'
import type { ContextPlan } from '@atrium/contract/generation'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../../api/query.ts'
import { useAfterFirstView } from '../../../lib/first-view.ts'

/** What the window leaves to documents beside the answer and the conversation, as the server reckons. */
const documentShare = 0.75

/** Up to so many tokens the chat's documents go whole: as the server allows, while the model's window has room. */
export function useWholeTokens(selection: Selection | null, plan: ContextPlan | null): number {
  const { data } = useQuery({ ...queryOf(routes.contextPolicy), enabled: useAfterFirstView() })
  if (!data || selection?.providerType === 'builtin') return 0
  const window = plan?.windowTokens ?? data.defaultWindowTokens
  const taken = plan ? plan.systemTokens + plan.summaryTokens + plan.reserveTokens : 0
  return Math.min(data.fullDocumentTokens, Math.floor((window - taken) * documentShare))
}
