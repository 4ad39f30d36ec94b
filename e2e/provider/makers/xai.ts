/** What xAI has of its own: edits of pictures in JSON, and films by request (docs.x.ai, Imagine API). */
import { json, type Refusals } from '../writing.ts'
import { fileAddress, formOf, keyAfter, type Maker, objectOf, turnedAway } from './call.ts'
import { pixel } from './samples.ts'

const problem: Refusals = (message, type) => ({ code: type, error: message })

export const xai: Maker = async (state, call, res) => {
  const { method, url, headers } = call
  const { pathname } = url
  const isEdit = method === 'POST' && pathname === '/v1/images/edits' && !formOf(call)
  const isFilm = method === 'POST' && pathname === '/v1/videos/generations'
  const [, id = ''] = method === 'GET' ? (/^\/v1\/videos\/(xai-[\w-]+)$/.exec(pathname) ?? []) : []
  if (!isEdit && !isFilm && id === '') return false
  const body = objectOf(call.body)
  const model = typeof body['model'] === 'string' ? body['model'] : ''
  if (await turnedAway(state, res, { shown: keyAfter('Bearer ', headers), model, problem })) return
  if (id !== '') {
    if (!state.films.has(id)) return json(res, 404, problem('Not found', 'not_found', null))
    const video = { url: fileAddress(state, call, 'xai.mp4'), duration: 6, respect_moderation: true }
    return json(res, 200, { status: 'done', video, model: state.films.get(id)?.model, progress: 100 })
  }
  if (typeof body['prompt'] !== 'string') return json(res, 422, problem('missing field `prompt`', 'invalid', null))
  if (isFilm) {
    const request_id = `xai-${state.films.size + 1}`
    state.films.set(request_id, { model, looks: 0, cancelled: false })
    return json(res, 200, { request_id })
  }
  const sources = [body['image'], body['images']].flat().filter((one) => one !== undefined)
  if (sources.length === 0 || !sources.every((one) => String(objectOf(one)['url']).startsWith('data:image/')))
    return json(res, 422, problem('missing field `image`', 'invalid', null))
  json(res, 200, { data: [{ b64_json: pixel.toString('base64'), mime_type: 'image/png', revised_prompt: '' }] })
}
