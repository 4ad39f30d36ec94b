/** The test bed: a model server and an Atrium, each a process of its own, and calls to both. */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Bed {
  readonly provider: string
  readonly url: string
  readonly tokens: readonly string[]
  readonly pid: number
  /** Calls the service; throws on anything but success. */
  call<T>(token: string, method: string, path: string, body?: unknown): Promise<T>
  /** A new chat with a model of the local runtime; gives its id. */
  chat(token: string, model: string): Promise<string>
  /** How late the service's event loop was since this was asked last, in ms. */
  lateness(): Promise<Lateness>
  close(): Promise<void>
}

export interface Lateness {
  readonly p50: number
  readonly p99: number
  readonly max: number
}

export interface BedOptions {
  readonly accounts: number
  /** The model server lists exactly these. */
  readonly models: readonly string[]
  /** More of the environment. */
  readonly environment?: Readonly<Record<string, string>>
  /** Made by the caller, with what is there before the start; removed at the end. */
  readonly dataDir?: string
}

/** Starts both. */
export async function makeBed(options: BedOptions): Promise<Bed> {
  const port = await freePort()
  const provider = `http://127.0.0.1:${port}`
  const model = spawn(process.execPath, ['e2e/provider/main.ts', String(port)], { stdio: 'ignore' })
  await until(() => fetch(`${provider}/api/version`).then((answer) => answer.ok))
  await fetch(`${provider}/control`, { method: 'POST', body: JSON.stringify({ models: options.models }) })

  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'atrium-bench-')))
  const server = fork('bench/server.ts', {
    execArgv: process.env['BENCH_PROFILE'] ? ['--cpu-prof', '--cpu-prof-dir', process.env['BENCH_PROFILE']] : [],
    stdio: ['ignore', 'inherit', 'ignore', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      PORT: String(await freePort()),
      DATA_DIR: dataDir,
      OLLAMA_BASE_URL: provider,
      LOG_LEVEL: 'silent',
      MALLOC_ARENA_MAX: '2',
      UV_THREADPOOL_SIZE: '16',
      BENCH_ACCOUNTS: String(options.accounts),
      ...options.environment,
    },
  })
  const { url, tokens } = await new Promise<{ url: string; tokens: string[] }>((resolve, reject) => {
    server.once('message', (message) => resolve(message as { url: string; tokens: string[] }))
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))
  })

  const call = callTo(url)
  await until(() =>
    call<{ items: { selection: { model: string } }[] }>(tokens[0] ?? '', 'GET', '/api/models').then(({ items }) =>
      options.models.every((name) => items.some((item) => item.selection.model === name)),
    ),
  )
  return {
    provider,
    url,
    tokens,
    pid: server.pid ?? 0,
    call,
    chat: async (token, name) => {
      const selection = { providerType: 'local', providerId: null, model: name }
      return (await call<{ id: string }>(token, 'POST', '/api/chat/sessions', { selection, title: 'Measured' })).id
    },
    lateness: () =>
      new Promise((resolve) => {
        server.once('message', (message) => resolve(message as Lateness))
        server.send('lateness')
      }),
    close: async () => {
      await Promise.all([end(server), end(model)])
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** How a service is called; see `Bed.call`. */
export const callTo =
  (url: string): Bed['call'] =>
  async <T>(token: string, method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }

/** Resident memory of a process, in bytes. */
export function memory(pid: number): number {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(line?.[1] ?? 0) * 1024
}

/** Processor time of a process so far, in ms. */
export function processor(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    if (await holds().catch(() => false)) return
    await pause(50)
  }
  throw new Error('not ready in 20 s')
}

const end = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve) => {
    child.once('exit', resolve)
    child.kill('SIGTERM')
  })

export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
