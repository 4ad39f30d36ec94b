/** Where providers say that their results are, and what is there: strangers' addresses and strangers' bytes. */
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLog } from '../../platform/log/log.ts'
import { createOutbound } from '../../platform/outbound/outbound.ts'
import type { Outbound } from '../../platform/outbound/types.ts'
import { samplePng } from '../../testing/sample-pictures.ts'
import type { ProviderAccess } from './ask.ts'
import { bytesOfBase64 } from './base64.ts'
import { maxFilmBytes, openFilm } from './films.ts'
import type { Found } from './format.ts'
import { toPicture, toSound } from './found.ts'
import { samples } from './testing/samples.ts'
import { toWav } from './wav.ts'

let server: Server
let outbound: Outbound
let base = ''
const asked: { readonly path: string; readonly key: string | undefined }[] = []

const vast = samplePng(4, 3, { says: { width: 50_000, height: 50_000 } })
/** Bytes that never end; told beforehand or not. */
const flood = (res: ServerResponse, type: string, told: boolean): void => {
  res.writeHead(200, { 'content-type': type, ...(told ? { 'content-length': maxFilmBytes + 1024 * 1024 } : {}) })
  const more = (): void => {
    while (!res.destroyed && res.write(Buffer.alloc(1024 * 1024))) continue
  }
  res.on('drain', more)
  more()
}
const places: Readonly<Record<string, (res: ServerResponse) => void>> = {
  '/a.png': (res) => void res.end(samplePng(4, 3)),
  '/moved': (res) => void res.writeHead(302, { location: '/a.png' }).end(),
  '/inside': (res) => void res.writeHead(307, { location: 'http://169.254.169.254/latest/meta-data' }).end(),
  '/page': (res) => void res.writeHead(200, { 'content-type': 'image/png' }).end('<!doctype html><script>1</script>'),
  '/drawing': (res) => void res.writeHead(200, { 'content-type': 'image/png' }).end('<svg onload="alert(1)"/>'),
  '/vast': (res) => void res.end(vast),
  '/empty': (res) => void res.end(),
  '/partly': (res) => void res.writeHead(206, { 'content-range': 'bytes 0-9/10' }).end('0123456789'),
  '/busy': (res) => void res.writeHead(503).end(),
  '/flood': (res) => flood(res, 'image/png', false),
  '/large': (res) => flood(res, 'video/mp4', true),
}

