import { connectionsRoutes } from '@atrium/contract/connections'
import { settingsRoutes } from '@atrium/contract/settings'
import { type SpokenText, speechRoutes as routes } from '@atrium/contract/speech'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type PublicApiHarness, startPublicApi } from '../../testing/public-api.ts'
import type { Client } from '../../testing/client.ts'
import { toWav } from '../../providers/operations/wav.ts'
import { createAtOnce } from './at-once.ts'

let harness: PublicApiHarness
let ann: Client
let ben: Client
beforeAll(async () => {
  harness = await startPublicApi()
  ann = harness.admin
  ben = await harness.app.signUpUser()
  const at = (path: string) => `${harness.provider.url}/v1/${path}`
  const auth = { header: 'Authorization', prefix: 'Bearer ', key_env: 'TEST_KEY' }
  const tts = {
    endpoint: at('audio/speech'),
    model_map: ['loud'],
    config: { voices: ['ash', 'coral'], default_voice: 'coral', formats: ['mp3', 'wav'], max_characters: 50 },
  }
  const stt = { endpoint: at('audio/transcriptions'), model_map: ['hearer', 'plain', 'patient'], config: {} }
  for (const id of ['able', 'other'])
    await ann.call(connectionsRoutes.installPlugin, {
      body: {
        id,
        name: id,
        type: 'completion',
        endpoint: at('chat/completions'),
        auth,
        model_map: ['echo'],
        capabilities: id === 'able' ? { tts, stt } : { tts: { ...tts, model_map: ['loud', 'soft'] } },
      },
    })
  for (const id of ['able', 'other']) {
    await ann.call(connectionsRoutes.saveKey, { params: { id }, body: { apiKey: 'key' } })
    await ann.call(connectionsRoutes.activate, { params: { id } })
  }
})
beforeEach(async () => {
  harness.calm()
  await ann.call(settingsRoutes.updateInstance, {
    body: { voiceInput: 'all-users', voiceOutput: 'all-users', voiceMode: 'all-users' },
  })
})
afterAll(() => harness?.close())

/** A tenth of a second. */
const silence = (): Buffer => Buffer.from(toWav(Buffer.alloc(3200), { rate: 16_000, channels: 1 }))

const send = (client: Client, fields: Record<string, string>, audio: Buffer | null = silence()) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  if (audio) form.set('audio', new Blob([new Uint8Array(audio)], { type: 'audio/wav' }), 'talk.wav')
  return client.raw('/api/stt/transcribe', { method: 'POST', body: form })
}

