/**
 * Heavy work off the main thread: a small pool of worker threads, started when first needed, ended when idle.
 * A task is an exported function of a module; its input and result are copied between threads.
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { WorkFailure } from './failure.ts'
import type { Outcome, Task } from './task.ts'
import { createChunkReader, readyForNext as ready, splitIntoChunks, type Chunk } from './chunks.ts'

export interface WorkOptions {
  readonly signal?: AbortSignal
  /** Longest time the function may run; its thread is ended then. Default 60 000. */
  readonly timeoutMs?: number
}

/**
 * Calls `name` exported by `module` (a file URL, usually `new URL('./x.ts', import.meta.url)`) with `input` on a worker
 * thread and gives its result. Throws WorkFailure; of an error inside the function, only its message survives.
 */
export const runInWorker = <I, O>(module: URL, name: string, input: I, options: WorkOptions = {}): Promise<O> =>
  new Promise<O>((resolve, reject) => {
    if (options.signal?.aborted) {
      reject(new WorkFailure('aborted', 'The work was called off.'))
      return
    }
    waiting.push({
      task: { module: module.href, name, input },
      options,
      resolve: resolve as (value: unknown) => void,
      reject,
    })
    advance()
  })

/** How many threads there are just now; for tests and metrics. */
export const workerCount = (): number => threads.size

interface Waiting {
  readonly task: Task
  readonly options: WorkOptions
  readonly resolve: (value: unknown) => void
  readonly reject: (failure: WorkFailure) => void
}
interface Thread {
  readonly worker: Worker
  /** Settles the running task; null while idle. */
  settle: ((outcome: Outcome | WorkFailure) => void) | null
  idleTimer: NodeJS.Timeout | null
}

const maxThreads = Math.max(1, Math.min(4, availableParallelism() - 1))
const idleMs = 30_000
const defaultTimeoutMs = 60_000
const waiting: Waiting[] = []
const threads = new Set<Thread>()

const advance = (): void => {
  while (waiting.length > 0) {
    const thread = idleThread()
    const next = thread && waiting.shift()
    if (!thread || !next) return
    begin(thread, next)
  }
}

const idleThread = (): Thread | null => {
  for (const thread of threads) if (thread.settle === null) return thread
  return threads.size < maxThreads ? startThread() : null
}

const startThread = (): Thread => {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { execArgv: [], stdout: false, stderr: false })
  const thread: Thread = { worker, settle: null, idleTimer: null }
  threads.add(thread)
  const receive = createChunkReader()
  worker.on('message', (parcel: Chunk) => {
    const answer = receive(parcel)
    if (answer) thread.settle?.(answer.value as Outcome)
    else setImmediate(() => worker.postMessage(ready))
  })
  worker.on('error', (error) => drop(thread, new WorkFailure('crashed', error.message)))
  worker.on('exit', () => drop(thread, new WorkFailure('crashed', 'The worker thread ended.')))
  // An idle pool must not keep the process alive; a running task holds it (see begin).
  worker.unref()
  return thread
}

const begin = (thread: Thread, { task, options, resolve, reject }: Waiting): void => {
  if (options.signal?.aborted) {
    reject(new WorkFailure('aborted', 'The work was called off.'))
    return
  }
  if (thread.idleTimer) clearTimeout(thread.idleTimer)
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs
  const timer = setTimeout(
    () => drop(thread, new WorkFailure('timeout', `It took longer than ${timeoutMs} ms.`)),
    timeoutMs,
  )
  const callOff = () => drop(thread, new WorkFailure('aborted', 'The work was called off.'))
  options.signal?.addEventListener('abort', callOff, { once: true })
  thread.worker.ref()
  thread.settle = (outcome) => {
    thread.settle = null
    clearTimeout(timer)
    options.signal?.removeEventListener('abort', callOff)
    rest(thread)
    if (outcome instanceof WorkFailure) reject(outcome)
    else if ('failure' in outcome) reject(new WorkFailure('failed', outcome.failure.message))
    else resolve(outcome.value)
    advance()
  }
  const { settle } = thread
  send(thread, task).catch((error: unknown) => {
    const failure = new WorkFailure('failed', error instanceof Error ? error.message : String(error))
    if (thread.settle === settle) drop(thread, failure)
  })
}

/** With a turn of the event loop between the pieces. */
const send = async (thread: Thread, task: Task): Promise<void> => {
  const { settle } = thread
  for (const parcel of splitIntoChunks(task)) {
    if (thread.settle !== settle) return
    thread.worker.postMessage(parcel)
    if (!('rest' in parcel)) await new Promise(setImmediate)
  }
}

const rest = (thread: Thread): void => {
  thread.worker.unref()
  thread.idleTimer = setTimeout(() => drop(thread, new WorkFailure('crashed', 'The worker thread was idle.')), idleMs)
  thread.idleTimer.unref()
}

/** Ends a thread; whatever it was doing fails with `failure`. */
const drop = (thread: Thread, failure: WorkFailure): void => {
  if (!threads.delete(thread)) return
  thread.settle?.(failure)
  if (thread.idleTimer) clearTimeout(thread.idleTimer)
  void thread.worker.terminate()
  advance()
}
