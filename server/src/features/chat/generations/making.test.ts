import { accessRoutes } from '@atrium/contract/access'
import { accountsRoutes } from '@atrium/contract/accounts'
import { chatRoutes, type MadeKind } from '@atrium/contract/chat'
import { connectionsRoutes } from '@atrium/contract/connections'
import { mediaGalleryRoutes, mediaMakingRoutes } from '@atrium/contract/media-gallery'
import { settingsRoutes } from '@atrium/contract/settings'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../../../e2e/provider/provider.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { until } from '../../../testing/chats.ts'
import type { Client } from '../../../testing/client.ts'
import { samplePng } from '../../../testing/sample-pictures.ts'

describe('something made in a chat', () => {
  let app: TestApp
  let provider: Provider
  let ann: Client
  beforeAll(async () => {
    provider = await startProvider()
    app = await startTestApp({ env: { OLLAMA_BASE_URL: provider.url, OUTBOUND_ALLOW: provider.address } })
    ann = await app.signUpAdmin()
    const at = (path: string) => `${provider.url}${path}`
    const sizes = ['512x512', '1024x1024']
    const edits = {
      edit_endpoint: at('/v1/images/edits'),
      max_reference_images: 2,
      max_partial_images: 2,
      sizes,
      supports_mask: true,
    }
    const connect = async (id: string, config: Record<string, unknown>) => {
      const capabilities = {
        image: {
          endpoint: at('/v1/images/generations'),
          model_map: ['drawer', 'blocked', 'partly', 'stall-headers'],
          config,
        },
        tts: {
          endpoint: at('/v1/audio/speech'),
          model_map: ['loud-tts'],
          config: { formats: ['wav'], default_format: 'wav', voices: ['alloy', 'nova'] },
        },
        video: {
          endpoint: at('/v1/videos'),
          model_map: ['film', 'film-quick', 'film-blocked'],
          config: { durations: [4, 8] },
        },
      }
      const body = {
        id,
        name: id,
        type: 'completion' as const,
        endpoint: at('/v1/chat/completions'),
        model_map: ['echo'],
      }
      await ann.call(connectionsRoutes.installPlugin, {
        body: { ...body, auth: { header: '', key_env: '' }, capabilities },
      })
      await ann.call(connectionsRoutes.activate, { params: { id } })
    }
    await connect('box', edits)
    await connect('plain', {})
  })
  afterAll(async () => {
    await app.close()
    await provider.close()
  })
  beforeEach(() => provider.control({ reset: true }))

  const begin = async (more = {}) => (await ann.call(chatRoutes.create, { body: more })).id
  const start = (sessionId: string, kind: MadeKind, model: string, more = {}) =>
    ann.call(chatRoutes.startMaking, {
      params: { sessionId },
      body: { message: 'A boat at sea', make: { kind, model, pluginId: 'box' }, ...more },
    })
  const messages = async (sessionId: string, client = ann) =>
    (await client.call(chatRoutes.read, { params: { sessionId } })).messages.items
  const settled = async (sessionId: string) => {
    await until(async () => (await messages(sessionId)).at(-1)?.status !== 'running')
    const answer = (await messages(sessionId)).at(-1)
    if (!answer) throw new Error('there is no answer')
    return answer
  }
  const madeBy = async (jobId: string | null | undefined) =>
    (await ann.call(mediaGalleryRoutes.list, { query: { jobId: jobId ?? 'none' } })).items
  const attach = async () =>
    (
      await ann.call(chatRoutes.attach, {
        query: { name: 'pier.png' },
        file: new Blob([samplePng(4, 3)], { type: 'image/png' }),
      })
    ).id

  test('is a question and its answer, with the image as a file of it and in the gallery', async () => {
    const id = await begin()
    const { userMessage } = await start(id, 'image', 'drawer')
    expect(userMessage).toMatchObject({ role: 'user', content: 'A boat at sea' })
    const answer = await settled(id)
    expect(answer).toMatchObject({
      status: 'complete',
      content: '',
      making: { kind: 'image', model: 'drawer', pluginId: 'box' },
      selection: { providerType: 'plugin', providerId: 'box', model: 'drawer' },
      attachments: [{ name: 'A boat at sea.png', kind: 'image', mediaType: 'image/png' }],
    })
    expect(await madeBy(answer.making?.jobId)).toMatchObject([
      { kind: 'image', prompt: 'A boat at sea', chatId: id, model: 'drawer' },
    ])
    const chat = await ann.call(chatRoutes.read, { params: { sessionId: id } })
    expect(chat).toMatchObject({ selection: { providerType: 'local' }, title: 'A boat at sea' })
  })

  test('works from the pictures that come with it, where its model can', async () => {
    const id = await begin()
    await start(id, 'image', 'drawer', { attachmentIds: [await attach()] })
    expect((await settled(id)).attachments).toHaveLength(1)
    expect(provider.requests.at(-1)?.path).toBe('/v1/images/edits')
    const other = await begin()
    const make = { kind: 'image', model: 'drawer', pluginId: 'plain' }
    await start(other, 'image', 'drawer', { attachmentIds: [await attach()], make })
    expect(await settled(other)).toMatchObject({
      status: 'failed',
      failure: {
        code: 'provider_rejected',
        detail: 'This can’t be created: this model creates images from text only.',
      },
    })
  })

  test('is a film that goes on alone: its answer ends at once, and what comes is in the gallery', async () => {
    const id = await begin()
    await start(id, 'video', 'film')
    const answer = await settled(id)
    expect(answer).toMatchObject({ status: 'complete', attachments: [], making: { kind: 'video' } })
    const params = { jobId: answer.making?.jobId ?? '' }
    const look = async () => (await ann.call(mediaMakingRoutes.videoJob, { params })).status
    await until(async () => (await look()) === 'completed')
    expect(await madeBy(params.jobId)).toMatchObject([{ kind: 'video', chatId: id }])
  })

  test('is speech of the words', async () => {
    const id = await begin()
    await start(id, 'speech', 'loud-tts')
    const answer = await settled(id)
    expect(answer).toMatchObject({ status: 'complete', making: { kind: 'speech' } })
    expect(await madeBy(answer.making?.jobId)).toMatchObject([{ kind: 'audio', prompt: 'A boat at sea', chatId: id }])
  })

  test('says why it was not made, and is made anew beside that', async () => {
    const id = await begin()
    await start(id, 'image', 'blocked')
    const failed = await settled(id)
    expect(failed).toMatchObject({ status: 'failed', failure: { code: 'media_moderated' }, attachments: [] })
    const again = { message: undefined, regenerate: true, originalMessageId: failed.id }
    await start(id, 'image', 'drawer', again)
    expect(await settled(id)).toMatchObject({ status: 'complete', siblingIndex: 1, attachments: [{ kind: 'image' }] })
  })

  test('stops with its answer, at the provider as well', async () => {
    const id = await begin()
    const { assistantMessage } = await start(id, 'image', 'stall-headers')
    await until(() => provider.requests.some(({ ended }) => ended === 'running'))
    const params = { sessionId: id, assistantMessageId: assistantMessage.id }
    const { message } = await ann.call(chatRoutes.cancel, { params })
    expect(message).toMatchObject({ status: 'cancelled', making: { jobId: expect.any(String) } })
    await until(() => provider.requests.at(-1)?.ended === 'aborted')
    const { items } = await ann.call(mediaMakingRoutes.jobs, { query: {} })
    expect(items.find(({ id: jobId }) => jobId === message.making?.jobId)).toMatchObject({ error: 'cancelled' })
  })

  test('is seen by the next question, and by readers without the job', async () => {
    const selection = { providerType: 'plugin', providerId: 'box', model: 'echo' }
    const drawer = { kind: 'image', model: 'drawer', pluginId: 'box' } as const
    const id = await begin({ selection })
    await start(id, 'image', 'drawer', { make: { ...drawer, options: { size: '512x512' } } })
    await settled(id)
    const body = { message: 'What is it?' }
    const { content } = await ann.call(chatRoutes.generate, { params: { sessionId: id }, body })
    expect(content).toContain('I see 1 image.')
    const bob = await app.signUpUser()
    const { id: principalId } = await bob.call(accountsRoutes.me, {})
    const grant = {
      resourceType: 'chat',
      resourceId: id,
      principalType: 'account',
      right: 'read',
      principalId,
    } as const
    await ann.call(accessRoutes.grant, { body: grant })
    const [, made] = await messages(id, bob)
    expect(made).toMatchObject({ making: { ...drawer, jobId: null }, attachments: [{ kind: 'image' }] })
    expect(made?.making).not.toHaveProperty('options')
  })

  test('is made as its owner set in the settings, for the model that was set and as far as it lists that', async () => {
    const of = (model: string, options: Record<string, string>) => ({ providerId: 'box', model, options })
    const mediaDefaults = {
      image: of('drawer', { size: '512x512', quality: 'gone' }),
      video: of('film', { durationMs: '8' }),
      speech: of('loud-tts', { voice: 'nova' }),
    }
    await ann.call(settingsRoutes.update, { body: { mediaDefaults } })
    const id = await begin()
    const made = async (kind: MadeKind, model: string, more = {}) => {
      await start(id, kind, model, more)
      await settled(id)
      return provider.requests.findLast(({ method }) => method === 'POST')?.body
    }
    expect(await made('image', 'drawer')).toMatchObject({ size: '512x512' })
    expect(await made('image', 'drawer')).not.toHaveProperty('quality')
    expect(await made('speech', 'loud-tts')).toMatchObject({ voice: 'nova' })
    expect(await made('video', 'film')).toMatchObject({ duration: 8 })
    const make = { kind: 'image', model: 'drawer', pluginId: 'plain' }
    expect(await made('image', 'drawer', { make })).not.toHaveProperty('size')
    await ann.call(settingsRoutes.update, { body: { mediaDefaults: {} } })
  })

  const lastAsked = () => provider.requests.findLast(({ method }) => method === 'POST')?.body
  const make = (kind: MadeKind, model: string, more = {}) => ({ make: { kind, model, pluginId: 'box', ...more } })

  test('is made with the options that come with it, whatever is set, and again with the same', async () => {
    const image = { providerId: 'box', model: 'drawer', options: { size: '512x512' } }
    await ann.call(settingsRoutes.update, { body: { mediaDefaults: { image } } })
    const id = await begin()
    const made = async (kind: MadeKind, model: string, options: object, more = {}) => {
      await start(id, kind, model, { ...make(kind, model, { options }), ...more })
      return await settled(id)
    }
    const options = { size: '1024x1024', n: 2 }
    const first = await made('image', 'drawer', options)
    expect(lastAsked()).toMatchObject(options)
    expect(first).toMatchObject({ attachments: [{ kind: 'image' }, { kind: 'image' }], making: { options } })
    const again = { message: undefined, regenerate: true, originalMessageId: first.id }
    expect(await made('image', 'drawer', first.making?.options ?? {}, again)).toMatchObject({ making: { options } })
    expect(lastAsked()).toMatchObject(options)
    await made('image', 'drawer', {})
    expect(lastAsked()).not.toHaveProperty('size')
    await made('video', 'film', { durationMs: 8000 })
    expect(lastAsked()).toMatchObject({ duration: 8 })
    await made('speech', 'loud-tts', { voice: 'nova' })
    expect(lastAsked()).toMatchObject({ voice: 'nova' })
    const refused = await made('image', 'drawer', { size: '1x1' })
    expect(refused.failure?.detail).toBe('This can’t be created: this model accepts 512x512, 1024x1024.')
    await ann.call(settingsRoutes.update, { body: { mediaDefaults: {} } })
  })

  test('is made of its question in other words, beside the first', async () => {
    const id = await begin()
    const { userMessage } = await start(id, 'image', 'drawer')
    await settled(id)
    await start(id, 'image', 'drawer', { message: 'A boat ashore', branchOf: userMessage?.id })
    expect(await settled(id)).toMatchObject({ status: 'complete', attachments: [{ name: 'A boat ashore.png' }] })
    expect((await messages(id)).map(({ siblingIndex }) => siblingIndex)).toEqual([1, 0])
  })

  test('tells how many of several images were withheld', async () => {
    const id = await begin()
    await start(id, 'image', 'partly', make('image', 'partly', { options: { n: 3 } }))
    expect(await settled(id)).toMatchObject({
      status: 'complete',
      attachments: [{ kind: 'image' }, { kind: 'image' }],
      lostPictures: 1,
    })
  })

  test('is drawn anew where a mask says so, also when it is asked for again', async () => {
    const id = await begin()
    const [pier, mask] = [await attach(), await attach()]
    const masked = make('image', 'drawer', { maskId: mask })
    await start(id, 'image', 'drawer', { attachmentIds: [pier, mask], ...masked })
    const first = await settled(id)
    expect(first).toMatchObject({ status: 'complete', making: { maskId: mask } })
    const files = [{ field: 'image' }, { field: 'mask' }]
    expect(lastAsked()).toMatchObject({ files })
    const asked = provider.requests.length
    const again = { message: undefined, regenerate: true, originalMessageId: first.id }
    await start(id, 'image', 'drawer', { ...again, ...masked })
    expect(await settled(id)).toMatchObject({ status: 'complete', siblingIndex: 1 })
    expect(provider.requests.slice(asked).findLast(({ method }) => method === 'POST')?.body).toMatchObject({ files })
    await start(id, 'image', 'drawer', { ...again, ...make('image', 'drawer', { maskId: await attach() }) })
    expect((await settled(id)).failure?.detail).toBe('The marked area no longer exists.')
    await start(id, 'image', 'drawer', { attachmentIds: [mask], ...masked })
    expect((await settled(id)).failure?.detail).toBe('The marked area needs an image. Add the image first.')
  })

  test('is played by readers and by visitors of a link, for as long as they may read the chat', async () => {
    const [bob, cleo] = [await app.signUpUser(), await app.signUpUser()]
    const id = await begin()
    await start(id, 'speech', 'loud-tts')
    const answer = await settled(id)
    const other = await begin()
    await start(other, 'speech', 'loud-tts')
    const hidden = await settled(other)
    const { id: principalId } = await bob.call(accountsRoutes.me, {})
    const grant = {
      resourceType: 'chat',
      resourceId: id,
      principalType: 'account',
      right: 'read',
      principalId,
    } as const
    const { id: grantId } = await ann.call(accessRoutes.grant, { body: grant })
    const of = (sessionId: string, messageId: string) => ({ params: { sessionId, messageId } })
    const own = of(id, answer.id)

    const played = await bob.answer(chatRoutes.sentMedia, own)
    expect(played.headers.get('content-type')).toBe('audio/wav')
    expect(played.headers.get('cache-control')).toBe('private, no-cache')
    const whole = Buffer.from(await played.arrayBuffer())
    const [item] = await madeBy(answer.making?.jobId)
    const kept = await ann.answer(mediaGalleryRoutes.content, { params: { mediaId: item?.id ?? '' }, query: {} })
    expect(whole.equals(Buffer.from(await kept.arrayBuffer()))).toBe(true)
    const part = await bob.answer(chatRoutes.sentMedia, own, { headers: { range: 'bytes=4-11' } })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 4-11/${whole.length}`])
    expect(Buffer.from(await part.arrayBuffer()).equals(whole.subarray(4, 12))).toBe(true)

    await start(id, 'video', 'film-quick')
    const filmed = await settled(id)
    const job = { params: { jobId: filmed.making?.jobId ?? '' } }
    const { media: film } = await ann.call(mediaMakingRoutes.videoJob, job)
    await ann.call(settingsRoutes.updateInstance, { body: { chatLinks: true } })
    const { url, link } = await ann.call(chatRoutes.addLink, { params: { sessionId: id }, body: { withFiles: true } })
    const bare = await ann.call(chatRoutes.addLink, { params: { sessionId: id }, body: { withFiles: false } })
    const visitor = app.client()
    const visit = async (address: string) => {
      const opened = await visitor.call(chatRoutes.openLink, { body: { secret: address.split('#')[1] ?? '' } })
      return opened.state === 'open' ? opened.visit : ''
    }
    const [shown, wordsOnly] = [await visit(url), await visit(bare.url)]
    const linked = await visitor.call(chatRoutes.linkedMessages, { body: { visit: shown } })
    expect(linked.items.map(({ media }) => media)).toEqual([null, 'speech', null, 'video'])
    const where = await visitor.call(chatRoutes.linkedMedia, { body: { visit: shown, messageId: answer.id } })
    const pass = where.url.split('/').at(-1) ?? ''
    const playing = { params: { pass } }
    const heard = await visitor.answer(chatRoutes.linkedMediaContent, playing)
    expect(heard.headers.get('cache-control')).toBe('no-store')
    expect(Buffer.from(await heard.arrayBuffer()).equals(whole)).toBe(true)
    const leap = await visitor.answer(chatRoutes.linkedMediaContent, playing, { headers: { range: 'bytes=4-11' } })
    expect([leap.status, leap.headers.get('content-range')]).toEqual([206, `bytes 4-11/${whole.length}`])
    expect(Buffer.from(await leap.arrayBuffer()).equals(whole.subarray(4, 12))).toBe(true)

    const shownFilm = await visitor.call(chatRoutes.linkedMedia, { body: { visit: shown, messageId: filmed.id } })
    const filmPass = { params: { pass: shownFilm.url.split('/').at(-1) ?? '' } }
    const seen = await visitor.answer(chatRoutes.linkedMediaContent, filmPass, { headers: { range: 'bytes=4-' } })
    expect([seen.status, seen.headers.get('content-type')]).toEqual([206, 'video/mp4'])
    expect((await seen.arrayBuffer()).byteLength).toBe((film?.bytes ?? 0) - 4)

    const refused = async (client: Client, there: ReturnType<typeof of>) =>
      (await client.refusal(chatRoutes.sentMedia, there)).code
    const unseen = async (of_: string, messageId: string) =>
      (await visitor.refusal(chatRoutes.linkedMedia, { body: { visit: of_, messageId } })).code
    expect(await refused(cleo, own)).toBe('chat_not_found')
    expect(await refused(bob, of(other, hidden.id))).toBe('chat_not_found')
    expect(await refused(bob, of(id, hidden.id))).toBe('attachment_not_found')
    expect(await refused(bob, of(id, answer.parentId ?? ''))).toBe('attachment_not_found')
    expect(await unseen(shown, hidden.id)).toBe('attachment_not_found')
    expect(await unseen(wordsOnly, answer.id)).toBe('attachment_not_found')
    expect(await unseen(wordsOnly, filmed.id)).toBe('attachment_not_found')
    const [linkId = '', , end = '', mac = ''] = pass.split('.')
    const notPlayed = async (wrong: string) =>
      (await visitor.refusal(chatRoutes.linkedMediaContent, { params: { pass: wrong } })).code
    for (const wrong of [
      shown,
      `${linkId}.${hidden.id}.${end}.${mac}`,
      `${linkId}.${answer.id}.${Number(end) + 1}.${mac}`,
      `${linkId}.${answer.id}.${end}.${mac.slice(0, 32)}`,
      'x',
    ])
      expect(await notPlayed(wrong), wrong).toBe('chat_link_not_found')
    // A pass opens nothing but what it is for.
    expect((await visitor.refusal(chatRoutes.linkedMessages, { body: { visit: pass } })).code).toBe(
      'chat_link_not_found',
    )
    const direct = { params: { mediaId: item?.id ?? '' }, query: {} }
    expect((await bob.refusal(mediaGalleryRoutes.content, direct)).status).toBe(404)

    await ann.call(accessRoutes.revoke, { params: { id: grantId } })
    await ann.call(chatRoutes.removeLink, { params: { linkId: link.id } })
    expect(await refused(bob, own)).toBe('chat_not_found')
    expect(await unseen(shown, answer.id)).toBe('chat_link_not_found')
    expect(await notPlayed(pass)).toBe('chat_link_not_found')
    await ann.call(mediaGalleryRoutes.remove, { params: { mediaId: item?.id ?? '' } })
    expect(await refused(ann, own)).toBe('attachment_not_found')
  })

  test('waits in the queue while an answer runs, with its images and options, and is made when that is done', async () => {
    const id = await begin()
    await start(id, 'image', 'stall-headers')
    await until(() => provider.requests.some(({ ended }) => ended === 'running'))
    const params = { sessionId: id }
    const pier = await attach()
    const drawn = make('image', 'drawer', { options: { size: '512x512' } })
    const body = { id: crypto.randomUUID(), content: 'A red pier', attachmentIds: [pier], ...drawn }
    for (let times = 0; times < 2; times += 1) {
      const { queue } = await ann.call(chatRoutes.enqueueMaking, { params, body })
      expect(queue).toMatchObject([{ id: body.id, content: 'A red pier', attachments: [{ id: pier }], ...drawn }])
    }
    const running = (await messages(id)).at(-1)?.id ?? ''
    await ann.call(chatRoutes.cancel, { params: { ...params, assistantMessageId: running } })
    expect((await ann.call(chatRoutes.read, { params })).queuePaused).toBe(true)
    await ann.call(chatRoutes.resumeQueue, { params })
    expect(await settled(id)).toMatchObject({ status: 'complete', making: drawn.make })
    expect(lastAsked()).toMatchObject({ fields: { size: '512x512' }, files: [{ field: 'image' }] })
    expect((await ann.call(chatRoutes.read, { params })).queue).toEqual([])
    await start(id, 'image', 'stall-headers')
    const { queue } = await ann.call(chatRoutes.enqueueMaking, { params, body: { content: 'A boat', ...drawn } })
    const { entry } = await ann.call(chatRoutes.removeQueued, { params: { ...params, entryId: queue[0]?.id ?? '' } })
    expect(entry).toMatchObject({ content: 'A boat', ...drawn })
  })

  test('is refused where there is nothing to make it of', async () => {
    const id = await begin()
    const refusal = async (sessionId: string, kind: MadeKind, more = {}, client = ann) => {
      const body = { message: 'A boat', make: { kind, model: 'drawer', pluginId: 'box' }, ...more }
      return (await client.refusal(chatRoutes.startMaking, { params: { sessionId }, body })).code
    }
    const attachmentIds = [await attach()]
    expect(await refusal(id, 'image', { message: '  ', attachmentIds })).toBe('validation_failed')
    expect(await refusal(id, 'video', { attachmentIds })).toBe('validation_failed')
    const wishes = [{ options: { voice: 'nova' } }, { options: { n: 11 } }, { maskId: attachmentIds[0] }]
    for (const wish of wishes)
      expect(await refusal(id, 'image', make('image', 'drawer', wish))).toBe('validation_failed')
    expect(await refusal(id, 'image', { message: 'x'.repeat(100_001) })).toBe('validation_failed')
    const temporary = await begin({ temporary: true })
    expect(await refusal(temporary, 'image')).toBe('validation_failed')
    const queued = async (sessionId: string, content: string) => {
      const body = { content, ...make('image', 'drawer') }
      return await ann.refusal(chatRoutes.enqueueMaking, { params: { sessionId }, body })
    }
    expect((await queued(temporary, 'A boat')).code).toBe('validation_failed')
    expect((await queued(id, ' ')).problem).toMatchObject({ code: 'validation_failed' })
    const bob = await app.signUpUser()
    expect(await refusal(id, 'image', {}, bob)).toBe('chat_not_found')
    const own = (await bob.call(chatRoutes.create, { body: {} })).id
    expect(await refusal(own, 'image', { attachmentIds }, bob)).toBe('attachment_not_found')
    await start(id, 'image', 'gone')
    expect((await settled(id)).failure).toMatchObject({ code: 'model_unavailable' })
  })
})
