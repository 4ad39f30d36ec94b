import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chatRoutes } from '@atrium/contract/chat'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOutbound } from '../../../platform/outbound/outbound.ts'
import { createLog } from '../../../platform/log/log.ts'
import { type ChatHarness, openChats } from '../../../testing/chats.ts'
import { withDatabase } from '../../../testing/databases.ts'

/** One transparent pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

withDatabase('pictures from elsewhere', (open) => {
  let harness: ChatHarness
  let base = ''
  let cookies: (string | undefined)[] = []
  const host = createServer((request, response) => {
    cookies.push(request.headers.cookie)
    if (request.url === '/pixel.png') return response.end(pixel)
    if (request.url === '/page') return response.end('<script>alert(1)</script>')
    if (request.url === '/moved') return response.writeHead(302, { location: '/pixel.png' }).end()
    response.writeHead(404).end()
  })
  beforeAll(async () => {
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
    const place = `127.0.0.1:${(host.address() as AddressInfo).port}`
    base = `http://${place}`
    const elsewhere = createOutbound({ allowed: () => new Set([place]), log: createLog({ level: 'silent' }) })
    harness = await openChats(open, { over: () => ({ elsewhere }) })
  })
  afterAll(async () => {
    await harness.close()
    host.close()
  })

  test('are fetched by the server and given as pictures that cannot run', async () => {
    cookies = []
    const answer = await harness.ann.answer(chatRoutes.picture, { body: { url: `${base}/pixel.png` } })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(Buffer.from(await answer.arrayBuffer()).equals(pixel)).toBe(true)
    expect(cookies).toEqual([undefined])
  })

  test('are not fetched because an address of this server stands somewhere', async () => {
    cookies = []
    const address = `${chatRoutes.picture.path}?url=${encodeURIComponent(`${base}/pixel.png`)}`
    const answer = await harness.ann.raw(address)
    expect(answer.status).toBe(405)
    expect(cookies).toEqual([])
  })

  test.each([
    ['/page', 'attachment_unsupported'],
    ['/gone', 'provider_failed'],
    ['/moved', 'provider_unreachable'],
  ])('are refused in words when %s gives no picture', async (path, code) => {
    const problem = await harness.ann.refusal(chatRoutes.picture, { body: { url: base + path } })
    expect(problem.code).toBe(code)
  })

  test.each(['http://127.0.0.1:9/x.png', 'http://169.254.169.254/latest', 'file:///etc/passwd', 'nonsense'])(
    'are not fetched from %s',
    async (url) => {
      const problem = await harness.ann.refusal(chatRoutes.picture, { body: { url } })
      expect(problem.code).toBe('url_not_allowed')
    },
  )
})
