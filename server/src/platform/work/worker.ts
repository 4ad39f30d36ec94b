/** A thread of the pool: imports the module a task names, calls the function, sends the result back. */
import { parentPort } from 'node:worker_threads'

export interface Task {
  readonly module: string
  readonly name: string
  readonly input: unknown
}
export type Outcome =
  | { readonly value: unknown }
  | { readonly failure: { readonly name: string; readonly message: string } }

const run = async (task: Task): Promise<Outcome> => {
  try {
    const module = (await import(task.module)) as Record<string, unknown>
    const work = module[task.name]
    if (typeof work !== 'function') throw new Error(`${task.module} exports no function ${task.name}`)
    return { value: await work(task.input) }
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error))
    return { failure: { name, message } }
  }
}

/** Whole buffers move instead of being copied; slices of a shared pool cannot. */
const movable = (outcome: Outcome): ArrayBuffer[] => {
  const value = 'value' in outcome ? outcome.value : null
  if (!(value instanceof Uint8Array) || !(value.buffer instanceof ArrayBuffer)) return []
  return value.byteLength === value.buffer.byteLength ? [value.buffer] : []
}

parentPort?.on('message', (task: Task) => {
  void run(task).then((outcome) => parentPort?.postMessage(outcome, movable(outcome)))
})
