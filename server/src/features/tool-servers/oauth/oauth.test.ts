import { toolSignInRoutes } from '@atrium/contract/tool-servers'
import { afterEach, expect, test } from 'vitest'
import type { ToolQuestions } from '../../../core/tools/types.ts'
import { type AuthorizationServer, startAuthorizationServer } from '../../../testing/authorization-server.ts'
import { createBrowser } from '../../../testing/browser.ts'
import { type Open, onBothDatabases, withDatabase } from '../../../testing/databases.ts'
import { startGuardedMcpServer } from '../../../testing/guarded-mcp-server.ts'
import { openToolSignIns } from '../../../testing/tool-sign-ins.ts'
import { documentUrlOf } from './index.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})
const atEnd = <T extends { close(): Promise<unknown> }>(part: T): T => {
  cleanups.push(() => part.close())
  return part
}
const saidIn = (page: URL) => `${page.pathname} ${page.searchParams.get('mcpOAuth')} ${page.searchParams.get('reason')}`

/** An account, an authorization server, and an MCP server that asks for its tokens. */
const openHarness = async (
  open: Open,
  more: {
    there?: AuthorizationServer
    openList?: boolean
    resource?: string
    baseUrl?: string
    kind?: 'mcp' | 'openapi'
  } = {},
) => {
  const there = more.there ?? atEnd(await startAuthorizationServer())
  const mcp = atEnd(await startGuardedMcpServer({ ...there, ...more }))
  const baseUrl = more.baseUrl === undefined ? undefined : new URL(more.baseUrl)
  const signIns = atEnd(await openToolSignIns(open, { documentUrl: (id) => documentUrlOf(baseUrl, id) }))
  signIns.allow(there.place)
  const byOpenApi = { kind: 'openapi', specUrl: `${mcp.url}/openapi.json` } as const
  const server = await signIns.addServer(mcp.url, more.kind === 'openapi' ? byOpenApi : {})
  const params = { id: server.id }
  const start = () => signIns.start(server)
  return {
    ...signIns,
    signIns,
    there,
    mcp,
    server,
    params,
    start,
    async signIn(): Promise<URL> {
      const page = await signIns.browser.visit(await start())
      expect(saidIn(page)).toBe('/settings/tools connected null')
      return page
    },
    call: async (name = 'whoami', options: { from?: typeof signIns.oauth; ask?: ToolQuestions['ask'] } = {}) =>
      (await signIns.call(server, name, {}, options)).text,
    status: () => signIns.ann.call(toolSignInRoutes.toolSignIn, { params }),
    count: (asked: string) => there.asked.filter((each) => each === asked).length,
  }
}

