/** fal's queue: a request is accepted, asked about, and its media lies elsewhere (docs.fal.ai, queue). */
import type { ServerResponse } from 'node:http'
import type { State } from '../state.ts'
import { json, type Refusals } from '../writing.ts'
import { fileAddress, keyAfter, type Maker, type MakerCall, objectOf, rootOf, turnedAway } from './call.ts'

const problem: Refusals = (message) => ({ detail: message })

export const fal: Maker = async (state, call, res) => {
  const { method, url, headers } = call
  if (!url.pathname.startsWith('/fal-ai/')) return false
  const path = url.pathname.slice(1)
  if (await turnedAway(state, res, { shown: keyAfter('Key ', headers), model: path, problem })) return
  const [, app = '', id = '', rest = ''] = /^(fal-ai\/[^/]+)\/requests\/([\w-]+)(\/\w+)?$/.exec(path) ?? []
  if (id === '') return method === 'POST' ? accept(state, call, path, res) : false
  const task = state.films.get(id)
  if (!task?.model.startsWith(app)) return json(res, 404, problem('Request not found', '', null))
  const told = addressesOf(call, app, id)
  if (method === 'PUT' && rest === '/cancel') {
    task.cancelled = true
    return json(res, 202, { status: 'CANCELLATION_REQUESTED' })
  }
  if (method === 'GET' && rest === '/status') {
    task.looks += 1
    return json(res, 200, { status: 'COMPLETED', ...told, logs: null, metrics: { inference_time: 0.1 } })
  }
  if (method !== 'GET' || rest !== '') return false
  if (task.looks === 0) return json(res, 400, problem('Request is still in progress', '', null))
  json(res, 200, resultOf(state, call, task.model))
}

/** The queue knows a request by the app alone: what follows it names a way of asking it. */
const addressesOf = (call: MakerCall, app: string, id: string) => {
  const at = `${rootOf(call)}/${app}/requests/${id}`
  return { request_id: id, response_url: at, status_url: `${at}/status`, cancel_url: `${at}/cancel` }
}

function accept(state: State, call: MakerCall, path: string, res: ServerResponse): void {
  const { prompt } = objectOf(call.body)
  if (typeof prompt !== 'string')
    return json(res, 422, { detail: [{ loc: ['body', 'prompt'], msg: 'field required', type: 'value_error.missing' }] })
  const id = `764cabcf-b745-4b3e-ae38-${String(state.films.size).padStart(12, '0')}`
  state.films.set(id, { model: path, looks: 0, cancelled: false })
  const app = path.split('/').slice(0, 2).join('/')
  json(res, 200, { status: 'IN_QUEUE', queue_position: 0, ...addressesOf(call, app, id) })
}

function resultOf(state: State, call: MakerCall, model: string): object {
  const file = (name: string, content_type: string) => ({
    url: fileAddress(state, call, name),
    content_type,
    file_name: name,
    file_size: 1234,
  })
  if (/(text|image)-to-video/.test(model)) return { video: file('fal.mp4', 'video/mp4') }
  if (/audio/.test(model)) return { audio_file: file('fal.mp3', 'audio/mpeg') }
  const image = { ...file('fal.png', 'image/png'), width: 1, height: 1 }
  return { images: [image], timings: { inference: 0.1 }, seed: 7, has_nsfw_concepts: [false], prompt: '' }
}
