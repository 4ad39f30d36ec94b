import { accessRoutes } from '@atrium/contract/access'
import { accountsRoutes } from '@atrium/contract/accounts'
import { type Attachment, chatRoutes } from '@atrium/contract/chat'
import { connectionsRoutes } from '@atrium/contract/connections'
import { accountDataRoutes } from '@atrium/contract/account-data'
import { settingsRoutes } from '@atrium/contract/settings'
import { mediaGalleryRoutes } from '@atrium/contract/media-gallery'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { drawnBy } from '../../../../../e2e/provider/pictures.ts'
import { collect, until } from '../../../testing/chats.ts'
import type { Client } from '../../../testing/client.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { type Provider, startProvider } from '../../../../../e2e/provider/provider.ts'

const painters = [
  'painter',
  'painter-2',
  'painter-avif',
  'painter-svg',
  'painter-page',
  'painter-huge',
  'painter-broken',
]
const endpoints = {
  'chat-completions': '/v1/chat/completions',
  responses: '/v1/responses',
  gemini: '/v1beta/models/{model}:generateContent',
} as const
type DrawingWire = keyof typeof endpoints
const wires = Object.keys(endpoints) as DrawingWire[]

/** How a PNG begins. */
const base64 = /iVBORw0KGgo/

describe('a model that draws in its answers', () => {
  let app: TestApp
  let provider: Provider
  let ann: Client
  const models = [...painters, 'echo']
  beforeAll(async () => {
    provider = await startProvider()
    app = await startTestApp({ env: { OLLAMA_BASE_URL: provider.url, OUTBOUND_ALLOW: provider.address } })
    ann = await app.signUpAdmin()
    for (const wire of wires) {
      const endpoint = provider.url + endpoints[wire]
      const auth = { header: 'Authorization', prefix: 'Bearer ', key_env: 'TEST_KEY' }
      const image = { endpoint, model_map: ['painter-only'], config: { draws_in_chat: { [wire]: painters } } }
      const body = { id: wire, name: wire, type: 'completion', endpoint, auth, model_map: models } as const
      const mode = wire === 'responses' ? ({ api_mode: 'responses' } as const) : {}
      await ann.call(connectionsRoutes.installPlugin, { body: { ...body, ...mode, capabilities: { image } } })
      await ann.call(connectionsRoutes.saveKey, { params: { id: wire }, body: { apiKey: 'key' } })
      await ann.call(connectionsRoutes.activate, { params: { id: wire } })
    }
  })
  afterAll(async () => {
    await app.close()
    await provider.close()
  })
  beforeEach(() => provider.control({ reset: true, models, strict: true }))

  const begin = async (wire: DrawingWire, model = 'painter', more = {}) => {
    const selection = { providerType: 'plugin' as const, providerId: wire, model }
    return (await ann.call(chatRoutes.create, { body: { selection, ...more } })).id
  }
  const ask = (sessionId: string, message = 'A red fox') =>
    collect(ann.follow(chatRoutes.generateStream, { params: { sessionId }, body: { message } }))
  const lastOf = (frames: Awaited<ReturnType<typeof ask>>) => {
    const last = frames.at(-1)?.event
    if (last === undefined || !('message' in last.data) || !last.data.message) throw new Error('no message came')
    return last.data.message
  }
  const drawn = (frames: Awaited<ReturnType<typeof ask>>) =>
    frames.flatMap(({ event }) => (event.type === 'attachment' ? [event.data] : []))
  const bytesOf = async ({ id }: Pick<Attachment, 'id'>) =>
    Buffer.from(await (await ann.answer(chatRoutes.attachmentContent, { params: { attachmentId: id } })).arrayBuffer())
  const gallery = async (chatId: string) =>
    (await ann.call(mediaGalleryRoutes.list, { query: {} })).items.filter((item) => item.chatId === chatId)

  test.each(wires)('has its pictures kept as files of the answer, and in the gallery, over %s', async (wire) => {
    const id = await begin(wire, 'painter-2')
    const frames = await ask(id)
    const message = lastOf(frames)
    expect(message).toMatchObject({ status: 'complete', content: expect.stringContaining('You said: A red fox') })
    expect(message.attachments).toMatchObject([
      { name: 'A red fox.png', kind: 'image', mediaType: 'image/png', width: 96, height: 64 },
      { name: 'A red fox 2.png' },
    ])
    const [first, second] = drawnBy('painter-2')
    const pictures = await Promise.all(message.attachments.map(bytesOf))
    expect(pictures.map((picture) => picture.equals(first?.whole ?? pictures[1] ?? picture))).toEqual([true, false])
    expect(pictures[1]?.equals(second?.whole ?? Buffer.alloc(0))).toBe(true)
    const told = drawn(frames)
    expect(told.filter(({ partial }) => !partial).map(({ place }) => place)).toEqual([0, 1])
    expect(told.filter(({ partial }) => partial)).toHaveLength({ 'chat-completions': 0, responses: 4, gemini: 2 }[wire])
    expect(JSON.stringify(frames)).not.toMatch(base64)
    const read = await ann.call(chatRoutes.read, { params: { sessionId: id } })
    expect(read.messages.items.at(-1)?.attachments).toEqual(message.attachments)
    expect(JSON.stringify(read)).not.toMatch(base64)
    expect(await gallery(id)).toMatchObject([
      { kind: 'image', prompt: 'A red fox', model: 'painter-2', pluginId: wire },
      { kind: 'image', width: 96 },
    ])
  })

  test.each(wires)('sees what it drew with the next question, over %s', async (wire) => {
    const id = await begin(wire)
    await ask(id)
    const second = lastOf(await ask(id, 'Make it blue'))
    expect(second.content).toContain('I see 1 image.')
    expect(second.attachments).toHaveLength(1)
  })

  test('is listed among the models to talk to, and others are not asked for pictures', async () => {
    const { items } = await ann.call(connectionsRoutes.models, {})
    const listed = items.filter(({ selection }) => selection.providerId === 'gemini').map(({ name }) => name)
    expect(listed).toEqual(expect.arrayContaining(['painter', 'echo']))
    expect(listed).not.toContain('painter-only')
    await ask(await begin('gemini', 'echo'))
    expect(JSON.stringify(provider.requests.at(-1)?.body)).not.toContain('IMAGE')
  })

  test.each(['painter-svg', 'painter-page', 'painter-huge', 'painter-broken'])(
    'keeps the words, and nothing of what is no picture (%s), and says so',
    async (model) => {
      for (const wire of wires) {
        const id = await begin(wire, model)
        const frames = await ask(id)
        const message = {
          status: 'complete',
          content: expect.stringContaining('You said: A red fox'),
          attachments: [],
          lostPictures: 1,
        }
        expect(lastOf(frames)).toMatchObject(message)
        expect(await gallery(id)).toEqual([])
      }
    },
  )

  test.each(wires)('keeps an AVIF, and tells a later model of it in words, over %s', async (wire) => {
    const id = await begin(wire, 'painter-avif')
    const message = lastOf(await ask(id))
    expect(message).toMatchObject({ status: 'complete', lostPictures: 0 })
    const [kept] = message.attachments
    expect(kept).toMatchObject({ name: 'A red fox.avif', kind: 'image', mediaType: 'image/avif', width: 64 })
    const [drawn] = drawnBy('painter-avif')
    expect((await bytesOf({ id: kept?.id ?? '' })).equals(drawn?.whole ?? Buffer.alloc(0))).toBe(true)
    expect(await gallery(id)).toMatchObject([{ mimeType: 'image/avif' }])
    expect(lastOf(await ask(id, 'Make it blue')).content).not.toContain('I see')
    const again = { params: { sessionId: id }, body: { message: 'What is it?', attachmentIds: [kept?.id ?? ''] } }
    const asked = await ann.call(chatRoutes.generate, again)
    expect(asked.content).toContain('The image "A red fox.avif" is attached, but you cannot see it.')
    expect(asked.content).not.toContain('I see')
    const make = { kind: 'image', model: 'painter-only', pluginId: wire } as const
    const body = { message: 'Make it red', attachmentIds: [kept?.id ?? ''], make }
    await ann.call(chatRoutes.startMaking, { params: { sessionId: id }, body })
    const read = async () => (await ann.call(chatRoutes.read, { params: { sessionId: id } })).messages.items.at(-1)
    await until(async () => (await read())?.status === 'failed')
    expect((await read())?.failure?.detail).toContain('takes PNG, JPEG and WebP, and this image is AVIF')
  })

  test('has its pictures kept past the quota of an account that had room, and the next answer says that none was', async () => {
    const setQuota = (storageQuotaBytes: number) =>
      ann.call(settingsRoutes.updateInstance, { body: { storageQuotaBytes } })
    const used = async () => (await ann.call(accountDataRoutes.ownStorage, {})).usedBytes
    try {
      await setQuota((await used()) + 1)
      const id = await begin('chat-completions', 'painter-2')
      const first = lastOf(await ask(id))
      expect(first).toMatchObject({ lostPictures: 0, attachments: [{ kind: 'image' }, { kind: 'image' }] })
      const second = lastOf(await ask(id))
      expect(second).toMatchObject({ status: 'complete', lostPictures: 2, attachments: [] })
    } finally {
      await setQuota(0)
    }
  })

  test('leaves the draft of a picture where it is stopped', async () => {
    const id = await begin('responses')
    // Its words are nine tokens, and the first draft is the next.
    provider.control({ fault: 'stall', after: 10 })
    const { assistantMessage } = await ann.call(chatRoutes.startGeneration, {
      params: { sessionId: id },
      body: { message: 'A red fox' },
    })
    const read = async () => (await ann.call(chatRoutes.read, { params: { sessionId: id } })).messages.items.at(-1)
    await until(async () => (await read())?.attachments.length === 1)
    const params = { sessionId: id, assistantMessageId: assistantMessage.id }
    const { message } = await ann.call(chatRoutes.cancel, { params })
    expect(message).toMatchObject({ status: 'cancelled', attachments: [{ width: 48, height: 32 }] })
    expect(await gallery(id)).toEqual([])
  })

  test('shows its pictures to readers of a shared chat, and in exports', async () => {
    const bob = await app.signUpUser()
    const id = await begin('gemini')
    const [picture] = lastOf(await ask(id)).attachments
    if (!picture) throw new Error('nothing was drawn')
    const sent = { params: { sessionId: id, attachmentId: picture.id } }
    expect((await bob.refusal(chatRoutes.sentAttachment, sent)).code).toBe('chat_not_found')
    const { id: principalId } = await bob.call(accountsRoutes.me, {})
    const grant = {
      resourceType: 'chat',
      resourceId: id,
      principalType: 'account',
      right: 'read',
      principalId,
    } as const
    await ann.call(accessRoutes.grant, { body: grant })
    const shared = await bob.call(chatRoutes.read, { params: { sessionId: id } })
    expect(shared.messages.items.at(-1)?.attachments).toEqual([picture])
    expect((await bob.answer(chatRoutes.sentAttachment, sent)).headers.get('content-type')).toBe('image/png')
    const save = async (format: 'markdown' | 'html' | 'json') =>
      await (await ann.answer(chatRoutes.export, { params: { sessionId: id }, query: { format } })).text()
    expect(await save('html')).toMatch(/<img alt="A red fox\.png" src="data:image\/png;base64,iVBORw0KGgo/)
    expect(await save('markdown')).toContain('📎 A red fox.png')
    expect(await save('json')).toContain(picture?.id)
  })

  test('puts nothing of a temporary chat in the gallery', async () => {
    const id = await begin('gemini', 'painter', { temporary: true })
    expect(lastOf(await ask(id)).attachments).toHaveLength(1)
    expect(await gallery(id)).toEqual([])
  })
})
