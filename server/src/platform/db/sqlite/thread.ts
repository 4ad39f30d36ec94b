/** A database thread as the event loop sees it: commands go out in order, answers come back as promises. */
import { Worker } from 'node:worker_threads'
import { DatabaseDamagedError, DatabaseKeyError, DatabaseLockedError, isDamage, toDatabaseError } from '../errors.ts'
import { type Command, LOCKED, type OpenOptions, type Outcome, type Reply, WITHDRAWN, WRONG_KEY } from './messages.ts'
import { createProgress, type Progress } from './progress.ts'

export interface Thread {
  open(options: OpenOptions): Promise<void>
  run(sql: string, parameters: readonly unknown[], rows?: number): Promise<Outcome>
  /** Opens a transaction with its first statement. When this fails, the transaction may be open: roll back. */
  begin(sql: string, parameters: readonly unknown[], rows?: number): Promise<Outcome>
  /** Null when the statement would write. */
  read(sql: string, parameters: readonly unknown[]): Promise<Outcome | null | 'withdrawn'>
  /** Withdraws all reads but the one that it works on, of a thread that is asked nothing but reads. */
  withdraw(): void
  /** How many wait for an answer, one of them perhaps being worked on. */
  waiting(): number
  /** For how long it has given no answer while somebody waits for one, in milliseconds. */
  silentMs(): number
  commit(): Promise<void>
  rollback(): Promise<void>
  /** Closes the connection after everything that was asked before; safe to call twice. */
  close(): Promise<void>
}

interface Waiting {
  resolve(outcome: Outcome | null | 'withdrawn'): void
  reject(error: Error): void
}

/** Threads without a file, for the next that is opened. */
const spare: { readonly worker: Worker; readonly progress: Progress }[] = []
let mostSpare = 0

/** Keeps so many threads after their file is closed. A server opens one file in its life; tests open hundreds. */
export const keepSpareThreads = (most: number): void => {
  mostSpare = most
}

/** Starts a thread. `onDeath` hears when it ends without having been closed, `onDamage` when the file proves damaged. */
export const startThread = (
  onDeath: (error: Error | null) => void,
  script = workerScript,
  onDamage: (code: string) => DatabaseDamagedError = unexplained,
): Thread => {
  const reusable = script === workerScript
  const { worker, progress } = (reusable && spare.pop()) || startWorker(script)
  worker.ref()
  progress.reset()
  const waiting = new Map<number, Waiting>()
  let nextId = 1
  let dead = false
  let closing: Promise<void> | null = null
  let cause: Error | null = null
  let heardAt = 0

  const hear = (replies: readonly Reply[]): void => {
    heardAt = performance.now()
    for (const [id, outcome, code, message] of replies) {
      const asked = waiting.get(id)
      waiting.delete(id)
      if (code === undefined) asked?.resolve(outcome)
      else if (code === WITHDRAWN) asked?.resolve('withdrawn')
      else asked?.reject(isDamage(code) ? onDamage(code) : toError(code, message ?? ''))
    }
  }
  const fail = (error: Error): void => {
    cause = error
  }
  let onExit = (): void => undefined
  const exited = new Promise<void>((resolve) => {
    onExit = resolve
  })
  const exit = (): void => {
    dead = true
    for (const { reject } of waiting.values()) reject(lost())
    waiting.clear()
    if (closing === null) onDeath(cause)
    onExit()
  }
  worker.on('message', hear).on('error', fail).on('exit', exit)

  // What is asked in one turn of the event loop goes in one message, because waking a thread costs more than most statements.
  let outbox: Command[] = []
  const send = (): void => {
    const commands = outbox
    outbox = []
    try {
      worker.postMessage(commands)
    } catch {
      for (const command of commands) sendAlone(command)
    }
  }
  /** A value that cannot cross (a function, say) fails its own statement, and the transaction around that. */
  const sendAlone = (command: Command): void => {
    try {
      worker.postMessage([command])
    } catch (error) {
      const [id, verb] = command
      waiting.get(id)?.reject(error as Error)
      waiting.delete(id)
      worker.postMessage([[id, 'refuse', verb === 'begin', String(error)] satisfies Command])
    }
  }

  const ask = (make: (id: number) => Command): Promise<Outcome | null | 'withdrawn'> => {
    if (dead || closing !== null) return Promise.reject(lost())
    return new Promise((resolve, reject) => {
      const id = nextId++
      if (waiting.size === 0) heardAt = performance.now()
      waiting.set(id, { resolve, reject })
      if (outbox.push(make(id)) === 1) process.nextTick(send)
    })
  }

  const end = (): Promise<void> => {
    if (dead || !reusable || spare.length >= mostSpare) {
      worker.postMessage([[0, 'end'] satisfies Command])
      return exited
    }
    dead = true
    worker.off('message', hear).off('error', fail).off('exit', exit)
    worker.unref()
    spare.push({ worker, progress })
    return Promise.resolve()
  }

  return {
    open: async (options) => void (await ask((id) => [id, 'open', options])),
    run: (sql, parameters, rows) => ask((id) => [id, 'run', sql, parameters.map(compact), rows]) as Promise<Outcome>,
    begin: (sql, parameters, rows) =>
      ask((id) => [id, 'begin', sql, parameters.map(compact), rows]) as Promise<Outcome>,
    read: (sql, parameters) => ask((id) => [id, 'read', sql, parameters.map(compact)]),
    withdraw: () => {
      const begun = progress.stop(nextId - 1)
      for (const [id, { resolve }] of waiting) {
        // Those before it have been read, but their answers go out behind it.
        if (id === begun) continue
        waiting.delete(id)
        resolve('withdrawn')
      }
    },
    waiting: () => waiting.size,
    silentMs: () => (waiting.size === 0 ? 0 : performance.now() - heardAt),
    commit: async () => void (await ask((id) => [id, 'commit'])),
    rollback: async () => void (await ask((id) => [id, 'rollback'])),
    close: () => {
      if (closing === null) {
        const asked = ask((id) => [id, 'close'])
        closing = dead ? Promise.resolve() : asked.then(end)
        if (dead) asked.catch(() => undefined)
      }
      return closing
    },
  }
}

// The flags of a test runner or debugger are not for this thread.
const startWorker = (script: URL) => {
  const progress = createProgress()
  return { worker: new Worker(script, { execArgv: [], name: 'database', workerData: progress.shared }), progress }
}

const unexplained = (code: string) => new DatabaseDamagedError(code, 'The database file is damaged.')

const workerScript = new URL('./worker.ts', import.meta.url)

/** A small Buffer is a view into a shared pool, and all of the pool would be copied along with it. */
const compact = (value: unknown): unknown =>
  value instanceof Uint8Array && value.byteLength < value.buffer.byteLength ? new Uint8Array(value) : value

const toError = (code: string, message: string): Error => {
  if (code === WRONG_KEY) {
    return new DatabaseKeyError(
      'The database cannot be opened with this encryption key, or its beginning is damaged. Nothing was changed. Start again with the key that the database was made with (ENCRYPTION_KEY, or the file encryption.key in the data folder); if that is the right one, put a copy of the database file in its place.',
    )
  }
  if (code === LOCKED) {
    return new DatabaseLockedError('Another Atrium process is using this data folder. Stop it first, then start again.')
  }
  return toDatabaseError(code, message)
}

const lost = (): Error => toDatabaseError('CONNECTION_LOST', 'The database thread has ended.')
