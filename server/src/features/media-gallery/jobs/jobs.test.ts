import { connectionsRoutes } from '@atrium/contract/connections'
import {
  imageGenRoutes as imageGen,
  mediaGalleryRoutes,
  mediaMakingRoutes as routes,
} from '@atrium/contract/media-gallery'
import { systemRoutes } from '@atrium/contract/system'
import { type TariffInput, usageRoutes } from '@atrium/contract/usage'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../../../e2e/provider/provider.ts'
import { drawnBy } from '../../../../../e2e/provider/pictures.ts'
import { type TestApp, startTestApp } from '../../../testing/app.ts'
import type { Client } from '../../../testing/client.ts'
import { realClock } from '../../../testing/clock.ts'
import { usualDialects } from '../../../testing/databases.ts'
import { readPictureFacts } from '../../../platform/pictures/index.ts'
import { samplePng } from '../../../testing/sample-pictures.ts'
import { turnedJpeg } from '../../../testing/turned-jpeg.ts'

const films = ['film', 'film-slow', 'film-blocked', 'film-lost', 'film-page', 'film-away', 'film-large']

/** One connection with everything that the model server makes, for all accounts. */
const connect = async (admin: Client, clients: readonly Client[], provider: Provider) => {
  const at = (path: string) => `${provider.url}${path}`
  const body = {
    id: 'box',
    name: 'My Box',
    type: 'completion' as const,
    endpoint: at('/v1/chat/completions'),
    auth: { header: '', key_env: '' },
    model_map: ['echo'],
    capabilities: {
      image: {
        endpoint: at('/v1/images/generations'),
        model_map: ['drawer', 'partly', 'blocked', 'stall-headers', 'stall'],
        config: {
          max_partial_images: 2,
          edit_endpoint: at('/v1/images/edits'),
          sizes: ['1024x1024', '512x512'],
          supports_mask: true,
        },
      },
      tts: {
        endpoint: at('/v1/audio/speech'),
        model_map: ['loud-tts'],
        config: { voices: ['alba'], formats: ['wav'] },
      },
      audio: { endpoint: at('/v1/chat/completions'), model_map: ['hummer'], config: { default_format: 'pcm16' } },
      video: {
        endpoint: at('/v1/videos'),
        model_map: films,
        config: { durations: [4], cancel_endpoint: at('/v1/videos/{job_id}/cancel'), supports_frames: true },
      },
    },
  }
  await admin.call(connectionsRoutes.installPlugin, { body })
  for (const client of clients) await client.call(connectionsRoutes.activate, { params: { id: 'box' } })
}

const wish = (model: string) => ({ model, pluginId: 'box', prompt: 'A boat at sea' })
const pause = (ms: number) => new Promise((go) => setTimeout(go, ms))

