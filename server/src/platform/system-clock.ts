import { randomFillSync } from 'node:crypto'
import type { Clock } from './clock.ts'

/**
 * Makes a source of UUIDv7 that takes the time from `now` (integer milliseconds).
 * Each id sorts after the one before, within a millisecond and when the time goes back.
 */
export const createIds = (now: () => number): (() => string) => {
  let time = 0
  let stamp = ''
  let count = 0
  // Asking the system for every id on its own costs more than all the rest of it.
  const pool = Buffer.alloc(10 * 400)
  let digits = ''
  let used = 0

  const begin = (at: number, random: string): void => {
    time = at
    const hex = at.toString(16).padStart(12, '0')
    stamp = `${hex.slice(0, 8)}-${hex.slice(8)}`
    // Half of the range is left to count in.
    count = Number.parseInt(random.slice(0, 3), 16) & 0x07ff
  }
  return () => {
    if (used === digits.length) {
      digits = randomFillSync(pool).toString('hex')
      used = 0
    }
    const random = digits.slice(used, used + 20)
    used += 20
    const current = now()
    if (current > time) begin(current, random)
    else if (count < 0x0fff) count += 1
    else begin(time + 1, random)
    const counted = count.toString(16).padStart(3, '0')
    const variant = (Number.parseInt(random.slice(3, 4), 16) & 0x3) | 0x8
    return `${stamp}-7${counted}-${variant.toString(16)}${random.slice(4, 7)}-${random.slice(8)}`
  }
}

/** The time of this machine. */
export const systemClock: Clock = { now: () => Date.now(), id: createIds(() => Date.now()) }
