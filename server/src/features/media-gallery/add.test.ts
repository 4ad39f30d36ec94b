import { expect, test } from 'vitest'
import { createSearchIndexes } from '../../platform/db/search/index.ts'
import { createFiles } from '../../platform/files/files.ts'
import { createLog } from '../../platform/log/log.ts'
import { openVault } from '../../platform/vault/vault.ts'
import { migrations } from '../../app/areas.ts'
import { realClock } from '../../testing/clock.ts'
import { onBothDatabases, type Open } from '../../testing/databases.ts'
import { samplePng } from '../../testing/sample-pictures.ts'
import { createMediaGallery, type MediaGalleryDeps, type NewItem } from './index.ts'
import type { MediaTables } from './tables.ts'

const begin = async (open: Open, more: Partial<MediaGalleryDeps> = {}) => {
  const database = await open(migrations)
  const vault = await openVault({ database, instanceKey: Buffer.alloc(32, 5), clock: realClock })
  const files = createFiles({ database, vault, clock: realClock })
  const told: string[] = []
  const { api, handlers } = createMediaGallery({
    database,
    vault,
    files,
    clock: realClock,
    log: createLog({ level: 'silent', write: () => undefined }),
    indexes: createSearchIndexes({ database, vault }),
    announce: async (accountId, { type }) => void told.push(`${accountId} ${type}`),
    galleryQuotaBytes: 0,
    accountQuotaBytes: async () => 0,
    ...more,
  })
  return { api, database, files, handlers, told }
}
const made = { kind: 'image', prompt: 'A red tram', model: 'dall-e', pluginId: 'openai' } as const

/** One second of silence, as it would arrive. */
async function* wav(pieces = 8): AsyncIterable<Uint8Array> {
  const head = Buffer.from(
    '524946460000000057415645666d7420100000000100010040 1f0000803e000002001000'.replaceAll(' ', ''),
    'hex',
  )
  const length = Buffer.alloc(8)
  length.write('data', 'latin1')
  length.writeUInt32LE(16_000, 4)
  yield Buffer.concat([head, length])
  for (let piece = 0; piece < pieces; piece++) yield Buffer.alloc(2000)
}

onBothDatabases('what is made', (open) => {
  test('is not kept where it has more pixels than can be shown', async () => {
    const { api, database, told } = await begin(open)
    const content = Buffer.from(samplePng(4, 3))
    content.writeUInt32BE(50_000, 16)
    content.writeUInt32BE(50_000, 20)
    await expect(api.addItem('ada', { ...made, content })).rejects.toMatchObject({ code: 'too_large' })
    expect(await database.tables<MediaTables>().selectFrom('media_items').select('id').execute()).toEqual([])
    expect(told).toEqual([])
  })

  test('is kept with what it was made with and from, called after its prompt', async () => {
    const { api, told } = await begin(open)
    const first = await api.addItem('ada', { ...made, content: samplePng(4, 3) })
    const prompt = `${'A long walk through Lisbon in the rain '.repeat(5)}\nwith a tram`
    const second = await api.addItem('ada', {
      ...made,
      content: samplePng(4, 3),
      prompt,
      options: { size: '1024x1024', seed: 7 },
      sources: [first.id, 'another’s'],
      metadata: { edit: { maskUsed: true } },
      chatId: 'chat-1',
    })
    expect(second).toMatchObject({
      prompt,
      title: expect.stringMatching(/^A long walk .*…$/),
      model: 'dall-e',
      pluginId: 'openai',
      options: { size: '1024x1024', seed: 7 },
      sources: [first.id],
      metadata: { edit: { maskUsed: true } },
      chatId: 'chat-1',
    })
    expect(told).toEqual(['ada media-changed', 'ada media-changed'])
  })

  test('is kept byte for byte, with what its maker says of where it is from', async () => {
    const { api, handlers } = await begin(open)
    const content = samplePng(4, 3, { more: [['caBX', Buffer.from('content credentials')]] })
    const { id } = await api.addItem('ada', { ...made, content })
    const asked = { params: { mediaId: id }, query: { download: '0' } } as never
    const { body } = await handlers.content(asked, { resource: { ownerId: 'ada' } } as never)
    if (!('read' in body)) throw new Error('it is no file')
    const pieces: Uint8Array[] = []
    for await (const piece of body.read(0, content.byteLength)) pieces.push(piece)
    expect(Buffer.concat(pieces).equals(content)).toBe(true)
  })

  test('is kept as it arrives, and measured', async () => {
    const { api, files } = await begin(open)
    const item = await api.addItem('ada', { ...made, kind: 'audio', content: wav() })
    expect(item).toMatchObject({ mimeType: 'audio/wav', durationMs: 1000, bytes: 16_044, thumbnail: null })
    expect(await files.count('ada')).toBe(1)
  })

  test('leaves nothing behind where it is of another type, too large, or breaks off', async () => {
    const { api, files, told } = await begin(open)
    const page = Buffer.from('<!doctype html><script>alert(1)</script>')
    async function* broken() {
      yield* wav(2)
      throw new Error('The provider went away.')
    }
    async function* endless() {
      yield samplePng(4, 3)
      while (true) yield Buffer.alloc(1_000_000)
    }
    const add = (more: Partial<NewItem>) => api.addItem('ada', { ...made, content: page, ...more })
    await expect(add({})).rejects.toMatchObject({ code: 'media_type_not_allowed' })
    await expect(add({ kind: 'video', content: wav() })).rejects.toMatchObject({ code: 'media_type_not_allowed' })
    await expect(add({ content: new Uint8Array() })).rejects.toMatchObject({ code: 'media_type_not_allowed' })
    await expect(add({ kind: 'audio', content: broken() })).rejects.toThrow('The provider went away.')
    const full = await begin(open)
    await expect(full.api.addItem('ada', { ...made, content: endless() })).rejects.toMatchObject({
      code: 'too_large',
    })
    expect([await files.count('ada'), await full.files.count('ada')]).toEqual([0, 0])
    expect(told).toEqual([])
  })
})

