import type { MediaModels } from '@atrium/contract/media-gallery'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import type { DraftBox } from '../../../blocks/composer/draft.ts'
import { useAfterFirstView } from '../../../lib/first-view.ts'
import { mediaModelsQuery, useMakeMode } from './make-mode.ts'

const MakeButton = lazy(() => import('./make-bar.tsx').then((module) => ({ default: module.MakeButton })))
const Bar = lazy(() => import('./make-bar.tsx').then((module) => ({ default: module.MakeBar })))

/** The ways to have something made instead of an answer; nothing where no model makes anything. */
export function MakeTools({ chatId }: { chatId: string }) {
  const { data } = useQuery({ ...mediaModelsQuery, enabled: useAfterFirstView() })
  if (!data || !canMake(data)) return null
  return (
    <Suspense>
      <MakeButton chatId={chatId} models={data} />
    </Suspense>
  )
}

/** What the next message has made, above the box. */
export function MakeBar({ chatId, draft }: { chatId: string; draft: DraftBox }) {
  const mode = useMakeMode(chatId)
  const { data } = useQuery({ ...mediaModelsQuery, enabled: useAfterFirstView() })
  if (!mode || !data) return null
  return (
    <Suspense>
      <Bar chatId={chatId} mode={mode} models={data} draft={draft} />
    </Suspense>
  )
}

const canMake = ({ image, video, speech }: MediaModels): boolean => image.length + video.length + speech.length > 0
