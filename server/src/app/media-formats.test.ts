/** Every bundled definition that makes or hears something, moved to a model server that speaks its format over HTTP. */
import { type Definition, connectionsRoutes } from '@atrium/contract/connections'
import { mediaMakingRoutes as making } from '@atrium/contract/media-gallery'
import { speechRoutes } from '@atrium/contract/speech'
import { usageRoutes } from '@atrium/contract/usage'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../../e2e/provider/provider.ts'
import { type BundledDefinition, bundledDefinitions } from '../providers/definitions.ts'
import { toWav } from '../providers/operations/wav.ts'
import { type TestApp, startTestApp } from '../testing/app.ts'
import type { Client } from '../testing/client.ts'
import { samplePng } from '../testing/sample-pictures.ts'

const kinds = ['image', 'video', 'audio', 'tts', 'stt'] as const
type Kind = (typeof kinds)[number]

const definitions = bundledDefinitions().filter(({ capabilities }) => kinds.some((kind) => capabilities?.[kind]))
const cases = definitions.flatMap((definition) =>
  kinds.filter((kind) => definition.capabilities?.[kind]).map((kind) => [definition.id, kind] as const),
)
/** A server of its own for each, and a key that is shown nowhere else. */
const servers = new Map<string, Provider>()
const keyOf = (id: string): string => `key-of-${id}`
/** Where some makers have their files lie: it gets no key at all. */
let files: Provider
let app: TestApp
let admin: Client

const serverOf = (id: string): Provider => {
  const server = servers.get(id)
  if (!server) throw new Error(`there is no server for ${id}`)
  return server
}

/** As an administrator would import it, with every address of the maker at `url`. */
const moveTo = (url: string, definition: BundledDefinition): Definition => {
  const shared = Object.entries(definition).filter(([name]) => !ours.includes(name))
  const text = JSON.stringify(Object.fromEntries(shared), (name, value: unknown) =>
    typeof value === 'string' && name !== 'documentation_url' ? value.replace(/^https?:\/\/[^/]+/, url) : value,
  )
  return JSON.parse(text) as Definition
}
/** What an imported definition cannot say. */
const ours = ['wire', 'formats', 'attribution', 'signIn', 'local', 'modelsUrl', 'omits', 'insists', 'unlisted']

const connect = async (definition: BundledDefinition): Promise<void> => {
  const { id, auth, variables = [] } = definition
  const params = { id }
  await admin.call(connectionsRoutes.installPlugin, { body: moveTo(serverOf(id).url, definition) })
  const wanted = variables.filter(({ required, default: preset }) => required && preset === undefined)
  if (wanted.length > 0) {
    const values = Object.fromEntries(wanted.map(({ name }) => [name, 'kites']))
    await admin.call(connectionsRoutes.saveVariables, { params, body: { variables: values } })
  }
  if (auth.header !== '') await admin.call(connectionsRoutes.saveKey, { params, body: { apiKey: keyOf(id) } })
  await admin.call(connectionsRoutes.activate, { params })
}

const listed = { image: 'image', video: 'video', audio: 'sound', tts: 'speech', stt: 'transcription' } as const
const modelOf = async (id: string, kind: Kind) => {
  const models = (await admin.call(making.models, {}))[listed[kind]]
  const found = models.find(({ pluginId }) => pluginId === id)
  if (!found) throw new Error(`${id} lists no model for ${kind}`)
  return { model: found.model, pluginId: id, config: found.config }
}

/** The first of each choice that a model of films lists. */
const filmOf = ({ durations, resolutions }: Readonly<Record<string, unknown>>) => {
  const [seconds] = Array.isArray(durations) ? durations.map(Number) : []
  const [resolution] = Array.isArray(resolutions) ? resolutions.map(String) : []
  return { durationMs: seconds && seconds * 1000, resolution }
}

/** Calls that were asked for, by connection and model. */
const asked = new Map<string, number>()
const willAsk = ({ pluginId, model }: { readonly pluginId: string; readonly model: string }): void => {
  const name = `${pluginId} ${model}`
  asked.set(name, (asked.get(name) ?? 0) + 1)
}

const isKey = (name: string): boolean =>
  /^(authorization|cookie|api-key|x-api-key|x-goog-api-key|xi-api-key)$/.test(name)

const recording = (): Uint8Array<ArrayBuffer> =>
  new Uint8Array(toWav(Buffer.alloc(32_000), { rate: 16_000, channels: 1 }))

const send = async (path: string, fields: Record<string, string>, bytes: Record<string, Blob>): Promise<unknown> => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  for (const [name, blob] of Object.entries(bytes)) form.set(name, blob, `${name}.bin`)
  const response = await admin.raw(path, { method: 'POST', body: form })
  const answer: unknown = await response.json()
  return response.status === 200 ? answer : { refused: answer }
}

