/** Sound over chat completions, and films in the common shape. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { drawnFilm } from './drawn-film.ts'
import { film, samples, wav } from './makers/samples.ts'
import { sleep } from './pace.ts'
import { faultFor, type State } from './state.ts'
import { json, refuse } from './writing.ts'

const problem = (message: string, type: string, code: string | null) => ({ error: { message, type, code } })

interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
}

/** Answers when the call is one of these; false otherwise. */
export async function media(state: State, asked: Asked, body: unknown, res: ServerResponse): Promise<void | false> {
  const { path, headers } = asked
  const sent = (body ?? {}) as { model?: string; modalities?: unknown; audio?: { format?: string } }
  const isSound = path === '/v1/chat/completions' && Array.isArray(sent.modalities) && sent.modalities.includes('audio')
  const isFilm = path === '/v1/videos' || path.startsWith('/v1/videos/')
  if (!isSound && !isFilm) return false
  const { apiKey } = state.control
  const shown = headers.authorization?.replace(/^Bearer /, '')
  if (apiKey !== null && shown !== apiKey)
    return json(res, 401, problem('Incorrect API key.', 'auth', 'invalid_api_key'))
  if (isFilm) return await films(state, asked, sent, res)
  const fault = faultFor(state, sent.model ?? '')
  if (await refuse(res, fault, problem)) return
  return await sound(state, sent.audio?.format ?? 'wav', res)
}

/** Pieces of base64 beside what is said in them. */
async function sound(state: State, format: string, res: ServerResponse): Promise<void> {
  // Whoever asks for samples gets them bare.
  const whole = format === 'pcm16' ? samples : wav()
  res.writeHead(200, { 'content-type': 'text/event-stream' })
  const say = (event: object): void => void res.write(`data: ${JSON.stringify(event)}\n\n`)
  for (let at = 0; at < whole.length && !res.destroyed; at += 6000) {
    const data = whole.subarray(at, at + 6000).toString('base64')
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
