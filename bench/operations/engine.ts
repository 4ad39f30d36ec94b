/** Container engines for measurement: each a socket file on which the bytes of an answer stand ready. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Engine {
  readonly path: string
  close(): Promise<void>
}

/** One with so many containers; `null`: one that takes connections and never answers. */
export async function startEngine(containers: number | null): Promise<Engine> {
  const folder = await mkdtemp(join(tmpdir(), 'engine-'))
  const path = join(folder, 'docker.sock')
  const answers = containers === null ? null : answersOf(containers)
  const server = createServer((request, response) => {
    const body = answers?.get(new URL(request.url ?? '/', 'http://localhost').pathname)
    if (body) response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  })
  server.listen(path)
  await once(server, 'listening')
  return {
    path,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const answersOf = (count: number): Map<string, Buffer> => {
  const containers = Array.from({ length: count }, (_, n) => ({
    Id: n.toString(16).padStart(64, '0'),
    Names: [`/service-${n}`],
    Image: `registry.example.org/service-${n}:1`,
    State: n % 3 === 0 ? 'exited' : 'running',
    Status: 'Up 3 hours (healthy)',
    Created: 1_760_000_000 + n,
    Labels: { 'org.example.project': `project-${n % 20}` },
  }))
  const bytes = (value: unknown) => Buffer.from(JSON.stringify(value))
  return new Map([
    ['/version', bytes({ Version: '28.5.1', Os: 'linux', Arch: 'amd64', KernelVersion: '6.12.0' })],
    ['/info', bytes({ OperatingSystem: 'Debian', NCPU: 2, MemTotal: 4_000_000_000, Containers: count })],
    ['/containers/json', bytes(containers)],
  ])
}
