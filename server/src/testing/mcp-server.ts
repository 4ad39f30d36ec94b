/**
 * A server of the Model Context Protocol for tests, over Streamable HTTP: of the newest revision, or of the one before. It
 * answers what it is told to, and anything may be answered by hand instead, well or badly.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer as createSecureServer } from 'node:https'
import { json } from 'node:stream/consumers'
import type { TestCertificate } from './certificate.ts'

export interface McpMessage {
  readonly id?: number | string
  readonly method: string
  readonly params?: {
    readonly name?: string
    readonly uri?: string
    readonly arguments?: Record<string, unknown>
    readonly _meta?: object
  }
}

export interface McpRequest {
  readonly message: McpMessage
  readonly headers: IncomingMessage['headers']
  readonly response: ServerResponse
  /** Answers as JSON. */
  readonly answer: (result: object) => void
  readonly refuse: (code: number, message: string) => void
}

export interface McpServerOptions {
  readonly revision?: '2026-07-28' | '2025-11-25'
  readonly tools?: readonly object[]
  /** True: it was answered by hand. */
  readonly onRequest?: (request: McpRequest) => boolean | undefined | Promise<boolean | undefined>
  /** The result of a call. */
  readonly onCall?: (name: string, args: Record<string, unknown>) => object
  /** Over HTTPS, at the name of this certificate. */
  readonly certificate?: TestCertificate
  /** Without it every request is refused with 401. */
  readonly token?: string
}

export interface McpServer {
  readonly url: string
  readonly host: string
  /** What came, in order. */
  readonly received: McpMessage[]
  readonly headers: IncomingMessage['headers'][]
  /** Changes what it does from now on. */
  set(options: McpServerOptions): void
  close(): Promise<void>
}

export const echoTool = {
  name: 'echo',
  title: 'Echo',
  description: 'Says it again.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  annotations: { readOnlyHint: true },
}

export const textResult = (text: string) => ({ content: [{ type: 'text', text }] })

export const startMcpServer = async (options: McpServerOptions = {}): Promise<McpServer> => {
  let now: McpServerOptions = options
  const received: McpMessage[] = []
  const headers: IncomingMessage['headers'][] = []

  const listener = (request: IncomingMessage, response: ServerResponse) =>
    void handle(request, response).catch(() => response.destroy())
  const { certificate } = options
  const server = certificate ? createSecureServer(certificate, listener) : createServer(listener)

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    headers.push(request.headers)
    if (now.token !== undefined && request.headers.authorization !== `Bearer ${now.token}`) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
      return
    }
    if (request.method !== 'POST') {
      response.writeHead(405).end()
      return
    }
    const message = (await json(request)) as McpMessage
    received.push(message)
    const send = (body: object) => {
      if (response.headersSent) return
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...body }))
    }
    const modern = now.revision !== '2025-11-25'
    const answer = (result: object) => send({ result: modern ? { resultType: 'complete', ...result } : result })
    const refuse = (code: number, text: string) => send({ error: { code, message: text } })
    if (await now.onRequest?.({ message, headers: request.headers, response, answer, refuse })) return
    const { method, params } = message
    const cached = modern ? { ttlMs: 0, cacheScope: 'private' } : {}
    if (method === 'server/discover' && modern)
      return answer({ supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, ...cached })
    if (method === 'initialize' && !modern)
      return answer({
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'test', version: '1.0.0' },
      })
    if (method.startsWith('notifications/')) {
      response.writeHead(202).end()
      return
    }
    if (method === 'tools/list') return answer({ tools: now.tools ?? [echoTool], ...cached })
    if (method === 'tools/call')
      return answer(
        now.onCall?.(params?.name ?? '', params?.arguments ?? {}) ??
          textResult(`heard ${JSON.stringify(params?.arguments)}`),
      )
    refuse(-32601, 'Method not found')
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const host = `${certificate ? 'localhost' : '127.0.0.1'}:${port}`
  return {
    url: `${certificate ? 'https' : 'http'}://${host}/mcp`,
    host,
    received,
    headers,
    set(next) {
      now = next
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
