/** Embeddings, pictures and speech, in the shapes that their clients know. */
import type { EmbeddingBody, ImageBody, SpeechBody } from '@atrium/contract/public-api'
import type { Caller, Context, RelayAnswer } from '../../platform/http/area.ts'
import type { Platform } from '../../platform/platform.ts'
import type { EmbeddingInput, Embeddings, Images } from '../../providers/operations/index.ts'
import { dataUrlOf } from '../../providers/operations/formats/data-url.ts'
import type { OtherModels } from './capability-models.ts'
import { streamImages, usageOf } from './image-stream.ts'
import { formatNamedEvent, toEventAnswer } from './shapes/shape.ts'

export interface MediaDeps extends Pick<Platform, 'clock'> {
  readonly others: OtherModels
}

export const toJsonAnswer = (body: unknown): RelayAnswer => ({
  mediaType: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
})

export const createEmbedding = async (body: EmbeddingBody, context: Context<Caller>, { others }: MediaDeps) => {
  const ask = { input: inputsOf(body.input), dimensions: body.dimensions ?? undefined }
  const answer = await others.ask(context.caller, 'embedding', body.model, ask, context.signal)
  return toJsonAnswer(sayEmbeddings(answer, body))
}

/** A list of numbers is one text. */
const inputsOf = (input: EmbeddingBody['input']): readonly EmbeddingInput[] => {
  if (typeof input === 'string') return [input]
  return isTokens(input) ? [input] : input
}

const isTokens = (input: readonly unknown[]): input is readonly number[] => typeof input[0] === 'number'

const sayEmbeddings = ({ vectors, inputTokens }: Embeddings, body: EmbeddingBody) => ({
  object: 'list',
  data: vectors.map((vector, index) => ({
    object: 'embedding',
    index,
    embedding: body.encoding_format === 'base64' ? inBase64(vector) : vector,
  })),
  model: body.model,
  usage: { prompt_tokens: inputTokens ?? 0, total_tokens: inputTokens ?? 0 },
})

/** 32-bit floats, little end first. */
const inBase64 = (vector: readonly number[]): string => {
  const bytes = Buffer.alloc(vector.length * 4)
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4)
  return bytes.toString('base64')
}

export const createImage = async (
  body: ImageBody,
  context: Context<Caller>,
  { others, clock }: MediaDeps,
): Promise<RelayAnswer> => {
  const ask = {
    prompt: body.prompt,
    count: body.n ?? undefined,
    size: body.size ?? undefined,
    quality: body.quality ?? undefined,
    style: body.style ?? undefined,
    background: body.background ?? undefined,
    format: body.output_format ?? undefined,
  }
  if (body.stream === true) {
    const partials = body.partial_images ?? 0
    return streamImages({ kind: 'image_generation', model: body.model, ask, partials }, context, { others, clock })
  }
  const answer = await others.ask(context.caller, 'image', body.model, ask, context.signal)
  return toJsonAnswer(sayImages(answer, Math.floor(clock.now() / 1000), body.response_format === 'url'))
}

export const sayImages = ({ pictures, inputTokens, outputTokens }: Images, created: number, asUrl: boolean) => ({
  created,
  data: pictures.map(({ mediaType, bytes, revisedPrompt }) => ({
    ...(asUrl ? { url: dataUrlOf({ mediaType, bytes }) } : { b64_json: Buffer.from(bytes).toString('base64') }),
    ...(revisedPrompt === null ? {} : { revised_prompt: revisedPrompt }),
  })),
  ...(inputTokens === null && outputTokens === null
    ? {}
    : {
        usage: usageOf(inputTokens, outputTokens),
      }),
})

export const createSpeech = async (
  body: SpeechBody,
  context: Context<Caller>,
  { others }: MediaDeps,
): Promise<RelayAnswer> => {
  const ask = {
    text: body.input,
    voice: (typeof body.voice === 'object' ? body.voice?.id : body.voice) ?? undefined,
    format: body.response_format ?? undefined,
    speed: body.speed ?? undefined,
    instructions: body.instructions ?? undefined,
  }
  const answer = await others.ask(context.caller, 'tts', body.model, ask, context.signal)
  if (body.stream_format !== 'sse') return { mediaType: answer.mediaType, body: answer.body }
  return toEventAnswer(saySoundEvents(answer.body), context.requestId)
}

/** Each piece of the sound stands alone in base64; together they are the file. */
async function* saySoundEvents(sound: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const [delta, done] = ['speech.audio.delta', 'speech.audio.done']
  for await (const piece of sound) {
    yield formatNamedEvent(delta, { type: delta, audio: Buffer.from(piece).toString('base64') })
  }
  // Nobody counts tokens of speech: providers bill its characters.
  yield formatNamedEvent(done, { type: done, usage: usageOf(0, 0) })
}
