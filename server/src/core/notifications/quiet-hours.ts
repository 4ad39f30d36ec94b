/** Quiet hours: spans of local time by the day of the week, in the zone of the account. Pure. */
import type { NotificationPreferences } from '@atrium/contract/notifications'

type Quiet = Pick<NotificationPreferences, 'quietHours' | 'timeZone'>

const minuteMs = 60_000
const dayMinutes = 24 * 60

/** Whether a time (milliseconds) is in a quiet hour. */
export const isQuiet = ({ quietHours, timeZone }: Quiet, at: number): boolean => {
  const { day, minute } = localOf(at, timeZone)
  const today = spanOf(quietHours[day])
  const yesterday = spanOf(quietHours[(day + 6) % 7])
  if (today && minute >= today.from && minute < today.to) return true
  return yesterday !== null && minute + dayMinutes < yesterday.to
}

/** When the quiet that holds at a time is over, to the minute; the time itself where none holds. null: it never ends. */
export const endOfQuiet = (quiet: Quiet, at: number): number | null => {
  if (!isQuiet(quiet, at)) return at
  // What ends has ended within the days of a week and the longest span.
  const last = at + 9 * dayMinutes * minuteMs
  const step = 15 * minuteMs
  let before = at
  for (let next = at + step; next <= last; next += step) {
    if (isQuiet(quiet, next)) {
      before = next
      continue
    }
    for (let end = Math.floor(before / minuteMs) * minuteMs + minuteMs; end < next; end += minuteMs)
      if (!isQuiet(quiet, end)) return end
    return next
  }
  return null
}

/** In minutes of the day; past midnight where it goes into the next one. */
const spanOf = (span: { from: string; to: string } | null | undefined): { from: number; to: number } | null => {
  if (!span) return null
  const [from, to] = [minutesOf(span.from), minutesOf(span.to)]
  return { from, to: to > from ? to : to + dayMinutes }
}
const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

const formats = new Map<string, Intl.DateTimeFormat>()
const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

const localOf = (at: number, timeZone: string): { day: number; minute: number } => {
  let format = formats.get(timeZone)
  if (!format) {
    const parts = { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
    format = new Intl.DateTimeFormat('en', { ...parts, timeZone })
    formats.set(timeZone, format)
  }
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
  return { day: days.indexOf(parts['weekday'] ?? ''), minute: Number(parts['hour']) * 60 + Number(parts['minute']) }
}
