/** The client against the server that shows everything of the protocol, over both of its transports. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMcpCaller } from '../../../testing/mcp-caller.ts'
import type { CallContext } from '../kind.ts'

const script = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json')),
  'dist/index.js',
)

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

describe.each([
  ['streamableHttp', '/mcp'],
  ['sse', '/sse'],
])('everything over %s', (transport, path) => {
  let child: ChildProcess
  let caller: ReturnType<typeof createMcpCaller>
  beforeAll(async () => {
    const port = await freePort()
    child = spawn(process.execPath, [script, transport], {
      env: { PATH: process.env['PATH'], PORT: String(port) },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    if (!child.stderr) throw new Error('it says nothing')
    for await (const line of createInterface({ input: child.stderr })) if (/port/.test(line)) break
    child.stderr.resume()
    caller = createMcpCaller(`http://127.0.0.1:${port}${path}`)
  })
  afterAll(async () => {
    await caller?.close()
    child?.kill('SIGKILL')
    if (child && child.exitCode === null) await once(child, 'exit')
  })

  test('lists its tools, those for which it may ask back among them', async () => {
    const { tools, revision } = await caller.discover()
    expect(revision).toBe('2025-11-25')
    const names = tools.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['echo', 'get-sum', 'trigger-elicitation-request']))
    // What Atrium declines is not offered to it.
    expect(names).not.toContain('trigger-sampling-request')
    expect(names).not.toContain('get-roots-list')
  })

  test('gives text, pictures, links and structured content', async () => {
    expect(await caller.call({ message: 'hi' }, {}, { originalName: 'echo' })).toEqual({ text: 'Echo: hi' })
    const { media } = await caller.call({}, {}, { originalName: 'get-tiny-image' })
    expect(media?.[0]).toMatchObject({ mediaType: 'image/png' })
    expect((await caller.call({ count: 2 }, {}, { originalName: 'get-resource-links' })).text).toContain(
      'demo://resource',
    )
    const { text } = await caller.call({ location: 'New York' }, {}, { originalName: 'get-structured-content' })
    expect(JSON.parse(text)).toMatchObject({ conditions: expect.any(String) })
    const wrong = await caller.call({ location: 'Nowhere' }, {}, { originalName: 'get-structured-content' })
    expect(wrong).toMatchObject({ isError: true })
  })

  test('tells how far it is', async () => {
    const told: unknown[] = []
    const report: CallContext['report'] = (progress) => told.push(progress)
    await caller.call({ duration: 0.4, steps: 2 }, { report }, { originalName: 'trigger-long-running-operation' })
    expect(told).toContainEqual({ done: 1, total: 2 })
  })

  test('asks the person for what it needs', async () => {
    const questions: Parameters<CallContext['ask']>[0][] = []
    const ask: CallContext['ask'] = async (question) => {
      questions.push(question)
      return null
    }
    const { text } = await caller.call({}, { ask }, { originalName: 'trigger-elicitation-request' })
    expect(questions).toMatchObject([{ kind: 'form', schema: { type: 'object' } }])
    expect(text).toContain('declined')
  })

  test('lets a call be called off, and answers the next one', async () => {
    const stop = new AbortController()
    const long = caller.call(
      { duration: 60, steps: 60 },
      { signal: stop.signal },
      { originalName: 'trigger-long-running-operation' },
    )
    const ended = long.catch((error: unknown) => error)
    stop.abort()
    expect(await ended).toMatchObject({ kind: 'cancelled' })
    expect(await caller.call({ message: 'still here' }, {}, { originalName: 'echo' })).toEqual({
      text: 'Echo: still here',
    })
  })
})
