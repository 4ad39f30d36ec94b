/** Embeddings, pictures, speech and transcriptions, in the shapes that their clients know. */
import { type EmbeddingBody, type ImageBody, type SpeechBody, TranscriptionForm } from '@atrium/contract/public-api'
import { refusalOf } from '../../core/connections/index.ts'
import type { Caller, Context, RelayAnswer, UploadedFile } from '../../platform/http/area.ts'
import { readFields } from '../../platform/http/form.ts'
import { fail, isRefusal } from '../../platform/http/refusal.ts'
import type { Platform } from '../../platform/platform.ts'
import {
  type EmbeddingInput,
  type Embeddings,
  type Images,
  type Transcription,
  writeSubtitles,
} from '../../providers/operations/index.ts'
import { dataUrlOf } from '../../providers/operations/formats/data-url.ts'
import type { OtherModels } from './capability-models.ts'
import { streamImages } from './image-stream.ts'
import { invalidRequest } from './refusals.ts'
import { failedChunk, formatNamedEvent } from './shapes/shape.ts'

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
        usage: {
          input_tokens: inputTokens ?? 0,
          output_tokens: outputTokens ?? 0,
          total_tokens: (inputTokens ?? 0) + (outputTokens ?? 0),
        },
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
  const sound = inApiTerms(answer.body)
  if (body.stream_format !== 'sse') return { mediaType: answer.mediaType, body: sound }
  return {
    mediaType: 'text/event-stream; charset=utf-8',
    body: saySoundEvents(sound),
    failed: (refusal) => failedChunk(refusal, context.requestId),
  }
}

/** Each piece of the sound stands alone in base64; together they are the file. */
async function* saySoundEvents(sound: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const [delta, done] = ['speech.audio.delta', 'speech.audio.done']
  for await (const piece of sound) {
    yield formatNamedEvent(delta, { type: delta, audio: Buffer.from(piece).toString('base64') })
  }
  // Nobody counts tokens of speech: providers bill its characters.
  yield formatNamedEvent(done, { type: done, usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 } })
}

async function* inApiTerms(sound: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* sound
  } catch (error) {
    throw refusalOf(error)
  }
}

/** What a form holds: checked fields and the recording. */
export interface TranscriptionRequest extends TranscriptionForm {
  readonly audio: { readonly name: string; readonly mediaType: string; readonly bytes: Uint8Array }
}

export const readTranscription = async (file: UploadedFile): Promise<TranscriptionRequest> => {
  if (file.mediaType !== 'multipart/form-data') {
    throw fail('unsupported_media_type', 'Send the recording as multipart/form-data.')
  }
  const form = await file.form().catch((error: unknown) => {
    // It says that it is a form, but not where its parts end.
    if (!isRefusal(error) || error.code !== 'unsupported_media_type') throw error
    throw fail('validation_failed', 'This form cannot be read.')
  })
  const audio = form.files.find(({ field }) => field === 'file')
  if (!audio) throw invalidRequest('file', 'is missing')
  return { ...readFields(TranscriptionForm, form.fields), audio }
}

export const createTranscription = async (
  { audio, ...fields }: TranscriptionRequest,
  context: Context<Caller>,
  { others }: MediaDeps,
): Promise<RelayAnswer> => {
  const format = fields.response_format ?? 'json'
  const ask = {
    audio: audio.bytes,
    fileName: audio.name || 'recording',
    mediaType: audio.mediaType || 'application/octet-stream',
    language: fields.language,
    prompt: fields.prompt,
    temperature: fields.temperature,
    segments: format !== 'json' && format !== 'text',
  }
  const answer = await others.ask(context.caller, 'stt', fields.model, ask, context.signal)
  // Silence has no times either.
  if (ask.segments && answer.segments.length === 0 && answer.text.trim() !== '') {
    throw invalidRequest('response_format', `${format} needs times, and this model tells none: ask for json or text`)
  }
  return sayTranscription(answer, format)
}

const sayTranscription = (answer: Transcription, format: string): RelayAnswer => {
  const plain = (body: string): RelayAnswer => ({ mediaType: 'text/plain; charset=utf-8', body })
  const { text, language, seconds, segments } = answer
  switch (format) {
    case 'text':
      return plain(`${text}\n`)
    case 'srt':
    case 'vtt':
      return plain(writeSubtitles(segments, format))
    case 'verbose_json':
      return toJsonAnswer({
        task: 'transcribe',
        language: language ?? '',
        duration: seconds ?? 0,
        text,
        segments: segments.map((segment, id) => ({ id, ...segment })),
      })
    default:
      return toJsonAnswer({ text })
  }
}
