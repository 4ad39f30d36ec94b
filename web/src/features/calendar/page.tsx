import type { CalendarEvent } from '@atrium/contract/calendar'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { detailsOf, wordsOf } from '../../api/errors.ts'
import { usePhone, useTight } from '../../lib/media.ts'
import { useTitle } from '../../lib/title.ts'
import { ErrorCard } from '../../ui/error-card.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { DelayedContent } from '../../ui/skeleton.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import './actions.ts'
import { AgendaView } from './agenda/agenda-view.tsx'
import { CalendarsPanel } from './calendars/panel.tsx'
import { useClock } from './data/clock.ts'
import { useCalendars, useEvents } from './data/events.ts'
import { formatDay, formatDays } from './data/format.ts'
import { layerOf, useHiddenCalendars } from './data/hidden.ts'
import { useOpenEvent } from './data/open-event.ts'
import { newDraft } from './editor/draft.ts'
import { type Grid, GridContext } from './grid/grid-context.ts'
import { CalendarHeader } from './header.tsx'
import { HoursView } from './hours/hours-view.tsx'
import type { Range } from './layout/drag.ts'
import { periodOf, stepFrom } from './layout/period.ts'
import { byPlace, placeEvent } from './layout/placement.ts'
import { MonthView } from './month/month-view.tsx'
import { MonthDots } from './month/small-month.tsx'
import { PrintView } from './print-view.tsx'
import { RunNotices } from './runs/notices.tsx'
import { useRuns } from './runs/use-runs.ts'
import { type CalendarSearch, type View, path, views } from './search.ts'
import { type Day, dayToText, minuteOfWall, textToDay, wallOf } from './time/day.ts'
import { daysFrom } from './time/weeks.ts'
import { useFocusKept } from './use-focus-kept.ts'
import { useWindows } from './use-windows.ts'
import { CalendarWindows } from './windows.tsx'
import { useText } from 'virtual:words/calendar'

const phoneViews: readonly View[] = ['agenda', 'day', 'month']

