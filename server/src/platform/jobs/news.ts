/** Tells that jobs moved, once in a while, however many do: at once, and once more after the last one. */
export interface JobNews {
  tell(): void
  stop(): void
}

/** `everyMs`: so often at most. */
export const createJobNews = (send: () => void, everyMs: number): JobNews => {
  let timer: NodeJS.Timeout | null = null
  let isMore = false
  const rest = (): void => {
    timer = setTimeout(() => {
      timer = null
      if (isMore) tell()
    }, everyMs).unref()
  }
  const tell = (): void => {
    isMore = timer !== null
    if (isMore) return
    send()
    rest()
  }
  return {
    tell,
    stop() {
      if (timer) clearTimeout(timer)
    },
  }
}
