/** Tells whether much came lately, so that under load some of it may be gathered, and at rest nothing waits. */

export interface Crowd {
  /** Counts what comes. `now` in milliseconds of a clock that only goes on. */
  count(now: number, more: number): void
  readonly isThere: boolean
}

/** How often it is judged. */
const spanMs = 250

/** `perSecond`: from so many on there is a crowd. */
export const createCrowd = (perSecond: number): Crowd => {
  let since = 0
  let counted = 0
  let isThere = false
  return {
    count(now, more) {
      counted += more
      if (now - since < spanMs) return
      isThere = (counted * 1000) / (now - since) > perSecond
      since = now
      counted = 0
    },
    get isThere() {
      return isThere
    },
  }
}
