/** Every so many milliseconds from an instant on, whatever clocks show. */
import { faultOf } from './rule.ts'
import { type Schedule, minuteMs, mostSteps } from './types.ts'

/** Throws ScheduleFault for less than a minute. */
export const createInterval = (start: number, everyMs: number): Schedule => {
  if (!Number.isInteger(everyMs) || everyMs < minuteMs) throw faultOf('interval', 'An interval is a minute or more.')
  const next = (after: number): number =>
    after < start ? start : start + (Math.floor((after - start) / everyMs) + 1) * everyMs
  return {
    next,
    previous: (before) => (before <= start ? null : start + (Math.ceil((before - start) / everyMs) - 1) * everyMs),
    between(from, to, limit = mostSteps) {
      const found: number[] = []
      for (let at = next(from - 1); at < to && found.length < limit; at = next(at)) found.push(at)
      return found
    },
    last: () => null,
  }
}
