import { type CSSProperties, useState } from 'react'
import { Popover } from '../../../ui/popover.tsx'
import { formatDay } from '../data/format.ts'
import type { Entry } from '../grid/grid-context.ts'
import type { Day } from '../time/day.ts'
import { DayList } from '../agenda/day-list.tsx'
import { useText } from 'virtual:words/calendar'

/** `+3 more`: opens everything of its day. */
export function MoreEvents({
  day,
  here,
  more,
  tabbable,
  style,
}: {
  day: Day
  here: readonly Entry[]
  more: number
  tabbable: boolean
  style: CSSProperties
}) {
  const t = useText('calendar')
  const [open, setOpen] = useState(false)
  return (
    // React hands on what happens in the panel, too, as if it stood in the day.
    <div
      role="presentation"
      style={style}
      className="absolute inset-x-0.5 z-1"
      onClick={(event) => event.stopPropagation()}
      onPointerDown={(event) => event.stopPropagation()}
      onKeyDown={(event) => event.stopPropagation()}
      onFocus={(event) => event.stopPropagation()}
    >
      <Popover
        label={formatDay(day, 'dayAndYear')}
        open={open}
        onOpenChange={setOpen}
        className="w-72"
        trigger={
          <button
            type="button"
            tabIndex={tabbable ? 0 : -1}
            className="h-6 w-full truncate rounded-sm px-1 text-start text-xs font-medium text-muted hover:bg-hover hover:text-ink"
          >
            <span aria-hidden>{t('more', { count: more })}</span>
            <span className="sr-only">{t('moreOn', { count: more, day: formatDay(day, 'day') })}</span>
          </button>
        }
      >
        <p className="mb-1.5 text-sm font-medium">{formatDay(day, 'day')}</p>
        <DayList here={here} day={day} onOpened={() => setOpen(false)} />
      </Popover>
    </div>
  )
}
