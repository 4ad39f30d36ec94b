import type { Notification } from '@atrium/contract/notifications'
import { Link } from '@tanstack/react-router'
import { AlarmClock, Check, CircleHelp, Inbox, Mail, MailOpen, MoreHorizontal, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { EventAnswer } from '../../blocks/event-answer/event-answer.tsx'
import { useNotificationDisplay } from '../../blocks/notification-kind/kinds.ts'
import { classNames } from '../../lib/class-names.ts'
import { formatDateTime, formatTime } from '../../lib/format.ts'
import { laterTimes } from '../../lib/later-times.ts'
import { links } from '../../lib/links.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator, MenuSub } from '../../ui/menu.tsx'
import { useText } from 'virtual:words/notifications'
import { changeNotification, removeNotification } from './changes.ts'
import { WhyDialog } from './why-dialog.tsx'

/** One notification: what happened, when, and what can be done with it. `act` is told before it leaves the list. */
export function NotificationRow({
  notification,
  isUnreadList = false,
  act,
}: {
  notification: Notification
  /** What is read leaves the list. */
  isUnreadList?: boolean
  act: (notification: Notification, work: () => Promise<void>) => void
}) {
  const t = useText('notifications')
  const { icon: Icon, title, text, link } = useNotificationDisplay()(notification)
  const { id, at, readAt, doneAt, snoozedUntil } = notification
  const isUnread = readAt === null && doneAt === null
  const [isWhyOpen, setIsWhyOpen] = useState(false)
  const change = (body: Parameters<typeof changeNotification>[1]) =>
    act(notification, () => changeNotification(notification, body, { isUnreadList }))
  const when = snoozedUntil ?? at
  return (
    <li
      data-notification={id}
      className={classNames(
        'relative flex items-start gap-3 px-3.5 py-2.5 hover:bg-hover has-focus-visible:bg-hover',
        isUnread && 'bg-accent-soft/40',
      )}
    >
      <Icon aria-hidden className={classNames('mt-0.5 size-4 shrink-0', isUnread ? 'text-accent-ink' : 'text-muted')} />
      <div className="min-w-0 flex-1">
        <p dir="auto" className={classNames('line-clamp-2 wrap-anywhere', isUnread && 'font-semibold')}>
          {link === null ? (
            title
          ) : (
            <Link to={links.notification(id)} preload={false} className="outline-none after:absolute after:inset-0">
              {isUnread && <span className="sr-only">{t('unreadMark')} </span>}
              {title}
            </Link>
          )}
        </p>
        {text !== null && (
          <p dir="auto" className="line-clamp-2 text-sm wrap-anywhere text-muted">
            {text}
          </p>
        )}
        {notification.kind === 'event-invitation' && notification.facts.change !== 'cancelled' && doneAt === null && (
          <div className="relative z-1 my-1">
            <EventAnswer
              eventId={notification.facts.eventId}
              title={notification.facts.name}
              occurrence={null}
              value="waiting"
              onAnswered={() => change({ done: true })}
            />
          </div>
        )}
        <time dateTime={when} title={formatDateTime(when)} className="text-sm text-muted">
          {snoozedUntil === null ? formatTime(when) : t('until', { when: formatDateTime(when) })}
        </time>
      </div>
      <div className="relative z-1 flex shrink-0 items-center gap-1">
        {doneAt === null && (
          <IconButton
            label={t('doneNamed', { title })}
            icon={<Check />}
            size="small"
            tooltipSide="none"
            onClick={() => change({ done: true })}
          />
        )}
        <Menu
          trigger={
            <IconButton label={t('menu', { title })} icon={<MoreHorizontal />} size="small" tooltipSide="none" />
          }
        >
          {doneAt !== null && (
            <MenuItem icon={<Inbox />} onSelect={() => change({ done: false })}>
              {t('toInbox')}
            </MenuItem>
          )}
          {doneAt === null && snoozedUntil === null && (
            <MenuItem icon={isUnread ? <MailOpen /> : <Mail />} keys="U" onSelect={() => change({ read: isUnread })}>
              {t(isUnread ? 'markRead' : 'markUnread')}
            </MenuItem>
          )}
          {snoozedUntil !== null && (
            <MenuItem icon={<Inbox />} onSelect={() => change({ snoozedUntil: null })}>
              {t('endSnooze')}
            </MenuItem>
          )}
          {doneAt === null && (
            <MenuSub icon={<AlarmClock />} label={t('snooze')}>
              {laterTimes(new Date()).map(([name, time]) => (
                <MenuItem key={name} onSelect={() => change({ snoozedUntil: time.toISOString() })}>
                  {t(`snoozeTo.${name}`, { when: formatTime(time.getTime()) })}
                </MenuItem>
              ))}
            </MenuSub>
          )}
          <MenuItem icon={<CircleHelp />} onSelect={() => setIsWhyOpen(true)}>
            {t('why.open')}
          </MenuItem>
          <MenuSeparator />
          <MenuItem icon={<Trash2 />} danger onSelect={() => act(notification, () => removeNotification(notification))}>
            {t('delete')}
          </MenuItem>
        </Menu>
      </div>
      {isWhyOpen && <WhyDialog notification={notification} title={title} onClose={() => setIsWhyOpen(false)} />}
    </li>
  )
}
