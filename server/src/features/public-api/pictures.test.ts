import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '../../platform/log/log.ts'
import { createOutbound } from '../../platform/outbound/outbound.ts'
import type { Outbound } from '../../platform/outbound/types.ts'
import { withPictures } from './pictures.ts'

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
/** The same, but its head says that it is 50,000 pixels wide and high. */
const vast = Buffer.from(pixel)
vast.writeUInt32BE(50_000, 16)
vast.writeUInt32BE(50_000, 20)
const dataUrl = `data:image/png;base64,${pixel.toString('base64')}`
let host: Server
let outbound: Outbound
let at: string
let calls = 0
beforeAll(async () => {
  host = createServer((req, res) => {
    calls += 1
    if (req.url === '/page') return void res.writeHead(200, { 'content-type': 'image/png' }).end('<p>Hello</p>')
    if (req.url === '/moved') return void res.writeHead(302, { location: '/a.png' }).end()
    if (req.url === '/inside') return void res.writeHead(302, { location: 'http://127.0.0.1:9/' }).end()
    if (req.url === '/huge') return void res.writeHead(200).end(Buffer.concat([pixel, Buffer.alloc(11 * 2 ** 20)]))
    if (req.url?.startsWith('/large'))
      return void res.writeHead(200).end(Buffer.concat([pixel, Buffer.alloc(9 * 2 ** 20)]))
    if (req.url === '/vast') return void res.writeHead(200).end(vast)
    if (req.url === '/gone') return void res.writeHead(404).end()
    res.writeHead(200, { 'content-type': 'text/plain' }).end(pixel)
  })
  await new Promise<void>((go) => host.listen(0, '127.0.0.1', go))
  const place = `127.0.0.1:${(host.address() as AddressInfo).port}`
  at = `http://${place}`
  outbound = createOutbound({ allowed: () => new Set([place]), log: createLog({ level: 'silent' }) })
})
afterAll(async () => {
  await outbound?.close()
  host?.close()
})
const fetched = <B extends object>(body: B, signal = new AbortController().signal) =>
  withPictures(body, outbound, signal)
const chat = (...urls: string[]) => ({
  messages: [{ role: 'user', content: urls.map((url) => ({ type: 'image_url', image_url: { url, detail: 'low' } })) }],
})
const place = 'body.messages.0.content.0.image_url.url'

describe('pictures that are named by address', () => {
  test('are put into every shape as what their bytes are', async () => {
    expect(await fetched(chat(`${at}/a.png`, `${at}/moved`, dataUrl))).toEqual(chat(dataUrl, dataUrl, dataUrl))
    const part = (image_url: string) => ({ type: 'input_image', image_url })
    const response = (url: string) => ({
      input: [
        { role: 'user', content: [part(url)] },
        { type: 'function_call_output', output: [part(url)] },
      ],
    })
    expect(await fetched(response(`${at}/a.png`))).toEqual(response(dataUrl))
    const image = (url: string) => ({ type: 'image', source: { type: 'url', url } })
    const message = (url: string) => ({
      system: 'x',
      messages: [{ role: 'user', content: [image(url), { type: 'tool_result', content: [image(url)] }] }],
    })
    expect(await fetched(message(`${at}/a.png`))).toEqual(message(dataUrl))
  })

  test('are fetched once each', async () => {
    const before = calls
    await fetched(chat(`${at}/b.png`, `${at}/b.png`, `${at}/b.png`))
    expect(calls - before).toBe(1)
  })

  test('leave a body alone that names none', async () => {
    const body = { messages: [{ role: 'user', content: 'https://example.org/a.png' }], input: 'https://example.org' }
    expect(await fetched(body)).toBe(body)
  })

  test.each(['/page', '/inside', '/huge', '/gone'])('are refused by their place: %s', async (path) => {
    await expect(fetched(chat(at + path))).rejects.toMatchObject({
      code: 'validation_failed',
      issues: [expect.objectContaining({ path: place })],
    })
  })

  test('are bounded together, in number and in bytes', async () => {
    await expect(fetched(chat(...Array.from({ length: 21 }, (_, n) => `${at}/${n}.png`)))).rejects.toThrow()
    await expect(fetched(chat(`${at}/large1`, `${at}/large2`, `${at}/large3`))).rejects.toMatchObject({
      issues: [{ path: 'body.messages.0.content.2.image_url.url', message: expect.stringContaining('too large') }],
    })
  })

  test('are refused where they say that they are larger than can be drawn', async () => {
    await expect(fetched(chat(`${at}/vast`))).rejects.toMatchObject({
      issues: [{ path: place, message: expect.stringContaining('more pixels') }],
    })
  })
})
