/**
 * Films over Vertex AI, where Veo is: an operation that runs long (`:predictLongRunning`) and is fetched by its name
 * (`:fetchPredictOperation`), with the film in the answer. No bucket is named, so nothing is put into one; where the answer
 * tells of one nevertheless, nothing is fetched from there.
 */
import { asArray, asObject, asText, type Json } from '../../wires/json.ts'
import { ProviderFailure } from '../../types.ts'
import type { FoundVideo, TaskFormat, TaskState } from '../format.ts'
import { omitUndefined, unreadableAnswer } from '../route.ts'
import type { SourcePicture, VideoAsk } from '../types.ts'

export const vertexVideo: TaskFormat<VideoAsk, FoundVideo> = {
  holdsResult: true,
  say: (ask, { also }) => ({
    json: {
      instances: [
        omitUndefined({
          prompt: ask.prompt,
          image: ask.firstFrame && imageOf(ask.firstFrame),
          lastFrame: ask.lastFrame && imageOf(ask.lastFrame),
        }),
      ],
      parameters: {
        ...also,
        ...omitUndefined({
          sampleCount: 1,
          durationSeconds: ask.seconds,
          resolution: ask.resolution,
          aspectRatio: ask.aspectRatio,
          generateAudio: ask.generateAudio,
          seed: ask.seed,
        }),
      },
    },
  }),
  accepted({ json }) {
    const id = asText(asObject(json)?.['name'])
    if (id === '' || id.length > 500) throw unreadableAnswer()
    return { id }
  },
  whereToAsk: ({ id }, { endpoint }) => ({
    address: endpoint.replace(/:predictLongRunning(?=$|\?)/, ':fetchPredictOperation'),
    json: { operationName: id },
  }),
  state({ json }, { id }): TaskState {
    const operation = asObject(json)
    const name = asText(operation?.['name'])
    if (!operation || (name === '' ? operation['done'] !== true : name !== id)) throw unreadableAnswer()
    if (operation['done'] !== true) return { state: 'running', progress: null }
    const error = asObject(operation['error'])
    if (error) return { state: 'failed', reason: faultOf(error) }
    const response = asObject(operation['response'])
    const filtered = response?.['raiMediaFilteredCount']
    const isWithheld = videoIn(operation) === null && typeof filtered === 'number' && filtered > 0
    return isWithheld ? { state: 'failed', reason: 'moderated' } : { state: 'done' }
  },
  result({ json }) {
    const video = videoIn(asObject(json))
    const base64 = asText(video?.['bytesBase64Encoded'])
    if (base64 !== '') return { found: { base64 } }
    if (video && asText(video['gcsUri']) !== '')
      throw new ProviderFailure('malformed', 'The provider put the film into a bucket, which Atrium doesn’t read.')
    throw unreadableAnswer()
  },
}

const imageOf = ({ bytes, mediaType }: SourcePicture): Json => ({
  bytesBase64Encoded: Buffer.from(bytes).toString('base64'),
  mimeType: mediaType,
})

const videoIn = (operation: Json | null): Json | null =>
  asObject(asArray(asObject(operation?.['response'])?.['videos'])[0])

/** The codes of google.rpc: 1 is that it was cancelled. */
const faultOf = (error: Json) =>
  /usage guidelines|responsible ai|safety|sensitive|polic/i.test(asText(error['message']))
    ? 'moderated'
    : error['code'] === 1
      ? 'cancelled'
      : 'refused'
