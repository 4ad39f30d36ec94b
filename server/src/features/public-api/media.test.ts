import OpenAI, { toFile } from 'openai'
import { Stream } from 'openai/streaming'
import { connectionsRoutes } from '@atrium/contract/connections'
import { speechRoutes } from '@atrium/contract/speech'
import { mediaGalleryRoutes } from '@atrium/contract/media-gallery'
import { usageRoutes } from '@atrium/contract/usage'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readHead } from '../../platform/formats/picture/head.ts'
import { samplePng } from '../../testing/sample-pictures.ts'
import { type PublicApiHarness, startPublicApi } from '../../testing/public-api.ts'
import { turnedJpeg } from '../../testing/turned-jpeg.ts'

interface SoundEvent {
  readonly type: string
  readonly audio?: string
}

interface SentPicture {
  readonly field: string
  readonly name: string
  readonly bytes: Buffer
}

let harness: PublicApiHarness
let openai: OpenAI
beforeAll(async () => {
  harness = await startPublicApi()
  openai = harness.openai()
  const at = (path: string) => `${harness.provider.url}/v1/${path}`
  const auth = { header: 'Authorization', prefix: 'Bearer ', key_env: 'TEST_KEY' }
  const able = { model_map: ['thing', 'plain'], config: {} }
  const capabilities = {
    embedding: { endpoint: at('embeddings'), ...able },
    image: {
      endpoint: at('images/generations'),
      model_map: ['thing', 'drawer'],
      config: { edit_endpoint: at('images/edits'), max_partial_images: 3, max_prompt_length: 1000 },
    },
    tts: { endpoint: at('audio/speech'), ...able, config: { max_characters: 1000 } },
    stt: { endpoint: at('audio/transcriptions'), ...able, config: { supports_streaming: true, max_audio_bytes: 1000 } },
  }
  const body = { id: 'able', name: 'Able', type: 'completion' as const, endpoint: at('chat/completions'), auth }
  await harness.admin.call(connectionsRoutes.installPlugin, { body: { ...body, model_map: ['echo'], capabilities } })
  const params = { id: 'able' }
  await harness.admin.call(connectionsRoutes.saveKey, { params, body: { apiKey: 'key' } })
  await harness.admin.call(connectionsRoutes.activate, { params })
  const words = {
    image: { endpoint: at('images/generations'), model_map: ['thing'] },
    stt: { endpoint: at('audio/transcriptions'), model_map: ['thing'], config: { supports_translation: false } },
  }
  await harness.admin.call(connectionsRoutes.installPlugin, {
    body: { ...body, id: 'plain', auth: { header: '', key_env: '' }, model_map: ['echo'], capabilities: words },
  })
  await harness.admin.call(connectionsRoutes.activate, { params: { id: 'plain' } })
})
beforeEach(() => harness.calm())
afterAll(() => harness?.close())

test.each(['able/thing', 'local/embedder'])('the OpenAI client gets vectors of %s', async (model) => {
  harness.provider.control({ models: null })
  const { data, usage } = await openai.embeddings.create({ model, input: ['kites', 'boats'] })
  expect(data.map(({ index, embedding }) => [index, embedding.length])).toEqual([
    [0, 8],
    [1, 8],
  ])
  expect(Math.hypot(...(data[0]?.embedding ?? []))).toBeCloseTo(1, 3)
  expect(usage.total_tokens).toBeGreaterThanOrEqual(0)
  const plain = await openai.embeddings.create({ model, input: 'kites', encoding_format: 'float' })
  for (const [index, value] of (plain.data[0]?.embedding ?? []).entries())
    expect(data[0]?.embedding[index]).toBeCloseTo(value, 5)
})

