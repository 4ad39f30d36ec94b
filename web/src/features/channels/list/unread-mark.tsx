import type { Channel } from '@atrium/contract/channels'
import { classNames } from '../../../lib/class-names.ts'
import { useText } from 'virtual:words/channels'
import { countText } from './count-text.ts'

/** How much waits in a channel; what names the reader stands out. */
export function UnreadMark({
  channel,
  quiet,
}: {
  channel: Pick<Channel, 'type' | 'unreadCount' | 'mentionCount'>
  /** It is muted: it says how much there is, and calls nobody. */
  quiet: boolean
}) {
  const t = useText('channels')
  const { type, unreadCount, mentionCount } = channel
  // Whatever is said in a direct message is said to oneself.
  const calls = type === 'dm' ? unreadCount : mentionCount
  if (unreadCount === 0 && calls === 0) return null
  return (
    <span
      className={classNames(
        'shrink-0 rounded-full px-1.5 text-xs leading-5 font-semibold tabular-nums',
        quiet ? 'font-normal! text-muted' : calls > 0 ? 'bg-accent text-on-accent' : 'bg-pressed text-ink',
      )}
    >
      <span aria-hidden>{calls > 0 && type !== 'dm' ? `@${countText(calls)}` : countText(unreadCount)}</span>
      <span className="sr-only">
        {t('list.unread', { count: unreadCount })}
        {mentionCount > 0 && `, ${t('list.mentions', { count: mentionCount })}`}
      </span>
    </span>
  )
}
