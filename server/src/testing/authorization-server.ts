/**
 * A real authorization server in this process, for tests: `oidc-provider`, which registers clients, knows resources, and
 * gives tokens as JWT for them. Its document can lie.
 */
import { type IncomingMessage, createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createLocalJWKSet, exportJWK, generateKeyPair, type JWTPayload, jwtVerify } from 'jose'
import Provider from 'oidc-provider'

export interface AuthorizationServer {
  readonly issuer: string
  /** `host:port` */
  readonly place: string
  /** Requests by method and path, in order. */
  readonly asked: readonly string[]
  /** What people allow from now on; null: they decline. */
  allow(scope: string | null): void
  /** Changes what it says of itself. */
  describe(change: (document: Record<string, unknown>) => void): void
  /** How long an access token is good for from now on, in seconds. */
  lasting(seconds: number): void
  /** Answers requests for tokens with this status from now on; null: as it should. */
  failTokens(status: number | null): void
  /** Answers nothing any more. */
  stop(): void
  /** Who a token is for; throws for tokens of other servers, and for those that ended. */
  verify(token: string, resource: string): Promise<JWTPayload>
  close(): Promise<void>
}

export interface AuthorizationServerOptions {
  /** A client that somebody entered; without it clients register themselves. */
  readonly client?: { readonly id: string; readonly secret: string; readonly redirectUrl: string }
}

const scopes = ['mcp:read', 'mcp:write']

export const startAuthorizationServer = async (
  options: AuthorizationServerOptions = {},
): Promise<AuthorizationServer> => {
  const asked: string[] = []
  const pair = await generateKeyPair('ES256', { extractable: true })
  const jwk = { ...(await exportJWK(pair.privateKey)), kid: 'one', use: 'sig', alg: 'ES256' }
  const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'ES256' }] })
  let allowed: string | null = 'mcp:read mcp:write offline_access'
  let change: (document: Record<string, unknown>) => void = () => undefined
  let seconds = 600
  let tokenStatus: number | null = null
  let stopped = false

  const server = createServer((request, response) => {
    void serve(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const place = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const issuer = `http://${place}`
  const entered = options.client
  const provider = new Provider(issuer, {
    clients: entered
      ? [
          {
            client_id: entered.id,
            client_secret: entered.secret,
            redirect_uris: [entered.redirectUrl],
            grant_types: ['authorization_code', 'refresh_token'],
            response_types: ['code'],
          },
        ]
      : [],
    jwks: { keys: [jwk] },
    cookies: { keys: ['a key for tests'] },
    scopes: ['openid', 'offline_access', ...scopes],
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: !entered },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context: unknown, resource: string) => ({
          scope: scopes.join(' '),
          audience: resource,
          accessTokenFormat: 'jwt',
          accessTokenTTL: seconds,
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, sub: string) => ({ accountId: sub, claims: async () => ({ sub }) }),
    ttl: { Interaction: 600, Session: 600, Grant: 6000, AuthorizationCode: 60, RefreshToken: 6000 },
  })

  const enter = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { params } = await provider.interactionDetails(request, response)
    if (allowed === null) {
      const declined = { error: 'access_denied', error_description: '<b>Not today</b>' }
      return await provider.interactionFinished(request, response, declined)
    }
    const grant = new provider.Grant({ accountId: 'pat-there', clientId: params['client_id'] ?? '' })
    grant.addOIDCScope(allowed)
    grant.addResourceScope(params['resource'] ?? '', allowed)
    const consent = { grantId: await grant.save() }
    await provider.interactionFinished(request, response, { login: { accountId: 'pat-there' }, consent })
  }

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
    asked.push(`${request.method} ${path}`)
    if (stopped) return
    if (path.startsWith('/interaction/')) return await enter(request, response)
    if (path.startsWith('/.well-known/')) changeJson(response, change)
    if (path === '/token' && tokenStatus !== null) {
      response.writeHead(tokenStatus, { 'content-type': 'application/json' }).end('{"error":"server_error"}')
      return
    }
    await provider.callback()(request, response)
  }

  return {
    issuer,
    place,
    asked,
    allow(scope) {
      allowed = scope
    },
    describe(next) {
      change = next
    },
    lasting(next) {
      seconds = next
    },
    failTokens(status) {
      tokenStatus = status
    },
    stop() {
      stopped = true
    },
    verify: async (token, resource) => (await jwtVerify(token, keys, { issuer, audience: resource })).payload,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

/** Has the JSON of an answer changed before it leaves. */
const changeJson = (response: ServerResponse, change: (document: Record<string, unknown>) => void): void => {
  const end = response.end.bind(response)
  response.end = ((body?: unknown) => {
    const document = JSON.parse(String(body)) as Record<string, unknown>
    change(document)
    const changed = JSON.stringify(document)
    response.setHeader('content-length', Buffer.byteLength(changed))
    return end(changed)
  }) as typeof response.end
}
