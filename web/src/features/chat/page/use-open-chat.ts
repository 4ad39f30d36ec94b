import { useEffect, useMemo } from 'react'
import { useAfterFirstView } from '../../../lib/first-view.ts'
import { changeChat } from '../list/changes.ts'
import { followRunning, stopFollowing } from '../open/follow.ts'
import { loadChat, type OpenChat, openChat, useOpen } from '../open/store.ts'

/** Opens a chat for as long as the component is there: loads it, follows its answer, marks it as read. */
export function useOpenChat(chatId: string): OpenChat {
  const chat = useMemo(() => openChat(chatId), [chatId])
  useEffect(() => {
    chat.users++
    void loadChat(chat).then(() => followRunning(chat))
    followRunning(chat)
    return () => {
      chat.users--
      if (chat.users === 0) stopFollowing(chat)
    }
  }, [chat])

  // A chat that was away from the network or asleep is looked at again.
  useEffect(() => {
    const again = () => {
      if (document.visibilityState === 'visible') void loadChat(chat).then(() => followRunning(chat))
    }
    addEventListener('online', again)
    return () => removeEventListener('online', again)
  }, [chat])

  const unread = useOpen(chat, (state) => state.conversation?.head.unread ?? false)
  const afterFirstView = useAfterFirstView()
  useEffect(() => {
    if (!unread || !afterFirstView) return
    const seen = () => {
      if (document.visibilityState !== 'visible') return
      document.removeEventListener('visibilitychange', seen)
      void changeChat(chat.id, { unread: false })
    }
    document.addEventListener('visibilitychange', seen)
    seen()
    return () => document.removeEventListener('visibilitychange', seen)
  }, [chat, unread, afterFirstView])
  return chat
}
