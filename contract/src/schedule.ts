/** When an automation of the daemon runs: the grammar of its schedules. Times are of the daemon's machine. */

export const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const
export type Weekday = (typeof weekdays)[number]

export type Schedule =
  | { readonly kind: 'hourly' }
  | { readonly kind: 'minutes'; readonly every: number }
  | { readonly kind: 'daily'; readonly time: string }
  | { readonly kind: 'weekly'; readonly day: Weekday; readonly time: string }
  | { readonly kind: 'cron'; readonly fields: readonly string[] }

/** Reads `hourly`, `every N minutes`, `daily HH:MM`, `weekly <day> HH:MM` or five fields of cron; null for all else. */
export const parseSchedule = (written: string): Schedule | null => {
  const words = written.trim().toLowerCase().split(/\s+/)
  const [first = '', second = '', third = ''] = words
  if (words.length === 1 && first === 'hourly') return { kind: 'hourly' }
  if (words.length === 3 && first === 'every' && /^minutes?$/.test(third))
    return isWithin(second, 1, 1440) ? { kind: 'minutes', every: Number(second) } : null
  if (words.length === 2 && first === 'daily') return isTime(second) ? { kind: 'daily', time: second } : null
  if (words.length === 3 && first === 'weekly') {
    const day = weekdays.find((name) => name === second || (second.length === 3 && name.startsWith(second)))
    return day && isTime(third) ? { kind: 'weekly', day, time: third } : null
  }
  if (words.length !== cronBounds.length) return null
  return words.every((field, index) => isCronField(field, index)) ? { kind: 'cron', fields: words } : null
}

/** Minute, hour, day of the month, month, day of the week; 0 and 7 are Sunday. */
const cronBounds = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const

const isCronField = (field: string, index: number): boolean => {
  const [min, max] = cronBounds[index] ?? [0, -1]
  if (field === '*') return true
  if (field.startsWith('*/')) return isWithin(field.slice(2), 1, Math.max(max, 1))
  return field.split(',').every((one) => isWithin(one, min, max) || (index === 4 && isDayName(one)))
}

const isDayName = (text: string): boolean =>
  weekdays.some((name) => name === text || (text.length === 3 && name.startsWith(text)))

const isTime = (text: string): boolean => /^([01]?\d|2[0-3]):[0-5]\d$/.test(text)

const isWithin = (text: string, min: number, max: number): boolean =>
  /^\d{1,4}$/.test(text) && Number(text) >= min && Number(text) <= max
