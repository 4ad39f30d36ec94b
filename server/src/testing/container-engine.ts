/** A container engine for tests: real HTTP on a real socket file, in the bytes of the Engine API. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import { type RequestListener, createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TestContainerEngine {
  /** The socket file. */
  readonly path: string
  /** What was asked, oldest first: method and path with its query. */
  readonly asked: readonly string[]
  /** Answers so from now on. */
  answer(listener: RequestListener): void
  close(): Promise<void>
}

/** Without a listener it answers as an engine with three containers. `folder` is made for it, and removed at its end. */
export const startContainerEngine = async (
  listener: RequestListener = answerWith({}),
  folder = join(tmpdir(), `engine-${randomUUID().slice(0, 8)}`),
): Promise<TestContainerEngine> => {
  await mkdir(folder)
  const path = containerEngineSocket(folder)
  const asked: string[] = []
  let current = listener
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    current(request, response)
  })
  server.listen(path)
  await once(server, 'listening')
  return {
    path,
    asked,
    answer: (next) => {
      current = next
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Where an engine of that folder listens. */
export const containerEngineSocket = (folder: string): string => join(folder, 'docker.sock')

export interface ContainerEngineFixture {
  readonly version?: unknown
  readonly info?: unknown
  readonly containers?: unknown
}

/** JSON by path; what is not given is what an engine with three containers says. */
export const answerWith =
  ({
    version = soundVersion,
    info = soundInfo,
    containers = soundContainers,
  }: ContainerEngineFixture): RequestListener =>
  (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const body = { '/version': version, '/info': info, '/containers/json': containers }[pathname]
    if (request.method !== 'GET' || body === undefined) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"page not found"}')
      return
    }
    response.writeHead(200, { 'content-type': 'application/json', 'api-version': '1.51' }).end(JSON.stringify(body))
  }

/** Must not come through anywhere. */
export const containerSecret = 'planted-secret-of-a-container'

const soundVersion = {
  Platform: { Name: 'Docker Engine - Community' },
  Components: [{ Name: 'Engine', Version: '28.5.1', Details: { GitCommit: containerSecret } }],
  Version: '28.5.1',
  ApiVersion: '1.51',
  Os: 'linux',
  Arch: 'amd64',
}

const soundInfo = {
  ID: containerSecret,
  Containers: 3,
  ContainersRunning: 1,
  ContainersPaused: 1,
  ContainersStopped: 1,
  HttpProxy: `http://user:${containerSecret}@proxy`,
  KernelVersion: '6.12.48',
  OperatingSystem: 'Debian GNU/Linux 13 (trixie)',
  Architecture: 'x86_64',
  NCPU: 8,
  MemTotal: 16_777_216_000,
  Labels: [containerSecret],
  ServerVersion: '28.5.1',
}

/** One item of the list; everything that must not be passed on is in it. */
export const container = (fields: object) => ({
  Id: '4f1d2c3b4a5968778695a4b3c2d1e0f0123456789abcdef0123456789abcdef0',
  Names: ['/web'],
  Image: 'nginx:1.29',
  ImageID: `sha256:${containerSecret}`,
  Command: `run --password ${containerSecret}`,
  Created: 1_763_000_000,
  Ports: [{ PrivatePort: 80, PublicPort: 8080, Type: 'tcp' }],
  Labels: { secret: containerSecret },
  State: 'running',
  Status: 'Up 3 hours (healthy)',
  HostConfig: { NetworkMode: containerSecret },
  Mounts: [{ Type: 'bind', Source: `/srv/${containerSecret}`, Destination: '/data' }],
  ...fields,
})

const soundContainers = [
  container({ Id: 'aa'.repeat(32), Names: ['/backup'], State: 'exited', Status: 'Exited (1) 2 hours ago' }),
  container({}),
  container({ Id: 'bb'.repeat(32), Names: ['/worker'], State: 'paused', Status: 'Up 2 days (Paused)' }),
]
