import type { Message } from '@atrium/contract/chat'
import { useNavigate } from '@tanstack/react-router'
import { copyText } from '../../../lib/copy.ts'
import { links } from '../../../lib/links.ts'
import { toast } from '../../../ui/toaster.tsx'
import { duplicateChat } from '../list/changes.ts'
import { pinMessage, removeMessage, truncateAt } from '../open/edit.ts'
import { useText } from 'virtual:words/chat'
import { useThread } from './context.ts'

/** What the menus of questions and answers have in common. */
export function useMessageActions(message: Message) {
  const t = useText('chat')
  const navigate = useNavigate()
  const { chat, attempt } = useThread()
  const trash = (remove: () => Promise<() => Promise<void>>) =>
    attempt(async () => {
      const bringBack = await remove()
      toast(t('row.removed'), { action: { label: t('chat-list:undo'), onClick: () => attempt(bringBack) } })
    })
  return {
    /** `branches`: with all that was said before it in other branches. */
    fork: (branches: boolean) =>
      attempt(async () => {
        const copy = await duplicateChat(chat.id, { messageId: message.id, branches })
        if (copy) await navigate({ to: links.chat(copy.id) })
      }),
    pin: () => attempt(() => pinMessage(chat, message.id, !message.pinned)),
    copyLink: () =>
      attempt(async () => {
        await copyText(new URL(links.chat(chat.id, message.id), location.origin).href)
        toast(t('row.linkCopied'))
      }),
    remove: () => trash(() => removeMessage(chat, message, false)),
    removePair: () => trash(() => removeMessage(chat, message, true)),
    removeFrom: () => trash(() => truncateAt(chat, message)),
  }
}
