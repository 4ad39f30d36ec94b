import { once } from 'node:events'
import { chmod, mkdir, rm } from 'node:fs/promises'
import type { RequestListener, ServerResponse } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import type { ContainerEngine } from '@atrium/contract/system-diagnostics'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { workerCount } from '../../../platform/work/work.ts'
import { startChild } from '../../../testing/child.ts'
import {
  type TestContainerEngine,
  answerWith,
  container,
  containerSecret,
  startContainerEngine,
} from '../../../testing/container-engine.ts'
import { type ContainerEngineEndpoint, listEndpoints, usualSockets } from './endpoints.ts'
import { createContainerEngineReader } from './read-container-engine.ts'

const limits = { timeoutMs: 20_000, maxBytes: 5 * 1024 * 1024 }
const read = (endpoint: ContainerEngineEndpoint, timeoutMs = limits.timeoutMs) =>
  createContainerEngineReader([endpoint], { ...limits, timeoutMs })()
const at = (path: string): ContainerEngineEndpoint => ({ type: 'socket', path })

let engine: TestContainerEngine
beforeAll(async () => {
  engine = await startContainerEngine()
})
afterAll(() => engine.close())

/** What is read of an engine that answers so. */
const readFrom = (listener: RequestListener, timeoutMs?: number): Promise<ContainerEngine> => {
  engine.answer(listener)
  return read(at(engine.path), timeoutMs)
}

