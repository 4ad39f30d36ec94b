/** Whose turn it is to write: a transaction has the writer for itself, single statements pass between transactions. */

export interface WriteLock {
  /** Waits for the writer and keeps it until the function it gives is called. */
  take(): Promise<() => void>
  /** Runs `post` as soon as no transaction is open. It must hand its work over before it returns. */
  pass<T>(post: () => Promise<T>): Promise<T>
  /** Whether a transaction is open. */
  isTaken(): boolean
}

/** First come, first served. Single statements need not wait for each other: the thread keeps their order. */
export const createWriteLock = (): WriteLock => {
  const queue: { readonly alone: boolean; start(): void }[] = []
  let held = false

  const advance = (): void => {
    while (!held) {
      const next = queue.shift()
      if (next === undefined) return
      held = next.alone
      next.start()
    }
  }
  const release = (): void => {
    held = false
    advance()
  }

  return {
    isTaken: () => held,
    take: () =>
      new Promise((resolve) => {
        queue.push({ alone: true, start: () => resolve(release) })
        advance()
      }),
    pass: (post) =>
      new Promise((resolve, reject) => {
        queue.push({ alone: false, start: () => void post().then(resolve, reject) })
        advance()
      }),
  }
}
