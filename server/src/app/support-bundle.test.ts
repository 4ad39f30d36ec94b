/** The support bundle of a whole instance in which a word stands everywhere where people or operators can write one. */
import { auditRoutes } from '@atrium/contract/audit'
import { connectionsRoutes } from '@atrium/contract/connections'
import { durableJobsRoutes } from '@atrium/contract/durable-jobs'
import { mailRoutes } from '@atrium/contract/mail'
import { recoveryBackupRoutes } from '@atrium/contract/recovery-backup'
import { type ResourceKind, resources } from '@atrium/contract/resources'
import { settingsRoutes } from '@atrium/contract/settings'
import { systemDiagnosticsRoutes as routes } from '@atrium/contract/system-diagnostics'
import { toolServersRoutes as toolsRoutes } from '@atrium/contract/tool-servers'
import { webSearchRoutes } from '@atrium/contract/web-search'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startProvider } from '../../../e2e/provider/provider.ts'
import { createLog } from '../platform/log/log.ts'
import { createRecentLines } from '../platform/log/recent-lines.ts'
import { isGroup } from '../platform/settings/setting.ts'
import { type TestApp, startTestApp, testPassword } from '../testing/app.ts'
import type { Client } from '../testing/client.ts'
import { readSamples } from '../testing/samples.ts'
import { areas } from './areas.ts'
import { processVariables } from './process-variables.ts'

const planted = 'zyzzyvawort'
const key = 'c0ffee'.repeat(11).slice(0, 64)
/** Of the kinds that vendors give out, and that nobody would know as a secret. */
const secret = `sk-${planted}-1234567890`

const recentLines = createRecentLines()
const log = createLog({ level: 'debug', write: () => undefined, recent: recentLines })
let provider: Awaited<ReturnType<typeof startProvider>>
/** One that goes away. */
let away: Awaited<ReturnType<typeof startProvider>>
let app: TestApp
let admin: Client

beforeAll(async () => {
  provider = await startProvider()
  away = await startProvider()
  app = await startTestApp({
    env: {
      OLLAMA_BASE_URL: provider.url,
      ENCRYPTION_KEY: key,
      METRICS_TOKEN: `${planted}-metrics-token`,
      WORK_DOCKER_SOCKET: `/${planted}/docker.sock`,
      DOCKER_HOST: `tcp://${planted}:${planted}@127.0.0.1:1`,
      GITHUB_CLIENT_ID: planted,
      GITHUB_CLIENT_SECRET: planted,
      OIDC_ISSUER_URL: `https://${planted}:${planted}@id.example.org`,
      OIDC_CLIENT_ID: planted,
      OIDC_CLIENT_SECRET: planted,
      OIDC_DISPLAY_NAME: planted,
      OIDC_ALLOWED_EMAIL_DOMAINS: `${planted}.example`,
      OIDC_ADMIN_GROUPS: planted,
      CODEX_HOME: `/${planted}`,
      OUTBOUND_ALLOW: [`${planted}.internal:80`, ...[provider, away].map(({ url }) => new URL(url).host)].join(','),
      ACME_API_KEY: secret,
      [`MY_${planted.toUpperCase()}`]: planted,
    },
    overrides: { log, recentLines },
  })
  admin = await app.signUpAdmin()
  await plant()
})
afterAll(async () => {
  await app?.close()
  await provider?.close()
})

const plant = async (): Promise<void> => {
  const ann = await app.signUpUser(`ann-${planted}`)
  for (const [kind, { make }] of Object.entries(await readSamples()))
    await make(resources[kind as ResourceKind].instance ? admin : ann, planted)
  await ann.call(settingsRoutes.update, { body: { systemMessage: planted } })
  await admin.call(mailRoutes.updateSettings, {
    body: { host: '127.0.0.1', port: 1, username: planted, password: secret, from: `${planted}@example.org` },
  })
  await admin.call(webSearchRoutes.updateConfig, {
    body: { enabled: false, engine: 'brave', key: secret, blockedDomains: [`${planted}.example`] },
  })
  const url = `${provider.url}/v1/chat/completions`
  await admin.call(connectionsRoutes.quick, { body: { name: planted, url, apiKey: secret } })
  await plantFailures()
  // Requests that go wrong are lines of the log.
  const unknown = { username: `${planted}-nobody`, password: testPassword }
  await fetch(`${app.url}/api/auth/login`, { method: 'POST', body: JSON.stringify(unknown) })
  await fetch(`${app.url}/api/${planted}?token=${planted}`)
  log.error(`a bug at https://${planted}:${planted}@example.org/?key=${planted}`, {
    apiKey: planted,
    authorization: `Bearer ${planted}`,
    text: `password: ${planted}`,
    error: new Error(`upstream said ${secret}`),
  })
}

