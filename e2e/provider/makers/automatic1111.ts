/** The web UI of AUTOMATIC1111 and its heirs (its wiki, API). */
import { json } from '../writing.ts'
import { type Maker, objectOf } from './call.ts'
import { pixel } from './samples.ts'

const model = { title: 'v1-5-pruned-emaonly.safetensors [6ce0161689]', model_name: 'v1-5-pruned-emaonly' }

export const automatic1111: Maker = (_state, { method, url, body }, res) => {
  const sent = objectOf(body)
  switch (`${method} ${url.pathname}`) {
    case 'GET /sdapi/v1/sd-models':
      return json(res, 200, [
        { ...model, hash: '6ce0161689', sha256: null, filename: '/models/v1-5.safetensors', config: null },
      ])
    case 'GET /sdapi/v1/progress':
      return json(res, 200, { progress: 0.5, eta_relative: 1, state: {}, current_image: null, textinfo: null })
    case 'POST /sdapi/v1/interrupt':
      return json(res, 200, {})
    case 'POST /sdapi/v1/img2img':
      if (!Array.isArray(sent['init_images']) || sent['init_images'].length === 0)
        return json(res, 404, { detail: 'Init image not found' })
      break
    case 'POST /sdapi/v1/txt2img':
      break
    default:
      return false
  }
  const wanted = objectOf(sent['override_settings'])['sd_model_checkpoint']
  // Its models are known by either name.
  if (wanted !== model.model_name && wanted !== model.title)
    return json(res, 500, { error: 'RuntimeError', detail: '', body: '', errors: 'Unknown checkpoint' })
  const images = Array.from({ length: Number(sent['batch_size'] ?? 1) }, () => pixel.toString('base64'))
  json(res, 200, { images, parameters: sent, info: '{"seed": 7}' })
}
