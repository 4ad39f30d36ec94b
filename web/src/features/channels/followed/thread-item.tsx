import type { Channel, ChannelMessage, FollowedThread } from '@atrium/contract/channels'
import { Link } from '@tanstack/react-router'
import { CheckCheck } from 'lucide-react'
import { useId } from 'react'
import { classNames } from '../../../lib/class-names.ts'
import { formatAgo } from '../../../lib/format.ts'
import { links } from '../../../lib/links.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { useText } from 'virtual:words/channels-followed'
import { ChannelIcon } from '../list/channel-icon.tsx'
import { countText } from '../list/count-text.ts'
import { shownName } from '../names.ts'
import { nameOfChannel } from '../rules.ts'
import { markThreadRead } from './data.ts'

/** A thread with its first message and its last replies. */
export function ThreadItem({ thread, channel }: { thread: FollowedThread; channel: Channel | undefined }) {
  const t = useText('channels-followed')
  const id = useId()
  const { root, latest, unreadCount } = thread
  const hidden = root.replyCount - latest.length
  return (
    <li
      className={classNames(
        'relative flex flex-col gap-2 rounded-lg border bg-raised p-3 has-[a:hover]:bg-hover',
        unreadCount > 0 ? 'border-accent/50' : 'border-line',
      )}
    >
      <div className="flex items-center gap-2 text-sm text-muted">
        {channel && <ChannelIcon channel={channel} />}
        <bdi className="min-w-0 flex-1 truncate">{channel ? nameOfChannel(channel, t('nobody')) : ''}</bdi>
        {unreadCount > 0 && (
          <span className="shrink-0 rounded-full bg-accent px-1.5 text-xs leading-5 font-semibold text-on-accent tabular-nums">
            <span aria-hidden>{countText(unreadCount)}</span>
            <span className="sr-only">{t('unread', { count: unreadCount })}</span>
          </span>
        )}
        {root.lastReplyAt && (
          <time dateTime={root.lastReplyAt} className="shrink-0 text-xs">
            {formatAgo(root.lastReplyAt)}
          </time>
        )}
        {unreadCount > 0 && (
          <span className="relative z-1">
            <IconButton
              label={t('markRead')}
              icon={<CheckCheck />}
              size="small"
              onClick={() => void markThreadRead(root)}
            />
          </span>
        )}
      </div>
      <Link
        to={links.channel(root.channelId, { thread: root.id })}
        data-thread={root.id}
        dir="auto"
        aria-describedby={id}
        className="line-clamp-3 break-words after:absolute after:inset-0 after:rounded-lg focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-ring"
      >
        <Said message={root} />
      </Link>
      <div id={id} className="flex flex-col gap-1 border-s-2 border-line ps-3 text-sm">
        {hidden > 0 && <p className="text-muted">{t('more', { count: hidden })}</p>}
        {latest.map((reply) => (
          <p
            key={reply.id}
            dir="auto"
            className={classNames('truncate', reply.seq > thread.readSeq && unreadCount > 0 && 'font-medium')}
          >
            <Said message={reply} />
          </p>
        ))}
      </div>
    </li>
  )
}

/** Who said it, and its words; they decide in which direction the line runs. */
function Said({ message: { author, answer, content, attachments, deletedAt } }: { message: ChannelMessage }) {
  const t = useText('channels-followed')
  return (
    <>
      <bdi className="font-semibold">{answer?.name ?? shownName(author?.name || t('nobody'))}</bdi>{' '}
      {deletedAt === null ? (
        withoutMarks(content.slice(0, 400)) || (attachments[0]?.name ?? '…')
      ) : (
        <span className="text-muted italic">{t('deleted')}</span>
      )}
    </>
  )
}

/** What Markdown writes beside the words, where there is no room to show it. */
const withoutMarks = (text: string): string =>
  text
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^\s*(?:#{1,6}|>|[-*+])\s+/gm, '')
    .replaceAll(/\*\*|~~|`+/g, '')
