import { type IncomingMessage, type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createLog } from '../../../platform/log/log.ts'
import { createOutbound } from '../../../platform/outbound/outbound.ts'
import type { Outbound } from '../../../platform/outbound/types.ts'
import { createLink } from '../gated-fetch.ts'
import type { CallContext, RegisteredServer, ServerLink } from '../kind.ts'
import { createOpenApiKind } from './index.ts'

interface Asked {
  readonly line: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

const listen = (server: Server) =>
  new Promise<string>((go) =>
    server.listen(0, '127.0.0.1', () => go(`127.0.0.1:${(server.address() as AddressInfo).port}`)),
  )

const document = {
  openapi: '3.1.0',
  paths: {
    '/pets/{id}': {
      get: {
        operationId: 'getPet',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'X-Tenant', in: 'header', schema: { type: 'string' } },
        ],
      },
    },
    '/pets': {
      post: { operationId: 'addPet', requestBody: { content: { 'application/json': { schema: { type: 'object' } } } } },
    },
  },
}

let host = ''
let other = ''
let outbound: Outbound
let asked: Asked[] = []
const api = createServer((request, response) => {
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  request.on('end', () => {
    asked.push({
      line: `${request.method} ${request.url}`,
      headers: request.headers,
      body: Buffer.concat(pieces).toString(),
    })
    const json = (value: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    switch (request.url) {
      case '/v1/openapi.json':
        return json(document)
      case '/v1/pets/huge':
        response.writeHead(200, { 'content-type': 'text/plain' })
        // It never ends by itself.
        const more = () => void (response.destroyed || (response.write('x'.repeat(65_536)), setImmediate(more)))
        return more()
      case '/v1/pets/moved':
        return response.writeHead(302, { location: `http://${other}/` }).end()
      case '/v1/pets/picture':
        return response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from([1, 2, 3]))
      case '/v1/pets/bytes':
        return response.writeHead(200, { 'content-type': 'application/zip' }).end(Buffer.from([1, 255]))
      case '/v1/pets/none':
        return response.writeHead(204).end()
      case '/v1/pets/reset':
        return request.socket.destroy()
      case '/v1/pets/wrong':
        return json({ error: 'There is no such pet.' }, 404)
      case '/v1/pets/locked':
        return json({}, 401)
      case '/v1/pets/silent':
        return
      default:
        return json({ name: 'Rex' })
    }
  })
})
const elsewhere = createServer((_request, response) => response.end(JSON.stringify(document)))

beforeAll(async () => {
  host = await listen(api)
  other = await listen(elsewhere)
  outbound = createOutbound({ allowed: () => new Set([host, other]), log: createLog({ level: 'silent' }) })
})
beforeEach(() => {
  asked = []
})
afterAll(async () => {
  await outbound.close()
  for (const server of [api, elsewhere]) {
    server.closeAllConnections()
    server.close()
  }
})

const linkTo = (over: Partial<RegisteredServer> = {}): ServerLink =>
  createLink({
    accountId: 'ann',
    auth: { headers: async () => ({ authorization: 'Bearer secret' }) },
    outbound,
    server: {
      id: 's1',
      ownerId: null,
      kind: 'openapi',
      name: 'Pets',
      description: null,
      baseUrl: `http://${host}/v1/`,
      specUrl: `http://${host}/v1/openapi.json`,
      isUploaded: false,
      authMode: 'bearer',
      authHeader: null,
      headers: {},
      accessMode: 'all-users',
      enabled: true,
      timeoutMs: 5000,
      maxResponseBytes: 100_000,
      ...over,
    },
  })
const never = new AbortController().signal
const kind = () => createOpenApiKind()
const discover = (over?: Partial<RegisteredServer>) => kind().discover(linkTo(over), never)
const readUploaded = async (text: string) => kind().readDocument?.(text, `http://${host}/v1/`, never)
const call = async (name: string, args: Record<string, unknown>, over?: Partial<RegisteredServer>, signal = never) => {
  const { tools = [] } = (await readUploaded(JSON.stringify(document))) ?? {}
  const tool = tools.find((one) => one.name === name)
  const pinned = { originalName: name, inputSchema: {}, call: tool?.call }
  const context: CallContext = {
    accountId: 'ann',
    chatId: null,
    callId: 'c1',
    question: '',
    signal,
    report: () => undefined,
    ask: async () => null,
  }
  return createOpenApiKind().call(linkTo(over), pinned, args, context)
}

