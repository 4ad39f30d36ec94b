/** `/videos` as OpenAI had it and others speak it: seconds as text, a size in pixels, the film at `content`. */
import type { ServerResponse } from 'node:http'
import type { State } from '../state.ts'
import { json, type Refusals } from '../writing.ts'
import { formOf, keyAfter, type Maker, objectOf, sendBytes, turnedAway } from './call.ts'
import { film } from './samples.ts'

const problem: Refusals = (message, type, code) => ({ error: { message, type, param: null, code } })

/** Told from the common shape by its words: whoever says `size`, or `seconds`, asks in this one. */
export const openaiVideos: Maker = async (state, call, res) => {
  const { method, url, headers } = call
  const [, id = '', rest = ''] = /^\/v1\/videos\/(video_[\w-]+)(\/content)?$/.exec(url.pathname) ?? []
  const fields: Record<string, unknown> = formOf(call)?.fields ?? objectOf(call.body)
  const isNew = method === 'POST' && url.pathname === '/v1/videos' && ('size' in fields || 'seconds' in fields)
  if (!isNew && id === '') return false
  const model = typeof fields['model'] === 'string' ? fields['model'] : ''
  if (await turnedAway(state, res, { shown: keyAfter('Bearer ', headers), model, problem })) return
  if (id !== '') return known(state, { method, id, rest }, res)
  if (typeof fields['prompt'] !== 'string' || ('seconds' in fields && typeof fields['seconds'] !== 'string'))
    return json(res, 400, problem("Missing required parameter: 'prompt'.", 'invalid_request_error', null))
  const made = `video_${state.films.size + 1}`
  state.films.set(made, { model, looks: 0, cancelled: false })
  json(res, 200, { ...job(made, model, 'queued', 0), size: fields['size'], seconds: fields['seconds'] })
}

const job = (id: string, model: string, status: string, progress: number) => ({
  id,
  object: 'video',
  model,
  status,
  progress,
  created_at: 1_790_000_000,
})

function known(
  state: State,
  { method, id, rest }: { readonly method: string; readonly id: string; readonly rest: string },
  res: ServerResponse,
): void {
  const task = state.films.get(id)
  if (!task) return json(res, 404, problem('Video not found.', 'invalid_request_error', null))
  if (method === 'DELETE') {
    state.films.delete(id)
    return json(res, 200, { id, object: 'video.deleted', deleted: true })
  }
  if (rest !== '') return sendBytes(res, 'video/mp4', film())
  json(res, 200, job(id, task.model, 'completed', 100))
}
