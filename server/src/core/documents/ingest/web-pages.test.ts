import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { documentsRoutes as routes } from '@atrium/contract/documents'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '../../../testing/client.ts'
import { withDatabase } from '../../../testing/databases.ts'
import { type DocumentsHarness, openDocuments, readToEnd } from '../../../testing/documents.ts'

withDatabase('pages of the web', (open) => {
  let harness: DocumentsHarness
  let ann: Client
  let origin = ''
  let animal = 'ocelot'
  const html = (body: string) => `<html><head><title>All about cats</title></head><body>${body}</body></html>`
  const pages: Record<string, (response: ServerResponse, request: IncomingMessage) => void> = {
    '/cats': (response) =>
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(html(`<nav>Home</nav><article><h1>Cats</h1><p>The ${animal} hunts at night.</p></article>`)),
    '/notes.txt': (response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('The margay climbs.'),
    '/away': (response) => response.writeHead(302, { location: '/cats' }).end(),
    '/inside': (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/secret' }).end(),
    '/round': (response) => response.writeHead(302, { location: '/round' }).end(),
    '/program': (response) => response.writeHead(200, { 'content-type': 'application/octet-stream' }).end('MZ'),
    '/large': (response) =>
      response.writeHead(200, { 'content-type': 'text/plain' }).end('x'.repeat(2 * 1024 * 1024 + 1)),
    '/nothing': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(),
    '/broken': (response) => response.writeHead(500).end(),
    '/cut': (response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '1000' }).write('half')
      setTimeout(() => response.destroy(), 20)
    },
  }
  const server = createServer((request, response) => {
    const page = pages[request.url ?? '']
    if (page) page(response, request)
    else response.writeHead(404).end()
  })
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    origin = `http://127.0.0.1:${port}`
    // In the app, no private address is allowed; here the one of the test stands for the web.
    harness = await openDocuments(open, { allowed: [`127.0.0.1:${port}`] })
    ann = await harness.account('ann')
  })
  afterAll(async () => {
    await harness.close()
    server.close()
  })
  const found = async (query: string) =>
    (await ann.call(routes.search, { body: { query } })).items.map(({ documentId }) => documentId)

  test('are fetched at once, called by their title, and found', async () => {
    const accepted = await ann.call(routes.fetchUrl, { body: { url: `${origin}/cats` } })
    expect(accepted).toMatchObject({ url: `${origin}/cats`, fileType: 'html', filename: 'cats.html' })
    expect(await readToEnd(ann, accepted.id)).toMatchObject({
      processingStatus: 'completed',
      filename: 'All about cats',
    })
    expect(await found('ocelot')).toEqual([accepted.id])
    const again = await ann.call(routes.fetchUrl, { body: { url: `${origin}/cats` } })
    expect(again).toMatchObject({ id: accepted.id, deduplicated: true })
  })

  test('are fetched again when they are read again', async () => {
    const { id } = await ann.call(routes.fetchUrl, { body: { url: `${origin}/away` } })
    await readToEnd(ann, id)
    animal = 'caracal'
    await ann.call(routes.retry, { params: { documentId: id } })
    expect(await readToEnd(ann, id)).toMatchObject({ processingStatus: 'completed' })
    expect(await found('caracal')).toEqual([id])
    const { content } = await ann.call(routes.read, { params: { documentId: id } })
    expect(content).not.toContain('ocelot')
  })

  test('may be plain texts', async () => {
    const { id, filename } = await ann.call(routes.fetchUrl, { body: { url: `${origin}/notes.txt` } })
    expect(filename).toBe('notes.txt')
    await readToEnd(ann, id)
    expect(await found('margay')).toEqual([id])
  })

  test.each([
    ['/missing', 'provider_unreachable'],
    ['/broken', 'provider_unreachable'],
    ['/round', 'provider_unreachable'],
    ['/cut', 'provider_unreachable'],
    ['/inside', 'url_not_allowed'],
    ['/program', 'document_unsupported'],
    ['/nothing', 'document_empty'],
    ['/large', 'too_large'],
  ])('at %s are refused with %s, and nothing is kept', async (path, code) => {
    const before = (await ann.call(routes.list, {})).items.length
    expect((await ann.refusal(routes.fetchUrl, { body: { url: origin + path } })).code).toBe(code)
    expect((await ann.call(routes.list, {})).items).toHaveLength(before)
  })

  test.each(['http://169.254.169.254/latest', 'http://localhost:1/', 'http://[::1]/', 'http://10.0.0.1/'])(
    'at %s are not fetched',
    async (url) => {
      expect((await ann.refusal(routes.fetchUrl, { body: { url } })).code).toBe('url_not_allowed')
    },
  )

  test('go into own chats only, which is known before anything is fetched', async () => {
    const body = { url: `${origin}/cats`, sessionId: 'unknown-id-0001' }
    expect((await ann.refusal(routes.fetchUrl, { body })).code).toBe('chat_not_found')
  })
})
