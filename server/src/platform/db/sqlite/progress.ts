/** How far a thread is with its reads, in memory that it shares with the event loop: what has not begun can be withdrawn. */

export interface Progress {
  readonly shared: SharedArrayBuffer
  /** For the thread: notes that it begins a read. False: that was withdrawn. */
  begin(id: number): boolean
  /** For the event loop: withdraws all reads up to `last` that have not begun, and gives the last that has. */
  stop(last: number): number
  /** Before the thread is asked anything, with ids from 1. */
  reset(): void
}

const begun = 0
const stopped = 1

/**
 * Each side writes its own number first and looks at the other's then, so a read is withdrawn or begun and never neither.
 * It may seem begun to the event loop and be withdrawn all the same: then the thread says so.
 */
export const createProgress = (shared = new SharedArrayBuffer(16)): Progress => {
  // Numbers of 32 bits would not last a month.
  const numbers = new BigInt64Array(shared)
  return {
    shared,
    begin: (id) => {
      Atomics.store(numbers, begun, BigInt(id))
      return Atomics.load(numbers, stopped) < id
    },
    stop: (last) => {
      Atomics.store(numbers, stopped, BigInt(last))
      return Number(Atomics.load(numbers, begun))
    },
    reset: () => {
      for (const at of [begun, stopped]) Atomics.store(numbers, at, 0n)
    },
  }
}
