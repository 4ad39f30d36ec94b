/** One timer for all streams, so that a thousand dripping answers cost little. */
interface Sleeper {
  readonly due: number
  readonly wake: () => void
}
const sleepers = new Set<Sleeper>()
let timer: NodeJS.Timeout | null = null

/** Resolves after about `ms` (to 4 ms). */
export function sleep(ms: number): Promise<void> {
  if (ms <= 0) return Promise.resolve()
  return new Promise((wake) => {
    sleepers.add({ due: performance.now() + ms, wake })
    timer ??= setInterval(tick, 4)
  })
}

function tick(): void {
  const now = performance.now()
  for (const sleeper of sleepers) {
    if (sleeper.due > now) continue
    sleepers.delete(sleeper)
    sleeper.wake()
  }
  if (sleepers.size > 0 || !timer) return
  clearInterval(timer)
  timer = null
}
