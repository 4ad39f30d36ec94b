import type { Selection } from '@atrium/contract/common'
import { EyeOff } from 'lucide-react'
import { useStore } from 'zustand'
import type { DraftBox } from '../../../blocks/composer/draft.ts'
import { findModel, useModels } from '../../../blocks/models.ts'
import { useText } from 'virtual:words/chat-compose'

/** Says before sending that the chosen model cannot see the attached images. */
export function VisionNotice({ draft, selection }: { draft: DraftBox; selection: Selection | null }) {
  const t = useText('chat-compose')
  const model = findModel(useModels(), selection)
  const hasImage = useStore(draft.store, ({ chips }) => chips.some((chip) => chip.attachment?.kind === 'image'))
  if (!model || !hasImage || model.features.includes('vision')) return null
  return (
    <p role="status" className="mb-1.5 flex items-center gap-1.5 px-1 text-sm text-warn-ink">
      <EyeOff aria-hidden className="size-3.5 shrink-0" />
      {t('composer.noVision', { name: model.name })}
    </p>
  )
}
