import { randomFillSync } from 'node:crypto'
import type { Clock } from './clock.ts'

/**
 * Makes a source of UUIDv7 that takes the time from `now` (integer milliseconds).
 * Each id sorts after the one before, within a millisecond and when the time goes back.
 */
export const createIds = (now: () => number): (() => string) => {
  let time = 0
  let count = 0
  // Asking the system for every id on its own costs more than all the rest of it.
  const pool = Buffer.alloc(10 * 400)
  let used = pool.length
  return () => {
    if (used === pool.length) {
      randomFillSync(pool)
      used = 0
    }
    const bytes = pool.subarray(used, used + 10)
    used += 10
    const current = now()
    if (current > time) {
      time = current
      // Half of the range is left to count in.
      count = bytes.readUInt16BE(0) & 0x07ff
    } else if (count < 0x0fff) {
      count += 1
    } else {
      time += 1
      count = bytes.readUInt16BE(0) & 0x07ff
    }
    const hex = bytes.toString('hex')
    const stamp = time.toString(16).padStart(12, '0')
    const variant = ((bytes[2] ?? 0) & 0x3f) | 0x80
    return `${stamp.slice(0, 8)}-${stamp.slice(8)}-7${count.toString(16).padStart(3, '0')}-${variant.toString(16)}${hex.slice(6, 8)}-${hex.slice(8)}`
  }
}

/** The time of this machine. */
export const systemClock: Clock = { now: () => Date.now(), id: createIds(() => Date.now()) }
