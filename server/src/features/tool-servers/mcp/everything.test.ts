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
    const { resources } = await caller.call({ count: 2 }, {}, { originalName: 'get-resource-links' })
    expect(resources).toHaveLength(2)
    expect(resources?.[0]).toMatchObject({ uri: expect.stringContaining('demo://resource'), text: null })
    const held = { resourceType: 'Text', resourceId: 1 }
    const embedded = await caller.call(held, {}, { originalName: 'get-resource-reference' })
    expect(embedded.resources?.[0]).toMatchObject({ text: expect.stringContaining('Resource 1') })
    const { structured } = await caller.call({ location: 'New York' }, {}, { originalName: 'get-structured-content' })
    expect(structured).toMatchObject({ conditions: expect.any(String) })
    const wrong = await caller.call({ location: 'Nowhere' }, {}, { originalName: 'get-structured-content' })
    expect(wrong).toMatchObject({ isError: true })
  })

  test('gives its resources, and those whose address is filled in', async () => {
    const { items, templates } = await caller.resources()
    expect(items).toContainEqual(expect.objectContaining({ name: 'architecture.md', mediaType: 'text/markdown' }))
    const uri = items.find(({ name }) => name === 'architecture.md')?.uri ?? ''
    expect(await caller.read({ uri })).toMatchObject([
      { name: 'architecture.md', mediaType: 'text/markdown', text: expect.stringContaining('#') },
    ])
    const template = templates.find(({ name }) => name === 'Dynamic Text Resource')?.template ?? ''
    expect(templates).toContainEqual(expect.objectContaining({ template, variables: ['resourceId'] }))
    expect(await caller.read({ template, values: { resourceId: '7' } })).toMatchObject([
      { name: '7.txt', text: expect.stringContaining('Resource 7') },
    ])
    const argument = { name: 'resourceId', value: '7' }
    expect(await caller.complete({ of: { template }, argument, others: {} })).toEqual(['7'])
    await expect(caller.read({ uri: 'demo://nothing' })).rejects.toMatchObject({ code: 'tool_server_failed' })
  })

  test('gives its prompts, worded with their arguments, and suggests values for these', async () => {
    const prompts = await caller.prompts()
    const place = prompts.find(({ name }) => name === 'args-prompt')
    expect(place).toMatchObject({
      title: 'Arguments Prompt',
      arguments: [{ name: 'city', required: true }, { name: 'state' }],
    })
    expect(await caller.prompt('args-prompt', { city: 'Oslo' })).toEqual([
      { role: 'user', text: "What's weather in Oslo?", files: [] },
    ])
    await expect(caller.prompt('args-prompt')).rejects.toMatchObject({ code: 'tool_server_failed' })
    const of = { prompt: 'completable-prompt' }
    expect(await caller.complete({ of, argument: { name: 'department', value: 'S' }, others: {} })).toEqual([
      'Sales',
      'Support',
    ])
    const others = { department: 'Sales' }
    expect(await caller.complete({ of, argument: { name: 'name', value: '' }, others })).toEqual([
      'David',
      'Eve',
      'Frank',
    ])
    const [, second] = await caller.prompt('resource-prompt', { resourceType: 'Text', resourceId: '3' })
    expect(second).toMatchObject({ files: [{ name: '3.txt', text: expect.stringContaining('Resource 3') }] })
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
