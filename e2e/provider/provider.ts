/**
 * A model server for tests and for trying things out: real HTTP, the real wire formats, deterministic answers, and
 * every way of failing that a provider has. Nothing of the service knows that it exists.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bedrock, bedrockModel } from './bedrock.ts'
import { chatCompletions } from './chat-completions.ts'
import { gemini, geminiModel } from './gemini.ts'
import type { MakerCall } from './makers/call.ts'
import { makers } from './makers/index.ts'
import { ollama } from './ollama.ts'
import { createState, obey, type Orders, type Seen, type State } from './state.ts'
import { media } from './media.ts'
import { messages } from './messages.ts'
import { operations, readForm } from './operations.ts'
import { responses } from './responses.ts'
import { searchEngine } from './search.ts'
import { json } from './writing.ts'

export interface Provider {
  /** `http://127.0.0.1:<port>`, for every protocol: most are under `/v1`, Gemini's is under `/v1beta`. */
  readonly url: string
  /** `host:port`. */
  readonly address: string
  control(orders: Orders): void
  /** The last calls, oldest first, without those to `/control`. */
  readonly requests: readonly Seen[]
  /** How often a path was called. */
  count(path: string): number
  close(): Promise<void>
}

/** Starts it on a loopback port, by default a free one. */
export async function startProvider(options: { port?: number; host?: string } = {}): Promise<Provider> {
  const state = createState()
  const server = createServer({ keepAliveTimeout: 30_000 }, (req, res) => {
    // A caller that goes away while it is heard is not worth more than its own connection.
    handle(req, res).catch(() => res.destroy())
  })

  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const url = new URL(req.url ?? '/', 'http://model')
    const path = url.pathname
    const method = req.method ?? 'GET'
    const { headers } = req
    const bytes = await readBytes(req)
    const body = readForm(headers['content-type'], bytes) ?? readJson(bytes)
    if (path === '/control') {
      if (method === 'POST') obey(state, body as Orders)
      return json(res, 200, { control: state.control, counts: state.counts, requests: state.seen })
    }
    state.counts[path] = (state.counts[path] ?? 0) + 1
    const authorization = headers.authorization ?? null
    const model = (body as { model?: string } | null)?.model ?? geminiModel(path) ?? bedrockModel(path)
    const seen: Seen = {
      at: Date.now(),
      method,
      path,
      model,
      authorization,
      headers,
      body,
      cut: 0,
      ended: 'running',
      endedAt: null,
    }
    state.seen.push(seen)
    if (state.seen.length > 500) state.seen.shift()
    res.once('close', () => {
      seen.ended = res.writableFinished ? 'complete' : 'aborted'
      seen.endedAt = Date.now()
    })
    // Some have the common routes below a folder of their own, and Azure has a header of its own for the key.
    const common = path.replace(/^\/(openai|api)(?=\/v1\/)/, '')
    const azure = path.startsWith('/openai/') ? headers['api-key'] : undefined
    const bearer = typeof azure === 'string' ? `Bearer ${azure}` : authorization
    const known =
      searchEngine(method, url, res) !== false ||
      (await ollama(state, method, path, body, res)) !== false ||
      (await askMakers(state, { method, url, headers, bytes, body }, res)) !== false ||
      (await messages(state, method, path, body, keyOf(req), headers, res)) !== false ||
      (await responses(state, method, path, body, keyOf(req), res)) !== false ||
      (await gemini(state, method, url, body, headers, res)) !== false ||
      (await bedrock(state, { method, target: req.url ?? '/', headers, body: bytes }, body, res)) !== false ||
      (await media(state, { method, path: common, headers }, body, res)) !== false ||
      (await operations(state, { method, path: common, host: headers.host ?? '' }, body, bearer, res)) !== false ||
      (await chatCompletions(state, method, common, body, bearer, res)) !== false
    if (!known) json(res, 404, { error: 'not found' })
  }
  const host = options.host ?? '127.0.0.1'
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, host, resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${host}:${port}`,
    address: `${host}:${port}`,
    control: (orders) => obey(state, orders),
    get requests() {
      return state.seen
    },
    count: (path) => state.counts[path] ?? 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Answers when the call is one of a maker with formats of its own; false otherwise. */
async function askMakers(state: State, call: MakerCall, res: ServerResponse): Promise<void | false> {
  for (const maker of makers) if ((await maker(state, call, res)) !== false) return
  return false
}

/** The key that a caller showed: as a bearer, or as Anthropic's clients do. */
function keyOf({ headers }: IncomingMessage): string | null {
  const own = headers['x-api-key']
  return typeof own === 'string' ? own : (headers.authorization?.replace(/^Bearer /, '') ?? null)
}

async function readBytes(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function readJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return null
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    // Whatever is no JSON is looked at by nobody.
    return null
  }
}
