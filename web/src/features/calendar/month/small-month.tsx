import { type KeyboardEvent, useEffect, useRef } from 'react'
import { classNames } from '../../../lib/class-names.ts'
import { colorOfEvent, colorToStyle } from '../data/colors.ts'
import { formatDay } from '../data/format.ts'
import { DayList } from '../agenda/day-list.tsx'
import { useGrid } from '../grid/grid-context.ts'
import { dayByKey } from '../layout/day-keys.ts'
import { type Day, partsOf, weekdayOf } from '../time/day.ts'
import { weeksOfMonth } from '../time/weeks.ts'
import { weekdayName } from '../repeat/words.ts'
import { useText } from 'virtual:words/calendar'

/** A small month: a dot for each event up to three, none where `plain`. The day that is chosen is the only one where Tab stops. */
export function SmallMonth({
  day,
  plain,
  onDay,
  className,
}: {
  day: Day
  plain?: boolean
  onDay: (day: Day) => void
  className?: string
}) {
  const t = useText('calendar')
  const { entries, clock, calendars } = useGrid()
  const box = useRef<HTMLTableElement>(null)
  const byKey = useRef(false)
  const weeks = weeksOfMonth(day, clock.firstWeekday)
  useEffect(() => {
    if (byKey.current) box.current?.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus()
    byKey.current = false
  })
  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const rtl = getComputedStyle(event.currentTarget).direction === 'rtl'
    const next = dayByKey(event.key, day, clock.firstWeekday, rtl)
    if (next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    byKey.current = true
    onDay(next)
  }
  return (
    <table ref={box} aria-label={formatDay(day, 'month')} className={classNames('w-full table-fixed', className)}>
      <thead>
        <tr>
          {(weeks[0] ?? []).map((each) => (
            <th key={each} scope="col" className="pb-1 text-2xs font-medium text-muted">
              <span aria-hidden>{formatDay(each, 'narrowWeekday')}</span>
              <span className="sr-only">{weekdayName(weekdayOf(each))}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody onKeyDown={onKeyDown}>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((each) => {
              const here = plain ? [] : entries.filter(({ first, last }) => first <= each && each <= last)
              const label = formatDay(each, 'dayAndYear')
              return (
                <td key={each} className="p-0 text-center">
                  <button
                    type="button"
                    tabIndex={each === day ? 0 : -1}
                    aria-pressed={each === day}
                    aria-current={each === clock.today ? 'date' : undefined}
                    aria-label={plain ? label : t('dayLabel', { day: label, count: here.length })}
                    onClick={() => onDay(each)}
                    className={classNames(
                      'mx-auto flex w-full max-w-11 flex-col items-center justify-center rounded-md text-xs tabular-nums hover:bg-hover',
                      plain ? 'h-7' : 'h-11 gap-0.5',
                      each === clock.today && 'font-bold text-accent-ink',
                      each !== clock.today && partsOf(each).month !== partsOf(day).month && 'text-faint',
                      each === day && 'bg-accent-soft',
                    )}
                  >
                    {formatDay(each, 'number')}
                    {!plain && (
                      <span aria-hidden className="flex h-1.5 gap-0.5">
                        {here
                          .slice(0, 3)
                          .map((entry) =>
                            'run' in entry ? (
                              <span key={entry.key} className="size-1.5 rounded-full border border-line-strong" />
                            ) : (
                              <span
                                key={entry.key}
                                style={colorToStyle(colorOfEvent(entry.event, calendars))}
                                className="size-1.5 rounded-full bg-(--tint)"
                              />
                            ),
                          )}
                      </span>
                    )}
                  </button>
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The month of a phone: dots for events, and below what the chosen day has. */
export function MonthDots({ day }: { day: Day }) {
  const t = useText('calendar')
  const { entries, onShow } = useGrid()
  const here = entries.filter(({ first, last }) => first <= day && day <= last)
  return (
    <div className="h-full overflow-y-auto px-3 py-2">
      <SmallMonth day={day} onDay={(next) => onShow('month', next)} />
      <h2 className="mt-3 border-t border-line px-2 pt-3 pb-1 text-sm font-semibold">{formatDay(day, 'day')}</h2>
      {here.length === 0 && <p className="px-2 text-muted">{t('nothingOnDay')}</p>}
      <DayList here={here} day={day} />
    </div>
  )
}
