/** Embeddings, images, speech and transcriptions, in the shapes of the common API. */
import type { ServerResponse } from 'node:http'
import { pixel } from './makers/samples.ts'
import { embedding } from './ollama.ts'
import { sleep } from './pace.ts'
import { type FaultKind, faultFor, type State } from './state.ts'
import { drained, flushed, json, refuse, type Refusals } from './writing.ts'

/** A form as it arrived: its fields, and its files. */
export interface Form {
  readonly model: string | null
  readonly fields: Readonly<Record<string, string>>
  /** The first of its files. */
  readonly file: FormFile | null
  readonly files: readonly (FormFile & { readonly field: string })[]
}
interface FormFile {
  readonly name: string
  readonly mediaType: string
  readonly bytes: Buffer
}

const problem: Refusals = (message, type, code) => ({ error: { message, type, param: null, code } })

/** Answers when the call is one of these; false otherwise. */
export async function operations(
  state: State,
  { method, path, host }: { method: string; path: string; host: string },
  body: unknown,
  authorization: string | null,
  res: ServerResponse,
) {
  if (method === 'GET' && path.startsWith('/pictures/')) {
    return void res.writeHead(200, { 'content-type': 'image/png', 'content-length': pixel.length }).end(pixel)
  }
  const work = works[`${method} ${path}`]
  if (!work) return false
  const { apiKey } = state.control
  if (apiKey !== null && authorization !== `Bearer ${apiKey}`) {
    return json(res, 401, problem('Incorrect API key provided.', 'invalid_request_error', 'invalid_api_key'))
  }
  const { model = '' } = (body ?? {}) as { model?: string }
  const fault = faultFor(state, model)
  if (await refuse(res, fault, problem)) return
  if (model === 'absent' || (body === null && method === 'POST')) {
    return json(res, 404, problem('The model does not exist.', 'invalid_request_error', 'model_not_found'))
  }
  return work(state, body, { model, host, fault, res })
}

interface How {
  readonly model: string
  readonly host: string
  readonly fault: FaultKind | null
  readonly res: ServerResponse
}
type Work = (state: State, body: unknown, how: How) => Promise<void>

const embed: Work = async (_state, body, how) => {
  const { input, encoding_format: encoding } = body as {
    input: string | (string | number[])[]
    encoding_format?: string
  }
  const texts = [input].flat(1).map(String)
  const data = texts.map((text, index) => ({
    object: 'embedding',
    index,
    embedding: encoding === 'base64' ? inBase64(embedding(text, how.model)) : embedding(text, how.model),
  }))
  const tokens = texts.join(' ').split(/\s+/).length
  // In another order than they were asked for: the index says which is which.
  const usage = { prompt_tokens: tokens, total_tokens: tokens }
  await whole(how, { object: 'list', data: data.reverse(), model: how.model, usage })
}

interface ImageWish {
  readonly n?: number
  readonly prompt: string
  readonly stream?: boolean
  readonly partial_images?: number
}

/** `blocked` is refused for its content, and of what `partly` draws the last is withheld, of `half-broken` unreadable. */
const draw: Work = async (_state, body, how) => {
  const { n = 1, prompt, stream, partial_images: partials } = body as ImageWish
  if (how.model === 'blocked') {
    return json(how.res, 400, problem('This was rejected.', 'image_generation_user_error', 'moderation_blocked'))
  }
  if (stream) return await drawStreamed(how, 'image_generation', partials)
  const data: object[] = Array.from({ length: n }, (_, at) =>
    how.model.startsWith('by-url')
      ? { url: pictureAddress(how, at) }
      : { b64_json: pixel.toString('base64'), revised_prompt: `${prompt}, in oil` },
  )
  if (how.model === 'partly') data[n - 1] = { url: '', respect_moderation: false }
  if (how.model === 'half-broken') data[n - 1] = { b64_json: 'no base64!' }
  const usage = { input_tokens: 12, output_tokens: 272, total_tokens: 284 }
  await whole(how, { created: 1_790_000_000, data, ...(how.model.startsWith('by-url') ? {} : { usage }) })
}