test('the OpenAI client gets pictures', async () => {
  const { data } = await openai.images.generate({ model: 'able/drawer', prompt: 'A kite', n: 2 })
  expect(data).toHaveLength(2)
  expect(
    Buffer.from(data?.[0]?.b64_json ?? '', 'base64')
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG')
  const byUrl = await openai.images.generate({ model: 'able/drawer', prompt: 'A kite', response_format: 'url' })
  expect(byUrl.data?.[0]?.url).toMatch(/^data:image\/png;base64,/)
})

test('the OpenAI client has pictures drawn anew from others', async () => {
  const image = await toFile(samplePng(4, 3), 'boat.png', { type: 'image/png' })
  const mask = await toFile(samplePng(4, 3), 'mask.png', { type: 'image/png' })
  const { data } = await openai.images.edit({
    model: 'able/drawer',
    image: [image, image],
    mask,
    prompt: 'At sea',
    n: 2,
  })
  expect(data).toHaveLength(2)
  const sent = harness.provider.requests.at(-1)
  expect(sent).toMatchObject({ path: '/v1/images/edits', model: 'drawer' })
  const { fields, files } = (sent?.body ?? {}) as { fields: object; files: { field: string; mediaType: string }[] }
  expect(fields).toMatchObject({ prompt: 'At sea', n: '2' })
  expect(files.map(({ field, mediaType }) => [field, mediaType])).toEqual([
    ['image[]', 'image/png'],
    ['image[]', 'image/png'],
    ['mask', 'image/png'],
  ])
})

test('a photo to be drawn anew leaves as it is seen, and with no word on where it was taken', async () => {
  const told = Buffer.from('GPS 48.2082 N')
  const says = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xfe, 0, told.length + 2]), told])
  const photo = Buffer.concat([says, (await turnedJpeg({ width: 64, height: 32 }, 6)).subarray(2)])
  const located = samplePng(32, 64, { more: [['tEXt', Buffer.from('Comment\0GPS 48.2082 N')]] })
  const image = await toFile(photo, 'Home, 48.2082 N.jpg', { type: 'image/jpeg' })
  const mask = await toFile(located, 'Home, 48.2082 N.png', { type: 'image/png' })
  await openai.images.edit({ model: 'able/drawer', image, mask, prompt: 'At sea' })
  await openai.images.createVariation({ model: 'able/drawer', image })
  const sent = harness.provider.requests.slice(-2).flatMap(({ body }) => (body as { files: SentPicture[] }).files)
  const seen = { width: 32, height: 64 }
  expect(sent.map(({ field, name, bytes }) => [field, name, readHead(bytes)])).toEqual([
    ['image', 'image.jpg', { mediaType: 'image/jpeg', ...seen }],
    ['mask', 'mask.png', { mediaType: 'image/png', ...seen }],
    ['image', 'image.jpg', { mediaType: 'image/jpeg', ...seen }],
  ])
  for (const { bytes } of sent) expect(bytes.toString('latin1')).not.toMatch(/Exif|GPS|48\.2082/)
})

test('the OpenAI client gets more pictures like one, of models that draw from others', async () => {
  const image = await toFile(samplePng(4, 3), 'boat.png', { type: 'image/png' })
  const { data } = await openai.images.createVariation({ model: 'able/drawer', image, n: 2, size: '512x512' })
  expect(data).toHaveLength(2)
  const sent = harness.provider.requests.at(-1)
  expect(sent).toMatchObject({ path: '/v1/images/edits', model: 'drawer' })
  expect(sent?.body).toMatchObject({
    fields: { n: '2', size: '512x512', prompt: expect.stringMatching(/^Draw another picture like this one/) },
    files: [{ field: 'image', mediaType: 'image/png' }],
  })
  const text = await toFile(Buffer.from('<svg></svg>'), 'boat.png', { type: 'image/png' })
  for (const [model, given] of [
    ['able/drawer', text],
    ['plain/thing', image],
  ] as const) {
    const refused = await openai.images.createVariation({ model, image: given }).catch((error: unknown) => error)
    expect(refused).toMatchObject({ status: 400 })
  }
  expect(harness.provider.requests.at(-1)).toBe(sent)
})

test.each([0, 2])('the OpenAI client sees a picture come, with %i of it as far as it is', async (partial_images) => {
  const wish = { model: 'able/drawer', prompt: 'A kite', stream: true, partial_images } as const
  const image = await toFile(samplePng(4, 3), 'boat.png', { type: 'image/png' })
  for (const [kind, stream] of [
    ['image_generation', await openai.images.generate({ ...wish, size: '1024x1024' })],
    ['image_edit', await openai.images.edit({ ...wish, image })],
  ] as const) {
    const events = []
    for await (const event of stream) events.push(event)
    const types = events.map(({ type }) => type)
    expect(types).toEqual([...Array(partial_images).fill(`${kind}.partial_image`), `${kind}.completed`])
    for (const { b64_json, output_format } of events) {
      expect(Buffer.from(b64_json, 'base64').toString('latin1', 1, 4)).toBe('PNG')
      expect(output_format).toBe('png')
    }
    expect(events.at(-1)).toMatchObject({ size: '1x1', usage: { input_tokens: 12, total_tokens: 284 } })
    const at = events.flatMap((event) => ('partial_image_index' in event ? [event.partial_image_index] : []))
    expect(at).toEqual([0, 1].slice(0, partial_images))
  }
  // Nothing of it is kept.
  expect((await harness.admin.call(mediaGalleryRoutes.list, {})).items).toEqual([])
})

