import { expect, test, vi } from 'vitest'
import { type AppHostParts, createAppHost } from './app-host.ts'

const setUp = (over: Partial<AppHostParts> = {}) => {
  const said: object[] = []
  const resize = vi.fn<(height: number) => void>()
  const callTool = vi.fn(async (name: string) => {
    if (name === 'bad') throw new Error('Not allowed')
    return { isError: false, text: 'done', structured: '{"a":1}' }
  })
  const host = createAppHost({
    input: { city: 'Oslo' },
    result: { status: 'done', text: 'Mild' },
    context: () => ({ theme: 'dark', locale: 'ar', timeZone: 'Asia/Tokyo' }),
    resize,
    callTool,
    ...over,
  })
  const hear = (data: unknown) => host.hear(data, (message) => said.push(message))
  return { said, resize, callTool, hear, sendContext: host.sendContext }
}
const ask = (id: number, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params })

test('a page is told what its tool was called with and gave, once it is there', () => {
  const { said, hear } = setUp()
  hear(ask(1, 'ui/initialize', { protocolVersion: '2026-01-26' }))
  expect(said).toMatchObject([
    { id: 1, result: { hostInfo: { name: 'Atrium' }, hostCapabilities: { serverTools: {} } } },
  ])
  hear({ jsonrpc: '2.0', method: 'ui/notifications/initialized' })
  expect(said.slice(1)).toMatchObject([
    { method: 'ui/notifications/tool-input', params: { arguments: { city: 'Oslo' } } },
    { method: 'ui/notifications/tool-result', params: { content: [{ text: 'Mild' }] } },
  ])
})

test('a page has tools of its server called, and hears why one was not', async () => {
  const { said, hear, callTool } = setUp()
  hear(ask(1, 'tools/call', { name: 'good', arguments: { b: 2 } }))
  hear(ask(2, 'tools/call', { name: 'bad' }))
  hear(ask(3, 'tools/call', { name: 7 }))
  await vi.waitFor(() => expect(said).toHaveLength(3))
  expect(said).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ id: 1, result: expect.objectContaining({ structuredContent: { a: 1 } }) }),
      expect.objectContaining({ id: 2, error: { code: -32000, message: 'Not allowed' } }),
      expect.objectContaining({ id: 3, error: expect.anything() }),
    ]),
  )
  expect(callTool.mock.calls).toEqual([
    ['good', { b: 2 }],
    ['bad', {}],
  ])
})

test('a page opens nothing by itself, is as high as it may be, and does nothing else', () => {
  const { said, hear, resize } = setUp()
  expect(hear(ask(1, 'ui/open-link', { url: 'https://example.org/' }))).toEqual({
    type: 'link',
    address: 'https://example.org/',
  })
  expect(hear(ask(2, 'ui/open-link', { url: 'javascript:alert(1)' }))).toBeNull()
  hear({ jsonrpc: '2.0', method: 'ui/notifications/size-changed', params: { height: 1e9 } })
  expect(resize).toHaveBeenCalledWith(640)
  for (const method of ['ui/message', 'resources/read', 'sampling/createMessage', '__proto__']) hear(ask(3, method))
  expect(said.slice(1)).toMatchObject([
    { id: 2, error: { code: -32602 } },
    ...Array(4).fill({ error: { code: -32601 } }),
  ])
  for (const data of [null, 'text', { jsonrpc: '1.0', method: 'ping' }, { method: 'ping' }])
    expect(hear(data)).toBeNull()
  expect(said).toHaveLength(6)
})

test('a page is told how it is shown, and when that changes', () => {
  const { said, hear, sendContext } = setUp()
  const light = { theme: 'light', locale: 'en', timeZone: 'Asia/Tokyo' } as const
  sendContext(light)
  expect(said).toEqual([])
  hear(ask(1, 'ui/initialize'))
  expect(said).toMatchObject([
    { result: { hostContext: { theme: 'dark', locale: 'ar', timeZone: 'Asia/Tokyo', displayMode: 'inline' } } },
  ])
  hear({ jsonrpc: '2.0', method: 'ui/notifications/initialized' })
  sendContext(light)
  expect(said.at(-1)).toEqual({ jsonrpc: '2.0', method: 'ui/notifications/host-context-changed', params: light })
  hear(ask(2, 'ui/request-display-mode', { mode: 'fullscreen' }))
  expect(said.at(-1)).toMatchObject({ id: 2, result: { mode: 'inline' } })
})

test('a page reads resources and words messages where its person lets it, and hears where not', async () => {
  const offerMessage = vi.fn(async (text: string) => text === 'Show Oslo')
  const contents = [{ uri: 'data://oslo', mimeType: 'text/plain', text: 'Mild' }]
  const readResource = vi.fn(async (uri: string) => {
    if (uri !== 'data://oslo') throw new Error('Denied by the user')
    return contents
  })
  const { said, hear } = setUp({ offerMessage, readResource })
  hear(ask(0, 'ui/initialize'))
  expect(said).toMatchObject([{ result: { hostCapabilities: { serverResources: {}, message: { text: {} } } } }])
  const message = (content: unknown, role = 'user') => ({ role, content })
  hear(ask(1, 'resources/read', { uri: 'data://oslo' }))
  hear(ask(2, 'resources/read', { uri: 'data://bern' }))
  hear(ask(3, 'ui/message', message([{ type: 'text', text: 'Show\u202e\u200b Oslo\u0007' }])))
  await vi.waitFor(() => expect(said).toHaveLength(4))
  hear(ask(4, 'ui/message', message({ type: 'text', text: 'Delete it all' })))
  hear(ask(5, 'ui/message', message({ type: 'text', text: 'x' }, 'assistant')))
  hear(ask(6, 'ui/message', message({ type: 'image', data: 'x' })))
  hear(ask(7, 'resources/read', { uri: 7 }))
  await vi.waitFor(() => expect(said).toHaveLength(8))
  const answers = new Map(said.map((one) => [(one as { id: number }).id, one]))
  expect(answers.get(1)).toMatchObject({ result: { contents } })
  expect(answers.get(3)).toMatchObject({ result: {} })
  for (const id of [2, 4, 5, 6, 7]) expect(answers.get(id)).toMatchObject({ error: { code: -32000 } })
  expect(offerMessage.mock.calls).toEqual([['Show Oslo'], ['Delete it all']])
})
