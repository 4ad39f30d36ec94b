/** Lets others have their turn: what reads a fast provider would otherwise never wait, and hold everybody up. */

/** Longest time that one answer is worked on while others wait. */
const longestTurnMs = 10

export interface TimeSlice {
  /** Whether this one was worked on for long enough without a pause. */
  isOver(): boolean
  /** Goes on when the others had their turn. */
  yieldToOthers(): Promise<void>
}

export function createTimeSlice(): TimeSlice {
  let since = performance.now()
  return {
    isOver: () => performance.now() - since > longestTurnMs,
    async yieldToOthers() {
      await new Promise(setImmediate)
      since = performance.now()
    },
  }
}
