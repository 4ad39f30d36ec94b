import { crc32, deflateSync } from 'node:zlib'
import { connectionsRoutes } from '@atrium/contract/connections'
import { documentsRoutes as routes } from '@atrium/contract/documents'
import { settingsRoutes } from '@atrium/contract/settings'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../../testing/client.ts'
import { readToEnd, uploadAndRead } from '../../../testing/documents.ts'
import { type PublicApiHarness, startPublicApi } from '../../../testing/public-api.ts'
import { scanOf } from '../../../testing/scans.ts'
import { toSpeechText } from './read.ts'

/** A black picture, large enough to be looked at. */
const bitmap = (): Uint8Array => {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data])
    const whole = Buffer.alloc(body.length + 8)
    whole.writeUInt32BE(data.length, 0)
    body.copy(whole, 4)
    whole.writeUInt32BE(crc32(body), body.length + 4)
    return whole
  }
  const side = 200
  const head = Buffer.from([0, 0, 0, side, 0, 0, 0, side, 8, 2, 0, 0, 0])
  const rows = Buffer.alloc(side * (side * 3 + 1)).map((_, at) => (at % (side * 3 + 1) === 0 ? 0 : (at * 7919) % 256))
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A second of silence. */
const silence = (): Uint8Array => {
  const sound = Buffer.alloc(44 + 16_000)
  sound.write('RIFF', 0)
  sound.writeUInt32LE(36 + 16_000, 4)
  sound.write('WAVEfmt ', 8)
  sound.writeUInt32LE(16, 16)
  sound.writeUInt16LE(1, 20)
  sound.writeUInt16LE(1, 22)
  sound.writeUInt32LE(8000, 24)
  sound.writeUInt32LE(16_000, 28)
  sound.writeUInt16LE(2, 32)
  sound.writeUInt16LE(16, 34)
  sound.write('data', 36)
  sound.writeUInt32LE(16_000, 40)
  return sound
}

describe('documents that only models can read', () => {
  let harness: PublicApiHarness
  let ann: Client
  beforeAll(async () => {
    harness = await startPublicApi()
    ann = harness.admin
  })
  afterAll(() => harness?.close())

  test('pictures need a vision model, and are read once there is one', async () => {
    const image = bitmap()
    const blind = await uploadAndRead(ann, image, { name: 'picture.png', type: 'image/png' })
    expect(blind).toMatchObject({ processingStatus: 'failed', processingErrorCode: 'needs_vision', fileType: 'image' })
    const visionModel = { providerType: 'local', providerId: null, model: 'echo' } as const
    await ann.call(settingsRoutes.update, { body: { visionModel } })
    await ann.call(routes.retry, { params: { documentId: blind.id } })
    expect(await readToEnd(ann, blind.id)).toMatchObject({ processingStatus: 'completed', processingErrorCode: null })
    const { content } = await ann.call(routes.read, { params: { documentId: blind.id } })
    expect(content).toContain('I see 1 image')
    const asked = JSON.stringify(harness.provider.requests.at(-1))
    expect(asked).toContain('Describe this picture')
  })

  test('a long scan says how much of it was read, and is read on from there, each page once', async () => {
    const scan = await uploadAndRead(ann, await scanOf(23), { name: 'scan.pdf', type: 'application/pdf' })
    expect(scan).toMatchObject({ processingStatus: 'completed', parts: 23, partsRead: 20, canReadOn: true })
    const params = { documentId: scan.id }
    const readOn = async () => {
      await ann.call(routes.readOn, { params })
      return await readToEnd(ann, scan.id)
    }
    harness.provider.control({ fault: 'status-500', after: 0 })
    expect(await readOn()).toMatchObject({ processingStatus: 'completed', partsRead: 20, canReadOn: true })
    harness.calm()
    expect(await readOn()).toMatchObject({ parts: 23, partsRead: 23, canReadOn: false })
    const { segments, content } = await ann.call(routes.read, { params })
    expect(segments.map(({ label }) => label)).toEqual(Array.from({ length: 23 }, (_, at) => `Page ${at + 1}`))
    expect(content.match(/I see 1 image/g)).toHaveLength(23)
    expect(await readOn()).toMatchObject({ processingStatus: 'completed', partsRead: 23 })
  })

  test('a vision model that fails is told of', async () => {
    const visionModel = { providerType: 'plugin', providerId: 'chat', model: 'status-500' } as const
    await ann.call(settingsRoutes.update, { body: { visionModel } })
    const image = Buffer.concat([bitmap(), Buffer.from('other')])
    const { processingErrorCode } = await uploadAndRead(ann, image, { name: 'other.png' })
    expect(processingErrorCode).toBe('vision_failed')
  })

  test('recordings need leave first, and then a model', async () => {
    const voice = (voiceInput: 'off' | 'admins' | 'all-users') =>
      ann.call(settingsRoutes.updateInstance, { body: { voiceInput } })
    await voice('off')
    const shut = await uploadAndRead(ann, silence(), { name: 'talk.wav', type: 'audio/wav' })
    expect(shut).toMatchObject({ fileType: 'audio', processingErrorCode: 'speech_not_allowed' })
    await voice('admins')
    await ann.call(routes.retry, { params: { documentId: shut.id } })
    expect((await readToEnd(ann, shut.id)).processingErrorCode).toBe('needs_speech')
    const auth = { header: 'Authorization', prefix: 'Bearer ', key_env: 'TEST_KEY' }
    const at = (path: string) => `${harness.provider.url}/v1/${path}`
    const capabilities = { stt: { endpoint: at('audio/transcriptions'), model_map: ['hearer'], config: {} } }
    const body = { id: 'able', name: 'Able', type: 'completion' as const, endpoint: at('chat/completions'), auth }
    await ann.call(connectionsRoutes.installPlugin, { body: { ...body, model_map: ['echo'], capabilities } })
    await ann.call(connectionsRoutes.saveKey, { params: { id: 'able' }, body: { apiKey: 'key' } })
    await ann.call(connectionsRoutes.activate, { params: { id: 'able' } })
    await ann.call(routes.retry, { params: { documentId: shut.id } })
    expect((await readToEnd(ann, shut.id)).processingStatus).toBe('completed')
    const { content } = await ann.call(routes.read, { params: { documentId: shut.id } })
    expect(content).toBe('I heard 16044 bytes.')
    const memo = await uploadAndRead(ann, Buffer.from('\0\0\0\x1cftypM4A \0\0\0\0', 'latin1'), { name: 'memo.m4a' })
    expect(memo).toMatchObject({ fileType: 'audio', mediaType: 'audio/mp4', processingStatus: 'completed' })
    const user = await harness.app.signUpUser()
    expect((await uploadAndRead(user, silence(), { name: 'talk.wav' })).processingErrorCode).toBe('speech_not_allowed')
  })
})

test('what was said becomes a text with a stretch for every minute', () => {
  const segments = [
    { start: 0, end: 4, text: ' Good morning. ' },
    { start: 30, end: 31, text: 'We begin.' },
    { start: 61.5, end: 62, text: 'A minute later.' },
    { start: 62, end: 63, text: ' ' },
    { start: 605, end: 606, text: 'The end.' },
  ]
  const { text, segments: found } = toSpeechText({ text: '', segments })
  expect(found.map(({ label, start, end }) => [label, text.slice(start, end)])).toEqual([
    ['0:00', 'Good morning. We begin.'],
    ['1:01', 'A minute later.'],
    ['10:05', 'The end.'],
  ])
  expect(toSpeechText({ text: ' only words\n', segments: [] })).toEqual({
    text: 'only words',
    segments: [],
    title: null,
  })
})
