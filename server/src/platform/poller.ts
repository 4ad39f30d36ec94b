/** Calls something again and again while there is a need for it, once at a time. */
export interface Poller {
  /** Says that there is a need now: the first call comes after the interval. */
  start(): void
  /** Calls at once; while a call runs, once more after it. */
  now(): void
  stop(): void
}

export const createPoller = ({
  everyMs,
  isNeeded,
  run,
  failed,
}: {
  readonly everyMs: number
  readonly isNeeded: () => boolean
  readonly run: () => Promise<void>
  readonly failed: (error: unknown) => void
}): Poller => {
  let timer: NodeJS.Timeout | undefined
  let running = false
  let again = false
  let stopped = false
  const start = (): void => {
    if (timer || running || stopped || !isNeeded()) return
    timer = setTimeout(now, everyMs).unref()
  }
  const now = (): void => {
    again = running
    if (running || stopped || !isNeeded()) return
    clearTimeout(timer)
    timer = undefined
    running = true
    run()
      .catch(failed)
      .finally(() => {
        running = false
        if (again) now()
        else start()
      })
  }
  return {
    start,
    now,
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
