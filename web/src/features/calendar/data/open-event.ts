/** The event that the address names. */
import { type CalendarEvent, calendarRoutes } from '@atrium/contract/calendar'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { queryOf } from '../../../api/query.ts'
import type { CalendarSearch } from '../search.ts'
import { startDayOf } from '../repeat/recurrence.ts'
import { dayToText } from '../time/day.ts'

export interface OpenEvent {
  readonly event: CalendarEvent | null
  /** Why it cannot be shown. */
  readonly error: Error | null
}

/** Among those that are shown, or read by itself; then `onDay` gets a day on which it is, as the address names none. */
export function useOpenEvent(
  { event: id, at, date }: CalendarSearch,
  items: readonly CalendarEvent[] | undefined,
  onDay: (date: string) => void,
): OpenEvent {
  const shown = items?.find(
    (each) => (each.baseEventId ?? each.id) === id && (at === undefined || each.occurrence === at),
  )
  const isMissing = id !== undefined && items !== undefined && !shown
  const read = useQuery({
    ...queryOf(calendarRoutes.readEvent, { params: { eventId: id ?? '' }, query: {} }),
    enabled: isMissing,
  })
  const series = isMissing ? read.data : undefined
  const day = date === undefined && series ? (at?.slice(0, 10) ?? dayToText(startDayOf(series))) : undefined
  useEffect(() => {
    if (day !== undefined) onDay(day)
    // Once for each event that is looked for.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [day])
  return { event: id === undefined ? null : (shown ?? series ?? null), error: isMissing ? read.error : null }
}
