/** From starting the process to the first ready answer, and what it needs when nobody asks anything. */
import { startAtrium } from '../e2e/atrium.ts'
import { memory, pause } from './bed.ts'
import { spread } from './load.ts'

export interface StartFigures {
  readonly firstMs: number
  readonly againMs: number
  readonly idleBytes: number
}

/** The first start makes the database; the median of the next five opens it. */
export async function measureStart(): Promise<StartFigures> {
  const atrium = await startAtrium({ LOG_LEVEL: 'silent' })
  try {
    const firstMs = atrium.startedInMs
    const again: number[] = []
    for (let n = 0; n < 5; n += 1) {
      await atrium.kill()
      await atrium.start()
      again.push(atrium.startedInMs)
    }
    await pause(5000)
    return { firstMs, againMs: spread(again).p50, idleBytes: memory(atrium.pid) }
  } finally {
    await atrium.close()
  }
}
