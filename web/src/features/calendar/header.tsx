import {
  ChevronLeft,
  ChevronRight,
  Download,
  MoreHorizontal,
  PanelLeft,
  Plus,
  Printer,
  Rss,
  Sparkles,
  Upload,
} from 'lucide-react'
import type { RefObject } from 'react'
import { useAction } from '../../lib/actions.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { exportCalendar } from './data/changes.ts'
import type { View } from './search.ts'
import { useText } from 'virtual:words/calendar'

/** Which days are shown, the ways to others, and what can be done with all of it. */
export function CalendarHeader({
  title,
  heading,
  view,
  offered,
  tight,
  phone,
  onView,
  onStep,
  onToday,
  onNew,
  onQuickAdd,
  onImport,
  onSubscribe,
  onPanel,
}: {
  /** The days that are shown. */
  title: string
  heading: RefObject<HTMLHeadingElement | null>
  view: View
  offered: readonly View[]
  tight: boolean
  phone: boolean
  onView: (view: View) => void
  onStep: (by: 1 | -1) => void
  onToday: () => void
  onNew: () => void
  onQuickAdd: () => void
  onImport: () => void
  onSubscribe: () => void
  onPanel: () => void
}) {
  const t = useText('calendar')
  useAction('calendar.new', onNew)
  useAction('calendar.quickAdd', onQuickAdd)
  useAction('calendar.today', onToday)
  useAction('calendar.next', () => onStep(1))
  useAction('calendar.previous', () => onStep(-1))
  useAction('calendar.month', () => onView('month'))
  useAction('calendar.week', () => onView('week'), offered.includes('week'))
  useAction('calendar.day', () => onView('day'))
  useAction('calendar.agenda', () => onView('agenda'))
  const todayButton = <Button onClick={onToday}>{t('today')}</Button>
  return (
    <header className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2.5">
      {tight && <IconButton label={t('calendars')} icon={<PanelLeft />} tone="plain" onClick={onPanel} />}
      <h1
        ref={heading}
        tabIndex={-1}
        aria-live="polite"
        className="min-w-0 flex-1 truncate text-lg font-semibold tracking-tight outline-none max-tab:text-md tab:min-w-56"
      >
        {title}
      </h1>
      {!phone && todayButton}
      <div className="flex">
        <IconButton label={t(`before.${view}`)} icon={<ChevronLeft />} onClick={() => onStep(-1)} />
        <IconButton label={t(`after.${view}`)} icon={<ChevronRight />} onClick={() => onStep(1)} />
      </div>
      <Menu trigger={<IconButton label={t('menu')} icon={<MoreHorizontal />} tooltipSide="none" />}>
        <MenuItem icon={<Sparkles />} onSelect={onQuickAdd}>
          {t('quickAdd.title')}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Upload />} onSelect={onImport}>
          {t('import.title')}
        </MenuItem>
        <MenuItem icon={<Rss />} onSelect={onSubscribe}>
          {t('subscription.menu')}
        </MenuItem>
        <MenuItem icon={<Download />} onSelect={() => void exportCalendar(null)}>
          {t('exportAll')}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Printer />} onSelect={() => setTimeout(() => print())}>
          {t('print')}
        </MenuItem>
      </Menu>
      {phone ? (
        <IconButton label={t('new')} icon={<Plus />} tone="primary" onClick={onNew} />
      ) : (
        <Button tone="primary" icon={<Plus className="size-4" />} onClick={onNew}>
          {t('new')}
        </Button>
      )}
      <div className="flex items-center gap-2 max-tab:w-full">
        <SegmentedControl
          label={t('view')}
          value={view}
          onChange={onView}
          options={offered.map((value) => ({ value, label: t(`views.${value}`) }))}
          className="max-tab:flex max-tab:flex-1 max-tab:*:flex-auto max-tab:*:justify-center max-tab:*:px-2"
        />
        {phone && todayButton}
      </div>
    </header>
  )
}