onBothDatabases('signing in at a tool server', (open) => {
  test('lets the calls of the account carry its token, and tells who is signed in', async () => {
    const it = await openHarness(open)
    await expect(it.call()).rejects.toMatchObject({ kind: 'sign-in' })
    expect(await it.status()).toMatchObject({ state: 'needed', wanted: ['mcp:read'] })
    const page = await it.signIn()
    expect(saidIn(page)).toBe('/settings/tools connected null')
    expect(page.searchParams.get('serverId')).toBe(it.server.id)
    expect(await it.call()).toBe('You are pat-there.')
    expect(await it.status()).toMatchObject({ state: 'signed-in', issuer: it.there.issuer, wanted: [] })
    expect(await it.oauth.signedIn(it.accountId)).toEqual(new Set([it.server.id]))
    for (const token of it.mcp.shown) expect(it.lines()).not.toContain(token)
  })

  test('is asked for where a call needs it, and the call goes on afterwards', async () => {
    const it = await openHarness(open, { openList: true })
    const asked: unknown[] = []
    const ask = async (question: unknown) => {
      asked.push(question)
      await it.signIn()
      return {}
    }
    expect(await it.call('whoami', { ask })).toBe('You are pat-there.')
    expect(asked).toEqual([{ kind: 'sign-in', serverId: it.server.id, message: expect.any(String) }])
  })

  test('is begun again for more rights, once for all calls that need them', async () => {
    const it = await openHarness(open)
    it.there.allow('mcp:read offline_access')
    await it.signIn()
    let asked = 0
    const ask = async () => {
      asked += 1
      if (asked > 1) return null
      it.there.allow('mcp:read mcp:write offline_access')
      expect(new URL(await it.start()).searchParams.get('scope')?.split(' ').sort()).toEqual([
        'mcp:read',
        'mcp:write',
        'offline_access',
      ])
      await it.signIn()
      return {}
    }
    expect(await it.call('write', { ask })).toBe('You are pat-there.')
    const later = Array.from({ length: 3 }, () => it.call('write', { ask }))
    expect(new Set(await Promise.all(later))).toEqual(new Set(['You are pat-there.']))
    expect(asked).toBe(1)
    // A server that refuses what was allowed is told of, and nobody is asked in circles.
    it.mcp.refuseWrites()
    await expect(it.call('write', { ask })).rejects.toMatchObject({ kind: 'refused' })
    expect(asked).toBe(1)
  })

  test('is renewed a minute ahead, by one of all processes, and with the token that came last', async () => {
    const it = await openHarness(open)
    await it.signIn()
    await it.call()
    const before = it.count('POST /token')
    it.clock.advance(545_000)
    const other = it.process()
    const texts = await Promise.all([
      it.call(),
      it.call('whoami', { from: other }),
      it.call(),
      it.call('whoami', { from: other }),
    ])
    expect(new Set(texts)).toEqual(new Set(['You are pat-there.']))
    expect(it.count('POST /token')).toBe(before + 1)
    it.clock.advance(545_000)
    await it.call('whoami', { from: other })
    expect(it.count('POST /token')).toBe(before + 2)
    expect(await it.status()).toMatchObject({ state: 'signed-in' })
  })
})

