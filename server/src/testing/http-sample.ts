/** A small area that has one route of every kind, for the tests of platform/http. */
import { bytes, routes } from '@atrium/contract/route'
import { z } from 'zod'
import { type Area, type Caller, type Context, type Frame, type Handlers, bindRoutes } from '../platform/http/area.ts'
import type { HttpOptions } from '../platform/http/options.ts'
import { createHttp } from '../platform/http/server.ts'
import { fail } from '../platform/http/refusal.ts'
import { createLog } from '../platform/log/log.ts'
import { type Client, createClient } from './client.ts'

const Thing = z.strictObject({ id: z.string(), title: z.string() })
const Tick = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('tick'), data: z.strictObject({ n: z.number(), pad: z.string().optional() }) }),
  z.strictObject({ type: z.literal('done'), data: z.strictObject({}) }),
])
const ById = z.strictObject({ id: z.string().min(1).max(200) })

export const things = routes({
  hello: {
    method: 'get',
    path: '/api/hello',
    access: 'public',
    summary: 'Anyone',
    returns: z.strictObject({ who: z.string().nullable(), address: z.string() }),
  },
  list: {
    method: 'get',
    path: '/api/things',
    access: 'user',
    summary: 'A page',
    query: z.strictObject({ limit: z.coerce.number().int().min(1).max(9).default(3) }),
    returns: z.strictObject({ limit: z.number() }),
  },
  create: {
    method: 'post',
    path: '/api/things',
    access: 'user',
    summary: 'Make one',
    body: z.strictObject({ title: z.string().min(1), tags: z.array(z.string()).optional() }),
    returns: Thing,
    errors: ['conflict'],
  },
  read: {
    method: 'get',
    path: '/api/things/{id}',
    names: 'instance',
    access: 'user',
    summary: 'One',
    params: ById,
    returns: Thing,
    errors: ['folder_not_found'],
  },
  remove: {
    method: 'delete',
    path: '/api/things/{id}',
    names: 'instance',
    access: 'admin',
    summary: 'Remove one',
    params: ById,
    returns: z.strictObject({}),
  },
  start: {
    method: 'post',
    path: '/api/start',
    access: 'user',
    summary: 'Go',
    status: 202,
    returns: z.strictObject({}),
  },
  crash: { method: 'get', path: '/api/crash', access: 'public', summary: 'A bug', returns: z.strictObject({}) },
  leak: { method: 'get', path: '/api/leak', access: 'public', summary: 'A leak', returns: z.strictObject({}) },
  slow: { method: 'get', path: '/api/slow', access: 'public', summary: 'Slow', returns: z.strictObject({}) },
  stuck: { method: 'get', path: '/api/stuck', access: 'public', summary: 'Never ends', returns: z.strictObject({}) },
  enter: { method: 'post', path: '/api/enter', access: 'public', summary: 'A cookie', returns: z.strictObject({}) },
  rare: {
    method: 'get',
    path: '/api/rare',
    access: 'public',
    limit: 'connect',
    summary: 'Not often',
    returns: z.strictObject({}),
  },
  send: {
    method: 'post',
    path: '/api/files',
    access: 'user',
    summary: 'A file',
    query: z.strictObject({ name: z.string().min(1) }),
    upload: { maxBytes: 1000 },
    returns: z.strictObject({ name: z.string(), type: z.string(), size: z.number() }),
  },
  file: {
    method: 'get',
    path: '/api/files/{id}',
    names: 'instance',
    access: 'user',
    summary: 'Bytes',
    params: ById,
    returns: bytes,
  },
  ticks: {
    method: 'get',
    path: '/api/ticks',
    access: 'user',
    summary: 'A stream',
    query: z.strictObject({
      after: z.coerce.number().int().min(0).optional(),
      count: z.coerce.number().int().default(3),
      mode: z
        .enum(['plain', 'late', 'never', 'refused', 'broken', 'breaks', 'endless', 'flood', 'bulky', 'bad', 'scripts'])
        .default('plain'),
    }),
    returns: z.never(),
    stream: Tick,
  },
})

const pads: Readonly<Record<string, string>> = {
  flood: 'x'.repeat(10_000),
  // More than a connection of the local machine takes in without a reader.
  bulky: 'x'.repeat(6_000_000),
  scripts: 'مرحبا 😀 größer',
}

