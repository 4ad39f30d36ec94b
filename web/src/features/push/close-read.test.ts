import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { closeRead } from './close-read.ts'

afterEach(() => vi.unstubAllGlobals())

test('an open page takes away pushes that were read, done or taken back elsewhere, and no others', async () => {
  const known: Readonly<Record<string, object>> = {
    unread: { readAt: null, doneAt: null },
    read: { readAt: '2026-01-01T00:00:00.000Z', doneAt: null },
    done: { readAt: null, doneAt: '2026-01-01T00:00:00.000Z' },
  }
  const server = createServer((request, response) => {
    const id = request.url?.split('/').at(-1) ?? ''
    const found = known[id]
    response.statusCode = found ? 200 : id === 'away' ? 503 : 404
    response.setHeader('content-type', found ? 'application/json' : 'application/problem+json')
    const code = id === 'away' ? 'unavailable' : 'notification_not_found'
    response.end(JSON.stringify(found ?? { type: 'about:blank', status: response.statusCode, code, title: code }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const realFetch = globalThis.fetch
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => realFetch(origin + path, init))
  const closed: string[] = []
  const shown = ['unread', 'read', 'done', 'gone', 'away', 'test', ''].map((tag) => ({
    tag,
    close: () => void closed.push(tag),
  }))
  // What a browser has and Node has not.
  const registration = { getNotifications: async () => shown }
  vi.stubGlobal('navigator', { onLine: true, serviceWorker: { getRegistration: async () => registration } })
  await closeRead()
  expect(closed.toSorted()).toEqual(['done', 'gone', 'read'])
  server.close()
})
