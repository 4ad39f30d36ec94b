import { notificationsRoutes } from '@atrium/contract/notifications'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { queryOf } from '../../api/query.ts'
import { formatNumber } from '../../lib/format.ts'
import { setWaiting } from '../../lib/waiting.ts'
import { useText } from 'virtual:words/notifications'
import { refreshNotifications } from './changes.ts'

/** A timer of a browser takes no more. */
const longestTimerMs = 2 ** 31 - 1

/** How many are unread. */
export function RailBadge() {
  const t = useText('notifications')
  const { count = 0, nextAt = null } = useQuery(queryOf(notificationsRoutes.unreadCount)).data ?? {}
  useEffect(() => setWaiting('notifications', count), [count])
  // What was snoozed is there again.
  useEffect(() => {
    if (nextAt === null) return
    const ms = Math.min(longestTimerMs, Math.max(0, Date.parse(nextAt) - Date.now()) + 500)
    const timer = setTimeout(() => void refreshNotifications(), ms)
    return () => clearTimeout(timer)
  }, [nextAt])
  if (count === 0) return null
  return (
    <span className="absolute -end-1 -top-1 min-w-4 rounded-full bg-accent px-1 text-center text-2xs leading-4 font-semibold text-on-accent tabular-nums">
      <span aria-hidden>{count > 99 ? `${formatNumber(99)}+` : formatNumber(count)}</span>
      <span className="sr-only">{t('unread', { count })}</span>
    </span>
  )
}