/** Ticks numbered from `after` + 1. */
async function* ticks(
  input: { query: { count: number; mode: string } },
  context: Context<Caller>,
): AsyncGenerator<Frame<z.infer<typeof Tick>>> {
  const { count, mode } = input.query
  if (mode === 'refused') throw fail('folder_not_found')
  if (mode === 'broken') throw new Error('a bug before the first event')
  if (mode === 'late') await sleep(120, context.signal)
  if (mode === 'never') await sleep(300_000, context.signal)
  const pad = pads[mode]
  for (let n = context.after + 1; n <= count || mode === 'endless' || mode === 'flood'; n += 1) {
    if (context.signal.aborted) return
    if (mode === 'breaks' && n === 2) throw new Error('a bug after the first event')
    yield { seq: n, event: { type: 'tick', data: mode === 'bad' ? ({ n, secret: 1 } as never) : { n, pad } } }
    if (mode === 'endless') await sleep(5, context.signal)
  }
  yield { seq: count + 1, event: { type: 'done', data: {} } }
}

export const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })

/** How many requests have arrived that take a while. */
export const asked = { slow: 0 }

const handlers: Handlers<typeof things> = {
  hello: async (_, { caller, address }) => ({ who: caller?.accountId ?? null, address }),
  list: async ({ query }) => ({ limit: query.limit }),
  create: async ({ body }) => {
    if (body.title === 'taken') throw fail('conflict')
    return { id: '1', title: body.title }
  },
  read: async ({ params }) => {
    if (params.id !== '1') throw fail('folder_not_found')
    return { id: params.id, title: 'one' }
  },
  remove: async () => ({}),
  start: async () => ({}),
  crash: async () => {
    throw new Error('internal words that nobody may see')
  },
  leak: async () => ({ passwordHash: 'x' }) as object as Record<string, never>,
  slow: async () => {
    asked.slow += 1
    await sleep(300)
    return {}
  },
  stuck: () => new Promise(() => undefined),
  enter: async (_, context) => {
    context.setCookie({ name: 'pass', value: 'ann; x', expiresAt: 1_900_000_000_000 })
    return {}
  },
  rare: async () => ({}),
  send: async ({ query, file }) => ({ name: query.name, type: file.mediaType, size: (await file.bytes()).byteLength }),
  file: async ({ params }) => ({
    body: Buffer.from('<script>alert(1)</script>'),
    mediaType: 'text/html',
    fileName: params.id,
    disposition: 'attachment',
  }),
  ticks: async (input, context) => ticks(input, context),
}

export const sampleArea: Area = bindRoutes({ name: 'things', routes: things, handlers })

export interface Sample {
  readonly url: string
  readonly guest: Client
  readonly ann: Client
  readonly admin: Client
  readonly lines: Record<string, unknown>[]
  readonly openStreams: number
  endSession(sessionId: string): void
  stop(graceMs?: number): Promise<void>
}

/** Serves the sample area. Tokens are account names; `admin` is an administrator, `frozen` may not come in. */
export const startSample = async (options: Partial<HttpOptions> = {}): Promise<Sample> => {
  const lines: Record<string, unknown>[] = []
  const watchers = new Map<string, Set<() => void>>()
  let ids = 0
  const http = await createHttp({
    areas: [sampleArea],
    log: createLog({ level: 'debug', write: (line) => lines.push(JSON.parse(line)) }),
    clock: { now: () => Date.now(), id: () => `made-id-${String(++ids)}` },
    authenticate: async (credentials) => {
      const via = credentials.bearer ? 'bearer' : 'cookie'
      const name = credentials.bearer ?? credentials.cookie('pass')
      if (name === 'frozen') throw fail('account_disabled')
      if (name !== 'ann' && name !== 'admin') return null
      return {
        accountId: name,
        sessionId: `session-${name}`,
        role: name === 'admin' ? 'admin' : 'user',
        via,
        token: null,
      }
    },
    watchSession: (id, ended) => {
      const set = watchers.get(id) ?? new Set()
      watchers.set(id, set.add(ended))
      return () => set.delete(ended)
    },
    checkEvents: true,
    ...options,
  })
  const url = await http.listen('127.0.0.1', 0)
  return {
    url,
    guest: createClient(url),
    ann: createClient(url, 'ann'),
    admin: createClient(url, 'admin'),
    lines,
    get openStreams() {
      return http.openStreams
    },
    endSession: (id) => {
      for (const ended of watchers.get(id) ?? []) ended()
    },
    stop: (graceMs) => http.stop(graceMs),
  }
}
