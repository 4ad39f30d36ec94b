/** Pages that servers bring along for the results of their tools (MCP Apps). */
import { appMediaType } from '@atrium/contract/generation'
import { afterEach, expect, test } from 'vitest'
import { createMcpCaller } from '../../../testing/mcp-caller.ts'
import { echoTool, type McpServerOptions, startMcpServer, textResult } from '../../../testing/mcp-server.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const tool = { ...echoTool, _meta: { ui: { resourceUri: 'ui://map', visibility: ['app'] } } }
const page = { uri: 'ui://map', mimeType: appMediaType, text: '<p>Map</p>' }
const setUp = async (contents: readonly object[], capabilities: object = {}) => {
  const options: McpServerOptions = {
    tools: [tool],
    onCall: () => textResult('fine'),
    onRequest({ message, answer }) {
      const cached = { ttlMs: 0, cacheScope: 'private' }
      if (message.method === 'server/discover')
        answer({
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: {}, resources: {}, ...capabilities },
          ...cached,
        })
      else if (message.method === 'resources/read') answer({ contents, ...cached })
      else return false
      return true
    },
  }
  const server = await startMcpServer(options)
  const caller = createMcpCaller(server.url)
  closing.push(caller.close, server.close)
  const [listed] = (await caller.discover()).tools
  return { listed, output: await caller.call({ text: 'hi' }, {}, { call: listed?.call ?? null }) }
}
const declared = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [appMediaType] } } }

test('a page comes with the result where both sides declare that there are any', async () => {
  const { listed, output } = await setUp([page], declared)
  expect(listed?.call).toEqual({ app: 'ui://map', isForAppAlone: true })
  expect(output.media).toEqual([{ mediaType: appMediaType, bytes: Buffer.from('<p>Map</p>'), name: 'app.html' }])
})

test('of a server that declares none, a tool has no page', async () => {
  const { listed, output } = await setUp([page])
  expect(listed).not.toHaveProperty('call')
  expect(output).toEqual({ text: 'fine' })
})

test.each([
  ['of another type', [{ ...page, mimeType: 'text/html' }]],
  ['that is not there', []],
])('a page %s makes a result no worse', async (_, contents) => {
  expect((await setUp(contents, declared)).output).toEqual({ text: 'fine' })
})
