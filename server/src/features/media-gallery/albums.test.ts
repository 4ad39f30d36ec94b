import { mediaGalleryRoutes as routes } from '@atrium/contract/media-gallery'
import { searchRoutes } from '@atrium/contract/search'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../../testing/app.ts'
import type { Client } from '../../testing/client.ts'
import { usualDialects } from '../../testing/databases.ts'
import { samplePng } from '../../testing/sample-pictures.ts'

const size = samplePng(4, 3).byteLength

describe.each(usualDialects)('albums and many items at once (%s)', (dialect) => {
  let app: TestApp
  let ann: Client
  let ben: Client
  beforeAll(async () => {
    app = await startTestApp({ dialect, env: { MEDIA_QUOTA_MB: '1' } })
    await app.signUpAdmin()
    ann = await app.signUpUser('ann')
    ben = await app.signUpUser('ben')
  })
  afterAll(() => app?.close())

  const upload = async (client: Client, name: string, bytes = samplePng(4, 3)) => {
    const file = new Blob([bytes], { type: 'image/png' })
    return (await client.call(routes.upload, { query: { name: `${name}.png` }, file })).id
  }
  const at = (albumId: string) => ({ params: { albumId } })
  const inOrder = async (client: Client, albumId: string) => {
    const titles: string[] = []
    for (let cursor: string | undefined; ; ) {
      const query = { albumId, sort: 'album', limit: 2, cursor } as const
      const page = await client.call(routes.list, { query })
      titles.push(...page.items.map(({ title }) => title))
      if (page.nextCursor === null) return titles
      cursor = page.nextCursor
    }
  }

  test('an album has an order of its own, a cover, and is found by its name with what is in it', async () => {
    const [one, two, three] = [await upload(ann, 'One'), await upload(ann, 'Two'), await upload(ann, 'Three')]
    const album = await ann.call(routes.createAlbum, { body: { name: 'Wombats', mediaIds: [one, two, one] } })
    expect(album).toMatchObject({
      name: 'Wombats',
      count: 2,
      coverId: one,
      thumbnail: `/api/media/gallery/${one}/thumbnail`,
    })
    await ann.call(routes.placeInAlbum, { ...at(album.id), body: { mediaIds: [three], before: two } })
    expect(await inOrder(ann, album.id)).toEqual(['One', 'Three', 'Two'])
    await ann.call(routes.placeInAlbum, { ...at(album.id), body: { mediaIds: [two, one] } })
    expect(await inOrder(ann, album.id)).toEqual(['Three', 'Two', 'One'])
    expect(await ann.call(routes.updateAlbum, { ...at(album.id), body: { coverId: two } })).toMatchObject({
      coverId: two,
    })
    expect((await ann.call(routes.list, { query: { albumId: album.id } })).items[0]).toMatchObject({
      albumIds: [album.id],
    })
    expect((await ann.call(routes.list, { query: { q: 'wombats' } })).items).toHaveLength(3)
    const hits = async (q: string) =>
      (await ann.call(searchRoutes.everything, { query: { q } })).items.map(({ title }) => title)
    expect((await hits('wombats')).toSorted()).toEqual(['One', 'Three', 'Two'])
    expect(await hits('in:Wombats two')).toEqual(['Two'])

    await ann.call(routes.remove, { params: { mediaId: two } })
    expect(await ann.call(routes.readAlbum, at(album.id))).toMatchObject({ count: 2, coverId: three })
    await ann.call(routes.takeFromAlbum, { ...at(album.id), body: { mediaIds: [three] } })
    expect(await inOrder(ann, album.id)).toEqual(['One'])
    await ann.call(routes.removeAlbum, at(album.id))
    expect(await ann.call(routes.read, { params: { mediaId: one } })).toMatchObject({ albumIds: [] })
    expect(await hits('wombats')).toEqual([])
  })

  test('albums are put in order, and an item into some of them', async () => {
    const make = async (name: string) => (await ben.call(routes.createAlbum, { body: { name } })).id
    const [a, b, c] = [await make('A'), await make('B'), await make('C')]
    await ben.call(routes.orderAlbums, { body: { albumIds: [c, a] } })
    expect((await ben.call(routes.albums, {})).items.map(({ name }) => name)).toEqual(['C', 'A', 'B'])
    const mediaId = await upload(ben, 'In two')
    const put = (albumIds: string[]) => ben.call(routes.update, { params: { mediaId }, body: { albumIds } })
    expect(await put([a, b])).toMatchObject({ albumIds: [a, b] })
    expect(await put([b, c])).toMatchObject({ albumIds: [c, b] })
    expect(await put([])).toMatchObject({ albumIds: [] })
  })

  test('ids of another account are refused in every field', async () => {
    const mine = await upload(ben, 'Mine')
    const { id: album } = await ben.call(routes.createAlbum, { body: { name: 'Mine', mediaIds: [mine] } })
    const theirs = await upload(ann, 'Theirs')
    const { id: own } = await ann.call(routes.createAlbum, { body: { name: 'Own' } })
    const refusals = await Promise.all([
      ann.refusal(routes.createAlbum, { body: { name: 'X', mediaIds: [theirs, mine] } }),
      ann.refusal(routes.placeInAlbum, { ...at(own), body: { mediaIds: [mine] } }),
      ann.refusal(routes.updateAlbum, { ...at(own), body: { coverId: mine } }),
      ann.refusal(routes.orderAlbums, { body: { albumIds: [own, album] } }),
      ann.refusal(routes.update, { params: { mediaId: theirs }, body: { albumIds: [album] } }),
      ann.refusal(routes.list, { query: { albumId: album } }),
      ann.refusal(routes.batch, { body: { mediaIds: [theirs], addToAlbumId: album } }),
      ann.refusal(routes.archive, { query: { albumId: album } }),
      ann.refusal(routes.archive, { query: { ids: `${theirs},${mine}` } }),
    ])
    for (const { status, code } of refusals) expect([status, code]).toEqual([404, expect.stringMatching(/_not_found$/)])
    const batch = { body: { mediaIds: [mine, theirs], favourite: true, deleted: true } }
    expect(await ann.call(routes.batch, batch)).toEqual({ changed: [theirs], missing: [mine] })
    expect(await ben.call(routes.read, { params: { mediaId: mine } })).toMatchObject({ favourite: false })
  })

  test('many are made favourites, filed, deleted and brought back at once', async () => {
    const owner = await app.signUpUser()
    const ids = [await upload(owner, 'One'), await upload(owner, 'Two')]
    const { id: album } = await owner.call(routes.createAlbum, { body: { name: 'Both' } })
    const change = (body: object) => owner.call(routes.batch, { body: { mediaIds: ids, ...body } })
    await change({ favourite: true, addToAlbumId: album })
    const shown = async (query: object) => (await owner.call(routes.list, { query })).items.length
    expect([await shown({ favourite: 'true' }), await shown({ albumId: album })]).toEqual([2, 2])
    await change({ deleted: true })
    expect([await shown({}), await shown({ trash: 'true' })]).toEqual([0, 2])
    await change({ deleted: false, removeFromAlbumId: album })
    expect([await shown({}), await shown({ trash: 'true' }), await shown({ albumId: album })]).toEqual([2, 0, 0])
  })

  test('are packed into one archive, each under its title', async () => {
    const owner = await app.signUpUser()
    const ids = [await upload(owner, 'One/..\\two'), await upload(owner, 'One/..\\two')]
    await upload(owner, 'Left out')
    const blob = await owner.call(routes.archive, { query: { ids: ids.join(',') } })
    const files = Object.entries(unzipSync(new Uint8Array(await blob.arrayBuffer())))
    expect(files.map(([, bytes]) => bytes.byteLength)).toEqual([size, size])
    for (const [name] of files) expect(name).toMatch(/^gallery\/[\w-]{8} One \.\. two\.png$/)
    const all = await owner.call(routes.archive, {})
    expect(Object.keys(unzipSync(new Uint8Array(await all.arrayBuffer())))).toHaveLength(3)
    expect(await ben.refusal(routes.archive, { query: { kind: 'video' } })).toMatchObject({ code: 'media_not_found' })
  })

  test('a full gallery says so before it is too late, and takes again what is deleted for good', async () => {
    const owner = await app.signUpUser()
    const noise = samplePng(4, 3, { more: [['ruIN', Buffer.alloc(600_000, 1)]] })
    const first = await upload(owner, 'Large', noise)
    const storage = await owner.call(routes.storage, {})
    expect(storage).toEqual({
      usedBytes: noise.byteLength,
      quotaBytes: 1_000_000,
      trashedBytes: 0,
      kinds: [{ kind: 'image', count: 1, bytes: noise.byteLength }],
    })
    const again = { query: { name: 'x.png' }, file: new Blob([noise], { type: 'image/png' }) }
    expect(await owner.refusal(routes.upload, again)).toMatchObject({ status: 413, code: 'quota_full' })
    await owner.call(routes.remove, { params: { mediaId: first } })
    expect(await owner.refusal(routes.upload, again)).toMatchObject({ code: 'quota_full' })
    expect((await owner.call(routes.storage, {})).trashedBytes).toBe(noise.byteLength)
  })
})
