import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../log/log.ts'
import { fetchPage } from './fetch-page.ts'
import { createOutbound } from './outbound.ts'
import type { Outbound } from './types.ts'

let outbound: Outbound
let base = ''
let elsewhere = ''
const seen: IncomingMessage[] = []
const log = createLog({ level: 'silent' })
const serve = createServer((request, response) => {
  seen.push(request)
  const path = request.url ?? ''
  const hop = /^\/hop\/(\d)$/.exec(path)?.[1]
  if (path === '/page') response.setHeader('content-type', 'text/html; charset=utf-8').end('<p>Hello</p>')
  else if (hop) response.writeHead(302, { location: hop === '1' ? '/page' : `/hop/${Number(hop) - 1}` }).end()
  else if (path === '/out') response.writeHead(302, { location: `${elsewhere}/page` }).end()
  else if (path === '/large') response.end('x'.repeat(5000))
  else if (path === '/slow') response.write('x')
  else response.writeHead(404).end()
})
const other = createServer((_, response) => response.end('secret'))
const placeOf = (server: typeof serve) => `127.0.0.1:${(server.address() as AddressInfo).port}`
const get = (path: string, timeoutMs = 5000) =>
  fetchPage(outbound, base + path, { accept: 'text/html', maxBytes: 4000, timeoutMs })

beforeAll(async () => {
  for (const server of [serve, other]) await new Promise<void>((go) => server.listen(0, '127.0.0.1', go))
  base = `http://${placeOf(serve)}`
  elsewhere = `http://${placeOf(other)}`
  outbound = createOutbound({ allowed: () => new Set([placeOf(serve)]), log })
})
afterAll(async () => {
  await outbound.close()
  for (const server of [serve, other]) {
    server.closeAllConnections()
    server.close()
  }
})

test('a page comes with its type and where it came from', async () => {
  const page = await get('/page')
  expect(page).toMatchObject({ status: 200, url: `${base}/page`, mediaType: 'text/html; charset=utf-8' })
  expect(page.bytes.toString()).toBe('<p>Hello</p>')
  expect(seen.at(-1)?.headers).not.toHaveProperty('cookie')
  expect(seen.at(-1)?.headers).not.toHaveProperty('authorization')
})

test('three redirects are followed, a fourth is not', async () => {
  expect(await get('/hop/3')).toMatchObject({ status: 200, url: `${base}/page` })
  await expect(get('/hop/4')).rejects.toMatchObject({ kind: 'redirected' })
})

test('a redirect to a place that may not be called ends there', async () => {
  await expect(get('/out')).rejects.toMatchObject({ code: 'url_not_allowed' })
})

test('a page that is too large, too slow or called off does not come', async () => {
  await expect(get('/large')).rejects.toMatchObject({ kind: 'too-large' })
  await expect(get('/slow', 200)).rejects.toMatchObject({ kind: 'timeout' })
  const request = { accept: 'text/html', maxBytes: 100, timeoutMs: 5000, signal: AbortSignal.abort() }
  await expect(fetchPage(outbound, `${base}/page`, request)).rejects.toMatchObject({ kind: 'aborted' })
})
