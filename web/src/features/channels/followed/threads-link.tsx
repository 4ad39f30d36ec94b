import { Link, useLocation } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { MessagesSquare } from 'lucide-react'
import { classNames } from '../../../lib/class-names.ts'
import { links } from '../../../lib/links.ts'
import { useText } from 'virtual:words/channels-followed'
import { countText } from '../list/count-text.ts'
import { unreadThreads } from './data.ts'

/** Leads from the list of channels to the threads that one follows, with how many of them have something unread. */
export function ThreadsLink({ onDone }: { onDone: () => void }) {
  const t = useText('channels-followed')
  const here = useLocation({ select: ({ pathname }) => pathname === links.channelThreads() })
  const unread = useQuery(unreadThreads).data ?? 0
  return (
    <Link
      to={links.channelThreads()}
      aria-current={here ? 'page' : undefined}
      onClick={onDone}
      className={classNames(
        'flex min-h-row items-center gap-2 rounded-md px-2',
        here ? 'bg-pressed' : 'hover:bg-hover',
        unread > 0 && 'font-semibold',
      )}
    >
      <span className="grid size-5 shrink-0 place-items-center text-muted">
        <MessagesSquare aria-hidden className="size-4" />
      </span>
      <span className="min-w-0 flex-1 truncate">{t('title')}</span>
      {unread > 0 && (
        <span className="shrink-0 rounded-full bg-pressed px-1.5 text-xs leading-5 font-semibold text-ink tabular-nums">
          <span aria-hidden>{countText(unread)}</span>
          <span className="sr-only">{t('unreadThreads', { count: unread })}</span>
        </span>
      )}
    </Link>
  )
}