/** As many pictures as far as they are as were asked for, then the whole one; a fault strikes after the first. */
async function drawStreamed({ res, fault }: How, kind: string, partials = 0): Promise<void> {
  if (fault === 'wrong-type') return void res.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello</p>')
  res.writeHead(200, { 'content-type': 'text/event-stream' })
  const picture = { b64_json: pixel.toString('base64'), output_format: 'png', created_at: 1_790_000_000 }
  const say = (type: string, more: object) =>
    res.write(`event: ${kind}.${type}\ndata: ${JSON.stringify({ type: `${kind}.${type}`, ...picture, ...more })}\n\n`)
  for (let at = 0; at < partials; at += 1) {
    say('partial_image', { partial_image_index: at })
    await sleep(1)
    if (fault === 'reset') return void res.socket?.resetAndDestroy()
    if (fault === 'stall') return void (await new Promise((gone) => res.once('close', gone)))
  }
  say('completed', { usage: { input_tokens: 12, output_tokens: 272, total_tokens: 284 } })
  res.end()
}

/** An edit is drawn as any other, of the fields of a form. */
const edit: Work = async (state, body, how) => {
  const { fields, files } = body as Form
  const sources = files.filter(({ field }) => field === 'image' || field === 'image[]')
  if (sources.length === 0) return json(how.res, 400, problem('Missing image.', 'invalid_request_error', null))
  if (fields['stream'] === 'true') return await drawStreamed(how, 'image_edit', Number(fields['partial_images']))
  await draw(state, { n: Number(fields['n'] ?? 1), prompt: fields['prompt'] ?? '' }, how)
}

/** `by-url` tells of a picture, `by-url-inside` of a place that nobody may call, `by-url-page` of something else. */
function pictureAddress({ model, host }: How, at: number): string {
  if (model === 'by-url-inside') return 'http://169.254.169.254/latest/meta-data'
  return model === 'by-url-page' ? `http://${host}/api/version` : `http://${host}/pictures/${at}.png`
}

const types: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  opus: 'audio/opus',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'audio/pcm',
}

/** A third of a second of a quiet tone for each word: 8 kHz, 16 bits, one channel. */
const tone = (input: string): Buffer => {
  const samples = input.split(/\s+/).length * 2700
  const bytes = Buffer.alloc(44 + samples * 2)
  bytes.write('RIFF', 0)
  bytes.writeUInt32LE(36 + samples * 2, 4)
  bytes.write('WAVEfmt ', 8)
  bytes.set([16, 0, 0, 0, 1, 0, 1, 0, 0x40, 0x1f, 0, 0, 0x80, 0x3e, 0, 0, 2, 0, 16, 0], 16)
  bytes.write('data', 36)
  bytes.writeUInt32LE(samples * 2, 40)
  for (let at = 0; at < samples; at += 1)
    bytes.writeInt16LE(Math.round(800 * Math.sin((at * 440 * 2 * Math.PI) / 8000)), 44 + at * 2)
  return bytes
}

const speak: Work = async (state, body, { res, fault }) => {
  const { input, response_format: format = 'mp3' } = body as { input: string; response_format?: string }
  if (fault === 'wrong-type') return void res.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello</p>')
  res.writeHead(200, { 'content-type': types[format] ?? 'application/octet-stream' })
  // A sound that can be played, for whoever asks for it plainly.
  if (format === 'wav' && fault === null) return void res.end(tone(input))
  for (const [at, word] of input.split(' ').entries()) {
    if (res.destroyed) return
    if (at === state.control.after && fault === 'reset') {
      if (at > 0) await flushed(res)
      return void res.socket?.resetAndDestroy()
    }
    if (at === state.control.after && fault === 'stall')
      return void (await new Promise((gone) => res.once('close', gone)))
    res.write(Buffer.alloc(100, word))
    await sleep(state.control.msPerToken || 1)
  }
  if (fault === 'huge') {
    for (let sent = 0; sent < 1024 ** 3 && !res.destroyed; sent += 65_536) {
      if (!res.write(Buffer.alloc(65_536))) await drained(res)
    }
  }
  res.end()
}

/** The words one by one, then all of them; a fault strikes after the first. */
async function streamWords({ res, fault }: How, text: string): Promise<void> {
  res.writeHead(200, { 'content-type': 'text/event-stream' })
  const say = (event: object) => res.write(`data: ${JSON.stringify(event)}\n\n`)
  for (const delta of text.split(/(?= )/)) {
    say({ type: 'transcript.text.delta', delta })
    await sleep(1)
    if (fault === 'reset') return void res.socket?.resetAndDestroy()
    if (fault === 'half-json') return void res.end()
  }
  const usage = { type: 'tokens', input_tokens: 14, output_tokens: 5, total_tokens: 19 }
  say({ type: 'transcript.text.done', text, usage })
  res.end()
}

