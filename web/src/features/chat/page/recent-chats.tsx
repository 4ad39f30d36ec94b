import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatAgo } from '../../../lib/format.ts'
import { links } from '../../../lib/links.ts'
import { listQuery } from '../list/cache.ts'
import { StateMark } from '../list/state-mark.tsx'
import { useText } from 'virtual:words/chat-compose'

/** The last five chats, running ones with their mark. */
export function RecentChats() {
  const t = useText('chat-compose')
  const recent = useInfiniteQuery(listQuery({ pinned: 'false' })).data?.pages[0]?.items.slice(0, 5) ?? []
  if (recent.length === 0) return null
  return (
    <section aria-labelledby="recent-chats">
      <h2 id="recent-chats" className="mb-1 px-2 text-sm font-medium text-muted">
        {t('new.recent')}
      </h2>
      <ul>
        {recent.map((chat) => (
          <li key={chat.id}>
            <Link
              to={links.chat(chat.id)}
              className="flex min-h-row items-center gap-2 rounded-md px-2 text-base hover:bg-hover"
            >
              <span dir="auto" className="min-w-0 flex-1 truncate">
                {chat.title}
              </span>
              <StateMark chat={chat} />
              <span className="shrink-0 text-xs text-muted">{formatAgo(chat.updatedAt)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
