/** The thread or process of a backup. Never imported for what it does, only started. */
import { constants, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import type { DatabasePlace } from '../db/copy/index.ts'
import { type BackupSummary, createBackup, summaryOf } from './create.ts'
import type { Destination, StoredObject } from './destinations/destination.ts'
import type { BackupKeys } from './keys.ts'
import { ownMemoryOf } from '../memory.ts'
import { verifyBackup } from './read.ts'
import type { ProofInput, ProofResult } from './prove-in-scratch.ts'
import { fromThreadError, toThreadError } from './thread.ts'

export interface TaskInputs {
  readonly create: {
    readonly database: DatabasePlace
    readonly keys: BackupKeys
    readonly instanceKey: Buffer
    readonly appVersion: string
    readonly whole: boolean
    readonly now: number
  }
  readonly verify: { readonly keys: BackupKeys; readonly id: string }
  readonly prove: ProofInput
}
export interface TaskResults {
  readonly create: BackupSummary
  readonly verify: BackupSummary
  readonly prove: ProofResult
}
export type TaskName = keyof TaskInputs

export interface ThreadError {
  readonly name: string
  readonly message: string
  readonly code?: string
}
export type FromThread =
  | { kind: 'ask'; id: number; verb: 'read' | 'list' | 'write' | 'remove'; name: string; bytes?: Uint8Array }
  | { kind: 'progress'; rows: number }
  | { kind: 'done'; value: unknown }
  | { kind: 'failed'; error: ThreadError }
export type ToThread =
  | { [K in TaskName]: { kind: 'run'; name: K; input: TaskInputs[K] } }[TaskName]
  | { kind: 'abort' }
  | { kind: 'answer'; id: number; value?: unknown; error?: ThreadError }

/** People who wait for an answer come first. Linux has a priority for each thread, other systems only for the process. */
if (parentPort && process.platform === 'linux')
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Where the system does not allow it, it runs at the same priority.
  }

const stopping = new AbortController()
const { signal } = stopping
const asked = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
let nextId = 1

const say = (message: FromThread, moved: readonly ArrayBuffer[] = []): void => {
  if (parentPort) parentPort.postMessage(message, moved)
  else process.send?.(message)
}

const ask = (verb: 'read' | 'list' | 'write' | 'remove', name: string, bytes?: Uint8Array): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const id = nextId++
    asked.set(id, { resolve, reject })
    // A pack is of no more use here: moved and not copied, it takes memory once.
    if (bytes) say({ kind: 'ask', id, verb, name, bytes }, ownMemoryOf(bytes))
    else say({ kind: 'ask', id, verb, name })
  })

const destination: Destination = {
  write: async (name, bytes) => void (await ask('write', name, bytes)),
  read: async (name) => (await ask('read', name)) as Uint8Array | undefined,
  async *list(prefix) {
    yield* (await ask('list', prefix)) as StoredObject[]
  },
  remove: async (name) => void (await ask('remove', name)),
}

let told = 0
/** Often enough for whoever looks. */
const onRows = (rows: number): void => {
  if (rows - told < 2000) return
  told = rows
  say({ kind: 'progress', rows })
}

const perform = async (task: Extract<ToThread, { kind: 'run' }>): Promise<unknown> => {
  switch (task.name) {
    case 'create': {
      const { now, keys, instanceKey, ...rest } = task.input
      const known = { keys: revive(keys), instanceKey: Buffer.from(instanceKey), database: revivePlace(rest.database) }
      const onProgress = ({ rows }: { rows: number }): void => onRows(rows)
      return await createBackup({ ...rest, ...known, destination, now: () => now, signal, onProgress })
    }
    case 'verify':
      return summaryOf(
        await verifyBackup(destination, revive(task.input.keys), task.input.id, { signal, onProgress: onRows }),
      )
    case 'prove': {
      const { keys, instanceKey } = task.input
      const known = { keys: revive(keys), instanceKey: Buffer.from(instanceKey) }
      // Loaded when it is needed: it takes as long to load as all else, and most threads make a backup.
      const { proveInScratch } = await import('./prove-in-scratch.ts')
      return await proveInScratch({ ...task.input, ...known }, destination, { signal, onProgress: onRows })
    }
  }
}

/** Buffers arrive as plain arrays of bytes. */
const revive = (keys: BackupKeys): BackupKeys => ({
  ...keys,
  root: Buffer.from(keys.root),
  former: keys.former.map((key) => Buffer.from(key)),
})
const revivePlace = (place: DatabasePlace): DatabasePlace =>
  'url' in place ? place : { ...place, key: Buffer.from(place.key) }

const hear = (message: ToThread): void => {
  if (message.kind === 'abort') stopping.abort()
  else if (message.kind === 'answer') {
    const waiting = asked.get(message.id)
    asked.delete(message.id)
    if (message.error) waiting?.reject(fromThreadError(message.error))
    else waiting?.resolve(message.value)
  } else
    perform(message).then(
      (value) => say({ kind: 'done', value }),
      (error: unknown) => say({ kind: 'failed', error: toThreadError(error) }),
    )
}
if (parentPort) parentPort.on('message', hear)
else process.on('message', hear)
