import { type CalendarEvent, calendarRoutes } from '@atrium/contract/calendar'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { wordsOf } from '../../../api/errors.ts'
import { queryOf } from '../../../api/query.ts'
import { Button } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { baseOf } from '../data/changes.ts'
import { formatRange } from '../data/format.ts'
import type { Draft } from '../editor/draft.ts'
import type { Range } from '../layout/drag.ts'
import { dayOfWall, wallOf } from '../time/day.ts'
import { instantToWall, wallToInstant } from '../time/zone.ts'
import { useText } from 'virtual:words/calendar'

const shownAtFirst = 6
const daysAhead = 14

/** Times of the next two weeks, from the day of the event on, when its writer and all guests are free. */
export function FindTime({
  draft,
  event,
  zone,
  onPick,
}: {
  draft: Draft
  /** What is there already takes no time; null: a new one. */
  event: CalendarEvent | null
  /** The viewer’s. */
  zone: string
  onPick: (range: Range) => void
}) {
  const t = useText('calendar')
  const [open, setOpen] = useState(false)
  const [all, setAll] = useState(false)
  const own = draft.zone ?? zone
  const minutes = Math.max(15, draft.end - draft.start)
  const from = Math.max(Date.now(), wallToInstant(wallOf(dayOfWall(draft.start), 0), own))
  const asked = new Date(Math.ceil(from / 900_000) * 900_000)
  const found = useQuery({
    ...queryOf(calendarRoutes.freeBusy, {
      query: Object.assign(
        {
          accounts: draft.guests.map(({ id }) => id).join(','),
          from: asked.toISOString(),
          to: new Date(asked.getTime() + daysAhead * 86_400_000).toISOString(),
          timeZone: zone,
          minutes,
        },
        event ? { except: baseOf(event) } : {},
      ),
    }),
    enabled: open && minutes <= 1440,
    staleTime: 15_000,
  })
  if (draft.allDay || minutes > 1440) return null
  const free = found.data?.free ?? []
  const rangeOf = (startAt: string): Range => {
    const start = instantToWall(Date.parse(startAt), own)
    return { start, end: start + minutes }
  }
  return (
    <div className="flex flex-col items-start gap-2">
      <Button size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
        {t('findTime.title')}
      </Button>
      {open && found.isPending && <Skeleton lines={2} />}
      {open && found.isError && <p className="text-sm text-danger-ink">{wordsOf(found.error)}</p>}
      {open && found.isSuccess && (
        <div role="status" className="w-full">
          <p className="mb-1.5 text-sm text-muted">
            {t(free.length === 0 ? 'findTime.none' : draft.guests.length > 0 ? 'findTime.all' : 'findTime.own')}
          </p>
          <ul className="flex flex-wrap gap-1.5">
            {free.slice(0, all ? undefined : shownAtFirst).map(({ startAt }) => (
              <li key={startAt}>
                <Button size="small" onClick={() => onPick(rangeOf(startAt))}>
                  {formatRange(rangeOf(startAt), false)}
                </Button>
              </li>
            ))}
            {!all && free.length > shownAtFirst && (
              <li>
                <Button size="small" tone="quiet" onClick={() => setAll(true)}>
                  {t('findTime.more')}
                </Button>
              </li>
            )}
          </ul>
        </div>
      )}
    </div>
  )
}
