import { useStore } from 'zustand'
import type { DraftBox } from '../../../blocks/composer/draft.ts'
import { useText } from 'virtual:words/chat-compose'
import type { MakeMode } from './make-mode.ts'

/** Why nothing can be made of what is in the box, in words; null: it can. */
export function useMakeBlocked(mode: MakeMode | null, draft: DraftBox): string | null {
  const t = useText('chat-compose')
  const { content, quotes, chips } = useStore(draft.store)
  if (!mode) return null
  if (content.trim() === '' && quotes.length === 0) return t('making.words')
  const isImage = (kind: string | undefined) => mode.kind === 'image' && kind === 'image'
  return chips.every(({ attachment, sent }) => sent || isImage(attachment?.kind)) ? null : t('making.onlyImages')
}
