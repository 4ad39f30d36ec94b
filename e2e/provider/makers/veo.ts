/** Veo at Vertex AI: an operation runs long, is fetched by its name, and has the film in it (Veo on Vertex AI, API). */
import { json, type Refusals } from '../writing.ts'
import { keyAfter, type Maker, objectOf, turnedAway } from './call.ts'
import { film } from './samples.ts'

const problem: Refusals = (message, _type, _code, status = 400) => ({
  error: { code: status, message, status: status === 401 ? 'UNAUTHENTICATED' : 'INVALID_ARGUMENT' },
})

const known = [
  ...['aspectRatio', 'compressionQuality', 'durationSeconds', 'enhancePrompt', 'generateAudio', 'negativePrompt'],
  ...['personGeneration', 'resolution', 'sampleCount', 'seed', 'storageUri'],
]

export const veo: Maker = async (state, { method, url, headers, body }, res) => {
  const [, place = '', model = '', verb = ''] =
    /^\/v1\/(projects\/[^/]+\/locations\/[^/]+\/publishers\/google\/models\/(veo-[^/:]+)):(\w+)$/.exec(url.pathname) ??
    []
  if (method !== 'POST' || place === '') return false
  if (await turnedAway(state, res, { shown: keyAfter('Bearer ', headers), model, problem })) return
  const sent = objectOf(body)
  if (verb === 'predictLongRunning') {
    const [instance] = Array.isArray(sent['instances']) ? sent['instances'].map(objectOf) : []
    const strange = Object.keys(objectOf(sent['parameters'])).find((name) => !known.includes(name))
    if (typeof instance?.['prompt'] !== 'string' || strange)
      return json(res, 400, problem(`Unsupported: ${strange ?? 'instances'}`, '', null))
    const name = `${place}/operations/${state.films.size + 1}`
    state.films.set(name, { model, looks: 0, cancelled: false })
    return json(res, 200, { name })
  }
  const { operationName: name } = sent
  if (verb !== 'fetchPredictOperation' || typeof name !== 'string') return false
  if (!state.films.has(name)) return json(res, 404, problem('Operation not found.', '', null, 404))
  const videos = [{ bytesBase64Encoded: film().toString('base64'), mimeType: 'video/mp4' }]
  const type = 'type.googleapis.com/cloud.ai.large_models.vision.GenerateVideoResponse'
  json(res, 200, { name, done: true, response: { '@type': type, raiMediaFilteredCount: 0, videos } })
}
