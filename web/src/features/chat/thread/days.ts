import { formatDay } from '../../../lib/format.ts'
import { groupOf } from '../list/groups.ts'
import { translate } from 'virtual:words/chat'

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
  const group = groupOf(time, now)
  return group === 'today' || group === 'yesterday' ? translate(`chat-list:group.${group}`) : formatDay(time)
}
