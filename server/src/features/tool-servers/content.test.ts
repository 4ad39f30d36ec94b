/** Resources and prompts of servers, as people put them into questions: in the real app. */
import { auditRoutes } from '@atrium/contract/audit'
import { toolContentRoutes as content, toolServersRoutes as routes } from '@atrium/contract/tool-servers'
import { toolsRoutes } from '@atrium/contract/tools'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../../testing/app.ts'
import type { Client } from '../../testing/client.ts'
import { type McpRequest, type McpServer, type McpServerOptions, startMcpServer } from '../../testing/mcp-server.ts'

let mcp: McpServer
let app: TestApp
let admin: Client
let ann: Client
beforeAll(async () => {
  mcp = await startMcpServer()
  app = await startTestApp({ env: { OUTBOUND_ALLOW: mcp.host } })
  admin = await app.signUpAdmin()
  ann = await app.signUpUser('ann')
})
afterAll(async () => {
  await app?.close()
  await mcp?.close()
})

const cached = { ttlMs: 0, cacheScope: 'private' }
const answers: Readonly<Record<string, (params: McpRequest['message']['params']) => object>> = {
  'server/discover': () => ({
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {}, resources: {}, prompts: {} },
    ...cached,
  }),
  'resources/list': () => ({
    resources: [
      { uri: 'notes://1', name: 'Plan\u202e', mimeType: 'text/plain', size: 5 },
      { uri: 'notes://\u200bhidden', name: 'Hidden' },
    ],
    ...cached,
  }),
  'resources/read': () => ({ contents: [{ uri: 'notes://1', mimeType: 'text/plain', text: 'Words' }], ...cached }),
  'prompts/list': () => ({ prompts: [{ name: 'greet', arguments: [{ name: 'who', required: true }] }], ...cached }),
  'prompts/get': (params) => ({
    messages: [
      { role: 'user', content: { type: 'text', text: `Greet ${String(params?.arguments?.['who'])}\u{e0041}` } },
      { role: 'user', content: { type: 'image', mimeType: 'image/png', data: 'AAAA' } },
    ],
  }),
}
const withContent = (over: typeof answers = {}): McpServerOptions => ({
  onRequest({ message, answer }) {
    const given = over[message.method] ?? answers[message.method]
    if (given) answer(given(message.params))
    return given !== undefined
  },
})
const add = async (over: object = {}) => {
  const body = { name: 'Notes', kind: 'mcp', baseUrl: mcp.url, accessMode: 'all-users', ...over } as const
  const server = await admin.call(routes.addServer, { body })
  return { server, at: { params: { id: server.id } } }
}

test('are listed and read by whoever may use the server, without what nobody sees', async () => {
  mcp.set(withContent())
  const { server, at } = await add()
  expect(server).toMatchObject({ hasResources: true, hasPrompts: true })
  expect(await ann.call(content.serverResources, at)).toEqual({
    items: [{ uri: 'notes://1', name: 'Plan', description: '', mediaType: 'text/plain', sizeBytes: 5 }],
    templates: [],
    nextCursor: null,
  })
  expect(await ann.call(content.readServerResource, { ...at, body: { uri: 'notes://1' } })).toEqual({
    items: [{ name: '1.txt', mediaType: 'text/plain', text: 'Words', base64: null }],
  })
  expect((await ann.call(content.serverPrompts, at)).items).toMatchObject([{ name: 'greet', title: 'greet' }])
  expect(
    await ann.call(content.readServerPrompt, { ...at, body: { name: 'greet', arguments: { who: 'Bo' } } }),
  ).toEqual({
    messages: [
      { role: 'user', text: 'Greet Bo', files: [] },
      { role: 'user', text: '', files: [{ name: 'image.png', mediaType: 'image/png', text: null, base64: 'AAAA' }] },
    ],
  })
  const { items } = await admin.call(auditRoutes.list, { query: { action: 'tool-server-resource.read' } })
  expect(items).toMatchObject([{ targetType: 'tool-server', targetId: server.id }])
})

test('are of no server that a person may not use, that is off, or while tools are off', async () => {
  mcp.set(withContent())
  const { at } = await add({ accessMode: 'admins-only' })
  expect(await ann.refusal(content.serverResources, at)).toMatchObject({ status: 404, code: 'tool_server_not_found' })
  expect(await ann.refusal(content.readServerPrompt, { ...at, body: { name: 'greet' } })).toMatchObject({ status: 404 })
  await admin.call(toolsRoutes.updateAccess, { body: { mode: 'off' } })
  expect(await admin.refusal(content.serverPrompts, at)).toMatchObject({ code: 'tool_unavailable' })
  await admin.call(toolsRoutes.updateAccess, { body: { mode: 'all-users' } })
  await admin.call(routes.updateServer, { ...at, body: { enabled: false } })
  expect(await admin.refusal(content.serverResources, at)).toMatchObject({ code: 'tool_unavailable' })
})

test('are refused in words where the server does not have them, or gives more than it may', async () => {
  mcp.set(
    withContent({ 'resources/read': () => ({ contents: [{ uri: 'notes://1', text: 'x'.repeat(4000) }], ...cached }) }),
  )
  const { at } = await add({ maxResponseBytes: 2048 })
  const read = () => ann.refusal(content.readServerResource, { ...at, body: { uri: 'notes://1' } })
  expect(await read()).toMatchObject({
    status: 502,
    code: 'tool_server_failed',
    problem: { detail: expect.stringContaining('larger') },
  })
  mcp.set({
    ...withContent(),
    onRequest: ({ message, refuse, answer }) => {
      if (message.method === 'server/discover') answer(answers['server/discover']?.(undefined) ?? {})
      else refuse(-32602, 'no such thing')
      return true
    },
  })
  expect(await read()).toMatchObject({ problem: { detail: expect.stringContaining('-32602') } })
  // Whose fault it was is no reason to leave the server alone.
  expect(await ann.call(routes.serverHealth, at)).not.toMatchObject({ state: 'waiting' })
})

test('are not asked for where the server said that it has none', async () => {
  mcp.set({})
  expect((await add()).server).toMatchObject({ hasResources: false, hasPrompts: false })
})
