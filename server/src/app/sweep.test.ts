/** Walks over every route of the contract: who may pass, and what happens to nonsense. */
import { apiTokensRoutes } from '@atrium/contract/api-tokens'
import type { Dialect, Route } from '@atrium/contract/route'
import { scopes, scopesOf } from '@atrium/contract/scopes'
import { type AgentDaemon, startAgentDaemon } from '../../../e2e/agent-daemon/daemon.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routesByTag } from './areas.ts'
import { type TestApp, startTestApp } from '../testing/app.ts'
import type { Client } from '../testing/client.ts'
import { usualDialects } from '../testing/databases.ts'
import { sampleOf } from '../testing/sample.ts'

const routes = Object.entries(routesByTag).flatMap(([area, table]) =>
  Object.entries(table).map(([name, route]) => ({ label: `${area}.${name}`, route, needed: scopesOf(area, route) })),
)
/** What people and their programs call: directories come with tokens of their own, see features/scim. */
const ours = routes.filter(({ route }) => route.access !== 'scim')
/** Whether a query may hold fields beside those it names. */
const takesAnything = (query: NonNullable<Route['query']>): boolean => query.safeParse({ nonsense: '1' }).success
type Call = { params?: unknown; query?: unknown; body?: unknown; file?: Blob }

/** A call that fits the contract, with ids of things that do not exist. */
const soundCall = (route: Route): Call => ({
  ...(route.params ? { params: sampleOf(route.params) } : {}),
  ...(route.query ? { query: sampleOf(route.query) } : {}),
  ...(route.body ? { body: sampleOf(route.body) } : {}),
  ...(route.upload ? { file: new Blob(['x']) } : {}),
})

