/** Hugging Face's `hf-inference`: a prompt or a sound in, bytes or a text out (huggingface.co/docs/inference-providers). */
import { json, type Refusals } from '../writing.ts'
import { keyAfter, type Maker, objectOf, sendBytes, turnedAway } from './call.ts'
import { flac, pixel } from './samples.ts'

const problem: Refusals = (message) => ({ error: message })

export const huggingFace: Maker = async (state, { method, url, headers, body, bytes }, res) => {
  const [, model = ''] = /^\/hf-inference\/models\/([^/]+\/[^/]+)$/.exec(url.pathname) ?? []
  if (method !== 'POST' || model === '') return false
  if (await turnedAway(state, res, { shown: keyAfter('Bearer ', headers), model, problem })) return
  if (headers['content-type']?.startsWith('audio/')) return json(res, 200, { text: ` I heard ${bytes.length} bytes.` })
  if (typeof objectOf(body)['inputs'] !== 'string') return json(res, 400, problem('No inputs.', '', null))
  return headers.accept?.startsWith('audio/') ? sendBytes(res, 'audio/flac', flac) : sendBytes(res, 'image/png', pixel)
}
