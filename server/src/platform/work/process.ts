/**
 * Work on hostile input: a small pool of child processes, started when first needed and ended when idle. A process that
 * takes too long or too much memory is killed, and fails its own task only. It runs at low priority, inherits no secrets,
 * and may neither
 * write files nor start programs, nor read anything but the program itself.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { createDeadline } from './deadline.ts'
import { WorkFailure } from './failure.ts'
import type { Answer } from './child.ts'
import { lowerPriority } from './priority.ts'
import { readProcessUsage } from './process-usage.ts'
import { readableFolders } from './sandbox-paths.ts'
import type { Outcome, Task } from './task.ts'
import { createChunkReader, readyForNext as ready, splitIntoChunks, type Chunk } from './chunks.ts'

export interface ProcessOptions {
  readonly signal?: AbortSignal
  /** Longest time the function may run, without what it waits for a processor, up to a point. Default 60 000. */
  readonly timeoutMs?: number
  /** Longest time on processors, which a busy machine does not shorten; where the system tells it. Default none. */
  readonly processorMs?: number
  /** Most memory the whole process may hold. Default 512; where the system does not tell, the heap alone is limited. */
  readonly memoryMb?: number
}

/**
 * Calls `name` exported by `module` (a file URL, usually `new URL('./x.ts', import.meta.url)`) with `input` in another
 * process and gives its result; both are copied. Throws WorkFailure.
 */
export const runInProcess = <I, O>(module: URL, name: string, input: I, options: ProcessOptions = {}): Promise<O> =>
  new Promise<O>((resolve, reject) => {
    const entry: Waiting = {
      task: { module: module.href, name, input },
      timeoutMs: options.timeoutMs ?? 60_000,
      processorMs: options.processorMs ?? Number.POSITIVE_INFINITY,
      memoryMb: options.memoryMb ?? 512,
      settle(outcome) {
        options.signal?.removeEventListener('abort', callOff)
        if (outcome instanceof WorkFailure) reject(outcome)
        else if ('failure' in outcome) reject(new WorkFailure('failed', outcome.failure.message))
        else resolve(outcome.value as O)
      },
    }
    const callOff = () => {
      const failure = new WorkFailure('aborted', 'The work was called off.')
      const place = waiting.indexOf(entry)
      if (place >= 0) waiting.splice(place, 1)
      const running = [...children].find((child) => child.running === entry)
      if (running) end(running, failure)
      else entry.settle(failure)
    }
    if (options.signal?.aborted) {
      callOff()
      return
    }
    options.signal?.addEventListener('abort', callOff, { once: true })
    waiting.push(entry)
    advance()
  })

/** How many processes there are just now; for tests and metrics. */
export const processCount = (): number => children.size

interface Waiting {
  readonly task: Task
  readonly timeoutMs: number
  readonly processorMs: number
  readonly memoryMb: number
  readonly settle: (outcome: Outcome | WorkFailure) => void
}
interface Child {
  readonly process: ChildProcess
  readonly memoryMb: number
  /** null while idle. */
  running: Waiting | null
  timer: NodeJS.Timeout | null
  watch: NodeJS.Timeout | null
  tasksDone: number
}

const maxProcesses = 2
const maxTasks = 100
/** Who holds more after a task does not wait for the next one with it: a fresh process holds some 70 MB. */
const mostIdleMb = 160
const idleMs = 30_000
const watchMs = 100
const readable = readableFolders()
const waiting: Waiting[] = []
const children = new Set<Child>()

const advance = (): void => {
  for (let next = waiting[0]; next; next = waiting[0]) {
    let child: Child | null
    try {
      child = freeChild(next.memoryMb)
    } catch (error) {
      // Node throws where the system has no memory left for another process.
      waiting.shift()
      next.settle(new WorkFailure('failed', messageOf(error)))
      continue
    }
    if (!child) return
    waiting.shift()
    begin(child, next)
  }
}

const freeChild = (memoryMb: number): Child | null => {
  const idle = [...children].filter((child) => child.running === null)
  const fitting = idle.find((child) => child.memoryMb === memoryMb)
  if (fitting) return fitting
  if (children.size < maxProcesses) return start(memoryMb)
  if (!idle[0]) return null
  dismiss(idle[0])
  return start(memoryMb)
}

