/** What recorded exchanges have in common: media, answers, and the exchanges of makers that answer alike everywhere. */
import { toWav } from '../wav.ts'
import type { Answer, Exchange } from './exchange.ts'

export const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
export const png = pixel.toString('base64')
export const picture = { bytes: pixel, mediaType: 'image/png', name: 'boat.png' }
export const mp3 = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'), Buffer.alloc(400, 1)])
export const samples = Buffer.alloc(4800, 3)
export const wav = Buffer.from(toWav(samples))
export const onePicture = { pictures: [{ mediaType: 'image/png', width: 1, height: 1 }], missing: null }
export const oneImage = { kind: 'images', input: 0, output: 1 }
export const recording = { audio: wav, fileName: 'memo.wav', mediaType: 'audio/wav', language: 'en', segments: true }
export const boat = { prompt: 'A boat' }
export const sayData = (...entries: object[]): Answer => ({ body: { created: 1, data: entries } })
export const toBase64 = (bytes: Buffer): string => bytes.toString('base64')
export const sayBytes = (type: string, body: Buffer): Answer => ({ type, body })
export const sayEvents = (...events: object[]): Answer => ({
  type: 'text/event-stream',
  body: `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`,
})

export const openaiBlocked: Answer = {
  status: 400,
  body: {
    error: { message: 'Your request was rejected.', type: 'image_generation_user_error', code: 'moderation_blocked' },
  },
}

interface GeminiParts {
  readonly sent: object
  readonly part: (bytes: Buffer) => object
  readonly whole: Buffer
  readonly result: object
  readonly units: object
  readonly finish: string
}

export function geminiExchange(operation: 'image' | 'tts', model: string, ask: object, parts: GeminiParts): Exchange {
  const endpoint = `/v1beta/models/${model}:generateContent`
  const path = `POST ${endpoint}`
  const answer = (part: object): Answer => ({
    body: {
      candidates: [{ content: { role: 'model', parts: [{ text: 'Here.' }, part] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 1290 },
    },
  })
  return {
    operation,
    format: 'gemini',
    endpoint,
    model,
    ask,
    answers: { [path]: answer(parts.part(parts.whole)) },
    said: [{ path, json: parts.sent }],
    result: parts.result,
    units: parts.units,
    moderated: { [path]: { body: { candidates: [{ content: {}, finishReason: parts.finish }] } } },
    ...(operation === 'image' ? { media: (bytes: Buffer) => ({ [path]: answer(parts.part(bytes)) }) } : {}),
  }
}

interface FalParts {
  readonly sent: object
  readonly done: object
  readonly withheld?: object
  readonly media: Answer
  readonly result: object
  readonly units?: object
}

export function falExchange(
  operation: 'image' | 'audio' | 'video',
  model: string,
  ask: object,
  parts: FalParts,
): Exchange {
  const endpoint = `/${model}`
  const at = `${endpoint}/requests/r-1`
  const told = {
    request_id: 'r-1',
    status_url: `{base}${at}/status`,
    response_url: `{base}${at}`,
    cancel_url: `{base}${at}/cancel`,
  }
  const lies = `GET ${/\/strange\/[\w.]+/.exec(JSON.stringify(parts.done))?.[0]}`
  return {
    operation,
    format: 'fal',
    endpoint,
    model,
    ask,
    answers: {
      [`POST ${endpoint}`]: { body: { ...told, status: 'IN_QUEUE', queue_position: 0 } },
      [`GET ${at}/status`]: { body: { ...told, status: 'COMPLETED' } },
      [`GET ${at}`]: { body: parts.done },
      [`PUT ${at}/cancel`]: { status: 202, body: { status: 'CANCELLATION_REQUESTED' } },
      [lies]: parts.media,
    },
    said: [{ path: `POST ${endpoint}`, json: parts.sent }, { path: `GET ${at}/status` }, { path: `GET ${at}` }],
    result: parts.result,
    ...(parts.units ? { units: parts.units } : {}),
    moderated: parts.withheld
      ? { [`GET ${at}`]: { body: parts.withheld } }
      : {
          [`GET ${at}/status`]: {
            body: { ...told, status: 'COMPLETED', error: 'No', error_type: 'content_policy_violation' },
          },
        },
    forgotten: [`GET ${at}`],
    ...(operation === 'video' ? {} : { media: (bytes: Buffer) => ({ [lies]: sayBytes('audio/mpeg', bytes) }) }),
    ...(operation === 'video'
      ? { cancels: `PUT ${at}/cancel` }
      : { stops: `PUT ${at}/cancel`, stallsAt: `GET ${at}/status` }),
  }
}

/** A text that ends in another, for `toMatchObject`. */
export function endsWith(end: string): { asymmetricMatch(value: unknown): boolean } {
  return { asymmetricMatch: (value) => typeof value === 'string' && value.endsWith(end) }
}