describe('a container engine that answers', () => {
  test('is told with its counts and its containers, those that run first', async () => {
    expect(await readFrom(answerWith({}))).toEqual({
      available: true,
      socketMounted: true,
      serverVersion: '28.5.1',
      operatingSystem: 'Debian GNU/Linux 13 (trixie)',
      architecture: 'x86_64',
      kernelVersion: '6.12.48',
      logicalCpus: 8,
      memoryBytes: 16_777_216_000,
      totalContainers: 3,
      runningContainers: 1,
      stoppedContainers: 1,
      pausedContainers: 1,
      containers: [
        {
          id: '4f1d2c3b4a59',
          name: 'web',
          image: 'nginx:1.29',
          state: 'running',
          status: 'Up 3 hours (healthy)',
          createdAt: '2025-11-13T02:13:20.000Z',
        },
        expect.objectContaining({ id: 'aaaaaaaaaaaa', name: 'backup', state: 'exited' }),
        expect.objectContaining({ id: 'bbbbbbbbbbbb', name: 'worker', state: 'paused' }),
      ],
    })
  })

  test('is asked three things, and environment, labels, mounts and commands come through nowhere', async () => {
    const before = engine.asked.length
    expect(JSON.stringify(await readFrom(answerWith({})))).not.toContain(containerSecret)
    expect(engine.asked.slice(before).toSorted()).toEqual([
      'GET /containers/json?all=true',
      'GET /info',
      'GET /version',
    ])
  })

  test('is asked once for all who wait, and anew for whoever comes later', async () => {
    engine.answer(answerWith({}))
    const reader = createContainerEngineReader([at(engine.path)], limits)
    const before = engine.asked.length
    await Promise.all([reader(), reader(), reader()])
    expect(engine.asked).toHaveLength(before + 3)
    await reader()
    expect(engine.asked).toHaveLength(before + 6)
  })

  test('is heard at a plain address, too', async () => {
    const server = createServer((socket) => {
      socket.once('data', (head) => {
        const body = String(head).startsWith('GET /containers/') ? '[]' : '{"Version":"5.6.2"}'
        socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const [endpoint] = listEndpoints(variables({ DOCKER_HOST: `tcp://localhost:${port}` }), [])
    expect(await read(endpoint ?? at(''))).toEqual({
      available: true,
      socketMounted: false,
      serverVersion: '5.6.2',
      containers: [],
    })
    await new Promise((resolve) => server.close(resolve))
  })

  test('has no say in the screens of those who look: controls go, and texts are cut', async () => {
    const odd = container({
      Id: '\u001b[31mabcdef0123456789\u001b[0m',
      Names: ['/\u001b]0;title\u0007\u001b[2Jweb\u0000\u202egnp.exe', '/other'],
      Image: 'x'.repeat(10_000),
      State: 'running\r\n',
      Status: '\u009b1mUp\u2028 \ud800',
      Created: -1,
    })
    const { containers } = await readFrom(answerWith({ containers: [odd] }))
    expect(containers).toEqual([
      {
        id: 'abcdef012345',
        name: 'webgnp.exe',
        image: 'x'.repeat(200),
        state: 'running',
        status: 'Up \ufffd',
        createdAt: null,
      },
    ])
  })

  test('has a hundred of ten thousand containers told, read on a thread of their own', async () => {
    const containers = Array.from({ length: 10_000 }, (_, n) => ({
      Id: `${n}`.padStart(64, '0'),
      Names: [`/c${n}`],
      State: n % 1000 === 999 ? 'running' : 'exited',
      Created: 1_763_000_000,
    }))
    const found = await readFrom(answerWith({ containers }))
    expect(found.containers).toHaveLength(100)
    expect(found.containers?.slice(0, 11).map(({ name }) => name)).toEqual([
      ...Array.from({ length: 10 }, (_, n) => `c${n * 1000 + 999}`),
      'c0',
    ])
    expect(workerCount()).toBeGreaterThan(0)
  })

  test('is asked for the newest alone where the list of all is too large', async () => {
    const large = Array.from({ length: 10_000 }, () => container({}))
    const found = await readFrom((request, response) =>
      answerWith({ containers: request.url?.includes('limit=100') ? large.slice(0, 100) : large })(request, response),
    )
    expect(found).toMatchObject({ available: true, totalContainers: 3 })
    expect(found.containers).toHaveLength(100)
  })

  test('leaves out what it words in another way, and no more than that', async () => {
    const info = { NCPU: '8', MemTotal: -1, Containers: 1.5, OperatingSystem: { name: 'x' }, Architecture: '\u0007' }
    const containers = [null, 'text', [], { Id: 7, Names: 'web', Created: 1e300 }]
    expect(await readFrom(answerWith({ info, version: { Version: 28 }, containers }))).toEqual({
      available: true,
      socketMounted: true,
      containers: [{ id: '', name: '', image: '', state: '', status: '', createdAt: null }],
    })
  })
})

const send =
  (body: string, status = 200): RequestListener =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(body)

/** Sound, but for one of the three. */
const but =
  (path: string, listener: RequestListener): RequestListener =>
  (request, response) =>
    (request.url?.startsWith(path) ? listener : answerWith({}))(request, response)

/** Sends without end, as fast as it is taken. */
const endless: RequestListener = (_, response) => {
  const part = Buffer.alloc(64 * 1024, 'x')
  const more = (): void => {
    while (!response.destroyed && response.write(part)) continue
  }
  response.on('drain', more)
  more()
}

/** A space every tenth of a second, for as long as anybody listens. */
const drip = (response: ServerResponse, send: () => void = () => void response.write(' ')): void => {
  const timer = setInterval(() => (response.destroyed ? clearInterval(timer) : send()), 100).unref()
}

const breakOff: RequestListener = (_, response) => {
  response.writeHead(200, { 'content-length': 99 }).write('{', () => response.destroy())
}

describe('an engine that does not answer as it should', () => {
  test.each<[string, RequestListener]>([
    ['an HTTP error', send('{"message":"boom"}', 500)],
    ['an HTTP error for one question', but('/info', send('forbidden', 403))],
    ['a redirect', (_, response) => void response.writeHead(302, { location: 'http://localhost/elsewhere' }).end()],
    ['a page', send('<!doctype html><title>Sign in</title>')],
    ['half a JSON', but('/containers', send('[{"Id":"4f1d'))],
    ['a list where there is one thing', but('/version', send('[]'))],
    ['one thing where there is a list', but('/containers', send('{"message":"no"}'))],
    ['nothing', send('')],
    ['JSON without end of nesting', but('/info', send('['.repeat(600_000)))],
    ['an answer that never ends', but('/containers', endless)],
    ['an answer that breaks off', breakOff],
    [
      'another protocol',
      ({ socket }) => void socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
    ],
    ['heads without end', ({ socket }) => void socket.end(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`)],
    [
      'a length that is not true',
      ({ socket }) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 9\r\n\r\n{}'),
    ],
    ['no HTTP', ({ socket }) => void socket.end('+PONG\r\n')],
  ])('%s is a bad answer', async (_, listener) => {
    expect(await readFrom(listener)).toEqual({ available: false, socketMounted: true, reason: 'bad_answer' })
  })

  test.each<[string, RequestListener]>([
    ['says nothing', () => undefined],
    ['says nothing to one question', but('/info', () => undefined)],
    ['falls silent in the middle', (_, response) => void response.writeHead(200).write('{')],
    ['sends a letter now and then', but('/containers', (_, response) => drip(response))],
    ['says again and again that it will answer', (_, response) => drip(response, () => response.writeProcessing())],
  ])('one that %s is unreachable once its time is up', async (_, listener) => {
    const found = await readFrom(listener, 300)
    expect(found).toEqual({ available: false, socketMounted: true, reason: 'unreachable' })
  })

  test('one that wants TLS is a remote endpoint', async () => {
    const found = await readFrom(send('Client sent an HTTP request to an HTTPS server.\n', 400))
    expect(found).toMatchObject({ available: false, reason: 'remote_endpoint' })
  })
})

describe('a socket', () => {
  test('that is not there, or is none, is not mounted', async () => {
    const folder = join(dirname(engine.path), 'folder.sock')
    await mkdir(folder)
    for (const path of [folder, join(folder, 'none'), join(engine.path, 'below')])
      expect(await read(at(path))).toEqual({ available: false, socketMounted: false, reason: 'not_mounted' })
  })

  test('at which nobody listens is unreachable', async () => {
    const path = join(dirname(engine.path), 'left.sock')
    const child = startChild(`
      import { createServer } from 'node:http'
      createServer().listen(${JSON.stringify(path)}, () => console.log('listening'))
    `)
    await child.line()
    await child.kill()
    expect(await read(at(path))).toEqual({ available: false, socketMounted: true, reason: 'unreachable' })
    await rm(path)
  })

  test('that the user of the process may not use is unreadable', async () => {
    await chmod(dirname(engine.path), 0o755)
    await chmod(engine.path, 0)
    // The administrator of the machine may use everything, so that one becomes somebody else first.
    const child = startChild(`
      import { createContainerEngineReader } from ${JSON.stringify(new URL('./read-container-engine.ts', import.meta.url))}
      if (process.getuid() === 0) {
        process.setgroups([])
        process.setgid(65534)
        process.setuid(65534)
      }
      const read = createContainerEngineReader(${JSON.stringify([at(engine.path)])}, ${JSON.stringify(limits)})
      console.log(JSON.stringify(await read()))
    `)
    expect(JSON.parse((await child.line()) ?? '')).toEqual({
      available: false,
      socketMounted: true,
      reason: 'unreadable',
    })
    await child.kill()
    await chmod(engine.path, 0o700)
  })
})

const variables = (set: Partial<Record<'WORK_DOCKER_SOCKET' | 'DOCKER_HOST' | 'DOCKER_TLS_VERIFY', string>>) => ({
  WORK_DOCKER_SOCKET: undefined,
  DOCKER_HOST: undefined,
  DOCKER_TLS_VERIFY: undefined,
  ...set,
})

describe('where the engine is asked', () => {
  const unsupported = [{ type: 'unsupported' }]
  test.each<[string, Parameters<typeof variables>[0], object[]]>([
    ['WORK_DOCKER_SOCKET', { WORK_DOCKER_SOCKET: '/a.sock', DOCKER_HOST: 'unix:///b.sock' }, [at('/a.sock')]],
    ['a WORK_DOCKER_SOCKET as an address', { WORK_DOCKER_SOCKET: 'unix:///a.sock' }, [at('/a.sock')]],
    ['a socket in DOCKER_HOST', { DOCKER_HOST: 'unix:///b.sock' }, [at('/b.sock')]],
    ['a plain address', { DOCKER_HOST: 'tcp://proxy:2375' }, [{ type: 'tcp', host: 'proxy', port: 2375 }]],
    ['one without a port', { DOCKER_HOST: 'tcp://[::1]' }, [{ type: 'tcp', host: '[::1]', port: 2375 }]],
    ['TLS', { DOCKER_HOST: 'tcp://proxy:2375', DOCKER_TLS_VERIFY: '1' }, unsupported],
    ['the port of TLS', { DOCKER_HOST: 'tcp://proxy:2376' }, unsupported],
    ['https', { DOCKER_HOST: 'https://proxy:2375' }, unsupported],
    ['ssh', { DOCKER_HOST: 'ssh://ann@box' }, unsupported],
    ['a path below an address', { DOCKER_HOST: 'tcp://proxy:2375/v1' }, unsupported],
    ['what is no address', { DOCKER_HOST: 'docker.sock' }, unsupported],
    ['nothing set', {}, [at('/usual.sock')]],
  ])('follows from %s', async (_, set, expected) => {
    expect(listEndpoints(variables(set), ['/usual.sock'])).toEqual(expected)
  })

  test('what is not spoken to is a remote endpoint, and so is a network that is never called', async () => {
    for (const endpoint of [{ type: 'unsupported' }, { type: 'tcp', host: '169.254.169.254', port: 2375 }] as const)
      expect(await read(endpoint)).toEqual({ available: false, socketMounted: false, reason: 'remote_endpoint' })
  })

  test('of the usual sockets the first that answers counts, and else the first that is there says why', async () => {
    engine.answer(answerWith({}))
    const broken = await startContainerEngine(send('no', 500))
    const paths = ['/no/such.sock', broken.path, engine.path]
    const readAll = (found: string[]) => createContainerEngineReader(found.map(at), limits)()
    expect(await readAll(paths)).toMatchObject({ available: true, runningContainers: 1 })
    expect(await readAll(paths.slice(0, 2))).toMatchObject({ available: false, reason: 'bad_answer' })
    expect(await readAll([])).toEqual({ available: false, socketMounted: false, reason: 'not_mounted' })
    await broken.close()
  })

  test('one of the usual sockets that stalls keeps no other from being asked', async () => {
    engine.answer(answerWith({}))
    const stalled = await startContainerEngine(() => undefined)
    const reader = createContainerEngineReader([at(stalled.path), at(engine.path)], { ...limits, timeoutMs: 4000 })
    expect(await reader()).toMatchObject({ available: true, runningContainers: 1 })
    await stalled.close()
  })

  test('usual are the sockets of the machine, of the user and of Podman', () => {
    expect(usualSockets({ uid: 1000, home: '/home/ann' })).toEqual([
      '/var/run/docker.sock',
      '/run/user/1000/docker.sock',
      '/home/ann/.docker/run/docker.sock',
      '/run/podman/podman.sock',
      '/run/user/1000/podman/podman.sock',
    ])
    expect(usualSockets({ uid: null, home: null })).toEqual(['/var/run/docker.sock', '/run/podman/podman.sock'])
  })
})
