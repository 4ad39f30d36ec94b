/**
 * Makes and checks backups on a thread of their own, so that the server goes on meanwhile: reading SQLite, compressing
 * and sealing would hold it up. What is stored and read goes through the destination of the calling thread.
 */
import { Worker } from 'node:worker_threads'
import type { CreateOptions } from './create.ts'
import { type Destination, DestinationFailure, type DestinationFailureKind } from './destinations/destination.ts'
import { BackupFailure, type BackupFailureCode } from './failure.ts'
import type { BackupKeys } from './keys.ts'
import { freeMemory, ownMemoryOf } from '../memory.ts'
import type { FromThread, TaskInputs, TaskName, TaskResults, ThreadError, ToThread } from './thread-worker.ts'

export interface TaskOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((rows: number) => void) | undefined
}

/** As `createBackup`; progress is told in rows. */
export const createBackupInThread = (
  {
    destination,
    signal,
    now,
    database,
    keys,
    instanceKey,
    appVersion,
    whole = false,
  }: Omit<CreateOptions, 'onProgress'>,
  onProgress?: (rows: number) => void,
): Promise<TaskResults['create']> =>
  runInThread('create', { database, keys, instanceKey, appVersion, whole, now: now() }, destination, {
    signal,
    onProgress,
  })

/** As `verifyBackup`, without the manifest itself. */
export const verifyBackupInThread = (
  destination: Destination,
  keys: BackupKeys,
  id: string,
  options: TaskOptions = {},
): Promise<TaskResults['verify']> => runInThread('verify', { keys, id }, destination, options)

export const runInThread = <K extends TaskName>(
  name: K,
  input: TaskInputs[K],
  destination: Destination,
  options: TaskOptions,
): Promise<TaskResults[K]> => runTask(name, input, destination, options, startThread)

/** A thread or a process, and how one talks to it. */
export interface Post {
  post(message: ToThread, moved?: readonly ArrayBuffer[]): void
  on(hear: {
    message(message: FromThread): void
    error(error: Error): void
    /** `complaint`: what it said of it. */
    exit(complaint?: string): void
  }): void
  /** At once; what it says from then on is heard by nobody. */
  end(): void
}

/** Has somebody do a task who reads and writes through the destination of this side. */
export const runTask = <K extends TaskName>(
  name: K,
  input: TaskInputs[K],
  destination: Destination,
  { signal, onProgress }: TaskOptions,
  start: () => Post,
): Promise<TaskResults[K]> =>
  new Promise((resolve, reject) => {
    const worker = start()
    const abort = (): void => worker.post({ kind: 'abort' })
    const end = (settle: () => void): void => {
      signal?.removeEventListener('abort', abort)
      worker.end()
      settle()
    }
    const serve = async (message: Extract<FromThread, { kind: 'ask' }>): Promise<void> => {
      try {
        const value = await callDestination(destination, message, signal)
        worker.post({ kind: 'answer', id: message.id, value }, value instanceof Uint8Array ? ownMemoryOf(value) : [])
        // A process has a copy by now.
        if (value instanceof Uint8Array) freeMemory(value)
        if (message.bytes) freeMemory(message.bytes)
      } catch (error) {
        worker.post({ kind: 'answer', id: message.id, error: toThreadError(error) })
      }
    }
    worker.on({
      message(message) {
        if (message.kind === 'ask') void serve(message)
        else if (message.kind === 'progress') onProgress?.(message.rows)
        else if (message.kind === 'done') end(() => resolve(message.value as TaskResults[K]))
        else end(() => reject(signal?.aborted ? (signal.reason as Error) : fromThreadError(message.error)))
      },
      error: (error) => end(() => reject(error)),
      exit: (complaint = '') => end(() => reject(new Error(`The thread of the backup has ended. ${complaint}`.trim()))),
    })
    signal?.addEventListener('abort', abort)
    worker.post({ kind: 'run', name, input } as ToThread)
    if (signal?.aborted) abort()
  })

const startThread = (): Post => {
  const worker = new Worker(new URL('./thread-worker.ts', import.meta.url), { execArgv: [], name: 'backup' })
  return {
    post: (message, moved = []) => worker.postMessage(message, moved),
    on: ({ message, error, exit }) => {
      worker.on('message', message)
      worker.on('error', error as (error: unknown) => void)
      worker.on('exit', () => exit())
    },
    end: () => {
      worker.removeAllListeners()
      void worker.terminate()
    },
  }
}

const callDestination = async (
  destination: Destination,
  { verb, name, bytes }: Extract<FromThread, { kind: 'ask' }>,
  signal?: AbortSignal,
): Promise<unknown> => {
  switch (verb) {
    case 'read':
      return await destination.read(name, signal)
    case 'list':
      return await Array.fromAsync(destination.list(name, signal))
    case 'write':
      return await destination.write(name, bytes ?? new Uint8Array(), signal)
    case 'remove':
      return await destination.remove(name, signal)
  }
}

/** Errors keep what others decide by. */
export const toThreadError = (error: unknown): ThreadError => {
  const { name, message } = error as Error
  if (error instanceof BackupFailure) return { name, message, code: error.code }
  if (error instanceof DestinationFailure) return { name, message, code: error.kind }
  return { name, message }
}

export const fromThreadError = ({ name, message, code }: ThreadError): Error => {
  if (name === 'BackupFailure') return new BackupFailure(code as BackupFailureCode, message)
  if (name === 'DestinationFailure') return new DestinationFailure(code as DestinationFailureKind, message)
  return Object.assign(new Error(message), { name })
}
