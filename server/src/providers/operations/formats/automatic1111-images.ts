/** Pictures over the web UI of AUTOMATIC1111 and its heirs: `txt2img`, `img2img` with a mask, `progress`, `interrupt`. */
import { asArray, asObject, asText } from '../../wires/json.ts'
import { bytesOfBase64 } from '../base64.ts'
import type { AnswerFormat, FoundImages } from '../format.ts'
import { pictureTypeOf } from '../media-type.ts'
import { omitUndefined, textIn, unreadableAnswer } from '../route.ts'
import type { CallNews, ImageAsk } from '../types.ts'

/** How far an edit may leave its source. */
const usualDenoising = 0.65

export const automatic1111Images: AnswerFormat<ImageAsk, FoundImages> = {
  say(ask, { model, config, also }) {
    const { sources = [], mask } = ask
    const size = ask.size ?? textIn(config, 'default_size')
    const [, width, height] = /^(\d{2,5})x(\d{2,5})$/.exec(size ?? '') ?? []
    const body = {
      ...also,
      ...omitUndefined({
        prompt: ask.prompt,
        batch_size: ask.count ?? 1,
        width: width === undefined ? undefined : Number(width),
        height: height === undefined ? undefined : Number(height),
        seed: ask.seed,
      }),
      // The model of whoever else uses the same server comes back after the call.
      override_settings: { sd_model_checkpoint: model },
      override_settings_restore_afterwards: true,
    }
    if (sources.length === 0) return { json: body }
    const edit = {
      init_images: sources.map(({ bytes }) => Buffer.from(bytes).toString('base64')),
      denoising_strength: usualDenoising,
      // What is transparent is drawn anew, and their masks mean what is white.
      ...(mask ? { mask: Buffer.from(mask.bytes).toString('base64'), inpainting_mask_invert: 1 } : {}),
    }
    return { address: 'img2img', json: { ...body, ...edit } }
  },

  read({ json }, { count = 1 }) {
    const images = asArray(asObject(json)?.['images']).slice(0, count).map(asText)
    if (images.length === 0 || images.includes('')) throw unreadableAnswer()
    return { pictures: images.map((base64) => ({ found: { base64 } })) }
  },

  stop: () => ({ method: 'POST', address: 'interrupt', json: {} }),

  watch: {
    say: () => ({ address: 'progress?skip_current_image=false' }),
    read({ json }): CallNews | null {
      const answer = asObject(json)
      const progress = answer?.['progress']
      if (typeof progress !== 'number' || !(progress >= 0 && progress <= 1)) return null
      const current = asText(answer?.['current_image'])
      if (current === '') return { progress }
      const bytes = bytesOfBase64(current)
      const mediaType = pictureTypeOf(bytes)
      return mediaType === null ? { progress } : { progress, partial: { bytes, mediaType } }
    },
  },
}