const transcribe: Work = async (_state, body, how) => {
  const { fields, file } = body as Form
  if (!file) return json(how.res, 400, problem('you must provide a file', 'invalid_request_error', null))
  const text = `I heard ${file.bytes.length} bytes.`
  // A model called `patient…` fails at what is shorter than a minute: at the end of a long recording.
  if (how.model.startsWith('patient') && file.bytes.length < 960_000)
    return json(how.res, 500, problem('The server had an error.', 'server_error', null))
  if (fields['stream'] === 'true') return await streamWords(how, text)
  const verbose = {
    task: 'transcribe',
    language: fields['language'] ?? 'english',
    duration: 2.5,
    segments: [{ id: 0, start: 0, end: 2.5, text }],
  }
  // A model called `plain…` has no times, as newer ones: it answers a wish for them without.
  const asked = fields['response_format'] === 'verbose_json' && !how.model.startsWith('plain')
  await whole(how, asked ? { text, ...verbose } : { text, usage: { type: 'duration', seconds: 3 } })
}

const translate: Work = async (_state, body, how) => {
  const { fields, file } = body as Form
  if (!file) return json(how.res, 400, problem('you must provide a file', 'invalid_request_error', null))
  const text = `That is ${file.bytes.length} bytes in English.`
  const timed = { task: 'translate', duration: 2.5, segments: [{ id: 0, start: 0, end: 2.5, text }] }
  await whole(how, fields['response_format'] === 'verbose_json' ? { text, ...timed } : { text })
}

/** As the common servers list them. */
const voiceNames: Work = (_state, _body, { res }) => {
  json(res, 200, { voices: ['af_bella', 'am_adam'] })
  return Promise.resolve()
}

const works: Readonly<Record<string, Work>> = {
  'POST /v1/embeddings': embed,
  'POST /v1/images/generations': draw,
  'POST /v1/images/edits': edit,
  'POST /v1/audio/speech': speak,
  'GET /v1/audio/voices': voiceNames,
  'POST /v1/audio/transcriptions': transcribe,
  'POST /v1/audio/translations': translate,
}

/** One whole answer, or what the fault makes of it. */
async function whole({ fault, res }: How, body: unknown): Promise<void> {
  const text = JSON.stringify(body)
  if (fault === 'wrong-type') return void res.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello</p>')
  if (fault === 'half-json' || fault === 'reset' || fault === 'stall') {
    res.writeHead(200, { 'content-type': 'application/json' })
    res.write(text.slice(0, text.length / 2))
    if (fault === 'half-json') return void res.end()
    await new Promise((go) => (fault === 'stall' ? res.once('close', go) : setTimeout(go, 20)))
    return void res.socket?.resetAndDestroy()
  }
  if (fault === 'huge') {
    res.writeHead(200, { 'content-type': 'application/json' })
    for (let sent = 0; sent < 1024 ** 3 && !res.destroyed; sent += 65_536) {
      if (!res.write('['.repeat(65_536))) await drained(res)
    }
    return void res.end()
  }
  json(res, 200, body)
}

const inBase64 = (vector: readonly number[]): string => Buffer.from(Float32Array.from(vector).buffer).toString('base64')

/** Reads multipart/form-data; null where it is none. */
export function readForm(contentType: string | undefined, body: Buffer): Form | null {
  const boundary = /^multipart\/form-data;.*boundary="?([^";]+)"?/i.exec(contentType ?? '')?.[1]
  if (!boundary) return null
  const fields: Record<string, string> = {}
  const files: Form['files'][number][] = []
  // Latin 1 keeps every byte, so that a place in the text is a place in the body.
  for (const part of body.toString('latin1').split(`--${boundary}`).slice(1, -1)) {
    const end = part.indexOf('\r\n\r\n')
    const head = Buffer.from(part.slice(0, end), 'latin1').toString('utf8')
    const bytes = Buffer.from(part.slice(end + 4, -2), 'latin1')
    const name = /[; ]name="([^"]*)"/.exec(head)?.[1] ?? ''
    const fileName = /filename="([^"]*)"/.exec(head)?.[1]
    if (fileName === undefined) fields[name] = bytes.toString('utf8')
    else files.push({ field: name, name: fileName, mediaType: /content-type: *(\S+)/i.exec(head)?.[1] ?? '', bytes })
  }
  return { model: fields['model'] ?? null, fields, file: files[0] ?? null, files }
}
