/** Sound, films and the speech of one maker, in the shapes that are documented for them. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { drawnFilm } from './drawn-film.ts'
import { sleep } from './pace.ts'
import { faultFor, type State } from './state.ts'
import { json, refuse } from './writing.ts'

const problem = (message: string, type: string, code: string | null) => ({ error: { message, type, code } })

/** Half a second of a tone, 16 bits at 24 kHz. */
const samples = Buffer.alloc(24_000)
for (let at = 0; at < samples.length / 2; at += 1) samples.writeInt16LE(Math.round(Math.sin(at / 9) * 9000), at * 2)

/** An MP3 as its head tells it: nobody decodes it here. */
const mp3 = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'), Buffer.alloc(2000, 0x55)])

const box = (type: string, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(body.length + 8, 0)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, body])
}

/** A film of two seconds without a picture in it: a head of 1,000 units a second. */
const film = (): Buffer => {
  const movieHead = Buffer.alloc(100)
  movieHead.writeUInt32BE(1000, 12)
  movieHead.writeUInt32BE(2000, 16)
  const brand = Buffer.from('isom\0\0\0\0isommp42', 'latin1')
  return Buffer.concat([box('ftyp', brand), box('moov', box('mvhd', movieHead)), box('mdat', Buffer.alloc(5000, 7))])
}

interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
}

/** Answers when the call is one of these; false otherwise. */
export async function media(state: State, asked: Asked, body: unknown, res: ServerResponse): Promise<void | false> {
  const { method, path, headers } = asked
  const sent = (body ?? {}) as { model?: string; model_id?: string; modalities?: unknown }
  const isSound = path === '/v1/chat/completions' && Array.isArray(sent.modalities) && sent.modalities.includes('audio')
  const isVoice = method === 'POST' && /^\/v1\/(text-to-speech\/[^/]+|sound-generation|music)$/.test(path)
  const isFilm = path === '/v1/videos' || path.startsWith('/v1/videos/')
  if (!isSound && !isVoice && !isFilm) return false
  const { apiKey } = state.control
  const shown = isVoice ? headers['xi-api-key'] : headers.authorization?.replace(/^Bearer /, '')
  if (apiKey !== null && shown !== apiKey)
    return json(res, 401, problem('Incorrect API key.', 'auth', 'invalid_api_key'))
  if (isFilm) return await films(state, asked, sent, res)
  const fault = faultFor(state, sent.model ?? sent.model_id ?? '')
  if (await refuse(res, fault, problem)) return
  if (isVoice) return void res.writeHead(200, { 'content-type': 'audio/mpeg' }).end(mp3)
  return await sound(state, res)
}

/** Pieces of base64 beside what is said in them. */
async function sound(state: State, res: ServerResponse): Promise<void> {
  res.writeHead(200, { 'content-type': 'text/event-stream' })
  const say = (event: object): void => void res.write(`data: ${JSON.stringify(event)}\n\n`)
  for (let at = 0; at < samples.length && !res.destroyed; at += 6000) {
    const data = samples.subarray(at, at + 6000).toString('base64')
    say({ choices: [{ index: 0, delta: { audio: { id: 'audio_1', data, transcript: at === 0 ? 'Hum.' : '' } } }] })
    await sleep(state.control.msPerToken || 1)
  }
  say({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
  say({ choices: [], usage: { prompt_tokens: 5, completion_tokens: 25 } })
  res.end('data: [DONE]\n\n')
}

/**
 * A job: `film` is done when it was asked about twice, others at once. By its model: `film-blocked` fails its rules, `film-lost` is forgotten,
 * `film-slow` never ends, `film-page`, `film-away` and `film-large` give something that is no film to keep, and what
 * `film-drawn` gives can be played.
 */
async function films(
  state: State,
  { method, path }: Asked,
  sent: { model?: string },
  res: ServerResponse,
): Promise<void> {
  if (method === 'POST' && path === '/v1/videos') {
    const model = sent.model ?? ''
    if (await refuse(res, faultFor(state, model), problem)) return
    const id = `film-${state.films.size + 1}`
    state.films.set(id, { model, looks: 0, cancelled: false })
    return json(res, 202, { id, polling_url: `/v1/videos/${id}`, status: 'pending' })
  }
  const [, id = '', rest = ''] = /^\/v1\/videos\/([^/]+)(\/.*)?$/.exec(path) ?? []
  const job = state.films.get(id)
  if (!job || job.model === 'film-lost') return json(res, 404, problem('No such job.', 'not_found', null))
  if (rest === '/cancel') {
    job.cancelled = true
    return json(res, 200, { id, status: 'cancelled' })
  }
  if (rest === '/content') return content(job.model, res)
  job.looks += 1
  if (job.cancelled) return json(res, 200, { id, status: 'cancelled' })
  if (job.model === 'film-blocked') {
    return json(res, 200, { id, status: 'failed', error: { code: 'content_policy_violation', message: 'No.' } })
  }
  if ((job.model === 'film' && job.looks < 2) || job.model === 'film-slow')
    return json(res, 200, { id, status: 'in_progress', progress: 40 })
  json(res, 200, { id, status: 'completed', usage: { cost: 0.5 } })
}

function content(model: string, res: ServerResponse): void {
  if (model === 'film-away') return void res.writeHead(302, { location: '/elsewhere' }).end()
  if (model === 'film-page') return void res.writeHead(200, { 'content-type': 'video/mp4' }).end('<html>No</html>')
  if (model === 'film-large') {
    res.writeHead(200, { 'content-type': 'video/mp4', 'content-length': 201 * 1024 * 1024 })
    return void res.write(film())
  }
  if (model === 'film-drawn') return void res.writeHead(200, { 'content-type': 'video/webm' }).end(drawnFilm)
  res.writeHead(200, { 'content-type': 'video/mp4' }).end(film())
}
