/** An MCP server that asks for tokens (revision 2025-11-25, Streamable HTTP), for tests: two tools, one that writes; and one by OpenAPI. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JWTPayload } from 'jose'

export interface GuardedMcpServer {
  readonly url: string
  /** `host:port` */
  readonly place: string
  /** The tokens that it was shown, in order. */
  readonly shown: readonly string[]
  /** Refuses every token from now on, whoever made it. */
  refuseAll(refuse: boolean): void
  /** Lets nobody write from now on, whatever was allowed. */
  refuseWrites(): void
  close(): Promise<void>
}

export interface GuardedMcpServerOptions {
  readonly issuer: string
  readonly verify: (token: string, resource: string) => Promise<JWTPayload>
  /** Whether strangers may list its tools. */
  readonly openList?: boolean
  /** What it calls itself, where that is not so. */
  readonly resource?: string
}

interface Message {
  readonly id?: number | string
  readonly method: string
  readonly params?: { readonly name?: string }
}

/** The same server by OpenAPI, at `/mcp/openapi.json`. */
const describedOperations = { openapi: '3.1.0', paths: { '/whoami': { get: { operationId: 'whoami' } } } }

const tool = (name: string) => ({ name, description: name, inputSchema: { type: 'object', properties: {} } })

export const startGuardedMcpServer = async (options: GuardedMcpServerOptions): Promise<GuardedMcpServer> => {
  const shown: string[] = []
  let refusing = false
  let noWrites = false
  const server = createServer((request, response) => {
    void serve(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const place = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const url = `http://${place}/mcp`
  const metadata = `http://${place}/.well-known/oauth-protected-resource/mcp`

  const claimsOf = async (request: IncomingMessage): Promise<JWTPayload | null> => {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    if (token === undefined) return null
    shown.push(token)
    if (refusing) return null
    return await options.verify(token, url).catch(() => null)
  }

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    if (request.url?.startsWith('/.well-known/oauth-protected-resource'))
      return void json(200, { resource: options.resource ?? url, authorization_servers: [options.issuer] })
    if (request.method === 'GET' && request.url?.startsWith('/mcp/')) {
      const claims = await claimsOf(request)
      if (!claims)
        return void json(401, {}, { 'www-authenticate': `Bearer resource_metadata="${metadata}", scope="mcp:read"` })
      return void json(200, request.url === '/mcp/openapi.json' ? describedOperations : `You are ${claims.sub}.`)
    }
    if (request.method !== 'POST' || request.url !== '/mcp') return void json(405, {})
    const message = JSON.parse(Buffer.concat(await request.toArray()).toString()) as Message
    const claims = await claimsOf(request)
    const isOpen = options.openList === true && message.method !== 'tools/call'
    if (!claims && !isOpen)
      return void json(401, {}, { 'www-authenticate': `Bearer resource_metadata="${metadata}", scope="mcp:read"` })
    const writes = message.method === 'tools/call' && message.params?.name === 'write'
    if (writes && (noWrites || !String(claims?.['scope']).includes('mcp:write')))
      return void json(
        403,
        {},
        { 'www-authenticate': `Bearer error="insufficient_scope", scope="mcp:write", resource_metadata="${metadata}"` },
      )
    if (message.id === undefined) return void response.writeHead(202).end()
    const result = resultOf(message, claims)
    const error = { code: -32601, message: 'Method not found' }
    json(200, { jsonrpc: '2.0', id: message.id, ...(result ? { result } : { error }) })
  }

  return {
    url,
    place,
    shown,
    refuseAll(refuse) {
      refusing = refuse
    },
    refuseWrites() {
      noWrites = true
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

const resultOf = ({ method }: Message, claims: JWTPayload | null): object | null => {
  if (method === 'initialize')
    return { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'guarded', version: '1' } }
  if (method === 'tools/list') return { tools: [tool('whoami'), tool('write')] }
  if (method === 'tools/call') return { content: [{ type: 'text', text: `You are ${claims?.sub}.` }] }
  return null
}
