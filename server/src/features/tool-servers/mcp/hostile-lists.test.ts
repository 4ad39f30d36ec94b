/** Lists of tools that no well-meaning server gives: each is refused or bounded, and nothing half of it is kept. */
import { afterEach, describe, expect, test } from 'vitest'
import { createMcpCaller } from '../../../testing/mcp-caller.ts'
import { echoTool, type McpServerOptions, startMcpServer } from '../../../testing/mcp-server.ts'
import { readDefinitions } from '../definitions.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})
const discover = async (options: McpServerOptions) => {
  const server = await startMcpServer(options)
  const caller = createMcpCaller(server.url)
  closing.push(caller.close, server.close)
  return readDefinitions((await caller.discover()).tools)
}
const onList =
  (answer: (request: Parameters<NonNullable<McpServerOptions['onRequest']>>[0]) => void) =>
  (request: Parameters<NonNullable<McpServerOptions['onRequest']>>[0]) => {
    if (request.message.method !== 'tools/list') return false
    answer(request)
    return true
  }
const cached = { ttlMs: 0, cacheScope: 'private' }

describe('a server that lists', () => {
  test('names with dots, spaces, direction marks, 4 KB or twice, has each told apart or left out', async () => {
    const names = ['a.b', 'a b', 'a\u202Eb', 'x'.repeat(4096), 'echo', 'echo', 'web_search', '__proto__']
    const { definitions, leftOut } = await discover({ tools: names.map((name) => ({ ...echoTool, name })) })
    expect(definitions.map(({ originalName }) => originalName)).toEqual([
      'a.b',
      'a b',
      'a\u202Eb',
      'echo',
      'web_search',
      '__proto__',
    ])
    expect(leftOut.map(({ reason }) => reason).toSorted()).toEqual(['bad-name', 'duplicate'])
  })

  test('a thousand tools, has 128 of them kept', async () => {
    const tools = Array.from({ length: 1000 }, (_, at) => ({ ...echoTool, name: `t${at}` }))
    const { definitions, leftOut } = await discover({ tools })
    expect([definitions.length, leftOut[0]?.reason]).toEqual([128, 'too-many'])
  })

  test('pages without an end, is given up', async () => {
    let pages = 0
    const page = onList(({ answer }) =>
      answer({ tools: [{ ...echoTool, name: `t${++pages}` }], nextCursor: `${pages}`, ...cached }),
    )
    await expect(discover({ onRequest: page })).rejects.toMatchObject({ name: 'Error' })
    expect(pages).toBeLessThan(50)
  })

  test('a list without an end, is cut off', async () => {
    let sent = 0
    const endless = onList(({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const more = () => {
        if (response.destroyed) return
        sent += 256 * 1024
        response.write('['.repeat(256 * 1024), more)
      }
      more()
    })
    await expect(discover({ onRequest: endless })).rejects.toMatchObject({ kind: 'too-large' })
    expect(sent).toBeLessThan(32 * 1024 * 1024)
  })

  test('schemas 10,000 deep, that refer to themselves, to elsewhere, or hold slow patterns, harms nobody', async () => {
    let deep: object = { type: 'string' }
    // As deep as our own parser of JSON takes it without a word.
    for (let level = 0; level < 2000; level++) deep = { type: 'object', properties: { a: deep } }
    const tools = [
      { ...echoTool, name: 'deep', inputSchema: deep },
      { ...echoTool, name: 'circle', inputSchema: { type: 'object', properties: { a: { $ref: '#' } } } },
      {
        ...echoTool,
        name: 'outside',
        inputSchema: { type: 'object', properties: { a: { $ref: 'https://thief.example/' } } },
      },
      {
        ...echoTool,
        name: 'slow',
        outputSchema: { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } },
      },
      { ...echoTool, name: 'polluting', inputSchema: JSON.parse('{"type":"object","__proto__":{"polluted":true}}') },
    ]
    const { definitions, leftOut } = await discover({ tools })
    expect(leftOut).toEqual([{ name: 'deep', reason: 'bad-schema' }])
    expect(definitions.map(({ name }) => name)).toEqual(['circle', 'outside', 'slow', 'polluting'])
    expect(({} as { polluted?: true }).polluted).toBeUndefined()
  })

  test.each([
    ['no list', { tools: 'none' }],
    ['tools that are none', { tools: [{ name: 7 }] }],
    ['nothing', {}],
  ])('%s, is told to be at fault', async (_, result) => {
    const wrong = onList(({ answer }) => answer({ ...result, ...cached }))
    await expect(discover({ onRequest: wrong })).rejects.toMatchObject({ kind: 'protocol' })
  })
})

test('a result with a slow pattern to check it by is not checked on the way', async () => {
  const slow = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } }
  const server = await startMcpServer({
    tools: [{ ...echoTool, outputSchema: slow }],
    onCall: () => ({ content: [], structuredContent: { a: `${'a'.repeat(60)}!` } }),
  })
  const caller = createMcpCaller(server.url)
  closing.push(caller.close, server.close)
  await caller.discover()
  expect(JSON.stringify((await caller.call()).structured)).toContain('aaaa')
})
