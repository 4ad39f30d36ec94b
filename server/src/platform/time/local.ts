/** Local times and days as they are written, and as numbers. */
import { dayMs } from './types.ts'

/** The years that schedules are about; the calendar and the zones say nothing sensible beyond. */
const firstYear = 1900
export const lastYear = 2200

/** Reads `2026-11-26T09:30` or `2026-11-26T09:30:00` as a wall-clock time; null for a time or a day that is none. */
export const parseWall = (text: string): number | null => {
  const [, day, hour, minute, second = '00'] =
    /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(text) ?? []
  const date = day === undefined ? null : parseDay(day)
  return date === null ? null : date + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000
}

/** Reads `2026-11-26` as the wall-clock time at which it begins; null for a day that is none. */
export const parseDay = (text: string): number | null => {
  const [, year] = /^(\d{4})-\d{2}-\d{2}$/.exec(text) ?? []
  if (year === undefined || Number(year) < firstYear || Number(year) > lastYear) return null
  const time = Date.parse(`${text}T00:00:00.000Z`)
  // The 31st of February would become a day of March.
  return Number.isNaN(time) || formatDay(time) !== text ? null : time
}

/** `2026-11-26T09:30:00`. */
export const formatWall = (wall: number): string => new Date(wall).toISOString().slice(0, 19)
/** `2026-11-26`. */
export const formatDay = (wall: number): string => new Date(wall).toISOString().slice(0, 10)
/** The wall-clock time at which the day of another begins. */
export const dayOf = (wall: number): number => Math.floor(wall / dayMs) * dayMs