beforeAll(async () => {
  files = await startProvider()
  for (const { id, auth } of definitions) {
    const server = await startProvider()
    server.control({ apiKey: auth.header === '' ? null : keyOf(id), filesAt: files.url })
    servers.set(id, server)
  }
  const allowed = [files, ...servers.values()].map(({ address }) => address).join(',')
  app = await startTestApp({ env: { OUTBOUND_ALLOW: allowed } })
  admin = await app.signUpAdmin()
  for (const definition of definitions) await connect(definition)
})
afterAll(async () => {
  await app?.close()
  for (const server of [files, ...servers.values()]) await server?.close()
})

describe('every bundled definition', () => {
  test.concurrent.each(cases)('%s makes or hears one thing: %s', async (id, kind) => {
    const { config, ...of } = await modelOf(id, kind)
    willAsk(of)
    switch (kind) {
      case 'image': {
        const { items, missing } = await admin.call(making.generateImage, { body: { ...of, prompt: 'A boat' } })
        expect([items.map(({ kind: made, mimeType }) => [made, mimeType]), missing]).toEqual([
          [['image', 'image/png']],
          null,
        ])
        break
      }
      case 'audio': {
        const item = await admin.call(making.generateSound, { body: { ...of, prompt: 'Rain' } })
        expect(item).toMatchObject({ kind: 'audio', mimeType: expect.stringMatching(/^audio\/(wav|mpeg)$/) })
        break
      }
      case 'tts': {
        const spoken = await admin.call(speechRoutes.generateBase64, { body: { ...of, input: 'Hello there' } })
        expect(spoken.mimeType).toMatch(/^audio\//)
        expect(Buffer.from(spoken.audio, 'base64').byteLength).toBe(spoken.size)
        expect(spoken.size).toBeGreaterThan(100)
        break
      }
      case 'stt': {
        const audio = new Blob([recording()], { type: 'audio/wav' })
        const heard = await send('/api/stt/transcribe', { model: of.model, pluginId: id }, { audio })
        expect(heard).toMatchObject({ text: expect.stringContaining(`I heard ${recording().byteLength} bytes.`) })
        break
      }
      case 'video': {
        const { id: jobId } = await admin.call(making.generateVideo, {
          body: { ...of, ...filmOf(config), prompt: 'Waves' },
        })
        await expect
          .poll(() => admin.call(making.videoJob, { params: { jobId } }), { interval: 500 })
          .toMatchObject({ status: 'completed', media: { kind: 'video', mimeType: 'video/mp4', durationMs: 2000 } })
      }
    }
  })

  const drawing = cases.filter(([, kind]) => kind === 'image').map(([id]) => id)
  test.concurrent.each(drawing)('%s draws from a picture, and under a mask, where it takes one', async (id) => {
    const models = (await admin.call(making.models, {})).image
    const found = models.find(({ pluginId }) => pluginId === id)
    if (!found) throw new Error(`${id} draws nothing`)
    const { model, config } = found
    const picture = () => new Blob([samplePng(64, 64)], { type: 'image/png' })
    const of = { model, pluginId: id, prompt: 'A larger boat' }
    const edit = (files: Record<string, Blob>) => send('/api/media/image/edit', of, { images: picture(), ...files })
    const drawn = { items: [{ kind: 'image', mimeType: 'image/png' }] }
    const takesPictures = Number(config['max_reference_images']) > 0
    if (takesPictures) willAsk(of)
    expect(await edit({})).toMatchObject(takesPictures ? drawn : { refused: { status: 400 } })
    if (!takesPictures || config['supports_mask'] !== true) return
    willAsk(of)
    const mask = new Blob([samplePng(64, 64, { clear: true })], { type: 'image/png' })
    expect(await edit({ mask })).toMatchObject(drawn)
  })

  test('was counted once for each call that was asked for', async () => {
    const counted = async () => {
      const { models } = await admin.call(usageRoutes.report, { query: { days: 2 } })
      return Object.fromEntries(
        models.map(({ pluginId, model, calls, errors }) => [`${pluginId} ${model}`, { calls, errors }]),
      )
    }
    const once = Object.fromEntries(Array.from(asked, ([name, calls]) => [name, { calls, errors: 0 }]))
    await expect.poll(counted, { interval: 200 }).toEqual(once)
  })

  test('showed its key to its own maker alone, in the maker’s own header, and to no host of files', () => {
    for (const { id, auth } of definitions) {
      const shown = serverOf(id).requests.flatMap(({ headers }) =>
        Object.entries(headers).filter(([name]) => isKey(name)),
      )
      const own = JSON.stringify([auth.header.toLowerCase(), `${auth.prefix ?? ''}${keyOf(id)}`])
      expect([id, [...new Set(shown.map((one) => JSON.stringify(one)))]]).toEqual([id, auth.header === '' ? [] : [own]])
    }
    expect(files.requests.length).toBeGreaterThan(2)
    expect(files.requests.flatMap(({ headers }) => Object.keys(headers).filter(isKey))).toEqual([])
  })
})
