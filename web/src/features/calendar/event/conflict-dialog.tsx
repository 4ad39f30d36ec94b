import type { CalendarEvent } from '@atrium/contract/calendar'
import { factSeparator } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { formatRange } from '../data/format.ts'
import { rangeOfEvent } from '../layout/placement.ts'
import { sayRecurrence } from '../repeat/words.ts'
import { useText } from 'virtual:words/calendar'

/** What stands now of an event that was changed elsewhere. */
export function StandingEvent({ event, zone }: { event: CalendarEvent; zone: string }) {
  const t = useText('calendar')
  return (
    <div className="rounded-lg border border-line bg-sunken px-3 py-2">
      <p dir="auto" className="font-medium">
        {event.title}
      </p>
      <p className="text-sm text-muted">
        {[formatRange(rangeOfEvent(event, zone), event.allDay), sayRecurrence(t, event), event.place]
          .filter(Boolean)
          .join(factSeparator())}
      </p>
    </div>
  )
}

/** The event was changed elsewhere meanwhile: shows what stands, and asks which is to hold. */
export function ConflictDialog({
  event,
  zone,
  onMine,
  onClose,
}: {
  /** As it stands. */
  event: CalendarEvent
  zone: string
  onMine: () => void
  onClose: () => void
}) {
  const t = useText('calendar')
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="narrow"
      title={t('conflict.title')}
      description={t('conflict.text')}
      footer={
        <>
          <Button onClick={onClose}>{t('conflict.theirs')}</Button>
          <Button tone="primary" onClick={onMine}>
            {t('conflict.mine')}
          </Button>
        </>
      }
    >
      <StandingEvent event={event} zone={zone} />
    </Dialog>
  )
}
