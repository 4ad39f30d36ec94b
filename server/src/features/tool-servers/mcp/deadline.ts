/** The time that a call has, which stands still while a person is asked. */

export interface Deadline {
  /** Aborted when the time is over, or when whoever waits gave up. */
  readonly signal: AbortSignal
  readonly isLate: () => boolean
  readonly isPausing: () => boolean
  /** Does something that takes none of the time. */
  pausing<T>(work: () => Promise<T>): Promise<T>
  end(): void
}

export const startDeadline = (ms: number, outer: AbortSignal): Deadline => {
  const controller = new AbortController()
  const giveUp = () => controller.abort(outer.reason)
  if (outer.aborted) giveUp()
  outer.addEventListener('abort', giveUp)
  let left = ms
  let late = false
  let pauses = 0
  let begun = 0
  let timer: NodeJS.Timeout | undefined
  const run = () => {
    begun = performance.now()
    timer = setTimeout(() => {
      late = true
      controller.abort()
    }, left)
  }
  run()
  return {
    signal: controller.signal,
    isLate: () => late,
    isPausing: () => pauses > 0,
    async pausing(work) {
      if (pauses++ === 0) {
        clearTimeout(timer)
        left -= performance.now() - begun
      }
      try {
        return await work()
      } finally {
        if (--pauses === 0 && !controller.signal.aborted) run()
      }
    },
    end() {
      clearTimeout(timer)
      outer.removeEventListener('abort', giveUp)
    },
  }
}
