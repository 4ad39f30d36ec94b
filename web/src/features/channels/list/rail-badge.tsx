import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useText } from 'virtual:words/channels-shell'
import { useMe } from '../../../api/account.ts'
import { setWaiting } from '../../../lib/waiting.ts'
import { channelsQuery } from '../data/list.ts'
import { useLiveChannels } from '../data/live.ts'
import { isQuiet } from '../notices/rules.ts'
import { openOutbox } from '../open/outbox.ts'
import { countText } from './count-text.ts'

/** How much waits in all channels, at the icon of the area and at that of the installed app. */
export function RailBadge() {
  const t = useText('channels-shell')
  const me = useMe()
  useLiveChannels()
  const channels = (useQuery(channelsQuery).data ?? []).filter((channel) => !isQuiet(channel, Date.now()))
  // What an earlier page could not send any more goes out, whatever page is open now.
  useEffect(() => openOutbox(me.id), [me.id])
  const unread = channels.reduce((sum, { unreadCount }) => sum + unreadCount, 0)
  const calls = channels.reduce((sum, { type, unreadCount, mentionCount }) => {
    return sum + (type === 'dm' ? unreadCount : mentionCount)
  }, 0)
  useEffect(() => setWaiting('channels', calls), [calls])
  if (unread === 0) return null
  return (
    <span
      className={
        calls > 0
          ? 'absolute -end-1 -top-1 min-w-4 rounded-full bg-accent px-1 text-center text-2xs leading-4 font-semibold text-on-accent tabular-nums'
          : 'absolute end-0.5 top-0.5 size-2 rounded-full bg-accent'
      }
    >
      {calls > 0 && <span aria-hidden>{countText(calls)}</span>}
      <span className="sr-only">{t('unread', { count: unread })}</span>
    </span>
  )
}
