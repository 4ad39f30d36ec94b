/** Runs it once a second at most: what takes less needs no word. */
export const everySecond = <A extends readonly unknown[]>(run: (...args: A) => void): ((...args: A) => void) => {
  let last = performance.now()
  return (...args) => {
    if (performance.now() - last < 1000) return
    last = performance.now()
    run(...args)
  }
}
