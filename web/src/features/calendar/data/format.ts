/** Days and wall times in words of the language on screen. They have no zone: what is formatted is formatted as it stands. */
import { i18n } from '../../../lib/texts.ts'
import type { Range } from '../layout/drag.ts'
import { type Day, type Wall, dayOfWall, minutesOfDay } from '../time/day.ts'

const looks = {
  time: { hour: 'numeric', minute: '2-digit' },
  hour: { hour: 'numeric' },
  date: { day: 'numeric', month: 'short', year: 'numeric' },
  day: { weekday: 'long', day: 'numeric', month: 'long' },
  dayAndYear: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  shortDay: { weekday: 'short', day: 'numeric', month: 'short' },
  dayOfYear: { day: 'numeric', month: 'long' },
  number: { day: 'numeric' },
  weekday: { weekday: 'long' },
  shortWeekday: { weekday: 'short' },
  narrowWeekday: { weekday: 'narrow' },
  month: { month: 'long', year: 'numeric' },
  shortMonth: { month: 'short', year: 'numeric' },
  dayOfMonth: { day: 'numeric', month: 'short' },
  moment: { weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' },
} satisfies Record<string, Intl.DateTimeFormatOptions>

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(look: keyof typeof looks): Intl.DateTimeFormat {
  const name = `${i18n.language} ${look}`
  const known = formats.get(name)
  if (known) return known
  const made = new Intl.DateTimeFormat(i18n.language, { ...looks[look], timeZone: 'UTC' })
  formats.set(name, made)
  return made
}

export const formatDay = (day: Day, look: keyof typeof looks): string => formatOf(look).format(day * 86_400_000)
export const formatTime = (wall: Wall): string => formatOf('time').format(wall * 60_000)
/** `9 AM`, `9:30 AM`; an hour of 24 alone would not look like a time. */
export const formatShortTime = (wall: Wall): string =>
  wall % 60 === 0 && formatOf('hour').resolvedOptions().hour12 ? formatHour(wall / 60) : formatTime(wall)
export const formatHour = (hour: number): string => formatOf('hour').format(hour * 3_600_000)
/** `9:00 – 10:00 AM`. */
export function formatTimes({ start, end }: Range): string {
  if (end <= start) return formatTime(start)
  // Those of two days would be told with their dates.
  if (dayOfWall(start) !== dayOfWall(end)) return `${formatTime(start)} – ${formatTime(end)}`
  return formatOf('time').formatRange(start * 60_000, end * 60_000)
}

/** `23 – 29 Nov 2026`. */
export const formatDays = (first: Day, last: Day, look: 'date' | 'dayOfMonth' = 'date'): string =>
  formatOf(look).formatRange(first * 86_400_000, last * 86_400_000)

/** All of it: days, and times where it has some. */
export function formatRange(range: Range, allDay: boolean): string {
  const first = Math.floor(range.start / minutesOfDay)
  const last = Math.max(first, Math.floor((range.end - 1) / minutesOfDay))
  if (allDay) return first === last ? formatDay(first, 'dayAndYear') : formatDays(first, last)
  if (first === last) return `${formatDay(first, 'dayAndYear')}${comma()}${formatTimes(range)}`
  return formatOf('moment').formatRange(range.start * 60_000, range.end * 60_000)
}

/** Between a day and its times. */
const comma = () => (i18n.language === 'ar' ? '، ' : ', ')