describe.each(usualDialects)('media jobs (%s)', (dialect) => {
  let provider: Provider
  let app: TestApp
  let admin: Client
  let ann: Client
  let ben: Client
  /** When the clock of the server stands still. */
  let stoodAt: number | null = null
  beforeAll(async () => {
    provider = await startProvider()
    const clock = { ...realClock, now: () => stoodAt ?? realClock.now() }
    app = await startTestApp({ dialect, env: { OUTBOUND_ALLOW: provider.address }, overrides: { clock } })
    admin = await app.signUpAdmin()
    ann = await app.signUpUser('ann')
    ben = await app.signUpUser('ben')
    await connect(admin, [admin, ann, ben], provider)
  })
  beforeEach(() => provider.control({ reset: true }))
  afterAll(async () => {
    await app?.close()
    await provider?.close()
  })

  const gallery = async (client = ann) => (await client.call(mediaGalleryRoutes.list, {})).items
  const submit = (model: string, client = ann) =>
    client.call(routes.generateVideo, { body: { ...wish(model), durationMs: 4000 } })
  const look = (jobId: string, client = ann) => client.call(routes.videoJob, { params: { jobId } })
  /** Asks until it has ended, no more often than providers are asked. */
  const settle = async (jobId: string, client = ann) => {
    for (let n = 0; n < 170; n += 1) {
      const job = await look(jobId, client)
      if (job.status === 'completed' || job.status === 'failed') return job
      await pause(700)
    }
    throw new Error('it never ended')
  }

  const addPrice = (model: string, prices: Partial<TariffInput>) => {
    const none = { inputPerMillion: null, cachedPerMillion: null, outputPerMillion: null, unitPrice: null }
    const body = { providerId: 'box', model, effectiveFrom: new Date(0).toISOString() }
    return admin.call(usageRoutes.addTariff, { body: Object.assign(none, body, prices) })
  }

  test('list the models that make something, with their choices', async () => {
    const models = await ann.call(routes.models, {})
    // From how many pictures it draws, also where its definition leaves that to the format.
    expect(models.image.find(({ model }) => model === 'drawer')?.config).toMatchObject({ max_reference_images: 4 })
    expect(models.video[0]).toMatchObject({ pluginId: 'box', pluginName: 'My Box', config: { durations: [4] } })
    expect(models.sound.map(({ model }) => model)).toEqual(['hummer'])
  })

  test('say what a unit costs where its price is known, and no tokens cost besides', async () => {
    const find = async (kind: 'image' | 'video' | 'sound', model: string) =>
      (await ann.call(routes.models, {}))[kind].find((one) => one.model === model)
    const priced = async (kind: 'image' | 'video' | 'sound', model: string) => (await find(kind, model))?.price
    expect(await priced('image', 'drawer')).toBeUndefined()
    await addPrice('drawer', { unitPrice: '0.04' })
    await addPrice('film', { unitPrice: '1.2', secondPrice: '0.25' })
    await addPrice('partly', { unitPrice: '0.02', inputPerMillion: '5' })
    await addPrice('hummer', { unitPrice: '0.000001' })
    expect(await priced('image', 'drawer')).toEqual({ amount: '0.04', currency: 'USD' })
    expect(await priced('video', 'film')).toEqual({ amount: '1.2', currency: 'USD' })
    expect((await find('video', 'film'))?.secondPrice).toEqual({ amount: '0.25', currency: 'USD' })
    expect(await priced('image', 'partly')).toBeUndefined()
    expect(await priced('sound', 'hummer')).toBeUndefined()
  })

  test('make pictures into the gallery, with what they were made with', async () => {
    const made = await ann.call(routes.generateImage, { body: { ...wish('drawer'), n: 2, size: '512x512' } })
    expect(made).toMatchObject({ missing: null })
    expect(made.items).toHaveLength(2)
    expect(made.items[0]).toMatchObject({
      kind: 'image',
      prompt: 'A boat at sea',
      model: 'drawer',
      pluginId: 'box',
      options: { size: '512x512' },
      mimeType: 'image/png',
    })
    const { items } = await ann.call(routes.jobs, {})
    expect(items[0]).toMatchObject({
      id: made.jobId,
      kind: 'image',
      status: 'completed',
      progress: 1,
      cancellable: false,
    })
    expect(items[0]?.galleryIds).toHaveLength(2)
    expect((await ben.call(routes.jobs, {})).items).toEqual([])
  })

  test('give the rest where something was withheld, and refuse where all was', async () => {
    const made = await ann.call(routes.generateImage, { body: { ...wish('partly'), n: 4 } })
    expect([made.items.length, made.missing]).toEqual([3, { count: 1, reason: 'moderated' }])
    const refused = await ann.refusal(routes.generateImage, { body: wish('blocked') })
    expect(refused.problem).toMatchObject({ status: 422, code: 'media_moderated' })
    expect((await ann.call(routes.jobs, {})).items[0]).toMatchObject({ status: 'failed', error: 'moderated' })
  })

  test('refuse what the model does not take by its field, and ask nobody', async () => {
    const asked = () => provider.count('/v1/images/generations') + provider.count('/v1/videos')
    const before = asked()
    const refused = await ann.refusal(routes.generateImage, { body: { ...wish('drawer'), size: '9x9' } })
    expect(refused.problem).toMatchObject({ status: 400, errors: [{ path: 'body.size' }] })
    const film = { ...wish('film'), durationMs: 5000 }
    expect((await ann.refusal(routes.generateVideo, { body: film })).problem.errors).toMatchObject([
      { path: 'body.durationMs' },
    ])
    expect((await ann.refusal(routes.generateImage, { body: wish('nobody') })).code).toBe('model_unavailable')
    for (const prompt of ['x'.repeat(1_000_000), 'A \u0000 boat', '', ' \n'])
      expect((await ann.refusal(routes.generateImage, { body: { ...wish('drawer'), prompt } })).status).toBe(400)
    expect((await ann.refusal(routes.generateImage, { body: wish('../drawer') })).code).toBe('model_unavailable')
    expect(asked()).toBe(before)
  })

  test('are asked for in the very words, however odd those are', async () => {
    const prompt = 'A kite \u202eetik\u202c 💥 "quoted"'
    const made = await ann.call(routes.generateImage, { body: { ...wish('drawer'), prompt } })
    expect(made.items).toMatchObject([{ prompt }])
    expect(provider.requests.at(-1)?.body).toMatchObject({ prompt })
  })

  test('answer the earlier routes of pictures in their own names, from the same gallery', async () => {
    const body = { model: 'drawer', pluginId: 'box', prompt: 'A kite', n: 2, response_format: 'b64_json' } as const
    const made = await ann.call(imageGen.imageGenerate, { body })
    expect(made).toMatchObject({ model: 'drawer', pluginId: 'box', images: [{ mime_type: 'image/png' }, {}] })
    expect(
      Buffer.from(made.images[0]?.b64_json ?? '', 'base64')
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG')
    const [imageId = ''] = made.savedToGallery
    const { images, total } = await ann.call(imageGen.imageGallery, { query: { limit: 1, offset: 1 } })
    expect([images.length, total >= 2]).toEqual([1, true])
    const params = { imageId }
    expect(await ann.call(imageGen.imageRead, { params })).toMatchObject({
      prompt: 'A kite',
      imageData: `/api/media/gallery/${imageId}/content`,
    })
    expect((await ben.refusal(imageGen.imageRead, { params })).code).toBe('media_not_found')
    await ann.call(imageGen.imageRemove, { params })
    expect((await ann.refusal(imageGen.imageRead, { params })).code).toBe('media_not_found')
    expect((await ann.call(imageGen.imagePlugins, {})).find(({ id }) => id === 'box')?.models).toContain('drawer')
    expect(await ann.call(imageGen.imageConfig, { params: { pluginId: 'box' } })).toMatchObject({ supports_mask: true })
    expect((await ann.refusal(imageGen.imageConfig, { params: { pluginId: 'nobody' } })).code).toBe('model_not_found')
  })

  const edit = async (
    client: Client,
    fields: Record<string, string>,
    files: Record<string, Uint8Array<ArrayBuffer>> = {},
  ) => {
    const form = new FormData()
    for (const [name, value] of Object.entries({ ...wish('drawer'), ...fields })) form.set(name, value)
    for (const [name, bytes] of Object.entries(files))
      form.append(name, new Blob([bytes], { type: 'image/png' }), 'x.png')
    const response = await client.raw('/api/media/image/edit', { method: 'POST', body: form })
    return { status: response.status, body: (await response.json()) as { items?: object[]; code?: string } }
  }

  test('draw pictures anew from own ones and from sent ones, and remember from which', async () => {
    const source = (await ann.call(routes.generateImage, { body: wish('drawer') })).items[0]
    const { status, body } = await edit(
      ann,
      { sourceMediaId: source?.id ?? '' },
      { images: samplePng(3, 3), mask: samplePng(3, 3) },
    )
    expect(status).toBe(200)
    expect(body.items).toMatchObject([
      { sources: [source?.id], metadata: { edit: { uploadedImages: 1, maskUsed: true } } },
    ])
    const again = await ann.call(routes.varyImage, { body: { mediaId: source?.id ?? '' } })
    expect(again.items).toMatchObject([{ prompt: 'A boat at sea', sources: [source?.id] }])
    expect(provider.requests.at(-1)?.path).toBe('/v1/images/edits')
    // What is somebody else's is not there.
    expect(await edit(ben, { sourceMediaId: source?.id ?? '' })).toMatchObject({
      status: 404,
      body: { code: 'media_not_found' },
    })
    expect((await ben.refusal(routes.varyImage, { body: { mediaId: source?.id ?? '' } })).code).toBe('media_not_found')
    for (const frame of ['firstFrameId', 'lastFrameId']) {
      const body = { ...wish('film'), [frame]: source?.id }
      expect((await ben.refusal(routes.generateVideo, { body })).code).toBe('media_not_found')
    }
    expect((await ben.call(mediaGalleryRoutes.list, { query: { jobId: source?.id ?? '' } })).items).toEqual([])
    expect(await edit(ann, {}, { images: new Uint8Array(Buffer.from('<svg/>')) })).toMatchObject({ status: 400 })
    expect(await edit(ann, {})).toMatchObject({ status: 400 })
  })

  test('draw from a picture as it is seen, so that the mask fits: one that a camera turned is turned before it leaves', async () => {
    const photo = await turnedJpeg({ width: 64, height: 32 }, 6)
    const kept = await ann.raw('/api/media/gallery/upload?name=photo.jpg', {
      method: 'POST',
      headers: { 'content-type': 'image/jpeg' },
      body: photo,
    })
    const item = (await kept.json()) as { id: string; width: number; height: number }
    const seen = { width: 32, height: 64 }
    expect(item).toMatchObject(seen)
    const sent = async (fields: Record<string, string>, files: Record<string, Uint8Array<ArrayBuffer>>) => {
      expect(await edit(ann, fields, { ...files, mask: samplePng(32, 64, { clear: true }) })).toMatchObject({
        status: 200,
      })
      const { files: parts } = (provider.requests.at(-1)?.body ?? { files: [] }) as {
        files: { field: string; bytes: Buffer }[]
      }
      return parts.map(({ field, bytes }) => [field, readPictureFacts(bytes)])
    }
    const fitting = [
      ['image', { mediaType: 'image/jpeg', ...seen }],
      ['mask', { mediaType: 'image/png', ...seen }],
    ]
    expect(await sent({ sourceMediaId: item.id }, {})).toEqual(fitting)
    expect(await sent({}, { images: photo })).toEqual(fitting)
  })

  test('draw from an AVIF where the format takes one, sent or of the gallery, and refuse it elsewhere', async () => {
    // By its id it keeps the format of the bundled definition.
    const body = {
      id: 'fal',
      name: 'fal',
      type: 'completion' as const,
      endpoint: `${provider.url}/{model}`,
      auth: { header: '', key_env: '' },
      model_map: ['fal-ai/flux/dev'],
      capabilities: {
        image: {
          endpoint: `${provider.url}/{model}`,
          model_map: ['fal-ai/flux/dev'],
          config: { max_reference_images: 2 },
        },
      },
    }
    await admin.call(connectionsRoutes.installPlugin, { body })
    await ann.call(connectionsRoutes.activate, { params: { id: 'fal' } })
    const avif = new Uint8Array(drawnBy('painter-avif')[0]?.whole ?? [])
    const kept = await ann.raw('/api/media/gallery/upload?name=boat.avif', {
      method: 'POST',
      headers: { 'content-type': 'image/avif' },
      body: avif,
    })
    const { id } = (await kept.json()) as { id: string }
    const taking = { pluginId: 'fal', model: 'fal-ai/flux/dev' }
    expect(await edit(ann, taking, { images: avif })).toMatchObject({ status: 200 })
    const sent = () => JSON.stringify(provider.requests.findLast(({ path }) => path === '/fal-ai/flux/dev')?.body)
    expect(sent()).toContain('data:image/avif;base64,')
    expect(await edit(ann, { ...taking, sourceMediaId: id })).toMatchObject({ status: 200 })
    const again = { ...taking, mediaId: id, prompt: 'At dusk' }
    expect(await ann.call(routes.varyImage, { body: again })).toMatchObject({ items: [{ sources: [id] }] })
    expect(sent()).toContain('data:image/avif;base64,')
    expect(await edit(ann, { sourceMediaId: id })).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
  })

  test('keep speech and sound', async () => {
    const sound = await ann.call(routes.generateSound, { body: { model: 'hummer', pluginId: 'box', prompt: 'Hum' } })
    expect(sound).toMatchObject({
      kind: 'audio',
      mimeType: 'audio/wav',
      durationMs: 500,
      metadata: { transcript: 'Hum.' },
    })
    const speech = { model: 'loud-tts', pluginId: 'box', input: 'Hello there', voice: 'alba' }
    const read = await ann.call(routes.generateSpeech, { body: { ...speech, responseFormat: 'wav' } })
    expect(read).toMatchObject({
      kind: 'audio',
      mimeType: 'audio/wav',
      prompt: 'Hello there',
      metadata: { voice: 'alba' },
    })
    // What the model server calls MP3 is no sound: that is found out before anything of it is kept.
    expect((await ann.refusal(routes.generateSpeech, { body: speech })).code).toBe('provider_failed')
  })

  test('are made once under an Idempotency-Key, and another request under it is refused', async () => {
    const send = (body: object) =>
      ann.raw('/api/media/image/generate', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': 'boat-1' },
        body: JSON.stringify(body),
      })
    const asked = provider.count('/v1/images/generations')
    const answers = await Promise.all([send(wish('drawer')), send(wish('drawer')), send(wish('drawer'))])
    const made = (await Promise.all(answers.map((answer) => answer.json()))) as {
      jobId: string
      items: { id: string }[]
    }[]
    expect(new Set(made.map(({ jobId }) => jobId)).size).toBe(1)
    expect(new Set(made.map(({ items }) => items[0]?.id)).size).toBe(1)
    expect(provider.count('/v1/images/generations')).toBe(asked + 1)
    expect((await send({ ...wish('drawer'), n: 2 })).status).toBe(409)
  })

  test('go on when the page is closed, are seen elsewhere, and are stopped there', async () => {
    const closed = new AbortController()
    const asked = ann
      .raw('/api/media/image/generate', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(wish('stall-headers')),
        signal: closed.signal,
      })
      .catch(() => null)
    const active = async () => (await ann.call(routes.jobs, { query: { active: 'true' } })).items
    await expect.poll(active).toHaveLength(1)
    closed.abort()
    await asked
    const [job] = await active()
    expect(job).toMatchObject({ status: 'in_progress', cancellable: true })
    const params = { jobId: job?.id ?? '' }
    expect((await ben.refusal(routes.stopJob, { params })).code).toBe('job_not_found')
    expect(await ann.call(routes.stopJob, { params })).toMatchObject({ status: 'failed', error: 'cancelled' })
    await expect.poll(() => provider.requests.at(-1)?.ended).toBe('aborted')
    expect((await ann.refusal(routes.stopJob, { params })).code).toBe('media_job_ended')
  })

  test('show a picture as far as it is to its owner alone, while it is made', async () => {
    const asked = ann.call(routes.generateImage, { body: wish('stall') }).catch(() => null)
    const active = async () => (await ann.call(routes.jobs, { query: { active: 'true' } })).items
    await expect.poll(async () => (await active())[0]?.partial).toMatch(/\/partial\?number=1$/)
    const [job] = await active()
    const seen = await ann.raw(job?.partial ?? '')
    expect([seen.status, seen.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(Buffer.from(await seen.arrayBuffer()).toString('latin1', 1, 4)).toBe('PNG')
    expect((await ben.raw(job?.partial ?? '')).status).toBe(404)
    const params = { jobId: job?.id ?? '' }
    expect(await ann.call(routes.stopJob, { params })).not.toHaveProperty('partial')
    await asked
    expect((await ann.raw(job?.partial ?? '')).status).toBe(404)
    expect(provider.requests.at(-1)?.body).toMatchObject({ stream: true, partial_images: 2 })
    // Pages hear of it as it comes.
    for await (const { event } of ann.follow(systemRoutes.events, { query: { after: 0 } })) {
      if (event.type === 'media-job-changed' && event.data.partial === job?.partial) break
    }
  })

  test('of films are accepted at once, told with their progress, and taken up once however many ask', async () => {
    const before = (await gallery()).length
    const job = await submit('film')
    expect(job).toMatchObject({ kind: 'video', status: 'pending', galleryId: null, media: null, cancellable: true })
    stoodAt = realClock.now()
    expect(await look(job.id)).toMatchObject({ status: 'in_progress', progress: 0.4 })
    // Sooner than two seconds its provider is not asked again.
    const asked = provider.count('/v1/videos/film-1')
    await Promise.all(Array.from({ length: 10 }, () => look(job.id)))
    expect(provider.count('/v1/videos/film-1')).toBe(asked)
    stoodAt = null
    await pause(2100)
    await Promise.all(Array.from({ length: 12 }, () => look(job.id)))
    const done = await settle(job.id)
    expect(done).toMatchObject({
      status: 'completed',
      media: { kind: 'video', mimeType: 'video/mp4', durationMs: 2000 },
    })
    expect(done.galleryId).toBe(done.media?.id)
    expect(provider.count('/v1/videos/film-1/content')).toBe(1)
    expect((await gallery()).length).toBe(before + 1)
    // A film of two seconds: by the price of each and of its seconds, then by a newer price of seconds alone.
    const cost = async () => (await admin.call(usageRoutes.report, { query: { days: 2, model: 'film' } })).totals.cost
    await addPrice('film', { unitPrice: '1.2', secondPrice: '0.25' })
    await expect.poll(cost).toBe('1.7')
    await addPrice('film', { secondPrice: '0.5' })
    expect(await cost()).toBe('1')
  })

  test.each([
    ['film-blocked', 'moderated'],
    ['film-lost', 'expired'],
    ['film-page', 'wrong_type'],
    ['film-away', 'redirected'],
    ['film-large', 'too_large'],
  ])('of films end with a reason: %s', async (model, error) => {
    const { id } = await submit(model)
    expect(await settle(id)).toMatchObject({ status: 'failed', error, galleryId: null })
  })

  test('of films that are stopped while they are ordered are ordered no more, where nobody could cancel them', async () => {
    const body = {
      id: 'reel',
      name: 'Reel',
      type: 'completion' as const,
      endpoint: `${provider.url}/v1/chat/completions`,
      auth: { header: '', key_env: '' },
      model_map: ['echo'],
      capabilities: {
        video: { endpoint: `${provider.url}/v1/videos`, model_map: ['stall-headers'], config: { durations: [4] } },
      },
    }
    await admin.call(connectionsRoutes.installPlugin, { body })
    await ann.call(connectionsRoutes.activate, { params: { id: 'reel' } })
    const ordered = ann.refusal(routes.generateVideo, {
      body: { model: 'stall-headers', pluginId: 'reel', prompt: 'Waves', durationMs: 4000 },
    })
    const active = async () => (await ann.call(routes.jobs, { query: { active: 'true' } })).items
    await expect.poll(() => provider.requests.at(-1)?.path).toBe('/v1/videos')
    const [job] = await active()
    const params = { jobId: job?.id ?? '' }
    expect(await ann.call(routes.stopJob, { params })).toMatchObject({ status: 'failed', error: 'cancelled' })
    await expect.poll(() => provider.requests.at(-1)?.ended).toBe('aborted')
    expect((await ordered).problem.status).toBeGreaterThanOrEqual(400)
    expect(await look(params.jobId)).toMatchObject({ status: 'failed', error: 'cancelled' })
  })

  test('of films are cancelled here and at their provider, and nothing comes afterwards', async () => {
    const { id } = await submit('film-slow')
    const params = { jobId: id }
    expect((await ben.refusal(routes.cancelVideo, { params })).code).toBe('job_not_found')
    expect(await ann.call(routes.cancelVideo, { params })).toMatchObject({ status: 'failed', error: 'cancelled' })
    expect(provider.requests.at(-1)?.path).toMatch(/\/cancel$/)
    expect((await ann.refusal(routes.cancelVideo, { params })).code).toBe('media_job_ended')
    expect(await ann.call(routes.resumeVideo, { params })).toMatchObject({ status: 'failed', error: 'cancelled' })
  })

  test('of films that fail are counted as failed, and questions about them are none', async () => {
    const { id } = await submit('film-blocked', ben)
    await settle(id, ben)
    await look(id, ben)
    const figures = async () => (await ben.call(usageRoutes.mine, {})).totals
    await expect.poll(figures).toMatchObject({ calls: 1 })
  })
})
