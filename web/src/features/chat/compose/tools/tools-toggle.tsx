import type { Chat, ChatSettings } from '@atrium/contract/chat'
import { toolsRoutes } from '@atrium/contract/tools'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { queryOf } from '../../../../api/query.ts'
import { useAfterFirstView } from '../../../../lib/first-view.ts'
import type { OpenChat } from '../../open/store.ts'

const ToolsButton = lazy(() => import('./tools-button.tsx').then((module) => ({ default: module.ToolsButton })))

/** The tools that the model may use for the questions of a chat, where there are any. */
export function ToolsToggle(props: { chat: OpenChat; selection: Chat['selection']; settings: ChatSettings }) {
  const { data } = useQuery({ ...queryOf(toolsRoutes.catalog), staleTime: 300_000, enabled: useAfterFirstView() })
  const { selection } = props
  // Agents run tools of their own, and the built-in model has none.
  if (selection?.providerType === 'agent' || selection?.providerType === 'builtin') return null
  if (!data?.available || data.tools.length === 0) return null
  return (
    <Suspense>
      <ToolsButton {...props} catalog={data} />
    </Suspense>
  )
}