beforeAll(async () => {
  server = createServer((req, res) => {
    asked.push({ path: req.url ?? '', key: req.headers.authorization })
    const place = places[req.url ?? '']
    if (place) place(res)
    else res.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  outbound = createOutbound({ allowed: () => new Set([new URL(base).host]), log: createLog({ level: 'silent' }) })
})
afterAll(async () => {
  await outbound.close()
  server.closeAllConnections()
  server.close()
})
beforeEach(() => void (asked.length = 0))

const access = async (): Promise<ProviderAccess> => ({
  outbound,
  url: await outbound.check(`${base}/v1/images`),
  origins: [base],
  headers: { authorization: 'Bearer sk-secret' },
  hasKey: true,
  signal: new AbortController().signal,
})
const kindOf = async (work: Promise<unknown>): Promise<unknown> =>
  await work.then(
    () => 'kept',
    (error: { kind?: string; code?: string }) => error.kind ?? error.code,
  )
const takePicture = async (found: Found) => await toPicture(await access(), { found })
const takeSound = async (found: Found, shape?: string) => await toSound(await access(), { found, samples: shape })
const takeFilm = async (found: Found) => {
  const { body } = await openFilm(await access(), { found })
  for await (const _ of body);
}

describe('a result that lies', () => {
  test.each([
    'file:///etc/passwd',
    'ftp://example.org/a.png',
    'javascript:alert(1)',
    'blob:https://example.org/1',
    'gs://bucket/film.mp4',
    'http://169.254.169.254/latest/meta-data',
    'http://[::1]/a.png',
    'http://[::ffff:169.254.169.254]/a.png',
    'http://0.0.0.0/a.png',
    'http://127.1:1/a.png',
    'http://2130706433:1/a.png',
    'http://10.0.0.1/a.png',
    'http://user:word@10.0.0.1/a.png',
    'http://localhost:1/a.png',
    '//10.0.0.1/a.png',
    '/etc/passwd',
    'a.png',
    'http://',
    '',
    ' ',
  ])('where nobody may look is not asked for: %s', async (address) => {
    for (const take of [takePicture, takeSound, takeFilm]) {
      expect(['malformed', 'unreachable', 'url_not_allowed']).toContain(await kindOf(take({ address })))
    }
    expect(asked).toEqual([])
  })

  test.each(['/moved', '/inside'])('elsewhere by a redirect is not followed: %s', async (path) => {
    for (const take of [takePicture, takeSound, takeFilm]) {
      expect(['malformed', 'redirected']).toContain(await kindOf(take({ address: base + path })))
    }
    expect(asked.map(({ path: one }) => one)).toEqual([path, path, path])
  })

  test('elsewhere is fetched without the key', async () => {
    expect(await kindOf(takePicture({ address: `${base}/a.png` }))).toBe('kept')
    expect(asked).toEqual([{ path: '/a.png', key: undefined }])
  })
})

describe('a result that is', () => {
  test.each([
    ['/page', 'malformed'],
    ['/drawing', 'malformed'],
    ['/empty', 'malformed'],
    ['/partly', 'malformed'],
    ['/gone', 'rejected'],
    ['/busy', 'rejected'],
    ['/vast', 'too_large'],
    ['/flood', 'too_large'],
  ])('no picture to keep is not kept: %s', async (path, kind) => {
    expect(await kindOf(takePicture({ address: base + path }))).toBe(kind)
  })

  test('larger than any film ends, whether its size was told or not', async () => {
    for (const path of ['/large', '/flood']) expect(await kindOf(takeFilm({ address: base + path }))).toBe('too_large')
  })

  test('a drawing, a page or 50,000 pixels wide is none in base64 either', async () => {
    const told = (bytes: Uint8Array | string) => ({ base64: Buffer.from(bytes).toString('base64') })
    expect(await kindOf(takePicture(told(samplePng(4, 3))))).toBe('kept')
    expect(await kindOf(takePicture(told('<svg onload="alert(1)"/>')))).toBe('malformed')
    expect(await kindOf(takePicture(told('<!doctype html>')))).toBe('malformed')
    expect(await kindOf(takePicture(told(vast)))).toBe('too_large')
  })

  test('a sound is kept as what its bytes are, bare samples as WAV, and silence of no bytes not at all', async () => {
    const wav = Buffer.from(toWav(samples))
    // Whatever its head says of its length, it is as long as it is.
    const lying = Buffer.from(wav)
    lying.writeUInt32LE(0xffffffff, 4)
    lying.writeUInt32LE(0xfffffff0, 40)
    expect(await takeSound({ bytes: lying })).toMatchObject({ mediaType: 'audio/wav', bytes: lying })
    expect(await takeSound({ bytes: samples }, '')).toMatchObject({ mediaType: 'audio/wav' })
    expect(await kindOf(takeSound({ bytes: new Uint8Array() }, ''))).toBe('malformed')
    expect(await kindOf(takeSound({ bytes: samples }))).toBe('malformed')
    expect(await kindOf(takeSound({ address: `${base}/page` }))).toBe('malformed')
  })
})

describe('base64', () => {
  const png = Buffer.from(samplePng(4, 3)).toString('base64')

  test('is read, alone and behind its head', () => {
    expect(bytesOfBase64(png)).toEqual(Buffer.from(samplePng(4, 3)))
    expect(bytesOfBase64(`data:image/png;base64,${png}`)).toEqual(Buffer.from(samplePng(4, 3)))
  })

  test.each([
    ['nothing', ''],
    ['a head alone', 'data:image/png;base64,'],
    ['a space in front', ` ${png}`],
    ['spaces within', png.replace(/.{20}/g, '$& ')],
    ['lines', png.replace(/.{76}/g, '$&\r\n')],
    ['a head with spaces', `data: image/png ;base64, ${png}`],
    ['signs for addresses', 'a-_='],
    ['no padding', 'YQ'],
    ['padding within', 'YQ==YQ=='],
    ['bits that belong to nothing', 'YR=='],
    ['text', 'data:text/html,<script>alert(1)</script>'],
    ['a NUL', `${png.slice(0, 40)}\u0000${png.slice(41)}`],
  ])('that is written in another way is refused: %s', (_, text) => {
    expect(() => bytesOfBase64(text)).toThrow(expect.objectContaining({ kind: 'malformed' }))
  })
})