describe('reading aloud', () => {
  test('lists models and voices of the connections that have some', async () => {
    const models = await ann.call(routes.speechModels, {})
    expect(models.map(({ pluginId, model }) => `${pluginId}/${model}`)).toEqual(
      expect.arrayContaining(['able/loud', 'other/loud', 'other/soft']),
    )
    const plugins = await ann.call(routes.speechPlugins, {})
    expect(plugins).toContainEqual(expect.objectContaining({ id: 'other', models: ['loud', 'soft'] }))
    expect(await ann.call(routes.voices, { params: { pluginId: 'able' } })).toEqual({
      voices: ['ash', 'coral'],
      defaultVoice: 'coral',
      formats: ['mp3', 'wav'],
      defaultFormat: null,
      maxCharacters: 50,
    })
    expect(await ann.refusal(routes.voices, { params: { pluginId: 'none' } })).toMatchObject({
      code: 'model_not_found',
    })
  })

  test('gives sound as bytes and in base64', async () => {
    const body = { model: 'loud', pluginId: 'able', input: 'Hello there' }
    const answer = await ann.answer(routes.generate, {
      body: { ...body, voice: 'ash', responseFormat: 'wav', speed: 2 },
    })
    expect(answer.headers.get('content-type')).toMatch(/^audio\//)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(0)
    expect(harness.provider.requests.at(-1)?.body).toMatchObject({ voice: 'ash', response_format: 'wav', speed: 2 })
    const whole = await ann.call(routes.generateBase64, { body })
    expect(Buffer.from(whole.audio, 'base64').byteLength).toBe(whole.size)
  })

  test('tells administrators how the built-in voice stands, and no one else', async () => {
    const body = { model: 'voice', pluginId: 'builtin', input: 'The ferry leaves at nine.' }
    const sound = await (await ann.answer(routes.generate, { body })).arrayBuffer()
    expect(Buffer.from(sound).toString('latin1', 0, 4)).toBe('RIFF')
    expect(await ann.call(routes.voiceState, {})).toEqual({ state: 'ready', memoryMb: 512 })
    expect((await ben.refusal(routes.voiceState, {})).status).toBe(403)
  })

  test.each([
    ['a name that two connections have', { model: 'loud', input: 'a' }, 400, 'validation_failed'],
    ['a model that nobody has', { model: 'gone', input: 'a' }, 404, 'model_not_found'],
    ['a model that this connection lacks', { model: 'soft', pluginId: 'able', input: 'a' }, 422, 'model_unavailable'],
    ['more text than the voice reads', { model: 'soft', input: 'a'.repeat(51) }, 400, 'validation_failed'],
    ['nothing to read', { model: 'soft', input: '  ' }, 400, 'validation_failed'],
    ['a speed that no voice has', { model: 'soft', input: 'a', speed: 9 }, 400, 'validation_failed'],
  ])('refuses %s', async (_, body, status, code) => {
    expect(await ann.refusal(routes.generate, { body })).toMatchObject({ status, code })
  })
})

describe('turning speech into text', () => {
  test('gives the text with times, and subtitles where they are asked for', async () => {
    const { byteLength } = silence()
    const plain = await send(ann, { model: 'hearer', language: 'de-AT', prompt: 'Atrium' })
    expect(plain.status).toBe(200)
    expect(await plain.json()).toMatchObject({ text: `I heard ${byteLength} bytes.`, subtitles: null })
    expect(harness.provider.requests.at(-1)?.body).toMatchObject({ fields: { language: 'de', prompt: 'Atrium' } })
    const vtt = await send(ann, { model: 'hearer', subtitles: 'vtt' })
    expect(await vtt.json()).toMatchObject({
      segments: [{ start: 0, end: 2.5 }],
      subtitles: expect.stringMatching(/^WEBVTT\n\n00:00:00\.000 --> 00:00:02\.500\n/),
    })
  })

  test('asks for a long recording in pieces, and tells the times of the whole', async () => {
    const before = harness.provider.requests.length
    const audio = Buffer.from(toWav(Buffer.alloc(2 * 8000 * 310), { rate: 8000, channels: 1 }))
    const answer = (await (await send(ann, { model: 'hearer', subtitles: 'srt' }, audio)).json()) as SpokenText
    expect(harness.provider.requests.length - before).toBe(2)
    expect(answer.duration).toBe(310)
    const [first, second] = answer.segments
    expect(first?.start).toBe(0)
    expect(second?.start).toBeGreaterThan(200)
    expect(answer.subtitles).toMatch(/^1\n00:00:00,000 --> 00:00:02,500\n.*\n\n2\n00:0[45]:/)
  })

  test('gives what was heard of a long recording whose later piece fails, to whoever takes it, and what is missing', async () => {
    const audio = Buffer.from(toWav(Buffer.alloc(2 * 8000 * 310), { rate: 8000, channels: 1 }))
    const answer = (await (await send(ann, { model: 'patient', partial: 'true' }, audio)).json()) as SpokenText
    expect(answer).toMatchObject({ text: expect.stringMatching(/^I heard \d{7} bytes\.$/), duration: 310 })
    expect(answer.segments).toHaveLength(1)
    expect(answer.missing).toMatchObject({ end: 310, detail: expect.stringContaining('error') })
    expect(answer.missing?.start).toBeGreaterThan(250)
    expect((await send(ann, { model: 'patient' }, audio)).status).toBe(502)
    // Where nothing was heard there is nothing to give.
    expect((await send(ann, { model: 'patient', partial: 'true' })).status).toBe(502)
  })

  test('refuses what is no recording, whatever it is called, and what is missing', async () => {
    const code = async (answer: Promise<Response>) => ((await (await answer).json()) as { code: string }).code
    expect(await code(send(ann, { model: 'hearer' }, Buffer.from('<html>')))).toBe('sound_unsupported')
    expect(await code(send(ann, { model: 'hearer' }, Buffer.alloc(0)))).toBe('sound_unsupported')
    expect(await code(send(ann, { model: 'hearer' }, null))).toBe('validation_failed')
    expect(await code(send(ann, {}))).toBe('validation_failed')
    expect(await code(send(ann, { model: 'hearer', language: 'no language' }))).toBe('validation_failed')
    expect(await code(send(ben, { model: 'hearer', pluginId: 'able' }))).toBe('model_unavailable')
  })
})

test('who may use speech is chosen in one place, and holds for routes and lists', async () => {
  expect(await ben.call(routes.own, {})).toEqual({ stt: true, tts: true, 'voice-mode': true })
  await ann.call(routes.updateAccess, { params: { feature: 'voice-mode' }, body: { mode: 'admins' } })
  expect(await ben.call(routes.own, {})).toEqual({ stt: true, tts: true, 'voice-mode': false })
  expect(await ann.call(routes.own, {})).toEqual({ stt: true, tts: true, 'voice-mode': true })
  const params = { feature: 'tts' } as const
  expect(await ben.refusal(routes.updateAccess, { params, body: { mode: 'off' } })).toMatchObject({ code: 'forbidden' })
  expect(await ann.call(routes.updateAccess, { params, body: { mode: 'admins' } })).toMatchObject({
    tts: { mode: 'admins', source: 'saved', lockedByEnv: false },
    stt: { mode: 'all-users' },
  })
  await ann.call(routes.updateAccess, { params: { feature: 'stt' }, body: { mode: 'off' } })
  expect(await ben.call(routes.own, {})).toEqual({ stt: false, tts: false, 'voice-mode': false })
  // To talk one is heard and spoken to: the one without the other is no conversation.
  expect(await ann.call(routes.own, {})).toEqual({ stt: false, tts: true, 'voice-mode': false })
  expect(await ben.call(routes.speechModels, {})).toEqual([])
  expect(await ben.refusal(routes.generate, { body: { model: 'soft', input: 'a' } })).toMatchObject({
    status: 403,
    code: 'voice_not_allowed',
  })
  expect((await send(ann, { model: 'hearer' })).status).toBe(403)
  // What documents ask is the same setting.
  expect((await ann.call(settingsRoutes.instance, {})).voiceInput.value).toBe('off')
})

test('so much is worked on at once for an account, and so much for all', () => {
  const atOnce = createAtOnce({ perAccount: 2, all: 3 })
  const leave = atOnce.enter('ann')
  atOnce.enter('ann')
  expect(() => atOnce.enter('ann')).toThrow('Too many requests at once')
  const leaveBen = atOnce.enter('ben')
  expect(() => atOnce.enter('eve')).toThrow('Too many requests at once')
  leaveBen()
  leaveBen()
  atOnce.enter('eve')
  expect(() => atOnce.enter('eve')).toThrow('Too many requests at once')
  leave()
  atOnce.enter('ann')
})
