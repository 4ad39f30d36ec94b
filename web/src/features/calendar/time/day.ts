/**
 * Days and times as they stand on a wall: a day is its number since 1 January 1970, a wall time the minutes since then,
 * both without any zone. So a day has always 1440 of them, and what clocks do is the business of `zone.ts`. Pure.
 */
export type Day = number
export type Wall = number

export const minutesOfDay = 1440
const dayMs = 86_400_000

export const dayOf = (year: number, month: number, date: number): Day => Date.UTC(year, month - 1, date) / dayMs

/** Year, month from 1, and day of the month. */
export function partsOf(day: Day): { year: number; month: number; date: number } {
  const at = new Date(day * dayMs)
  return { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, date: at.getUTCDate() }
}

/** `2026-11-26`. */
export const dayToText = (day: Day): string => new Date(day * dayMs).toISOString().slice(0, 10)

/** Reads `2026-11-26`; undefined for what is no day, such as 30 February. */
export function textToDay(text: unknown): Day | undefined {
  if (typeof text !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(text)) return undefined
  const day = Date.parse(`${text}T00:00:00Z`) / dayMs
  return Number.isInteger(day) && dayToText(day) === text ? day : undefined
}

/** From 1, Monday, to 7, Sunday. */
export const weekdayOf = (day: Day): number => mod(day + 3, 7) + 1

/** The same date some months on, or the last one of that month where it has none. */
export function addMonths(day: Day, months: number): Day {
  const { year, month, date } = partsOf(day)
  const first = dayOf(year, month + months, 1)
  return first + Math.min(date, daysInMonth(first)) - 1
}

export const firstOfMonth = (day: Day): Day => day - partsOf(day).date + 1

export function daysInMonth(day: Day): number {
  const { year, month } = partsOf(day)
  return dayOf(year, month + 1, 1) - dayOf(year, month, 1)
}

export const wallOf = (day: Day, minute: number): Wall => day * minutesOfDay + minute
export const dayOfWall = (wall: Wall): Day => Math.floor(wall / minutesOfDay)
export const minuteOfWall = (wall: Wall): number => mod(wall, minutesOfDay)

/** `2026-11-26T09:30`, as fields for date and time have it. */
export const wallToText = (wall: Wall): string => new Date(wall * 60_000).toISOString().slice(0, 16)

/** Reads `2026-11-26T09:30`, also with seconds, which are left out; undefined for what is no time. */
export function textToWall(text: unknown): Wall | undefined {
  const [, date, hours, minutes] = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)(?::\d\d(?:\.\d+)?)?$/.exec(String(text)) ?? []
  const day = textToDay(date)
  if (day === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined
  return wallOf(day, Number(hours) * 60 + Number(minutes))
}

const mod = (value: number, by: number): number => ((value % by) + by) % by