test('reads a document where its server is with the credential, elsewhere without, or as it was uploaded', async () => {
  const found = { revision: 'OpenAPI 3.1.0', tools: [{ name: 'getPet' }, { name: 'addPet' }] }
  expect(await discover()).toMatchObject(found)
  expect(asked[0]?.headers.authorization).toBe('Bearer secret')
  expect(await discover({ specUrl: `http://${other}/` })).toMatchObject(found)
  expect(await readUploaded(JSON.stringify(document))).toMatchObject(found)
  expect(asked).toHaveLength(1)
  await expect(discover({ specUrl: `http://${host}/v1/pets/wrong` })).rejects.toMatchObject({
    kind: 'protocol',
    message: expect.stringContaining('HTTP 404'),
  })
  await expect(discover({ specUrl: `http://${host}/v1/pets/huge` })).rejects.toMatchObject({ kind: 'too-large' })
  await expect(discover({ specUrl: 'http://169.254.169.254/' })).rejects.toMatchObject({ kind: 'unreachable' })
  await expect(readUploaded('a: [')).rejects.toThrow('isn’t valid JSON or YAML')
})

test('calls an operation below its base, whatever the arguments hold', async () => {
  expect(await call('getPet', { id: 'a/../../admin?x=${HOME}' })).toEqual({ text: '{"name":"Rex"}' })
  expect(asked[0]?.line).toBe('GET /v1/pets/a%2F..%2F..%2Fadmin%3Fx%3D%24%7BHOME%7D')
  expect(await call('getPet', { id: '..' })).toMatchObject({ isError: true })
  await call('addPet', { body: { name: '{{name}}' } })
  expect(asked[1]).toMatchObject({ line: 'POST /v1/pets', body: '{"name":"{{name}}"}' })
  expect(asked[1]?.headers).toMatchObject({ authorization: 'Bearer secret', 'content-type': 'application/json' })
  expect(asked).toHaveLength(2)
})

test('says the headers of the administrator, whatever the arguments hold', async () => {
  const headers = { 'X-Tenant': 'ours' }
  await call('getPet', { id: 'a', 'X-Tenant': 'theirs' }, { headers })
  await call('getPet', { id: 'a', 'X-Tenant': 'theirs' })
  expect(asked.map((one) => one.headers['x-tenant'])).toEqual(['ours', 'theirs'])
})

test.each([
  ['wrong', { isError: true, text: 'The server answered with HTTP 404.\n{"error":"There is no such pet."}' }],
  ['none', { text: 'It is done. The server answered without content (HTTP 204).' }],
  ['bytes', { text: 'The response is 2 bytes that aren’t text.' }],
  ['picture', { media: [{ mediaType: 'image/png', bytes: Uint8Array.of(1, 2, 3) }] }],
])('gives what the server answers as what it is: %s', async (id, expected) => {
  expect(await call('getPet', { id })).toMatchObject(expected)
})

test.each([
  ['huge', 'too-large'],
  ['reset', 'unreachable'],
  ['locked', 'refused'],
  ['moved', 'unreachable'],
])('ends a call that goes wrong in words: %s', async (id, kind) => {
  await expect(call('getPet', { id })).rejects.toMatchObject({ kind })
  expect(asked).toHaveLength(1)
})

test('tells whether a server answers whose document was uploaded', async () => {
  await kind().reach?.(linkTo(), never)
  expect(asked[0]?.line).toBe('GET /v1/')
  await expect(kind().reach?.(linkTo({ baseUrl: `http://${host}/v1/pets/locked` }), never)).rejects.toMatchObject({
    kind: 'refused',
  })
  await expect(discover({ isUploaded: true })).rejects.toThrow('was uploaded')
})

test('waits no longer than it may, and ends when it is called off', async () => {
  await expect(call('getPet', { id: 'silent' }, { timeoutMs: 200 })).rejects.toMatchObject({ kind: 'timeout' })
  const stop = new AbortController()
  const ended = call('getPet', { id: 'silent' }, {}, stop.signal).catch((error: unknown) => error)
  await expect.poll(() => asked.length).toBe(2)
  stop.abort()
  expect(await ended).toMatchObject({ kind: 'cancelled' })
})
