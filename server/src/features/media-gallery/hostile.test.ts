import { apiTokensRoutes } from '@atrium/contract/api-tokens'
import { mediaGalleryRoutes as routes } from '@atrium/contract/media-gallery'
import { trashRoutes } from '@atrium/contract/trash'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../../testing/app.ts'
import type { Client } from '../../testing/client.ts'
import { movingWebp, printedJpeg, samplePng } from '../../testing/sample-pictures.ts'

const upload = async (client: Client, bytes: Uint8Array<ArrayBuffer> = samplePng(4, 3), name = 'tram.png') =>
  await client.call(routes.upload, { query: { name }, file: new Blob([bytes], { type: 'image/png' }) })
const at = (mediaId: string) => ({ params: { mediaId } })

describe.each(['sqlite', 'postgres'] as const)('a gallery and who means harm (%s)', (dialect) => {
  let app: TestApp
  let ann: Client
  beforeAll(async () => {
    app = await startTestApp({ dialect })
    await app.signUpAdmin()
    ann = await app.signUpUser('ann')
  })
  afterAll(() => app?.close())

  test('odd ranges give all, or say what there is; a thousand of them cost no more than one', async () => {
    const { id, bytes } = await upload(ann)
    const ask = async (range: string) => {
      const response = await ann.raw(`/api/media/gallery/${id}/content`, { headers: { range } })
      return [response.status, (await response.arrayBuffer()).byteLength, response.headers.get('content-range')]
    }
    const thousand = `bytes=${Array.from({ length: 1000 }, (_, at) => `${at}-${at}`).join()}`
    for (const range of [thousand, 'bytes=9-5', 'bytes=x', 'rows=1-2', 'bytes=-', 'bytes=1-2,4-5'])
      expect(await ask(range)).toEqual([200, bytes, null])
    expect((await ask('bytes=-0')).toSpliced(1, 1)).toEqual([416, `bytes */${bytes}`])
    expect((await ask(`bytes=${bytes}-`)).toSpliced(1, 1)).toEqual([416, `bytes */${bytes}`])
    expect(await ask('bytes=-10')).toEqual([206, 10, `bytes ${bytes - 10}-${bytes - 1}/${bytes}`])
    expect(await ask('bytes=60-99999999999999999999')).toEqual([206, bytes - 60, `bytes 60-${bytes - 1}/${bytes}`])
  })

  test('a name may be anything, and leads nowhere', async () => {
    const { id, title } = await upload(ann, samplePng(4, 3), '../../\u202etxt.exe\r\nX-Evil: 1\u0007 💥.png')
    expect(title).toBe('../../ txt.exe X-Evil: 1 💥')
    const response = await ann.answer(routes.content, { ...at(id), query: { download: '1' } })
    await response.body?.cancel()
    expect(response.headers.get('x-evil')).toBeNull()
    expect(decodeURIComponent(response.headers.get('content-disposition') ?? '')).toContain('txt.exe X-Evil 1 💥.png')
  })

  test('a picture in the colours of print and one that moves are kept as they are, and a cut one is not', async () => {
    for (const [bytes, width, mimeType] of [
      [printedJpeg, 8, 'image/jpeg'],
      [movingWebp(), 1, 'image/webp'],
    ] as const) {
      const { id, ...item } = await upload(ann, bytes)
      expect(item).toMatchObject({ width, mimeType })
      const kept = await ann.answer(routes.content, at(id))
      expect(Buffer.from(await kept.arrayBuffer())).toEqual(Buffer.from(bytes))
    }
    const cut = { query: { name: 'cut.jpg' }, file: new Blob([printedJpeg.subarray(0, printedJpeg.length - 1)]) }
    expect((await ann.refusal(routes.upload, cut)).code).toBe('media_damaged')
  })

  test('what stands in a query is looked for as it is, and breaks nothing', async () => {
    for (const odd of ["' or 1=1 --", '%', '\u0000', '\ud800', 'x'.repeat(200)]) {
      const query = new URLSearchParams({ model: odd, q: odd }).toString()
      const response = await ann.raw(`/api/media/gallery?${query}`)
      expect([200, 400]).toContain(response.status)
      const ids = await ann.raw(
        `/api/media/gallery/archive?${new URLSearchParams({ ids: odd, albumId: odd }).toString()}`,
      )
      expect([400, 404]).toContain(ids.status)
      const one = await ann.raw(`/api/media/gallery/${encodeURIComponent(odd.toWellFormed())}/content`)
      expect([400, 404]).toContain(one.status)
    }
  })

  test('what is deleted while it is read is cut off, and harms nobody', async () => {
    const large = samplePng(4, 3, { more: [['ruIN', Buffer.alloc(8_000_000, 7)]] })
    const { id } = await upload(ann, large)
    const response = await ann.answer(routes.content, at(id))
    const reader = response.body?.getReader()
    await reader?.read()
    await ann.call(routes.remove, at(id))
    await ann.call(trashRoutes.remove, { params: { id } })
    let read = 0
    const rest = async () => {
      for (;;) {
        const step = await reader?.read()
        if (!step || step.done) return
        read += step.value.byteLength
      }
    }
    await rest().catch(() => undefined)
    expect(read).toBeLessThanOrEqual(large.byteLength)
    expect(await ann.refusal(routes.content, at(id))).toMatchObject({ code: 'media_not_found' })
  })

  test('a film of a hundred thousand pictures is told by its head, and shown small by its first', async () => {
    const frame = Buffer.from('21f90400000000002c00000000010001000002024401 00'.replaceAll(' ', ''), 'hex')
    const head = Buffer.from('4749463839610100010080000000000 0ffffff'.replaceAll(' ', ''), 'hex')
    const gif = Buffer.concat([head, ...Array.from({ length: 100_000 }, () => frame), Buffer.from(';')])
    const item = await upload(ann, new Uint8Array(gif), 'film.gif')
    expect(item).toMatchObject({ mimeType: 'image/gif', width: 1, height: 1 })
  })

  test('nothing went wrong on the way', () => expect(app.lines).toEqual([]))
})