/** What the doctor finds wrong is named after what people named. */
const plantFailures = async (): Promise<void> => {
  const quick = { name: `${planted} away`, url: `${away.url}/v1/chat/completions`, apiKey: secret }
  const { connection } = await admin.call(connectionsRoutes.quick, { body: quick })
  await away.close()
  await admin.call(connectionsRoutes.discover, { params: { id: connection.id } })
  const server = { name: `${planted} tools`, kind: 'mcp', baseUrl: away.url, authMode: 'none' } as const
  const { id } = await admin.call(toolsRoutes.addServer, { body: server })
  await admin.answer(toolsRoutes.refreshServer, { params: { id } })
  const place = { kind: 'folder', path: '/proc/backups' } as const
  await admin.call(recoveryBackupRoutes.addDestination, { body: { name: planted, place } })
  for (const begun of [
    await admin.call(recoveryBackupRoutes.makeBackup, {}),
    await admin.call(recoveryBackupRoutes.runDrill, { body: {} }),
  ]) {
    const read = () => admin.call(durableJobsRoutes.read, { params: { id: begun.id } })
    await vi.waitUntil(async () => (await read()).state === 'failed', { timeout: 120_000 })
  }
  log.warn('a mail could not be sent', {
    detail: `The server said: 550 5.1.1 <ann.${planted}@example.org>: Recipient address rejected`,
  })
}

const readBundle = async (): Promise<Record<string, string>> => {
  const file = await admin.call(routes.bundle, {})
  const files = unzipSync(new Uint8Array(await file.arrayBuffer()))
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, strFromU8(bytes)]))
}

test('a support bundle holds what helps, and none of the secrets and words that stand everywhere', async () => {
  const files = await readBundle()
  expect(Object.keys(files).toSorted()).toEqual([
    'README.txt',
    'configuration.json',
    'doctor.json',
    'history.json',
    'instance.json',
    'log.jsonl',
    'migrations.json',
    'system.json',
    'versions.json',
  ])
  for (const [name, text] of Object.entries(files)) {
    expect(text.toLowerCase().includes(planted), name).toBe(false)
    for (const hidden of [key, testPassword, 'unreadable']) expect(text.includes(hidden), name).toBe(false)
  }
  expect(files['log.jsonl']).toContain('a bug at')
  const checks: { id: string; status: string; message: string }[] = JSON.parse(files['doctor.json'] ?? '')
  expect(checks).toContainEqual(expect.objectContaining({ id: 'database' }))
  const wrong = checks.filter(({ status }) => status !== 'pass').map(({ id }) => id)
  expect(wrong).toEqual(expect.arrayContaining(['providers', 'tool-servers', 'backup-age', 'backup-drill']))
  expect(files['log.jsonl']).toContain('Recipient address rejected')
  expect(JSON.parse(files['migrations.json'] ?? '')).toContainEqual(expect.objectContaining({ id: 'vault/0001-keys' }))
  expect(JSON.parse(files['versions.json'] ?? '')).toMatchObject({ node: process.versions.node })
})

test('its configuration says what is set and by whom, and values only of what is plain', async () => {
  const { variables, settings } = JSON.parse((await readBundle())['configuration.json'] ?? '')
  expect(variables).toContainEqual({ name: 'PORT', isSet: true, value: expect.any(Number) })
  expect(variables).toContainEqual({ name: 'ENCRYPTION_KEY', isSet: true })
  expect(variables).toContainEqual({ name: 'SMTP_PASSWORD', isSet: false })
  expect(settings).toContainEqual({ area: 'mail', name: 'password', source: 'saved', variable: null })
  expect(settings).toContainEqual({ area: 'mail', name: 'port', source: 'saved', variable: null, value: 1 })
  // What somebody declared plain by hand; of settings it follows from their schema.
  const declared = areas.flatMap(({ settings: all }) => Object.values(all)).filter((one) => !isGroup(one))
  const byHand = [...Object.values(processVariables), ...declared].flatMap((one) =>
    'plain' in one && one.plain === true ? [one.name] : [],
  )
  expect([...new Set(byHand)].toSorted()).toMatchInlineSnapshot(`
    [
      "BASE_URL",
      "DATABASE_POOL_SIZE",
      "DRAIN_SECONDS",
      "FULL_DOCUMENT_CONTEXT_MAX_TOKENS",
      "HOST",
      "LOG_LEVEL",
      "MEDIA_QUOTA_MB",
      "OIDC_SYNC_GROUPS",
      "OLLAMA_MAX_CONTEXT",
      "PLUGIN_MODEL_DISCOVERY_RETRY_MS",
      "PLUGIN_MODEL_DISCOVERY_TTL_MS",
      "PORT",
      "SIGNIN_OAUTH_MODELS_ENABLED",
      "STORAGE_KEPT_FREE_BYTES",
      "TEMPORARY_CHAT_HOURS",
      "TRUST_PROXY",
      "VIDEO_COLLECT",
      "WEBAUTHN_RP_ID",
    ]
  `)
  const words = areas.flatMap(({ settings: all }) =>
    Object.values(all).flatMap((group) => (isGroup(group) ? Object.values(group.fields) : [])),
  )
  for (const { plain, secret, schema } of words)
    if (plain) expect([secret, schema.safeParse(planted).success]).toEqual([false, false])
})

test('it is for administrators who are there, never kept by anyone, and in the audit', async () => {
  const ben = await app.signUpUser('ben')
  expect(await ben.refusal(routes.bundle, {})).toMatchObject({ status: 403, code: 'forbidden' })
  expect(await app.client().refusal(routes.bundle, {})).toMatchObject({ status: 401 })
  const answer = await admin.answer(routes.bundle, {})
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="atrium-support-\d{8}-\d{6}\.zip"/)
  await answer.arrayBuffer()
  const made = await admin.call(auditRoutes.list, { query: { action: 'support-bundle.create' } })
  expect(made.items.map(({ result }) => result)).toContain('success')
})
