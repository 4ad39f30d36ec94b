import type { Clock } from '../platform/clock.ts'
import { createIds, systemClock } from '../platform/system-clock.ts'

/** A clock that stands still until a test moves it. */
export interface TestClock extends Clock {
  advance(ms: number): void
  set(time: number): void
}

/** Starts at a time (integer milliseconds; a day in 2026 unless told). Its ids carry its time. */
export const testClock = (start = Date.UTC(2026, 0, 15, 12)): TestClock => {
  let time = start
  const now = (): number => time
  return {
    now,
    id: createIds(now),
    advance: (ms) => {
      time += ms
    },
    set: (to) => {
      time = to
    },
  }
}

/** The time of this machine, for tests of things that wait. */
export const realClock: Clock = systemClock
