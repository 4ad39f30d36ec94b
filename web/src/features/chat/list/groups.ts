/** Which group of the list a chat stands in, by the days of the reader's calendar. */

export type DateGroup = 'today' | 'yesterday' | 'week' | 'days30' | { readonly year: number; readonly month: number }

/** The group of a time (ms or RFC 3339), seen from `now`. */
export function groupOf(time: string, now: number): DateGroup {
  const date = new Date(time)
  const days = Math.round((startOfDay(now) - startOfDay(date.getTime())) / 86_400_000)
  if (days <= 0) return 'today'
  if (days === 1) return 'yesterday'
  if (days <= 7) return 'week'
  if (days <= 30) return 'days30'
  return { year: date.getFullYear(), month: date.getMonth() }
}

/** A key that is equal for equal groups. */
export const groupKey = (group: DateGroup): string =>
  typeof group === 'string' ? group : `${group.year}-${group.month}`

function startOfDay(time: number): number {
  const date = new Date(time)
  // Noon would be safe from clock changes; rounding to whole days above does the same for midnight.
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
}
