/** When the time of a process that gives way to others is over. */
import { readWaitedMs } from './process-usage.ts'

/** However long it waits for a processor: so many times its time is the end. */
const mostTimes = 3

/**
 * Begins now; gives a function that tells whether the process has had its milliseconds. What it waits for a processor does
 * not count, up to three times as long; where the system does not tell, all of it counts.
 */
export const createDeadline = (pid: number | undefined, timeoutMs: number): (() => Promise<boolean>) => {
  const startedAt = performance.now()
  const before = readWaitedMs(pid)
  return async () => {
    const took = performance.now() - startedAt
    if (took <= timeoutMs) return false
    const waited = (await readWaitedMs(pid)) - (await before)
    return took - waited > timeoutMs || took > timeoutMs * mostTimes
  }
}
