import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountsRoutes } from '@atrium/contract/accounts'
import { chatRoutes } from '@atrium/contract/chat'
import { settingsRoutes } from '@atrium/contract/settings'
import { systemRoutes } from '@atrium/contract/system'
import { systemDiagnosticsRoutes } from '@atrium/contract/system-diagnostics'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, startTestApp, testPassword } from '../testing/app.ts'
import { startAppProcess } from '../testing/app-process.ts'
import { readFrames } from '../testing/client.ts'
import { testClock } from '../testing/clock.ts'
import { signedIn } from '../testing/sign-in.ts'
import { askHealth } from './health/ask.ts'

const webFolder = mkdtempSync(join(tmpdir(), 'atrium-web-'))
afterAll(() => rmSync(webFolder, { recursive: true }))
writeFileSync(join(webFolder, 'index.html'), '<!doctype html><title>Atrium</title>')

/** Asks as the program of containers does; gives its exit code and its sentence. */
const ask = async (url: string, ...kinds: string[]) => {
  let text = ''
  const code = await askHealth(
    kinds,
    () => url,
    (line) => (text += line),
  )
  return { code, text }
}

describe.each(['sqlite', 'postgres'] as const)('the app (%s)', (dialect) => {
  let app: TestApp
  beforeAll(async () => {
    const env = { METRICS_TOKEN: 'a-token-for-metrics', BASE_URL: 'https://atrium.example' }
    app = await startTestApp({ dialect, env, fromNothing: true, overrides: { staticFolder: webFolder } })
  })
  afterAll(() => app?.close())

  test('is alive and ready, and nobody may keep these answers', async () => {
    const guest = app.client()
    expect(await guest.call(systemDiagnosticsRoutes.live, {})).toMatchObject({ status: 'alive' })
    const ready = await guest.call(systemDiagnosticsRoutes.ready, {})
    expect(ready.checks.map(({ id, status }) => `${id} ${status}`)).toEqual(['database pass', 'data-folder pass'])
    expect((await guest.raw('/health/ready')).headers.get('cache-control')).toBe('no-store')
    expect(await ask(app.url)).toMatchObject({ code: 0, text: expect.stringContaining('/health/ready answers 200') })
  })

  test('describes its interface, and shows the description under its own policy', async () => {
    const guest = app.client()
    const document = (await guest.call(systemRoutes.openapi, {})) as {
      openapi: string
      paths: Record<string, Record<string, { responses: object }>>
    }
    expect(document.openapi).toBe('3.1.0')
    expect(document.paths['/api/chat/sessions/{sessionId}']?.['get']?.responses).toHaveProperty('404')
    const page = await (await guest.raw('/api/docs')).text()
    expect(page).not.toMatch(/<script>|<style>|style=|https?:\/\//)
    for (const [, path = ''] of page.matchAll(/(?:src|href)="(\/api\/docs\/[^"]+)"/g))
      expect((await guest.raw(path)).status, path).toBe(200)
  })

  test('gives figures only to who has the token, without ids in them', async () => {
    const guest = app.client()
    expect((await guest.raw('/metrics')).status).toBe(401)
    expect((await app.client('another-long-token').raw('/metrics')).status).toBe(401)
    await guest.raw('/api/chat/sessions/some-id-of-a-chat')
    const text = await (await app.client('a-token-for-metrics').raw('/metrics')).text()
    expect(text).toMatch(/atrium_http_requests_total\{method="GET",route="\/health\/live",status="2xx"\} \d/)
    expect(text).toContain('atrium_http_request_duration_seconds_bucket')
    expect(text).toContain('route="/api/chat/sessions/:sessionId",status="4xx"')
    expect(text).toMatch(/atrium_open_streams \d/)
    expect(text).toMatch(/atrium_database_bytes [1-9]/)
    expect(text).toContain('atrium_running_generations 0')
    expect(text).toContain('# TYPE atrium_model_calls_total counter')
    expect(text).toContain('atrium_nodejs_eventloop_lag_seconds')
    expect(text).not.toContain('some-id-of-a-chat')
  })

  test('gives the web app for every address that is a page', async () => {
    for (const path of ['/', '/chats/0193-abc', '/settings/account']) {
      const response = await app.client().raw(path)
      expect(await response.text()).toContain('<title>Atrium</title>')
      expect(response.headers.get('strict-transport-security')).toMatch(/^max-age=\d+/)
    }
    expect((await app.client().raw('/assets/missing.js')).status).toBe(404)
  })

  test('lets a page in by its cookie, for as long as the session stands', async () => {
    const admin = await app.signUpAdmin()
    const guest = app.client()
    const login = await guest.answer(accountsRoutes.login, { body: { username: 'admin', password: testPassword } })
    const [set = '', device = ''] = login.headers.getSetCookie()
    expect(set).toMatch(/^__Host-atrium_session=[\w-]+; Path=\/; HttpOnly; SameSite=Strict; Expires=.+; Secure$/)
    expect(device).toMatch(/^__Host-atrium_device=[\w.%-]+; Path=\/; HttpOnly; SameSite=Strict; Expires=.+; Secure$/)
    const page = { cookie: set.split(';')[0] ?? '', 'sec-fetch-site': 'same-origin' }
    expect((await guest.raw('/api/auth/me', { headers: page })).status).toBe(200)
    // A neighbour of the same domain can set cookies for all of it, but none with the prefix.
    const planted = { ...page, cookie: page.cookie.replace('__Host-', '') }
    expect((await guest.raw('/api/auth/me', { headers: planted })).status).toBe(401)
    const foreign = { ...page, 'sec-fetch-site': 'cross-site' }
    expect((await guest.raw('/api/auth/logout', { method: 'POST', headers: foreign })).status).toBe(403)
    await admin.call(accountsRoutes.revokeOthers, {})
    expect((await guest.raw('/api/auth/me', { headers: page })).status).toBe(401)
  })

  test('tells open pages what changed, goes on where they were, and stops when the session ends', async () => {
    const one = await app.signUpUser('ada')
    const login = { username: 'ada', password: testPassword }
    const two = signedIn(await app.client().call(accountsRoutes.login, { body: login }))
    const events: { seq: number; type: string }[] = []
    // Open before anything happens.
    const frames = readFrames(await one.answer(systemRoutes.events, {}))
    const following = (async () => {
      for await (const { seq, event } of frames) events.push({ seq, type: event.type })
    })()
    const { id } = await one.call(chatRoutes.create, { body: { title: 'First' } })
    await expect.poll(() => events.map(({ type }) => type)).toEqual(['chat-changed'])
    await one.call(settingsRoutes.update, { body: { language: 'ar' } })
    await expect.poll(() => events.map(({ type }) => type)).toEqual(['chat-changed', 'preferences-changed'])
    const again = one.follow(systemRoutes.events, {}, { after: events[0]?.seq })
    expect((await again.next()).value?.event.type).toBe('preferences-changed')
    await again.return(undefined)
    await app.client(two.token).call(accountsRoutes.revokeOthers, {})
    await following
    expect(await one.refusal(chatRoutes.read, { params: { sessionId: id } })).toMatchObject({ status: 401 })
  })

  test('has everything again after a restart', async () => {
    const user = await app.signUpUser('grace')
    const made = await user.call(chatRoutes.create, { body: { title: 'Kept' } })
    await app.restart()
    expect(await user.call(chatRoutes.read, { params: { sessionId: made.id } })).toMatchObject({ title: 'Kept' })
  })

  test('left no error in the log', () => {
    expect(app.lines.filter((line) => line.level === 'error')).toEqual([])
  })
})

test('metrics are off until there is a token', async () => {
  const app = await startTestApp()
  expect((await app.client('anything').raw('/metrics')).status).toBe(404)
  await app.close()
})

test('a database or folder that fails makes the process not ready, with the name of what fails, for the program that asks too', async () => {
  const clock = testClock()
  const app = await startTestApp({ overrides: { clock } })
  rmSync(app.dataDir, { recursive: true })
  expect(await ask(app.url, 'ready')).toMatchObject({ code: 1, text: expect.stringContaining('503') })
  expect(await ask(app.url, 'live')).toMatchObject({ code: 0 })
  expect(await ask(app.url, 'deep')).toMatchObject({ code: 1, text: 'Ask for one of ready, live.' })
  const response = await app.client().raw('/health/ready')
  expect(response.status).toBe(503)
  // The database may fail beside it: a thread that reads opens the file when it is first needed.
  const folder = { path: 'checks.data-folder', message: 'doesn’t work' }
  expect(await response.json()).toMatchObject({ code: 'unavailable', errors: expect.arrayContaining([folder]) })
  expect((await app.client().raw('/health/live')).status).toBe(200)
  await app.close()
  expect(await ask(app.url, 'live')).toMatchObject({ code: 1, text: expect.stringContaining('does not answer') })
})

describe('a process of its own', () => {
  test('survives SIGKILL with what was said before, and ends with 0 on SIGTERM', async () => {
    const app = await startTestApp({ ownProcess: true, fromNothing: true })
    const admin = await app.signUpAdmin()
    await admin.call(chatRoutes.create, { body: { title: 'Kept' } })
    await app.kill()
    await app.restart()
    expect((await admin.call(chatRoutes.list, {})).items.map(({ title }) => title)).toEqual(['Kept'])
    await app.close()
  })

  test('says in one sentence that its port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => taken.once('listening', resolve))
    const { port } = taken.address() as { port: number }
    const folder = mkdtempSync(join(tmpdir(), 'atrium-taken-'))
    const starting = startAppProcess({ PORT: String(port), DATA_DIR: folder, LOG_LEVEL: 'error' })
    await expect(starting).rejects.toThrow(`Atrium cannot start. Port ${port} is in use.`)
    await expect(starting).rejects.not.toThrow(/ at /)
    taken.close()
    rmSync(folder, { recursive: true })
  })

  test('says everything that is wrong with its configuration, and touches nothing', async () => {
    const starting = startAppProcess({ PORT: 'many', DATA_DIR: '/nowhere/at/all', SESSION_DAYS: '-1' })
    await expect(starting).rejects.toThrow(/- PORT: .+\n- SESSION_DAYS: /)
  })
})
