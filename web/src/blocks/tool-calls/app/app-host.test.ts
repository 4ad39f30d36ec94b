import { expect, test, vi } from 'vitest'
import { createAppHost } from './app-host.ts'

const setUp = () => {
  const said: object[] = []
  const resize = vi.fn<(height: number) => void>()
  const callTool = vi.fn(async (name: string) => {
    if (name === 'bad') throw new Error('Not allowed')
    return { isError: false, text: 'done', structured: '{"a":1}' }
  })
  const hear = createAppHost({ input: { city: 'Oslo' }, result: { status: 'done', text: 'Mild' }, resize, callTool })
  return { said, resize, callTool, hear: (data: unknown) => hear(data, (message) => said.push(message)) }
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