withDatabase('a sign-in at a tool server', (open) => {
  test('lets a server be called that OpenAPI describes, from its document to its operations', async () => {
    const it = await openHarness(open, { kind: 'openapi' })
    await expect(it.discover(it.server)).rejects.toMatchObject({ kind: 'sign-in' })
    await it.signIn()
    const [tool] = (await it.discover(it.server)).tools
    const pinned = { originalName: 'whoami', inputSchema: { type: 'object' }, call: tool?.call ?? null }
    const call = async (ask?: ToolQuestions['ask']) => (await it.signIns.call(it.server, pinned, {}, { ask })).text
    expect(await call()).toContain('You are pat-there.')
    it.clock.advance(545_000)
    expect(await call()).toContain('You are pat-there.')
    expect(it.count('POST /token')).toBe(2)
    let asked = 0
    it.mcp.refuseAll(true)
    const ask = async () => {
      asked += 1
      it.mcp.refuseAll(false)
      await it.signIn()
      return {}
    }
    expect(await call(ask)).toContain('You are pat-there.')
    expect(asked).toBe(1)
  })

  test('that is refused with a renewed token too is over, and no more tokens are asked for', async () => {
    const it = await openHarness(open)
    await it.signIn()
    it.mcp.refuseAll(true)
    await expect(it.call()).rejects.toMatchObject({ kind: 'sign-in' })
    const after = it.count('POST /token')
    expect(after).toBe(2)
    await expect(it.call()).rejects.toMatchObject({ kind: 'sign-in' })
    expect(it.count('POST /token')).toBe(after)
    expect(await it.status()).toMatchObject({ state: 'needed', issuer: null })
  })

  test('goes on while the authorization server is away, as long as its token lasts', async () => {
    const it = await openHarness(open)
    await it.signIn()
    it.there.failTokens(503)
    it.clock.advance(545_000)
    expect(await it.call()).toBe('You are pat-there.')
    it.clock.advance(60_000)
    await expect(it.call()).rejects.toMatchObject({ kind: 'unreachable' })
    it.there.failTokens(null)
    expect(await it.call()).toBe('You are pat-there.')
  })

  test('is over when the authorization server takes back what it gave', async () => {
    const it = await openHarness(open)
    await it.signIn()
    it.there.failTokens(400)
    it.clock.advance(545_000)
    await expect(it.call()).rejects.toMatchObject({ kind: 'sign-in' })
    expect(await it.status()).toMatchObject({ state: 'needed' })
  })

  test('is taken back there and forgotten here, also when the server is gone', async () => {
    const it = await openHarness(open)
    await it.signIn()
    expect(await it.ann.call(toolSignInRoutes.endToolSignIn, { params: it.params })).toEqual({ revoked: true })
    expect(it.count('POST /token/revocation')).toBe(2)
    expect(await it.status()).toMatchObject({ state: 'none' })
    await it.signIn()
    it.withdraw(it.server)
    await it.there.close()
    expect(await it.ann.call(toolSignInRoutes.endToolSignIn, { params: it.params })).toEqual({ revoked: false })
    expect(await it.oauth.signedIn(it.accountId)).toEqual(new Set())
  })

  test('is made with the client that an administrator entered, at the issuer that it was entered for', async () => {
    const redirectUrl = 'http://127.0.0.1:1/'
    const there = atEnd(await startAuthorizationServer({ client: { id: 'entered', secret: 'a secret', redirectUrl } }))
    const it = await openHarness(open, { there })
    await expect(it.start()).rejects.toThrow(/enter a client ID/)
    const body = { clientId: 'entered', clientSecret: 'a secret' }
    await it.ann.call(toolSignInRoutes.saveToolOAuthClient, { params: it.params, body })
    const address = new URL(await it.start())
    expect(address.searchParams.get('client_id')).toBe('entered')
    const entered = await it.ann.call(toolSignInRoutes.toolOAuthClient, { params: it.params })
    expect(entered).toMatchObject({ clientId: 'entered', hasSecret: true, issuer: there.issuer })
    expect(entered.redirectUrl).toBe(address.searchParams.get('redirect_uri'))
    await it.ann.call(toolSignInRoutes.removeToolOAuthClient, { params: it.params })
    await expect(it.start()).rejects.toThrow(/enter a client ID/)
  })

  test('is made with a document of ours where the instance has a public address', async () => {
    const it = await openHarness(open, { baseUrl: 'https://atrium.example.org' })
    it.there.describe((document) => {
      document['client_id_metadata_document_supported'] = true
    })
    const document = await it.guest.call(toolSignInRoutes.toolClientDocument, { params: it.params })
    const address = new URL(await it.start())
    expect(address.searchParams.get('client_id')).toBe(document.client_id)
    expect(document.redirect_uris).toEqual([
      `https://atrium.example.org/api/tools/servers/${it.server.id}/oauth/callback`,
    ])
  })
})

/** What an authorization server says of itself, and what of the refusal tells why. */
const unfit = [
  ['another issuer in its document', 'different issuer', { issuer: 'https://evil.example' }],
  ['a script for an address', 'metadata is invalid', { authorization_endpoint: 'javascript:alert(1)' }],
  ['an address without TLS', 'https', { authorization_endpoint: 'http://93.184.216.34/authorize' }],
  ['a private address', 'private', { token_endpoint: 'https://10.0.0.1/token' }],
  ['no PKCE', 'PKCE', { code_challenge_methods_supported: undefined }],
  ['PKCE without S256', 'PKCE', { code_challenge_methods_supported: ['plain'] }],
  ['a document of a megabyte', 'larger', { padding: 'x'.repeat(1_000_000) }],
] as const

withDatabase('an authorization server that is not as it should be', (open) => {
  test('is refused before anybody is sent there', async () => {
    const it = await openHarness(open)
    for (const [what, words, change] of unfit) {
      it.there.describe((document) => Object.assign(document, change))
      await expect(it.start(), what).rejects.toThrow(words)
    }
    // That the administrator allows calls there doesn’t make them safe to be read on the way.
    it.signIns.allow('10.0.0.1:8080')
    it.there.describe((document) => Object.assign(document, { authorization_endpoint: 'http://10.0.0.1:8080/auth' }))
    await expect(it.start()).rejects.toThrow('must begin with https')
    expect(it.count('POST /reg')).toBe(0)
    expect(it.browser.cookie('atrium_tools_')).toBeNull()
  })
})

