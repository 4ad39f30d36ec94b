/** Parts that somebody else pushes, for one reader. */
import type { Part } from '../../providers/types.ts'

export interface PartQueue {
  push(...parts: readonly Part[]): void
  /** Nothing more comes; what was pushed is still read. */
  end(): void
  /** The same, with an error behind what was pushed. The first end counts. */
  fail(error: unknown): void
  readonly over: boolean
  read(): AsyncGenerator<readonly Part[]>
}

export const createPartQueue = (): PartQueue => {
  let held: Part[] = []
  let over = false
  let failure: { readonly error: unknown } | null = null
  let wake: () => void = () => undefined
  const finish = (why: typeof failure): void => {
    if (over) return
    over = true
    failure = why
    wake()
  }
  return {
    push(...parts) {
      if (over) return
      held.push(...parts)
      wake()
    },
    end: () => finish(null),
    fail: (error) => finish({ error }),
    get over() {
      return over
    },
    async *read() {
      for (;;) {
        if (held.length > 0) {
          const parts = held
          held = []
          yield parts
        } else if (over) {
          if (failure) throw failure.error
          return
        } else {
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
      }
    },
  }
}
