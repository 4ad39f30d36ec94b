/** The doctor against the real app, through the routes and on the command line. */
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, request as forward } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectionsRoutes } from '@atrium/contract/connections'
import { type DoctorCheck, doctorRoutes } from '@atrium/contract/doctor'
import { settingsRoutes } from '@atrium/contract/settings'
import { startProvider } from '../../../../e2e/provider/provider.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signToken } from '../../features/doctor/token.ts'
import { keyCardOf, loadInstanceKey } from '../../platform/vault/instance-key.ts'
import { type TestApp, startTestApp } from '../../testing/app.ts'
import { makeCertificate } from '../../testing/certificate.ts'
import type { Client } from '../../testing/client.ts'
import { configFromEnv } from '../config.ts'
import { runDoctor } from './run.ts'

/** Runs the command; gives its exit code, its text, and the checks by id. */
const doctor = async (environment: Record<string, string>, ...args: string[]) => {
  let text = ''
  const code = await runDoctor(
    ['--json', '--quiet-seconds', '0', ...args],
    () => configFromEnv(environment),
    (line) => (text += line),
  )
  const { checks = [] } = text.startsWith('{') ? (JSON.parse(text) as { checks?: DoctorCheck[] }) : {}
  return { code, text, checks: Object.fromEntries(checks.map((check) => [check.id, check])) }
}
/** Where tests run, folders may lie in memory, and disks be nearly full. */
const ofMachine: ReadonlySet<string> = new Set(['disk', 'file-system'])
const statusesOf = (checks: Record<string, DoctorCheck>) =>
  Object.fromEntries(Object.entries(checks).map(([id, { status }]) => [id, status]))

describe.each(['sqlite', 'postgres'] as const)('the doctor (%s)', (dialect) => {
  let app: TestApp
  let admin: Client
  const environment = () => ({ PORT: new URL(app.url).port, DATA_DIR: app.dataDir })
  const sign = async (purpose: 'operator' | 'probe', expiresAt = Date.now() + 30_000) => {
    const found = await loadInstanceKey({ value: undefined, dataDir: app.dataDir, databaseExists: true })
    return signToken(keyCardOf(found), purpose, expiresAt)
  }
  beforeAll(async () => {
    app = await startTestApp({ dialect })
    admin = await app.signUpAdmin()
  })
  afterAll(() => app.close())

  test('finds a fresh instance well, but for the copy of the key and the backups that nobody made', async () => {
    const { checks } = await doctor(environment())
    const words = await readFile(
      new URL('../../../../web/src/features/doctor/locales/en.json', import.meta.url),
      'utf8',
    )
    const { check } = JSON.parse(words) as { check: object }
    expect(Object.keys(check)).toEqual(expect.arrayContaining(Object.keys(checks)))
    const wrong = Object.values(checks).filter(({ id, status }) => status === 'fail' && !ofMachine.has(id))
    // The PostgreSQL server of the tests is quick because it does not force commits to the disk.
    expect(wrong.map(({ id, message }) => [id, message])).toEqual(
      dialect === 'sqlite' ? [] : [['database', expect.stringContaining('fsync')]],
    )
    expect(statusesOf(checks)).toMatchObject({
      disk: expect.stringMatching(/pass|warn/),
      flush: expect.any(String),
      key: 'pass',
      'key-copy': 'warn',
      'backup-destinations': 'warn',
      messages: 'pass',
      'proxy-buffering': 'pass',
      'proxy-websocket': 'pass',
      'proxy-body': 'pass',
      'proxy-timeout': 'pass',
      'trust-proxy': 'pass',
    })
  })

  test('administrators read the report; others and programs without the scope do not', async () => {
    const report = await admin.call(doctorRoutes.report, {})
    expect(report.checks.map(({ id }) => id)).toEqual(expect.arrayContaining(['database', 'messages', 'key-copy']))
    const user = await app.signUpUser()
    expect(await user.refusal(doctorRoutes.report, {})).toMatchObject({ status: 403, code: 'forbidden' })
    expect(await app.client().refusal(doctorRoutes.report, {})).toMatchObject({ status: 401 })
  })

  test('takes a token that was signed with the key of the instance, for its purpose and its time alone', async () => {
    const ask = (token: string) => app.client().answer(doctorRoutes.operatorReport, { body: { token } })
    const probe = (token: string) => app.client().answer(doctorRoutes.quiet, { query: { token, seconds: 0 } })
    const good = await sign('operator')
    expect((await ask(good)).status).toBe(200)
    expect((await probe(await sign('probe'))).status).toBe(200)
    const refused = [
      await sign('probe'),
      await sign('operator', Date.now() - 1),
      await sign('operator', Date.now() + 3600_000),
      good.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
      good.replace(/^\d+/, (time) => String(Number(time) + 1)),
      'none',
    ]
    for (const token of refused) expect((await ask(token)).status, token).toBe(401)
    expect((await probe(good)).status).toBe(401)
    const body = { origin: app.url }
    const judge = await app.client().refusal(doctorRoutes.judge, { query: { token: good }, body })
    expect(judge).toMatchObject({ code: 'unauthenticated' })
  })
})

