import type { ChannelMessage } from '@atrium/contract/channels'
import { MessageSquareReply } from 'lucide-react'
import { formatAgo } from '../../../lib/format.ts'
import { useText } from 'virtual:words/channels'
import { useChannel } from './context.ts'

/** Leads to the replies below a message. */
export function ThreadLink({ message }: { message: ChannelMessage }) {
  const t = useText('channels')
  const { openThread } = useChannel()
  return (
    <button
      type="button"
      onClick={() => openThread(message)}
      className="hit mt-1 flex h-7 items-center gap-1.5 rounded-md px-1.5 text-sm font-medium text-accent-ink hover:bg-accent-soft"
    >
      <MessageSquareReply aria-hidden className="size-3.5" />
      {t('row.replies', { count: message.replyCount })}
      {message.lastReplyAt && <span className="font-normal text-muted">{formatAgo(message.lastReplyAt)}</span>}
    </button>
  )
}
