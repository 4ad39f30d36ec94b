/** The built app as a process of its own, as a person would run it: a fresh data folder, a free port. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePortAgain, portOfNext } from './ports.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

export interface Atrium {
  readonly url: string
  readonly dataDir: string
  /** The process id of the server that runs now. */
  readonly pid: number
  /** From spawning the process to the first ready answer, in ms, of the last start. */
  readonly startedInMs: number
  /** All that the server wrote, for a test that failed. */
  log(): string
  /** Ends it as `kill -9` does. */
  kill(): Promise<void>
  /** Starts it again on the same folder and port. */
  start(): Promise<void>
  /** Stops it cleanly and removes the folder. */
  close(): Promise<void>
}

/** Starts the app and resolves when it is ready. `env` is added to a clean configuration. */
export async function startAtrium(env: Record<string, string> = {}, main = 'server/dist/main.js'): Promise<Atrium> {
  const dataDir = await mkdtemp(join(tmpdir(), 'atrium-e2e-'))
  const port = await portOfNext()
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | null = null
  let written = ''
  let startedInMs = 0

  const start = async (): Promise<void> => {
    const began = performance.now()
    const process_ = spawn(process.execPath, [main], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'] ?? '',
        PORT: String(port),
        DATA_DIR: dataDir,
        OLLAMA_BASE_URL: 'http://127.0.0.1:9',
        DRAIN_SECONDS: '0',
        // As `npm start` has them.
        MALLOC_ARENA_MAX: '2',
        UV_THREADPOOL_SIZE: '16',
        // The built server knows this folder; what runs from its sources is told.
        NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compile'),
        ...env,
      },
    })
    for (const output of [process_.stdout, process_.stderr])
      output.on('data', (text: Buffer) => {
        written += text.toString()
      })
    child = process_
    while (!(await ready(url))) {
      if (process_.exitCode !== null) throw new Error(`The server ended with ${process_.exitCode}:\n${written}`)
      if (performance.now() - began > 120_000) {
        process_.kill('SIGKILL')
        throw new Error(`The server is not ready:\n${written}`)
      }
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    startedInMs = performance.now() - began
  }

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const running = child
    child = null
    if (running === null || running.exitCode !== null || running.signalCode !== null) return
    const gone = new Promise((resolve) => running.once('exit', resolve))
    running.kill(signal)
    await gone
  }

  await start()
  return {
    url,
    dataDir,
    get pid() {
      return child?.pid ?? -1
    },
    get startedInMs() {
      return startedInMs
    },
    log: () => written,
    kill: () => end('SIGKILL'),
    start,
    close: async () => {
      await end('SIGTERM')
      freePortAgain(port)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const ready = (url: string): Promise<boolean> =>
  fetch(`${url}/health/ready`).then(
    (answer) => answer.ok,
    () => false,
  )
