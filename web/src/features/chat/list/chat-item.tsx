import type { ChatSummary } from '@atrium/contract/chat'
import { Link } from '@tanstack/react-router'
import { Archive } from 'lucide-react'
import { formatAgo } from '../../../lib/format.ts'
import { links } from '../../../lib/links.ts'
import { useText } from 'virtual:words/chat-list'
import { StateMark } from './state-mark.tsx'

/** A chat in a list on a page: a link, its state, and when it changed. */
export function ChatItem({ chat }: { chat: ChatSummary }) {
  const t = useText('chat-list')
  return (
    <li>
      <Link to={links.chat(chat.id)} className="flex items-center gap-3 px-3.5 py-2.5 hover:bg-hover">
        <span dir="auto" className="min-w-0 flex-1 truncate font-medium">
          {chat.title}
        </span>
        {chat.archived && (
          <Archive role="img" aria-label={t('list.isArchived')} className="size-3.5 shrink-0 text-muted" />
        )}
        <StateMark chat={chat} />
        <span className="shrink-0 text-sm text-muted">{formatAgo(chat.updatedAt)}</span>
      </Link>
    </li>
  )
}