withDatabase('the way back', (open) => {
  const callback = (it: { server: { id: string } }, query: Record<string, string>) =>
    `/api/tools/servers/${it.server.id}/oauth/callback?${new URLSearchParams(query)}`
  /** The address that the authorization server sends the browser back to. */
  const arrival = async (it: Awaited<ReturnType<typeof openHarness>>): Promise<URL> => {
    let url = new URL(await it.start())
    while (!url.pathname.endsWith('/callback'))
      url = new URL((await it.browser.fetch(url)).headers.get('location') as string, url)
    return url
  }

  test('is open once, to the browser that went, with the state that it was given', async () => {
    const it = await openHarness(open)
    const first = await arrival(it)
    const second = await arrival(it)
    const stranger = createBrowser(it.guest.baseUrl)
    expect(saidIn(await stranger.visit(first.href))).toBe('/settings/tools error state-invalid')
    // The code of another try: its verifier does not fit.
    const swapped = new URL(second)
    swapped.searchParams.set('code', first.searchParams.get('code') ?? '')
    expect(saidIn(await it.browser.visit(swapped.href))).toBe('/settings/tools error refused-there')
    expect(saidIn(await it.browser.visit(second.href))).toBe('/settings/tools error state-invalid')
    expect(saidIn(await it.browser.visit(first.href))).toBe('/settings/tools connected null')
    expect(saidIn(await it.browser.visit(first.href))).toBe('/settings/tools error state-invalid')
    expect(saidIn(await it.browser.visit(callback(it, { code: 'x' })))).toBe('/settings/tools error state-invalid')
    expect(await it.call()).toBe('You are pat-there.')
  })

  test('leads nowhere for an answer of another issuer, a code that was used, or a person who declined', async () => {
    const it = await openHarness(open)
    const wrong = await arrival(it)
    const before = it.count('POST /token')
    wrong.searchParams.set('iss', 'https://evil.example')
    expect(saidIn(await it.browser.visit(wrong.href))).toBe('/settings/tools error issuer-mismatch')
    const silent = await arrival(it)
    silent.searchParams.delete('iss')
    expect(saidIn(await it.browser.visit(silent.href))).toBe('/settings/tools error issuer-mismatch')
    expect(it.count('POST /token')).toBe(before)
    const used = await arrival(it)
    const again = await arrival(it)
    await it.browser.visit(used.href)
    again.searchParams.set('code', used.searchParams.get('code') ?? '')
    expect(saidIn(await it.browser.visit(again.href))).toBe('/settings/tools error refused-there')
    it.there.allow(null)
    const page = await it.browser.visit(await it.start())
    expect(saidIn(page)).toBe('/settings/tools error denied-there')
    expect(page.href).not.toContain('Not')
  })

  test('is closed to an account that may not use the server any more, or has signed out', async () => {
    const it = await openHarness(open)
    const url = await arrival(it)
    it.withdraw(it.server)
    expect(saidIn(await it.browser.visit(url.href))).toBe('/settings/tools error session-ended')
    expect(await it.oauth.signedIn(it.accountId)).toEqual(new Set())
  })
})

withDatabase('tokens', (open) => {
  test('are never asked for in the name of another server', async () => {
    const it = await openHarness(open, { resource: 'https://elsewhere.example.org/mcp' })
    await expect(it.start()).rejects.toThrow(/another server/)
  })

  test('of one server are not taken by another, which leads to a sign-in and not to a loop', async () => {
    const there = atEnd(await startAuthorizationServer())
    const one = await openHarness(open, { there })
    const lying = {
      ...there,
      verify: async () => await there.verify(one.mcp.shown[0] ?? '', 'https://elsewhere.example.org/'),
    }
    await one.signIn()
    await one.call()
    const other = await openHarness(open, { there: lying })
    await other.signIn()
    let asked = 0
    const ask = async () => {
      asked += 1
      await other.signIn()
      return {}
    }
    await expect(other.call('whoami', { ask })).rejects.toMatchObject({ kind: 'sign-in' })
    expect(asked).toBe(1)
    expect(other.mcp.shown).not.toContain(one.mcp.shown[0])
  })
})
