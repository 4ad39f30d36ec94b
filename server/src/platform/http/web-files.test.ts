import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sample, startSample } from '../../testing/http-sample.ts'

const parent = mkdtempSync(join(tmpdir(), 'atrium-files-'))
const folder = join(parent, 'dist')
let sample: Sample
beforeAll(async () => {
  mkdirSync(join(folder, 'assets'), { recursive: true })
  writeFileSync(join(parent, 'secret.txt'), 'secret')
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>page</title>')
  writeFileSync(join(folder, 'favicon.svg'), '<svg/>')
  writeFileSync(join(folder, 'assets', 'app-1a2b.js'), 'run()')
  writeFileSync(join(folder, 'assets', 'app-1a2b.js.br'), brotliCompressSync('run()'))
  writeFileSync(join(folder, 'notes.md'), 'not for the web')
  sample = await startSample({ staticFolder: folder })
})
afterAll(async () => {
  await sample.stop()
  rmSync(parent, { recursive: true })
})

/** A request whose path and headers are sent as they are. */
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  new Promise<{ status: number; headers: Record<string, string | undefined>; body: Buffer }>((resolve, reject) => {
    const call = request({ port: new URL(sample.url).port, path, headers, method }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers as Record<string, string>,
          body: Buffer.concat(chunks),
        }),
      )
    })
    call.on('error', reject).end()
  })

test('hashed files may be kept for ever, the page is asked for each time', async () => {
  const file = await get('/assets/app-1a2b.js')
  expect(file.body.toString()).toBe('run()')
  expect(file.headers['content-type']).toBe('text/javascript; charset=utf-8')
  expect(file.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  const page = await get('/')
  expect(page.headers['cache-control']).toBe('no-cache')
  expect((await get('/', { 'if-none-match': page.headers['etag'] as string })).status).toBe(304)
})

test('a packed neighbour is sent to who can unpack it', async () => {
  const packed = await get('/assets/app-1a2b.js', { 'accept-encoding': 'gzip, br' })
  expect(packed.headers['content-encoding']).toBe('br')
  expect(packed.headers['vary']).toBe('accept-encoding')
  expect(brotliDecompressSync(packed.body).toString()).toBe('run()')
  const plain = await get('/assets/app-1a2b.js', { 'accept-encoding': 'gzip, br;q=0' })
  expect(plain.headers['content-encoding']).toBeUndefined()
})

test('every page of the app is the same page, and a missing file is missing', async () => {
  for (const path of ['/chats/1', '/settings?tab=1', '/a/b/c'])
    expect((await get(path)).body.toString()).toContain('<title>page</title>')
  for (const path of ['/assets/gone.js', '/assets/', '/gone.png', '/notes.md'])
    expect((await get(path)).status).toBe(404)
  const head = await get('/favicon.svg', {}, 'HEAD')
  expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, '6', 0])
})

test('what is shared with the installed app and reaches the server is not kept, and the page says so', async () => {
  const body = new FormData()
  body.append('text', 'Look')
  body.append('files', new Blob([new Uint8Array(3_000_000)]), 'large.pdf')
  const answer = await fetch(`${sample.url}/share`, { method: 'POST', body, redirect: 'manual' })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/share?files=not-received'])
  expect((await fetch(`${sample.url}/shared`, { method: 'POST', body })).status).toBe(405)
})

test.each([
  '/../secret.txt',
  '/assets/../../secret.txt',
  '/..%2fsecret.txt',
  '/%2e%2e/secret.txt',
  '/assets/..\\..\\secret.txt',
])('no path leads out of the folder: %s', async (path) => {
  expect((await get(path)).body.toString()).not.toContain('secret')
})
