import { hostname, tmpdir } from 'node:os'
import { limits } from '@atrium/contract/route'
import { systemDiagnosticsRoutes as routes } from '@atrium/contract/system-diagnostics'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Processes, createProcesses } from '../../platform/processes/index.ts'
import { type CheckOutcome, type DiagnosticCheck, reportWarning } from '../../platform/diagnostics/checks.ts'
import { createLog } from '../../platform/log/log.ts'
import { createRecentLines } from '../../platform/log/recent-lines.ts'
import { realClock } from '../../testing/clock.ts'
import { type Served, serveAreas } from '../../testing/serve.ts'
import { type History, createHistory } from './history.ts'
import { createSystemDiagnostics } from './index.ts'

const dataDir = tmpdir()
let served: Served
let processes: Processes
let history: History
/** Passes by itself, and when a test says so. */
const clock = { ...realClock, now: () => realClock.now() + passed }
let passed = 0
/** What a check of administrators says next. */
let seen: () => Promise<CheckOutcome | null> = async () => null
const areaChecks = (): DiagnosticCheck[] => [
  { id: 'queue', watched: true, run: () => seen() },
  { id: 'thorough', run: () => Promise.reject(new Error('not watched')) },
]
beforeAll(async () => {
  const log = createLog({ level: 'silent' })
  const database = { notify: async () => undefined, listen: () => () => undefined }
  processes = createProcesses({ database, clock, log, processId: 'p', version: '1.2.3' })
  history = createHistory({ processes, clock })
  const tables = (): never => {
    throw new Error('The database is away.')
  }
  const measure = () => Promise.reject(new Error('The database is away.'))
  const oldest = clock.now() - 5000
  const counts = { kind: 'mail.send', due: 2, queued: 3, running: 1, failed: 4, oldestDueAt: oldest, pausedAt: oldest }
  const count = async () => [counts]
  const deps = {
    processes,
    history,
    database: { measure, tables },
    jobs: { administration: { count }, concurrency: 4 },
    search: async () => ({ chats: 1, messages: 2, documents: 3, failedDocuments: 4, documentsWithoutVectors: 5 }),
    models: async () => null,
    bubblewrap: async () => ({ works: false, reason: 'not_permitted' }) as const,
    certificate: async () => ({ host: 'chat.example.org', expiresAt: Date.UTC(2030, 0, 1), problem: null }),
    areaChecks,
    configuration: () => Promise.reject(new Error('postgres://ann:secret@host is away')),
    recentLines: createRecentLines(),
    clock: realClock,
    log,
    version: '1.2.3',
    dataDir,
    containerEngineEndpoints: [{ type: 'socket', path: '/no/such.sock' } as const],
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
    expect((await ann.call(routes.deep, {})).checks).toEqual([])
    seen = async () => reportWarning('Jobs wait.')
    expect(await ann.call(routes.deep, {})).toMatchObject({
      checks: [{ ...check, status: 'warn', message: 'Jobs wait.' }],
    })
    seen = () => Promise.reject(new Error('connect postgres://ann:secret@host'))
    const refused = await (await ann.answer(routes.deep, {})).json()
    expect(refused).toMatchObject({
      status: 503,
      errors: [{ path: 'checks.queue', message: expect.stringContaining('connect postgres') }],
    })
    expect(JSON.stringify(refused)).not.toContain('secret')
    expect(await served.guest.as('ben').refusal(routes.deep, {})).toMatchObject({ status: 403 })
    expect(await served.guest.refusal(routes.deep, {})).toMatchObject({ status: 401 })
  })
})

describe('the report on the instance', () => {
  test('tells of its processes, jobs, search and limits, also while the database cannot be measured', async () => {
    const report = await served.guest.as('ann').call(routes.instance, {})
    expect(report).toMatchObject({
      processes: [{ id: 'p', host: hostname(), pid: process.pid, version: '1.2.3', isThis: true, phase: 'ready' }],
      database: null,
      jobs: [{ kind: 'mail.send', due: 2, queued: 3, running: 1, failed: 4 }],
      search: { chats: 1, messages: 2, documents: 3, failedDocuments: 4, documentsWithoutVectors: 5 },
      models: null,
      bubblewrap: { works: false, version: null, reason: 'not_permitted' },
      certificate: { host: 'chat.example.org', expiresAt: '2030-01-01T00:00:00.000Z', isTrusted: true },
    })
    const limits = Object.fromEntries(report.limits.map(({ name, ...rest }) => [name, rest]))
    expect(limits['jobs']).toEqual({ unit: 'count', value: 1, limit: 4 })
    expect(limits['heap']?.value).toBeLessThan(limits['heap']?.limit ?? 0)
    const openFiles = process.platform === 'linux' ? expect.any(Number) : null
    expect(limits['open-files']?.value).toEqual(openFiles)
  })

  test('is for administrators, and nobody may keep it', async () => {
    for (const route of [routes.instance, routes.history] as const) {
      const answer = await served.guest.as('ann').answer(route, {})
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(await served.guest.as('ben').refusal(route, {})).toMatchObject({ status: 403 })
    }
  })

  test('remembers an hour, four times a minute, and no more', async () => {
    const read = async () => (await served.guest.as('ann').call(routes.history, {})).items[0]?.samples ?? []
    for (let n = 0; n < 300; n++) {
      history.sample()
      passed += 15_000
    }
    const samples = await read()
    expect(samples).toHaveLength(240)
    expect(Date.parse(samples.at(-1)?.at ?? '') - Date.parse(samples[0]?.at ?? '')).toBeLessThanOrEqual(3_600_000)
    passed += 3_600_000
    history.sample()
    expect(await read()).toHaveLength(1)
  })
})

test('a support bundle is there while the database is away, and says what could not be read', async () => {
  const file = await served.guest.as('ann').call(routes.bundle, {})
  const files = unzipSync(new Uint8Array(await file.arrayBuffer()))
  const read = (name: string) => strFromU8(files[name] ?? new Uint8Array())
  expect(JSON.parse(read('migrations.json'))).toEqual({ unreadable: 'The database is away.' })
  expect(JSON.parse(read('configuration.json'))).toEqual({ unreadable: 'postgres://[hidden]@host is away' })
  expect(JSON.parse(read('system.json'))).toMatchObject({ host: { hostname: hostname() } })
})