test('a picture of a provider that does not stream comes as the end of the stream, and several as several', async () => {
  const ann = await harness.app.signUpUser('ann')
  await ann.call(connectionsRoutes.activate, { params: { id: 'plain' } })
  const asked = { model: 'plain/thing', prompt: 'A kite', stream: true, partial_images: 3, n: 2 } as const
  const types = []
  for await (const { type } of await harness.openai(ann.token).images.generate(asked)) types.push(type)
  expect(types).toEqual(['image_generation.completed', 'image_generation.completed'])
  await expect.poll(async () => (await ann.call(usageRoutes.mine, {})).totals.calls).toBe(1)
  expect(harness.provider.requests.at(-1)?.body).not.toHaveProperty('stream')
})

test('a stream of pictures is refused before it begins, breaks with an error, and is left', async () => {
  const ask = (about: object) =>
    openai.images
      .generate({ model: 'able/drawer', prompt: 'A kite', stream: true, partial_images: 1, ...about })
      .then(async (stream) => {
        for await (const _event of stream);
        return 'no error'
      })
      .catch((error: unknown) => error)
  expect(await ask({ model: 'able/nobody' })).toMatchObject({ status: 404 })
  expect(await ask({ partial_images: 4 })).toMatchObject({ status: 400, param: 'partial_images' })
  harness.provider.control({ fault: 'status-500' })
  expect(await ask({})).toMatchObject({ status: 502 })
  harness.provider.control({ fault: 'reset' })
  const broken = await ask({})
  expect(broken).toBeInstanceOf(OpenAI.APIError)
  expect((broken as Error).message).toMatch(/provider/i)
  harness.provider.control({ fault: 'stall' })
  const stream = await openai.images.generate({
    model: 'able/drawer',
    prompt: 'A kite',
    stream: true,
    partial_images: 1,
  })
  for await (const _event of stream) break
  await expect.poll(() => harness.provider.requests.at(-1)?.ended).toBe('aborted')
})

test('an edit without a picture, with too many, or with something else is refused by its parameter', async () => {
  const image = await toFile(samplePng(4, 3), 'boat.png', { type: 'image/png' })
  const text = await toFile(Buffer.from('<svg></svg>'), 'boat.png', { type: 'image/png' })
  const ask = (images: (typeof image)[], model = 'able/drawer') =>
    openai.images.edit({ model, image: images, prompt: 'At sea' }).catch((error: unknown) => error)
  const asked = harness.provider.count('/v1/images/edits')
  expect(await ask([])).toMatchObject({ status: 400 })
  expect(await ask(Array(5).fill(image))).toMatchObject({ status: 400, param: 'image' })
  expect(await ask([text])).toMatchObject({ status: 400, param: 'image' })
  const endless = samplePng(4, 3, { says: { width: 50_000, height: 50_000 } })
  expect(await ask([await toFile(endless, 'boat.png')])).toMatchObject({ status: 400, param: 'image' })
  expect(await ask([image], 'plain/thing')).toMatchObject({ status: 400 })
  expect(harness.provider.count('/v1/images/edits')).toBe(asked)
})

