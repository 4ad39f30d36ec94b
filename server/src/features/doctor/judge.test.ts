import { describe, expect, test } from 'vitest'
import { judgeArrival } from './arrival.ts'
import { judgeCertificate } from './checks/certificate.ts'
import { judgeDisk, judgeFileSystem, judgeForecast } from './checks/folder.ts'
import { judgeOutsideClock } from './checks/outside-clock.ts'
import { sameKeyCheck } from './checks/same-key.ts'
import { variablesCheck } from './checks/variables.ts'
import { judgeMeasurements } from './judge.ts'
import { judgeClock, judgeConnections, judgeServer } from '../../platform/db/postgres/checks.ts'

const signal = new AbortController().signal
const used = 'https://chat.example.org'
const arrived = { origin: used, address: '203.0.113.9', forwardedFor: '203.0.113.9' }
const place = { baseUrl: new URL(used), trustProxy: 1 }

/** The checks of an arrival that are not well, as `id: status`. */
const faults = (
  change: Partial<typeof arrived>,
  where: Partial<{ baseUrl: URL | undefined; trustProxy: number | string[] }> = {},
) =>
  judgeArrival(used, { ...arrived, ...change }, { ...place, ...where })
    .filter(([, { status }]) => status !== 'pass')
    .map(([id, { status, fixes }]) => `${id}: ${status}: ${fixes?.at(-1)?.lines.split('\n')[0] ?? ''}`)

describe('how a request arrived', () => {
  test('is well where address, scheme, name and proxies are what the environment says', () => {
    expect(faults({})).toEqual([])
    expect(faults({}, { trustProxy: ['10.0.0.0/8'] })).toEqual([])
  })

  test('a proxy that is not trusted, and a trusted one that is not there, are told with the number to set', () => {
    expect(faults({ address: '10.0.0.2' }, { trustProxy: 0 })).toEqual(['trust-proxy: fail: TRUST_PROXY=1'])
    expect(faults({ forwardedFor: null as never })).toEqual(['trust-proxy: fail: TRUST_PROXY=0'])
    expect(faults({ forwardedFor: '203.0.113.9, 10.0.0.2', address: '10.0.0.2' })).toEqual([
      'trust-proxy: warn: TRUST_PROXY=2',
    ])
    expect(faults({}, { trustProxy: 2 })).toEqual(['trust-proxy: fail: TRUST_PROXY=1'])
    expect(faults({ address: '10.0.0.2' }, { trustProxy: ['10.9.0.0/16'] })).toEqual([
      'trust-proxy: warn: TRUST_PROXY=1',
    ])
  })

  test('a scheme, a name or an address that is not the one that was used is told', () => {
    expect(faults({ origin: 'http://chat.example.org' })).toEqual([expect.stringContaining('https: fail')])
    expect(faults({ origin: 'https://atrium:3001' })).toEqual([expect.stringContaining('host: fail')])
    // WebSockets are refused where the port that a browser names is not the one that arrives.
    expect(faults({ origin: 'https://chat.example.org:8443' })).toEqual([expect.stringContaining('host: fail')])
    expect(faults({}, { baseUrl: new URL('https://other.example.org') })).toEqual([
      'base-url: warn: BASE_URL=https://chat.example.org',
    ])
    expect(faults({}, { baseUrl: undefined })).toEqual(['base-url: warn: BASE_URL=https://chat.example.org'])
  })

  test('plain http is well in the home, and told on the internet', () => {
    const at = (origin: string) =>
      judgeArrival(origin, { origin, address: '::1', forwardedFor: null }, { baseUrl: undefined, trustProxy: 0 })
        .filter(([, { status }]) => status !== 'pass')
        .map(([id]) => id)
    expect(at('http://nas.local:3001')).toEqual([])
    expect(at('http://192.168.1.7:3001')).toEqual([])
    expect(at('http://chat.example.org')).toEqual(['base-url', 'https'])
  })
})

