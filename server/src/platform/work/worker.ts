/** A thread of the pool: does one task after the other, and sends the results back. */
import { parentPort } from 'node:worker_threads'
import { runTask, type Outcome, type Task } from './task.ts'
import { createChunkReader, readyForNext, splitIntoChunks, type Chunk } from './chunks.ts'

/** Whole buffers move instead of being copied; slices of a shared pool cannot. */
const movable = (outcome: Outcome): ArrayBuffer[] => {
  const value = 'value' in outcome ? outcome.value : null
  if (!(value instanceof Uint8Array) || !(value.buffer instanceof ArrayBuffer)) return []
  return value.byteLength === value.buffer.byteLength ? [value.buffer] : []
}

const answer = async (outcome: Outcome): Promise<void> => {
  const moved = movable(outcome)
  for (const parcel of moved.length > 0 ? [{ rest: outcome }] : splitIntoChunks(outcome)) {
    parentPort?.postMessage(parcel, moved)
    if (!('rest' in parcel)) await new Promise<void>((resolve) => (proceed = resolve))
  }
}

let proceed = (): void => undefined
const receive = createChunkReader()

parentPort?.on('message', (message: Chunk | typeof readyForNext) => {
  if (message === readyForNext) return proceed()
  const task = receive(message)
  if (task) void runTask(task.value as Task).then(answer)
})
