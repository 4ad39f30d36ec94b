import { createContext, use } from 'react'
import type { ChannelDraft } from './draft.ts'

export const DraftContext = createContext<ChannelDraft | null>(null)

/** The draft of the composer around a list. */
export function useDraft(): ChannelDraft {
  const draft = use(DraftContext)
  if (!draft) throw new Error('a list outside of a composer')
  return draft
}
