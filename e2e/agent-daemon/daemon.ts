/**
 * An agent daemon for tests: real HTTP on loopback, strict about what it takes, with the habits of the real one. What a
 * run does follows from the words of its task: `write 400 pieces` writes so many of an answer at once, `use 400 tools`
 * calls so many tools, `ask` asks for a permission, `ask 25 times` for so many at once, `then 400 more` writes again, `wait` runs until it is cancelled, `fail` fails, and all else is answered.
 */
import { once } from 'node:events'
import { type IncomingMessage, type RequestListener, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAutomations } from './automations.ts'
import { createConfiguration } from './configuration.ts'
import { DaemonError, type Body } from './requests.ts'
import { createRuns } from './runs.ts'

export interface AgentDaemonOptions {
  /** 0: any. */
  readonly port?: number
  /** Between two steps of a run. */
  readonly stepMs?: number
  /** How long it takes for each answer, as one that reads its files for them. */
  readonly answerMs?: number
}

export interface AgentDaemon {
  readonly url: string
  readonly port: number
  /** What was asked, oldest first: method and path with its query. */
  readonly asked: string[]
  /** Has everything answered so instead; null: as usual. */
  answerWith(listener: RequestListener | null): void
  /** As the daemon's own page would answer a permission. */
  decide(runId: string, toolCallId: string, resolution: string): void
  close(): Promise<void>
}

export const startAgentDaemon = async ({
  port = 0,
  stepMs = 5,
  answerMs = 0,
}: AgentDaemonOptions = {}): Promise<AgentDaemon> => {
  const runs = createRuns(stepMs)
  const automations = createAutomations(runs)
  const configuration = createConfiguration(automations)
  const asked: string[] = []
  let instead: RequestListener | null = null

  const route = (method: string, path: readonly string[], query: URLSearchParams, body: Body): Answer => {
    const [area = '', ...rest] = path
    if (method === 'GET' && path.join('/') === 'health')
      return [200, { ok: true, active_runs: runs.countActive(), host: '127.0.0.1', port, telegram_bridge: 'disabled' }]
    if (area === 'config') return configuration.route(method, rest, body)
    if (area === 'runs') return runs.route(method, rest, query, body)
    if (area === 'automations') return automations.route(method, rest, query, body)
    if (method === 'GET' && path.join('/') === 'usage') return [200, runs.usage(query)]
    throw new DaemonError(404, 'not found')
  }

  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    if (instead) instead(request, response)
    else if (answerMs > 0) setTimeout(() => void respond(request, response, route), answerMs)
    else void respond(request, response, route)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const bound = (server.address() as AddressInfo).port
  return {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    asked,
    answerWith: (listener) => {
      instead = listener
    },
    decide: runs.decide,
    close: async () => {
      runs.stop()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type Answer = readonly [status: number, body: object]
type Route = (method: string, path: readonly string[], query: URLSearchParams, body: Body) => Answer

const respond = async (request: IncomingMessage, response: ServerResponse, route: Route): Promise<void> => {
  const [status, body] = await answerOf(request, route).catch((error: unknown): Answer => {
    if (!(error instanceof DaemonError)) throw error
    return [error.status, { error: error.message }]
  })
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify(body))
}

const answerOf = async (request: IncomingMessage, route: Route): Promise<Answer> => {
  const method = request.method ?? 'GET'
  const { port } = request.socket.address() as AddressInfo
  const hosts = request.rawHeaders.filter((_, index) => index % 2 === 0).filter((name) => name.toLowerCase() === 'host')
  if (hosts.length !== 1 || !new RegExp(`^(127\\.0\\.0\\.1|localhost):${port}$`).test(request.headers.host ?? ''))
    throw new DaemonError(403, 'host not allowed')
  const { origin } = request.headers
  if (origin !== undefined && origin !== `http://${request.headers.host}`)
    throw new DaemonError(403, 'origin not allowed')
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new DaemonError(403, 'cross-site request')
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  const text = Buffer.concat(pieces).toString()
  if (method !== 'GET' && text !== '' && request.headers['content-type'] !== 'application/json')
    throw new DaemonError(415, 'application/json expected')
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  return route(method, pathname.slice(1).split('/').map(decodeURIComponent), searchParams, bodyOf(text))
}

const bodyOf = (text: string): Body => {
  if (text === '') return {}
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Body
  } catch {
    // The same answer as for JSON that is no object.
  }
  throw new DaemonError(400, 'invalid JSON')
}