describe.each(['sqlite', 'postgres'] as const)('every route (%s)', (dialect) => {
  let app: TestApp
  let daemon: AgentDaemon
  let admin: Client
  let user: Client
  beforeAll(async () => {
    daemon = await startAgentDaemon()
    app = await startTestApp({ dialect, env: { HARNESS_BASE_URL: daemon.url } })
    admin = await app.signUpAdmin()
    user = await app.signUpUser()
  })
  afterAll(async () => {
    await app?.close()
    await daemon?.close()
  })

  const send = (client: Client, route: Route, call: Call, init?: RequestInit) =>
    client.answer(route, call as never, init)
  const refused = async (response: Response, label: string) => {
    expect(response.headers.get('x-request-id'), label).toBeTruthy()
    const dialect = routes.find((route) => route.label === label)?.route.dialect
    if (dialect) return await refusedIn(dialect, response, label)
    expect(response.headers.get('content-type'), label).toMatch(/^application\/problem\+json/)
    const problem = (await response.json()) as { code: string; status: number; detail: string }
    expect(problem.status, label).toBe(response.status)
    return `${problem.status} ${problem.code}`
  }
  /** Clients of other makers read their own shapes, with code words of their own for a few things. */
  const refusedIn = async (dialect: Dialect, response: Response, label: string) => {
    if (dialect === 'scim') return await refusedInScim(response, label)
    expect(response.headers.get('content-type'), label).toMatch(/^application\/json/)
    const body = (await response.json()) as { type?: string; error: { type: string; message: string; code: string } }
    expect(body.type, label).toBe(dialect === 'anthropic' ? 'error' : undefined)
    expect(
      Object.values(body.error).filter((value) => value === undefined || value === ''),
      label,
    ).toEqual([])
    const code = body.error.code === 'invalid_api_key' ? 'unauthenticated' : body.error.code
    return `${response.status} ${code}`
  }

  /** RFC 7644, section 3.12: words for faults of a request, none for the rest. */
  const refusedInScim = async (response: Response, label: string) => {
    expect(response.headers.get('content-type'), label).toMatch(/^application\/scim\+json/)
    const { status, detail } = (await response.json()) as { status: string; detail: string }
    expect([status, detail === ''], label).toEqual([String(response.status), false])
    return status === '401' ? '401 unauthenticated' : status
  }

  // Doors and nonsense come before what areas ask of a database, so one database is enough.
  if (usualDialects.includes(dialect)) {
    test('is mounted, and not for guests unless it is public', async () => {
      for (const { label, route } of routes) {
        if (route.access === 'public') continue
        expect(await refused(await send(app.client(), route, soundCall(route)), label), label).toBe(
          '401 unauthenticated',
        )
      }
    })

    test('is closed to ordinary accounts when it is an administrator’s', async () => {
      for (const { label, route } of ours.filter(({ route: { access } }) => access === 'admin'))
        expect(await refused(await send(user, route, soundCall(route)), label), label).toBe('403 forbidden')
    })

    test('has scopes from the list, and no scope is listed for nothing', () => {
      expect(new Set(routes.flatMap(({ needed }) => needed ?? []))).toEqual(new Set(scopes))
    })

    test('is closed to an API token that lacks one of its scopes, and says which', async () => {
      // One after the other: there are more scopes than an account may have tokens.
      for (const missing of scopes) {
        const body = { name: missing, scopes: scopes.filter((scope) => scope !== missing) }
        const { token, record } = await admin.call(apiTokensRoutes.createToken, { body })
        for (const { label, route, needed } of ours) {
          if (!(needed ?? ['chat:read']).includes(missing)) continue
          const response = await send(app.client(token), route, soundCall(route))
          const answer = await response.text()
          expect(response.status, label).toBe(403)
          expect(answer, label).toContain('token_scope')
          expect(answer, label).toContain(needed ? `\`${missing}\`` : 'Sign in instead')
        }
        await admin.call(apiTokensRoutes.revokeToken, { params: { id: record.id } })
      }
    })

    test('refuses a body that is nonsense', async () => {
      const headers = { 'content-type': 'application/json' }
      for (const { label, route } of ours) {
        if (route.method === 'get' || route.upload) continue
        for (const body of ['{"nonsense":true}', '[1]', '"text"', '{"a":', '{"__proto__":{}}']) {
          const { path, method } = route
          const url = path.replace(/\{\w+\}/g, 'unknown-id-0001')
          const query = new URLSearchParams(soundCall(route).query as Record<string, string>)
          const response = await admin.raw(`${url}?${query}`, { method: method.toUpperCase(), body, headers })
          expect(await refused(response, label), `${label} ${body}`).toBe('400 validation_failed')
        }
      }
    })

    test('refuses members of a body that have the wrong form', async () => {
      for (const { label, route } of ours) {
        if (!route.body) continue
        const sound = soundCall(route)
        for (const [name, value] of Object.entries(sound.body as object)) {
          for (const wrong of [typeof value === 'object' ? 7 : { deep: [] }, [[]]]) {
            const body = { ...(sound.body as object), [name]: wrong }
            const response = await send(admin, route, { ...sound, body })
            expect(await refused(response, label), `${label} ${name}`).toBe('400 validation_failed')
          }
        }
      }
    })

    test('refuses parameters and queries that are nonsense', async () => {
      for (const { label, route } of ours) {
        const method = route.method.toUpperCase()
        if (route.params) {
          for (const nonsense of ['%00', '%zz', 'x'.repeat(201), '%ff']) {
            const response = await admin.raw(route.path.replace(/\{\w+\}/g, nonsense), { method })
            expect(await refused(response, label), `${label} ${nonsense}`).toBe('400 validation_failed')
          }
        }
        // The way back of a provider may carry what nobody here knows (RFC 6749, section 4.1.2).
        if (route.query && !takesAnything(route.query)) {
          const path = route.path.replace(/\{\w+\}/g, 'unknown-id-0001')
          const response = await admin.raw(`${path}?nonsense=1`, { method })
          expect(await refused(response, label), label).toBe('400 validation_failed')
        }
      }
    })
  }

  test('says 404 for what does not exist', async () => {
    for (const { label, route } of ours) {
      // A feature is chosen from a closed list: it is always there.
      if (!route.params || label === 'access-control.updateFeature') continue
      const response = await send(admin, route, soundCall(route))
      const said = await refused(response, label)
      // Whoever has no secret is not told whether there is something that it would open.
      if (said === '401 webhook_refused') continue
      expect(said, label).toMatch(/^404 (?!route_)\w+_not_found$/)
    }
  })

  test('answers reading within its contract, and nothing of it is an error of ours', async () => {
    for (const { label, route } of ours) {
      if (route.method !== 'get' || route.stream || route.params) continue
      const response = await send(admin, route, soundCall(route))
      expect(response.status, label).not.toBe(500)
      if (response.ok && route.returns !== 'bytes')
        expect(response.headers.get('content-type'), label).toMatch(/^application\/json/)
    }
  })

  test('left no error in the log', () => {
    expect(app.lines.filter((line) => line.level === 'error')).toEqual([])
  })
})
