/** The events and calendars that are shown, and how they follow what happens here and elsewhere. */
import { type Calendar, type CalendarEvent, calendarRoutes } from '@atrium/contract/calendar'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { onAccountEvent } from '../../../api/account-events.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import type { Period } from '../layout/period.ts'
import { wallOf } from '../time/day.ts'
import { wallToInstant } from '../time/zone.ts'

export async function refreshCalendar(): Promise<void> {
  await Promise.all([
    refresh(calendarRoutes.events),
    refresh(calendarRoutes.calendars),
    refresh(calendarRoutes.readEvent),
  ])
}

onAccountEvent('calendar-changed', () => void refreshCalendar())

export const calendarsQuery = queryOf(calendarRoutes.calendars, {})

const none: readonly Calendar[] = []
export const useCalendars = (): readonly Calendar[] => useQuery(calendarsQuery).data?.items ?? none

/** Every occurrence of a period, in the zone of the viewer. */
export function useEvents({ first, last }: Period, zone: string): UseQueryResult<EventList, Error> {
  const at = (day: number) => new Date(wallToInstant(wallOf(day, 0), zone)).toISOString()
  return useQuery(queryOf(calendarRoutes.events, { query: { from: at(first), to: at(last + 1), timeZone: zone } }))
}

interface EventList {
  readonly items: readonly CalendarEvent[]
  readonly truncated: boolean
}

/** Whether the viewer may change what stands there, or put something into it. */
export const isWritable = (place: Pick<Calendar, 'shared' | 'subscription'> | CalendarEvent): boolean =>
  !('subscribed' in place ? place.subscribed : place.subscription) &&
  (place.shared === null || place.shared.right !== 'read')
