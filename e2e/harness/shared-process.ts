/** The process in which the apps of one worker run, each with a data folder and a port of its own. */
import { fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePortAgain, portOfNext } from '../ports.ts'
import type { HostAnswer, HostRequest } from './app-host.ts'

export interface SharedApp {
  readonly url: string
  /** Stops it cleanly and removes its folder. */
  close(): Promise<void>
}

/** Opens the built app in the process of this worker, and starts that where there is none. `env` is its configuration. */
export async function openShared(env: Readonly<Record<string, string>>): Promise<SharedApp> {
  host ??= startHost()
  const { ask } = host
  const dataDir = env['DATA_DIR'] ?? (await mkdtemp(join(tmpdir(), 'atrium-e2e-')))
  const port = await portOfNext()
  const usual = { PORT: String(port), DATA_DIR: dataDir, OLLAMA_BASE_URL: 'http://127.0.0.1:9', DRAIN_SECONDS: '0' }
  const url = await ask({ port, open: { ...usual, ...env } })
  return {
    url,
    async close() {
      await ask({ port, open: null })
      freePortAgain(port)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

interface Host {
  /** Resolves with what the process answers about the app at this port. */
  ask(request: HostRequest): Promise<string>
}

let host: Host | null = null

function startHost(): Host {
  const { PATH = '', NODE_COMPILE_CACHE = join(import.meta.dirname, '../../node_modules/.cache/compile') } = process.env
  const child = fork(join(import.meta.dirname, 'app-host.ts'), {
    execArgv: [],
    env: { PATH, NODE_COMPILE_CACHE },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let written = ''
  child.stderr?.on('data', (text: Buffer) => {
    written += text.toString()
  })
  const waiting = new Map<number, { resolve: (url: string) => void; reject: (error: Error) => void }>()
  child.on('message', ({ port, url, problem }: HostAnswer) => {
    const asked = waiting.get(port)
    waiting.delete(port)
    if (problem === undefined) asked?.resolve(url)
    else asked?.reject(new Error(`The app: ${problem}`))
  })
  child.once('exit', (code) => {
    host = null
    for (const { reject } of waiting.values())
      reject(new Error(`The process of the apps ended with ${code}:\n${written}`))
  })
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        waiting.set(request.port, { resolve, reject })
        child.send(request)
      }),
  }
}
