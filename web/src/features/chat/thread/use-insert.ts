import { useCallback } from 'react'
import { useMe } from '../../../api/account.ts'
import { draftOfChat } from '../open/draft-chat.ts'
import { useThread } from './context.ts'

/** Puts text behind what is typed in the box; null where the chat is somebody else’s. */
export function useInsert(): ((text: string) => void) | null {
  const { id } = useMe()
  const { chat, ownerName, focusComposer } = useThread()
  const insert = useCallback(
    (text: string) => {
      const draft = draftOfChat(id, chat)
      draft.type([draft.store.getState().content.trimEnd(), text].filter(Boolean).join('\n\n'))
      focusComposer()
    },
    [id, chat, focusComposer],
  )
  return ownerName === null ? insert : null
}
