/**
 * Gives memory back while nothing is asked of the process. V8 collects as it allocates: what an export or a large answer
 * took would stay until the next one came.
 */
import { Session } from 'node:inspector/promises'

const lookMs = 30_000
/** Of one processor, between two looks. Timers, jobs that look for work, and open streams stay under it. */
const quietShare = 0.1
/** Less than this is not worth a collection. */
const leastBytes = 16 * 1024 * 1024

/** What the process has used of the machine so far. */
export interface ProcessUse {
  /** On any clock that goes on evenly. */
  readonly nowMs: number
  readonly processorMs: number
  /** Of the heap, and of buffers outside it. */
  readonly memoryBytes: number
}

/**
 * Judges from looks at the process when to collect: after an interval in which it did nothing, where it has grown since
 * the look that follows the last collection.
 */
export const createIdleJudge = (): ((look: ProcessUse) => boolean) => {
  let last: ProcessUse | null = null
  let floorBytes: number | null = 0
  return (look) => {
    floorBytes ??= look.memoryBytes
    const isQuiet = last !== null && look.processorMs - last.processorMs <= (look.nowMs - last.nowMs) * quietShare
    last = look
    if (!isQuiet || look.memoryBytes < floorBytes + leastBytes) return false
    floorBytes = null
    return true
  }
}

/** Frees what nobody holds, in the heap of this thread. The event loop stands still meanwhile, some 0.3 s. */
export const collectGarbage = async (): Promise<void> => {
  const session = new Session()
  session.connect()
  try {
    await session.post('HeapProfiler.collectGarbage')
  } finally {
    session.disconnect()
  }
}

/** Looks at once, and then twice a minute until the process ends, which it does not keep alive. */
export const collectWhenIdle = (): void => {
  const isTime = createIdleJudge()
  const look = async (): Promise<void> => {
    const { user, system } = process.cpuUsage()
    const { heapTotal, external } = process.memoryUsage()
    const use = { nowMs: performance.now(), processorMs: (user + system) / 1000, memoryBytes: heapTotal + external }
    if (isTime(use)) await collectGarbage()
  }
  void look()
  setInterval(() => void look(), lookMs).unref()
}
