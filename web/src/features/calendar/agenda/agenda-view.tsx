import { CalendarPlus } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { formatDay } from '../data/format.ts'
import { useGrid } from '../grid/grid-context.ts'
import type { Period } from '../layout/period.ts'
import { daysFrom } from '../time/weeks.ts'
import { DayList } from './day-list.tsx'
import { useText } from 'virtual:words/calendar'

/** What is planned, day after day; days without anything are left out. */
export function AgendaView({ period, onNew }: { period: Period; onNew: () => void }) {
  const t = useText('calendar')
  const { entries, clock } = useGrid()
  const days = daysFrom(period.first, period.last - period.first + 1)
    .map((day) => ({ day, here: entries.filter(({ first, last }) => first <= day && day <= last) }))
    .filter(({ here }) => here.length > 0)
  if (days.length === 0) {
    return (
      <EmptyState
        icon={<CalendarPlus />}
        title={t('nothing')}
        action={<Button onClick={onNew}>{t('new')}</Button>}
        className="m-auto"
      >
        {t('nothingText')}
      </EmptyState>
    )
  }
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto flex max-w-text flex-col gap-4 px-3 py-4">
        {days.map(({ day, here }) => (
          <section key={day} aria-labelledby={`day-${day}`}>
            <h2
              id={`day-${day}`}
              className={classNames(
                'px-2 pb-1 text-sm font-semibold',
                day === clock.today ? 'text-accent-ink' : 'text-muted',
              )}
            >
              {day === clock.today ? t('todayIs', { day: formatDay(day, 'day') }) : formatDay(day, 'day')}
            </h2>
            <DayList here={here} day={day} />
          </section>
        ))}
      </div>
    </div>
  )
}