/** `/calendar`: what is planned, by month, week, day or as a list, as its address says. */
export function CalendarPage() {
  const t = useText('calendar')
  useTitle(t('title'))
  const search = useSearch({ strict: false }) as CalendarSearch
  const navigate = useNavigate()
  const phone = usePhone()
  const tight = useTight()
  const clock = useClock()
  const calendars = useCalendars()
  const hidden = useHiddenCalendars()
  const [panel, setPanel] = useState(false)
  const wished = search.view ?? (phone ? 'agenda' : 'month')
  const view = phone && wished === 'week' ? 'day' : wished
  const day = textToDay(search.date) ?? clock.today
  const period = periodOf(view, day, clock.firstWeekday)
  const list = useEvents(period, clock.zone)
  const windows = useWindows(clock.zone)
  const heading = useRef<HTMLHeadingElement>(null)
  useFocusKept(heading, view, search.date, windows.window, search.event, list.data)
  const show = (change: CalendarSearch, replace = false) =>
    void navigate({ to: path, search: { ...search, ...change } as never, replace })
  const onShow = (next: View, to: Day) => show({ view: next, date: dayToText(to) })
  const opened = useOpenEvent(search, list.data?.items, (date) => show({ date }, true))

  const { held } = windows
  const placements = useMemo(
    () =>
      (list.data?.items ?? [])
        // What was declined is found in the inbox.
        .filter((event) => !hidden.includes(layerOf(event)) && event.answer !== 'no')
        .map((event) => placeEvent(event, clock.zone, held[event.id]))
        .sort(byPlace),
    [list.data, hidden, clock.zone, held],
  )
  const runs = useRuns(period, clock)
  const entries = useMemo(() => [...placements, ...runs.marks].sort(byPlace), [placements, runs.marks])
  const usual =
    calendars.find((each) => each.shared === null && each.subscription === null && !hidden.includes(each.id))?.id ??
    null
  const onDraw = (range: Range, allDay: boolean) =>
    windows.open({ what: 'editor', event: null, draft: newDraft(range, allDay, clock.zone, usual) })
  const onNew = () => {
    const hour = day === clock.today ? Math.min(23, Math.ceil(minuteOfWall(clock.now) / 60)) : 9
    const start = wallOf(day, hour * 60)
    onDraw({ start, end: start + 60 }, false)
  }
  const { open } = windows
  useEffect(() => {
    if (search.add === undefined) return
    open({ what: 'quick-add', text: search.add })
    void navigate({
      to: path,
      search: (before: CalendarSearch) => ({ ...before, add: undefined }) as never,
      replace: true,
    })
  }, [search.add, open, navigate])
  const onOpen = (event: CalendarEvent) =>
    show({ event: event.baseEventId ?? event.id, at: event.occurrence ?? undefined })
  const { zone } = clock
  const grid: Grid = { placements, entries, calendars, clock, zone, onOpen, onMove: windows.move, onDraw, onShow }
  const title =
    view === 'month'
      ? formatDay(day, phone ? 'shortMonth' : 'month')
      : view === 'day'
        ? formatDay(day, phone ? 'shortDay' : 'dayAndYear')
        : formatDays(period.first, period.last, phone ? 'dayOfMonth' : 'date')
  const calendarsPanel = (
    <CalendarsPanel
      day={day}
      onDay={(to) => show({ date: dayToText(to) }, true)}
      onAsk={(asked) => {
        setPanel(false)
        windows.open(asked)
      }}
    />
  )
  return (
    <GridContext value={grid}>
      <div className="flex h-full min-h-0">
        {!tight && (
          <div className="w-60 shrink-0 overflow-y-auto border-e border-line bg-canvas/60">{calendarsPanel}</div>
        )}
        <div className="flex min-w-0 flex-1 flex-col">
          <CalendarHeader
            title={title}
            heading={heading}
            view={view}
            offered={phone ? phoneViews : views}
            tight={tight}
            phone={phone}
            onView={(next) => show({ view: next, date: dayToText(day) })}
            onStep={(by) => show({ view, date: dayToText(stepFrom(view, day, by)) })}
            onToday={() => show({ view, date: dayToText(clock.today) })}
            onNew={onNew}
            onQuickAdd={() => windows.open({ what: 'quick-add', text: '' })}
            onImport={() => windows.open({ what: 'import' })}
            onSubscribe={() => windows.open({ what: 'subscribe' })}
            onPanel={() => setPanel(true)}
          />
          {list.isError && (
            <ErrorCard
              className="m-3"
              title={t('notLoaded')}
              details={detailsOf(list.error)}
              onRetry={() => void list.refetch()}
            >
              {wordsOf(list.error)}
            </ErrorCard>
          )}
          <RunNotices runs={runs} />
          {list.data?.truncated && <p className="px-3 py-2 text-sm text-warn-ink">{t('truncated')}</p>}
          <div className="relative min-h-0 flex-1">
            {view === 'month' && (phone ? <MonthDots day={day} /> : <MonthView day={day} />)}
            {view === 'week' && <HoursView days={daysFrom(period.first, 7)} label={title} />}
            {view === 'day' && <HoursView days={[day]} label={title} />}
            {view === 'agenda' && list.isSuccess && <AgendaView period={period} onNew={onNew} />}
            {list.isPending && (
              <div className="pointer-events-none absolute inset-0 grid place-items-center">
                <DelayedContent>
                  <Spinner size={20} label={t('loading')} />
                </DelayedContent>
              </div>
            )}
          </div>
          {list.isSuccess && entries.length === 0 && view !== 'agenda' && (
            <p role="status" className="border-t border-line px-3 py-2 text-center text-sm text-muted">
              {t(phone ? 'emptyPhone' : 'empty')}
            </p>
          )}
        </div>
      </div>
      {tight && (
        <Sheet open={panel} onOpenChange={setPanel} title={t('calendars')} side="start">
          {calendarsPanel}
        </Sheet>
      )}
      <PrintView title={title} period={period} />
      <CalendarWindows
        windows={windows}
        opened={opened}
        usual={usual}
        onClosed={() => show({ event: undefined, at: undefined }, true)}
        onSaved={(at) => view !== 'agenda' && show({ date: dayToText(at), event: undefined, at: undefined }, true)}
      />
    </GridContext>
  )
}
