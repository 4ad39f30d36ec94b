/** Lets others have their turn: what reads a fast provider would otherwise never wait, and hold everybody up. */

/** Longest time that one answer is worked on while others wait. */
const longestTurnMs = 10

export interface Yielding {
  /** Whether this one was worked on for long enough without a pause. */
  isOver(): boolean
  /** Goes on when the others had their turn. */
  others(): Promise<void>
}

export function createYielding(): Yielding {
  let since = performance.now()
  return {
    isOver: () => performance.now() - since > longestTurnMs,
    async others() {
      await new Promise(setImmediate)
      since = performance.now()
    },
  }
}