describe('requests for the gallery', () => {
  let app: TestApp
  let ann: Client
  beforeAll(async () => {
    const rule = { max: 4, windowMs: 60_000 }
    app = await startTestApp({ overrides: { limits: { gallery: rule, 'media-making': rule, 'media-polling': rule } } })
    await app.signUpAdmin()
    ann = await app.signUpUser('ann')
  })
  afterAll(() => app?.close())

  test('are counted together, whatever they look like, and thumbnails apart from them', async () => {
    const { id } = await upload(ann)
    const path = `/api/media/gallery/${id}`
    const first = await ann.raw('/api/media/gallery?limit=1')
    expect(first.headers.get('ratelimit-limit')).toBe('4')
    await ann.raw(`${path}/content`, { method: 'HEAD' })
    await ann.raw(`${path}/content`, { headers: { range: 'bytes=0-1' } })
    await ann.raw(`${path}/content`, { headers: { 'x-forwarded-for': '203.0.113.9' } })
    const late = await Promise.all([
      ann.raw(`${path}/content`, { headers: { 'x-forwarded-for': '203.0.113.10' } }),
      ann.raw('/api/media/gallery?limit=2'),
      ann.raw(path, { method: 'DELETE' }),
    ])
    // Programs count apart from the person, and all of them together.
    const programs = await Promise.all(
      ['one', 'another'].map(async (name) => {
        const { token } = await ann.call(apiTokensRoutes.createToken, {
          body: { name, scopes: ['media-gallery:read'] },
        })
        return app.client(token)
      }),
    )
    for (let time = 0; time < 4; time++) await programs[time % 2]?.raw('/api/media/gallery')
    for (const program of programs) late.push(await program.raw('/api/media/gallery'))
    for (const response of late) {
      expect([response.status, response.headers.get('ratelimit-remaining')]).toEqual([429, '0'])
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    for (const odd of [`${path}/content/`, '/api/media/GALLERY', `/api/media//gallery`, '/API/media/gallery'])
      expect([404, 429]).toContain((await ann.raw(odd)).status)
    for (let time = 0; time < 10; time++) expect((await ann.raw(`${path}/thumbnail`)).status).toBe(200)
    expect((await ann.raw(path)).status).toBe(200)
  })

  test('to make something are counted together, whatever it is, and so are questions about films', async () => {
    const named = { model: 'any', pluginId: 'any', prompt: 'A boat' }
    const post = (path: string, body: object) =>
      ann.raw(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
    const makings = [
      () => post('/api/media/video/generate', named),
      () => post('/api/media/audio/generate', { model: 'any', pluginId: 'any', input: 'A boat' }),
      () => post('/api/media/sound/generate', named),
      () => post('/api/image-gen/generate', named),
      () => post('/api/media/image/generate', named),
      () => post('/api/media/image/variations', { mediaId: 'any' }),
      () => post('/api/media/image/edit', {}),
      () => post('/api/chat/sessions/any/makings', {}),
    ]
    const statuses: number[] = []
    for (const make of makings) statuses.push((await make()).status)
    expect(statuses.slice(0, 4)).not.toContain(429)
    expect(statuses.slice(4)).toEqual([429, 429, 429, 429])
    const jobs = '/api/media/video/jobs'
    for (const path of [jobs, `${jobs}/any`, `${jobs}?active=true`, `${jobs}/none`])
      expect((await ann.raw(path)).headers.get('ratelimit-limit')).toBe('4')
    for (const [path, method] of [
      [jobs, 'GET'],
      [`${jobs}/any`, 'GET'],
      [`${jobs}/any`, 'DELETE'],
      [`${jobs}/any/resume`, 'POST'],
    ])
      expect((await ann.raw(path ?? '', { method: method ?? '' })).status).toBe(429)
  })
})
