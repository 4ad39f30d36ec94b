/** A process of the pool: does one task after the other, and ends with the server. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { runTask, type Outcome, type Task } from './task.ts'
import { createChunkReader, readyForNext, splitIntoChunks, type Chunk } from './chunks.ts'

// Ctrl-C and a stopping service reach the whole group; when a running task ends is for the server to say.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.on('disconnect', () => process.exit(0))

// A task that never yields does not hear of the server's end; this thread does. None begins before it is awake.
const guard = new Worker(new URL('./orphan.ts', import.meta.url), {
  execArgv: [],
  resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 },
})
const guarded = once(guard, 'message')
guard.unref()

export interface Answer {
  readonly outcome: Outcome
  /** What the whole process holds after the task. */
  readonly heldMb: number
}

const answer = async (outcome: Outcome): Promise<void> => {
  for (const parcel of splitIntoChunks({ outcome, heldMb: process.memoryUsage.rss() / 2 ** 20 } satisfies Answer)) {
    process.send?.(parcel)
    if (!('rest' in parcel)) await new Promise<void>((resolve) => (proceed = resolve))
  }
}

let proceed = (): void => undefined
const receive = createChunkReader()

process.on('message', (message: Chunk | typeof readyForNext) => {
  if (message === readyForNext) return proceed()
  const task = receive(message)
  if (!task) return
  void guarded
    .then(() => runTask(task.value as Task))
    .then(answer)
    .catch((error: Error) => answer({ failure: { name: error.name, message: error.message } }))
})
