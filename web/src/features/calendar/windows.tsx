import type { CalendarEvent } from '@atrium/contract/calendar'
import { lazy, Suspense } from 'react'
import { failureOf } from '../../api/errors.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { WindowComing } from '../../ui/early-keys.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import type { OpenEvent } from './data/open-event.ts'
import { eventToDraft, proposalToDraft } from './editor/draft.ts'
import { ConflictDialog } from './event/conflict-dialog.tsx'
import { EventDialog } from './event/event-dialog.tsx'
import { ScopeDialog } from './event/scope-dialog.tsx'
import { useGrid } from './grid/grid-context.ts'
import { type Day, dayOfWall } from './time/day.ts'
import type { Windows } from './use-windows.ts'
import { useText } from 'virtual:words/calendar'

const EditorDialog = lazy(() =>
  import('./editor/editor-dialog.tsx').then((module) => ({ default: module.EditorDialog })),
)
const CalendarDialog = lazy(() =>
  import('./calendars/calendar-dialog.tsx').then((module) => ({ default: module.CalendarDialog })),
)
const FeedsDialog = lazy(() =>
  import('./calendars/feeds-dialog.tsx').then((module) => ({ default: module.FeedsDialog })),
)
const ImportDialog = lazy(() =>
  import('./calendars/import-dialog.tsx').then((module) => ({ default: module.ImportDialog })),
)
const SubscribeDialog = lazy(() =>
  import('./calendars/subscribe-dialog.tsx').then((module) => ({ default: module.SubscribeDialog })),
)
const UnsubscribeDialog = lazy(() =>
  import('./calendars/unsubscribe-dialog.tsx').then((module) => ({ default: module.UnsubscribeDialog })),
)
const OwnDialog = lazy(() => import('./event/own-dialog.tsx').then((module) => ({ default: module.OwnDialog })))
const QuickAddDialog = lazy(() =>
  import('./quick-add/quick-add-dialog.tsx').then((module) => ({ default: module.QuickAddDialog })),
)
const ShareDialog = lazy(() =>
  import('../../blocks/share/share-dialog.tsx').then((module) => ({ default: module.ShareDialog })),
)

/** Whatever window is open over the calendar. */
export function CalendarWindows({
  windows: { window, open, close, remove, answer },
  opened,
  usual,
  onClosed,
  onSaved,
}: {
  windows: Windows
  opened: OpenEvent
  /** The calendar of new events. */
  usual: string | null
  /** The event of the address was closed. */
  onClosed: () => void
  /** An event was written that begins on a day. */
  onSaved: (day: Day) => void
}) {
  const t = useText('calendar')
  const { zone } = useGrid()
  if (!window) {
    if (opened.error) {
      return (
        <Dialog open onOpenChange={onClosed} width="narrow" title={t('notOpened')}>
          <ErrorCard title={failureOf(opened.error)?.title ?? ''} details={failureOf(opened.error)?.details} />
        </Dialog>
      )
    }
    const { event } = opened
    if (!event) return null
    const leave = (then: (event: CalendarEvent) => void) => () => {
      onClosed()
      then(event)
    }
    return (
      <EventDialog
        event={event}
        onEdit={leave(() => open({ what: 'editor', event, draft: eventToDraft(event) }))}
        onDelete={leave(remove)}
        onOwn={leave(() => open({ what: 'own', event }))}
        onClose={onClosed}
      />
    )
  }
  return (
    <Suspense fallback={<WindowComing onClose={close} />}>
      {window.what === 'editor' && (
        <EditorDialog
          event={window.event}
          first={window.draft}
          proposal={window.proposal ?? null}
          onSaved={({ start }) => onSaved(dayOfWall(start))}
          onClose={close}
        />
      )}
      {window.what === 'own' && <OwnDialog event={window.event} onClose={close} />}
      {window.what === 'quick-add' && (
        <QuickAddDialog
          text={window.text}
          onProposal={(proposal) =>
            open({ what: 'editor', event: null, draft: proposalToDraft(proposal.event, usual), proposal })
          }
          onClose={close}
        />
      )}
      {window.what === 'calendar' && <CalendarDialog calendar={window.calendar} onClose={close} />}
      {window.what === 'share' && (
        <ShareDialog
          resourceType="calendar"
          resourceId={window.calendar.id}
          name={window.calendar.name}
          onClose={close}
        />
      )}
      {window.what === 'feeds' && <FeedsDialog calendar={window.calendar} onClose={close} />}
      {window.what === 'subscribe' && <SubscribeDialog onClose={close} />}
      {window.what === 'unsubscribe' && <UnsubscribeDialog calendar={window.calendar} onClose={close} />}
      {window.what === 'import' && <ImportDialog onClose={close} />}
      {window.what === 'scope' && (
        <ScopeDialog
          what={window.doing}
          title={window.event.title}
          offered={window.offered}
          onScope={(scope) => answer(window, scope)}
          onClose={close}
        />
      )}
      {window.what === 'conflict' && (
        <ConflictDialog event={window.standing} zone={zone} onMine={window.onMine} onClose={close} />
      )}
    </Suspense>
  )
}
