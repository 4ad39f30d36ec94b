/** Runs a task of backups in a process of its own, which may write into one folder and reach one address at most. */
import { fork } from 'node:child_process'
import type { OpenAddress } from '../work/closed-network.ts'
import { lowerPriority } from '../work/priority.ts'
import { readableFolders } from '../work/sandbox-paths.ts'
import type { Destination } from './destinations/destination.ts'
import { type Post, runTask, type TaskOptions } from './thread.ts'
import type { FromThread, TaskInputs, TaskName, TaskResults } from './thread-worker.ts'

export interface ProcessOptions extends TaskOptions {
  /** What it may write into. */
  readonly folder: string
  /** What it may connect to. */
  readonly open: OpenAddress | null
}

/** As on a thread. It inherits no environment, may start no program, and reads no file but the program and the folder. */
export const runInProcess = <K extends TaskName>(
  name: K,
  input: TaskInputs[K],
  destination: Destination,
  { folder, open, ...options }: ProcessOptions,
): Promise<TaskResults[K]> => runTask(name, input, destination, options, () => start(folder, open))

const start = (folder: string, open: OpenAddress | null): Post => {
  const child = fork(new URL('./process-worker.ts', import.meta.url), open ? [JSON.stringify(open)] : [], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { TZ: 'UTC', TMPDIR: folder },
    execArgv: [
      '--permission',
      ...[...readableFolders(), folder].map((path) => `--allow-fs-read=${path}`),
      `--allow-fs-write=${folder}`,
      // The database has a thread, and is native code.
      '--allow-worker',
      '--allow-addons',
      '--no-warnings',
    ],
  })
  lowerPriority(child.pid, 'low')
  let complaint = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaint = (complaint + text).slice(-4000)))
  let isOver = false
  return {
    post: (message) => {
      if (!isOver && child.connected) child.send(message as object, () => undefined)
    },
    on: ({ message, error, exit }) => {
      child.on('message', (value) => message(value as FromThread))
      child.on('error', error)
      child.on('close', () => exit(complaint))
    },
    end: () => {
      isOver = true
      child.removeAllListeners()
      child.on('error', () => undefined)
      child.kill('SIGKILL')
    },
  }
}
