/** Pictures over Stability's v2beta: forms in, one picture in base64 out, with why it ended. */
import { asObject, asText } from '../../wires/json.ts'
import type { About, AnswerFormat, FoundImages, FormatRequest } from '../format.ts'
import { fieldsOf, type FormFile } from '../form.ts'
import { moderatedAnswer, textIn, unreadableAnswer } from '../route.ts'
import { fittingSize } from '../sizes.ts'
import { toWhiteMask } from '../white-mask.ts'
import type { ImageAsk } from '../types.ts'

/** How far an edit may leave its source. */
const usualStrength = 0.65

export const stabilityImages: AnswerFormat<ImageAsk, FoundImages> = {
  async prepare(ask) {
    const { mask } = ask
    return mask ? { ...ask, mask: { ...mask, bytes: await toWhiteMask(mask.bytes) } } : ask
  },

  say(ask, about) {
    const [source] = ask.sources ?? []
    if (!source) {
      const size = fittingSize(ask.size ?? textIn(about.config, 'default_size'), about.config)
      return { address: placeOf(about), ...asForm(ask, about, { aspect_ratio: size, ...modelField(about) }) }
    }
    const image: FormFile = { ...source, field: 'image' }
    // What a mask leaves is kept as it is, whatever the model.
    if (ask.mask)
      return { address: '../edit/inpaint', ...asForm(ask, about, {}, [image, { ...ask.mask, field: 'mask' }]) }
    const mode = isDiffusion(about) ? 'image-to-image' : undefined
    const fields = { strength: usualStrength, mode, ...modelField(about) }
    return { address: isDiffusion(about) ? 'sd3' : 'ultra', ...asForm(ask, about, fields, [image]) }
  },

  read({ json }) {
    const answer = asObject(json)
    if (asText(answer?.['finish_reason']) === 'CONTENT_FILTERED') throw moderatedAnswer()
    const base64 = asText(answer?.['image'])
    if (base64 === '') throw unreadableAnswer()
    return { pictures: [{ found: { base64 } }] }
  },
}

/** The models of this name share one address, and say which of them is meant. */
const isDiffusion = ({ model }: About): boolean => /^sd3/.test(model)
const placeOf = (about: About): string => (isDiffusion(about) ? 'sd3' : encodeURIComponent(about.model))
const modelField = (about: About) => (isDiffusion(about) ? { model: about.model } : {})

const asForm = (
  ask: ImageAsk,
  { also, config }: About,
  fields: Parameters<typeof fieldsOf>[0],
  files: readonly FormFile[] = [],
): FormatRequest => ({
  form: {
    fields: fieldsOf({
      ...(also as typeof fields),
      prompt: ask.prompt,
      output_format: ask.format ?? 'png',
      style_preset: ask.style ?? textIn(config, 'default_style'),
      seed: ask.seed,
      ...fields,
    }),
    files,
  },
})