const start = (memoryMb: number): Child => {
  const spawned = fork(new URL('./child.ts', import.meta.url), {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: { TZ: 'UTC' },
    execArgv: [
      // The rest is for bytes outside of the heap; a heap that nears its limit is swept more eagerly.
      `--max-old-space-size=${Math.floor(memoryMb * 0.6)}`,
      '--permission',
      ...readable.map((folder) => `--allow-fs-read=${folder}`),
      '--allow-worker',
      '--no-warnings',
    ],
  })
  const child: Child = { process: spawned, memoryMb, running: null, timer: null, watch: null, tasksDone: 0 }
  children.add(child)
  lowerPriority(spawned.pid, 'low')
  const receive = createChunkReader()
  spawned.on('message', (parcel: Chunk) => {
    try {
      const answer = receive(parcel)
      if (!answer) return void setImmediate(() => spawned.connected && spawned.send(ready, () => undefined))
      const { outcome, heldMb } = answer.value as Answer
      finish(child, outcome, heldMb)
    } catch (error) {
      end(child, new WorkFailure('crashed', messageOf(error)))
    }
  })
  spawned.on('error', (error) => end(child, new WorkFailure('failed', error.message)))
  spawned.on('exit', (_code, signal) => end(child, deathOf(signal)))
  return child
}

/** V8 aborts when its heap is full, and the system kills when its memory is. */
const deathOf = (signal: NodeJS.Signals | null): WorkFailure =>
  signal === 'SIGABRT' || signal === 'SIGKILL' || signal === 'SIGTRAP'
    ? new WorkFailure('memory', 'The process ran out of memory.')
    : new WorkFailure('crashed', 'The process ended.')

const begin = (child: Child, next: Waiting): void => {
  if (child.timer) clearTimeout(child.timer)
  child.running = next
  child.process.ref()
  child.process.channel?.ref()
  child.timer = null
  child.watch = watch(child, next)
  send(child, next).catch((error: unknown) => {
    if (child.running === next) end(child, new WorkFailure('failed', messageOf(error)))
  })
}

/** With a turn of the event loop between the pieces. */
const send = async (child: Child, next: Waiting): Promise<void> => {
  for (const parcel of splitIntoChunks(next.task)) {
    if (child.running !== next) return
    child.process.send(parcel, (error) => {
      if (error) end(child, new WorkFailure('crashed', error.message))
    })
    if (!('rest' in parcel)) await new Promise(setImmediate)
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Where the system tells nothing of the process, the limits of the heap and of the clock have to do. */
const watch = (child: Child, task: Waiting): NodeJS.Timeout => {
  let before: number | null = null
  const isOver = createDeadline(child.process.pid, task.timeoutMs)
  return setInterval(() => {
    void isOver().then((over) => {
      if (over && child.running === task)
        end(child, new WorkFailure('timeout', `It took longer than ${task.timeoutMs} ms.`))
    })
    void readProcessUsage(child.process.pid).then((held) => {
      if (held === null || child.running !== task) return
      before ??= held.processorMs
      if (held.memoryMb > task.memoryMb) end(child, new WorkFailure('memory', `It took more than ${task.memoryMb} MB.`))
      else if (held.processorMs - before > task.processorMs)
        end(child, new WorkFailure('timeout', `It worked for longer than ${task.processorMs} ms.`))
    })
  }, watchMs)
}

const finish = (child: Child, outcome: Outcome, heldMb: number): void => {
  const task = child.running
  if (!task) return
  quiet(child)
  child.tasksDone += 1
  // The next task is to have its memory whole.
  if (child.tasksDone >= maxTasks || heldMb > Math.min(child.memoryMb * 0.6, mostIdleMb)) end(child, null)
  else rest(child)
  task.settle(outcome)
  advance()
}

const rest = (child: Child): void => {
  child.process.unref()
  child.process.channel?.unref()
  child.timer = setTimeout(() => end(child, null), idleMs)
  child.timer.unref()
}

const quiet = (child: Child): void => {
  if (child.timer) clearTimeout(child.timer)
  if (child.watch) clearInterval(child.watch)
  child.timer = null
  child.watch = null
  child.running = null
}

/** Ends a process; what it was doing fails with `failure`. */
const end = (child: Child, failure: WorkFailure | null): void => {
  const task = child.running
  if (!dismiss(child)) return
  if (task && failure) task.settle(failure)
  advance()
}

/** False when it has gone before. */
const dismiss = (child: Child): boolean => {
  if (!children.delete(child)) return false
  quiet(child)
  child.process.unref()
  child.process.channel?.unref()
  child.process.kill('SIGKILL')
  return true
}
