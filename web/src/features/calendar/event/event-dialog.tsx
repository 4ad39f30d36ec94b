import type { CalendarEvent } from '@atrium/contract/calendar'
import {
  Bell,
  CalendarDays,
  Clock,
  Link as LinkIcon,
  MapPin,
  Repeat2,
  Rss,
  Text,
  type LucideIcon,
  MailQuestion,
  UserRound,
  UsersRound,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { EventAnswer } from '../../../blocks/event-answer/event-answer.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { CheckField } from '../../../ui/check-field.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { baseOf } from '../data/changes.ts'
import { colorOfEvent, colorToStyle } from '../data/colors.ts'
import { ownTime } from '../data/event-words.ts'
import { isWritable } from '../data/events.ts'
import { formatRange } from '../data/format.ts'
import { useGrid } from '../grid/grid-context.ts'
import { GuestList } from '../guests/guest-list.tsx'
import { rangeOfEvent } from '../layout/placement.ts'
import { sayRecurrence } from '../repeat/words.ts'
import { sayReminder } from './reminder-words.ts'
import { useText } from 'virtual:words/calendar'

/** Everything about an event, and what its viewer may do with it. */
export function EventDialog({
  event,
  onEdit,
  onDelete,
  onOwn,
  onClose,
}: {
  event: CalendarEvent
  onEdit: () => void
  onDelete: () => void
  onOwn: () => void
  onClose: () => void
}) {
  const t = useText('calendar')
  const { calendars, zone } = useGrid()
  const mayChange = isWritable(event)
  const calendar = calendars.find(({ id }) => id === event.calendarId)
  const when = formatRange(rangeOfEvent(event, zone), event.allDay)
  const repeats = sayRecurrence(t, event)
  const own = ownTime(t, event, zone)
  const [series, setSeries] = useState(true)
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="narrow"
      title={event.title}
      footer={
        mayChange ? (
          <>
            <Button tone="quiet" className="me-auto" onClick={onDelete}>
              {t('delete')}
            </Button>
            <Button tone="primary" data-first-focus onClick={onEdit}>
              {t('edit')}
            </Button>
          </>
        ) : (
          <Button onClick={onOwn}>{t('own.title')}</Button>
        )
      }
    >
      <div className="flex flex-col gap-2.5 pb-2">
        {event.status !== 'confirmed' && (
          <Badge tone={event.status === 'cancelled' ? 'danger' : 'warn'}>{t(`status.${event.status}`)}</Badge>
        )}
        <Fact icon={Clock} label={t('when')}>
          {when}
          {own && <span className="block text-sm text-muted">{own}</span>}
          {!event.allDay && event.timeZone === null && (
            <span className="block text-sm text-muted">{t('floatingHelp')}</span>
          )}
        </Fact>
        {repeats && (
          <Fact icon={Repeat2} label={t('repeat.label')}>
            {repeats}
            {event.changed && <span className="block text-sm text-muted">{t('changedAlone')}</span>}
          </Fact>
        )}
        <Fact icon={CalendarDays} label={t('calendar')}>
          <span className="inline-flex max-w-full items-center gap-2">
            <span
              aria-hidden
              style={colorToStyle(colorOfEvent(event, calendars))}
              className="size-2.5 shrink-0 rounded-full bg-(--tint)"
            />
            <span dir="auto" className="truncate">
              {calendar?.name ?? t(event.answer === null ? 'noCalendar' : 'guests.layer')}
            </span>
          </span>
        </Fact>
        {event.subscribed && (
          <Fact icon={Rss} label={t('subscription.section')}>
            {t('subscription.readOnly', { host: calendar?.subscription?.host ?? '' })}
          </Fact>
        )}
        {event.shared && (
          <Fact icon={UserRound} label={t('owner')}>
            {t(event.answer !== null && !calendar ? 'guests.invitedBy' : mayChange ? 'sharedBy' : 'sharedToRead', {
              name: event.shared.ownerName,
            })}
          </Fact>
        )}
        {event.place && (
          <Fact icon={MapPin} label={t('place')}>
            <span dir="auto">{event.place}</span>
          </Fact>
        )}
        {event.link && (
          <Fact icon={LinkIcon} label={t('link')}>
            <a
              href={event.link}
              target="_blank"
              rel="noopener noreferrer"
              dir="ltr"
              className="break-all text-accent-ink underline"
            >
              {event.link}
            </a>
          </Fact>
        )}
        {(event.guests.length > 0 || event.fileGuests.length > 0 || event.organizer !== null) && (
          <Fact icon={UsersRound} label={t('guests.label')}>
            <GuestList event={event} />
          </Fact>
        )}
        {event.answer !== null && (
          <Fact icon={MailQuestion} label={t('guests.yours')}>
            <EventAnswer
              eventId={baseOf(event)}
              title={event.title}
              occurrence={series ? null : event.occurrence}
              value={event.answer}
              onAnswered={onClose}
            />
            {event.occurrence !== null && (
              <div className="mt-1.5 text-sm">
                <CheckField label={t('guests.series')} checked={series} onChange={setSeries} />
              </div>
            )}
          </Fact>
        )}
        {event.reminders.length > 0 && (
          <Fact icon={Bell} label={t('reminders')}>
            {event.reminders.map((minutes) => sayReminder(t, minutes)).join(t('repeat.comma'))}
          </Fact>
        )}
        {event.notes && (
          <Fact icon={Text} label={t('notes')}>
            <span dir="auto" className="block break-words whitespace-pre-wrap">
              {event.notes}
            </span>
          </Fact>
        )}
      </div>
    </Dialog>
  )
}

function Fact({ icon: Icon, label, children }: { icon: LucideIcon; label: string; children: ReactNode }) {
  return (
    <div className="flex items-start gap-3">
      <Icon aria-hidden className="mt-1 size-4 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <span className="sr-only">{label}: </span>
        {children}
      </div>
    </div>
  )
}
