import type { Channel } from '@atrium/contract/channels'
import { Link } from '@tanstack/react-router'
import { BellOff, Pencil } from 'lucide-react'
import { classNames } from '../../../lib/class-names.ts'
import { links } from '../../../lib/links.ts'
import { isQuiet } from '../notices/rules.ts'
import { nameOfChannel } from '../rules.ts'
import { useText } from 'virtual:words/channels'
import { ChannelIcon } from './channel-icon.tsx'
import { UnreadMark } from './unread-mark.tsx'

/** One channel of the list: what it is called, and what waits there. */
export function ChannelRow({
  channel,
  here,
  drafted,
  onDone,
}: {
  channel: Channel
  /** It is the one on the page. */
  here: boolean
  /** Something is typed there. */
  drafted: boolean
  onDone: () => void
}) {
  const t = useText('channels')
  const quiet = isQuiet(channel, Date.now())
  const waits = channel.unreadCount > 0 && !here && !quiet
  return (
    <li>
      <Link
        to={links.channel(channel.id)}
        data-row={channel.id}
        aria-current={here ? 'page' : undefined}
        onClick={onDone}
        className={classNames(
          'flex min-h-row items-center gap-2 rounded-md px-2',
          here ? 'bg-pressed' : 'hover:bg-hover',
          (channel.archivedAt !== null || quiet) && 'text-muted',
        )}
      >
        <ChannelIcon channel={channel} />
        <span className={classNames('min-w-0 flex-1 truncate', waits && 'font-semibold')}>
          <bdi>{nameOfChannel(channel, t('nobody'))}</bdi>
        </span>
        {channel.type === 'private' && <span className="sr-only">{t('list.private')}</span>}
        {drafted && !here && (
          <Pencil role="img" aria-label={t('list.draft')} className="size-3.5 shrink-0 text-muted" />
        )}
        {quiet && <BellOff role="img" aria-label={t('list.muted')} className="size-3.5 shrink-0 text-muted" />}
        {!here && <UnreadMark channel={channel} quiet={quiet} />}
      </Link>
    </li>
  )
}