onBothDatabases('what is stored', (open) => {
  test('is given as what it is, or not at all', async () => {
    const { api, database, handlers } = await begin(open)
    const { id } = await api.addItem('ada', { ...made, content: samplePng(4, 3) })
    const content = (ownerId = 'ada') =>
      handlers.content(
        { params: { mediaId: id }, query: { download: '0' } } as never,
        { resource: { ownerId } } as never,
      )
    expect(await content()).toMatchObject({ mediaType: 'image/png', disposition: 'inline' })
    await expect(content('bob')).rejects.toMatchObject({ code: 'media_not_found' })
    for (const mime_type of ['text/html', 'image/svg+xml', 'video/mp4', 'IMAGE/PNG']) {
      await database.tables<MediaTables>().updateTable('media_items').set({ mime_type }).execute()
      await expect(content()).rejects.toMatchObject({ code: 'media_type_not_allowed' })
    }
  })

  test('gets a thumbnail from the page where it is a film, made anew, and only the newest is kept', async () => {
    const { api, files, handlers } = await begin(open)
    const film = Buffer.concat([Buffer.from('\0\0\0\x10ftypisom\0\0\0\0', 'latin1'), Buffer.alloc(100)])
    const { id, thumbnail } = await api.addItem('ada', { ...made, kind: 'video', content: film })
    expect(thumbnail).toBeNull()
    const context = { resource: { ownerId: 'ada' }, signal: new AbortController().signal } as never
    const send = (bytes: Uint8Array) =>
      handlers.setPoster({ params: { mediaId: id }, file: { bytes: async () => bytes } } as never, context)
    await expect(send(Buffer.from('<svg/>'))).rejects.toMatchObject({ code: 'media_unsupported' })
    for (const width of [640, 800])
      expect(await send(samplePng(width, 360))).toMatchObject({ thumbnail: `/api/media/gallery/${id}/thumbnail` })
    expect(await files.count('ada')).toBe(2)
    const small = await handlers.thumbnail({ params: { mediaId: id } } as never, context)
    expect(small.mediaType).toBe('image/webp')
  })
})

onBothDatabases('room in a gallery', (open) => {
  test('is asked for before anybody is paid, and what was paid for is kept all the same', async () => {
    const { api } = await begin(open, { galleryQuotaBytes: 20_000 })
    await api.checkRoom('ada')
    await api.addItem('ada', { ...made, kind: 'audio', content: wav() })
    await api.checkRoom('ada')
    await api.addItem('ada', { ...made, kind: 'audio', content: wav() })
    await expect(api.checkRoom('ada')).rejects.toMatchObject({ code: 'quota_full' })
    await api.checkRoom('bob')
  })
})