describe('what a client measured', () => {
  const judged = (measured: object) =>
    judgeMeasurements({ origin: used, ...measured }, arrived, place)
      .filter(({ id }) => id.startsWith('proxy-'))
      .map(({ id, status, fixes }) => `${id}: ${status}, ${fixes.length}`)
  const spread = Array.from({ length: 10 }, (_, index) => 50 + index * 100)

  test('events that come apart are well; together, too few or refused, they are not', () => {
    expect(judged({ stream: { status: 200, eventsMs: spread } })).toEqual(['proxy-buffering: pass, 0'])
    expect(judged({ stream: { status: 200, eventsMs: spread.map((ms) => 950 + ms / 100) } })).toEqual([
      'proxy-buffering: fail, 5',
    ])
    expect(judged({ stream: { status: 200, eventsMs: spread.slice(0, 4) } })).toEqual(['proxy-buffering: fail, 5'])
    expect(judged({ stream: { status: 502, eventsMs: [] } })).toEqual(['proxy-buffering: fail, 0'])
  })

  test('a body, a WebSocket and a slow answer that do not arrive are told with lines for five proxies', () => {
    expect(judged({ body: { status: 413, bytes: 12e6 }, webSocket: { opened: false } })).toEqual([
      'proxy-websocket: fail, 5',
      'proxy-body: fail, 5',
    ])
    expect(judged({ quiet: { status: 504, askedMs: 30_000, endedMs: 20_000 } })).toEqual(['proxy-timeout: warn, 5'])
    expect(judged({ quiet: { status: 200, askedMs: 30_000, endedMs: 30_010 } })).toEqual(['proxy-timeout: pass, 0'])
  })
})