describe('the command', () => {
  let app: TestApp
  const environment = () => ({ PORT: new URL(app.url).port, DATA_DIR: app.dataDir })
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())

  test('names what a proxy in front does wrong, with the lines that mend it', async () => {
    const proxy = await startProxy(app.url)
    try {
      const { code, checks } = await doctor(environment(), '--url', proxy.url)
      expect(code).toBe(1)
      expect(statusesOf(checks)).toMatchObject({
        'proxy-buffering': 'fail',
        'proxy-websocket': 'fail',
        'proxy-body': 'fail',
        'trust-proxy': 'fail',
      })
      expect(checks['proxy-buffering']?.fixes.map(({ program }) => program)).toEqual([
        ...['nginx', 'Caddy', 'Apache', 'HAProxy', 'Traefik'],
      ])
      expect(checks['trust-proxy']?.fixes).toEqual([{ program: 'environment', lines: 'TRUST_PROXY=1' }])
    } finally {
      await proxy.close()
    }
  })

  test('tells an address where nobody answers, and a server of somebody else', async () => {
    const nobody = 'http://127.0.0.1:9'
    expect((await doctor(environment(), '--url', nobody)).checks['address']).toMatchObject({ status: 'fail' })
    // With a key of its own.
    const other = await startTestApp({ fromNothing: true })
    try {
      const { code, checks } = await doctor({ ...environment(), PORT: new URL(other.url).port })
      expect([code, statusesOf(checks)]).toEqual([1, { server: 'fail' }])
    } finally {
      await other.close()
    }
  })

  test('follows from http to https, and says why an address cannot be reached', async () => {
    const tls = createTlsServer(makeCertificate({ until: Date.UTC(2021, 0, 1) }), (_, response) => void response.end())
    await new Promise<void>((resolve) => tls.listen(0, 'localhost', resolve))
    const secure = `https://localhost:${(tls.address() as AddressInfo).port}`
    const plain = createServer((_, response) => void response.writeHead(301, { location: `${secure}/` }).end())
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(plain.address() as AddressInfo).port}`
    try {
      const { code, text } = await doctor(environment(), '--url', url)
      const { checks } = JSON.parse(text) as { checks: DoctorCheck[] }
      const told = checks.filter(({ id }) => id === 'address').map(({ status, message }) => `${status}: ${message}`)
      expect(code).toBe(1)
      expect(told).toEqual([
        expect.stringContaining(`warn: ${url} redirects to ${secure}`),
        expect.stringMatching(/^fail: .*its certificate is not trusted here \(\w+\).*NODE_EXTRA_CA_CERTS/),
      ])
      expect(checks.find(({ id }) => id === 'certificate')).toMatchObject({
        status: 'fail',
        message: expect.stringContaining('The certificate of localhost expired'),
      })
    } finally {
      await new Promise((resolve) => tls.close(resolve))
      await new Promise((resolve) => plain.close(resolve))
    }
  })

  test('cannot look where the key cannot be read, or the server was asked too often, and says so', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'atrium-doctor-'))
    const keyless = await doctor({ ...environment(), DATA_DIR: folder })
    expect([keyless.code, JSON.parse(keyless.text)]).toEqual([2, { error: expect.stringContaining('encryption.key') }])
    await rm(folder, { recursive: true })
    const answers = [
      [429, '{"detail":"Too many."}', 2, 'Ask again in 7 s'],
      [503, '{"detail":"The database is away."}', 1, 'status 503: The database is away.'],
      [500, '<h1>Oops</h1>', 1, 'doesn’t answer as an Atrium server'],
    ] as const
    for (const [status, body, code, words] of answers) {
      const server = createServer((_, response) => void response.writeHead(status, { 'retry-after': '7' }).end(body))
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const found = await doctor({ ...environment(), PORT: String((server.address() as AddressInfo).port) })
      expect([found.code, found.text]).toEqual([code, expect.stringContaining(words)])
      await new Promise((resolve) => server.close(resolve))
    }
  })

  test('says which process holds the database when the server is elsewhere, and looks at it once that has ended', async () => {
    const away = { ...environment(), PORT: '9' }
    const locked = await doctor(away)
    expect(locked.code).toBe(1)
    expect(locked.checks['database']?.message).toMatch(/Another Atrium process/)
    await app.stop()
    const { checks } = await doctor(away)
    expect(statusesOf(checks)).toMatchObject({ server: 'warn', database: 'pass', key: 'pass', messages: 'pass' })
    await app.restart()
  })

  test('fails on a key that others can read, without opening anything', async () => {
    await app.stop()
    const path = join(app.dataDir, 'encryption.key')
    await chmod(path, 0o644)
    const { code, checks } = await doctor({ ...environment(), PORT: '9' })
    expect(code).toBe(1)
    expect(checks['database']?.message).toContain('chmod 600')
    await chmod(path, 0o600)
    await app.restart()
  })

  test('tells a configuration that cannot be used, a folder without a database, and options it does not know', async () => {
    const wrong = await doctor({ PORT: 'abc', TRUST_PROXY: '?' })
    expect(wrong.code).toBe(1)
    expect(wrong.checks['configuration']?.message).toMatch(/PORT[^]*TRUST_PROXY/)
    const folder = await mkdtemp(join(tmpdir(), 'atrium-doctor-'))
    const empty = await doctor({ PORT: '9', DATA_DIR: folder })
    expect([empty.code, statusesOf(empty.checks)]).toEqual([0, { server: 'warn', database: 'warn' }])
    await rm(folder, { recursive: true })
    expect(await doctor({}, '--nonsense')).toMatchObject({ code: 2, text: expect.stringContaining('--nonsense') })
    expect((await doctor({}, '--url', 'ftp://example.org')).code).toBe(2)
  })
})

test('services that do not answer are named: mail, the local runtime and providers', async () => {
  const env = { OLLAMA_BASE_URL: 'http://127.0.0.1:9', SMTP_HOST: '127.0.0.1', SMTP_PORT: '9' }
  const app = await startTestApp({ env: { ...env, SMTP_FROM: 'a@example.org', BASE_URL: 'http://localhost:3001' } })
  try {
    const admin = await app.signUpAdmin()
    const provider = await startProvider()
    const privateAddresses = [new URL(provider.url).host]
    await admin.call(settingsRoutes.updateInstance, { body: { privateAddresses } })
    const quick = { name: 'Away', url: `${provider.url}/v1/chat/completions`, apiKey: 'sk-secret-of-ann' }
    const { connection } = await admin.call(connectionsRoutes.quick, { body: quick })
    await provider.close()
    await admin.call(connectionsRoutes.discover, { params: { id: connection.id } })
    const report = await admin.call(doctorRoutes.report, {})
    const found = Object.fromEntries(report.checks.map((check) => [check.id, check]))
    expect(found['mail']).toMatchObject({ status: 'fail', message: expect.stringContaining('connect') })
    expect(found['local-runtime']).toMatchObject({ status: 'warn' })
    expect(found['providers']).toMatchObject({
      status: 'warn',
      message: expect.stringContaining('no answer for one account (Nothing responds at this address)'),
    })
    expect(JSON.stringify(report)).not.toContain('secret')
  } finally {
    await app.close()
  }
})

/** A proxy with the usual faults: it holds answers back, takes a megabyte, and passes no upgrade on. */
const startProxy = async (target: string) => {
  const server = createServer((request, response) => {
    const { upgrade: _, connection: __, ...headers } = request.headers
    if (Number(headers['content-length'] ?? 0) > 1024 * 1024) {
      request.resume()
      return void response.writeHead(413).end()
    }
    const { hostname, port } = new URL(target)
    const onward = forward({
      hostname,
      port,
      path: request.url,
      method: request.method,
      headers: { ...headers, 'x-forwarded-for': '203.0.113.9' },
    })
    onward.on('response', (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => {
        response.writeHead(answer.statusCode ?? 502, { 'content-type': answer.headers['content-type'] })
        response.end(Buffer.concat(chunks))
      })
    })
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
