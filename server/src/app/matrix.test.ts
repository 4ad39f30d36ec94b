/**
 * Every route of the contract × everybody who may knock. What is expected follows from what the route declares; the
 * routes that are for everybody or for administrators alone are written out, so that none becomes one unnoticed.
 */
import { accountsRoutes } from '@atrium/contract/accounts'
import { apiTokensRoutes } from '@atrium/contract/api-tokens'
import type { Route } from '@atrium/contract/route'
import { scimRoutes } from '@atrium/contract/scim'
import { scopes, scopesOf } from '@atrium/contract/scopes'
import { userAdministrationRoutes } from '@atrium/contract/user-administration'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routesByTag } from './areas.ts'
import { type TestApp, startTestApp, testPassword } from '../testing/app.ts'
import type { Client } from '../testing/client.ts'
import { signedIn } from '../testing/sign-in.ts'
import { adminRoutes, guestRoutes } from '../testing/route-lists.ts'

const routes = Object.entries(routesByTag).flatMap(([area, table]) =>
  Object.entries(table).map(([name, route]) => ({ label: `${area}.${name}`, area, route })),
)

const visitors = [
  'a guest',
  'a pending account',
  'a disabled account',
  'an ended session',
  'an account',
  'another account',
  'an administrator',
  'a token without the scope',
  'a token with the scope',
  'a directory',
] as const
type Visitor = (typeof visitors)[number]

/** What the door says; null where it lets the visitor in. */
const expected = (area: string, route: Route, visitor: Visitor): string | null => {
  if (route.access === 'public') return null
  // Directories have routes of their own, and no others.
  if (route.access === 'scim') return visitor === 'a directory' ? null : '401 unauthenticated'
  if (visitor === 'a directory') return '401 unauthenticated'
  // Who waits for approval has no session: sign-in is refused.
  if (['a guest', 'a pending account', 'an ended session'].includes(visitor)) return '401 unauthenticated'
  if (visitor === 'a disabled account') return '403 account_disabled'
  const needed = scopesOf(area, route)
  const isToken = visitor.startsWith('a token')
  if (isToken && (needed === null || (visitor === 'a token without the scope' && needed.length > 0)))
    return '403 token_scope'
  if (route.access === 'admin' && visitor !== 'an administrator' && !isToken) return '403 forbidden'
  return null
}

/** Refusals of the door; whoever gets another answer was let in. */
const authenticate = new Set(['unauthenticated', 'account_pending', 'account_disabled', 'forbidden', 'token_scope'])

describe('every route, for everybody', () => {
  let app: TestApp
  let admin: Client
  const clients = new Map<Visitor, (needed: readonly string[] | null) => Client>()

  beforeAll(async () => {
    app = await startTestApp()
    admin = await app.signUpAdmin()
    const session = async (username: string) => {
      const login = { username, password: testPassword }
      return app.client(signedIn(await app.client().call(accountsRoutes.login, { body: login })).token)
    }
    const user = await app.signUpUser('ann')
    const other = await app.signUpUser('ben')
    const disabled = await app.signUpUser('cyd')
    const { id } = await disabled.call(accountsRoutes.me, {})
    await admin.call(userAdministrationRoutes.setStatus, { params: { id }, body: { status: 'disabled' } })
    await app.signUpPending('dee')
    const ended = await session('ben')
    await ended.call(accountsRoutes.logout, {})

    const make = async (name: string, held: readonly string[]) => {
      // There are more routes than a token may usually call in a minute.
      const body = { name, scopes: held as (typeof scopes)[number][], ratePerMinute: 100_000 }
      return app.client((await admin.call(apiTokensRoutes.createToken, { body })).token)
    }
    const all = await make('all', scopes)
    // Every route that an administrator may call needs one of these two kinds of scope.
    const admins = await make(
      'without admin',
      scopes.filter((scope) => scope !== 'admin'),
    )
    const none = await make('admin alone', ['admin'])
    const lacking = (needed: readonly string[] | null) => (needed?.includes('admin') ? admins : none)

    const { token: directory } = await admin.call(scimRoutes.createToken, { body: { name: 'Directory' } })
    clients.set('a directory', () => app.client(directory))
    clients.set('a guest', () => app.client())
    clients.set('a pending account', () => app.client())
    clients.set('a disabled account', () => disabled)
    clients.set('an ended session', () => ended)
    clients.set('an account', () => user)
    clients.set('another account', () => other)
    clients.set('an administrator', () => admin)
    clients.set('a token without the scope', lacking)
    clients.set('a token with the scope', () => all)
  })
  afterAll(() => app?.close())

  /** Past the door nothing happens: what is sent does not fit, or names what is not there. */
  const credentials = async (client: Client, route: Route): Promise<string> => {
    const path = route.path.replace(/\{\w+\}/g, 'unknown-id-0001')
    const method = route.method.toUpperCase()
    const body = method === 'GET' || route.upload ? undefined : '{"nonsense":true}'
    const headers = body ? { 'content-type': 'application/json' } : {}
    const query = route.query && (method === 'GET' || route.upload) ? '?nonsense=1' : ''
    const response = await client.raw(`${path}${query}`, { method, ...(body ? { body } : {}), headers })
    if (route.stream && response.ok) await response.body?.cancel()
    const answer = response.ok || response.status === 302 ? {} : await response.json().catch(() => ({}))
    const { code, error } = answer as { code?: string; error?: { code?: string } }
    if (route.access === 'scim' && response.status === 401) return '401 unauthenticated'
    const word = code ?? (error?.code === 'invalid_api_key' ? 'unauthenticated' : error?.code) ?? ''
    return `${response.status} ${word}`
  }

  test.each(visitors)('%s', async (visitor) => {
    const faults: string[] = []
    for (const { label, area, route } of routes) {
      const client = clients.get(visitor)?.(scopesOf(area, route))
      if (!client) throw new Error(`nobody is ${visitor}`)
      const found = await credentials(client, route)
      const wanted = expected(area, route, visitor)
      const [, code = ''] = found.split(' ')
      if (wanted === null ? authenticate.has(code) : found !== wanted)
        faults.push(`${label}: ${found}, not ${wanted ?? 'past the door'}`)
    }
    expect(faults).toEqual([])
  })

  test('who waits for approval gets no session', async () => {
    const body = { username: 'dee', password: testPassword }
    expect(await app.client().refusal(accountsRoutes.login, { body })).toMatchObject({ code: 'account_pending' })
  })

  test('the routes for guests and for administrators are those that are written out', () => {
    const of = (access: Route['access']) =>
      routes.filter(({ route }) => route.access === access).map(({ label }) => label)
    expect(of('public').toSorted()).toEqual([...guestRoutes].toSorted())
    expect(of('admin').toSorted()).toEqual([...adminRoutes].toSorted())
  })
})
