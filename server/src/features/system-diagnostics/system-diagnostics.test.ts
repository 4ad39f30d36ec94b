import { hostname, tmpdir } from 'node:os'
import { limits } from '@atrium/contract/route'
import { systemDiagnosticsRoutes as routes } from '@atrium/contract/system-diagnostics'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Processes, createProcesses } from '../../platform/processes/index.ts'
import { createLog } from '../../platform/log/log.ts'
import { realClock } from '../../testing/clock.ts'
import { type Served, serveAreas } from '../../testing/serve.ts'
import { createSystemDiagnostics } from './index.ts'

const dataDir = tmpdir()
let served: Served
let processes: Processes
/** What a check of administrators says next. */
let seen: () => Promise<string | null> = async () => null
const deepChecks = [{ id: 'queue', run: () => seen() }]
beforeAll(async () => {
  const log = createLog({ level: 'silent' })
  const database = { notify: async () => undefined, listen: () => () => undefined }
  processes = createProcesses({ database, clock: realClock, log, processId: 'p', version: '1.2.3' })
  const deps = {
    processes,
    deepChecks,
    clock: realClock,
    log,
    version: '1.2.3',
    dataDir,
    engineEndpoints: [{ type: 'socket', path: '/no/such.sock' } as const],
    checks: [],
    monotonicNow: () => performance.now(),
  }
  served = await serveAreas({
    areas: [createSystemDiagnostics(deps)],
    authenticate: async ({ bearer }) =>
      bearer === null
        ? null
        : {
            accountId: bearer,
            sessionId: bearer,
            role: bearer === 'ben' ? 'user' : 'admin',
            via: 'bearer',
            token: null,
          },
    clock: realClock,
    limits: { diagnostics: limits.diagnostics },
  })
})
afterAll(() => served.stop())

describe('the report of the system', () => {
  test('tells facts of the host, the process and the memory', async () => {
    const { host, runtime, memory } = await served.guest.as('ann').call(routes.read, {})
    expect(host).toMatchObject({ hostname: hostname(), platform: process.platform, architecture: process.arch })
    expect(Date.parse(host?.bootedAt ?? '')).toBeLessThan(realClock.now())
    expect(runtime).toMatchObject({
      appVersion: '1.2.3',
      nodeVersion: process.versions.node,
      processId: process.pid,
      workingDirectory: process.cwd(),
    })
    const { totalBytes = 0, freeBytes = 0, usedBytes = 0, processRssBytes = 0 } = memory ?? {}
    expect(freeBytes + usedBytes).toBe(totalBytes)
    expect(processRssBytes).toBeGreaterThan(0)
  })

  test('tells how full the disks are, and the addresses of the machine', async () => {
    const { filesystems, network } = await served.guest.as('ann').call(routes.read, {})
    expect(filesystems).toMatchObject([
      { label: 'root', path: '/' },
      { label: 'data', path: dataDir },
    ])
    for (const { totalBytes, usedBytes } of filesystems) expect(totalBytes).toBeGreaterThan(usedBytes)
    expect(network.interfaces.flatMap(({ addresses }) => addresses)).toContainEqual({
      address: '127.0.0.1',
      family: 'IPv4',
      cidr: '127.0.0.1/8',
      internal: true,
    })
  })

  test('says why nothing is known of the container engine', async () => {
    const { docker } = await served.guest.as('ann').call(routes.read, {})
    expect(docker).toEqual({ available: false, socketMounted: false, reason: 'not_mounted' })
  })

  test('is fresh at every request, and nobody may keep it', async () => {
    const ann = served.guest.as('ann')
    const first = await ann.call(routes.read, {})
    const answer = await ann.answer(routes.read, {})
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const later = async () => (await ann.call(routes.read, {})).generatedAt
    await expect.poll(later).not.toBe(first.generatedAt)
  })

  test('is for administrators, each of them 120 times in a quarter of an hour', async () => {
    expect(await served.guest.refusal(routes.read, {})).toMatchObject({ status: 401 })
    expect(await served.guest.as('ben').refusal(routes.read, {})).toMatchObject({ status: 403, code: 'forbidden' })
    const carol = served.guest.as('carol')
    for (let n = 0; n < 120; n++) await carol.call(routes.read, {})
    expect(await carol.refusal(routes.read, {})).toMatchObject({ status: 429, code: 'rate_limited' })
    await served.guest.as('ann').call(routes.read, {})
  })
})

describe('the health of the process', () => {
  test('is told to whoever asks, under two addresses', async () => {
    const alive = { status: 'alive', version: '1.2.3' }
    expect(await served.guest.call(routes.health, {})).toEqual(alive)
    expect(await served.guest.call(routes.live, {})).toEqual(alive)
  })

  test('is not ready while it starts, and from the moment on in which it leaves', async () => {
    const ready = () => served.guest.answer(routes.ready, {})
    expect((await ready()).status).toBe(503)
    await processes.enter('ready')
    expect((await ready()).status).toBe(200)
    await processes.enter('leaving')
    expect(await served.guest.refusal(routes.ready, {})).toMatchObject({ status: 503, code: 'unavailable' })
    expect((await served.guest.answer(routes.live, {})).status).toBe(200)
    await processes.enter('ready')
  })

  test('is told with what should be looked at, and with what fails, to administrators alone', async () => {
    const ann = served.guest.as('ann')
    const check = { id: 'queue', latencyMs: expect.any(Number) }
    expect(await ann.call(routes.deep, {})).toMatchObject({ checks: [{ ...check, status: 'pass', message: null }] })
    seen = async () => 'Jobs wait.'
    expect(await ann.call(routes.deep, {})).toMatchObject({
      checks: [{ ...check, status: 'warn', message: 'Jobs wait.' }],
    })
    seen = () => Promise.reject(new Error('a secret'))
    const refused = await (await ann.answer(routes.deep, {})).json()
    expect(refused).toMatchObject({ status: 503, errors: [{ path: 'checks.queue', message: 'does not work' }] })
    expect(JSON.stringify(refused)).not.toContain('secret')
    expect(await served.guest.as('ben').refusal(routes.deep, {})).toMatchObject({ status: 403 })
    expect(await served.guest.refusal(routes.deep, {})).toMatchObject({ status: 401 })
  })
})
