import { useEffect, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { formatDay, formatTimes } from './data/format.ts'
import { ownTime } from './data/event-words.ts'
import { useGrid } from './grid/grid-context.ts'
import type { Period } from './layout/period.ts'
import { stretchOn } from './layout/placement.ts'
import type { RunMark } from './runs/entries.ts'
import { minutesOfDay, wallOf } from './time/day.ts'
import { daysFrom } from './time/weeks.ts'
import { useText } from 'virtual:words/calendar'

/** What is printed of the days that are shown: each day with its events, over as many pages as they take. */
export function PrintView({ title, period }: { title: string; period: Period }) {
  const [isPrinting, setIsPrinting] = useState(false)
  useEffect(() => {
    // The browser takes the page as it stands when this returns.
    const before = () => flushSync(() => setIsPrinting(true))
    const after = () => setIsPrinting(false)
    addEventListener('beforeprint', before)
    addEventListener('afterprint', after)
    return () => {
      removeEventListener('beforeprint', before)
      removeEventListener('afterprint', after)
    }
  }, [])
  return isPrinting ? createPortal(<Sheets title={title} period={period} />, document.body) : null
}

function Sheets({ title, period }: { title: string; period: Period }) {
  const t = useText('calendar')
  const { entries, zone } = useGrid()
  const days = daysFrom(period.first, period.last - period.first + 1)
    .map((day) => ({ day, here: entries.filter(({ first, last }) => first <= day && day <= last) }))
    .filter(({ here }) => here.length > 0)
  return (
    <div data-print style={{ position: 'absolute' }} className="text-sm">
      <h1 className="mb-3 text-xl font-semibold">{title}</h1>
      {days.length === 0 && <p>{t('nothing')}</p>}
      {days.map(({ day, here }) => (
        <section key={day} className="mb-3 break-inside-avoid">
          <h2 className="border-b border-line font-semibold">{formatDay(day, 'dayAndYear')}</h2>
          <ul>
            {here.map((placement) => {
              if ('run' in placement) return <PrintedRun key={placement.key} mark={placement} />
              const { event, key } = placement
              const part = stretchOn(placement, day)
              const isWhole = event.allDay || !part || (part.start === 0 && part.end === minutesOfDay)
              const times = isWhole
                ? t('allDay')
                : formatTimes({ start: wallOf(day, part.start), end: wallOf(day, part.end) })
              return (
                <li key={key} className="flex gap-3 py-0.5">
                  <span className="w-36 shrink-0">{times}</span>
                  <span className="min-w-0">
                    <span className={event.status === 'cancelled' ? 'line-through' : ''}>{event.title}</span>
                    {[ownTime(t, event, zone), event.place].filter(Boolean).map((more) => (
                      <span key={more}> · {more}</span>
                    ))}
                  </span>
                </li>
              )
            })}
          </ul>
        </section>
      ))}
    </div>
  )
}

function PrintedRun({ mark: { run, range } }: { mark: RunMark }) {
  const t = useText('calendar')
  return (
    <li className="flex gap-3 py-0.5">
      <span className="w-36 shrink-0">{formatTimes(range)}</span>
      <span className="min-w-0">
        {run.name} · {t('automation')} · {t(`runState.${run.state}`)}
      </span>
    </li>
  )
}
