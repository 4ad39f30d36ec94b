import { formatDay } from '../../lib/format.ts'
import { translate } from 'virtual:words/blocks'

/**
 * Whether a message begins another day than the one before it. While that one is not loaded, it does not: a line that
 * came and went with loading would move what is read.
 */
export function beginsDay(time: string, before: string | undefined, moreBefore: boolean): boolean {
  if (before === undefined) return !moreBefore
  return new Date(time).toDateString() !== new Date(before).toDateString()
}

/** `Today`, `Yesterday`, `12 Nov 2026`. */
export function dayName(time: string, now: number): string {
  const days = Math.round((startOfDay(now) - startOfDay(new Date(time).getTime())) / 86_400_000)
  return days <= 0 ? translate('blocks:day.today') : days === 1 ? translate('blocks:day.yesterday') : formatDay(time)
}

function startOfDay(time: number): number {
  const date = new Date(time)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
}
