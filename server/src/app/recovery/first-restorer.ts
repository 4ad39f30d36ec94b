/**
 * Restores over the first-run page: in a process of its own, into a folder of its own, or on PostgreSQL a schema, of which
 * nothing is used unless all is whole.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { DestinationFailure } from '../../platform/backups/destinations/destination.ts'
import type { FirstRestorer, FirstRestoreState } from '../../platform/backups/first-restore.ts'
import { openFolder } from '../../platform/backups/destinations/folder.ts'
import { makeSpareSchema } from '../../platform/db/spare-schema.ts'
import type { Database } from '../../platform/db/index.ts'
import { noLimits, requireSpace } from '../../platform/files/quota.ts'
import { fail } from '../../platform/http/index.ts'
import type { Log } from '../../platform/log/log.ts'
import { createFreeBytesReader } from '../../platform/machine/filesystems.ts'
import type { OpenAddress } from '../../platform/work/closed-network.ts'
import type { Config } from '../config.ts'
import type { ReceivedBackup, RestoreMessage } from './first-restore-task.ts'
import { firstRestorePaths } from './take-over.ts'

export interface RestorerDeps {
  readonly config: Pick<Config, 'dataDir' | 'databaseUrl' | 'encryptionKey' | 'keptFreeBytes'>
  readonly database: Pick<Database, 'listen' | 'notify'>
  readonly instanceKey: Buffer
  readonly log: Log
  /** Called once a restored database lies ready, in all processes: each ends its server and begins anew with that. */
  readonly restored: () => void
}

const waiting: FirstRestoreState = { state: 'waiting', step: null, rows: 0, reason: null, wrongGroups: [] }
const channel = 'first-restore'

export const createFirstRestorer = (deps: RestorerDeps): FirstRestorer => {
  const { config, database, instanceKey, log, restored } = deps
  const { base, received, target } = firstRestorePaths(config.dataDir)
  const limits = { ...noLimits, freeBytes: createFreeBytesReader(config.dataDir), keptFreeBytes: config.keptFreeBytes }
  // Processes on one database have one key between them, so that stays; a SQLite file brings its own.
  const ownKey = config.databaseUrl ? instanceKey.toString('hex') : (config.encryptionKey ?? null)
  const stopListening = database.listen(channel, restored)
  let state = waiting
  let child: ChildProcess | null = null
  let isBusy = false

  const run = async (
    { secret, at = null, list }: { secret: string; at?: string | null; list: boolean },
    database: { url: string; address: OpenAddress } | null,
  ): Promise<RestoreMessage> => {
    // What an earlier try left is of another backup, or not whole.
    await rm(target, { recursive: true, force: true })
    await mkdir(target, { recursive: true, mode: 0o700 })
    const task = { received, target, url: database?.url ?? null, secret, ownKey, at, list }
    return await new Promise<RestoreMessage>((resolve) => {
      const started = start(base, task, database?.address ?? null)
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

  const restore = async (secret: string, at: string | null): Promise<RestoreMessage> => {
    if (!config.databaseUrl) return await run({ secret, at, list: false }, null)
    const schema = await makeSpareSchema(config.databaseUrl)
    if (!schema)
      return { kind: 'failed', reason: 'not_allowed', wrongGroups: [], message: 'The role may make no schema.' }
    try {
      const end = await run({ secret, at, list: false }, schema)
      if (end.kind === 'done') await schema.markWhole()
      return end
    } finally {
      await schema.release()
    }
  }
  const exclusively = async (work: () => Promise<RestoreMessage>): Promise<RestoreMessage> => {
    isBusy = true
    const end = await work().catch((error: Error) => failed(error.message))
    child = null
    isBusy = false
    if (end.kind === 'failed')
      log.warn('A restore before the first account failed', { reason: end.reason, message: end.message })
    return end
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
    isBusy: () => isBusy,
    async list(secret) {
      const end = await exclusively(() => run({ secret, list: true }, null))
      if (end.kind === 'listed') return { backups: end.backups }
      return end.kind === 'failed' ? end : { reason: 'failed', wrongGroups: [] }
    },
    begin(secret, at) {
      state = { ...waiting, state: 'running', step: 'check' }
      void exclusively(() => restore(secret, at)).then(async (end) => {
        if (end.kind === 'done') {
          state = { ...waiting, state: 'restored' }
          await database.notify(channel, '').catch(() => undefined)
          // Where no message came through, at least here.
          restored()
        } else if (end.kind === 'failed')
          state = { ...waiting, state: 'failed', reason: end.reason, wrongGroups: end.wrongGroups }
      })
    },
    async drop() {
      state = waiting
      await rm(base, { recursive: true, force: true })
    },
    async stop() {
      stopListening()
      child?.kill('SIGKILL')
    },
  }
}

const failed = (message: string): RestoreMessage => ({ kind: 'failed', reason: 'failed', wrongGroups: [], message })

/** It inherits no environment, starts no program, reaches nobody but the database, and writes into the folder alone. */
const start = (folder: string, task: ReceivedBackup, open: OpenAddress | null): ChildProcess => {
  const child = fork(new URL('./first-restore-worker.ts', import.meta.url), open ? [JSON.stringify(open)] : [], {
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