test('the OpenAI client hears speech', async () => {
  const answer = await openai.audio.speech.create({ model: 'able/thing', voice: 'alloy', input: 'Hello there' })
  expect(answer.headers.get('content-type')).toMatch(/^audio\//)
  expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(0)
})

test('the OpenAI client hears speech from its first piece on, as bytes and as events', async () => {
  const ask = { model: 'able/thing', voice: 'alloy', input: 'one two three' } as const
  const expected = Buffer.concat(['one', 'two', 'three'].map((word) => Buffer.alloc(100, word)))
  const plain = await openai.audio.speech.create(ask)
  const pieces = []
  for await (const piece of plain.body as unknown as AsyncIterable<Uint8Array>) pieces.push(piece)
  expect(Buffer.concat(pieces)).toEqual(expected)

  const speak = (model = 'able/thing') => openai.audio.speech.create({ ...ask, model, stream_format: 'sse' })
  const response = await speak()
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
  const events = []
  for await (const event of Stream.fromSSEResponse<SoundEvent>(response, new AbortController())) events.push(event)
  expect(new Set(events.slice(0, -1).map(({ type }) => type))).toEqual(new Set(['speech.audio.delta']))
  expect(Buffer.concat(events.map(({ audio }) => Buffer.from(audio ?? '', 'base64')))).toEqual(expected)
  expect(events.at(-1)).toMatchObject({ type: 'speech.audio.done', usage: { total_tokens: 0 } })

  await expect(speak('able/nobody')).rejects.toMatchObject({ status: 404 })
  harness.provider.control({ fault: 'reset', after: 1, msPerToken: 20 })
  const broken = Stream.fromSSEResponse<SoundEvent>(await speak(), new AbortController())
  const heard = []
  await expect(
    (async () => {
      for await (const event of broken) heard.push(event)
    })(),
  ).rejects.toThrow(/provider/i)
  expect(heard.length).toBeGreaterThan(0)
})

test('speech ends in the middle when reading aloud is taken away', async () => {
  harness.provider.control({ msPerToken: 50 })
  const input = Array.from({ length: 60 }, () => 'word').join(' ')
  const sound = await openai.audio.speech.create({ model: 'able/thing', voice: 'alloy', input, stream_format: 'sse' })
  const change = (mode: 'all-users' | 'off') =>
    harness.admin.call(speechRoutes.updateAccess, { params: { feature: 'tts' }, body: { mode } })
  const heard: SoundEvent[] = []
  const hear = async () => {
    for await (const event of Stream.fromSSEResponse<SoundEvent>(sound, new AbortController())) {
      heard.push(event)
      if (heard.length === 1) await change('off')
    }
  }
  await expect(hear()).rejects.toThrow()
  expect(heard.length).toBeLessThan(60)
  await change('all-users')
})

test('the built-in voice speaks English to the OpenAI client, and asks nobody', async () => {
  const asked = harness.provider.count('/v1/audio/speech')
  const speak = (input: string, voice = 'slt', response_format?: 'mp3' | 'wav') =>
    openai.audio.speech.create({
      model: 'builtin/voice',
      voice,
      input,
      ...(response_format ? { response_format } : {}),
    })
  const answer = await speak('The ferry leaves at nine.')
  expect(answer.headers.get('content-type')).toBe('audio/wav')
  const sound = Buffer.from(await answer.arrayBuffer())
  expect(sound.toString('latin1', 0, 4)).toBe('RIFF')
  expect(sound.length).toBeGreaterThan(32_000)
  await expect(speak('مرحبا بكم')).rejects.toMatchObject({ status: 400, message: /English only/ })
  await expect(speak('Hello', 'alloy')).rejects.toMatchObject({ status: 400, message: /slt, rms, awb, kal16/ })
  await expect(speak('Hello', 'rms', 'mp3')).rejects.toMatchObject({ status: 400, message: /wav or pcm/ })
  await expect(speak('word '.repeat(1000))).rejects.toMatchObject({ message: /4096 characters/ })
  expect((await openai.models.list()).data.map(({ id }) => id)).toContain('builtin/voice')
  expect(harness.provider.count('/v1/audio/speech')).toBe(asked)
})

test('the OpenAI client reads transcriptions, as text and with times', async () => {
  const file = await toFile(Buffer.from('RIFF sound'), 'hello.wav', { type: 'audio/wav' })
  const about = { model: 'able/thing', file }
  const { text } = await openai.audio.transcriptions.create(about)
  expect(text.length).toBeGreaterThan(0)
  expect(String(await openai.audio.transcriptions.create({ ...about, response_format: 'text' })).trim()).toBe(text)
  const verbose = await openai.audio.transcriptions.create({ ...about, response_format: 'verbose_json' })
  expect(verbose.text).toBe(text)
  expect(String(await openai.audio.transcriptions.create({ ...about, response_format: 'vtt' }))).toMatch(/^WEBVTT/)
})

test('the OpenAI client hears the words of a recording as they are found', async () => {
  const file = await toFile(Buffer.from('RIFF sound'), 'hello.wav', { type: 'audio/wav' })
  const listen = async (model: string) => {
    const events = []
    const stream = await openai.audio.transcriptions.create({ model, file, stream: true })
    for await (const event of stream) events.push(event)
    return events
  }
  const usage = { type: 'tokens', input_tokens: 14, output_tokens: 5, total_tokens: 19 }
  expect(await listen('able/thing')).toEqual([
    ...['I', ' heard', ' 10', ' bytes.'].map((delta) => ({ type: 'transcript.text.delta', delta })),
    { type: 'transcript.text.done', text: 'I heard 10 bytes.', usage },
  ])
  // A model whose definition does not say that it streams is asked for the whole.
  expect(await listen('plain/thing')).toEqual([{ type: 'transcript.text.done', text: 'I heard 10 bytes.' }])

  const refused = (work: Promise<unknown>) => work.catch((error: unknown) => error)
  const asked = harness.provider.count('/v1/audio/transcriptions')
  const timed = { model: 'able/thing', file, stream: true, response_format: 'verbose_json' } as const
  expect(await refused(openai.audio.transcriptions.create(timed))).toMatchObject({
    status: 400,
    param: 'response_format',
  })
  expect(await refused(listen('able/nobody'))).toMatchObject({ status: 404 })
  expect(harness.provider.count('/v1/audio/transcriptions')).toBe(asked)
  for (const fault of ['status-500', 'reset', 'half-json'] as const) {
    harness.provider.control({ fault })
    const error = await refused(listen('able/thing'))
    expect(error, fault).toBeInstanceOf(OpenAI.APIError)
    expect((error as Error).message).not.toContain('leaked')
  }
})

test('the OpenAI client gets recordings in English, of models that translate', async () => {
  const file = await toFile(Buffer.from('RIFF sound'), 'hello.wav', { type: 'audio/wav' })
  const ask = (about: { model?: string; response_format?: 'verbose_json' | 'text' | 'srt' } = {}) =>
    openai.audio.translations.create({ model: 'able/thing', file, ...about }).catch((error: unknown) => error)
  expect(await ask()).toEqual({ text: 'That is 10 bytes in English.' })
  expect(harness.provider.requests.at(-1)).toMatchObject({ path: '/v1/audio/translations', model: 'thing' })
  expect(await ask({ response_format: 'verbose_json' })).toMatchObject({
    language: 'english',
    segments: [{ end: 2.5 }],
  })
  expect(String(await ask({ response_format: 'srt' }))).toMatch(/^1\n00:00:00,000/)
  const asked = harness.provider.requests.length
  expect(await ask({ model: 'plain/thing' })).toMatchObject({
    status: 400,
    message: expect.stringContaining('doesn’t translate'),
  })
  expect(harness.provider.requests).toHaveLength(asked)
  harness.provider.control({ fault: 'status-500' })
  expect(await ask()).toMatchObject({ status: 502 })
})

test('times of a transcription are asked for, and refused by their parameter where there are none', async () => {
  const file = await toFile(Buffer.from('RIFF sound'), 'hello.wav', { type: 'audio/wav' })
  const ask = (model: string, response_format: 'srt' | 'vtt' | 'verbose_json') =>
    openai.audio.transcriptions.create({ model, file, response_format }).catch((error: unknown) => error)
  expect(String(await ask('able/thing', 'srt'))).toBe('1\n00:00:00,000 --> 00:00:02,500\nI heard 10 bytes.\n\n')
  expect(String(await ask('able/thing', 'vtt'))).toContain('00:00:00.000 --> 00:00:02.500\nI heard 10 bytes.')
  expect(await ask('able/thing', 'verbose_json')).toMatchObject({ segments: [{ start: 0, end: 2.5 }] })
  for (const format of ['srt', 'vtt', 'verbose_json'] as const) {
    expect(await ask('able/plain', format), format).toMatchObject({ status: 400, param: 'response_format' })
  }
})

test('ids of tokens become vectors where the provider takes them, and are refused by their parameter elsewhere', async () => {
  const create = (model: string, input: number[] | number[][]) =>
    openai.embeddings.create({ model, input, encoding_format: 'float' }).catch((error: unknown) => error)
  expect(await create('able/thing', [[101, 2023], [7]])).toMatchObject({ data: [{ index: 0 }, { index: 1 }] })
  expect(harness.provider.requests.at(-1)?.body).toMatchObject({ input: [[101, 2023], [7]] })
  expect(await create('able/thing', [101, 2023])).toMatchObject({ data: [{ index: 0 }] })
  expect(await create('local/embedder', [[101]])).toMatchObject({ status: 400, param: 'input' })
})

test('what is odd in a prompt goes on as it is, no name of a file does, and what is endless is refused', async () => {
  const odd = 'A kite \u202eetik\u202c 💥 "quoted"'
  await openai.images.generate({ model: 'able/drawer', prompt: odd })
  expect(harness.provider.requests.at(-1)?.body).toMatchObject({ prompt: odd })
  const image = await toFile(samplePng(4, 3), 'boat "1" 💥.png', { type: 'image/png' })
  await openai.images.edit({ model: 'able/drawer', image, prompt: odd })
  const sent = harness.provider.requests.at(-1)?.body as { fields: object; files: { name: string }[] }
  expect(sent).toMatchObject({ fields: { prompt: odd } })
  expect(sent.files.map(({ name }) => name)).toEqual(['image.png'])
  const asked = harness.provider.requests.length
  const endless = 'x'.repeat(1024 * 1024)
  for (const work of [
    () => openai.images.generate({ model: 'able/drawer', prompt: endless }),
    () => openai.images.edit({ model: 'able/drawer', image, prompt: endless }),
    () => openai.audio.speech.create({ model: 'able/thing', voice: 'alloy', input: endless }),
  ]) {
    const error = await work().catch((failure: unknown) => failure)
    expect(error).toMatchObject({ status: 400, param: expect.stringMatching(/^(prompt|input)$/) })
  }
  const cut = await openai.images
    .generate({ model: 'able/drawer', prompt: 'A\u0000kite' })
    .catch((error: unknown) => error)
  expect(cut).toMatchObject({ status: 400 })
  expect(harness.provider.requests).toHaveLength(asked)
})

test('what is larger than a model takes is refused as too large, and nobody is asked', async () => {
  const asked = harness.provider.requests.length
  const file = await toFile(Buffer.alloc(2000), 'long.wav', { type: 'audio/wav' })
  for (const work of [
    () => openai.images.generate({ model: 'able/drawer', prompt: 'x'.repeat(1001) }),
    () => openai.audio.speech.create({ model: 'able/thing', voice: 'alloy', input: 'x'.repeat(1001) }),
    () => openai.audio.transcriptions.create({ model: 'able/thing', file }),
  ]) {
    const error = await work().catch((failure: unknown) => failure)
    expect(error).toMatchObject({ status: 413, code: 'too_large', message: expect.stringMatching(/at most/) })
  }
  expect(harness.provider.requests).toHaveLength(asked)
})

test('what is for something else than chat is listed by its qualified id', async () => {
  const ids = (await openai.models.list()).data.map(({ id }) => id)
  expect(ids).toContain('able/thing')
  expect((await openai.models.retrieve('able/thing')).owned_by).toBe('able')
})

test('refusals have the shape of the client', async () => {
  const failing = (work: Promise<unknown>) => work.catch((error: unknown) => error)
  const file = await toFile(Buffer.from('x'), 'x.wav')
  expect(await failing(openai.embeddings.create({ model: 'able/other', input: 'x' }))).toBeInstanceOf(
    OpenAI.NotFoundError,
  )
  expect(await failing(openai.images.generate({ model: 'able/drawer', prompt: '' }))).toBeInstanceOf(
    OpenAI.BadRequestError,
  )
  expect(
    await failing(openai.audio.transcriptions.create({ model: 'able/thing', file, temperature: 7 })),
  ).toMatchObject({ status: 400, param: 'temperature' })
  for (const fault of ['status-500', 'half-json', 'wrong-type'] as const) {
    harness.provider.control({ fault })
    for (const work of [
      () => openai.embeddings.create({ model: 'able/thing', input: 'x' }),
      () => openai.audio.transcriptions.create({ model: 'able/thing', file }),
      () => openai.images.generate({ model: 'able/drawer', prompt: 'A kite' }),
    ]) {
      const error = (await failing(work())) as Error
      expect(error, fault).toBeInstanceOf(OpenAI.APIError)
      expect(error.message).not.toContain('leaked')
    }
  }
})
