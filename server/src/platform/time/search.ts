/** Finds the nearest moments of something that can say what lies between two instants. */
export type Between = (from: number, to: number) => readonly number[]

/** The last one from `begin` on and before `to`, in windows that grow. */
export const lastBetween = (between: Between, begin: number, to: number, windowMs: number): number | null => {
  for (let at = to, width = windowMs; at > begin; at -= width, width *= 4) {
    const last = between(Math.max(at - width, begin), at).at(-1)
    if (last !== undefined) return last
  }
  return null
}

/** In order, each once. */
export const sortedOnce = (times: readonly number[]): number[] => [...new Set(times)].toSorted((a, b) => a - b)
