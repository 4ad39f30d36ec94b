/** What dragging and arrow keys make of a stretch of time. Pure. */
import { type Wall, dayOfWall, minuteOfWall, minutesOfDay, wallOf } from '../time/day.ts'

/** On the clocks that the viewer reads; `end` is not included. */
export interface Range {
  readonly start: Wall
  readonly end: Wall
}

/** What is dragged lands on quarters of an hour. */
export const stepMinutes = 15

const snap = (wall: Wall): Wall => Math.round(wall / stepMinutes) * stepMinutes

/** A new stretch between where the pointer went down and where it is: at least a quarter of an hour, of one day. */
export function drawRange(from: Wall, to: Wall): Range {
  const first = Math.floor(Math.min(from, to) / stepMinutes) * stepMinutes
  const last = Math.ceil(Math.max(from, to) / stepMinutes) * stepMinutes
  const day = dayOfWall(from)
  const start = Math.max(wallOf(day, 0), Math.min(first, wallOf(day + 1, -stepMinutes)))
  return { start, end: Math.min(wallOf(day + 1, 0), Math.max(last, start + stepMinutes)) }
}

/**
 * The stretch after it was dragged by so many days and minutes. Minutes that are none of a quarter stay as long as only
 * the day changes; the start stays on its day.
 */
export function moveRange({ start, end }: Range, days: number, minutes: number): Range {
  const length = end - start
  const day = dayOfWall(start) + days
  const kept = minuteOfWall(start)
  const isMoved = Math.abs(minutes) >= stepMinutes / 2
  const minute = isMoved ? Math.max(0, Math.min(minutesOfDay - stepMinutes, snap(kept + minutes))) : kept
  const moved = wallOf(day, minute)
  return { start: moved, end: moved + length }
}

/** The stretch with its end (or its start) somewhere else; it stays a quarter of an hour long at least. */
export function stretchRange({ start, end }: Range, edge: 'start' | 'end', to: Wall): Range {
  const at = snap(to)
  return edge === 'end'
    ? { start, end: Math.max(start + stepMinutes, at) }
    : { start: Math.min(end - stepMinutes, at), end }
}

/** What a key does to a stretch: a step of the grid, or with Shift a step of its end. Undefined for keys that mean nothing here. */
export function keyRange(range: Range, press: KeyPress, grid: 'hours' | 'days'): Range | undefined {
  const by = stepOf(press, grid)
  if (!by) return undefined
  if (!press.shiftKey) return moveRange(range, by.days, by.minutes)
  const least = grid === 'hours' ? stepMinutes : minutesOfDay
  const end = range.end + by.days * minutesOfDay + by.minutes
  return { start: range.start, end: Math.max(range.start + least, end) }
}

export interface KeyPress {
  readonly key: string
  readonly shiftKey: boolean
  /** The page runs from right to left. */
  readonly rtl: boolean
}

function stepOf({ key, shiftKey, rtl }: KeyPress, grid: 'hours' | 'days') {
  const forward = rtl ? 'ArrowLeft' : 'ArrowRight'
  const back = rtl ? 'ArrowRight' : 'ArrowLeft'
  if (key === forward || key === back) {
    // Beside each other stand days; an event of an hour does not end tomorrow.
    return grid === 'hours' && shiftKey ? undefined : { days: key === forward ? 1 : -1, minutes: 0 }
  }
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return undefined
  const sign = key === 'ArrowDown' ? 1 : -1
  return grid === 'hours' ? { days: 0, minutes: sign * stepMinutes } : { days: sign * 7, minutes: 0 }
}
