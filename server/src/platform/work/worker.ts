/** A thread of the pool: does one task after the other, and sends the results back. */
import { parentPort } from 'node:worker_threads'
import { runTask, type Outcome, type Task } from './task.ts'

/** Whole buffers move instead of being copied; slices of a shared pool cannot. */
const movable = (outcome: Outcome): ArrayBuffer[] => {
  const value = 'value' in outcome ? outcome.value : null
  if (!(value instanceof Uint8Array) || !(value.buffer instanceof ArrayBuffer)) return []
  return value.byteLength === value.buffer.byteLength ? [value.buffer] : []
}

parentPort?.on('message', (task: Task) => {
  void runTask(task).then((outcome) => parentPort?.postMessage(outcome, movable(outcome)))
})
