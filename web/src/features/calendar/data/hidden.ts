/** Which calendars are not shown, in this browser. */
import type { CalendarEvent } from '@atrium/contract/calendar'
import { create } from 'zustand'

const name = 'atrium.calendar.hidden'
/** Stands for what is in no calendar. */
export const noCalendar = 'none'
/** Stands for the events of others that the viewer is invited to. */
export const invitations = 'invitations'
/** Stands for the layer of automation runs. */
export const automationRuns = 'automations'

/** The layer of an event: its calendar, or what stands for one. */
export const layerOf = ({
  calendarId,
  answer,
  shared,
}: Pick<CalendarEvent, 'calendarId' | 'answer' | 'shared'>): string =>
  calendarId ?? (answer !== null && shared !== null ? invitations : noCalendar)

function read(): readonly string[] {
  const stored: unknown = JSON.parse(localStorage.getItem(name) ?? '[]')
  return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : []
}

export const useHiddenCalendars = create<readonly string[]>(() => {
  try {
    return read()
  } catch {
    // What another version left there hides nothing.
    return []
  }
})

export function showCalendar(id: string, isShown: boolean): void {
  const others = useHiddenCalendars.getState().filter((other) => other !== id)
  const next = isShown ? others : [...others, id].slice(-200)
  useHiddenCalendars.setState(next, true)
  localStorage.setItem(name, JSON.stringify(next))
}
