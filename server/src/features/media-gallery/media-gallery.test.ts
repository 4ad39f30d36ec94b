import { mediaGalleryRoutes as routes } from '@atrium/contract/media-gallery'
import { searchRoutes } from '@atrium/contract/search'
import { systemRoutes } from '@atrium/contract/system'
import { trashRoutes } from '@atrium/contract/trash'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readPictureFacts } from '../../platform/pictures/index.ts'
import { type TestApp, startTestApp } from '../../testing/app.ts'
import type { Client } from '../../testing/client.ts'
import { usualDialects } from '../../testing/databases.ts'
import { samplePng } from '../../testing/sample-pictures.ts'

const at = (mediaId: string) => ({ params: { mediaId } })
const upload = (client: Client, name = 'tram.png', bytes = samplePng(4, 3)) =>
  client.call(routes.upload, { query: { name }, file: new Blob([bytes], { type: 'image/png' }) })
const rawUpload = (client: Client, bytes: Uint8Array<ArrayBuffer> | string) =>
  client.refusal(routes.upload, { query: { name: 'x.png' }, file: new Blob([bytes], { type: 'image/png' }) })

describe.each(usualDialects)('the gallery (%s)', (dialect) => {
  let app: TestApp
  let ann: Client
  let ben: Client
  beforeAll(async () => {
    app = await startTestApp({ dialect })
    await app.signUpAdmin()
    ann = await app.signUpUser('ann')
    ben = await app.signUpUser('ben')
  })
  afterAll(() => app?.close())

  test('keeps an uploaded picture, measured and without bytes in the answer', async () => {
    const bytes = samplePng(4, 3)
    const item = await upload(ann, 'My tram.png', bytes)
    expect(item).toEqual({
      id: expect.any(String),
      kind: 'image',
      title: 'My tram',
      prompt: '',
      model: null,
      pluginId: null,
      mediaData: `/api/media/gallery/${item.id}/content`,
      thumbnail: `/api/media/gallery/${item.id}/thumbnail`,
      mimeType: 'image/png',
      bytes: bytes.byteLength,
      width: 4,
      height: 3,
      durationMs: null,
      favourite: false,
      albumIds: [],
      alt: '',
      options: {},
      sources: [],
      metadata: { upload: true },
      chatId: null,
      createdAt: expect.any(String),
      deletedAt: null,
    })
    expect(await ann.call(routes.read, at(item.id))).toEqual(item)
    const blob = await ann.call(routes.content, at(item.id))
    expect(new Uint8Array(await blob.arrayBuffer())).toEqual(bytes)
  })

  test('makes a small picture of a large one', async () => {
    const large = samplePng(1600, 1200)
    const { id, width, height, thumbnail } = await upload(ann, 'Large.png', large)
    expect([width, height, thumbnail]).toEqual([1600, 1200, `/api/media/gallery/${id}/thumbnail`])
    const small = await ann.call(routes.thumbnail, at(id))
    expect(small.type).toBe('image/webp')
    const bytes = new Uint8Array(await small.arrayBuffer())
    expect(readPictureFacts(bytes)).toMatchObject({ mediaType: 'image/webp', width: 512, height: 384 })
  })

  test('lists by time, page by page in both orders, by kind, favourite, day and words', async () => {
    const owner = await app.signUpUser()
    for (const name of ['First.png', 'Second.png', 'Third.png']) await upload(owner, name)
    const titles = async (query: object) => {
      const all: string[] = []
      for (let cursor: string | undefined; ; ) {
        const page = await owner.call(routes.list, { query: { limit: 2, cursor, ...query } })
        all.push(...page.items.map(({ title }) => title))
        if (page.nextCursor === null) return all
        cursor = page.nextCursor
      }
    }
    const [third] = (await owner.call(routes.list, {})).items
    if (!third) throw new Error('Nothing is listed.')
    await owner.call(routes.update, { ...at(third.id), body: { favourite: true, alt: 'A tram', title: 'Last tram' } })
    expect(await titles({})).toEqual(['Last tram', 'Second', 'First'])
    expect(await titles({ sort: 'oldest' })).toEqual(['First', 'Second', 'Last tram'])
    expect(await titles({ favourite: 'true' })).toEqual(['Last tram'])
    expect(await titles({ favourite: 'false' })).toEqual(['Second', 'First'])
    expect(await titles({ kind: 'video' })).toEqual([])
    expect(await titles({ model: 'dall-e' })).toEqual([])
    expect(await titles({ q: 'tra' })).toEqual(['Last tram'])
    expect(await titles({ q: 'third' })).toEqual([])
    expect(await titles({ to: third.createdAt })).not.toContain('Last tram')
    expect(await titles({ from: third.createdAt })).toContain('Last tram')
    expect(await owner.refusal(routes.list, { query: { cursor: 'x' } })).toMatchObject({ code: 'bad_cursor' })
  })

  test('gives bytes in ranges, under a policy that lets nothing run, and as a file with a name', async () => {
    const bytes = samplePng(40, 30)
    const { id } = await upload(ann, 'ملف 😀 of "trams".png', bytes)
    const whole = await ann.answer(routes.content, at(id))
    expect(whole.headers.get('content-type')).toBe('image/png')
    expect(whole.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    expect(whole.headers.get('x-content-type-options')).toBe('nosniff')
    expect(whole.headers.get('cache-control')).toBe('private, max-age=300')
    expect(whole.headers.get('accept-ranges')).toBe('bytes')
    expect(whole.headers.get('content-disposition')).toMatch(/^inline/)
    await whole.body?.cancel()
    const part = await ann.raw(`/api/media/gallery/${id}/content`, { headers: { range: 'bytes=5-9' } })
    expect(part.status).toBe(206)
    expect(part.headers.get('content-range')).toBe(`bytes 5-9/${bytes.byteLength}`)
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(bytes.subarray(5, 10))
    const beyond = await ann.raw(`/api/media/gallery/${id}/content`, { headers: { range: 'bytes=999999-' } })
    expect(beyond.status).toBe(416)
    expect(await beyond.json()).toMatchObject({ code: 'range_not_satisfiable' })
    const file = await ann.answer(routes.content, { ...at(id), query: { download: '1' } })
    await file.body?.cancel()
    expect(decodeURIComponent(file.headers.get('content-disposition') ?? '')).toMatch(
      /^attachment; .*UTF-8''ملف 😀 of trams\.png$/,
    )
  })

  test('is found by what it is called, and opened by nobody else', async () => {
    const { id } = await upload(ann, 'Quokka.png')
    const found = async (client: Client, q: string) =>
      (await client.call(searchRoutes.everything, { query: { q } })).items.map((hit) => hit.id)
    for (const q of ['quokka', 'quokka in:gallery', 'quokka has:image', 'quok'])
      expect(await found(ann, q)).toEqual([id])
    for (const q of ['quokka has:video', 'quokka in:chats', 'quokka has:image has:video', 'quokka from:me'])
      expect(await found(ann, q)).toEqual([])
    expect(await found(ann, 'in:gallery')).toContain(id)
    expect(await found(ben, 'quokka')).toEqual([])
    for (const [route, more] of [
      [routes.read, {}],
      [routes.content, {}],
      [routes.thumbnail, {}],
      [routes.remove, {}],
      [routes.update, { body: { title: 'Mine' } }],
    ] as const)
      expect(await ben.refusal(route, { ...at(id), ...more } as never)).toMatchObject({ code: 'media_not_found' })
  })

  test('waits in the trash, where its owner still sees what it was', async () => {
    const owner = await app.signUpUser()
    const { id } = await upload(owner, 'Gone.png')
    await owner.call(routes.remove, at(id))
    for (const route of [routes.read, routes.content, routes.remove])
      expect(await owner.refusal(route, at(id))).toMatchObject({ code: 'media_not_found' })
    const { items } = await owner.call(routes.list, { query: { trash: 'true' } })
    expect(items).toMatchObject([{ id, deletedAt: expect.any(String) }])
    expect((await owner.call(routes.list, { query: { trash: 'true', q: 'gone' } })).items).toHaveLength(1)
    expect((await owner.call(routes.thumbnail, at(id))).size).toBeGreaterThan(0)
    await owner.call(trashRoutes.restore, { params: { id } })
    expect((await owner.call(routes.list, {})).items).toMatchObject([{ id, deletedAt: null }])
    await owner.call(routes.remove, at(id))
    await owner.call(trashRoutes.remove, { params: { id } })
    expect(await owner.refusal(routes.thumbnail, at(id))).toMatchObject({ code: 'media_not_found' })
  })

  test('tells open pages of every change', async () => {
    const owner = await app.signUpUser()
    const { id } = await upload(owner)
    await owner.call(routes.update, { ...at(id), body: { favourite: true } })
    await owner.call(routes.remove, at(id))
    await owner.call(trashRoutes.restore, { params: { id } })
    let changes = 0
    for await (const { event } of owner.follow(systemRoutes.events, { query: { after: 0 } })) {
      if (event.type === 'media-changed') changes += 1
      if (changes === 4) break
    }
    expect(changes).toBe(4)
  })

  test('takes pictures by their bytes alone: no page, no drawing that runs, nothing too large or cut off', async () => {
    const refused = async (bytes: Uint8Array<ArrayBuffer> | string) => (await rawUpload(ann, bytes)).code
    const before = (await ann.call(routes.list, {})).items.length
    expect(await refused('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')).toBe('media_unsupported')
    expect(await refused('<!doctype html><script>alert(1)</script>')).toBe('media_unsupported')
    expect(await refused('')).toBe('media_unsupported')
    expect(await refused(samplePng(4, 3, { says: { width: 50_000, height: 50_000 } }))).toBe('media_too_complex')
    expect(await refused(samplePng(4, 3).subarray(0, 50))).toBe('media_damaged')
    expect((await ann.call(routes.list, {})).items).toHaveLength(before)
  })

  test('keeps nothing of what a camera writes into a picture', async () => {
    const told = samplePng(4, 3, { more: [['tEXt', Buffer.from('Comment\0taken at GPS 48.2')]] })
    const { id } = await upload(ann, 'x.png', told)
    const kept = Buffer.from(await (await ann.call(routes.content, at(id))).arrayBuffer()).toString('latin1')
    expect(kept).not.toContain('GPS')
  })
})
