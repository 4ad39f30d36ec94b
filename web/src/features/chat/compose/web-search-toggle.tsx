import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useAfterFirstView } from '../../../lib/first-view.ts'
import { webConfigQuery } from './web-mode.ts'

const WebToggle = lazy(() => import('./web-mode-button.tsx').then((module) => ({ default: module.WebModeButton })))

/** Web search for the questions of a chat, where the web can be searched. */
export function WebSearchToggle({ chatId }: { chatId: string }) {
  const { data } = useQuery({ ...webConfigQuery, staleTime: 300_000, enabled: useAfterFirstView() })
  if (!data?.allowed) return null
  return (
    <Suspense>
      <WebToggle chatId={chatId} />
    </Suspense>
  )
}
