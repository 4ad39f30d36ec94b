/** A real OpenID provider in this process, for tests: `oidc-provider` behind a server that can also lie, stall and turn its keys. */
import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, type JWK, type JWTPayload, SignJWT, decodeJwt, exportJWK, generateKeyPair } from 'jose'
import Provider from 'oidc-provider'

/** Who signs in there next, and what is told of them. */
export type Person = Readonly<Record<string, unknown>> & { readonly sub: string }

export interface OpenidProvider {
  readonly issuer: string
  /** `host:port` */
  readonly place: string
  readonly clientId: string
  readonly clientSecret: string
  /** Makes the app known; only such addresses are gone back to. */
  register(callbackUrls: readonly string[], more?: { readonly logoutUrls?: readonly string[] }): void
  /** Everybody who comes from now on is this person, without being asked; null: a page asks. */
  signInAs(person: Person | null): void
  /** Signs with a new key from now on. */
  turnKeys(): Promise<void>
  /** Changes ID tokens on their way out; null: they stay as they are. */
  tamper(change: ((claims: JWTPayload, raw: string) => Promise<string>) | null): void
  /** Signs claims as the provider does. */
  sign(claims: JWTPayload, header?: Record<string, unknown>): Promise<string>
  /** Answers nothing any more. */
  stall(): void
  /** Requests by path, in order. */
  readonly asked: readonly string[]
  close(): Promise<void>
}

interface Keys {
  readonly kid: string
  readonly privateKey: CryptoKey
  readonly jwk: JWK
}

/** Its own page loads a font from elsewhere. */
const logoutSource = (context: { body?: unknown }, form: string): void => {
  const button = '<button type="submit" form="op.logoutForm" name="logout" value="yes">Sign out there</button>'
  context.body = `<!doctype html><html lang="en"><title>Elsewhere</title><main>${form}${button}</main></html>`
}

const makeKeys = async (): Promise<Keys> => {
  const kid = randomUUID()
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { kid, privateKey, jwk: { ...(await exportJWK(privateKey)), kid, use: 'sig', alg: 'RS256' } }
}

/** `people`: who a page offers when nobody was chosen by `signInAs`. */
export const startOpenidProvider = async ({
  people = [],
}: {
  people?: readonly Person[]
} = {}): Promise<OpenidProvider> => {
  const clientId = 'atrium'
  const clientSecret = randomUUID()
  const asked: string[] = []
  const known = new Map(people.map((person) => [person.sub, person]))
  let keys = await makeKeys()
  let provider: Provider | null = null
  let registered: { callbackUrls: readonly string[]; logoutUrls: readonly string[] } = {
    callbackUrls: [],
    logoutUrls: [],
  }
  let person: Person | null = null
  let change: ((claims: JWTPayload, raw: string) => Promise<string>) | null = null
  let stalled = false

  const server: Server = createServer((request, response) => {
    void serve(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const place = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const issuer = `http://${place}`

  const build = (): void => {
    provider = new Provider(issuer, {
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          grant_types: ['authorization_code'],
          response_types: ['code'],
          redirect_uris: registered.callbackUrls,
          post_logout_redirect_uris: registered.logoutUrls,
        },
      ],
      jwks: { keys: [keys.jwk] },
      cookies: { keys: ['a key for tests'] },
      scopes: ['openid', 'profile', 'email', 'groups'],
      claims: {
        openid: ['sub', 'sid'],
        profile: ['name', 'preferred_username', 'nickname'],
        email: ['email', 'email_verified'],
        groups: ['groups'],
      },
      conformIdTokenClaims: false,
      pkce: { required: () => true },
      features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true, logoutSource } },
      interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_context: unknown, sub: string) => ({
        accountId: sub,
        claims: async () => known.get(sub) ?? { sub },
      }),
      ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 7200, AuthorizationCode: 60 },
    })
  }
  build()

  const enter = async (request: IncomingMessage, response: ServerResponse, sub: string): Promise<void> => {
    const there = provider as Provider
    const { params } = await there.interactionDetails(request, response)
    const grant = new there.Grant({ accountId: sub, clientId })
    grant.addOIDCScope(params['scope'] ?? 'openid')
    await there.interactionFinished(request, response, {
      login: { accountId: sub },
      consent: { grantId: await grant.save() },
    })
  }

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
    asked.push(`${request.method} ${path}`)
    if (stalled) return
    if (path.startsWith('/interaction/')) {
      const chosen = new URL(request.url ?? '/', issuer).searchParams.get('as')
      const sub = person?.sub ?? chosen
      if (sub) return await enter(request, response, sub)
      const links = [...known.keys()].map((each) => `<p><a href="${path}?as=${each}">Sign in as ${each}</a></p>`)
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      response.end(
        `<!doctype html><html lang="en"><title>Elsewhere</title><main><h1>Elsewhere</h1>${links.join('')}</main></html>`,
      )
      return
    }
    if (path === '/token' && change) tamperWith(response, change)
    await (provider as Provider).callback()(request, response)
  }

  return {
    issuer,
    place,
    clientId,
    clientSecret,
    asked,
    register(callbackUrls, { logoutUrls = [] } = {}) {
      registered = { callbackUrls, logoutUrls }
      build()
    },
    signInAs(next) {
      person = next
      if (next) known.set(next.sub, next)
    },
    async turnKeys() {
      keys = await makeKeys()
      build()
    },
    tamper(next) {
      change = next
    },
    sign: (claims, header = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: keys.kid, ...header }).sign(keys.privateKey),
    stall() {
      stalled = true
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

/** Has the ID token of an answer changed before it leaves. */
const tamperWith = (response: ServerResponse, change: (claims: JWTPayload, raw: string) => Promise<string>): void => {
  const end = response.end.bind(response)
  response.end = ((body?: unknown) => {
    const text = Buffer.isBuffer(body) || typeof body === 'string' ? body.toString() : '{}'
    const answer = JSON.parse(text) as { id_token?: string }
    if (answer.id_token === undefined) return end(text)
    void change(decodeJwt(answer.id_token), answer.id_token).then((token) => {
      const changed = JSON.stringify(token === '' ? { ...answer, id_token: undefined } : { ...answer, id_token: token })
      response.setHeader('content-length', Buffer.byteLength(changed))
      end(changed)
    })
    return response
  }) as typeof response.end
}
