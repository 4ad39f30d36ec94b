/** Many streams into one that is read by one: each waits until its frame is taken, so that little is held for a slow reader. */

/** With so many frames waiting, what may get lost is left out. */
const longestLine = 64

export const createGathering = <F>(signal: AbortSignal) => {
  interface Offer {
    readonly frame: F
    /** What it hangs on: with that gone it is not handed over any more. */
    readonly until: AbortSignal
    readonly taken: () => void
  }
  let waiting: Offer[] = []
  let isOver = false
  let failure: { readonly error: unknown } | null = null
  let wake: (() => void) | null = null
  const rouse = (): void => {
    wake?.()
    wake = null
  }
  signal.addEventListener('abort', rouse)
  const add = (offer: Offer): void => {
    waiting.push(offer)
    rouse()
  }
  return {
    /** Resolves when the frame was taken, or `until` has aborted. */
    offer: (frame: F, until: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        if (until.aborted) return resolve()
        const taken = (): void => {
          until.removeEventListener('abort', taken)
          resolve()
        }
        until.addEventListener('abort', taken)
        add({ frame, until, taken })
      }),
    /** Puts a frame in the line that nobody waits with. */
    put: (frame: F): void => add({ frame, until: signal, taken: () => undefined }),
    /** Puts a frame in the line, unless that is long already. */
    drop: (frame: F): void => {
      if (waiting.length < longestLine) add({ frame, until: signal, taken: () => undefined })
    },
    /** Ends the frames after those that wait. */
    end: (): void => {
      isOver = true
      rouse()
    },
    /** Ends the frames with this error. */
    fail: (error: unknown): void => {
      failure ??= { error }
      rouse()
    },
    async *frames(): AsyncGenerator<F> {
      for (;;) {
        const offers = waiting
        waiting = []
        for (const { frame, until, taken } of offers) {
          if (signal.aborted) return
          if (!until.aborted) yield frame
          taken()
        }
        if (signal.aborted) return
        if (waiting.length > 0) continue
        if (failure) throw failure.error
        if (isOver) return
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}