describe('the machine', () => {
  const disk = (change: object) =>
    judgeDisk('/data', { bsize: 4096, blocks: 25e6, bavail: 10e6, files: 1e6, ffree: 9e5, ...change }).status

  test('a disk warns below a tenth, fails below a fiftieth, and fails without inodes', () => {
    expect(disk({})).toBe('pass')
    expect(disk({ bavail: 2e6 })).toBe('warn')
    expect(disk({ bavail: 4e5 })).toBe('fail')
    expect(disk({ ffree: 100 })).toBe('fail')
    expect(disk({ files: 0, ffree: 0 })).toBe('pass')
  })

  test('a disk that gets fuller warns two weeks before it is full, and one large upload is no trend', () => {
    const dayMs = 24 * 3_600_000
    const grown = (perDay: number) => Array.from({ length: 20 }, (_, n) => ({ at: n * dayMs, usedBytes: n * perDay }))
    const forecast = (samples: { at: number; usedBytes: number }[]) =>
      judgeForecast(samples, { bavail: 100, bsize: 1000 })?.status
    expect([100, 9000, 50_000].map((perDay) => forecast(grown(perDay)))).toEqual(['pass', 'warn', 'fail'])
    expect(judgeForecast(grown(9000), { bavail: 100, bsize: 1000 })?.message).toContain('full in 11 days')
    const upload = grown(0).map((sample, n) => ({ ...sample, usedBytes: n < 15 ? 0 : 90_000 }))
    expect([forecast(grown(0)), forecast(upload), forecast(grown(9000).slice(0, 1)), forecast([])]).toEqual(
      Array.from({ length: 4 }),
    )
  })

  test('a clock is held against the median of the servers that answered, and one alone proves little', () => {
    const judged = (...aheadMs: number[]) => judgeOutsideClock(aheadMs)?.status
    expect(judged()).toBeUndefined()
    expect(judged(400, -300, 86_400_000)).toBe('pass')
    expect(judged(-20_000, -21_000)).toBe('warn')
    expect(judged(3_600_000)).toBe('warn')
    expect(judged(3_600_000, 3_601_000)).toBe('fail')
    expect(judgeOutsideClock([3_600_000, 3_601_000])?.message).toContain('3601 s behind')
  })

  test('processes with different keys are named, and those that do not tell are passed over', async () => {
    const run = (...fingerprints: (string | undefined)[]) =>
      sameKeyCheck({
        list: () => fingerprints.map((keyFingerprint, pid) => ({ keyFingerprint, host: 'h', pid }) as never),
      }).run(signal)
    expect(await run('a')).toBeNull()
    expect(await run('a', undefined)).toBeNull()
    expect(await run('a', 'a')).toMatchObject({ status: 'pass' })
    expect(await run('a', 'b', 'a')).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('a (h 0, h 2); b (h 1)'),
    })
    const list = [
      { keyFingerprint: 'b', previousKeyFingerprint: 'a', host: 'h', pid: 1 },
      { keyFingerprint: 'a', host: 'h', pid: 2 },
      { keyFingerprint: 'b', host: 'h', pid: 3 },
    ]
    const during = (others: readonly object[]) =>
      sameKeyCheck({ list: () => [...list, ...others] as never }).run(signal)
    expect(await during([])).toMatchObject({
      status: 'warn',
      message: expect.stringContaining('b as ENCRYPTION_KEY and a as ENCRYPTION_KEY_PREVIOUS'),
    })
    expect(await during([{ keyFingerprint: 'c', host: 'h', pid: 4 }])).toMatchObject({ status: 'fail' })
  })

  test('network file systems are named, and what lies in memory fails', () => {
    expect(judgeFileSystem('/data', 0x6969)).toMatchObject({ status: 'warn', message: expect.stringContaining('NFS') })
    // Some systems give the number with its sign.
    expect(judgeFileSystem('/data', 0xff534d42 | 0)).toMatchObject({ message: expect.stringContaining('CIFS') })
    expect(judgeFileSystem('/data', 0x01021994).status).toBe('fail')
    expect(judgeFileSystem('/data', 0xef53).status).toBe('pass')
  })

  test('variables that nobody reads are named with what they may have meant, and others are left alone', async () => {
    const known = ['BASE_URL', 'TRUST_PROXY', 'LOG_LEVEL', 'PORT']
    const run = (names: string[]) => variablesCheck({ names, known }).run(signal)
    expect(await run(['BASE_URL', 'PATH', 'HOME', 'POST', 'LANGUAGE'])).toMatchObject({ status: 'pass' })
    expect(await run(['BASEURL', 'TRUST_PROXIES', 'log_level'])).toEqual({
      status: 'warn',
      message: 'These variables have no effect: BASEURL (perhaps BASE_URL), log_level (perhaps LOG_LEVEL).',
      fixes: [],
    })
  })

  test('a certificate warns two weeks before its end', () => {
    expect(judgeCertificate('a', 60, null).status).toBe('pass')
    expect(judgeCertificate('a', 60, 'SELF_SIGNED').status).toBe('warn')
    expect(judgeCertificate('a', 14, null).status).toBe('warn')
    expect(judgeCertificate('a', 2, null).status).toBe('fail')
    expect(judgeCertificate('a', -1, 'CERT_HAS_EXPIRED').status).toBe('fail')
  })
})

describe('a PostgreSQL server', () => {
  const well = {
    server_version: '17.2',
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    data_checksums: 'on',
  }

  test('that may lose what was saved fails, with the lines that mend it', () => {
    expect(judgeServer(well).status).toBe('pass')
    expect(judgeServer({ ...well, data_checksums: 'off' }).status).toBe('warn')
    expect(judgeServer({ ...well, server_version: '12.1' }).status).toBe('warn')
    expect(judgeServer({ ...well, synchronous_commit: 'off' })).toMatchObject({
      status: 'fail',
      fixes: [{ lines: expect.stringContaining('alter system set synchronous_commit = on;') }],
    })
  })

  test('whose connections do not suffice for all processes warns, and one whose clock is elsewhere', () => {
    expect(judgeConnections(100, 20, 2, 10).status).toBe('pass')
    expect(judgeConnections(100, 20, 9, 10)).toMatchObject({
      status: 'warn',
      fixes: [{ lines: expect.stringContaining('150') }],
    })
    expect([judgeClock(500), judgeClock(-5000), judgeClock(60_000)].map(({ status }) => status)).toEqual([
      'pass',
      'warn',
      'fail',
    ])
  })
})
