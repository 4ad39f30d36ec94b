/** Stability's v2beta: forms in, a picture in base64 or a sound out (platform.stability.ai/docs/api-reference). */
import { json, type Refusals } from '../writing.ts'
import { formOf, keyAfter, type Maker, sendBytes, turnedAway } from './call.ts'
import { mp3, pixel, wav } from './samples.ts'

const problem: Refusals = (message, type) => ({ id: 'a1b2', name: type || 'bad_request', errors: [message] })

/** The fields that each place takes; those with a `!` have to be there. */
const common = ['prompt!', 'output_format', 'seed', 'negative_prompt']
const places: Readonly<Record<string, readonly string[]>> = {
  '/v2beta/stable-image/generate/core': [...common, 'aspect_ratio', 'style_preset'],
  '/v2beta/stable-image/generate/ultra': [...common, 'aspect_ratio', 'style_preset', 'image', 'strength'],
  '/v2beta/stable-image/generate/sd3': [
    ...[...common, 'aspect_ratio', 'style_preset', 'cfg_scale', 'model!'],
    ...['image', 'strength', 'mode'],
  ],
  '/v2beta/stable-image/edit/inpaint': [...common, 'style_preset', 'image!', 'mask', 'grow_mask'],
  '/v2beta/audio/stable-audio-2/text-to-audio': [
    ...['prompt!', 'duration', 'seed', 'steps', 'cfg_scale', 'model', 'output_format'],
  ],
}

export const stability: Maker = async (state, call, res) => {
  const { method, url, headers } = call
  const known = places[url.pathname]
  if (method !== 'POST' || !known) return false
  if (await turnedAway(state, res, { shown: keyAfter('Bearer ', headers), problem })) return
  const form = formOf(call)
  if (!form) return json(res, 400, problem('content-type: must be multipart/form-data', '', null))
  const sent = [...Object.keys(form.fields), ...form.files.map(({ field }) => field)]
  const wrong = known.find((name) => name.endsWith('!') && !sent.includes(name.slice(0, -1)))
  const strange = sent.find((name) => !known.includes(name) && !known.includes(`${name}!`))
  const hasImage = sent.includes('image')
  const half = hasImage && known.includes('strength') && form.fields['strength'] === undefined ? 'strength' : undefined
  const mixed = hasImage && known.includes('mode') && form.fields['mode'] !== 'image-to-image' ? 'mode' : undefined
  const name = wrong ?? strange ?? half ?? mixed
  if (name !== undefined) return json(res, 400, problem(`${name}: is wrong`, '', null))
  if (url.pathname.includes('/audio/')) {
    if (!headers.accept?.startsWith('audio/')) return json(res, 400, problem('accept: must be audio/*', '', null))
    return form.fields['output_format'] === 'wav'
      ? sendBytes(res, 'audio/wav', wav())
      : sendBytes(res, 'audio/mpeg', mp3)
  }
  if (headers.accept !== 'application/json') return sendBytes(res, 'image/png', pixel)
  json(res, 200, {
    image: pixel.toString('base64'),
    finish_reason: 'SUCCESS',
    seed: Number(form.fields['seed'] ?? 343),
  })
}
