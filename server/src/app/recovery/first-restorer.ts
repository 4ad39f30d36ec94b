/** Restores over the first-run page: in a process of its own, into a folder of its own, of which nothing is used unless all is whole. */
import { fork, type ChildProcess } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { DestinationFailure } from '../../platform/backups/destinations/destination.ts'
import type { FirstRestorer, FirstRestoreState } from '../../platform/backups/first-restore.ts'
import { openFolder } from '../../platform/backups/destinations/folder.ts'
import { noLimits, requireSpace } from '../../platform/files/quota.ts'
import { fail } from '../../platform/http/index.ts'
import type { Log } from '../../platform/log/log.ts'
import { createFreeBytesReader } from '../../platform/machine/filesystems.ts'
import type { Config } from '../config.ts'
import type { ReceivedBackup, RestoreMessage } from './first-restore-task.ts'
import { firstRestorePaths } from './take-over.ts'

export interface RestorerDeps {
  readonly config: Pick<Config, 'dataDir' | 'encryptionKey' | 'keptFreeBytes'>
  readonly log: Log
  /** Called once a restored database lies ready: the process ends its server and begins anew with that. */
  readonly restored: () => void
}

const waiting: FirstRestoreState = { state: 'waiting', step: null, rows: 0, reason: null, wrongGroups: [] }

export const createFirstRestorer = ({ config, log, restored }: RestorerDeps): FirstRestorer => {
  const { base, received, target } = firstRestorePaths(config.dataDir)
  const limits = { ...noLimits, freeBytes: createFreeBytesReader(config.dataDir), keptFreeBytes: config.keptFreeBytes }
  let state = waiting
  let child: ChildProcess | null = null

  const run = async (secret: string): Promise<RestoreMessage> => {
    // What an earlier try left is of another backup, or not whole.
    await rm(target, { recursive: true, force: true })
    await mkdir(target, { recursive: true, mode: 0o700 })
    const task = { received, target, secret, environmentKey: config.encryptionKey ?? null }
    return await new Promise<RestoreMessage>((resolve) => {
      const started = start(base, task)
      child = started
      let complaint = ''
      started.stderr?.setEncoding('utf8').on('data', (text: string) => (complaint = (complaint + text).slice(-2000)))
      started.on('message', (message) => {
        const told = message as RestoreMessage
        if (told.kind === 'progress') state = { ...state, step: told.step, rows: told.rows }
        else resolve(told)
      })
      started.on('error', ({ message }) => resolve(failed(message)))
      // After an end in order its answer was there before.
      started.on('close', () => resolve(failed(`The process ended. ${complaint}`)))
    })
  }

  return {
    async receive(name, bytes) {
      await requireSpace(limits, bytes.byteLength)
      await mkdir(base, { recursive: true, mode: 0o700 })
      try {
        await openFolder(received).write(name, bytes)
      } catch (error) {
        if (error instanceof DestinationFailure && error.kind === 'full') throw fail('storage_full')
        throw error
      }
    },
    state: () => state,
    begin(secret) {
      state = { ...waiting, state: 'running', step: 'check' }
      void run(secret)
        .catch((error: Error) => failed(error.message))
        .then((end) => {
          child = null
          if (end.kind === 'done') {
            state = { ...waiting, state: 'restored' }
            restored()
          } else if (end.kind === 'failed') {
            log.warn('A restore before the first account failed', { reason: end.reason, message: end.message })
            state = { ...waiting, state: 'failed', reason: end.reason, wrongGroups: end.wrongGroups }
          }
        })
    },
    async drop() {
      state = waiting
      await rm(base, { recursive: true, force: true })
    },
    async stop() {
      child?.kill('SIGKILL')
    },
  }
}

const failed = (message: string): RestoreMessage => ({ kind: 'failed', reason: 'failed', wrongGroups: [], message })

/** It inherits no environment, starts no program, reaches nobody, and writes into the folder alone. */
const start = (folder: string, task: ReceivedBackup): ChildProcess => {
  const child = fork(new URL('./first-restore-worker.ts', import.meta.url), {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { TZ: 'UTC', TMPDIR: folder },
    execArgv: [
      '--permission',
      // It loads the whole server for its schema, parts of which look round where they lie.
      '--allow-fs-read=*',
      `--allow-fs-write=${folder}`,
      // The database has a thread, and is native code.
      '--allow-worker',
      '--allow-addons',
      '--no-warnings',
    ],
  })
  child.send(task)
  return child
}
